/* merge.c: atomc merge: the tables of several processes or runs as one. */
#include <stdlib.h>
#include <string.h>

#include "runs/results/results.h"
#include "runs/results/tree.h"

/* Refuses reports of other tools or parameters. Refuses reports of other programs, unless they are combined
   by keys that programs have in common. */
static bool belong_together(const struct request *request, struct store *store,
                            const struct selections *selections) {
    if (selections->count > 1) {
        diagnose(request->diagnostics, NULL, MESSAGE_MERGE_OTHER, selections->list[0].shape->tool,
                 selections->list[0].shape->report, selections->list[1].shape->tool,
                 selections->list[1].shape->report);
        diagnose_hint(request->diagnostics, "merge the files of one table at a time: FOLDER/*/%s.1.rows",
                      selections->list[0].shape->tool);
        return false;
    }
    return may_be_merged(request, store, &selections->list[0]);
}

/* The new numbers of the columns that shares and ratios are computed from, once some columns are
   removed. */
static void renumber_columns(struct row_column *columns, uint32_t count, const uint32_t *places) {
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            columns[i].of[k] = places[columns[i].of[k]];
}

/* The columns that are printed, and which of the query's each is. */
static struct row_column *printed_columns(const struct request *request, const struct selection *selection,
                                          uint32_t **numbers, uint32_t *count) {
    const struct shape *shape = selection->shape;
    struct row_column *columns = arena_allocate(request->arena, shape->column_count * sizeof *columns);
    uint32_t *places = arena_allocate(request->arena, shape->column_count * sizeof *places);
    *numbers = arena_allocate(request->arena, shape->column_count * sizeof **numbers);
    *count = 0;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        bool rows = request->form == PRINT_ROWS;
        bool shown =
            selection->shown[i] && (rows ? shape->columns[i].merge != ROW_NONE : !shape->columns[i].hidden);
        if (!shown)
            continue;
        columns[*count] = shape->columns[i];
        if (request->by && selection->by[i] && columns[*count].role == ROW_LABEL)
            columns[*count].role = ROW_KEY;
        places[i] = *count;
        (*numbers)[(*count)++] = i;
    }
    renumber_columns(columns, *count, places);
    return columns;
}

/* The busiest first, then by their keys. */
static void write_order(const struct selection *selection, FILE *stream) {
    uint32_t measure = selection_measure(selection);
    fputs(" ORDER BY ", stream);
    if (measure < selection->shape->column_count)
        fprintf(stream, "c%u DESC, ", measure);
    for (uint32_t i = 0; i < selection->shape->column_count; i++)
        if (selection->by[i])
            fprintf(stream,
                    selection->shape->columns[i].type == ROW_TEXT
                        ? "(SELECT value FROM text WHERE id = c%u), "
                        : "c%u, ",
                    i);
    fputc('1', stream);
}

/* A tree in the order of reading; its nodes are numbered in the order of output. */
static bool print_tree(const struct request *request, struct store *store, const struct selection *selection,
                       struct printer *printer, const uint32_t *numbers) {
    struct tree tree;
    if (!tree_read(store, selection, request->arena, &tree))
        return false;
    struct cell *cells = arena_allocate(request->arena, printer->column_count * sizeof *cells);
    print_begin(printer, selection->shape->tool, selection->shape->report,
                selection_header(store, selection, request->by));
    for (uint32_t i = 1; i < tree.count; i++) {
        for (uint32_t k = 0; k < printer->column_count; k++) {
            cells[k] = tree.nodes[i].cells[numbers[k]];
            if (printer->columns[k].role == ROW_NODE)
                cells[k].value.integer = i;
            else if (printer->columns[k].role == ROW_PARENT)
                cells[k].value.integer = tree.nodes[i].parent;
        }
        print_row(printer, cells);
    }
    print_end(printer);
    return true;
}

static bool print_rows(const struct request *request, struct store *store, const struct selection *selection,
                       struct printer *printer, const uint32_t *numbers) {
    char *sql = NULL;
    size_t size;
    FILE *text = open_memstream(&sql, &size);
    selection_write(selection, text);
    write_order(selection, text);
    fclose(text);
    sqlite3_stmt *query = store_prepare(store, sql);
    free(sql);
    struct cell *cells = arena_allocate(request->arena, printer->column_count * sizeof *cells);
    int state = SQLITE_DONE;
    print_begin(printer, selection->shape->tool, selection->shape->report,
                selection_header(store, selection, request->by));
    while (query && (state = sqlite3_step(query)) == SQLITE_ROW) {
        struct arena_mark mark = arena_mark(request->arena);
        for (uint32_t i = 0; i < printer->column_count; i++)
            cells[i] = store_cell(store, query, (int)numbers[i], printer->columns[i].type, request->arena);
        print_row(printer, cells);
        arena_release(request->arena, mark);
    }
    print_end(printer);
    if (state != SQLITE_DONE)
        store_failed(store);
    sqlite3_finalize(query);
    return query && state == SQLITE_DONE;
}

static bool print_merged(const struct request *request, struct store *store,
                         const struct selection *selection, FILE *stream) {
    const struct shape *shape = selection->shape;
    uint32_t *numbers, count, node, parent;
    struct row_column *columns = printed_columns(request, selection, &numbers, &count);
    struct printer printer = {
        .form = request->form, .stream = stream, .columns = columns, .column_count = count};
    return row_tree(shape->columns, shape->column_count, &node, &parent)
               ? print_tree(request, store, selection, &printer, numbers)
               : print_rows(request, store, selection, &printer, numbers);
}

bool merge_results(const struct request *request, FILE *stream) {
    struct store store;
    struct selections selections = {NULL, 0, 0};
    bool good = store_open(&store, NULL, STORE_WRITE, request->diagnostics) &&
                add_inputs(request, &store, request->inputs, request->input_count, &selections) &&
                belong_together(request, &store, &selections) &&
                selection_choose(&store, &selections.list[0], request->by) &&
                print_merged(request, &store, &selections.list[0], stream);
    store_close(&store);
    return good;
}
