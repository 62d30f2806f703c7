/* page.c: HTML pages: head, tables, cells. Names are escaped. Invalid UTF-8 is passed to the browser
   unchanged.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "table.h"

struct page page_now;
static FILE *file;

void *page_memory(long count, long size) {
    void *memory = calloc(count + 1, size);
    if (!memory)
        abort();
    return memory;
}

/* ---- text ---- */

/* Output is collected here, because the library's functions would take half of the time. */
static char pending[1 << 16];
static size_t pending_count;

static void flush(void) {
    fwrite(pending, 1, pending_count, file);
    pending_count = 0;
}

static void write_bytes(const char *bytes, size_t count) {
    if (count > sizeof pending - pending_count)
        flush();
    if (count > sizeof pending) {
        fwrite(bytes, 1, count, file);
        return;
    }
    memcpy(pending + pending_count, bytes, count);
    pending_count += count;
}

void page_text(const char *text) {
    write_bytes(text, strlen(text));
}

void page_format(const char *format, ...) {
    char text[512];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (length < (int)sizeof text) {
        write_bytes(text, length);
        return;
    }
    flush();
    va_start(values, format);
    vfprintf(file, format, values);
    va_end(values);
}

/* These two functions write before `at`, and return the new beginning. */
static char *put_decimal(char *at, long number) {
    unsigned long rest = number < 0 ? -(unsigned long)number : (unsigned long)number;
    do
        *--at = '0' + rest % 10;
    while (rest /= 10);
    if (number < 0)
        *--at = '-';
    return at;
}
static inline char *put(char *at, const char *text) {
    size_t length = strlen(text);
    return memcpy(at - length, text, length);
}

void page_decimal(long number) {
    char digits[PAGE_DIGITS], *end = digits + sizeof digits, *at = put_decimal(end, number);
    write_bytes(at, end - at);
}

static const char *escape_of(unsigned char byte) {
    return byte == '<'                  ? "&lt;"
           : byte == '>'                ? "&gt;"
           : byte == '&'                ? "&amp;"
           : byte == '"'                ? "&quot;"
           : byte < ' ' && byte != '\t' ? "&#xfffd;"
                                        : NULL;
}

void page_escaped_bytes(const char *text, size_t count) {
    const char *end = text + count, *begin = text;
    for (; text < end; text++) {
        /* Most bytes are letters. */
        const char *escape = (unsigned char)*text > '>' ? NULL : escape_of(*text);
        if (!escape)
            continue;
        write_bytes(begin, text - begin);
        page_text(escape);
        begin = text + 1;
    }
    write_bytes(begin, text - begin);
}

void page_escaped(const char *text) {
    page_escaped_bytes(text, strlen(text));
}

static char *put_digits(char *to, long number) {
    unsigned long rest = number < 0 ? -(unsigned long)number : (unsigned long)number;
    int count = 0;
    do {
        if (count > 0 && count % 3 == 0)
            *--to = ',';
        *--to = '0' + rest % 10;
        count++;
    } while (rest /= 10);
    if (number < 0)
        *--to = '-';
    return to;
}

const char *page_digits(long number, char buffer[PAGE_DIGITS]) {
    char *end = buffer + PAGE_DIGITS - 1;
    *end = '\0';
    return put_digits(end, number);
}

static const char *without_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void page_procedure_link(int number) {
    const struct page_procedure *procedure = &page_now.procedures[number];
    if (procedure->shown) {
        page_text("<a href=#p");
        page_decimal(number);
        page_text(">");
    }
    page_escaped(procedure->name);
    if (procedure->shown)
        page_text("</a>");
}

/* If the source is not in the page, the place is written with its full name. */
void page_place_link(const char *file, int line) {
    if (!*file)
        return;
    int source = page_source_number(file), at = source ? page_source_line(source, line) : 0;
    if (source) {
        page_text("<a href=#f");
        page_decimal(source);
        if (at) {
            page_text("-");
            page_decimal(at);
        }
        page_text(" title=\"");
    }
    page_escaped(file);
    if (source) {
        page_text("\">");
        page_escaped(without_folder(file));
    }
    if (line) {
        page_text(":");
        page_decimal(line);
    }
    if (source)
        page_text("</a>");
}

/* ---- tables ---- */

void page_table(const char *id, const char *heading, const char *columns) {
    page_format("<h2 id=\"%s-\">", id);
    page_escaped(heading);
    page_format("</h2>\n<table id=\"%s\" class=\"sortable\">\n<thead><tr>", id);
    while (*columns) {
        int length = strcspn(columns, "|");
        page_format("<th scope=\"col\"%s>", *columns == '#' ? " class=\"n\"" : "");
        page_format("%.*s</th>", length - 1, columns + 1);
        columns += length + (columns[length] == '|');
    }
    page_text("</tr></thead>\n<tbody>");
}

void page_row(void) {
    page_text("\n<tr>");
}

void page_table_end(void) {
    page_text("\n</tbody></table>\n");
}

void page_number(long number) {
    char cell[2 * PAGE_DIGITS], *end = cell + sizeof cell;
    const char *at = put(put_digits(end, number), "<td class=n>");
    write_bytes(at, end - at);
}

/* Rounded as the reports do, which print integers. */
void page_ratio(long part, long whole) {
    char cell[4 * PAGE_DIGITS], *end = cell + sizeof cell, *at = end;
    long share = whole ? (20000 * part + whole) / (2 * whole) : 0;
    *--at = '0' + share % 10;
    *--at = '0' + share / 10 % 10;
    at = put(put_decimal(put(at, "."), share / 100), "%\">");
    *--at = '0' + share / 10 % 10;
    at = put(put_decimal(put(at, "."), share / 100), "<td class=\"n b\" style=\"--w:");
    write_bytes(at, end - at);
}

void page_procedure(int number) {
    page_text("<td>");
    page_procedure_link(number);
}

void page_place(const char *file, int line) {
    page_text("<td>");
    page_place_link(file, line);
}

void page_cell_text(const char *text) {
    page_text("<td>");
    page_escaped(text);
}

/* ---- the page ---- */

/* The policy keeps the page from loading anything. */
int page_begin(const struct page *page) {
    if (!(file = atomc_begin_file(page->out)))
        return 0;
    page_now = *page;
    page_prepare_calls();
    page_prepare_source();
    page_text("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
              "'unsafe-inline'; "
              "script-src 'unsafe-inline'\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    page_format("%s: ", page->tool);
    page_escaped(without_folder(page->program));
    page_format("</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s: ", page_style, page->tool);
    page_escaped(without_folder(page->program));
    page_text("</h1>\n<p class=\"about\">");
    page_escaped(page->about);
    page_text("</p>\n<nav></nav>\n<main>\n");
    return 1;
}

void page_end(void) {
    page_write_calls();
    page_write_source();
    page_format("</main>\n<script>\n%s</script>\n</body>\n</html>\n", page_script);
    flush();
    atomc_end_file();
}
