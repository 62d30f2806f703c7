/* report_json.c: a report's table as JSON, for programs; or as rows: lines of JSON that can be added up.
   Requires an open stream. Write errors show when it is closed. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "runtime/report/internal.h"

/* ---- JSON ---------------------------------------------------------------------------------------------- */

/* The length of the UTF-8 character at the start of the text; 0 if it is invalid (RFC 3629: overlong,
   surrogate).
 */
static unsigned character_length(const unsigned char *text) {
    static const unsigned char lead[3][2] = {{0xc2, 0xdf}, {0xe0, 0xef}, {0xf0, 0xf4}};
    if (text[0] < 0x80)
        return 1;
    for (unsigned length = 2; length <= 4; length++) {
        if (text[0] < lead[length - 2][0] || text[0] > lead[length - 2][1])
            continue;
        for (unsigned i = 1; i < length; i++)
            if ((text[i] & 0xc0) != 0x80)
                return 0;
        int wrong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
                    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f);
        return wrong ? 0 : length;
    }
    return 0;
}

static void write_json_character(FILE *stream, const unsigned char *character, unsigned length) {
    char escaped[16];
    if (length == 0)
        atomc_put_text(stream, "\\ufffd");
    else if (*character == '"' || *character == '\\')
        atomc_put_bytes(stream, (const char[]){'\\', (char)*character}, 2);
    else if (*character < 0x20)
        atomc_put_bytes(stream, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", *character));
    else
        atomc_put_bytes(stream, (const char *)character, length);
}

static void write_json_string(FILE *stream, struct piece piece) {
    const unsigned char *text = (const unsigned char *)piece.text;
    put_byte(stream, '"');
    if (!(piece.breaks & BREAKS_JSON))
        atomc_put_bytes(stream, piece.text, piece.length);
    else
        for (size_t at = 0, length; at<piece.length; at += length> 0 ? length : 1) {
            length = character_length(text + at);
            write_json_character(stream, text + at, (unsigned)length);
        }
    put_byte(stream, '"');
}

void atomc_write_json_text(FILE *stream, const char *text) {
    atomc_write_pending();
    write_json_string(stream, atomc_look_at(text));
    atomc_flush_pending(stream);
}

static int is_number_column(const struct atomc_report_column *column) {
    return column->format != ATOMC_REPORT_TEXT && column->format != ATOMC_REPORT_HEXADECIMAL;
}

/* Names of the columns, because a reader drops one of two members with the same name. */
static struct {
    uint64_t number;    /* the number of the table */
    const char **names; /* followed by the text of names that are not titles */
} named;

static int is_json_name(const char *name, uint64_t count) {
    while (count > 0 && strcmp(named.names[count - 1], name) != 0)
        count--;
    return count > 0;
}

/* From the second one on, equal titles are followed by a number. */
static void find_json_names(const struct atomc_table *table) {
    const uint64_t count = table->report->column_count;
    size_t size = (count + 1) * sizeof *named.names;
    for (uint64_t i = 0; i < count; i++)
        size += strlen(AT(char, report_column(table, i)->title)) + NUMBER;
    const char **names = realloc(named.names, size);
    if (!names)
        abort();
    char *text = (char *)(names + count + 1);
    named.number = table->number;
    named.names = names;
    for (uint64_t i = 0; i < count; i++)
        names[i] = AT(char, report_column(table, i)->title);
    for (uint64_t i = 1; i < count; i++) {
        unsigned number = 2;
        if (!is_json_name(names[i], i))
            continue;
        do
            sprintf(text, "%s %u", names[i], number++);
        while (is_json_name(text, count));
        names[i] = text;
        text += strlen(text) + 1;
    }
}

/* Numbers are numbers. Addresses are strings, which every reader preserves exactly. */
static void write_json_member(struct atomc_table *table, uint64_t column, int64_t value, int first) {
    const struct atomc_report_column *here = report_column(table, column);
    atomc_put_text(table->stream, first ? "" : ", ");
    if (named.number != table->number)
        find_json_names(table);
    write_json_string(table->stream, piece_of(table, named.names[column]));
    atomc_put_text(table->stream, ": ");
    if (is_text(table, column)) {
        write_json_string(table->stream, piece_of_value(table, value));
        return;
    }
    int quoted = !is_number_column(here) || atomc_is_absent(table, here);
    if (quoted)
        put_byte(table->stream, '"');
    atomc_put_number(table, column, value);
    if (quoted)
        put_byte(table->stream, '"');
}

static void write_json_head(struct atomc_table *table) {
    atomc_put_text(table->stream, "{\"tool\": ");
    write_json_string(table->stream, atomc_look_at(AT(char, table->report->tool)));
    atomc_put_text(table->stream, ", \"report\": ");
    write_json_string(table->stream, atomc_look_at(table->name));
    atomc_put_text(table->stream, ", \"rows\": [");
    end_line(table);
}

static void write_json_row(struct atomc_table *table, const int64_t *values) {
    atomc_put_text(table->stream, table->rows > 0 ? ",\n{" : "\n{");
    for (uint64_t i = 0; i < table->report->column_count; i++)
        write_json_member(table, i, values[i], i == 0);
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        const char *name = atomc_has_demangled(table, i) ? atomc_demangled_of(values[i]) : NULL;
        if (!name)
            continue;
        char *key = NULL;
        if (asprintf(&key, "%s%s", named.names[i], DEMANGLED) < 0)
            abort();
        atomc_put_text(table->stream, ", ");
        write_json_string(table->stream, atomc_look_at(key));
        atomc_put_text(table->stream, ": ");
        write_json_string(table->stream, atomc_look_at(name));
        free(key);
    }
    put_byte(table->stream, '}');
    end_line(table);
}

static void write_json_total(struct atomc_table *table, const int64_t *sums) {
    int first = 1;
    atomc_put_text(table->stream, "], \"total\": {");
    for (uint64_t i = 0; i < table->report->column_count; i++)
        if (atomc_is_summed(report_column(table, i))) {
            write_json_member(table, i, sums[i], first);
            first = 0;
        }
    put_byte(table->stream, '}');
    end_line(table);
}

static void write_json_end(struct atomc_table *table) {
    atomc_put_text(table->stream, table->report->flags & ATOMC_REPORT_TOTAL ? "}\n" : "]}\n");
    atomc_flush_pending(table->stream);
}

/* ---- rows: JSON Lines -------------------------------------------------------------------------------------
   A header that says what the columns are, an array for each row, a last line: without it the file is not
   whole (docs/json.md). Values can be added up: the row includes hidden columns, and no row is omitted. */

enum { ROWS_VERSION = 1 };

static uint64_t all_columns(const struct atomc_table *table) {
    return table->report->column_count + table->report->hidden_count;
}

static void put_named_number(FILE *stream, const char *name, uint64_t number) {
    atomc_put_text(stream, name);
    need_stream_room(stream, NUMBER);
    atomc_pending_count =
        (size_t)(store_decimal(atomc_pending + atomc_pending_count, number) - atomc_pending);
}

static void write_rows_head(struct atomc_table *table) {
    FILE *stream = table->stream;
    const char *header = AT(char, table->report->header);
    put_named_number(stream, "{\"rows\":", ROWS_VERSION);
    atomc_put_text(stream, ",\"report\":");
    write_json_string(stream, atomc_look_at(table->name));
    put_named_number(stream, ",\"process\":", (uint64_t)atomc_process());
    put_named_number(stream, ",\"parent\":", (uint64_t)atomc_parent());
    const long *children;
    unsigned long count = atomc_children(&children);
    for (unsigned long i = 0; i < count; i++)
        put_named_number(stream, i > 0 ? "," : ",\"children\":[", (uint64_t)children[i]);
    if (count > 0)
        put_byte(stream, ']');
    put_byte(stream, ',');
    atomc_put_text(stream, header + 1); /* without its opening brace */
    put_byte(stream, '\n');
    end_line(table);
}

static void write_rows_value(struct atomc_table *table, uint64_t column, int64_t value) {
    const struct atomc_report_column *here = report_column(table, column);
    if (is_text(table, column)) {
        write_json_string(table->stream, piece_of_value(table, value));
    } else if (atomc_is_absent(table, here) || (table->has_nothing && table->has_nothing[column])) {
        atomc_put_text(table->stream, "null");
    } else if (here->is_address) {
        atomc_put_bytes(table->stream, "\"0x", 3);
        need_stream_room(table->stream, NUMBER);
        atomc_pending_count =
            (size_t)(store_hexadecimal(atomc_pending + atomc_pending_count, (uint64_t)value) - atomc_pending);
        put_byte(table->stream, '"');
    } else if (here->format == ATOMC_REPORT_HEXADECIMAL) {
        need_stream_room(table->stream, NUMBER);
        if (value < 0)
            atomc_pending[atomc_pending_count++] = '-';
        atomc_pending_count =
            (size_t)(store_decimal(atomc_pending + atomc_pending_count, magnitude_of(value)) - atomc_pending);
    } else {
        atomc_put_number(table, column, value);
    }
}

static void write_rows_row(struct atomc_table *table, const int64_t *values) {
    for (uint64_t i = 0; i < all_columns(table); i++) {
        put_byte(table->stream, i > 0 ? ',' : '[');
        write_rows_value(table, i, values[i]);
    }
    atomc_put_bytes(table->stream, "]\n", 2);
    end_line(table);
}

static void write_rows_end(struct atomc_table *table) {
    put_named_number(table->stream, "{\"end\":true,\"rows\":", table->rows);
    atomc_put_bytes(table->stream, "}\n", 2);
    atomc_flush_pending(table->stream);
}

const struct atomc_format atomc_json_format = {
    "", write_json_head, write_json_row, write_json_total, write_json_end, 0, NULL};
const struct atomc_format atomc_rows_format = {
    "", write_rows_head, write_rows_row, atomc_write_no_row, write_rows_end, 1, NULL};
