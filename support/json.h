/* json.h: values of JSON documents. Texts that are not UTF-8 have U+FFFD in the place of wrong bytes. */
#ifndef ATOMC_SUPPORT_JSON_H
#define ATOMC_SUPPORT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

json_t *json_text(const char *text); /* NULL: null */
json_t *json_address(uint64_t address);
/* One line, or indented if it is the document; destroys it. */
void json_print(json_t *value, bool document, FILE *stream);

#endif
