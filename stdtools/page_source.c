/* page_source.c: the source files that can be read and have counts or procedures, with the counts beside the
 * lines. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "page.h"
#include "texts.h"

#define TAB  8
#define PART 400 /* lines that are laid out together */

static struct source {
    const char *file;
    const struct page_line *lines; /* ascending */
    int count;
} * sources; /* by name */
static int source_count;

static int by_place(const void *left, const void *right) {
    const struct page_line *a = left, *b = right;
    int files = compare_texts(a->file, b->file);
    return files ? files : a->line - b->line;
}

static int is_readable(const char *file) {
    struct stat status;
    FILE *stream = *file && stat(file, &status) == 0 && S_ISREG(status.st_mode) ? fopen(file, "r") : NULL;
    if (stream)
        fclose(stream);
    return stream != NULL;
}

void page_prepare_source(void) {
    int count = page_now.line_count;
    struct page_line *lines = page_now.lines;
    qsort(lines, count, sizeof *lines, by_place);
    sources = page_memory(count, sizeof *sources);
    source_count = 0;
    for (int i = 0, end; i < count; i = end) {
        for (end = i; end < count && compare_texts(lines[end].file, lines[i].file) == 0;)
            end++;
        if (is_readable(lines[i].file))
            sources[source_count++] = (struct source){lines[i].file, &lines[i], end - i};
    }
}

int page_source_number(const char *file) {
    int low = 0, high = source_count;
    while (low < high) {
        int middle = (low + high) / 2, order = compare_texts(file, sources[middle].file);
        if (order == 0)
            return middle + 1;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

int page_source_line(int source, int line) {
    const struct source *at = &sources[source - 1];
    int low = 0, high = at->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (at->lines[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low < at->count && at->lines[low].line == line ? line : 0;
}

/* Tabs become blanks, because counts precede the line. */
static void write_code(char *text) {
    text[strcspn(text, "\r\n")] = '\0';
    for (int column = 0; *text;) {
        size_t count = strcspn(text, "\t");
        page_escaped_bytes(text, count);
        for (; count > 0; count--, text++)
            column += (*text & 0xc0) != 0x80; /* a character of UTF-8 is one */
        for (; *text == '\t'; text++) {
            int blanks = TAB - column % TAB;
            page_text(&"        "[TAB - blanks]);
            column += blanks;
        }
    }
}

static void write_lines(int number, const struct source *source, FILE *stream) {
    const struct page_line *next = source->lines, *end = next + source->count;
    int line = 0, shown = 0, width = source->count ? (int)strlen(next->counts) : 0,
        last = -page_now.around - 1;
    size_t room = 0;
    char *text = NULL;
    page_text("<pre>");
    while (getline(&text, &room, stream) >= 0) {
        line++;
        int is_given = next < end && next->line == line;
        if (!is_given && line - last > page_now.around &&
            (next == end || next->line - line > page_now.around)) {
            shown = -1;
            continue;
        }
        if (shown > 0 && shown % PART == 0)
            page_text("</pre><pre>");
        if (shown < 0) {
            page_text("<i>       ...</i>\n");
            shown = 0;
        }
        shown++;
        if (is_given && next->shade)
            page_format("<span id=f%d-%d class=%c>%6d %s  ", number, line, next->shade, line, next->counts);
        else if (is_given)
            page_format("<span id=f%d-%d>%6d %s  ", number, line, line, next->counts);
        else
            page_format("%6d %*s  ", line, width, "");
        write_code(text);
        page_text(is_given ? "</span>\n" : "\n");
        for (; next < end && next->line <= line; next++)
            last = line;
    }
    /* If a file is shorter than the program's debug information requires, it is not the file that was
       compiled. */
    for (; next < end; next++)
        page_format("<span id=f%d-%d>%6d %s  <i>the file has no such line</i></span>\n", number, next->line,
                    next->line, next->counts);
    page_text("</pre>\n");
    free(text);
}

void page_write_source(void) {
    if (!source_count)
        page_text("<h2 id=\"source-\">Source</h2>\n<p>No source file could be read.</p>\n");
    else
        page_format("<h2 id=\"source-\">Source</h2>\n<p>Beside each line: %s.</p>\n", page_now.line_titles);
    for (int i = 0; i < source_count; i++) {
        FILE *stream = fopen(sources[i].file, "r");
        page_format("<section id=\"f%d\" class=\"source\"><h3>", i + 1);
        page_escaped(sources[i].file);
        page_text("</h3>\n");
        if (stream) {
            write_lines(i + 1, &sources[i], stream);
            fclose(stream);
        }
        page_text("</section>\n");
    }
    free(sources);
    sources = NULL;
}
