/* json.h: values of JSON documents. Texts that are not UTF-8 have U+FFFD in the place of wrong bytes. */
#ifndef ATOMC_SUPPORT_JSON_H
#define ATOMC_SUPPORT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "support/support.h"

json_t *json_text(const char *text); /* NULL: null */
json_t *json_address(uint64_t address);
/* A list of all reported diagnostics. A C compiler's output is split into its messages. */
json_t *diagnostics_json(const struct diagnostics *diagnostics);
/* A position in a source. */
json_t *span_json(const struct source_span *where);
/* One line, or indented if it is the document; destroys it. */
void json_print(json_t *value, bool document, FILE *stream);

#endif
