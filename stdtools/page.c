/* page.c: HTML pages: head, tables, cells. Names are escaped. Invalid UTF-8 is left to the browser.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "table.h"

FILE *page_file;
struct page page_now;

void *page_memory(long count, long size) {
    void *memory = calloc(count + 1, size);
    if (!memory)
        abort();
    return memory;
}

/* ---- text ---- */

void page_escaped(const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", page_file);
            break;
        case '>':
            fputs("&gt;", page_file);
            break;
        case '&':
            fputs("&amp;", page_file);
            break;
        case '"':
            fputs("&quot;", page_file);
            break;
        default:
            if ((unsigned char)*text < ' ' && *text != '\t')
                fputs("&#xfffd;", page_file);
            else
                putc(*text, page_file);
        }
}

const char *page_digits(long number, char buffer[PAGE_DIGITS]) {
    char *to = buffer + PAGE_DIGITS - 1;
    unsigned long rest = number < 0 ? -(unsigned long)number : (unsigned long)number;
    int count = 0;
    *to = '\0';
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

static const char *without_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void page_procedure_link(int number) {
    const struct page_procedure *procedure = &page_now.procedures[number];
    if (procedure->shown)
        fprintf(page_file, "<a href=#p%d>", number);
    page_escaped(procedure->name);
    if (procedure->shown)
        fputs("</a>", page_file);
}

/* If the source is not in the page, the place is written with its full name. */
void page_place_link(const char *file, int line) {
    if (!*file)
        return;
    int source = page_source_number(file), at = source ? page_source_line(source, line) : 0;
    if (at)
        fprintf(page_file, "<a href=#f%d-%d title=\"", source, at);
    else if (source)
        fprintf(page_file, "<a href=#f%d title=\"", source);
    page_escaped(file);
    if (source) {
        fputs("\">", page_file);
        page_escaped(without_folder(file));
    }
    if (line)
        fprintf(page_file, ":%d", line);
    if (source)
        fputs("</a>", page_file);
}

/* ---- tables ---- */

void page_table(const char *id, const char *heading, const char *columns) {
    fprintf(page_file, "<h2 id=\"%s-\">", id);
    page_escaped(heading);
    fprintf(page_file, "</h2>\n<table id=\"%s\" class=\"sortable\">\n<thead><tr>", id);
    while (*columns) {
        int length = strcspn(columns, "|");
        fprintf(page_file, "<th scope=\"col\"%s>", *columns == '#' ? " class=\"n\"" : "");
        fprintf(page_file, "%.*s</th>", length - 1, columns + 1);
        columns += length + (columns[length] == '|');
    }
    fputs("</tr></thead>\n<tbody>", page_file);
}

void page_row(void) {
    fputs("\n<tr>", page_file);
}

void page_table_end(void) {
    fputs("\n</tbody></table>\n", page_file);
}

void page_number(long number) {
    char digits[PAGE_DIGITS];
    fputs("<td class=n>", page_file);
    fputs(page_digits(number, digits), page_file);
}

/* Rounded as the reports do, which print integers. */
void page_ratio(long part, long whole) {
    long share = whole ? (20000 * part + whole) / (2 * whole) : 0;
    fprintf(page_file, "<td class=\"n b\" style=\"--w:%ld.%ld%%\">%ld.%02ld", share / 100, share / 10 % 10,
            share / 100, share % 100);
}

void page_procedure(int number) {
    fputs("<td>", page_file);
    page_procedure_link(number);
}

void page_place(const char *file, int line) {
    fputs("<td>", page_file);
    page_place_link(file, line);
}

void page_cell_text(const char *text) {
    fputs("<td>", page_file);
    page_escaped(text);
}

/* ---- the page ---- */

/* The policy keeps the page from loading anything. */
int page_begin(const struct page *page) {
    if (!(page_file = atomc_begin_file(page->out)))
        return 0;
    page_now = *page;
    page_prepare_calls();
    page_prepare_source();
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; "
          "script-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          page_file);
    fprintf(page_file, "%s: ", page->tool);
    page_escaped(without_folder(page->program));
    fprintf(page_file, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s: ", page_style, page->tool);
    page_escaped(without_folder(page->program));
    fputs("</h1>\n<p class=\"about\">", page_file);
    page_escaped(page->about);
    fputs("</p>\n<nav></nav>\n<main>\n", page_file);
    return 1;
}

void page_end(void) {
    page_write_calls();
    page_write_source();
    fprintf(page_file, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", page_script);
    atomc_end_file();
}
