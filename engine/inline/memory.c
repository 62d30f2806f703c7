/* memory.c: the memory accesses of a graph: values that loads find, accesses that may overlap, and the
   merging of two paths into one sequence without a branch. Requires nodes folded by inline/graph.c. */
#include <string.h>

#include "engine/inline/internal.h"

enum { MOST_ALIGNED = 40 }; /* limit of graph_merge for the accesses on one path */

/* ---- addresses ------------------------------------------------------------------------------------------------ */

static bool masks_address(uint16_t form) {
    return form == FORM_ROUNDED_QUAD;
}

/* The bytes of an access: from base + low up to, not including, base + high; base NO_INDEX means 0. */
struct span {
    uint32_t base;
    int64_t low, high;
};

static struct span access_span(const struct graph *graph, const struct access *access) {
    const struct node *node = &graph->nodes[access->address];
    struct span span = {.base = access->address};
    uint64_t number = 0;
    if (node->kind == NODE_CONSTANT) {
        span.base = NO_INDEX;
        number = node->number;
    } else if (node->kind == NODE_OPERATE && node->operation == OPERATOR_ADD &&
               node_is_constant(graph, node->b, &number)) {
        span.base = node->a;
    } else {
        number = 0;
    }
    bool masks = masks_address(access->operation);
    span.low = (int64_t)number - (masks ? 7 : 0);
    span.high = (int64_t)number + form_size(access->operation);
    return span;
}

/* The lowest and the highest byte that the access may touch. */
static void reach_of(const struct graph *graph, uint32_t address, uint16_t form, uint64_t *low,
                     uint64_t *high) {
    const struct node *node = &graph->nodes[address];
    bool masks = masks_address(form);
    *low = masks ? node->low & ~UINT64_C(7) : node->low;
    *high = masks ? node->high | 7 : node->high + form_size(form) - 1;
    if (*high < node->high)
        *high = UINT64_MAX;
}

static bool may_overlap(const struct graph *graph, const struct access *a, const struct access *b) {
    struct span first = access_span(graph, a), second = access_span(graph, b);
    if (first.base == second.base && (first.high <= second.low || second.high <= first.low))
        return false;
    uint64_t a_low, a_high, b_low, b_high;
    reach_of(graph, a->address, a->operation, &a_low, &a_high);
    reach_of(graph, b->address, b->operation, &b_low, &b_high);
    return a_low <= b_high && b_low <= a_high;
}

static const struct segment *segment_at(const struct rewrite *rewrite, uint64_t low, uint64_t high) {
    const struct program *image = rewrite->analysis->program;
    for (uint32_t s = 0; s < image->segment_count; s++) {
        const struct segment *segment = &image->segments[s];
        if (low >= segment->address && high < segment->address + segment->memory_size && low <= high)
            return segment;
    }
    return NULL;
}

/* True if the access is valid for any value of its address. */
static bool is_safe(const struct graph *graph, const struct access *access) {
    uint64_t low, high;
    unsigned size = form_size(access->operation);
    if (!graph->rewrite)
        return false;
    if (!masks_address(access->operation) && size > 1u << graph->nodes[access->address].zeros % 32)
        return false; /* perhaps not aligned */
    reach_of(graph, access->address, access->operation, &low, &high);
    if (low == graph->machine->layout->scratch && high == low + size - 1)
        return true;
    uint64_t cells =
        cell_address(graph->rewrite->machine, graph->rewrite->sites ? graph->rewrite->sites->cells : 0);
    if (low >= graph->machine->layout->cells && low <= high && high < cells)
        return true;
    const struct segment *segment = segment_at(graph->rewrite, low, high);
    return segment && (access->kind == ACCESS_LOAD || segment->flags & PF_W);
}

/* ---- loads and stores -------------------------------------------------------------------------------------------- */

static void push_access(struct graph *graph, struct access access) {
    if (graph->access_count >= MOST_ACCESSES) {
        graph_fail(graph, INLINE_TOO_LARGE);
        return;
    }
    access.origin = graph->origin;
    graph->accesses[graph->access_count++] = access;
}

/* The value that a load finds if it matches the store. */
static uint32_t stored_value(struct graph *graph, uint16_t form, uint32_t value) {
    switch (form) {
    case FORM_INT:
        return graph_operate(graph, OPERATOR_ADD_INT, value, graph_constant(graph, 0));
    case FORM_BYTE:
        return graph_operate(graph, OPERATOR_AND, value, graph_constant(graph, 0xff));
    case FORM_WORD:
        return graph_operate(graph, OPERATOR_KEEP_BYTES, value, graph_constant(graph, 3));
    default:
        return value;
    }
}

/* The contents of memory as far as earlier accesses determine it, or NO_INDEX. */
static uint32_t known_content(struct graph *graph, const struct access *load) {
    for (uint32_t i = graph->access_count; i-- > 0;) {
        const struct access *access = &graph->accesses[i];
        if (access->kind == ACCESS_BAIL_OUT || access->kind == ACCESS_SKIP)
            continue;
        bool same = access->address == load->address;
        if (access->kind == ACCESS_LOAD && same && access->operation == load->operation)
            return access->value;
        if (access->kind == ACCESS_STORE && same && access->operation == load->operation)
            return stored_value(graph, load->operation, access->value);
        if (access->kind == ACCESS_STORE && may_overlap(graph, access, load))
            return NO_INDEX;
    }
    return NO_INDEX;
}

/* The linker's address table is writable, but no code writes it in a static image. */
static bool is_constant_memory(const struct rewrite *rewrite, uint64_t low, uint64_t high) {
    const struct segment *segment = segment_at(rewrite, low, high);
    bool in_table = low >= rewrite->routines->address_table && high < rewrite->routines->address_table_end;
    return segment && (in_table || !(segment->flags & PF_W)) && high < segment->address + segment->file_size;
}

static bool constant_content(const struct graph *graph, const struct access *load, uint64_t *value) {
    uint64_t address;
    if (!graph->rewrite || !node_is_constant(graph, load->address, &address))
        return false;
    unsigned size = form_size(load->operation);
    *value = 0;
    if (address == graph->machine->layout->scratch)
        return true;
    if (!is_constant_memory(graph->rewrite, address, address + size - 1))
        return false;
    const void *bytes = analysis_bytes(graph->rewrite->analysis, address, size);
    if (!bytes)
        return false;
    memcpy(value, bytes, size); /* little-endian, like the host */
    if (load->operation == FORM_INT)
        *value = (uint64_t)(int64_t)(int32_t)*value;
    return true;
}

/* A masked constant address becomes a constant. */
static void settle_address(struct graph *graph, struct access *access) {
    uint64_t address;
    if (!masks_address(access->operation) || !node_is_constant(graph, access->address, &address))
        return;
    access->address = graph_constant(graph, address & ~UINT64_C(7));
    access->operation = FORM_QUAD;
}

uint32_t graph_load(struct graph *graph, enum access_form form, uint32_t address) {
    struct access access = {.kind = ACCESS_LOAD, .operation = (uint16_t)form, .address = address};
    uint64_t value;
    settle_address(graph, &access);
    if (constant_content(graph, &access, &value))
        return graph_constant(graph, value);
    uint32_t known = known_content(graph, &access);
    if (known != NO_INDEX)
        return known;
    access.safe = is_safe(graph, &access);
    access.value = graph_add(graph, (struct node){.kind = NODE_LOAD,
                                                  .operation = access.operation,
                                                  .number = graph->load_count++,
                                                  .high = form == FORM_BYTE   ? 0xff
                                                          : form == FORM_WORD ? 0xffff
                                                                              : UINT64_MAX});
    push_access(graph, access);
    return access.value;
}

void graph_store(struct graph *graph, enum access_form form, uint32_t address, uint32_t value) {
    struct access access = {.kind = ACCESS_STORE, .operation = (uint16_t)form, .address = address};
    uint64_t number;
    settle_address(graph, &access);
    if (node_is_constant(graph, access.address, &number) && number == graph->machine->layout->scratch)
        return;
    if (access.operation == FORM_INT || access.operation == FORM_BYTE || access.operation == FORM_WORD)
        value = graph_low_half(graph, value);
    struct access load = {
        .kind = ACCESS_LOAD, .operation = (uint16_t)access.operation, .address = access.address};
    if (known_content(graph, &load) == value)
        return; /* unchanged */
    access.value = value;
    access.safe = is_safe(graph, &access);
    push_access(graph, access);
}

static uint16_t tested_condition(struct condition condition, bool negated) {
    return (uint16_t)(negated ? opposite_condition(condition.test) : condition.test);
}

void graph_bail_out(struct graph *graph, struct condition condition) {
    bool holds;
    if (graph_is_settled(graph, condition, &holds)) {
        if (!holds)
            return;
        condition = (struct condition){.test = CONDITION_NONZERO, .node = graph_constant(graph, 1)};
    }
    uint16_t test = tested_condition(condition, condition.negated);
    push_access(graph, (struct access){.kind = ACCESS_BAIL_OUT, .operation = test, .value = condition.node});
}

bool graph_skip(struct graph *graph, struct condition unless) {
    bool holds;
    if (graph_is_settled(graph, unless, &holds))
        return holds;
    uint16_t test = tested_condition(unless, !unless.negated);
    push_access(graph, (struct access){.kind = ACCESS_SKIP, .operation = test, .value = unless.node});
    return true;
}

static bool is_overwritten(const struct graph *graph, uint32_t store) {
    const struct access *access = &graph->accesses[store];
    for (uint32_t i = store + 1; i < graph->access_count; i++) {
        const struct access *later = &graph->accesses[i];
        if (later->kind == ACCESS_BAIL_OUT || later->kind == ACCESS_SKIP ||
            (later->kind == ACCESS_LOAD && may_overlap(graph, access, later)))
            return false;
        if (later->kind == ACCESS_STORE && later->address == access->address &&
            later->operation == access->operation)
            return true;
    }
    return false;
}

void graph_drop_dead_stores(struct graph *graph) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < graph->access_count; i++)
        if (graph->accesses[i].kind != ACCESS_STORE || !is_overwritten(graph, i))
            graph->accesses[kept++] = graph->accesses[i];
    graph->access_count = kept;
}

bool graph_bail_out_first(struct graph *graph) {
    uint32_t leaves = 0, kept = 0, moved = 0;
    for (uint32_t i = 0; i < graph->access_count; i++)
        if (graph->accesses[i].kind == ACCESS_BAIL_OUT)
            leaves = i + 1;
    struct access stores[MOST_ACCESSES];
    for (uint32_t i = 0; i < leaves; i++) {
        struct access access = graph->accesses[i];
        if (moved > 0 && access.kind == ACCESS_SKIP) /* stores before the end have to be made first */
            return false;
        for (uint32_t s = 0; s < moved && access.kind == ACCESS_LOAD; s++)
            if (may_overlap(graph, &stores[s], &access))
                return false;
        if (access.kind == ACCESS_STORE)
            stores[moved++] = access;
        else
            graph->accesses[kept++] = access;
    }
    for (uint32_t s = 0; s < moved; s++)
        graph->accesses[kept++] = stores[s]; /* cppcheck-suppress uninitvar; the first `moved` are set */
    return true;
}

/* ---- copies ----------------------------------------------------------------------------------------------------- */

uint32_t graph_copy_node(struct graph_copy *copy, uint32_t index) {
    if (copy->map[index] != NO_INDEX)
        return copy->map[index];
    struct node node = copy->from->nodes[index];
    uint32_t result;
    if (node.kind == NODE_OPERATE) {
        uint32_t a = graph_copy_node(copy, node.a), b = graph_copy_node(copy, node.b);
        result = graph_operate(copy->to, node.operation, a, b);
    } else if (node.kind == NODE_SELECT) {
        uint32_t test = graph_copy_node(copy, node.a);
        uint32_t yes = graph_copy_node(copy, node.b), no = graph_copy_node(copy, node.c);
        result = graph_select(copy->to, graph_condition(copy->to, node.operation, test), yes, no);
    } else if (node.kind == NODE_CONSTANT) {
        result = graph_constant(copy->to, node.number);
    } else {
        result = graph_add(copy->to, node);
    }
    copy->map[index] = result;
    return result;
}

bool graph_copy_access(struct graph_copy *copy, struct access access) {
    if (access.kind == ACCESS_BAIL_OUT) {
        uint32_t tested = graph_copy_node(copy, access.value);
        graph_bail_out(copy->to, graph_condition(copy->to, access.operation, tested));
        return true;
    }
    if (access.kind == ACCESS_SKIP) {
        struct condition skips =
            graph_condition(copy->to, access.operation, graph_copy_node(copy, access.value));
        skips.negated = !skips.negated;
        return graph_skip(copy->to, skips);
    }
    uint32_t address = graph_copy_node(copy, access.address);
    copy->to->origin = access.origin;
    if (access.kind == ACCESS_LOAD)
        copy->map[access.value] = graph_load(copy->to, access.operation, address);
    else
        graph_store(copy->to, access.operation, address, graph_copy_node(copy, access.value));
    return true;
}

/* ---- two ways ---------------------------------------------------------------------------------------------------- */

/* The accesses of one path, and its values in the merged sequence. */
struct way {
    struct access accesses[MOST_ACCESSES];
    uint32_t count;
    struct condition condition; /* for taking it */
    struct graph_copy copy;
    uint32_t map[MOST_NODES]; /* copy.map */
};

static bool is_good(const struct graph *graph, const struct access *access, uint32_t address) {
    if (access->safe)
        return true;
    for (uint32_t i = 0; i < graph->access_count; i++) /* it has been accessed in the same way */
        if (graph->accesses[i].kind == access->kind && graph->accesses[i].address == address &&
            form_size(graph->accesses[i].operation) >= form_size(access->operation))
            return true;
    return false;
}

/* An access on one path only: on the other path it accesses a harmless place, or, if it is a store, stores
   the value that is there. */
static void merge_single(struct graph *graph, struct way *way, struct access access) {
    if (access.kind == ACCESS_BAIL_OUT) {
        uint32_t value = graph_copy_node(&way->copy, access.value), zero = graph_constant(graph, 0);
        value = graph_boolean(graph, graph_condition(graph, access.operation, value));
        value = graph_select(graph, way->condition, value, zero);
        graph_bail_out(graph, graph_condition(graph, CONDITION_NONZERO, value));
        return;
    }
    uint32_t address = graph_copy_node(&way->copy, access.address);
    graph->origin = access.origin;
    bool good = is_good(graph, &access, address);
    if (!good)
        address = graph_select(graph, way->condition, address,
                               graph_constant(graph, graph->machine->layout->scratch));
    if (access.kind == ACCESS_LOAD) {
        way->copy.map[access.value] = graph_load(graph, access.operation, address);
        return;
    }
    uint32_t value = graph_copy_node(&way->copy, access.value);
    if (good) {
        if (access.operation == FORM_INT)
            value = graph_low_half(graph, value);
        uint32_t old = graph_load(graph, access.operation, address);
        value = graph_select(graph, way->condition, value, old);
    }
    graph_store(graph, access.operation, address, value);
}

static void merge_pair(struct graph *graph, struct way *yes, struct way *no, struct access a,
                       struct access b) {
    uint32_t address = graph_select(graph, yes->condition, graph_copy_node(&yes->copy, a.address),
                                    graph_copy_node(&no->copy, b.address));
    graph->origin = a.origin;
    if (a.kind == ACCESS_LOAD) {
        uint32_t value = graph_load(graph, a.operation, address);
        yes->copy.map[a.value] = value;
        no->copy.map[b.value] = value;
        return;
    }
    uint32_t first = graph_copy_node(&yes->copy, a.value), second = graph_copy_node(&no->copy, b.value);
    if (a.operation == FORM_INT) {
        first = graph_low_half(graph, first);
        second = graph_low_half(graph, second);
    }
    graph_store(graph, a.operation, address, graph_select(graph, yes->condition, first, second));
}

/* The gain of merging two accesses into one; 0 if that is impossible. */
static uint8_t pair_worth(const struct access *a, const struct access *b) {
    if (a->kind != b->kind || a->operation != b->operation || a->kind == ACCESS_BAIL_OUT)
        return 0;
    return a->address == b->address ? 5 : 3;
}

/* Finds the best alignment of the two sequences, as for strings, and merges them by it. */
static void merge_accesses(struct graph *graph, struct way *yes, struct way *no) {
    static const struct access none;
    uint8_t best[MOST_ALIGNED + 1][MOST_ALIGNED + 1] = {{0}};
    uint32_t i, j;
    for (i = yes->count; i-- > 0;)
        for (j = no->count; j-- > 0;) {
            uint8_t worth = pair_worth(&yes->accesses[i], &no->accesses[j]);
            best[i][j] = best[i + 1][j] > best[i][j + 1] ? best[i + 1][j] : best[i][j + 1];
            if (worth && best[i + 1][j + 1] + worth > best[i][j])
                best[i][j] = (uint8_t)(best[i + 1][j + 1] + worth);
        }
    for (i = 0, j = 0; i < yes->count || j < no->count;) {
        const struct access *a = i < yes->count ? &yes->accesses[i] : &none;
        const struct access *b = j < no->count ? &no->accesses[j] : &none;
        bool both = i < yes->count && j < no->count;
        if (both && pair_worth(a, b) && best[i][j] == best[i + 1][j + 1] + pair_worth(a, b))
            merge_pair(graph, yes, no, yes->accesses[i++], no->accesses[j++]);
        else if (i < yes->count && (j == no->count || best[i][j] == best[i + 1][j]))
            merge_single(graph, yes, yes->accesses[i++]);
        else
            merge_single(graph, no, no->accesses[j++]);
    }
}

static void find_path(struct way *way, struct graph *graph, struct condition condition, uint32_t first,
                      uint32_t end) {
    way->count = end - first;
    way->condition = condition;
    way->copy = (struct graph_copy){.from = graph, .to = graph, .map = way->map};
    memcpy(way->accesses, graph->accesses + first, way->count * sizeof *way->accesses);
    memset(way->map, 0xff, sizeof way->map);
}

void graph_merge(struct graph *graph, struct condition condition, uint32_t before, uint32_t between,
                 uint32_t (*pairs)[2], uint32_t pair_count) {
    struct condition not = condition;
    not .negated = !not .negated;
    struct way yes, no;
    find_path(&yes, graph, condition, before, between);
    find_path(&no, graph, not, between, graph->access_count);
    graph->access_count = before;
    if (yes.count > MOST_ALIGNED || no.count > MOST_ALIGNED)
        graph_fail(graph, INLINE_TOO_LARGE);
    else
        merge_accesses(graph, &yes, &no);
    for (uint32_t i = 0; i < pair_count; i++)
        pairs[i][0] = graph_select(graph, condition, graph_copy_node(&yes.copy, pairs[i][0]),
                                   graph_copy_node(&no.copy, pairs[i][1]));
}
