/* row_header.c: the header of a file of rows, as JSON (docs/json.md). */
#include "plan/row_header.h"

#include <string.h>

#include "support/json.h"

static void set_json_string(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, text ? json_text(text) : json_null());
}

json_t *plan_column_json(const struct plan_row_column *column) {
    const struct plan_meaning *meaning = &column->meaning;
    json_t *object = json_object();
    set_json_string(object, "title", column->title);
    set_json_string(object, "type", plan_row_type(column));
    set_json_string(object, "role", plan_role_words[meaning->role]);
    set_json_string(object, "merge", plan_merge_words[meaning->merge]);
    if (column->unit)
        set_json_string(object, "unit", column->unit);
    else if (meaning->role == PLAN_ROLE_MEASURE)
        set_json_string(object, "unit", column->value->op == PLAN_OP_PERCENT ? "percent" : "count");
    if (meaning->attribute != PLAN_ATTRIBUTE_COUNT) {
        const struct plan_attribute_info *attribute = &plan_attributes[meaning->attribute];
        json_object_set_new(object, "attribute",
                            json_sprintf("%s.%s", plan_place_words[attribute->place], attribute->word));
    }
    if (meaning->is_stack)
        json_object_set_new(object, "attribute", json_string("$stack"));
    if (meaning->parts[0])
        json_object_set_new(object, "of",
                            meaning->parts[1] ? json_pack("[i, i]", column->parts[0], column->parts[1])
                                              : json_pack("[i]", column->parts[0]));
    if (column->hidden)
        json_object_set_new(object, "hidden", json_true());
    return object;
}

/* The text in the page; NULL if the page has none. */
static json_t *written_expression(const struct plan_expression *expression) {
    const struct source_span *where = expression ? &expression->where : NULL;
    if (!where || !where->source)
        return json_null();
    json_t *text = json_stringn(where->source->text + where->begin, where->end - where->begin);
    return text ? text : json_null();
}

/* {"kind": "bars", "columns": [1, 0]} */
static json_t *plan_display_json(const struct plan_display *display) {
    if (!display)
        return json_null();
    const struct plan_display_info *kind = &plan_displays[display->kind];
    json_t *columns = json_array();
    for (int i = 0; i < PLAN_DISPLAY_COLUMNS && kind->columns[i].need != PLAN_NEED_NONE; i++)
        json_array_append_new(columns, json_integer(display->columns[i]));
    return json_pack("{s: s, s: o}", "kind", kind->word, "columns", columns);
}

static json_t *constant_json(const struct plan_constant *constant) {
    return constant->type == PLAN_TYPE_STRING    ? json_text(constant->string)
           : constant->type == PLAN_TYPE_BOOLEAN ? json_boolean(constant->integer)
                                                 : json_integer(constant->integer);
}

json_t *plan_tool_header(const struct plan *plan, const char *tool) {
    json_t *header = json_object(), *parameters = json_object();
    for (uint32_t i = 0; i < plan->tool_count; i++)
        for (uint32_t k = 0; k < plan->tools[i].constant_count && strcmp(plan->tools[i].name, tool) == 0; k++)
            json_object_set_new(parameters, plan->tools[i].constants[k].name,
                                constant_json(&plan->tools[i].constants[k]));
    json_object_set_new(header, "parameters", parameters);
    return header;
}

json_t *plan_row_header(const struct plan *plan, const struct plan_report *report,
                        const struct plan_row_column *columns, uint32_t count) {
    json_t *header = json_object(), *places = json_array(), *list = json_array();
    set_json_string(header, "tool", report->tool);
    for (uint32_t i = 0; i < report->loop_count; i++)
        json_array_append_new(places, json_text(plan_place_words[report->loops[i].kind]));
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, plan_column_json(&columns[i]));
    json_object_set_new(header, "places", places);
    json_object_set_new(header, "columns", list);
    json_object_set_new(header, "where", written_expression(report->filter));
    json_object_set_new(header, "sorted", written_expression(report->key));
    json_object_set_new(header, "descending", json_boolean(report->descending));
    json_object_set_new(header, "top", report->limit ? json_integer(report->limit) : json_null());
    json_object_set_new(header, "display", plan_display_json(report->display));
    json_t *common = plan_tool_header(plan, report->tool);
    json_object_update(header, common);
    json_decref(common);
    return header;
}

static void add_one(json_t *numbers) {
    for (size_t i = 0; i < json_array_size(numbers); i++)
        json_array_set_new(numbers, i, json_integer(json_integer_value(json_array_get(numbers, i)) + 1));
}

/* Rows of different times are of different kinds, so that no total includes several times. A tree would:
   call stacks are texts here. */
void plan_series_header(json_t *header, const char *counter) {
    json_t *columns = json_object_get(header, "columns"), *column,
           *display = json_object_get(header, "display");
    size_t i;
    json_array_foreach(columns, i, column) {
        const char *attribute = json_string_value(json_object_get(column, "attribute"));
        add_one(json_object_get(column, "of"));
        if (attribute && strcmp(attribute, "$stack") == 0)
            json_object_del(column, "attribute");
    }
    json_array_insert_new(columns, 0,
                          json_pack("{s: s, s: s, s: s, s: s, s: s, s: s}", "title", counter, "type",
                                    "integer", "role", "key", "merge", "same", "unit", "kind", "attribute",
                                    "$every"));
    const char *kind = json_string_value(json_object_get(display, "kind"));
    if (kind && strcmp(kind, "flame") == 0)
        json_object_set_new(header, "display", json_null());
    else
        add_one(json_object_get(display, "columns"));
}
