/* table.c: atomc campaign table: the cells as text, CSV, LaTeX or JSON. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/campaign/table.h"

enum form { FORM_TEXT, FORM_CSV, FORM_LATEX, FORM_JSON };
static const char *const form_words[] = {"text", "csv", "latex", "json"};

/* ---- words -------------------------------------------------------------------------------------------- */

/* "": no runs belong to the cell; "-": some runs are missing; followed by "*": some runs were stopped. */
static char *pivot_cell_text(const struct pivot_cell *cell, enum form form) {
    bool exact = form == FORM_CSV;
    const char *mark = cell->cut && !exact ? "*" : ""; /* CSV has them in a column of their own */
    if (cell->runs == 0)
        return duplicate_string("");
    if (cell->missing || isnan(cell->value.real))
        return format_string("%s%s", exact ? "" : "-", mark);
    if (cell->value.kind == VALUE_INTEGER)
        return format_string("%" PRId64 "%s", cell->value.integer, mark);
    return format_string(exact ? "%.15g%s" : "%.5g%s", cell->value.real, mark);
}

/* Values of all dimensions of an entry. */
static char *entry_text(const struct side *side, uint32_t entry, const char *separator, bool named) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (uint32_t i = 0; i < side->dimension_count; i++) {
        fprintf(stream, "%s%s%s", i ? separator : "", named ? side->dimensions[i] : "", named ? " = " : "");
        put_shown(*side->texts[entry][i] ? side->texts[entry][i] : "-", "", stream);
    }
    fclose(stream);
    return text;
}

static void put_list(FILE *stream, const char *const *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        fprintf(stream, "%s%s", i ? ", " : "", words[i]);
}

/* The meaning of the numbers. */
static char *table_heading(const struct pivot *pivot, const struct formula *formula) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputs(formula->text, stream);
    if (pivot->columns.dimension_count) {
        fputs(", by ", stream);
        put_list(stream, pivot->columns.dimensions, pivot->columns.dimension_count);
    }
    if (pivot->over_count) {
        fprintf(stream, "; %s over ", way_titles[pivot->way]);
        put_list(stream, pivot->over, pivot->over_count);
    }
    fclose(stream);
    return text;
}

/* ---- a table of texts: rows and columns with their headings --------------------------------------------- */

struct grid {
    char **texts;
    size_t rows, columns, heads; /* columns that are no numbers */
};

static char **grid_cell(const struct grid *grid, size_t row, size_t column) {
    return &grid->texts[row * grid->columns + column];
}

static void make_grid(struct grid *grid, const struct pivot *pivot, uint32_t panel, enum form form) {
    const struct side *rows = &pivot->rows, *columns = &pivot->columns;
    grid->heads = rows->dimension_count ? rows->dimension_count : 1;
    grid->columns = grid->heads + columns->count;
    grid->rows = 1 + rows->count + pivot->has_summary;
    grid->texts = allocate_zeroed(grid->rows * grid->columns, sizeof *grid->texts);
    for (size_t i = 0; i < grid->heads; i++)
        *grid_cell(grid, 0, i) = duplicate_string(rows->dimension_count ? rows->dimensions[i] : "");
    for (uint32_t i = 0; i < columns->count; i++)
        *grid_cell(grid, 0, grid->heads + i) =
            columns->dimension_count ? entry_text(columns, i, "/", false) : duplicate_string("value");
    for (uint32_t row = 0; row < rows->count; row++) {
        for (size_t i = 0; i < grid->heads; i++)
            *grid_cell(grid, row + 1, i) =
                duplicate_string(rows->dimension_count ? rows->texts[row][i] : "all");
        for (uint32_t i = 0; i < columns->count; i++)
            *grid_cell(grid, row + 1, grid->heads + i) = pivot_cell_text(
                &pivot->cells[((size_t)panel * rows->count + row) * columns->count + i], form);
    }
    for (size_t i = 0; i < grid->columns && pivot->has_summary; i++)
        *grid_cell(grid, grid->rows - 1, i) =
            i >= grid->heads
                ? pivot_cell_text(&pivot->summaries[(size_t)panel * columns->count + i - grid->heads], form)
                : duplicate_string(i ? "" : way_titles[pivot->summary]);
}

static void forget_grid(struct grid *grid) {
    for (size_t i = 0; i < grid->rows * grid->columns; i++)
        free(grid->texts[i]);
    free(grid->texts);
}

static void put_text_table(const struct grid *grid, FILE *stream) {
    size_t *widths = allocate_zeroed(grid->columns, sizeof *widths);
    for (size_t row = 0; row < grid->rows; row++)
        for (size_t i = 0; i < grid->columns; i++) {
            size_t width = text_width(*grid_cell(grid, row, i));
            widths[i] = width > widths[i] ? width : widths[i];
        }
    for (size_t row = 0; row < grid->rows; row++) {
        for (size_t i = 0; i < grid->columns; i++) {
            const char *text = *grid_cell(grid, row, i);
            int padding = (int)(widths[i] - text_width(text));
            if (i < grid->heads)
                fprintf(stream, "%s%s%*s", i ? "  " : "", text, i + 1 < grid->columns ? padding : 0, "");
            else
                fprintf(stream, "%s%*s%s", i ? "  " : "", padding, "", text);
        }
        fputc('\n', stream);
    }
    free(widths);
}

/* The titles of the columns whose cells in this row include runs that were stopped. */
static char *cut_cells(const struct grid *grid, const struct pivot *pivot, uint32_t panel, size_t row) {
    uint32_t columns = pivot->columns.count;
    const struct pivot_cell *cells =
        row <= pivot->rows.count ? &pivot->cells[((size_t)panel * pivot->rows.count + row - 1) * columns]
                                 : &pivot->summaries[(size_t)panel * columns];
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const char *separator = "";
    for (uint32_t i = 0; i < columns; i++)
        if (cells[i].cut) {
            fprintf(stream, "%s%s", separator, *grid_cell(grid, 0, grid->heads + i));
            separator = "; ";
        }
    fclose(stream);
    return text;
}

static void put_csv(const struct grid *grid, const struct pivot *pivot, uint32_t panel, FILE *stream) {
    const struct side *panels = &pivot->panels;
    for (size_t row = panel > 0; row < grid->rows; row++) {
        unsigned field = 0;
        for (uint32_t i = 0; i < panels->dimension_count; i++)
            put_row_field(field++, row ? panels->texts[panel][i] : panels->dimensions[i], true, stream);
        for (size_t i = 0; i < grid->columns; i++)
            put_row_field(field++, *grid_cell(grid, row, i), true, stream);
        if (pivot->cut) {
            char *text = row ? cut_cells(grid, pivot, panel, row) : duplicate_string("cut short");
            put_row_field(field++, text, true, stream);
            free(text);
        }
        fputc('\n', stream);
    }
}

static void put_latex_text(const char *text, FILE *stream) {
    for (; *text; text++)
        if (strchr("&%$#_{}", *text))
            fprintf(stream, "\\%c", *text);
        else if (*text == '\\')
            fputs("\\textbackslash{}", stream);
        else if (*text == '~' || *text == '^')
            fprintf(stream, "\\%c{}", *text);
        else
            fputc(*text, stream);
}

static void put_latex(const struct grid *grid, const struct pivot *pivot, FILE *stream) {
    fputs("\\begin{tabular}{", stream);
    for (size_t i = 0; i < grid->columns; i++)
        fputc(i < grid->heads ? 'l' : 'r', stream);
    fputs("}\n\\hline\n", stream);
    for (size_t row = 0; row < grid->rows; row++) {
        if (row == 1 || (row + 1 == grid->rows && pivot->has_summary))
            fputs("\\hline\n", stream);
        for (size_t i = 0; i < grid->columns; i++) {
            const char *text = *grid_cell(grid, row, i);
            fputs(i ? " & " : "", stream);
            put_latex_text(strcmp(text, "-") == 0 ? "--" : text, stream);
        }
        fputs(" \\\\\n", stream);
    }
    fputs("\\hline\n\\end{tabular}\n", stream);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static json_t *text_list(const char *const *texts, uint32_t count) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(texts[i]));
    return list;
}

static json_t *side_json(const struct side *side) {
    json_t *entries = json_array();
    for (uint32_t i = 0; i < side->count; i++)
        json_array_append_new(entries, text_list(side->texts[i], side->dimension_count));
    return json_pack("{soso}", "dimensions", text_list(side->dimensions, side->dimension_count), "entries",
                     entries);
}

static json_t *cell_json(const struct pivot_cell *cell) {
    json_t *value = cell->runs == 0 || cell->missing || isnan(cell->value.real) ? json_null()
                    : cell->value.kind == VALUE_INTEGER ? json_integer(cell->value.integer)
                                                        : json_real(cell->value.real);
    char *text = pivot_cell_text(cell, FORM_TEXT);
    json_t *object = json_pack("{so,ss,si,si,si}", "value", value, "text", text, "runs", (int)cell->runs,
                               "missing", (int)cell->missing, "cut_short", (int)cell->cut);
    free(text);
    if (cell->runs > 1 && !cell->missing && cell->least < cell->greatest)
        json_object_set_new(object, "spread", json_pack("[f, f]", cell->least, cell->greatest));
    return object;
}

static void put_json_table(const struct pivot *pivot, const struct formula *formula, FILE *stream) {
    json_t *cells = json_array(), *summaries = json_array();
    for (uint32_t panel = 0; panel < pivot->panels.count; panel++) {
        json_t *rows = json_array(), *summary = json_array();
        for (uint32_t row = 0; row < pivot->rows.count; row++) {
            json_t *list = json_array();
            for (uint32_t i = 0; i < pivot->columns.count; i++)
                json_array_append_new(
                    list,
                    cell_json(
                        &pivot->cells[((size_t)panel * pivot->rows.count + row) * pivot->columns.count + i]));
            json_array_append_new(rows, list);
        }
        for (uint32_t i = 0; i < pivot->columns.count; i++)
            json_array_append_new(summary,
                                  cell_json(&pivot->summaries[(size_t)panel * pivot->columns.count + i]));
        json_array_append_new(cells, rows);
        json_array_append_new(summaries, summary);
    }
    json_t *answer = json_pack(
        "{ss,ss,so,so,so,so,so,si,si,si,si,si}", "value", formula->text, "way", way_words[pivot->way], "over",
        text_list(pivot->over, pivot->over_count), "panels", side_json(&pivot->panels), "rows",
        side_json(&pivot->rows), "columns", side_json(&pivot->columns), "cells", cells, "incomplete",
        (int)pivot->incomplete, "missing", (int)pivot->missing, "undefined", (int)pivot->undefined, "absent",
        (int)pivot->absent, "cut_short", (int)pivot->cut);
    if (pivot->has_summary) {
        json_object_set_new(answer, "summary", json_string(way_words[pivot->summary]));
        json_object_set(answer, "summaries", summaries);
    }
    json_decref(summaries);
    json_dumpf(answer, stream, JSON_COMPACT | JSON_REAL_PRECISION(15));
    fputc('\n', stream);
    json_decref(answer);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void put_pivot(const struct pivot *pivot, const struct formula *formula, enum form form,
                      FILE *stream) {
    char *title = table_heading(pivot, formula);
    if (form == FORM_JSON)
        put_json_table(pivot, formula, stream);
    else if (form != FORM_CSV)
        fprintf(stream, "%s%s\n", form == FORM_LATEX ? "% " : "", title);
    for (uint32_t panel = 0; panel < pivot->panels.count && form != FORM_JSON; panel++) {
        struct grid grid;
        make_grid(&grid, pivot, panel, form);
        char *name = entry_text(&pivot->panels, panel, ", ", true);
        if (form != FORM_CSV && *name)
            fprintf(stream, "%s%s\n", form == FORM_LATEX ? "% " : panel ? "\n" : "", name);
        if (form == FORM_TEXT)
            put_text_table(&grid, stream);
        else if (form == FORM_CSV)
            put_csv(&grid, pivot, panel, stream);
        else
            put_latex(&grid, pivot, stream);
        free(name);
        forget_grid(&grid);
    }
    if (pivot->cut && (form == FORM_TEXT || form == FORM_LATEX))
        fprintf(stream, "%s* with %u stopped runs\n", form == FORM_LATEX ? "% " : "", pivot->cut);
    free(title);
}

static bool find_table_form(struct session *session, enum form *form) {
    const char *word = session->request->format ? session->request->format : "text";
    for (*form = FORM_TEXT; *form <= FORM_JSON; (*form)++)
        if (strcmp(form_words[*form], word) == 0)
            return true;
    diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_FORM, word);
    diagnose_hint(session->campaign->diagnostics, "text, csv, latex or json");
    return false;
}

bool print_table(struct session *session) {
    struct campaign *campaign = session->campaign;
    struct formula *formula = arena_allocate(campaign->arena, sizeof *formula);
    struct pivot pivot;
    enum form form;
    const struct value *values;
    char *text = NULL;
    size_t size;
    if (!session->request->value) {
        diagnose(campaign->diagnostics, NULL, MESSAGE_USAGE, "table needs a value");
        diagnose_hint(campaign->diagnostics,
                      "such as --value=Instructions or --value='100 * Misses / References'");
        return false;
    }
    if (!find_table_form(session, &form) ||
        !formula_parse(formula, session->request->value, campaign->arena, campaign->diagnostics) ||
        !(values = collected_values(session, formula)) || !pivot_make(&pivot, session, values))
        return false;
    FILE *stream = open_memstream(&text, &size);
    put_pivot(&pivot, formula, form, stream);
    fclose(stream);
    bool good = true;
    if (session->request->output)
        good = write_whole(campaign, session->request->output, text, size);
    else
        fwrite(text, 1, size, stdout);
    free(text);
    if (pivot.missing)
        diagnose(campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_INCOMPLETE, pivot.incomplete, pivot.missing);
    if (pivot.cut)
        diagnose(campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_CUT_CELLS, pivot.marked, pivot.cut);
    if (pivot.absent)
        diagnose(campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_ABSENT, pivot.absent);
    if (pivot.undefined)
        diagnose(campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_UNDEFINED, pivot.undefined);
    return good;
}
