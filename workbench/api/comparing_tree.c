/* comparing_tree.c: merges the trees of two runs: each path of either run becomes a node. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/json.h"
#include "workbench/api/comparing.h"

struct node {
    uint32_t parent, child, next; /* 0: none */
    uint32_t name;                /* among the names */
    const struct compared *row;   /* NULL: only nodes below it have counts */
    double totals[2];
};
struct joined {
    struct compared_table *comparison;
    struct node *nodes; /* nodes[0] is the root; parents precede their children */
    uint32_t count, capacity;
    const char **names;
    uint32_t name_count, name_capacity;
    uint32_t *slots, slot_count; /* of names */
    uint32_t *by_parent;         /* slots of nodes, by parent and name; NULL: not needed */
    uint32_t by_parent_count;
};

static uint32_t hash_joined_name(const char *text, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

static void grow_names(struct joined *joined) {
    if (2 * (joined->name_count + 1) <= joined->slot_count)
        return;
    joined->slot_count = joined->slot_count ? 2 * joined->slot_count : 1024;
    joined->slots = arena_allocate(joined->comparison->arena, joined->slot_count * sizeof *joined->slots);
    for (uint32_t i = 0; i < joined->name_count; i++) {
        uint32_t slot = hash_joined_name(joined->names[i], strlen(joined->names[i]));
        while (joined->slots[slot & (joined->slot_count - 1)])
            slot++;
        joined->slots[slot & (joined->slot_count - 1)] = i + 1;
    }
}

static uint32_t joined_name_number(struct joined *joined, const char *text, size_t length) {
    grow_names(joined);
    for (uint32_t slot = hash_joined_name(text, length);; slot++) {
        uint32_t *number = &joined->slots[slot & (joined->slot_count - 1)];
        if (!*number) {
            ARENA_RESERVE(joined->comparison->arena, joined->names, joined->name_count,
                          joined->name_capacity);
            joined->names[joined->name_count++] = arena_string(joined->comparison->arena, text, length);
            *number = joined->name_count;
            return joined->name_count - 1;
        }
        const char *known = joined->names[*number - 1];
        if (strncmp(known, text, length) == 0 && known[length] == '\0')
            return *number - 1;
    }
}

static uint32_t add_joined_node(struct joined *joined, uint32_t parent, uint32_t name) {
    ARENA_RESERVE(joined->comparison->arena, joined->nodes, joined->count, joined->capacity);
    joined->nodes[joined->count] = (struct node){.parent = parent, .name = name};
    return joined->count++;
}

/* ---- of a table with nodes ------------------------------------------------------------------------------- */

static const char *first_text_of_row(struct compared_table *comparison, const struct compared *row) {
    const struct shape *shape = comparison->sides[0].shape;
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (shape->columns[i].type == ROW_TEXT && !compared_value(row, i)->missing)
            return store_text(comparison->store, compared_value(row, i)->value.integer);
    return "?";
}

/* A path's number is greater than that of its parent. */
static void join_nodes(struct joined *joined, int64_t paths) {
    struct compared_table *comparison = joined->comparison;
    uint32_t *places = arena_allocate(comparison->arena, ((size_t)paths + 1) * sizeof *places);
    for (int64_t path = 1; path <= paths; path++) {
        const struct compared *row = comparison->paths[path];
        if (!row)
            continue;
        const char *name = first_text_of_row(comparison, row);
        uint32_t parent = places[compared_value(row, comparison->parent)->value.integer];
        places[path] = add_joined_node(joined, parent, joined_name_number(joined, name, strlen(name)));
        joined->nodes[places[path]].row = row;
    }
}

/* ---- of a column of stacks ------------------------------------------------------------------------------- */

static uint32_t compared_stack_column(const struct shape *shape) {
    uint32_t i = 0;
    while (i < shape->column_count &&
           (shape->columns[i].type != ROW_TEXT || strcmp(shape->columns[i].attribute, "$stack") != 0))
        i++;
    return i;
}

static void grow_nodes(struct joined *joined) {
    if (2 * (joined->count + 1) <= joined->by_parent_count)
        return;
    joined->by_parent_count = joined->by_parent_count ? 2 * joined->by_parent_count : 1024;
    joined->by_parent =
        arena_allocate(joined->comparison->arena, joined->by_parent_count * sizeof *joined->by_parent);
    for (uint32_t i = 1; i < joined->count; i++) {
        uint32_t slot = (joined->nodes[i].parent * 0x9e3779b1u) ^ (joined->nodes[i].name * 0x85ebca6bu);
        while (joined->by_parent[slot & (joined->by_parent_count - 1)])
            slot++;
        joined->by_parent[slot & (joined->by_parent_count - 1)] = i;
    }
}

static uint32_t node_below(struct joined *joined, uint32_t parent, uint32_t name) {
    grow_nodes(joined);
    for (uint32_t slot = (parent * 0x9e3779b1u) ^ (name * 0x85ebca6bu);; slot++) {
        uint32_t at = slot & (joined->by_parent_count - 1), known = joined->by_parent[at];
        if (!known)
            return joined->by_parent[at] = add_joined_node(joined, parent, name);
        if (joined->nodes[known].parent == parent && joined->nodes[known].name == name)
            return known;
    }
}

static void join_stacks(struct joined *joined) {
    struct compared_table *comparison = joined->comparison;
    uint32_t column = compared_stack_column(comparison->sides[0].shape);
    for (uint32_t i = 0; i < comparison->all_count; i++) {
        const struct compared *row = &comparison->all[i];
        const struct cell *cell = compared_value(row, column);
        const char *text = cell->missing ? "(other)" : store_text(comparison->store, cell->value.integer);
        uint32_t node = 0;
        for (const char *at = text;; at++) {
            size_t length = strcspn(at, ";");
            node = node_below(joined, node, joined_name_number(joined, at, length));
            at += length;
            if (!*at)
                break;
        }
        joined->nodes[node].row = row;
    }
}

/* ---- the order of siblings ------------------------------------------------------------------------------- */

static void add_up(struct joined *joined) {
    const struct compared_table *comparison = joined->comparison;
    const struct shape *shape = comparison->sides[0].shape;
    uint32_t measure = comparison->measure;
    for (uint32_t i = joined->count - 1; i > 0; i--) {
        struct node *node = &joined->nodes[i];
        for (int side = 0; side < 2; side++) {
            if (node->row && measure < shape->column_count)
                node->totals[side] +=
                    compared_number(&shape->columns[measure], &node->row->sides[side][measure]);
            joined->nodes[node->parent].totals[side] += node->totals[side];
        }
    }
}

struct sibling {
    double totals[2];
    uint32_t node;
};

/* Orders siblings: the greatest in B first, then the greatest in A. */
static int by_total(const void *left, const void *right) {
    const struct sibling *a = left, *b = right;
    for (int side = 1; side >= 0; side--)
        if (a->totals[side] != b->totals[side])
            return a->totals[side] > b->totals[side] ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

/* The nodes depth first. */
static uint32_t *order_joined_nodes(struct joined *joined) {
    struct arena *arena = joined->comparison->arena;
    struct sibling *all = arena_allocate(arena, joined->count * sizeof *all);
    uint32_t *order = arena_allocate(arena, joined->count * sizeof *order), count = 0;
    for (uint32_t i = 1; i < joined->count; i++)
        all[i] = (struct sibling){{joined->nodes[i].totals[0], joined->nodes[i].totals[1]}, i};
    if (joined->count > 1)
        qsort(all + 1, joined->count - 1, sizeof *all, by_total);
    for (uint32_t i = joined->count; i-- > 1;) { /* each is put before its later siblings */
        struct node *node = &joined->nodes[all[i].node], *parent = &joined->nodes[node->parent];
        node->next = parent->child;
        parent->child = all[i].node;
    }
    for (uint32_t node = joined->nodes[0].child; node;) {
        order[count++] = node;
        if (joined->nodes[node].child) {
            node = joined->nodes[node].child;
            continue;
        }
        while (node && !joined->nodes[node].next)
            node = joined->nodes[node].parent;
        node = node ? joined->nodes[node].next : 0;
    }
    return order;
}

/* ---- written --------------------------------------------------------------------------------------------- */

static void put_node_json(FILE *stream, const char *text) {
    json_t *value = json_text(text);
    json_dumpf(value, stream, JSON_ENCODE_ANY);
    json_decref(value);
}

static void write_values(const struct joined *joined, const uint32_t *order, uint32_t column, int side,
                         FILE *stream) {
    enum row_type type = joined->comparison->sides[0].shape->columns[column].type;
    for (uint32_t i = 0; i + 1 < joined->count; i++) {
        const struct compared *row = joined->nodes[order[i]].row;
        const struct cell *cell = row ? &row->sides[side][column] : NULL;
        fputs(i ? "," : "", stream);
        if (!cell || cell->missing)
            fputc('0', stream);
        else if (type == ROW_REAL)
            fprintf(stream, "%.15g", cell->value.real);
        else
            fprintf(stream, llabs(cell->value.integer) > 9007199254740991 ? "\"%" PRId64 "\"" : "%" PRId64,
                    cell->value.integer);
    }
}

static void write_metrics(const struct joined *joined, const uint32_t *order, FILE *stream) {
    const struct shape *shape = joined->comparison->sides[0].shape;
    bool any = false;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (!compared_adds_up(&shape->columns[i]))
            continue;
        fprintf(stream, "%s{\"column\":%u,\"title\":", any ? "," : "", i);
        put_node_json(stream, shape->columns[i].title);
        fputs(",\"unit\":", stream);
        put_node_json(stream, shape->columns[i].unit);
        for (int side = 0; side < 2; side++) {
            fputs(side ? ",\"b\":[" : ",\"a\":[", stream);
            write_values(joined, order, i, side, stream);
            fputc(']', stream);
        }
        fputc('}', stream);
        any = true;
    }
}

void compared_tree_write(struct compared_table *comparison, FILE *stream) {
    struct joined joined = {.comparison = comparison, .name_capacity = 64};
    joined.names = arena_allocate(comparison->arena, joined.name_capacity * sizeof *joined.names);
    add_joined_node(&joined, 0, 0);
    if (comparison->is_tree)
        join_nodes(&joined, comparison->path_count);
    else
        join_stacks(&joined);
    add_up(&joined);
    uint32_t *order = order_joined_nodes(&joined);
    uint32_t *places = arena_allocate(comparison->arena, joined.count * sizeof *places);
    fputs("{\"name\":[", stream);
    for (uint32_t i = 0; i + 1 < joined.count; i++) {
        places[order[i]] = i + 1;
        fprintf(stream, "%s%u", i ? "," : "", joined.nodes[order[i]].name);
    }
    fputs("],\"parent\":[", stream);
    for (uint32_t i = 0; i + 1 < joined.count; i++)
        fprintf(stream, "%s%u", i ? "," : "", places[joined.nodes[order[i]].parent]);
    fputs("],\"names\":[", stream);
    for (uint32_t i = 0; i < joined.name_count; i++) {
        fputs(i ? "," : "", stream);
        put_node_json(stream, joined.names[i]);
    }
    fputs("],\"metrics\":[", stream);
    write_metrics(&joined, order, stream);
    fputs("]}", stream);
}
