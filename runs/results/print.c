/* print.c: see print.h. The formats are the formats of reports (runtime/report/report_format.c). */
#include "runs/results/print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runs/results/parquet.h"
#include "support/json.h"

enum { CELL_BYTES = 512 }; /* a real number has up to 309 digits */

bool print_form_of(const char *word, enum print_form *form) {
    static const char *const words[] = {"text", "csv", "json", "rows", "parquet"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0) {
            *form = (enum print_form)i;
            return true;
        }
    return false;
}

static json_t *json_of(const struct row_column *column, const struct cell *cell) {
    if (cell->missing)
        return json_null();
    switch (column->type) {
    case ROW_TEXT:
        return json_text(cell->value.text);
    case ROW_INTEGER:
        return json_integer(cell->value.integer);
    case ROW_REAL:
        return json_real(cell->value.real);
    default:
        return json_address((uint64_t)cell->value.integer);
    }
}

static json_t *column_json(const struct row_column *column) {
    json_t *object = json_object();
    json_object_set_new(object, "title", json_text(column->title));
    json_object_set_new(object, "type", json_text(row_type_words[column->type]));
    json_object_set_new(object, "role", json_text(row_role_words[column->role]));
    json_object_set_new(object, "merge", json_text(row_merge_words[column->merge]));
    if (*column->unit)
        json_object_set_new(object, "unit", json_text(column->unit));
    if (*column->attribute)
        json_object_set_new(object, "attribute", json_text(column->attribute));
    if (column->merge == ROW_SHARE)
        json_object_set_new(object, "of", json_pack("[i]", column->of[0]));
    if (column->merge == ROW_RATIO)
        json_object_set_new(object, "of", json_pack("[i, i]", column->of[0], column->of[1]));
    if (column->hidden)
        json_object_set_new(object, "hidden", json_true());
    return object;
}

/* The first column of a title has the title as name; later columns of the same title have a number after it,
   as the runtime writes them. */
static json_t *column_name(const struct printer *printer, uint32_t column) {
    const struct row_column *columns = printer->columns;
    uint32_t earlier = 0, number = 1, taken;
    for (uint32_t i = 0; i < column; i++)
        earlier += strcmp(columns[i].title, columns[column].title) == 0;
    json_t *name = json_text(columns[column].title);
    for (; earlier > 0; earlier -= taken == printer->column_count) {
        json_decref(name);
        name = json_sprintf("%s %u", columns[column].title, ++number);
        for (taken = 0; taken < printer->column_count; taken++)
            if (strcmp(columns[taken].title, json_string_value(name)) == 0)
                break;
    }
    return name;
}

/* Readers of Parquet find columns by their names. */
static struct parquet *begin_parquet(const struct printer *printer) {
    struct row_column *columns = allocate_zeroed(printer->column_count, sizeof *columns);
    json_t *names = json_array();
    for (uint32_t i = 0; i < printer->column_count; i++) {
        json_array_append_new(names, column_name(printer, i));
        columns[i].title = json_string_value(json_array_get(names, i));
        columns[i].type = printer->columns[i].type;
    }
    struct parquet *parquet = parquet_begin(printer->stream, columns, printer->column_count);
    json_decref(names);
    free(columns);
    return parquet;
}

void print_begin(struct printer *printer, const char *tool, const char *report, json_t *header) {
    FILE *stream = printer->stream;
    printer->rows = 0;
    if (printer->form == PRINT_ROWS) {
        json_t *columns = json_array();
        for (uint32_t i = 0; i < printer->column_count; i++)
            json_array_append_new(columns, column_json(&printer->columns[i]));
        json_object_set_new(header, "columns", columns);
        json_print(json_incref(header), false, stream);
    } else if (printer->form == PRINT_PARQUET) {
        printer->parquet = begin_parquet(printer);
    } else if (printer->form == PRINT_JSON) {
        json_t *words = json_pack("[o, o]", json_text(tool), json_text(report));
        char *tool_text = json_dumps(json_array_get(words, 0), JSON_ENCODE_ANY);
        char *report_text = json_dumps(json_array_get(words, 1), JSON_ENCODE_ANY);
        fprintf(stream, "{\"tool\": %s, \"report\": %s, \"rows\": [", tool_text, report_text);
        free(tool_text);
        free(report_text);
        json_decref(words);
    } else {
        for (uint32_t i = 0; i < printer->column_count; i++)
            put_row_field(i, printer->columns[i].title, printer->form == PRINT_CSV, stream);
        fputc('\n', stream);
    }
    json_decref(header);
}

/* The shortest of the texts from which the same number is read. */
static void exact_real_text(double value, char buffer[CELL_BYTES]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, CELL_BYTES, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
}

/* The text of the cell, or a text in the buffer. */
static const char *printed_cell_text(const struct printer *printer, const struct row_column *column,
                                     const struct cell *cell, char buffer[CELL_BYTES]) {
    if (cell->missing)
        return printer->form == PRINT_TEXT ? "-" : "";
    if (column->type == ROW_TEXT)
        return cell->value.text;
    if (column->type == ROW_REAL && printer->exact)
        exact_real_text(cell->value.real, buffer);
    else if (column->type == ROW_REAL)
        snprintf(buffer, CELL_BYTES, "%.2f", cell->value.real);
    else if (column->type == ROW_ADDRESS)
        snprintf(buffer, CELL_BYTES, "0x%" PRIx64, (uint64_t)cell->value.integer);
    else
        snprintf(buffer, CELL_BYTES, "%" PRId64, cell->value.integer);
    return buffer;
}

/* A least or greatest value that does not exist is printed as the tool prints it. Rows may be merged
   again. */
static const struct cell *printed_cell(const struct printer *printer, const struct row_column *column,
                                       const struct cell *cell) {
    static const struct cell zero;
    bool is_extreme =
        column->role == ROW_MEASURE && (column->merge == ROW_LEAST || column->merge == ROW_GREATEST);
    return cell->missing && is_extreme && printer->form != PRINT_ROWS && printer->form != PRINT_PARQUET
               ? &zero
               : cell;
}

void print_row(struct printer *printer, const struct cell *cells) {
    FILE *stream = printer->stream;
    if (printer->form == PRINT_PARQUET) {
        parquet_row(printer->parquet, cells);
    } else if (printer->form == PRINT_ROWS || printer->form == PRINT_JSON) {
        bool array = printer->form == PRINT_ROWS;
        json_t *row = array ? json_array() : json_object();
        for (uint32_t i = 0; i < printer->column_count; i++) {
            json_t *value =
                json_of(&printer->columns[i], printed_cell(printer, &printer->columns[i], &cells[i]));
            json_t *name = array ? NULL : column_name(printer, i);
            if (array)
                json_array_append_new(row, value);
            else
                json_object_set_new(row, json_string_value(name), value);
            json_decref(name);
        }
        fputs(array ? "" : printer->rows ? ",\n" : "\n", stream);
        json_dumpf(row, stream, JSON_COMPACT | JSON_REAL_PRECISION(15));
        fputs(array ? "\n" : "", stream);
        json_decref(row);
    } else {
        for (uint32_t i = 0; i < printer->column_count; i++) {
            char buffer[CELL_BYTES];
            const struct row_column *column = &printer->columns[i];
            const char *text =
                printed_cell_text(printer, column, printed_cell(printer, column, &cells[i]), buffer);
            put_row_field(i, text, printer->form == PRINT_CSV, stream);
        }
        fputc('\n', stream);
    }
    printer->rows++;
}

void print_end(struct printer *printer) {
    if (printer->form == PRINT_ROWS)
        fprintf(printer->stream, "{\"end\":true,\"rows\":%" PRIu64 "}\n", printer->rows);
    else if (printer->form == PRINT_JSON)
        fputs("]}\n", printer->stream);
    else if (printer->form == PRINT_PARQUET)
        parquet_end(printer->parquet);
}
