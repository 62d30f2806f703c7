/* compare.c: see compare.h. */
#include "runs/results/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runs/results/export.h"
#include "runs/results/tree.h"
#include "support/json.h"

bool compared_adds_up(const struct row_column *column) {
    return column->role == ROW_MEASURE && column->merge == ROW_SUM && !column->hidden;
}

double compared_number(const struct row_column *column, const struct cell *cell) {
    return cell->missing ? 0 : column->type == ROW_REAL ? cell->value.real : (double)cell->value.integer;
}

const struct cell *compared_value(const struct compared *row, uint32_t column) {
    return &row->sides[row->sides[0][column].missing ? 1 : 0][column];
}

/* ---- the units of the comparison ---------------------------------------------------------------------- */

/* The common parts of two builds of a program: names of procedures and files. */
static const char *common_titles(struct compared_table *comparison) {
    const struct shape *shape = comparison->sides[0].shape;
    const char *titles = "";
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        if (column->role != ROW_MEASURE && (column->type == ROW_TEXT || is_time(column)) && !column->hidden)
            titles = arena_format(comparison->arena, "%s%s%s", titles, *titles ? "," : "", column->title);
    }
    return titles;
}

/* True if the column with this number is among the titles. */
static bool is_column_compared(const struct shape *shape, uint32_t column, const char *titles) {
    if (column == shape->column_count)
        return false;
    const char *title = shape->columns[column].title;
    for (const char *at = titles; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == strlen(title) && strncasecmp(at, title, strlen(title)) == 0)
            return true;
    return false;
}

/* For two builds, files are matched by the ends of their paths, and lines by a diff.
 */
static bool match_builds(struct compared_table *comparison, const char *by) {
    const struct shape *shape = comparison->sides[0].shape;
    uint32_t line = source_columns(shape).line;
    bool lines = is_column_compared(shape, line, by);
    if (!match_sources(comparison->store, &comparison->sides[0], &comparison->sides[1], lines,
                       &comparison->reader, &comparison->unread))
        return false;
    if (lines)
        comparison->lines = line;
    return match_names(comparison->store, comparison->sides, &comparison->clones);
}

/* Two builds: places in procedures that have the same instructions in both are compared, and shown, by A's
   addresses. The program of the second side is matched as the first's. */
static bool match_places(struct compared_table *comparison, const char *const digests[2]) {
    struct code codes[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    bool known = comparison->code.read && !comparison->is_tree && has_places(comparison->sides[0].shape);
    for (int side = 0; side < 2 && known; side++)
        known = *digests[side] &&
                comparison->code.read(comparison->code.context, side, digests[side], &codes[side]);
    comparison->by_code = known;
    if (!known)
        return true;
    for (int side = 0; side < 2; side++)
        if (codes[side].count > comparison->procedures)
            comparison->procedures = codes[side].count;
    return match_code(comparison->store, comparison->sides, codes, &comparison->same_procedures);
}

/* If a procedure has changed, only its name is a key. If it is unchanged, all keys of its rows are used. */
static void choose_places(struct selection *selection) {
    const struct shape *shape = selection->shape;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        selection->by[i] |= column->role == ROW_KEY;
        selection->shown[i] |= column->role == ROW_KEY || column->role == ROW_LABEL;
    }
}

/* The columns that order rows: places, other keys, and labels, which do not distinguish rows of one place. */
static void order_keys(struct compared_table *comparison) {
    const struct selection *selection = &comparison->sides[0];
    uint32_t columns = selection->shape->column_count;
    comparison->keys = arena_allocate(comparison->arena, (columns + 1) * sizeof *comparison->keys);
    for (int kind = 0; kind < 3; kind++) {
        for (uint32_t i = 0; i < columns; i++) {
            const struct row_column *column = &selection->shape->columns[i];
            int of = !comparison->by_code || is_place_key(column) ? 0 : column->role == ROW_KEY ? 1 : 2;
            if (selection->by[i] && of == kind)
                comparison->keys[comparison->key_count++] = i;
        }
        if (kind == 0)
            comparison->place_count = comparison->key_count;
        if (kind == 1)
            comparison->telling_count = comparison->key_count;
    }
}

static bool choose_keys(struct compared_table *comparison) {
    const char *by = comparison->by;
    comparison->lines = comparison->sides[0].shape->column_count;
    const char *const digests[2] = {digest_of(comparison->store, &comparison->sides[0]),
                                    digest_of(comparison->store, &comparison->sides[1])};
    comparison->other_build = !*digests[0] || strcmp(digests[0], digests[1]) != 0;
    if (comparison->other_build && !by) {
        const char *titles = common_titles(comparison);
        comparison->titles = by = *titles ? titles : NULL;
    }
    if (comparison->other_build && by && !match_builds(comparison, by))
        return false;
    if (comparison->other_build && !comparison->by && !match_places(comparison, digests))
        return false;
    for (int side = 0; side < 2; side++) {
        if (!selection_choose(comparison->store, &comparison->sides[side], by))
            return false;
        if (comparison->by_code)
            choose_places(&comparison->sides[side]);
    }
    order_keys(comparison);
    return true;
}

/* ---- the rows of both --------------------------------------------------------------------------------- */

/* The rows of one side, ordered by their keys. */
static sqlite3_stmt *prepare_side(struct compared_table *comparison, int side) {
    const struct selection *selection = &comparison->sides[side];
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    selection_write(selection, stream);
    for (uint32_t i = 0; i < comparison->key_count; i++)
        fprintf(stream, "%s%u", i ? ", " : " ORDER BY ", comparison->keys[i] + 1);
    fclose(stream);
    sqlite3_stmt *query = store_prepare(comparison->store, sql);
    free(sql);
    return query;
}

/* Compares two values in SQLite's order of numbers: missing ones first. */
static int by_value(const struct row_column *column, sqlite3_stmt *const queries[2], int at) {
    bool none = sqlite3_column_type(queries[0], at) == SQLITE_NULL;
    if (none != (sqlite3_column_type(queries[1], at) == SQLITE_NULL))
        return none ? -1 : 1;
    if (column->type == ROW_REAL) {
        double a = sqlite3_column_double(queries[0], at), b = sqlite3_column_double(queries[1], at);
        return a < b ? -1 : a > b;
    }
    int64_t a = sqlite3_column_int64(queries[0], at), b = sqlite3_column_int64(queries[1], at);
    return a < b ? -1 : a > b;
}

/* Compares two rows. For a place that both builds have, labels are ignored. */
static int by_keys(const struct compared_table *comparison, sqlite3_stmt *const queries[2]) {
    bool at_place = comparison->place_count > 0;
    for (uint32_t i = 0; i < comparison->key_count; i++) {
        uint32_t number = comparison->keys[i];
        if (i == comparison->telling_count && at_place)
            return 0;
        int order = by_value(&comparison->sides[0].shape->columns[number], queries, (int)number);
        if (order)
            return order;
        at_place &=
            i >= comparison->place_count || sqlite3_column_type(queries[0], (int)number) != SQLITE_NULL;
    }
    return 0;
}

/* Texts remain numbers, because most rows are never shown. */
static struct cell read_cell(const struct compared_table *comparison, sqlite3_stmt *query, int at,
                             enum row_type type) {
    return store_cell(comparison->store, query, at, type == ROW_TEXT ? ROW_INTEGER : type, comparison->arena);
}

/* If one side lacks the row, the keys of the other side are used. */
static void read_compared_row(const struct compared_table *comparison, sqlite3_stmt *const queries[2],
                              struct compared *row) {
    const struct selection *left = &comparison->sides[0];
    for (uint32_t i = 0; i < left->shape->column_count; i++)
        for (int side = 0; side < 2; side++) {
            int from = row->in[side] ? side : !side;
            if (row->in[side] || left->by[i])
                row->sides[side][i] =
                    read_cell(comparison, queries[from], (int)i, left->shape->columns[i].type);
            else
                row->sides[side][i] = (struct cell){true, {.integer = 0}};
        }
}

static void make_cells(struct compared_table *comparison, struct compared *row) {
    size_t count = comparison->sides[0].shape->column_count;
    row->sides[0] = arena_allocate(comparison->arena, 2 * count * sizeof(struct cell));
    row->sides[1] = row->sides[0] + count;
}

/* Computes the differences of a row; returns false if both sides are equal. Differences of shares and ratios
   follow from the other columns. */
static bool row_differs(const struct compared_table *comparison, struct compared *row) {
    const struct shape *shape = comparison->sides[0].shape;
    bool equal = row->in[0] == row->in[1];
    row->difference = row->second = 0;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        if (column->role != ROW_MEASURE || column->hidden)
            continue;
        double difference =
            compared_number(column, &row->sides[1][i]) - compared_number(column, &row->sides[0][i]);
        if (i == comparison->measure)
            row->difference = difference;
        else if (row->second == 0 && compared_adds_up(column))
            row->second = difference;
        if (column->merge != ROW_SHARE && column->merge != ROW_RATIO)
            equal &= difference == 0;
    }
    return !equal;
}

/* True if all its differences are below the threshold. */
static bool is_below(const struct compared_table *comparison, const struct compared *row) {
    const struct shape *shape = comparison->sides[0].shape;
    bool below = true;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        if (column->role != ROW_MEASURE || column->hidden || column->merge == ROW_SHARE ||
            column->merge == ROW_RATIO)
            continue;
        double difference =
            compared_number(column, &row->sides[1][i]) - compared_number(column, &row->sides[0][i]);
        below &=
            compared_adds_up(column) && 100 * fabs(difference) < comparison->threshold * comparison->sums[i];
    }
    return below;
}

enum compared_group compared_group(const struct compared *row) {
    return row->difference > 0 ? COMPARED_MORE : row->difference < 0 ? COMPARED_LESS : COMPARED_OTHER;
}

static int by_difference(const void *left, const void *right) {
    const struct compared *a = left, *b = right;
    if (compared_group(a) != compared_group(b))
        return compared_group(a) < compared_group(b) ? -1 : 1;
    if (fabs(a->difference) != fabs(b->difference))
        return fabs(a->difference) > fabs(b->difference) ? -1 : 1;
    if (fabs(a->second) != fabs(b->second) && a->difference == 0)
        return fabs(a->second) > fabs(b->second) ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

struct lists {
    size_t rows, all; /* capacities */
    double *sums[2];  /* by column */
};

static void add_compared_row(struct compared_table *comparison, struct compared *row, struct lists *lists) {
    const struct shape *shape = comparison->sides[0].shape;
    for (uint32_t i = 0; i < shape->column_count; i++)
        for (int side = 0; side < 2 && compared_adds_up(&shape->columns[i]); side++)
            lists->sums[side][i] += fabs(compared_number(&shape->columns[i], &row->sides[side][i]));
    bool differ = row_differs(comparison, row), keep = comparison->is_tree || comparison->keep_all;
    comparison->equal += !differ;
    if (differ) {
        ARENA_RESERVE(comparison->arena, comparison->rows, comparison->count, lists->rows);
        comparison->rows[comparison->count++] = *row;
    }
    if (keep) {
        ARENA_RESERVE(comparison->arena, comparison->all, comparison->all_count, lists->all);
        comparison->all[comparison->all_count++] = *row;
    }
    row->order++;
    if (differ || keep)
        make_cells(comparison, row);
}

/* Reads both sides in the order of the keys; keeps the rows that differ, or all. */
static bool read_both(struct compared_table *comparison, struct lists *lists) {
    sqlite3_stmt *queries[2] = {prepare_side(comparison, 0), prepare_side(comparison, 1)};
    bool good = queries[0] && queries[1];
    int states[2] = {SQLITE_DONE, SQLITE_DONE};
    struct compared row = {.order = 0};
    make_cells(comparison, &row);
    for (int side = 0; side < 2 && good; side++)
        states[side] = sqlite3_step(queries[side]);
    while (good && (states[0] == SQLITE_ROW || states[1] == SQLITE_ROW)) {
        int order = states[0] != SQLITE_ROW ? 1 : states[1] != SQLITE_ROW ? -1 : by_keys(comparison, queries);
        row.in[0] = order <= 0;
        row.in[1] = order >= 0;
        read_compared_row(comparison, queries, &row);
        bool in[2] = {row.in[0], row.in[1]};
        add_compared_row(comparison, &row, lists);
        for (int side = 0; side < 2; side++)
            if (in[side])
                states[side] = sqlite3_step(queries[side]);
        good = (states[0] == SQLITE_ROW || states[0] == SQLITE_DONE) &&
               (states[1] == SQLITE_ROW || states[1] == SQLITE_DONE);
    }
    good = good && states[0] == SQLITE_DONE && states[1] == SQLITE_DONE;
    if (!good && queries[0] && queries[1])
        diagnose(comparison->store->diagnostics, NULL, MESSAGE_DATABASE, "the sums",
                 sqlite3_errmsg(comparison->store->database));
    sqlite3_finalize(queries[0]);
    sqlite3_finalize(queries[1]);
    return good;
}

/* The rows of all nodes by the numbers of their paths. */
static void index_paths(struct compared_table *comparison) {
    comparison->path_count = tree_path_count(comparison->store);
    comparison->paths =
        arena_allocate(comparison->arena, ((size_t)comparison->path_count + 1) * sizeof *comparison->paths);
    for (uint32_t i = 0; i < comparison->all_count; i++) {
        const struct compared *row = &comparison->all[i];
        comparison->paths[compared_value(row, comparison->node)->value.integer] = row;
    }
}

/* The sums of both sides, of columns whose rows may be added in both. */
static void sum_totals(struct compared_table *comparison) {
    const struct shape *shape = comparison->sides[0].shape;
    struct arena *arena = comparison->arena;
    bool *wanted = arena_allocate(arena, shape->column_count * sizeof *wanted);
    for (uint32_t i = 0; i < shape->column_count; i++)
        wanted[i] = compared_adds_up(&shape->columns[i]);
    for (int side = 0; side < 2; side++) {
        comparison->totals[side] = arena_allocate(arena, shape->column_count * sizeof(struct cell));
        selection_totals(comparison->store, &comparison->sides[side], wanted, comparison->totals[side]);
    }
    for (uint32_t i = 0; i < shape->column_count; i++)
        comparison->totals[0][i].missing |= comparison->totals[1][i].missing;
}

uint32_t compared_total(const struct compared_table *comparison, const char *title) {
    const struct shape *shape = comparison->sides[0].shape;
    uint32_t i = 0;
    while (i < shape->column_count &&
           (comparison->totals[0][i].missing || (title && strcmp(shape->columns[i].title, title) != 0)))
        i++;
    return i;
}

double compared_percent(const struct compared_table *comparison, uint32_t column) {
    const struct row_column *of = &comparison->sides[0].shape->columns[column];
    double a = compared_number(of, &comparison->totals[0][column]),
           b = compared_number(of, &comparison->totals[1][column]);
    return a == b ? 0 : 100 * (b - a) / fabs(a);
}

bool compare_rows(struct compared_table *comparison) {
    const struct shape *shape = comparison->sides[0].shape;
    size_t size = shape->column_count * sizeof(double);
    comparison->arena = arena_create();
    comparison->is_tree =
        row_tree(shape->columns, shape->column_count, &comparison->node, &comparison->parent);
    if (!choose_keys(comparison))
        return false;
    comparison->measure = selection_measure(&comparison->sides[0]);
    struct lists lists = {
        .sums = {arena_allocate(comparison->arena, size), arena_allocate(comparison->arena, size)}};
    if (!read_both(comparison, &lists))
        return false;
    sum_totals(comparison);
    comparison->sums = lists.sums[0];
    for (uint32_t i = 0; i < shape->column_count; i++)
        comparison->sums[i] = fmax(lists.sums[0][i], lists.sums[1][i]);
    if (comparison->is_tree)
        index_paths(comparison);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < comparison->count; i++)
        if (is_below(comparison, &comparison->rows[i]))
            comparison->below++;
        else
            comparison->rows[kept++] = comparison->rows[i];
    comparison->count = kept;
    if (kept)
        qsort(comparison->rows, kept, sizeof *comparison->rows, by_difference);
    for (uint32_t i = 0; i < kept; i++)
        comparison->groups[compared_group(&comparison->rows[i])]++;
    return true;
}

void compare_end(struct compared_table *comparison) {
    tree_end(comparison->store);
    match_end(comparison->store);
    if (comparison->arena)
        arena_destroy(comparison->arena);
    comparison->arena = NULL;
}

/* ---- what is shown of them ---------------------------------------------------------------------------- */

const char *const shown_words[] = {"value", "a", "b", "difference", "quotient", "state", "path"};

static const char *compared_text(const struct compared_table *comparison, int64_t number) {
    return arena_format(comparison->arena, "%s", store_text(comparison->store, number));
}

/* The names from the root on, with `;` between them. */
static const char *path_text(const struct compared_table *comparison, int64_t path) {
    const struct shape *shape = comparison->sides[0].shape;
    const char *text = NULL;
    for (const struct compared *row; (row = path ? comparison->paths[path] : NULL);
         path = compared_value(row, comparison->parent)->value.integer) {
        uint32_t name = 0;
        while (name < shape->column_count &&
               (shape->columns[name].type != ROW_TEXT || compared_value(row, name)->missing))
            name++;
        const char *here = name < shape->column_count
                               ? compared_text(comparison, compared_value(row, name)->value.integer)
                               : "?";
        text = text ? arena_format(comparison->arena, "%s;%s", here, text) : here;
    }
    return text;
}

static void add_column(struct compared_table *comparison, struct shown_columns *shown, enum shown what,
                       uint32_t number) {
    static const char *const after[] = {"", " A", " B", " B-A", " B/A"};
    const struct row_column *from = &comparison->sides[0].shape->columns[number];
    struct row_column *column = &shown->columns[shown->count];
    *column = *from;
    if (what == SHOWN_STATE)
        *column = (struct row_column){.title = "State", .type = ROW_TEXT, .unit = "", .attribute = ""};
    else if (what == SHOWN_PATH)
        *column = (struct row_column){.title = "Path", .type = ROW_TEXT, .unit = "", .attribute = ""};
    else if (what != SHOWN_VALUE)
        column->title = arena_format(comparison->arena, "%s%s", from->title, after[what]);
    if (what == SHOWN_QUOTIENT)
        column->type = ROW_REAL;
    column->hidden = false;
    shown->from[shown->count].what = what;
    shown->from[shown->count++].column = number;
}

void compare_columns(struct compared_table *comparison, struct shown_columns *shown) {
    const struct selection *left = &comparison->sides[0];
    size_t room = 4 * (size_t)left->shape->column_count + 2;
    *shown =
        (struct shown_columns){.columns = arena_allocate(comparison->arena, room * sizeof *shown->columns),
                               .from = arena_allocate(comparison->arena, room * sizeof *shown->from)};
    add_column(comparison, shown, SHOWN_STATE, 0);
    if (comparison->is_tree)
        add_column(comparison, shown, SHOWN_PATH, comparison->node);
    for (uint32_t i = 0; i < left->shape->column_count; i++)
        if ((left->shape->columns[i].role == ROW_KEY || left->shape->columns[i].role == ROW_LABEL) &&
            left->shown[i] &&
            (!left->shape->columns[i].hidden ||
             (comparison->by_code && is_place_key(&left->shape->columns[i]))))
            add_column(comparison, shown, SHOWN_VALUE, i);
    for (uint32_t i = 0; i < left->shape->column_count; i++) {
        const struct row_column *column = &left->shape->columns[i];
        if (column->role != ROW_MEASURE || column->hidden)
            continue;
        add_column(comparison, shown, SHOWN_A, i);
        add_column(comparison, shown, SHOWN_B, i);
        if (compared_adds_up(column))
            add_column(comparison, shown, SHOWN_DIFFERENCE, i);
        if (i == comparison->measure)
            add_column(comparison, shown, SHOWN_QUOTIENT, i);
    }
}

static const char *compared_state(const struct compared *row) {
    static const char *const groups[COMPARED_GROUPS] = {"more", "less", "other"};
    return !row->in[0] ? "new" : !row->in[1] ? "gone" : groups[compared_group(row)];
}

static struct cell difference_of(const struct row_column *column, const struct cell *a,
                                 const struct cell *b) {
    struct cell cell = {false, {.integer = 0}};
    if (column->type == ROW_REAL)
        cell.value.real = compared_number(column, b) - compared_number(column, a);
    else
        cell.value.integer = (b->missing ? 0 : b->value.integer) - (a->missing ? 0 : a->value.integer);
    return cell;
}

static struct cell compared_cell(const struct compared_table *comparison, const struct compared *row,
                                 enum shown what, uint32_t number) {
    const struct row_column *column = &comparison->sides[0].shape->columns[number];
    const struct cell *a = &row->sides[0][number], *b = &row->sides[1][number];
    struct cell cell = {false, {.integer = 0}};
    switch (what) {
    case SHOWN_VALUE:
        cell = *compared_value(row, number);
        if (number == comparison->lines && cell.value.integer < 0)
            cell.value.integer = -cell.value.integer;
        break;
    case SHOWN_A:
        cell = *a;
        break;
    case SHOWN_B:
        cell = *b;
        break;
    case SHOWN_DIFFERENCE:
        return difference_of(column, a, b);
    case SHOWN_QUOTIENT:
        cell.missing = compared_number(column, a) == 0;
        if (!cell.missing)
            cell.value.real = compared_number(column, b) / compared_number(column, a);
        return cell;
    case SHOWN_PATH:
        cell.value.text = path_text(comparison, compared_value(row, number)->value.integer);
        return cell;
    case SHOWN_STATE:
        cell.value.text = compared_state(row);
        return cell;
    }
    if (column->type == ROW_TEXT && !cell.missing)
        cell.value.text = compared_text(comparison, cell.value.integer);
    return cell;
}

void compare_cells(struct compared_table *comparison, const struct shown_columns *shown,
                   const struct compared *row, struct cell *cells) {
    for (uint32_t i = 0; i < shown->count; i++)
        cells[i] = compared_cell(comparison, row, shown->from[i].what, shown->from[i].column);
}

/* One decimal, or two digits of a smaller number. */
static void put_percent(FILE *stream, double percent) {
    fprintf(stream, fabs(percent) < 0.05 ? "%+.2g" : "%+.1f", percent);
}

/* The sums in one line: "prof prof.out: Instructions 1000 in A, 972 in B, -28 (-2.8 %)". */
static void print_headline(const struct compared_table *comparison, const char *of, FILE *stream) {
    const struct shape *shape = comparison->sides[0].shape;
    uint32_t number = compared_total(comparison, of);
    fprintf(stream, "%s %s", shape->tool, shape->report);
    if (number < shape->column_count) {
        const struct row_column *column = &shape->columns[number];
        const struct cell *a = &comparison->totals[0][number], *b = &comparison->totals[1][number];
        double percent = compared_percent(comparison, number);
        if (column->type == ROW_REAL)
            fprintf(stream, ": %s %.2f in A, %.2f in B, %+.2f", column->title, a->value.real, b->value.real,
                    difference_of(column, a, b).value.real);
        else
            fprintf(stream, ": %s %" PRId64 " in A, %" PRId64 " in B, %+" PRId64, column->title,
                    a->value.integer, b->value.integer, difference_of(column, a, b).value.integer);
        if (isfinite(percent) && percent != 0) {
            fputs(" (", stream);
            put_percent(stream, percent);
            fputs(" %)", stream);
        }
    }
    fputc('\n', stream);
}

static json_t *number_json(const struct row_column *column, const struct cell *cell) {
    return column->type == ROW_REAL ? json_real(cell->value.real) : json_integer(cell->value.integer);
}

json_t *compare_totals_json(const struct compared_table *comparison) {
    const struct shape *shape = comparison->sides[0].shape;
    json_t *list = json_array();
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        const struct cell *a = &comparison->totals[0][i], *b = &comparison->totals[1][i];
        if (a->missing)
            continue;
        struct cell difference = difference_of(column, a, b);
        double percent = compared_percent(comparison, i);
        json_array_append_new(list, json_pack("{s:o, s:i, s:o, s:o, s:o, s:o}", "title",
                                              json_text(column->title), "column", (int)i, "a",
                                              number_json(column, a), "b", number_json(column, b),
                                              "difference", number_json(column, &difference), "percent",
                                              isfinite(percent) ? json_real(percent) : json_null()));
    }
    return list;
}

void compare_print(struct compared_table *comparison, enum print_form form, const char *of, FILE *stream) {
    const struct shape *shape = comparison->sides[0].shape;
    struct shown_columns shown;
    compare_columns(comparison, &shown);
    struct cell *cells = arena_allocate(comparison->arena, shown.count * sizeof *cells);
    struct printer printer = {
        .form = form, .stream = stream, .columns = shown.columns, .column_count = shown.count};
    if (form == PRINT_TEXT)
        print_headline(comparison, of, stream);
    print_begin(&printer, shape->tool, shape->report, json_object());
    for (uint32_t i = 0; i < comparison->count; i++) {
        compare_cells(comparison, &shown, &comparison->rows[i], cells);
        print_row(&printer, cells);
    }
    if (form == PRINT_JSON) {
        fprintf(stream, "], \"equal\": %" PRIu64 ", \"below\": %" PRIu64, comparison->equal,
                comparison->below);
        if (comparison->by_code)
            fprintf(stream, ", \"same_procedures\": %u, \"procedures\": %u", comparison->same_procedures,
                    comparison->procedures);
        fputs(", \"totals\": ", stream);
        json_t *totals = compare_totals_json(comparison);
        json_dumpf(totals, stream, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        json_decref(totals);
        fputs("}\n", stream);
    } else {
        print_end(&printer);
    }
    if (form == PRINT_TEXT)
        fprintf(stream, "%" PRIu64 " rows are equal, %" PRIu64 " differ by less than %g %%\n",
                comparison->equal, comparison->below, comparison->threshold);
}
