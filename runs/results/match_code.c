/* match_code.c: see match.h. Procedures of two builds that have the same instructions. */
#include <stdlib.h>
#include <string.h>

#include "runs/results/match.h"
#include "support/search.h"

/* For each of B's procedures, the matching procedure of A; NULL: none. */
struct pairing {
    /* A's, sorted by the properties that must be equal, then by address */
    const struct code_procedure **sorted;
    bool *taken; /* indexed by position in .sorted */
    size_t count;
};

static int by_code(const struct code_procedure *a, const struct code_procedure *b) {
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = strcmp(a->shape, b->shape);
    return order ? order : strcmp(a->object, b->object);
}

static int by_code_and_address(const void *left, const void *right) {
    const struct code_procedure *a = *(const struct code_procedure *const *)left,
                                *b = *(const struct code_procedure *const *)right;
    int order = by_code(a, b);
    return order ? order : a->pc < b->pc ? -1 : a->pc > b->pc;
}

static size_t first_like(const struct pairing *pairing, const struct code_procedure *procedure) {
    return FIRST_NOT(0, pairing->count, at, by_code(pairing->sorted[at], procedure) < 0);
}

/* Prefers the same path, otherwise the longest common end of the paths, of at least one name, unless a file
   is unknown. */
static const struct code_procedure *take_nearest(struct pairing *pairing,
                                                 const struct code_procedure *procedure, bool same_path) {
    size_t nearest = pairing->count;
    uint32_t most = 0;
    for (size_t i = first_like(pairing, procedure);
         i < pairing->count && by_code(pairing->sorted[i], procedure) == 0; i++) {
        const char *file = pairing->sorted[i]->file;
        bool same = strcmp(file, procedure->file) == 0;
        uint32_t names = !*file || !*procedure->file ? 1 : common_path_end(file, procedure->file);
        if (pairing->taken[i] || (same_path ? !same : names == 0) ||
            (nearest < pairing->count && names <= most))
            continue;
        nearest = i;
        most = names;
    }
    if (nearest == pairing->count)
        return NULL;
    pairing->taken[nearest] = true;
    return pairing->sorted[nearest];
}

static bool add_matched_part(struct store *store, sqlite3_stmt *insert, int side, uint64_t pc, uint64_t size,
                             uint64_t distance) {
    sqlite3_bind_int(insert, 1, side);
    sqlite3_bind_int64(insert, 2, (int64_t)pc);
    sqlite3_bind_int64(insert, 3, (int64_t)(pc + size));
    sqlite3_bind_int64(insert, 4, (int64_t)distance);
    return store_step(store, insert);
}

static bool keep_pairs(struct store *store, const struct code codes[2], uint32_t *pairs) {
    static const char table[] =
        "DROP TABLE IF EXISTS temp.match_code; CREATE TEMP TABLE match_code(side INTEGER NOT NULL, pc "
        "INTEGER "
        "NOT NULL, behind INTEGER NOT NULL, distance INTEGER NOT NULL, PRIMARY KEY(side, pc)) WITHOUT ROWID";
    if (!store_execute(store, table))
        return false;
    struct pairing pairing = {.sorted = allocate((codes[0].count + 1) * sizeof *pairing.sorted),
                              .taken = allocate_zeroed(codes[0].count + 1, sizeof(bool)),
                              .count = codes[0].count};
    bool *done = allocate_zeroed(codes[1].count + 1, sizeof *done);
    sqlite3_stmt *insert =
        store_prepare(store, "INSERT OR IGNORE INTO temp.match_code VALUES(?1, ?2, ?3, ?4)");
    bool good = insert != NULL;
    for (size_t i = 0; i < pairing.count; i++)
        pairing.sorted[i] = &codes[0].list[i];
    if (pairing.count)
        qsort(pairing.sorted, pairing.count, sizeof *pairing.sorted, by_code_and_address);
    for (int same_path = 1; same_path >= 0; same_path--)
        for (size_t i = 0; i < codes[1].count && good; i++) {
            const struct code_procedure *second = &codes[1].list[i];
            const struct code_procedure *first = done[i] ? NULL : take_nearest(&pairing, second, same_path);
            if (!first)
                continue;
            uint64_t size = first->size < second->size ? first->size : second->size; /* padding may differ */
            done[i] = true;
            ++*pairs;
            good = add_matched_part(store, insert, 0, first->pc, size, 0) &&
                   add_matched_part(store, insert, 1, second->pc, size, first->pc - second->pc);
        }
    sqlite3_finalize(insert);
    free(pairing.sorted);
    free(pairing.taken);
    free(done);
    return good;
}

bool is_place_key(const struct row_column *column) {
    return column->role == ROW_KEY && column->type == ROW_ADDRESS;
}

/* SQL: the address of the column, as A numbers it. */
static const char *matched_address(struct store *store, int side, uint32_t column) {
    return arena_format(store->arena,
                        "(SELECT iif(c%u < m.behind, c%u + m.distance, NULL) FROM temp.match_code AS m WHERE "
                        "m.side = %d AND m.pc <= c%u ORDER BY m.pc DESC LIMIT 1)",
                        column, column, side, column);
}

static void replace_places(struct store *store, struct selection *selection, int side) {
    const struct shape *shape = selection->shape;
    const char *all = ""; /* true if an address has no counterpart */
    uint32_t places = 0;
    if (!selection->values)
        selection->values = arena_allocate(store->arena, shape->column_count * sizeof *selection->values);
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (is_place_key(&shape->columns[i]))
            all = arena_format(store->arena, "%s%s%s IS NULL", all, places++ ? " OR " : "",
                               matched_address(store, side, i));
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        if (is_place_key(column))
            selection->values[i] = places == 1 ? matched_address(store, side, i)
                                               : arena_format(store->arena, "iif(%s, NULL, %s)", all,
                                                              matched_address(store, side, i));
        else if (column->type == ROW_ADDRESS && column->role == ROW_LABEL)
            selection->values[i] =
                arena_format(store->arena, "iif(%s, NULL, %s)", all, matched_address(store, side, i));
        else if (column->type == ROW_TEXT && selection->values[i] && has_names(column)) /* the same clones */
            selection->values[i] =
                arena_format(store->arena, "iif(%s, %s, c%u)", all, selection->values[i], i);
        else if (column->type != ROW_TEXT && (column->role == ROW_KEY || column->role == ROW_LABEL))
            selection->values[i] = arena_format(store->arena, "iif(%s, NULL, c%u)", all, i);
    }
}

bool has_places(const struct shape *shape) {
    bool any = false;
    for (uint32_t i = 0; i < shape->column_count; i++)
        any |= is_place_key(&shape->columns[i]);
    return any;
}

bool match_code(struct store *store, struct selection *sides, const struct code *codes, uint32_t *pairs) {
    *pairs = 0;
    if (!keep_pairs(store, codes, pairs))
        return false;
    for (int side = 0; side < 2; side++)
        replace_places(store, &sides[side], side);
    return true;
}
