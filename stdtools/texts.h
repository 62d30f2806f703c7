/* texts.h: texts that atomc has put into the tables. Equal texts usually have one address. */
#ifndef ATOMC_TEXTS_H
#define ATOMC_TEXTS_H

#include <string.h>

/* Like strcmp: the tables of two objects may contain the same text. */
static inline int compare_texts(const char *left, const char *right) {
    return left == right ? 0 : strcmp(left, right);
}

#endif
