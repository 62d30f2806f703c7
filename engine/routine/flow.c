/* flow.c: the control flow of a routine's copy, the definitions of a register that reach the same uses
   (webs), and liveness by the calling standard. Requires the ops. */
#include "engine/routine/internal.h"

#include <string.h>

/* Registers that a routine may change, except those with fixed uses. */
static register_set renameable(const struct routine_copy *copy) {
    return caller_saved(copy->registers) &
           ~(set_of(copy->registers->link) | set_of(copy->registers->data_base));
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

void op_set_word(const struct routine_copy *copy, struct op *op, uint32_t word) {
    op->word = word;
    copy->analysis->program->architecture->decode(word, &op->facts);
}

void operand_fields(const struct routine_copy *copy, const struct op *op,
                    struct operand_field fields[OPERANDS]) {
    for (unsigned f = 0; f < OPERANDS; f++) {
        unsigned reg = op->facts.operand[f];
        bool is_register = reg < 64 && !(copy->machine->constant_registers >> reg & 1);
        fields[f] = (struct operand_field){.reg = (uint8_t)(is_register ? reg : NO_FIELD),
                                           .reads = is_register && op->facts.fields_read >> f & 1,
                                           .writes = is_register && op->facts.fields_written >> f & 1};
    }
}

register_set op_reads(const struct routine_copy *copy, const struct op *op) {
    struct operand_field fields[OPERANDS];
    register_set set = op->read;
    if (op->kind == OP_GONE)
        return 0;
    operand_fields(copy, op, fields);
    for (unsigned f = 0; f < OPERANDS; f++)
        if (fields[f].reads)
            set |= REGISTER_BIT(fields[f].reg);
    return set;
}

register_set op_writes(const struct routine_copy *copy, const struct op *op) {
    struct operand_field fields[OPERANDS];
    register_set set = op->written;
    if (op->kind == OP_GONE)
        return 0;
    operand_fields(copy, op, fields);
    for (unsigned f = 0; f < OPERANDS; f++)
        if (fields[f].writes)
            set |= REGISTER_BIT(fields[f].reg);
    return set;
}

/* ---- control ----------------------------------------------------------------------------------------------------- */

static void add_edges(struct routine_copy *copy, struct jump *edges, uint32_t *count) {
    for (uint32_t i = 0; i < copy->count; i++) {
        if (copy->ops[i].falls && i + 1 < copy->count)
            edges[(*count)++] = (struct jump){i, i + 1};
        if (copy->ops[i].kind == OP_BRANCH)
            edges[(*count)++] = (struct jump){i, copy->ops[i].target};
    }
    for (uint32_t j = 0; j < copy->jump_count; j++)
        edges[(*count)++] = copy->jumps[j];
}

/* Lists the edges' other ends for each end. */
static void sort_edges(struct arena *arena, const struct jump *edges, uint32_t edge_count, uint32_t count,
                       bool forward, uint32_t **first, uint32_t **list) {
    *first = arena_allocate(arena, (count + 2) * sizeof **first);
    *list = arena_allocate(arena, (edge_count + 1) * sizeof **list);
    for (uint32_t e = 0; e < edge_count; e++)
        (*first)[(forward ? edges[e].from : edges[e].to) + 2]++;
    for (uint32_t i = 2; i < count + 2; i++)
        (*first)[i] += (*first)[i - 1];
    for (uint32_t e = 0; e < edge_count; e++)
        (*list)[(*first)[(forward ? edges[e].from : edges[e].to) + 1]++] =
            forward ? edges[e].to : edges[e].from;
}

void flow_find(struct routine_copy *copy) {
    struct arena *scratch = copy->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    struct jump *edges =
        arena_allocate(scratch, (2 * (size_t)copy->count + copy->jump_count) * sizeof *edges);
    uint32_t count = 0;
    add_edges(copy, edges, &count);
    sort_edges(copy->arena, edges, count, copy->count, true, &copy->next_first, &copy->next);
    sort_edges(copy->arena, edges, count, copy->count, false, &copy->before_first, &copy->before);
    arena_release(scratch, mark);
}

/* ---- webs -------------------------------------------------------------------------------------------------------- */

/* Definitions have the numbers of their ops; the next number represents all fixed definitions. */
struct web_search {
    struct routine_copy *copy;
    uint32_t *parents;
    uint32_t *seen, stamp; /* ops that the current search has visited */
    uint32_t *stack;
};

static uint32_t root_of_web(struct web_search *search, uint32_t number) {
    while (search->parents[number] != number) {
        search->parents[number] = search->parents[search->parents[number]];
        number = search->parents[number];
    }
    return number;
}

static void unite_webs(struct web_search *search, uint32_t a, uint32_t b) {
    search->parents[root_of_web(search, a)] = root_of_web(search, b);
}

/* The register that the instruction itself writes, or NO_FIELD. */
static unsigned own_register(const struct routine_copy *copy, const struct op *op) {
    struct operand_field fields[OPERANDS];
    if (op->kind == OP_GONE || op_calls(op))
        return NO_FIELD;
    operand_fields(copy, op, fields);
    for (unsigned f = 0; f < OPERANDS; f++)
        if (fields[f].writes)
            return fields[f].reg;
    return NO_FIELD;
}

/* Unites the definitions of the register that reach the op; returns one of them. */
static uint32_t find_definitions(struct web_search *search, uint32_t use, unsigned reg) {
    struct routine_copy *copy = search->copy;
    uint32_t found = NO_INDEX, depth = 0, definition;
    search->stack[depth++] = use;
    search->stamp++;
    while (depth > 0) {
        uint32_t at = search->stack[--depth];
        if (at == 0) { /* the routine's caller has set it */
            definition = copy->count;
            found = found == NO_INDEX ? definition : (unite_webs(search, found, definition), found);
        }
        for (uint32_t e = copy->before_first[at]; e < copy->before_first[at + 1]; e++) {
            uint32_t from = copy->before[e];
            const struct op *op = &copy->ops[from];
            bool own = own_register(copy, op) == reg,
                 writes = own || (op_writes(copy, op) & REGISTER_BIT(reg)) != 0;
            if (writes) {
                definition = own ? from : copy->count;
                found = found == NO_INDEX ? definition : (unite_webs(search, found, definition), found);
            }
            /* A call may leave any register unchanged, and the caller may rely on that. */
            if ((!writes || op_calls(op)) && search->seen[from] != search->stamp) {
                search->seen[from] = search->stamp;
                search->stack[depth++] = from;
            }
        }
    }
    return found == NO_INDEX ? copy->count : found;
}

static void connect_webs(struct web_search *search, uint32_t i) {
    const struct routine_copy *copy = search->copy;
    struct op *op = &search->copy->ops[i];
    struct operand_field fields[OPERANDS];
    if (op->kind == OP_GONE)
        return;
    operand_fields(copy, op, fields);
    unsigned own = own_register(copy, op);
    bool fixed = op_calls(op) || op->kind == OP_RETURN;
    if (own != NO_FIELD && !(renameable(copy) & REGISTER_BIT(own)))
        unite_webs(search, i, search->copy->count);
    for (unsigned f = 0; f < OPERANDS; f++) {
        op->webs[f] = FIXED_WEB;
        if (fields[f].reads) {
            op->webs[f] = find_definitions(search, i, fields[f].reg);
            if (fixed)
                unite_webs(search, op->webs[f], search->copy->count);
            if (fields[f].writes)
                unite_webs(search, op->webs[f], i);
        } else if (fields[f].writes && !fixed) {
            op->webs[f] = i;
        }
    }
    for (register_set rest = op->read; rest; rest &= rest - 1)
        unite_webs(search, find_definitions(search, i, (unsigned)__builtin_ctzll(rest)), search->copy->count);
}

void webs_find(struct routine_copy *copy) {
    struct web_search search = {.copy = copy};
    struct arena *scratch = copy->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    uint32_t *numbers = arena_allocate(scratch, (copy->count + 1) * sizeof *numbers);
    search.parents = arena_allocate(scratch, (copy->count + 1) * sizeof *search.parents);
    search.seen = arena_allocate(scratch, (copy->count + 1) * sizeof *search.seen);
    search.stack = arena_allocate(scratch, (copy->count + 1) * sizeof *search.stack);
    for (uint32_t i = 0; i <= copy->count; i++)
        search.parents[i] = i;
    for (uint32_t i = 0; i < copy->count; i++)
        connect_webs(&search, i);
    copy->web_count = 0;
    for (uint32_t i = 0; i < copy->count; i++)
        for (unsigned f = 0; f < OPERANDS; f++) {
            uint32_t *web = &copy->ops[i].webs[f];
            if (copy->ops[i].kind == OP_GONE || *web == FIXED_WEB)
                continue;
            uint32_t root = root_of_web(&search, *web);
            bool fixed = root == root_of_web(&search, copy->count);
            if (!fixed && numbers[root] == 0)
                numbers[root] = ++copy->web_count;
            *web = fixed ? FIXED_WEB : numbers[root] - 1;
        }
    arena_release(scratch, mark);
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

/* True if the instruction only adds a displacement to the web. */
static bool only_displaces(const struct op *op, uint32_t web) {
    return op->kind == OP_PLAIN && has_base(&op->facts) && !(op->facts.flags & FACT_HIGH_PART) &&
           op->webs[1] == web && (op->webs[0] != web || !(op->facts.flags & FACT_STORE));
}

static bool uses_web(const struct routine_copy *copy, const struct op *op, uint32_t web) {
    struct operand_field fields[OPERANDS];
    if (op->kind == OP_GONE)
        return false;
    operand_fields(copy, op, fields);
    for (unsigned f = 0; f < OPERANDS; f++)
        if (op->webs[f] == web && fields[f].reads)
            return true;
    return false;
}

static int32_t displacement_of(const struct routine_copy *copy, const struct op *op) {
    return copy->analysis->program->architecture->constants(op->word).displacement;
}

/* The base from which all accesses relative to the value are in range; false if there is none. */
static bool common_high(const struct routine_copy *copy, const struct op *address, int64_t *high) {
    uint32_t web = address->webs[0];
    bool any = false;
    if (web == FIXED_WEB)
        return false;
    for (uint32_t i = 0; i < copy->count; i++) {
        const struct op *op = &copy->ops[i];
        if (op->kind == OP_GONE)
            continue;
        if (!uses_web(copy, op, web)) {
            /* Another definition of the same address. */
            if (op != address && op->webs[0] == web &&
                (op->kind != OP_ADDRESS || op->value != address->value))
                return false;
            if (op->webs[2] == web)
                return false;
            continue;
        }
        if (!only_displaces(op, web) || op->webs[0] == web)
            return false;
        int64_t to = (int64_t)address->value + displacement_of(copy, op);
        int64_t part = to - machine_access_distance(copy->machine, to);
        if (any && part != *high)
            return false;
        *high = part;
        any = true;
    }
    return any && *high >= 0 && *high <= (int64_t)copy->machine->layout->end;
}

/* Replaces each definition of the web by one of that base, and adjusts the displacements. */
static void split_address(struct routine_copy *copy, uint32_t web, uint64_t value, int64_t high) {
    for (uint32_t i = 0; i < copy->count; i++) {
        struct op *op = &copy->ops[i];
        if (op->kind == OP_GONE)
            continue;
        if (uses_web(copy, op, web)) {
            int64_t displacement = (int64_t)value + displacement_of(copy, op) - high;
            op_set_word(copy, op, machine_with_displacement(copy->machine, op->word, (int)displacement));
        } else if (op->webs[0] == web) {
            op->kind = OP_PLAIN;
            op_set_word(copy, op,
                        machine_address_base_word(copy->machine, (uint32_t)high, op->facts.operand[0]));
        }
    }
}

void addresses_fold(struct routine_copy *copy) {
    for (uint32_t i = 0; i < copy->count; i++) {
        struct op *op = &copy->ops[i];
        int64_t high = 0;
        if (op->kind == OP_ADDRESS && common_high(copy, op, &high))
            split_address(copy, op->webs[0], op->value, high);
    }
}

void addresses_drop(struct routine_copy *copy) {
    for (uint32_t i = 0; i < copy->count; i++) {
        struct op *op = &copy->ops[i];
        bool used = op->kind != OP_ADDRESS || op->webs[0] == FIXED_WEB;
        for (uint32_t k = 0; k < copy->count && !used; k++)
            used = uses_web(copy, &copy->ops[k], op->webs[0]);
        if (!used)
            op->kind = OP_GONE;
    }
}

/* ---- what is live ------------------------------------------------------------------------------------------------ */

/* Registers that an op reads outside of all webs. */
static register_set fixed_reads(const struct routine_copy *copy, const struct op *op) {
    struct operand_field fields[OPERANDS];
    register_set set = op->read;
    if (op->kind == OP_GONE)
        return 0;
    operand_fields(copy, op, fields);
    for (unsigned f = 0; f < OPERANDS; f++)
        if (fields[f].reads && op->webs[f] == FIXED_WEB)
            set |= REGISTER_BIT(fields[f].reg);
    return set;
}

static register_set fixed_writes(const struct routine_copy *copy, const struct op *op) {
    struct operand_field fields[OPERANDS];
    register_set set = op->written;
    if (op->kind == OP_GONE || op_calls(op))
        return 0; /* a call may leave any register unchanged */
    operand_fields(copy, op, fields);
    for (unsigned f = 0; f < OPERANDS; f++)
        if (fields[f].writes && op->webs[f] == FIXED_WEB)
            set |= REGISTER_BIT(fields[f].reg);
    return set;
}

register_set *fixed_liveness(const struct routine_copy *copy) {
    register_set *live = arena_allocate(copy->analysis->program->scratch, (copy->count + 1) * sizeof *live);
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = copy->count; i-- > 0;) {
            register_set after = 0;
            for (uint32_t e = copy->next_first[i]; e < copy->next_first[i + 1]; e++) {
                const struct op *next = &copy->ops[copy->next[e]];
                after |= (live[copy->next[e]] & ~fixed_writes(copy, next)) | fixed_reads(copy, next);
            }
            changed |= after != live[i];
            live[i] = after;
        }
    }
    return live;
}
