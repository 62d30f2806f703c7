/* diagnostics.c: collects messages with their source positions and prints them with line and caret.
   Requires memory.c; the texts of sources must live until diagnostics_print(). */
#include "support/controls.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    TAB_COLUMNS = 8,    /* a tab advances to the next multiple of this */
    QUOTE_COLUMNS = 96, /* a longer source line is clipped around the span */
    QUOTE_INDENT = 2,   /* columns before the quoted line */
};

struct diagnostic {
    enum message id;
    struct source_span where; /* .source NULL: none */
    char *text;
    char *hint; /* NULL: none */
};

struct diagnostics {
    struct diagnostic *list;
    size_t count, capacity;
    unsigned errors, internal; /* since creation; printing does not reset them */
};

static const struct {
    enum severity severity;
    const char *id, *text;
} messages[] = {
#define MESSAGE(id, severity, text) {severity, #id, text},
#include "support/messages.def"
#undef MESSAGE
};

static const struct {
    const char *word;
    const char *color;
} severities[] = {
    [SEVERITY_NOTE] = {"note", "\033[1;36m"},
    [SEVERITY_WARNING] = {"warning", "\033[1;35m"},
    [SEVERITY_ERROR] = {"error", "\033[1;31m"},
    [SEVERITY_INTERNAL] = {"internal error", "\033[1;31m"},
};

struct diagnostics *diagnostics_create(void) {
    return allocate_zeroed(1, sizeof(struct diagnostics));
}

static void forget(struct diagnostics *diagnostics) {
    for (size_t i = 0; i < diagnostics->count; i++) {
        free(diagnostics->list[i].text);
        free(diagnostics->list[i].hint);
    }
    diagnostics->count = 0;
}

void diagnostics_destroy(struct diagnostics *diagnostics) {
    if (!diagnostics)
        return;
    forget(diagnostics);
    free(diagnostics->list);
    free(diagnostics);
}

static char *format_arguments(const char *format, va_list arguments) {
    if (!format)
        return duplicate_string("");
    va_list copy;
    va_copy(copy, arguments);
    int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    size_t bytes = length < 0 ? 1 : (size_t)length + 1;
    char *text = allocate(bytes);
    text[0] = '\0';
    vsnprintf(text, bytes, format, arguments);
    return text;
}

void diagnose_list(struct diagnostics *diagnostics, const struct source_span *where, enum message id,
                   va_list arguments) {
    VECTOR_RESERVE(diagnostics->list, diagnostics->count, diagnostics->capacity);
    struct diagnostic *diagnostic = &diagnostics->list[diagnostics->count++];
    *diagnostic = (struct diagnostic){.id = id, .text = format_arguments(messages[id].text, arguments)};
    if (where)
        diagnostic->where = *where;
    diagnostics->errors += messages[id].severity >= SEVERITY_ERROR;
    diagnostics->internal += messages[id].severity == SEVERITY_INTERNAL;
}

void diagnose(struct diagnostics *diagnostics, const struct source_span *where, enum message id, ...) {
    va_list arguments;
    va_start(arguments, id);
    diagnose_list(diagnostics, where, id, arguments);
    va_end(arguments);
}

void diagnose_hint(struct diagnostics *diagnostics, const char *format, ...) {
    if (!diagnostics->count)
        return;
    struct diagnostic *last = &diagnostics->list[diagnostics->count - 1];
    va_list arguments;
    va_start(arguments, format);
    free(last->hint);
    last->hint = format_arguments(format, arguments);
    va_end(arguments);
}

unsigned diagnostics_errors(const struct diagnostics *diagnostics) {
    return diagnostics->errors;
}

unsigned diagnostics_internal(const struct diagnostics *diagnostics) {
    return diagnostics->internal;
}

const char *message_text(enum message id) {
    return messages[id].text;
}

/* ---- quoting the source --------------------------------------------------------------------- */

/* One line of a source, laid out in terminal columns. */
struct quoted_line {
    char *cells;        /* printable text, with tabs expanded, in UTF-8 */
    size_t *cell_begin; /* byte in cells where a column begins; [columns] is the end */
    size_t columns;
    size_t span_begin, span_end; /* columns of the span, end exclusive */
};

static bool continues_character(unsigned char byte) {
    return (byte & 0xc0) == 0x80;
}

/* Bytes of the well-formed UTF-8 character at text, or 0. */
static size_t utf8_bytes(const unsigned char *text, size_t available) {
    size_t bytes = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : text[0] >= 0xc2 ? 2 : 0;
    if (!bytes || bytes > available || text[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if (!continues_character(text[i]))
            return 0;
    return bytes;
}

static void lay_out(struct quoted_line *line, const char *text, size_t length, size_t begin, size_t end) {
    line->cells = allocate(length * TAB_COLUMNS + 1);
    line->cell_begin = allocate((length * TAB_COLUMNS + 1) * sizeof *line->cell_begin);
    size_t bytes = 0;
    line->columns = 0;
    line->span_begin = line->span_end = SIZE_MAX;
    for (size_t i = 0; i < length;) {
        if (line->span_begin == SIZE_MAX && i >= begin)
            line->span_begin = line->columns;
        if (line->span_end == SIZE_MAX && i >= end)
            line->span_end = line->columns;
        size_t step = utf8_bytes((const unsigned char *)text + i, length - i);
        if (text[i] == '\t') {
            do {
                line->cell_begin[line->columns++] = bytes;
                line->cells[bytes++] = ' ';
            } while (line->columns % TAB_COLUMNS);
        } else {
            line->cell_begin[line->columns++] = bytes;
            if (step == 0 || is_control((const unsigned char *)text + i, step)) {
                line->cells[bytes++] = '?';
                step = step ? step : 1;
            } else {
                memcpy(line->cells + bytes, text + i, step);
                bytes += step;
            }
        }
        i += step ? step : 1;
    }
    line->cell_begin[line->columns] = bytes;
    line->cells[bytes] = '\0';
    if (line->span_begin == SIZE_MAX)
        line->span_begin = line->columns;
    if (line->span_end == SIZE_MAX)
        line->span_end = line->columns;
}

/* Prints the columns [first, last) of the line that hold the span, then its carets. */
static void print_quote(const struct quoted_line *line, FILE *stream, bool color, const char *color_code) {
    size_t first = 0, last = line->columns;
    if (line->columns > QUOTE_COLUMNS) {
        size_t context = QUOTE_COLUMNS / 3;
        first = line->span_begin > context ? line->span_begin - context : 0;
        if (line->columns - first < QUOTE_COLUMNS)
            first = line->columns - QUOTE_COLUMNS;
        last = first + QUOTE_COLUMNS;
    }
    const char *front = first > 0 ? "..." : "", *back = last < line->columns ? "..." : "";
    size_t visible_end = line->cell_begin[last];
    if (last == line->columns)
        while (visible_end > line->cell_begin[first] && line->cells[visible_end - 1] == ' ')
            visible_end--;
    fprintf(stream, "%*s%s%.*s%s\n", QUOTE_INDENT, "", front, (int)(visible_end - line->cell_begin[first]),
            line->cells + line->cell_begin[first], back);
    size_t end = line->span_end < last ? line->span_end : last;
    fprintf(stream, "%*s", (int)(QUOTE_INDENT + strlen(front) + line->span_begin - first), "");
    fputs(color ? color_code : "", stream);
    fputc('^', stream);
    for (size_t column = line->span_begin + 1; column < end; column++)
        fputc('~', stream);
    fputs(color ? "\033[0m\n" : "\n", stream);
}

/* A position in a source, so that many messages do not rescan it from the start. */
struct line_cursor {
    const struct source *source;
    size_t offset; /* begin of line `line` */
    size_t line;   /* from 1 */
};

size_t source_begin(const struct source *source) {
    static const char mark[] = "\xef\xbb\xbf";
    return source->length >= sizeof mark - 1 && memcmp(source->text, mark, sizeof mark - 1) == 0
               ? sizeof mark - 1
               : 0;
}

static void move_cursor(struct line_cursor *cursor, const struct source *source, size_t offset) {
    size_t begin = source_begin(source);
    if (cursor->source != source || cursor->offset > offset)
        *cursor = (struct line_cursor){source, offset < begin ? 0 : begin, 1};
    const char *newline;
    while ((newline = memchr(source->text + cursor->offset, '\n', offset - cursor->offset))) {
        cursor->offset = (size_t)(newline - source->text) + 1;
        cursor->line++;
    }
}

/* Counted in characters, from the beginning of the cursor's line. */
static size_t column_at(const struct line_cursor *cursor, size_t offset) {
    size_t column = 1;
    for (size_t i = cursor->offset; i < offset; i++)
        column += !continues_character((unsigned char)cursor->source->text[i]);
    return column;
}

/* Limits an offset to the source. */
static size_t offset_in(const struct source *source, size_t offset) {
    return offset < source->length ? offset : source->length;
}

static void print_diagnostic(const struct diagnostic *diagnostic, struct line_cursor *cursor, FILE *stream,
                             bool color) {
    enum severity severity = messages[diagnostic->id].severity;
    const char *bold = color ? "\033[1m" : "", *plain = color ? "\033[0m" : "";
    const char *color_code = color ? severities[severity].color : "";
    const struct source *source = diagnostic->where.source;
    if (!source) {
        fprintf(stream, "%satomc:%s %s%s:%s ", bold, plain, color_code, severities[severity].word, plain);
        put_shown(diagnostic->text, "\t\n", stream);
        fputc('\n', stream);
    } else {
        size_t begin = offset_in(source, diagnostic->where.begin),
               end = offset_in(source, diagnostic->where.end);
        move_cursor(cursor, source, begin);
        const char *line_text = source->text + cursor->offset;
        const char *line_end = memchr(line_text, '\n', source->length - cursor->offset);
        size_t length = line_end ? (size_t)(line_end - line_text) : source->length - cursor->offset;
        if (length && line_text[length - 1] == '\r')
            length--;
        size_t column = column_at(cursor, begin);
        struct quoted_line line;
        lay_out(&line, line_text, length, begin - cursor->offset, end - cursor->offset);
        fputs(bold, stream);
        put_shown(source->path, "", stream);
        fprintf(stream, ":%zu:%zu:%s %s%s:%s %s", cursor->line, column, plain, color_code,
                severities[severity].word, plain, bold);
        put_shown(diagnostic->text, "\t\n", stream);
        fprintf(stream, "%s\n", plain);
        if (line.columns) /* an empty line has no text to mark */
            print_quote(&line, stream, color, color_code);
        free(line.cells);
        free(line.cell_begin);
    }
    if (diagnostic->hint) {
        fputs("hint: ", stream);
        put_shown(diagnostic->hint, "\t\n", stream);
        fputc('\n', stream);
    }
}

void diagnostics_print(struct diagnostics *diagnostics, FILE *stream) {
    bool color = isatty(fileno(stream));
    struct line_cursor cursor = {NULL, 0, 1};
    for (size_t i = 0; i < diagnostics->count; i++)
        print_diagnostic(&diagnostics->list[i], &cursor, stream, color);
    forget(diagnostics);
}

static void set_span(const struct source_span *where, struct line_cursor *cursor,
                     struct diagnostic_parts *parts) {
    size_t begin = offset_in(where->source, where->begin), end = offset_in(where->source, where->end);
    parts->path = where->source->path;
    parts->begin = (uint32_t)begin;
    parts->end = (uint32_t)end;
    move_cursor(cursor, where->source, begin);
    parts->line = cursor->line;
    parts->column = column_at(cursor, begin);
    move_cursor(cursor, where->source, end);
    parts->end_line = cursor->line;
    parts->end_column = column_at(cursor, end);
}

void span_parts(const struct source_span *where, struct diagnostic_parts *parts) {
    set_span(where, &(struct line_cursor){NULL, 0, 1}, parts);
}

void diagnostics_visit(const struct diagnostics *diagnostics,
                       void (*visit)(const struct diagnostic_parts *parts, void *context), void *context) {
    struct line_cursor cursor = {NULL, 0, 1};
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *diagnostic = &diagnostics->list[i];
        struct diagnostic_parts parts = {.severity = severities[messages[diagnostic->id].severity].word,
                                         .id = messages[diagnostic->id].id,
                                         .message = diagnostic->text,
                                         .hint = diagnostic->hint};
        if (diagnostic->where.source)
            set_span(&diagnostic->where, &cursor, &parts);
        visit(&parts, context);
    }
}

/* ---- the nearest name ----------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Edit distance with insertion, deletion, replacement and swap of neighbours (optimal string alignment);
   `rows` has room for 3 * (strlen(b) + 1). Letters that differ in case only count as equal. */
static size_t edit_distance(const char *a, const char *b, size_t *rows) {
    size_t width = strlen(b) + 1;
    size_t *before = rows, *previous = rows + width, *current = rows + 2 * width;
    for (size_t j = 0; j < width; j++)
        previous[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        current[0] = i;
        for (size_t j = 1; j < width; j++) {
            bool same = strncasecmp(&a[i - 1], &b[j - 1], 1) == 0;
            size_t best = smaller(previous[j - 1] + !same, smaller(previous[j], current[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smaller(best, before[j - 2] + 1);
            current[j] = best;
        }
        size_t *oldest = before;
        before = previous, previous = current, current = oldest;
    }
    return previous[width - 1];
}

static size_t common_prefix(const char *a, const char *b) {
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

const char *nearest_name(const char *name, const char *const *candidates, size_t count) {
    size_t length = strlen(name);
    size_t best = (length + 2) / 3 + 1; /* one edit in three letters is still near */
    size_t best_prefix = 0;             /* if several are equally near, the one with the longest common
                                           beginning */
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(candidates[i]);
        size_t difference = other > length ? other - length : length - other;
        if (difference >= best + (nearest != NULL))
            continue;
        size_t *rows = allocate(3 * (other + 1) * sizeof *rows);
        size_t distance = edit_distance(name, candidates[i], rows);
        free(rows);
        size_t prefix = common_prefix(name, candidates[i]);
        bool nearer = distance < best || (nearest && distance == best && prefix > best_prefix);
        if (nearer && distance < length && distance < other + (distance == 0)) {
            best = distance;
            best_prefix = prefix;
            nearest = candidates[i];
        }
    }
    return nearest;
}
