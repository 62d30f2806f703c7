/* export_gmon.c: counts by address, and calls by caller and callee, as the gmon.out that GNU gprof reads:
   <sys/gmon_out.h> of the GNU C library. All numbers are little-endian, addresses have 8 bytes. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runs/results/export.h"

enum { FORMAT_VERSION = 1, TAG_HISTOGRAM = 0, TAG_ARC = 1, DIMENSION_BYTES = 15 };
/* A bin for each instruction. gprof requires that all histograms of a file have bins of one size. */
enum { BIN_BYTES = 4 };
/* A gap of so many bins takes less room than the header of another histogram. */
enum { MOST_GAP = 20 };

struct place { /* a procedure's name is kept for tables of calls without addresses */
    uint64_t address, count;
    const char *name;
};
struct places {
    struct place *list;
    uint32_t count, capacity;
};
struct call {
    uint64_t caller, callee, count;
};
struct calls {
    struct call *list;
    uint32_t count, capacity;
};

/* Libraries are at 2^42 and above, docs/reference.md: gprof reads the addresses of one file. */
static bool is_of_program(uint64_t address) {
    return address != 0 && address >> 42 == 0;
}

static void tell_left_out(const struct request *request, const struct shape *shape, uint64_t count,
                          const char *what) {
    if (count > 0)
        diagnose(request->diagnostics, NULL, MESSAGE_EXPORT_NO_PLACE, shape->tool, shape->report, what,
                 (unsigned long long)count);
}

/* ---- columns ------------------------------------------------------------------------------------------- */

/* Instructions, or else the first own count other than calls; column_count: there is none. */
static uint32_t count_column(const struct shape *shape) {
    uint32_t found = shape->column_count;
    for (uint32_t i = shape->column_count; i-- > 0;) {
        const struct row_column *column = &shape->columns[i];
        if (is_event(column) && !is_inclusive(column) && strcmp(column->title, "Calls") != 0)
            found = i;
    }
    uint32_t instructions = column_titled(shape, "Instructions", true);
    return instructions < shape->column_count ? instructions : found;
}

struct call_columns {
    uint32_t caller, callee, calls; /* addresses, or else names */
    bool by_name;
};

/* .calls is the shape's column_count if it is no table of calls. */
static struct call_columns find_call_columns(const struct shape *shape) {
    uint32_t none = shape->column_count;
    struct call_columns columns = {.caller = column_titled(shape, "Caller's PC", false),
                                   .callee = column_titled(shape, "Callee's PC", false),
                                   .calls = column_titled(shape, "Calls", true)};
    columns.by_name = columns.caller == none || columns.callee == none;
    if (columns.by_name) {
        columns.caller = column_titled(shape, "Caller", false);
        columns.callee = column_titled(shape, "Callee", false);
    }
    enum row_type type = columns.by_name ? ROW_TEXT : ROW_ADDRESS;
    if (columns.caller == none || columns.callee == none || shape->columns[columns.caller].type != type ||
        shape->columns[columns.callee].type != type)
        columns.calls = none;
    return columns;
}

bool has_calls(const struct shape *shape) {
    if (is_tree(shape))
        return source_columns(shape).address < shape->column_count &&
               column_titled(shape, "Calls", true) < shape->column_count;
    return find_call_columns(shape).calls < shape->column_count;
}

bool has_counts_by_address(const struct shape *shape) {
    return source_columns(shape).address < shape->column_count && count_column(shape) < shape->column_count;
}

/* A row is a procedure, not a part of one. */
static bool is_by_procedure(const struct shape *shape) {
    uint32_t address = source_columns(shape).address;
    const char *attribute = address < shape->column_count ? shape->columns[address].attribute : "none";
    size_t length = strlen(attribute), end = strlen("proc.pc");
    return length == 0 || (length >= end && strcmp(attribute + length - end, "proc.pc") == 0);
}

/* ---- counts by address ---------------------------------------------------------------------------------- */

static int by_address(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    return (a->address > b->address) - (a->address < b->address);
}

/* Sorted by address, each address once. */
static bool read_places(const struct request *request, struct store *store, const struct selection *selection,
                        struct places *places) {
    const struct shape *shape = selection->shape;
    struct source_columns source = source_columns(shape);
    struct row_list list = {NULL, 0, 0};
    uint32_t column = count_column(shape), columns = shape->column_count, kept = 0;
    uint64_t left_out = 0;
    if (!read_rows(store, selection, request->arena, &list))
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        uint64_t address = (uint64_t)number_at(list.rows[i], source.address, columns);
        int64_t count = number_at(list.rows[i], column, columns);
        if (!is_of_program(address)) {
            left_out += count > 0 ? (uint64_t)count : 0;
            continue;
        }
        ARENA_RESERVE(request->arena, places->list, places->count, places->capacity);
        places->list[places->count++] =
            (struct place){address - address % BIN_BYTES, count > 0 ? (uint64_t)count : 0,
                           text_at(list.rows[i], source.name, columns)};
    }
    if (places->count > 0)
        qsort(places->list, places->count, sizeof *places->list, by_address);
    for (uint32_t i = 0; i < places->count; i++) {
        if (kept > 0 && places->list[kept - 1].address == places->list[i].address)
            places->list[kept - 1].count += places->list[i].count;
        else
            places->list[kept++] = places->list[i];
    }
    places->count = kept;
    tell_left_out(request, shape, left_out, shape->columns[column].title);
    return true;
}

/* gprof adds bins up in 32 bits with a sign. Counts become multiples of the power of ten that is returned;
   the remainder of one is added to the next, so that sums are right to a unit. */
static uint64_t scale_places(const struct places *places) {
    uint64_t greatest = 0, unit = 1, before = 0;
    for (uint32_t i = 0; i < places->count; i++)
        greatest = places->list[i].count > greatest ? places->list[i].count : greatest;
    while (greatest / unit >= INT32_MAX)
        unit *= 10;
    for (uint32_t i = 0; i < places->count; i++) {
        uint64_t after = before + places->list[i].count;
        places->list[i].count = after / unit - before / unit;
        before = after;
    }
    return unit;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

static int by_caller(const void *left, const void *right) {
    const struct call *a = left, *b = right;
    return a->caller != b->caller ? (a->caller < b->caller ? -1 : 1)
                                  : (a->callee > b->callee) - (a->callee < b->callee);
}

static int by_place_name(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    return strcmp(a->name, b->name);
}

/* 0: no procedure has that name, or several have it. */
static uint64_t address_of(const struct place *named, uint32_t count, const char *name) {
    struct place key = {.name = name};
    const struct place *found = count > 0 ? bsearch(&key, named, count, sizeof *named, by_place_name) : NULL;
    if (!found || (found > named && strcmp(found[-1].name, name) == 0) ||
        (found + 1 < named + count && strcmp(found[1].name, name) == 0))
        return 0;
    return found->address;
}

/* Returns the calls that are left out: gprof looks both procedures up by their addresses. */
static uint64_t add_call(const struct request *request, struct calls *calls, uint64_t caller, uint64_t callee,
                         int64_t count) {
    if (count <= 0)
        return 0;
    if (!is_of_program(caller) || !is_of_program(callee))
        return (uint64_t)count;
    ARENA_RESERVE(request->arena, calls->list, calls->count, calls->capacity);
    calls->list[calls->count++] = (struct call){caller, callee, (uint64_t)count};
    return 0;
}

static bool read_tree_calls(const struct request *request, struct store *store,
                            const struct selection *selection, struct calls *calls, uint64_t *left_out) {
    struct tree tree;
    uint32_t address = source_columns(selection->shape).address, columns = selection->shape->column_count,
             made = column_titled(selection->shape, "Calls", true);
    if (!tree_read(store, selection, request->arena, &tree))
        return false;
    for (uint32_t i = 1; i < tree.count; i++) {
        const struct tree_node *node = &tree.nodes[i];
        *left_out += add_call(
            request, calls, (uint64_t)number_at(tree.nodes[node->parent].cells, address, columns),
            (uint64_t)number_at(node->cells, address, columns), number_at(node->cells, made, columns));
    }
    return true;
}

static bool read_row_calls(const struct request *request, struct store *store,
                           const struct selection *selection, const struct places *places,
                           struct calls *calls, uint64_t *left_out) {
    struct call_columns at = find_call_columns(selection->shape);
    struct row_list list = {NULL, 0, 0};
    uint32_t columns = selection->shape->column_count;
    struct place *named = arena_allocate(request->arena, (places->count + 1) * sizeof *named);
    if (!read_rows(store, selection, request->arena, &list))
        return false;
    if (places->count > 0) {
        memcpy(named, places->list, places->count * sizeof *named);
        qsort(named, places->count, sizeof *named, by_place_name);
    }
    for (uint32_t i = 0; i < list.count; i++) {
        uint64_t ends[2];
        for (int end = 0; end < 2; end++) {
            uint32_t column = end == 0 ? at.caller : at.callee;
            ends[end] = at.by_name ? address_of(named, places->count, text_at(list.rows[i], column, columns))
                                   : (uint64_t)number_at(list.rows[i], column, columns);
        }
        *left_out += add_call(request, calls, ends[0], ends[1], number_at(list.rows[i], at.calls, columns));
    }
    return true;
}

/* Sorted by caller and callee, each pair once. */
static bool read_calls(const struct request *request, struct store *store, const struct selection *selection,
                       const struct places *places, struct calls *calls) {
    uint64_t left_out = 0;
    uint32_t kept = 0;
    if (!(is_tree(selection->shape) ? read_tree_calls(request, store, selection, calls, &left_out)
                                    : read_row_calls(request, store, selection, places, calls, &left_out)))
        return false;
    if (calls->count > 0)
        qsort(calls->list, calls->count, sizeof *calls->list, by_caller);
    for (uint32_t i = 0; i < calls->count; i++) {
        if (kept > 0 && by_caller(&calls->list[kept - 1], &calls->list[i]) == 0)
            calls->list[kept - 1].count += calls->list[i].count;
        else
            calls->list[kept++] = calls->list[i];
    }
    calls->count = kept;
    tell_left_out(request, selection->shape, left_out, "Calls");
    return true;
}

/* ---- what is written ------------------------------------------------------------------------------------ */

static void put_little_endian(uint64_t number, int bytes, FILE *stream) {
    for (int i = 0; i < bytes; i++)
        fputc((int)(number >> 8 * i & 0xff), stream);
}

/* The unit's name for gprof, at most DIMENSION_BYTES characters: `instructions`, or `1e1 instruction`. */
static void name_dimension(const char *title, uint64_t unit, char dimension[DIMENSION_BYTES + 1]) {
    int power = 0;
    for (; unit > 1; unit /= 10)
        power++;
    if (power > 0)
        snprintf(dimension, DIMENSION_BYTES + 1, "1e%d %s", power, title);
    else
        snprintf(dimension, DIMENSION_BYTES + 1, "%s", title);
    for (char *at = dimension; *at; at++)
        *at = (char)tolower((unsigned char)*at);
}

static uint64_t histograms_of(uint64_t count) {
    return (count + UINT16_MAX - 1) / UINT16_MAX;
}

/* gprof adds histograms of one range up. A range is of places that need equally many of them. */
static void put_histograms(const struct places *places, const char *dimension, FILE *stream) {
    for (uint32_t first = 0, next; first < places->count; first = next) {
        const struct place *list = places->list;
        uint64_t histograms = histograms_of(list[first].count);
        for (next = first + 1; next < places->count && histograms_of(list[next].count) == histograms &&
                               list[next].address - list[next - 1].address <= MOST_GAP * BIN_BYTES;)
            next++;
        uint64_t end = list[next - 1].address + BIN_BYTES, bins = (end - list[first].address) / BIN_BYTES;
        for (uint64_t k = 0; k < histograms; k++) {
            fputc(TAG_HISTOGRAM, stream);
            put_little_endian(list[first].address, 8, stream);
            put_little_endian(end, 8, stream);
            put_little_endian(bins, 4, stream);
            put_little_endian(1, 4, stream); /* the rate: a sample is one unit */
            fwrite(dimension, 1, DIMENSION_BYTES, stream);
            fputc(dimension[0], stream); /* its abbreviation: `i/call` */
            for (uint32_t i = first; i < next; i++) {
                uint64_t before = k * UINT16_MAX, rest = list[i].count > before ? list[i].count - before : 0;
                if (i > first)
                    for (uint64_t gap = list[i - 1].address + BIN_BYTES; gap < list[i].address;
                         gap += BIN_BYTES)
                        put_little_endian(0, 2, stream);
                put_little_endian(rest < UINT16_MAX ? rest : UINT16_MAX, 2, stream);
            }
        }
    }
}

/* gprof adds up the arcs of a pair. */
static void put_arcs(const struct calls *calls, FILE *stream) {
    for (uint32_t i = 0; i < calls->count; i++)
        for (uint64_t rest = calls->list[i].count, part; rest > 0; rest -= part) {
            part = rest < UINT32_MAX ? rest : UINT32_MAX;
            fputc(TAG_ARC, stream);
            put_little_endian(calls->list[i].caller, 8, stream);
            put_little_endian(calls->list[i].callee, 8, stream);
            put_little_endian(part, 4, stream);
        }
}

static bool is_one_build(const struct request *request, struct store *store, const struct selection *counts,
                         const struct selection *calls) {
    if (request->force || strcmp(digest_of(store, counts), digest_of(store, calls)) == 0)
        return true;
    diagnose(request->diagnostics, NULL, MESSAGE_EXPORT_PROGRAMS, counts->shape->tool, counts->shape->report,
             calls->shape->tool, calls->shape->report);
    diagnose_hint(request->diagnostics, "--force puts them together all the same");
    return false;
}

bool export_gmon(const struct request *request, struct store *store, const struct selection *counts,
                 const struct selection *calls, FILE *stream) {
    struct places places = {NULL, 0, 0};
    struct calls made = {NULL, 0, 0};
    char dimension[DIMENSION_BYTES + 1] = "";
    if (!is_tree(calls->shape) && find_call_columns(calls->shape).by_name &&
        !is_by_procedure(counts->shape)) {
        diagnose(request->diagnostics, NULL, MESSAGE_EXPORT_NO_NAMES, calls->shape->tool,
                 calls->shape->report, counts->shape->tool, counts->shape->report);
        diagnose_hint(request->diagnostics,
                      "prof counts by procedure; gprof and hiprof have addresses of callers");
        return false;
    }
    if (!is_one_build(request, store, counts, calls) || !read_places(request, store, counts, &places) ||
        !read_calls(request, store, calls, &places, &made))
        return false;
    uint64_t unit = scale_places(&places);
    name_dimension(counts->shape->columns[count_column(counts->shape)].title, unit, dimension);
    if (unit > 1)
        diagnose(request->diagnostics, NULL, MESSAGE_EXPORT_UNIT, counts->shape->tool, counts->shape->report,
                 (unsigned long long)unit);
    fputs("gmon", stream);
    put_little_endian(FORMAT_VERSION, 4, stream);
    put_little_endian(0, 8, stream);
    put_little_endian(0, 4, stream);
    put_histograms(&places, dimension, stream);
    put_arcs(&made, stream);
    return true;
}
