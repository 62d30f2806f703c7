/* annotate.c: atomc annotate: the source, with a tool's counts beside each line. For tables whose rows are
   places in the source, not procedures. Each file is printed one time, the file with the largest sum
   first. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runs/results/export.h"

enum { CONTEXT = 2, MOST_MEASURES = 6, DIGITS = 32 };

struct count {
    const char *file;
    int64_t line;
    int64_t values[MOST_MEASURES];
};
struct counts {
    const struct shape *shape;
    struct source_columns source;
    uint32_t place; /* a column of files followed by a column of lines; column_count: there is none */
    uint32_t measures[MOST_MEASURES], measure_count, chosen; /* .chosen of them has the shares */
    struct count *list;
    uint32_t count, capacity;
    int64_t all, without_line; /* sums of the chosen one */
    int widths[MOST_MEASURES];
};

/* The line of a procedure is the line at which it begins. Tables of C have the kind of place in a column. */
static bool has_lines(const struct shape *shape) {
    json_t *places = json_object_get(shape->header, "places");
    size_t count = json_array_size(places);
    const char *last = count ? json_string_value(json_array_get(places, count - 1)) : NULL;
    struct source_columns source = source_columns(shape);
    uint32_t events = 0;
    for (uint32_t i = 0; i < shape->column_count; i++)
        events += is_event(&shape->columns[i]);
    if (is_tree(shape) || events == 0)
        return false;
    return last ? strcmp(last, "proc") != 0 && source.file < shape->column_count &&
                      source.line < shape->column_count
                : column_titled(shape, "Source", false) < shape->column_count;
}

static bool is_report_annotated(const struct request *request, const struct shape *shape) {
    return !request->report || strcmp(request->report, shape->report) == 0 ||
           strcmp(request->report, shape->tool) == 0;
}

/* Returns false after an error: the table has no such column. */
static bool find_measures(const struct request *request, struct counts *counts) {
    const struct shape *shape = counts->shape;
    for (uint32_t i = 0; i < shape->column_count && counts->measure_count < MOST_MEASURES; i++)
        if (is_event(&shape->columns[i]) && !is_inclusive(&shape->columns[i]))
            counts->measures[counts->measure_count++] = i;
    if (!request->by)
        return counts->measure_count > 0;
    uint32_t column = column_titled(shape, request->by, false);
    if (column == shape->column_count || !is_event(&shape->columns[column])) {
        diagnose(request->diagnostics, NULL, MESSAGE_ANNOTATE_COLUMN, shape->tool, shape->report,
                 request->by);
        return false;
    }
    while (counts->chosen < counts->measure_count && counts->measures[counts->chosen] != column)
        counts->chosen++;
    if (counts->chosen == counts->measure_count) {
        counts->chosen = 0;
        counts->measures[0] = column;
    }
    return true;
}

/* ---- counts of lines ---------------------------------------------------------------------------------- */

/* "file.c:12": returns the line, and sets its file in the arena; 0: the text has no line. */
static int64_t split_place(struct arena *arena, const char *text, const char **file) {
    const char *colon = strrchr(text, ':');
    *file = colon ? arena_string(arena, text, (size_t)(colon - text)) : text;
    return colon ? strtoll(colon + 1, NULL, 10) : 0;
}

static bool read_counts(const struct request *request, struct store *store, const struct selection *selection,
                        struct counts *counts) {
    struct row_list list = {NULL, 0, 0};
    uint32_t columns = counts->shape->column_count;
    if (!read_rows(store, selection, request->arena, &list))
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        struct count count = {.file = text_at(list.rows[i], counts->source.file, columns),
                              .line = number_at(list.rows[i], counts->source.line, columns)};
        if (counts->place < columns)
            count.line =
                split_place(request->arena, text_at(list.rows[i], counts->place, columns), &count.file);
        for (uint32_t k = 0; k < counts->measure_count; k++)
            count.values[k] = number_at(list.rows[i], counts->measures[k], columns);
        counts->all += count.values[counts->chosen];
        if (!*count.file || count.line <= 0) {
            counts->without_line += count.values[counts->chosen];
            continue;
        }
        ARENA_RESERVE(request->arena, counts->list, counts->count, counts->capacity);
        counts->list[counts->count++] = count;
    }
    return true;
}

static int compare_line_places(const void *left, const void *right) {
    const struct count *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int width_of_number(int64_t value) {
    int digits = 1;
    for (int64_t rest = value < 0 ? -(value / 10) : value / 10; rest > 0; rest /= 10)
        digits++;
    return digits + (digits - 1) / 3 + (value < 0);
}

/* Rows of one line are added. */
static void join_counted_lines(struct counts *counts) {
    uint32_t kept = 0;
    if (counts->count > 0)
        qsort(counts->list, counts->count, sizeof *counts->list, compare_line_places);
    for (uint32_t i = 0; i < counts->count; i++) {
        if (kept == 0 || compare_line_places(&counts->list[kept - 1], &counts->list[i]) != 0) {
            counts->list[kept++] = counts->list[i];
            continue;
        }
        for (uint32_t k = 0; k < counts->measure_count; k++)
            counts->list[kept - 1].values[k] += counts->list[i].values[k];
    }
    counts->count = kept;
    for (uint32_t k = 0; k < counts->measure_count; k++) {
        counts->widths[k] = (int)strlen(counts->shape->columns[counts->measures[k]].title);
        for (uint32_t i = 0; i < kept; i++)
            if (width_of_number(counts->list[i].values[k]) > counts->widths[k])
                counts->widths[k] = width_of_number(counts->list[i].values[k]);
    }
}

/* ---- writing ------------------------------------------------------------------------------------------ */

/* Thousands are separated. */
static const char *digits_of(int64_t value, char text[DIGITS]) {
    char *at = &text[DIGITS - 1];
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    *at = '\0';
    for (int count = 0; count == 0 || rest > 0; count++, rest /= 10) {
        if (count > 0 && count % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + rest % 10);
    }
    if (value < 0)
        *--at = '-';
    return at;
}

/* The directory of compilation is unknown: tries the name itself, then the name below --source. NULL: the
   file was not found. */
static char *find_source(const struct request *request, const char *file) {
    const char *slash = strrchr(file, '/');
    size_t length;
    char *text = !request->source || file[0] == '/' ? read_file(file, &length) : NULL;
    const char *names[] = {file, slash ? slash + 1 : NULL};
    for (int i = 0; i < 2 && !text && request->source && names[i]; i++) {
        char *path = format_string("%s/%s", request->source, names[i]);
        text = read_file(path, &length);
        free(path);
    }
    return text;
}

static double percent_of(const struct counts *counts, int64_t value) {
    return counts->all ? 100.0 * (double)value / (double)counts->all : 0;
}

/* The number of bytes of UTF-8 whose characters fit into `room` columns. */
static int cut_text(const char *text, size_t length, size_t room) {
    size_t at = 0, characters = 0;
    while (at < length && (characters < room || ((unsigned char)text[at] & 0xc0) == 0x80))
        characters += ((unsigned char)text[at++] & 0xc0) != 0x80;
    return (int)at;
}

struct listing { /* of one file */
    const struct count *first, *end;
    char *text; /* NULL: its source was not found */
};

static void write_line(const struct request *request, const struct counts *counts, const struct count *count,
                       int64_t number, const char *text, FILE *stream) {
    char digits[DIGITS];
    size_t used = 0;
    for (uint32_t k = 0; k < counts->measure_count; k++)
        used += (size_t)fprintf(stream, "%*s  ", counts->widths[k],
                                count ? digits_of(count->values[k], digits) : "");
    used += (size_t)(count ? fprintf(stream, "%6.2f  ", percent_of(counts, count->values[counts->chosen]))
                           : fprintf(stream, "%8s", ""));
    used += (size_t)fprintf(stream, "%6" PRId64 "  ", number);
    size_t length = text ? strcspn(text, "\r\n") : 0,
           room = request->width > used ? request->width - used : 8;
    char *shown = text ? arena_string(request->arena, text, length) : NULL;
    for (char *at = shown; at && *at; at++) /* including characters that a terminal would interpret */
        *at = (unsigned char)*at < ' ' || *at == 0x7f ? ' ' : *at;
    fprintf(stream, "%.*s\n", shown ? cut_text(shown, length, room) : 0, shown ? shown : "");
}

/* For requested files, any count suffices, unless the command line specifies a threshold. */
static bool is_enough(const struct request *request, const struct counts *counts, int64_t value) {
    if (request->whole || (request->program && !request->has_threshold))
        return value != 0 || request->whole;
    return fabs(percent_of(counts, value)) >= request->threshold;
}

/* Lines with enough of the sum, and some around them. False: the line is in a gap. */
static bool is_line_shown(const struct request *request, const struct counts *counts,
                          const struct listing *listing, int64_t number) {
    for (const struct count *at = listing->first; at < listing->end; at++)
        if (at->line >= number - CONTEXT && at->line <= number + CONTEXT &&
            is_enough(request, counts, at->values[counts->chosen]))
            return true;
    return request->whole;
}

static void write_file_lines(const struct request *request, const struct counts *counts,
                             const struct listing *listing, FILE *stream) {
    const struct count *at = listing->first;
    const char *text = listing->text;
    const int64_t last = (listing->end - 1)->line + CONTEXT;
    bool gap = false;
    for (int64_t number = 1; at < listing->end || (text && *text && (request->whole || number <= last));
         number++) {
        if (!text || !*text) { /* lines with counts that are after the end of the file, or have no file */
            if (at == listing->end)
                return;
            number = at->line;
        }
        while (at < listing->end && at->line < number)
            at++;
        const struct count *here = at < listing->end && at->line == number ? at : NULL;
        if (is_line_shown(request, counts, listing, number)) {
            fputs(gap ? "...\n" : "", stream);
            write_line(request, counts, here, number, text && *text ? text : NULL, stream);
            gap = false;
        } else {
            gap = true;
        }
        at += here != NULL;
        if (text && *text)
            text += strcspn(text, "\n") + (strchr(text, '\n') != NULL);
    }
}

static int64_t sum_of_listing(const struct counts *counts, const struct listing *listing) {
    int64_t sum = 0;
    for (const struct count *at = listing->first; at < listing->end; at++)
        sum += at->values[counts->chosen];
    return sum;
}

struct sum {
    struct listing listing;
    int64_t sum;
};

static int compare_listing_sums(const void *left, const void *right) {
    const struct sum *a = left, *b = right;
    return a->sum != b->sum ? (a->sum < b->sum) - (a->sum > b->sum)
                            : strcmp(a->listing.first->file, b->listing.first->file);
}

static void write_titles(const struct counts *counts, FILE *stream) {
    for (uint32_t k = 0; k < counts->measure_count; k++)
        fprintf(stream, "%*s  ", counts->widths[k], counts->shape->columns[counts->measures[k]].title);
    fprintf(stream, "%6s  %6s\n", "%", "Line");
}

/* The path relative to the working directory, if it is below that. */
static const char *name_from_here(const char *file) {
    char *here = getcwd(NULL, 0);
    size_t length = here ? strlen(here) : 0;
    bool below = length > 1 && strncmp(file, here, length) == 0 && file[length] == '/';
    free(here);
    return below ? file + length + 1 : file;
}

static void write_listing(const struct request *request, const struct counts *counts, struct sum *sum,
                          FILE *stream) {
    struct listing *listing = &sum->listing;
    char digits[DIGITS];
    const char *title = counts->shape->columns[counts->measures[counts->chosen]].title;
    listing->text = find_source(request, listing->first->file);
    fprintf(stream, "%s: %s %s, %.2f %%\n", name_from_here(listing->first->file), digits_of(sum->sum, digits),
            title, percent_of(counts, sum->sum));
    if (!listing->text) {
        diagnose(request->diagnostics, NULL, MESSAGE_ANNOTATE_NO_SOURCE, listing->first->file);
        diagnose_hint(request->diagnostics, "%s", "--source=FOLDER says where the program was compiled");
    }
    write_titles(counts, stream);
    write_file_lines(request, counts, listing, stream);
    fputc('\n', stream);
    free(listing->text);
}

/* Files below the threshold are summarised in one line. */
static void write_files(const struct request *request, const struct counts *counts, FILE *stream) {
    struct sum *sums = NULL;
    uint32_t count = 0, capacity = 0, others = 0;
    int64_t rest = 0;
    char digits[DIGITS];
    for (uint32_t i = 0, end; i < counts->count; i = end) {
        for (end = i + 1; end < counts->count && strcmp(counts->list[end].file, counts->list[i].file) == 0;)
            end++;
        if (request->program && !strstr(counts->list[i].file, request->program))
            continue;
        ARENA_RESERVE(request->arena, sums, count, capacity);
        sums[count].listing = (struct listing){&counts->list[i], &counts->list[end], NULL};
        sums[count].sum = sum_of_listing(counts, &sums[count].listing);
        count++;
    }
    if (count > 0)
        qsort(sums, count, sizeof *sums, compare_listing_sums);
    for (uint32_t i = 0; i < count; i++) {
        if (is_enough(request, counts, sums[i].sum)) {
            write_listing(request, counts, &sums[i], stream);
        } else {
            others++;
            rest += sums[i].sum;
        }
    }
    if (others > 0)
        fprintf(stream, "%u more file%s: %s, %.2f %%\n", others, others > 1 ? "s" : "",
                digits_of(rest, digits), percent_of(counts, rest));
    if (counts->without_line != 0)
        fprintf(stream, "without a source line: %s, %.2f %%\n", digits_of(counts->without_line, digits),
                percent_of(counts, counts->without_line));
}

/* The requested table; NULL after an error. */
static struct selection *find_annotated_table(const struct request *request, struct selections *selections) {
    struct selection *found = NULL;
    for (uint32_t i = 0; i < selections->count; i++) {
        struct selection *selection = &selections->list[i];
        if (!is_report_annotated(request, selection->shape) || !has_lines(selection->shape))
            continue;
        if (found) {
            diagnose(request->diagnostics, NULL, MESSAGE_ANNOTATE_SEVERAL, found->shape->tool,
                     found->shape->report, selection->shape->tool, selection->shape->report);
            diagnose_hint(request->diagnostics, "--report=%s", found->shape->report);
            return NULL;
        }
        found = selection;
    }
    if (!found) {
        diagnose(request->diagnostics, NULL, MESSAGE_ANNOTATE_NOTHING);
        diagnose_hint(request->diagnostics, "%s",
                      "prof counts procedures; pixie counts blocks, branch branches");
    }
    return found;
}

bool annotate_source(const struct request *request, FILE *stream) {
    struct store store;
    struct selections selections = {NULL, 0, 0};
    bool good = store_open(&store, NULL, STORE_WRITE, request->diagnostics) &&
                add_inputs(request, &store, request->inputs, request->input_count, &selections);
    struct selection *selection = good ? find_annotated_table(request, &selections) : NULL;
    good =
        selection && may_be_merged(request, &store, selection) && selection_choose(&store, selection, NULL);
    if (good) {
        struct counts counts = {.shape = selection->shape, .source = source_columns(selection->shape)};
        uint32_t source = column_titled(counts.shape, "Source", false);
        counts.place = counts.source.line < counts.shape->column_count ? counts.shape->column_count : source;
        good = find_measures(request, &counts) && read_counts(request, &store, selection, &counts);
        if (good && counts.count == 0) {
            diagnose(request->diagnostics, NULL, MESSAGE_ANNOTATE_NO_LINES, counts.shape->tool,
                     counts.shape->report);
            good = false;
        }
        if (good) {
            join_counted_lines(&counts);
            write_files(request, &counts, stream);
        }
    }
    store_close(&store);
    return good;
}
