/* texts.h: texts that atomc has put into the tables: equal ones have one address, mostly. */
#ifndef ATOMC_TEXTS_H
#define ATOMC_TEXTS_H

#include <string.h>

/* As strcmp: the tables of two objects may have the same text twice. */
static inline int compare_texts(const char *left, const char *right) {
    return left == right ? 0 : strcmp(left, right);
}

#endif
