/* row_header.h: what a file of rows says of itself, as JSON: its columns with types, roles and how they are
   merged; the report's conditions; the tool's parameters (docs/json.md). Requires jansson. */
#ifndef ATOMC_PLAN_ROW_HEADER_H
#define ATOMC_PLAN_ROW_HEADER_H

#include <jansson.h>

#include "plan/meaning.h"

json_t *plan_column_json(const struct plan_row_column *column);
/* What all tables of a tool say: its parameters. */
json_t *plan_tool_header(const struct plan *plan, const char *tool);
/* Without what only the run knows: the process, and the name of the file. */
json_t *plan_row_header(const struct plan *plan, const struct plan_report *report,
                        const struct plan_row_column *columns, uint32_t count);

#endif
