/* displays.c: `display KIND TITLE WORD TITLE ...`: the chart of a report's table. Requires that the report's
   loops and columns have been checked. */
#include "compiler/internal.h"

#include <string.h>

static enum plan_display_kind find_kind(const char *word) {
    int kind = 0;
    while (kind < PLAN_DISPLAY_COUNT && strcmp(plan_displays[kind].word, word) != 0)
        kind++;
    return (enum plan_display_kind)kind;
}

static void complain_kind(struct compilation *compilation, const struct name *kind) {
    const char *words[PLAN_DISPLAY_COUNT];
    for (int i = 0; i < PLAN_DISPLAY_COUNT; i++)
        words[i] = plan_displays[i].word;
    const char *nearest = nearest_name(kind->text, words, PLAN_DISPLAY_COUNT);
    diagnose(compilation->diagnostics, &kind->where, MESSAGE_DISPLAY_KIND, kind->text);
    if (nearest)
        diagnose_hint(compilation->diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(compilation->diagnostics, "`atomc info displays` lists them");
}

static bool has_form(const struct display_form *form, const struct plan_display_info *kind) {
    uint32_t needed = 0;
    while (needed < PLAN_DISPLAY_COLUMNS && kind->columns[needed].need != PLAN_NEED_NONE)
        needed++;
    if (form->count != needed)
        return false;
    for (uint32_t i = 1; i < needed; i++)
        if (strcmp(form->words[i].text, kind->columns[i].word) != 0)
            return false;
    return true;
}

/* report->column_count if there is no such column. */
static uint32_t find_display_column(struct compilation *compilation, const struct plan_report *report,
                                    const struct name *title) {
    uint32_t number = 0;
    while (number < report->column_count && strcmp(report->columns[number].title, title->text) != 0)
        number++;
    if (number < report->column_count)
        return number;
    const char **titles = arena_allocate(compilation->arena, report->column_count * sizeof *titles);
    for (uint32_t i = 0; i < report->column_count; i++)
        titles[i] = report->columns[i].title;
    const char *nearest = nearest_name(title->text, titles, report->column_count);
    diagnose(compilation->diagnostics, &title->where, MESSAGE_DISPLAY_COLUMN, title->text);
    if (nearest)
        diagnose_hint(compilation->diagnostics, "did you mean \"%s\"?", nearest);
    return number;
}

static bool fits_display(const struct plan_column *column, enum plan_display_need need) {
    const struct plan_expression *value = column->value;
    if (value->type == PLAN_TYPE_ERROR || need == PLAN_NEED_KEY)
        return true;
    if (need == PLAN_NEED_STACK)
        return value->op == PLAN_OP_ROW_KEY && value->type == PLAN_TYPE_STRING;
    return column->format != PLAN_COLUMN_TEXT;
}

/* True if each row identifies a place in the code, so that the place can be coloured. */
static bool is_about_places(const struct plan_report *report) {
    for (uint32_t i = 0; i < report->column_count; i++) {
        const struct plan_expression *value = report->columns[i].value;
        if (value->op == PLAN_OP_ATTRIBUTE && (plan_attribute_is_address(value->attribute) ||
                                               strcmp(plan_attributes[value->attribute].word, "line") == 0))
            return true;
    }
    if (report->loop_count == 0 || report->group_count > 0)
        return false;
    enum plan_place kind = report->loops[report->loop_count - 1].kind;
    return kind == PLAN_PROCEDURE || kind == PLAN_ENTRY || kind == PLAN_LOOP || kind == PLAN_BLOCK ||
           kind == PLAN_EDGE || kind == PLAN_CALLSITE || kind == PLAN_SYSTEM_CALL || kind == PLAN_INSTRUCTION;
}

void check_display(struct compilation *compilation, const struct display_form *form,
                   struct plan_report *report) {
    static const char *const needs[] = {
        [PLAN_NEED_NUMBER] = "a number", [PLAN_NEED_STACK] = "a key of `$stack`"};
    if (report->is_text) {
        diagnose(compilation->diagnostics, &form->where, MESSAGE_DISPLAY_TEXT);
        return;
    }
    enum plan_display_kind kind = find_kind(form->kind.text);
    if (kind == PLAN_DISPLAY_COUNT) {
        complain_kind(compilation, &form->kind);
        return;
    }
    const struct plan_display_info *info = &plan_displays[kind];
    if (!has_form(form, info)) {
        char text[100];
        plan_display_form(kind, text, sizeof text);
        diagnose(compilation->diagnostics, &form->kind.where, MESSAGE_DISPLAY_FORM, info->word);
        diagnose_hint(compilation->diagnostics, "display %s", text);
        return;
    }
    struct plan_display *display = arena_allocate(compilation->arena, sizeof *display);
    *display = (struct plan_display){.kind = kind};
    for (uint32_t i = 0; i < form->count; i++) {
        uint32_t number = find_display_column(compilation, report, &form->titles[i]);
        if (number == report->column_count)
            continue;
        display->columns[i] = number;
        const struct plan_column *column = &report->columns[number];
        if (!fits_display(column, info->columns[i].need))
            diagnose(compilation->diagnostics, &form->titles[i].where, MESSAGE_DISPLAY_NEED, info->word,
                     needs[info->columns[i].need], column->title, type_phrase(column->value->type));
    }
    if (kind == PLAN_DISPLAY_HEAT && !is_about_places(report))
        diagnose(compilation->diagnostics, &form->kind.where, MESSAGE_DISPLAY_PLACES);
    report->display = display;
}
