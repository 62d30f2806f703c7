/* tree.c: see tree.h. */
#include "runs/results/tree.h"
#include "support/search.h"

#include <stdlib.h>
#include <string.h>

/* ---- paths -------------------------------------------------------------------------------------------- */

/* place: the path of each row of a report; path: the parent's path and the label of the last node, for each
   path. */
static const char tables[] =
    "CREATE TEMP TABLE IF NOT EXISTS path(id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, label TEXT NOT "
    "NULL, UNIQUE(parent, label));"
    "CREATE TEMP TABLE IF NOT EXISTS place(report INTEGER NOT NULL, row INTEGER NOT NULL, path INTEGER NOT "
    "NULL, parent INTEGER NOT NULL, PRIMARY KEY(report, row)) WITHOUT ROWID;";

/* The rows of a report in order: the parent's number, and the label of the node. */
static sqlite3_stmt *prepare_tree_rows(struct store *store, const struct selection *selection,
                                       uint32_t report, uint32_t parent) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fprintf(stream, "SELECT c%u, ''", parent);
    for (uint32_t i = 0; i < selection->shape->column_count; i++)
        if (selection->by[i]) {
            fputs(" || ',' || ifnull(", stream);
            column_write(selection, i, stream);
            fputs(", '')", stream);
        }
    fprintf(stream, " FROM data_%u WHERE report = %lld ORDER BY row", selection->shapes[report],
            (long long)selection->reports[report]);
    fclose(stream);
    sqlite3_stmt *rows = store_prepare(store, sql);
    free(sql);
    return rows;
}

struct placing {
    struct store *store;
    sqlite3_stmt *find, *add, *place;
    int64_t *paths; /* indexed by the numbers of nodes */
    size_t count, capacity;
};

static int64_t path_number(struct placing *placing, int64_t parent, const char *label) {
    int64_t number = 0;
    sqlite3_bind_int64(placing->find, 1, parent);
    sqlite3_bind_text(placing->find, 2, label, -1, SQLITE_STATIC);
    if (sqlite3_step(placing->find) == SQLITE_ROW)
        number = sqlite3_column_int64(placing->find, 0);
    sqlite3_reset(placing->find);
    if (number)
        return number;
    sqlite3_bind_int64(placing->add, 1, parent);
    sqlite3_bind_text(placing->add, 2, label, -1, SQLITE_STATIC);
    return store_step(placing->store, placing->add) ? sqlite3_last_insert_rowid(placing->store->database) : 0;
}

static bool place_rows(struct placing *placing, sqlite3_stmt *rows, int64_t report) {
    bool good = true;
    for (placing->count = 1; good && sqlite3_step(rows) == SQLITE_ROW; placing->count++) {
        int64_t parent = placing->paths[sqlite3_column_int64(rows, 0)];
        int64_t path = path_number(placing, parent, (const char *)sqlite3_column_text(rows, 1));
        VECTOR_RESERVE(placing->paths, placing->count, placing->capacity);
        placing->paths[placing->count] = path;
        sqlite3_bind_int64(placing->place, 1, report);
        sqlite3_bind_int64(placing->place, 2, (int64_t)placing->count);
        sqlite3_bind_int64(placing->place, 3, path);
        sqlite3_bind_int64(placing->place, 4, parent);
        good = path && store_step(placing->store, placing->place);
    }
    return good;
}

bool tree_place(struct store *store, const struct selection *selection) {
    uint32_t node, parent;
    struct placing placing = {.store = store};
    row_tree(selection->shape->columns, selection->shape->column_count, &node, &parent);
    bool good = store_execute(store, tables);
    if (good) {
        placing.find = store_prepare(store, "SELECT id FROM temp.path WHERE parent = ?1 AND label = ?2");
        placing.add = store_prepare(store, "INSERT INTO temp.path(parent, label) VALUES(?1, ?2)");
        placing.place = store_prepare(store, "INSERT OR REPLACE INTO temp.place VALUES(?1, ?2, ?3, ?4)");
        good = placing.find && placing.add && placing.place;
    }
    VECTOR_RESERVE(placing.paths, 0, placing.capacity);
    placing.paths[0] = 0;
    for (uint32_t i = 0; i < selection->report_count && good; i++) {
        sqlite3_stmt *rows = prepare_tree_rows(store, selection, i, parent);
        good = rows && place_rows(&placing, rows, selection->reports[i]);
        sqlite3_finalize(rows);
    }
    free(placing.paths);
    sqlite3_finalize(placing.find);
    sqlite3_finalize(placing.add);
    sqlite3_finalize(placing.place);
    return good;
}

bool tree_end(struct store *store) {
    sqlite3_reset(store->read_text); /* no table is dropped while something is read */
    return store_execute(store, "DROP TABLE IF EXISTS temp.place; DROP TABLE IF EXISTS temp.path");
}

int64_t tree_path_count(struct store *store) {
    sqlite3_stmt *ask = store_prepare(store, "SELECT ifnull(max(id), 0) FROM temp.path");
    int64_t count = ask && sqlite3_step(ask) == SQLITE_ROW ? sqlite3_column_int64(ask, 0) : 0;
    sqlite3_finalize(ask);
    return count;
}

/* ---- rows as a tree ----------------------------------------------------------------------------------- */

struct reader {
    struct store *store;
    struct arena *arena;
    struct tree *tree;
    uint32_t capacity;
};

/* The column of call stacks; column_count: there is none. */
static uint32_t find_stack_column(const struct shape *shape) {
    uint32_t i = 0;
    while (i < shape->column_count &&
           (shape->columns[i].type != ROW_TEXT || strcmp(shape->columns[i].attribute, "$stack") != 0))
        i++;
    return i;
}

bool is_tree(const struct shape *shape) {
    uint32_t node, parent;
    return row_tree(shape->columns, shape->column_count, &node, &parent) ||
           find_stack_column(shape) < shape->column_count;
}

static struct tree_node *add_tree_node(struct reader *reader, uint32_t parent, const char *name,
                                       const struct cell *cells) {
    struct tree *tree = reader->tree;
    ARENA_RESERVE(reader->arena, tree->nodes, tree->count, reader->capacity);
    struct tree_node *node = &tree->nodes[tree->count++];
    *node = (struct tree_node){.parent = parent, .name = name, .cells = cells};
    node->depth = tree->count > 1 ? tree->nodes[parent].depth + 1 : 0;
    return node;
}

static const struct cell *read_row_cells(struct reader *reader, sqlite3_stmt *query) {
    const struct shape *shape = reader->tree->shape;
    struct cell *cells = arena_allocate(reader->arena, shape->column_count * sizeof *cells);
    for (uint32_t i = 0; i < shape->column_count; i++)
        cells[i] = store_cell(reader->store, query, (int)i, shape->columns[i].type, reader->arena);
    return cells;
}

/* The node whose path has that number; nodes are in the order of these numbers. */
static uint32_t find_tree_node(const struct tree *tree, uint32_t column, int64_t number) {
    uint32_t low = FIRST_NOT(1, tree->count, at, tree->nodes[at].cells[column].value.integer < number);
    return low < tree->count && tree->nodes[low].cells[column].value.integer == number ? low : 0;
}

static const char *tree_node_name(const struct shape *shape, const struct cell *cells) {
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (shape->columns[i].type == ROW_TEXT && !cells[i].missing)
            return cells[i].value.text;
    return "?";
}

static void add_tree_row(struct reader *reader, sqlite3_stmt *query, uint32_t node, uint32_t parent) {
    const struct cell *cells = read_row_cells(reader, query);
    add_tree_node(reader, find_tree_node(reader->tree, node, cells[parent].value.integer),
                  tree_node_name(reader->tree->shape, cells), cells);
}

/* Rows of stacks sorted so that the rows of each node are together: as if the separator were the lowest
   character. */
struct stack_row {
    const char *text;
    const struct cell *cells;
};

static int by_stack(const void *left, const void *right) {
    const char *a = ((const struct stack_row *)left)->text, *b = ((const struct stack_row *)right)->text;
    for (; *a && *a == *b; a++)
        b++;
    int first = *a == ';' ? 1 : *a ? 1 + (unsigned char)*a : 0;
    int second = *b == ';' ? 1 : *b ? 1 + (unsigned char)*b : 0;
    return first - second;
}

/* The node `depth` levels down on the path to the node. */
static uint32_t ancestor_at(const struct tree *tree, uint32_t node, uint32_t depth) {
    while (tree->nodes[node].depth > depth)
        node = tree->nodes[node].parent;
    return node;
}

static void add_tree_stack(struct reader *reader, const struct stack_row *row, uint32_t *last) {
    uint32_t depth = 0, node = 0;
    for (const char *at = row->text;;) {
        size_t length = strcspn(at, ";");
        depth++;
        uint32_t known =
            reader->tree->nodes[*last].depth >= depth ? ancestor_at(reader->tree, *last, depth) : 0;
        const char *name = known ? reader->tree->nodes[known].name : NULL;
        if (known && reader->tree->nodes[known].parent == node && strncmp(name, at, length) == 0 &&
            name[length] == '\0') {
            node = known;
        } else {
            add_tree_node(reader, node, arena_string(reader->arena, at, length), NULL);
            node = *last = reader->tree->count - 1;
        }
        at += length;
        if (!*at)
            break;
        at++;
    }
    reader->tree->nodes[node].cells = row->cells;
}

static bool read_stacks(struct reader *reader, sqlite3_stmt *query, uint32_t column) {
    struct stack_row *rows = NULL;
    size_t count = 0, capacity = 0;
    int state;
    while ((state = sqlite3_step(query)) == SQLITE_ROW) {
        VECTOR_RESERVE(rows, count, capacity);
        const struct cell *cells = read_row_cells(reader, query);
        rows[count++] =
            (struct stack_row){cells[column].missing ? "(other)" : cells[column].value.text, cells};
    }
    if (count > 0)
        qsort(rows, count, sizeof *rows, by_stack);
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++)
        add_tree_stack(reader, &rows[i], &last);
    free(rows);
    return state == SQLITE_DONE;
}

/* The same selection, with the stack alone as key. */
static struct selection by_stack_alone(const struct selection *selection, uint32_t column,
                                       struct arena *arena) {
    struct selection stacks = *selection;
    uint32_t count = selection->shape->column_count;
    stacks.by = arena_allocate(arena, count * sizeof(bool));
    stacks.shown = arena_allocate(arena, count * sizeof(bool));
    for (uint32_t i = 0; i < count; i++)
        stacks.shown[i] = stacks.by[i] = i == column;
    for (uint32_t i = 0; i < count; i++)
        stacks.shown[i] |= selection->shape->columns[i].role == ROW_MEASURE;
    return stacks;
}

/* ---- their order -------------------------------------------------------------------------------------- */

static int64_t node_value(const struct tree *tree, uint32_t node, uint32_t column) {
    const struct cell *cells = tree->nodes[node].cells;
    return cells && !cells[column].missing ? cells[column].value.integer : 0;
}

int64_t *tree_totals(const struct tree *tree, uint32_t column, struct arena *arena) {
    int64_t *totals = arena_allocate(arena, tree->count * sizeof *totals);
    for (uint32_t i = tree->count; i-- > 1;) {
        totals[i] = (int64_t)((uint64_t)totals[i] + (uint64_t)node_value(tree, i, column));
        totals[tree->nodes[i].parent] =
            (int64_t)((uint64_t)totals[tree->nodes[i].parent] + (uint64_t)totals[i]);
    }
    return totals;
}

/* For qsort(), which passes no context to its function. */
static _Thread_local const struct tree *sorted;
static _Thread_local const int64_t *sorted_totals;

static int compare_sorted_cells(enum row_type type, const struct cell *left, const struct cell *right) {
    if (left->missing || right->missing)
        return (int)left->missing - (int)right->missing;
    if (type == ROW_TEXT)
        return strcmp(left->value.text, right->value.text);
    if (type == ROW_REAL)
        return (left->value.real > right->value.real) - (left->value.real < right->value.real);
    return (left->value.integer > right->value.integer) - (left->value.integer < right->value.integer);
}

/* Compares labels, because numbers of nodes depend on the order of the reports. */
static int compare_labels(uint32_t left, uint32_t right) {
    const struct tree_node *a = &sorted->nodes[left], *b = &sorted->nodes[right];
    int order = strcmp(a->name, b->name);
    for (uint32_t i = 0; i < sorted->shape->column_count && order == 0 && a->cells && b->cells; i++) {
        const struct row_column *column = &sorted->shape->columns[i];
        if (column->role == ROW_KEY || column->role == ROW_LABEL)
            order = compare_sorted_cells(column->type, &a->cells[i], &b->cells[i]);
    }
    return order;
}

static int by_parent(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (sorted->nodes[a].parent != sorted->nodes[b].parent)
        return sorted->nodes[a].parent < sorted->nodes[b].parent ? -1 : 1;
    if (sorted_totals && sorted_totals[a] != sorted_totals[b])
        return sorted_totals[a] > sorted_totals[b] ? -1 : 1;
    int order = compare_labels(a, b);
    return order ? order : a < b ? -1 : 1;
}

/* Links children and siblings in their order. */
static void link_nodes(struct tree *tree) {
    uint32_t *order = allocate(tree->count * sizeof *order);
    for (uint32_t i = 0; i < tree->count; i++)
        order[i] = i;
    qsort(order + 1, tree->count - 1, sizeof *order, by_parent);
    for (uint32_t i = tree->count; i-- > 1;) {
        struct tree_node *parent = &tree->nodes[tree->nodes[order[i]].parent];
        tree->nodes[order[i]].next = parent->child;
        parent->child = order[i];
    }
    free(order);
}

/* Numbers the nodes in the order of the tree, depth first. */
static void renumber_nodes(struct tree *tree, struct arena *arena) {
    struct tree_node *nodes = arena_allocate(arena, tree->count * sizeof *nodes);
    uint32_t *numbers = allocate_zeroed(tree->count, sizeof *numbers), count = 0;
    for (uint32_t at = tree->nodes[0].child; at;) {
        const struct tree_node *node = &tree->nodes[at];
        numbers[at] = ++count;
        nodes[count] = *node;
        if (node->child) {
            at = node->child;
            continue;
        }
        while (at && !tree->nodes[at].next)
            at = tree->nodes[at].parent;
        at = at ? tree->nodes[at].next : 0;
    }
    nodes[0] = tree->nodes[0];
    for (uint32_t i = 0; i < tree->count; i++) {
        nodes[i].parent = numbers[nodes[i].parent];
        nodes[i].child = numbers[nodes[i].child];
        nodes[i].next = numbers[nodes[i].next];
    }
    tree->nodes = nodes;
    free(numbers);
}

bool tree_read(struct store *store, const struct selection *selection, struct arena *arena,
               struct tree *tree) {
    const struct shape *shape = selection->shape;
    uint32_t node, parent, stack = find_stack_column(shape);
    bool has_nodes = row_tree(shape->columns, shape->column_count, &node, &parent);
    *tree = (struct tree){.shape = shape, .measure = selection_measure(selection)};
    struct reader reader = {.store = store, .arena = arena, .tree = tree};
    struct selection asked = has_nodes ? *selection : by_stack_alone(selection, stack, arena);
    sqlite3_stmt *query = selection_prepare(store, &asked, has_nodes ? node : stack);
    int state = SQLITE_ROW;
    if (!query)
        return false;
    add_tree_node(&reader, 0, "", NULL);
    if (has_nodes)
        while ((state = sqlite3_step(query)) == SQLITE_ROW)
            add_tree_row(&reader, query, node, parent);
    bool good = has_nodes ? state == SQLITE_DONE : read_stacks(&reader, query, stack);
    if (!good)
        store_failed(store);
    sqlite3_finalize(query);
    sorted = tree;
    struct arena_mark mark = arena_mark(arena);
    sorted_totals = tree->measure < shape->column_count && shape->columns[tree->measure].type == ROW_INTEGER
                        ? tree_totals(tree, tree->measure, arena)
                        : NULL;
    link_nodes(tree);
    arena_release(arena, mark);
    renumber_nodes(tree, arena);
    return good;
}
