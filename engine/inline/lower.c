/* lower.c: turns a graph's values and accesses into instructions, in order, with registers still to be
   chosen. Requires a graph whose values are all computable at the site. */
#include <string.h>

#include "engine/inline/internal.h"

#define NO_OPERAND UINT16_MAX

struct lowering {
    struct graph *graph;
    struct steps *steps;
    register_set fetched;
    operand zero; /* the register that is always 0 */
    bool failed;
    uint32_t access;                   /* the current one */
    operand operands[MOST_NODES + 64]; /* by node; NO_OPERAND: not computed yet */
    bool used[MOST_NODES];
};

static operand lower_node(struct lowering *lowering, uint32_t node);

static struct step *add_lowered_step(struct lowering *lowering, struct step step, bool has_result) {
    struct steps *steps = lowering->steps;
    if (steps->count == MOST_STEPS) {
        lowering->failed = true;
        steps->count--;
    }
    step.result = has_result ? (operand)(OPERAND_TEMPORARY + steps->temporaries++) : 0;
    steps->list[steps->count] = step;
    return &steps->list[steps->count++];
}

static operand constant_operand(struct lowering *lowering, uint64_t number) {
    if (number == 0)
        return lowering->zero;
    return lower_node(lowering, graph_constant(lowering->graph, number));
}

/* An 8-bit constant can be the second operand itself. */
static operand second_operand(struct lowering *lowering, uint32_t node) {
    uint64_t number;
    if (node_is_constant(lowering->graph, node, &number) && number > 0 && number < 256)
        return (operand)(OPERAND_LITERAL + number);
    return lower_node(lowering, node);
}

static operand lower_sum(struct lowering *lowering, uint32_t a, uint64_t number) {
    int64_t value = (int64_t)number, low = (int16_t)value, high = (value >> 16) + (low < 0);
    if (high != (int16_t)high) {
        operand left = lower_node(lowering, a), right = constant_operand(lowering, number);
        return add_lowered_step(
                   lowering,
                   (struct step){.kind = STEP_OPERATE, .operation = OPERATOR_ADD, .a = left, .b = right},
                   true)
            ->result;
    }
    operand sum = lower_node(lowering, a);
    if (high)
        sum = add_lowered_step(
                  lowering,
                  (struct step){.kind = STEP_ADD_CONSTANT, .a = sum, .displacement = (int32_t)(high * 65536)},
                  true)
                  ->result;
    if (low)
        sum = add_lowered_step(
                  lowering, (struct step){.kind = STEP_ADD_CONSTANT, .a = sum, .displacement = (int32_t)low},
                  true)
                  ->result;
    return sum;
}

/* For constants that another instruction takes as a literal. */
static bool find_literal(enum integer_operator *operation, uint64_t number, operand *literal) {
    uint64_t with = number;
    enum integer_operator other;
    if (*operation == OPERATOR_AND && number == 0xffff) {
        other = OPERATOR_KEEP_BYTES;
        with = 3;
    } else if (*operation == OPERATOR_AND && number == UINT32_MAX) {
        other = OPERATOR_KEEP_BYTES;
        with = 15;
    } else if (*operation == OPERATOR_AND && ~number < 256) {
        other = OPERATOR_AND_NOT;
        with = ~number;
    } else if (*operation == OPERATOR_ADD_INT && -number < 256) {
        other = OPERATOR_SUBTRACT_INT;
        with = -number;
    } else {
        return false;
    }
    *operation = other;
    *literal = (operand)(OPERAND_LITERAL + with);
    return true;
}

static operand shift_step(struct lowering *lowering, enum integer_operator operation, operand value,
                          unsigned by) {
    const struct step step = {.kind = STEP_OPERATE,
                              .operation = (uint16_t)operation,
                              .a = value,
                              .b = (operand)(OPERAND_LITERAL + by)};
    return add_lowered_step(lowering, step, true)->result;
}

/* The low bits of a value, more than a literal can select: shifted to the left, and back. If the value was
   shifted to the right, its original is shifted. */
static bool lower_low_bits(struct lowering *lowering, const struct node *node, operand *result) {
    const struct graph *graph = lowering->graph;
    const struct node *value = &graph->nodes[node->a];
    uint32_t from = node->a;
    uint64_t mask, shifted = 0;
    if (node->operation != OPERATOR_AND || !node_is_constant(graph, node->b, &mask) || mask & (mask + 1) ||
        mask < 256 || mask == UINT16_MAX || mask >= UINT32_MAX || lowering->operands[node->b] != NO_OPERAND)
        return false;
    unsigned left = (unsigned)__builtin_clzll(mask);
    if (value->kind == NODE_OPERATE &&
        (value->operation == OPERATOR_SHIFT_RIGHT_SIGNED || value->operation == OPERATOR_SHIFT_RIGHT) &&
        node_is_constant(graph, value->b, &shifted) && shifted <= left &&
        lowering->operands[node->a] == NO_OPERAND)
        from = value->a;
    else
        shifted = 0;
    if (mask <= INT16_MAX && !shifted) /* a constant takes as many instructions, and may be used again */
        return false;
    operand moved = lower_node(lowering, from);
    if (shifted < left)
        moved = shift_step(lowering, OPERATOR_SHIFT_LEFT, moved, left - (unsigned)shifted);
    *result = shift_step(lowering, OPERATOR_SHIFT_RIGHT, moved, left);
    return true;
}

/* Some bits in the middle: clears the low ones, a value that may be needed elsewhere too, and takes the low
   bytes of the result. */
static bool lower_middle_bits(struct lowering *lowering, const struct node *node, operand *result) {
    uint64_t mask;
    if (node->operation != OPERATOR_AND || !node_is_constant(lowering->graph, node->b, &mask))
        return false;
    uint64_t below = ~mask & 0xff, bytes = mask | 0xff;
    if (below == 0 || below & (below + 1) || mask < 256 || (bytes != UINT16_MAX && bytes != UINT32_MAX) ||
        lowering->operands[node->b] != NO_OPERAND)
        return false;
    operand above = lower_node(lowering, with_number(lowering->graph, OPERATOR_AND, node->a, ~below));
    const struct step step = {.kind = STEP_OPERATE,
                              .operation = OPERATOR_KEEP_BYTES,
                              .a = above,
                              .b = (operand)(OPERAND_LITERAL + (bytes == UINT16_MAX ? 3 : 15))};
    *result = add_lowered_step(lowering, step, true)->result;
    return true;
}

static operand lower_operate(struct lowering *lowering, const struct node *from) {
    const struct node copy = *from, *node = &copy; /* the node array may change */
    enum integer_operator operation = node->operation;
    uint64_t number;
    operand second;
    bool is_constant = node_is_constant(lowering->graph, node->b, &number);
    if (lower_low_bits(lowering, node, &second) || lower_middle_bits(lowering, node, &second))
        return second;
    if (operation == OPERATOR_ADD && is_constant)
        return lower_sum(lowering, node->a, number);
    operand first = lower_node(lowering, node->a);
    if (!is_constant || number < 256 || !find_literal(&operation, number, &second))
        second = second_operand(lowering, node->b);
    return add_lowered_step(
               lowering,
               (struct step){.kind = STEP_OPERATE, .operation = (uint16_t)operation, .a = first, .b = second},
               true)
        ->result;
}

static operand lower_register(struct lowering *lowering, unsigned reg) {
    lowering->steps->sources |= REGISTER_BIT(reg);
    if (reg < 32 && !(lowering->fetched & REGISTER_BIT(reg)))
        return (operand)reg;
    lowering->steps->needs.frame |= reg >= 32;
    return add_lowered_step(lowering, (struct step){.kind = STEP_FETCH, .number = reg}, true)->result;
}

static operand lower_node(struct lowering *lowering, uint32_t index) {
    const struct node *node = &lowering->graph->nodes[index];
    operand result = lowering->operands[index];
    if (result != NO_OPERAND || lowering->failed)
        return result;
    switch ((enum node_kind)node->kind) {
    case NODE_CONSTANT:
        result = lowering->zero;
        if (node->number != 0)
            result =
                add_lowered_step(lowering, (struct step){.kind = STEP_CONSTANT, .number = node->number}, true)
                    ->result;
        break;
    case NODE_REGISTER:
        result = lower_register(lowering, (unsigned)node->number);
        break;
    case NODE_VALUE:
        result = add_lowered_step(lowering, (struct step){.kind = STEP_VALUE, .number = node->number}, true)
                     ->result;
        break;
    case NODE_OPERATE:
        result = lower_operate(lowering, node);
        break;
    case NODE_SELECT: {
        operand test = lower_node(lowering, node->a);
        operand yes = second_operand(lowering, node->b), no = second_operand(lowering, node->c);
        result = add_lowered_step(
                     lowering,
                     (struct step){
                         .kind = STEP_SELECT, .operation = node->operation, .a = test, .b = yes, .c = no},
                     true)
                     ->result;
        break;
    }
    default: /* loads have been computed in place; arguments and unknown registers have been replaced */
        lowering->failed = true;
        return lowering->zero;
    }
    lowering->operands[index] = result;
    return result;
}

/* The parts of an address: a base (NO_INDEX if there is none), a displacement and the rest of the
   constant. */
struct parts {
    uint32_t base;
    int32_t displacement;
    uint64_t rest;
};

static struct parts parts_of(const struct graph *graph, uint32_t index) {
    const struct node *node = &graph->nodes[index];
    struct parts parts = {.base = index};
    uint64_t number = 0;
    if (node_is_constant(graph, index, &number))
        parts.base = NO_INDEX;
    else if (node->kind == NODE_OPERATE && node->operation == OPERATOR_ADD &&
             node_is_constant(graph, node->b, &number))
        parts.base = node->a;
    else
        number = 0;
    parts.displacement = (int16_t)number;
    parts.rest = number - (uint64_t)(int64_t)parts.displacement;
    return parts;
}

/* True if the constant is in a register, and remains there for a later access. */
static bool is_at_hand(const struct lowering *lowering, uint32_t constant, uint64_t number) {
    const struct graph *graph = lowering->graph;
    if (lowering->operands[constant] == NO_OPERAND)
        return false;
    for (uint32_t i = lowering->access + 1; i < graph->access_count; i++) {
        const struct access *access = &graph->accesses[i];
        if (access->kind != ACCESS_LOAD && access->kind != ACCESS_STORE)
            continue;
        struct parts parts = parts_of(graph, access->address);
        if (parts.base == NO_INDEX && parts.rest == number)
            return true;
    }
    return false;
}

/* An element of an array beside another access: from the same register, in one instruction. */
static bool lower_element(struct lowering *lowering, uint32_t base, uint64_t rest, operand *result) {
    struct graph *graph = lowering->graph;
    const struct node *node = &graph->nodes[base];
    uint32_t number = graph_constant(graph, rest);
    uint64_t shift;
    if (node->kind != NODE_OPERATE || node->operation != OPERATOR_SHIFT_LEFT ||
        !node_is_constant(graph, node->b, &shift) || (shift != 2 && shift != 3) ||
        lowering->operands[base] != NO_OPERAND || !is_at_hand(lowering, number, rest))
        return false;
    operand index = lower_node(lowering, node->a);
    enum integer_operator operation = shift == 2 ? OPERATOR_INDEX_4 : OPERATOR_INDEX_8;
    *result = add_lowered_step(lowering,
                               (struct step){.kind = STEP_OPERATE,
                                             .operation = (uint16_t)operation,
                                             .a = index,
                                             .b = lowering->operands[number]},
                               true)
                  ->result;
    return true;
}

/* The address as a register and a displacement. */
static operand lower_address(struct lowering *lowering, uint32_t index, int32_t *displacement) {
    struct graph *graph = lowering->graph;
    struct parts parts = parts_of(graph, index);
    *displacement = parts.displacement;
    if (parts.base == NO_INDEX)
        return constant_operand(lowering, parts.rest);
    if (parts.rest == 0)
        return lower_node(lowering, parts.base);
    uint32_t sum = graph_operate(graph, OPERATOR_ADD, parts.base, graph_constant(graph, parts.rest));
    if (lowering->operands[sum] == NO_OPERAND && !lowering->failed)
        lower_element(lowering, parts.base, parts.rest, &lowering->operands[sum]);
    return lower_node(lowering, sum);
}

/* If the three lowest bits of an address are cleared for an aligned quadword, an access that rounds its
   address down makes that unnecessary. Returns the address before the bits are cleared, or the address
   itself. */
static uint32_t unaligned_address(struct lowering *lowering, uint32_t address, uint16_t *form) {
    struct graph *graph = lowering->graph;
    const struct node *node = &graph->nodes[address];
    uint64_t mask, number = 0;
    uint32_t base = address;
    if (*form != FORM_QUAD || lowering->operands[address] != NO_OPERAND)
        return address;
    if (is(graph, address, OPERATOR_ADD) && node_is_constant(graph, node->b, &number))
        base = node->a;
    node = &graph->nodes[base];
    if (number % 8 != 0 || !is(graph, base, OPERATOR_AND) || !node_is_constant(graph, node->b, &mask) ||
        mask % 8 != 0 || lowering->operands[base] != NO_OPERAND)
        return address;
    if ((mask | 7) & ((mask | 7) + 1)) /* more low bits are cleared */
        return address;
    *form = FORM_ROUNDED_QUAD;
    uint32_t with = graph_operate(graph, OPERATOR_AND, node->a, graph_constant(graph, mask | 7));
    return graph_operate(graph, OPERATOR_ADD, with, graph_constant(graph, number));
}

/* The operand that a branch tests. To test for a constant that is not a literal, subtracts it, so that the
   constant need not be in a register. */
static operand lower_test(struct lowering *lowering, uint32_t index, uint16_t *test) {
    const struct graph *graph = lowering->graph;
    const struct node *node = &graph->nodes[index];
    bool goes_if_equal = *test == CONDITION_NONZERO || *test == CONDITION_ODD;
    bool goes_if_not = *test == CONDITION_ZERO || *test == CONDITION_EVEN;
    uint64_t number;
    if ((!goes_if_equal && !goes_if_not) || !is(graph, index, OPERATOR_EQUAL) ||
        lowering->operands[index] != NO_OPERAND || !node_is_constant(graph, node->b, &number) ||
        number < 256 || number > INT32_MAX - UINT16_MAX || lowering->operands[node->b] != NO_OPERAND)
        return lower_node(lowering, index);
    *test = goes_if_equal ? CONDITION_ZERO : CONDITION_NONZERO;
    return lower_sum(lowering, node->a, -number);
}

/* The argument of a slow call, which is computed if the path around the call needs it too. */
static operand lower_slow_call(struct lowering *lowering) {
    const struct graph *graph = lowering->graph;
    uint32_t node = graph->slow.nodes[0];
    operand there = node == NO_INDEX ? lowering->zero : lowering->operands[node];
    lowering->steps->slow.entry = 0;
    if (graph->slow.entry == 0 || there == NO_OPERAND ||
        (there != lowering->zero && there < OPERAND_TEMPORARY))
        return 0;
    lowering->steps->slow = graph->slow_call;
    return there;
}

static void lower_access(struct lowering *lowering, const struct access *access) {
    struct step step = {.operation = access->operation, .origin = NO_INDEX};
    uint64_t number;
    if (access->kind == ACCESS_BAIL_OUT || access->kind == ACCESS_SKIP) {
        step.kind = access->kind == ACCESS_SKIP ? STEP_SKIP : STEP_BAIL_OUT;
        step.b = lower_test(lowering, access->value, &step.operation);
        lowering->steps->bails_out |= access->kind == ACCESS_BAIL_OUT;
        if (access->kind == ACCESS_BAIL_OUT)
            step.a = lower_slow_call(lowering);
        add_lowered_step(lowering, step, false);
        return;
    }
    if (access->kind == ACCESS_STORE)
        step.b = lower_node(lowering, access->value);
    uint32_t address = unaligned_address(lowering, access->address, &step.operation);
    step.a = lower_address(lowering, address, &step.displacement);
    step.kind = access->kind == ACCESS_STORE ? STEP_STORE : STEP_LOAD;
    /* Variables of the analysis code are in this range. */
    if (!node_is_constant(lowering->graph, access->address, &number) ||
        number < lowering->graph->machine->layout->analysis ||
        number >= lowering->graph->machine->layout->end)
        step.origin = access->origin;
    const struct step *added = add_lowered_step(lowering, step, access->kind == ACCESS_LOAD);
    if (access->kind == ACCESS_LOAD)
        lowering->operands[access->value] = added->result;
}

/* ---- what is used ------------------------------------------------------------------------------------------------ */

static void use_node(struct lowering *lowering, uint32_t index) {
    const struct node *node = &lowering->graph->nodes[index];
    if (lowering->used[index])
        return;
    lowering->used[index] = true;
    if (node->kind != NODE_OPERATE && node->kind != NODE_SELECT)
        return;
    use_node(lowering, node->a);
    use_node(lowering, node->b);
    if (node->kind == NODE_SELECT)
        use_node(lowering, node->c);
}

static void find_used(struct lowering *lowering) {
    const struct graph *graph = lowering->graph;
    for (uint32_t i = graph->access_count; i-- > 0;) {
        const struct access *access = &graph->accesses[i];
        if (access->kind == ACCESS_LOAD && !lowering->used[access->value])
            continue;
        if (access->kind == ACCESS_LOAD || access->kind == ACCESS_STORE)
            use_node(lowering, access->address);
        if (access->kind != ACCESS_LOAD)
            use_node(lowering, access->value);
    }
}

bool steps_make(struct steps *steps, struct graph *graph, register_set fetched) {
    struct lowering lowering = {
        .graph = graph, .steps = steps, .fetched = fetched, .zero = graph->machine->registers->zero};
    steps->count = 0;
    steps->temporaries = 0;
    steps->bails_out = false;
    steps->slow.entry = 0;
    steps->own = 0;
    steps->sources = 0;
    steps->needs = (struct needs){0};
    memset(lowering.operands, 0xff, sizeof lowering.operands);
    find_used(&lowering);
    for (uint32_t i = 0; i < graph->access_count && !lowering.failed && !graph->failed; i++)
        if (graph->accesses[i].kind != ACCESS_LOAD || lowering.used[graph->accesses[i].value]) {
            lowering.access = i;
            lower_access(&lowering, &graph->accesses[i]);
        }
    return !lowering.failed && !graph->failed;
}
