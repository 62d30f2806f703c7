/* row_header.h: the header of a file of rows, as JSON: its columns with types, roles and how they are
   merged; the report's conditions; the tool's parameters (docs/json.md). Requires jansson. */
#ifndef ATOMC_PLAN_ROW_HEADER_H
#define ATOMC_PLAN_ROW_HEADER_H

#include <jansson.h>

#include "plan/meaning.h"

json_t *plan_column_json(const struct plan_row_column *column);
/* The part that all tables of a tool share: its parameters. */
json_t *plan_tool_header(const struct plan *plan, const char *tool);
/* Without the parts that only the run knows: the process, and the name of the file. */
json_t *plan_row_header(const struct plan *plan, const struct plan_report *report,
                        const struct plan_row_column *columns, uint32_t count);
/* Makes it the header of the rows of all times: the first column is the time, a counter's value. */
void plan_series_header(json_t *header, const char *counter);

#endif
