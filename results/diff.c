/* diff.c: atomc diff: what is more and what is less in B than in A, table by table. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "results/export.h"
#include "results/match.h"
#include "results/results.h"
#include "results/tree.h"

/* One row of the comparison: what tells it, and each measure on both sides. */
struct compared {
    struct cell *values; /* by column of the shape: keys and labels */
    struct cell *sides[2];
    bool in[2];
    double difference; /* of the first measure that adds up */
};
struct comparison {
    const struct request *request;
    struct store *store;
    struct selection sides[2];
    uint32_t measure; /* that rows are sorted by; the shape's column_count: none adds up */
    double *sums;     /* by column, of the larger side */
    struct compared *rows;
    uint32_t count;
    size_t capacity;
    uint64_t equal, below; /* rows that are not shown */
    uint32_t lines; /* the column of lines that are numbered as in A, negative where there is no such line */
    bool is_tree;
    uint32_t node, parent; /* its columns */
    const struct cell **paths; /* by the numbers of paths: the values of the row; NULL: there is none */
    struct arena *arena;
};

static bool adds_up(const struct row_column *column) {
    return column->role == ROW_MEASURE && column->merge == ROW_SUM && !column->hidden;
}

static double number_of(const struct row_column *column, const struct cell *cell) {
    return cell->missing ? 0 : column->type == ROW_REAL ? cell->value.real : (double)cell->value.integer;
}

/* ---- what is compared --------------------------------------------------------------------------------- */

/* What builds of a program have in common: names of procedures and files. */
static const char *common_titles(struct comparison *comparison) {
    const struct shape *shape = comparison->sides[0].shape;
    const char *titles = "";
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        if (column->role != ROW_MEASURE && column->type == ROW_TEXT && !column->hidden)
            titles = arena_format(comparison->arena, "%s%s%s", titles, *titles ? "," : "", column->title);
    }
    return titles;
}

/* What differs in what was asked for. */
static void tell_parameters(struct comparison *comparison) {
    json_t *left = parameters_of(comparison->store, &comparison->sides[0]);
    json_t *right = parameters_of(comparison->store, &comparison->sides[1]), *value;
    const char *name;
    json_object_foreach(left, name, value) {
        json_t *other = json_object_get(right, name);
        if (other && json_equal(value, other))
            continue;
        char *before = json_dumps(value, JSON_ENCODE_ANY);
        char *after = other ? json_dumps(other, JSON_ENCODE_ANY) : duplicate_string("none");
        diagnose(comparison->request->diagnostics, NULL, MESSAGE_DIFF_PARAMETER, name, before, after);
        free(before);
        free(after);
    }
    json_decref(left);
    json_decref(right);
}

/* Is the column with this number among the titles? */
static bool is_asked(const struct shape *shape, uint32_t column, const char *titles) {
    if (column == shape->column_count)
        return false;
    const char *title = shape->columns[column].title;
    for (const char *at = titles; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == strlen(title) && strncasecmp(at, title, strlen(title)) == 0)
            return true;
    return false;
}

/* Two builds: files are those with the same ends of paths, and lines those that a diff of both finds equal. */
static bool match_builds(struct comparison *comparison, const char *by) {
    const struct shape *shape = comparison->sides[0].shape;
    uint32_t line = source_columns(shape).line, unread;
    bool lines = is_asked(shape, line, by);
    if (!match_sources(comparison->store, &comparison->sides[0], &comparison->sides[1], lines, &unread))
        return false;
    if (lines)
        comparison->lines = line;
    if (unread)
        diagnose(comparison->request->diagnostics, NULL, MESSAGE_DIFF_UNREAD, unread);
    return true;
}

static bool choose_keys(struct comparison *comparison) {
    const char *by = comparison->request->by;
    comparison->lines = comparison->sides[0].shape->column_count;
    const char *left = digest_of(comparison->store, &comparison->sides[0]);
    const char *right = digest_of(comparison->store, &comparison->sides[1]);
    bool other_build = !*left || strcmp(left, right) != 0;
    if (other_build && !by) {
        const char *titles = common_titles(comparison);
        by = *titles ? titles : NULL;
        if (by)
            diagnose(comparison->request->diagnostics, NULL, MESSAGE_DIFF_BY, by);
    }
    tell_parameters(comparison);
    if (other_build && by && !match_builds(comparison, by))
        return false;
    return selection_choose(comparison->store, &comparison->sides[0], by) &&
           selection_choose(comparison->store, &comparison->sides[1], by);
}

/* ---- the rows of both --------------------------------------------------------------------------------- */

static sqlite3_stmt *prepare_comparison(struct comparison *comparison) {
    const struct selection *left = &comparison->sides[0];
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fputs("SELECT sum(side = 0), sum(side = 1)", stream);
    for (uint32_t i = 0; i < left->shape->column_count; i++)
        fprintf(stream,
                left->by[i] ? ", c%u, NULL"
                            : ", max(CASE side WHEN 0 THEN c%u END), max(CASE side WHEN 1 THEN c%u END)",
                i, i);
    fputs(" FROM (", stream);
    for (int side = 0; side < 2; side++) {
        fprintf(stream, "%sSELECT %d AS side, * FROM (", side ? " UNION ALL " : "", side);
        selection_write(&comparison->sides[side], stream);
        fputc(')', stream);
    }
    fputs(") GROUP BY ", stream);
    bool grouped = false;
    for (uint32_t i = 0; i < left->shape->column_count; i++)
        if (left->by[i]) {
            fprintf(stream, "%sc%u", grouped ? ", " : "", i);
            grouped = true;
        }
    fputs(grouped ? "" : "NULL", stream);
    fclose(stream);
    sqlite3_stmt *query = store_prepare(comparison->store, sql);
    free(sql);
    return query;
}

static void add_row(struct comparison *comparison, sqlite3_stmt *query) {
    const struct selection *left = &comparison->sides[0];
    uint32_t count = left->shape->column_count;
    ARENA_RESERVE(comparison->arena, comparison->rows, comparison->count, comparison->capacity);
    struct compared *row = &comparison->rows[comparison->count++];
    *row = (struct compared){.in = {sqlite3_column_int64(query, 0) > 0, sqlite3_column_int64(query, 1) > 0}};
    row->values = arena_allocate(comparison->arena, 3 * (size_t)count * sizeof *row->values);
    row->sides[0] = row->values + count;
    row->sides[1] = row->sides[0] + count;
    for (uint32_t i = 0; i < count; i++) {
        const struct row_column *column = &left->shape->columns[i];
        for (int side = 0; side < 2; side++)
            row->sides[side][i] =
                store_cell(comparison->store, query, (int)(2 + 2 * i) + (left->by[i] ? 0 : side),
                           column->type, comparison->arena);
        row->values[i] = row->sides[row->sides[0][i].missing ? 1 : 0][i];
    }
}

/* The rows of all nodes by the numbers of their paths. */
static void index_paths(struct comparison *comparison) {
    size_t count = (size_t)tree_path_count(comparison->store) + 1;
    comparison->paths = arena_allocate(comparison->arena, count * sizeof *comparison->paths);
    for (uint32_t i = 0; i < comparison->count; i++) {
        const struct compared *row = &comparison->rows[i];
        comparison->paths[row->values[comparison->node].value.integer] = row->values;
    }
}

/* The names from the root on, with `;` between them. */
static const char *path_text(const struct comparison *comparison, int64_t path) {
    const struct shape *shape = comparison->sides[0].shape;
    const char *text = NULL;
    for (const struct cell *values; (values = path ? comparison->paths[path] : NULL);
         path = values[comparison->parent].value.integer) {
        uint32_t name = 0;
        while (name < shape->column_count &&
               (shape->columns[name].type != ROW_TEXT || values[name].missing))
            name++;
        const char *here = name < shape->column_count ? values[name].value.text : "?";
        text = text ? arena_format(comparison->arena, "%s;%s", here, text) : here;
    }
    return text;
}

/* The larger of both sides' sums, which differences are measured by. */
static void add_up(struct comparison *comparison) {
    const struct shape *shape = comparison->sides[0].shape;
    comparison->sums = arena_allocate(comparison->arena, shape->column_count * sizeof *comparison->sums);
    for (uint32_t i = 0; i < shape->column_count; i++) {
        double sums[2] = {0, 0};
        for (uint32_t k = 0; k < comparison->count && adds_up(&shape->columns[i]); k++)
            for (int side = 0; side < 2; side++)
                sums[side] += fabs(number_of(&shape->columns[i], &comparison->rows[k].sides[side][i]));
        comparison->sums[i] = sums[0] > sums[1] ? sums[0] : sums[1];
    }
}

/* Are its values equal, or its differences below the threshold? */
static bool is_left_out(struct comparison *comparison, struct compared *row) {
    const struct shape *shape = comparison->sides[0].shape;
    bool equal = row->in[0] == row->in[1], below = true;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        if (column->role != ROW_MEASURE || column->hidden)
            continue;
        double difference = number_of(column, &row->sides[1][i]) - number_of(column, &row->sides[0][i]);
        if (i == comparison->measure)
            row->difference = difference;
        /* Shares and ratios follow from the others. */
        if (column->merge == ROW_SHARE || column->merge == ROW_RATIO)
            continue;
        equal &= difference == 0;
        below &=
            adds_up(column) && 100 * fabs(difference) < comparison->request->threshold * comparison->sums[i];
    }
    comparison->equal += equal;
    comparison->below += !equal && below;
    return equal || below;
}

/* More in B first, then less; the larger differences first. */
static int by_difference(const void *left, const void *right) {
    const struct compared *a = left, *b = right;
    bool more = a->difference >= 0, other_more = b->difference >= 0;
    if (more != other_more)
        return more ? -1 : 1;
    if (fabs(a->difference) != fabs(b->difference))
        return fabs(a->difference) > fabs(b->difference) ? -1 : 1;
    return a->values < b->values ? -1 : 1; /* in the order of the keys */
}

/* ---- printing ----------------------------------------------------------------------------------------- */

enum shown { SHOWN_VALUE, SHOWN_A, SHOWN_B, SHOWN_DIFFERENCE, SHOWN_QUOTIENT, SHOWN_STATE, SHOWN_PATH };
struct shown_column {
    enum shown what;
    uint32_t column;
};

static void add_column(struct comparison *comparison, struct row_column *columns, struct shown_column *shown,
                       uint32_t *count, enum shown what, uint32_t number) {
    static const char *const behind[] = {"", " A", " B", " B-A", " B/A"};
    const struct row_column *from = &comparison->sides[0].shape->columns[number];
    columns[*count] = *from;
    if (what == SHOWN_STATE)
        columns[*count] = (struct row_column){.title = "State", .type = ROW_TEXT};
    else if (what == SHOWN_PATH)
        columns[*count] = (struct row_column){.title = "Path", .type = ROW_TEXT};
    else if (what != SHOWN_VALUE)
        columns[*count].title = arena_format(comparison->arena, "%s%s", from->title, behind[what]);
    if (what == SHOWN_QUOTIENT)
        columns[*count].type = ROW_REAL;
    shown[(*count)++] = (struct shown_column){what, number};
}

static uint32_t choose_columns(struct comparison *comparison, struct row_column *columns,
                               struct shown_column *shown) {
    const struct selection *left = &comparison->sides[0];
    uint32_t count = 0;
    add_column(comparison, columns, shown, &count, SHOWN_STATE, 0);
    if (comparison->is_tree)
        add_column(comparison, columns, shown, &count, SHOWN_PATH, comparison->node);
    for (uint32_t i = 0; i < left->shape->column_count; i++)
        if ((left->shape->columns[i].role == ROW_KEY || left->shape->columns[i].role == ROW_LABEL) &&
            left->shown[i] && !left->shape->columns[i].hidden)
            add_column(comparison, columns, shown, &count, SHOWN_VALUE, i);
    for (uint32_t i = 0; i < left->shape->column_count; i++) {
        const struct row_column *column = &left->shape->columns[i];
        if (column->role != ROW_MEASURE || column->hidden)
            continue;
        add_column(comparison, columns, shown, &count, SHOWN_A, i);
        add_column(comparison, columns, shown, &count, SHOWN_B, i);
        if (adds_up(column))
            add_column(comparison, columns, shown, &count, SHOWN_DIFFERENCE, i);
        if (i == comparison->measure)
            add_column(comparison, columns, shown, &count, SHOWN_QUOTIENT, i);
    }
    return count;
}

static void set_cell(const struct comparison *comparison, const struct compared *row,
                     const struct shown_column *shown, struct cell *cell) {
    const struct row_column *column = &comparison->sides[0].shape->columns[shown->column];
    const struct cell *a = &row->sides[0][shown->column], *b = &row->sides[1][shown->column];
    switch (shown->what) {
    case SHOWN_VALUE:
        *cell = row->values[shown->column];
        if (shown->column == comparison->lines && cell->value.integer < 0)
            cell->value.integer = -cell->value.integer;
        break;
    case SHOWN_A:
        *cell = *a;
        break;
    case SHOWN_B:
        *cell = *b;
        break;
    case SHOWN_DIFFERENCE:
        *cell = (struct cell){false, {.integer = 0}};
        if (column->type == ROW_REAL)
            cell->value.real = number_of(column, b) - number_of(column, a);
        else
            cell->value.integer = (b->missing ? 0 : b->value.integer) - (a->missing ? 0 : a->value.integer);
        break;
    case SHOWN_QUOTIENT:
        *cell = (struct cell){number_of(column, a) == 0, {.real = 0}};
        if (!cell->missing)
            cell->value.real = number_of(column, b) / number_of(column, a);
        break;
    case SHOWN_PATH:
        *cell = (struct cell){
            false, {.text = path_text(comparison, row->values[shown->column].value.integer)}};
        break;
    case SHOWN_STATE:
        *cell = (struct cell){false,
                              {.text = !row->in[0]            ? "new"
                                       : !row->in[1]          ? "gone"
                                       : row->difference >= 0 ? "more"
                                                              : "less"}};
        break;
    }
}

static void print_comparison(struct comparison *comparison, FILE *stream) {
    const struct shape *shape = comparison->sides[0].shape;
    size_t room = 4 * (size_t)shape->column_count + 1;
    struct row_column *columns = arena_allocate(comparison->arena, room * sizeof *columns);
    struct shown_column *shown = arena_allocate(comparison->arena, room * sizeof *shown);
    uint32_t count = choose_columns(comparison, columns, shown);
    struct cell *cells = arena_allocate(comparison->arena, count * sizeof *cells);
    struct printer printer = {
        .form = comparison->request->form, .stream = stream, .columns = columns, .column_count = count};
    if (printer.form == PRINT_TEXT)
        fprintf(stream, "%s %s\n", shape->tool, shape->report);
    print_begin(&printer, shape->tool, shape->report, json_object());
    for (uint32_t i = 0; i < comparison->count; i++) {
        for (uint32_t k = 0; k < count; k++)
            set_cell(comparison, &comparison->rows[i], &shown[k], &cells[k]);
        print_row(&printer, cells);
    }
    if (printer.form == PRINT_JSON)
        fprintf(stream, "], \"equal\": %" PRIu64 ", \"below\": %" PRIu64 "}\n", comparison->equal,
                comparison->below);
    else
        print_end(&printer);
    if (printer.form == PRINT_TEXT)
        fprintf(stream, "%" PRIu64 " rows are equal, %" PRIu64 " differ by less than %g %%\n",
                comparison->equal, comparison->below, comparison->request->threshold);
}

static bool compare(struct comparison *comparison, FILE *stream) {
    comparison->arena = arena_create();
    int state = SQLITE_DONE;
    const struct shape *shape = comparison->sides[0].shape;
    comparison->is_tree =
        row_tree(shape->columns, shape->column_count, &comparison->node, &comparison->parent);
    bool good = choose_keys(comparison);
    comparison->measure = good ? selection_measure(&comparison->sides[0]) : 0;
    sqlite3_stmt *query = good ? prepare_comparison(comparison) : NULL;
    while (query && (state = sqlite3_step(query)) == SQLITE_ROW)
        add_row(comparison, query);
    if (query && state != SQLITE_DONE)
        diagnose(comparison->request->diagnostics, NULL, MESSAGE_DATABASE, "the sums",
                 sqlite3_errmsg(comparison->store->database));
    good = query && state == SQLITE_DONE;
    sqlite3_finalize(query);
    if (good) {
        if (comparison->is_tree)
            index_paths(comparison);
        add_up(comparison);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < comparison->count; i++)
            if (!is_left_out(comparison, &comparison->rows[i]))
                comparison->rows[kept++] = comparison->rows[i];
        comparison->count = kept;
        if (kept)
            qsort(comparison->rows, kept, sizeof *comparison->rows, by_difference);
        print_comparison(comparison, stream);
    }
    arena_destroy(comparison->arena);
    return good;
}

bool diff_results(const struct request *request, FILE *stream) {
    struct store store;
    struct selections sides[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    uint32_t compared = 0;
    bool good = store_open(&store, NULL, STORE_WRITE, request->diagnostics) &&
                add_inputs(request, &store, request->inputs, 1, &sides[0]) &&
                add_inputs(request, &store, request->inputs + 1, 1, &sides[1]);
    for (uint32_t a = 0; a < sides[0].count && good; a++)
        for (uint32_t b = 0; b < sides[1].count && good; b++) {
            if (!same_columns(sides[0].list[a].shape, sides[1].list[b].shape))
                continue;
            struct comparison comparison = {
                .request = request, .store = &store, .sides = {sides[0].list[a], sides[1].list[b]}};
            if (compared++ && request->form != PRINT_JSON)
                fputc('\n', stream);
            good = compare(&comparison, stream);
        }
    if (good && compared == 0) {
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_NOTHING, request->inputs[0], request->inputs[1]);
        good = false;
    }
    store_close(&store);
    return good;
}
