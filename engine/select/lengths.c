/* lengths.c: of which of a block's instructions an amount is made: linear in b.ninsts, b.nloads and
   b.nstores, or a dynamic multiple of that. An amount that has these otherwise is taken to be of the block as
   a whole. Requires the loops' places. */
#include <string.h>

#include "engine/select/internal.h"

struct form {
    int64_t each[LENGTH_KINDS];
    const struct plan_expression *factor; /* NULL: once */
    bool counts;                          /* not: it has none of these */
};

static bool counts_in_block(struct selection *selection, const struct plan_expression *attribute,
                            uint32_t instruction) {
    const struct program *program = selection->program;
    uint32_t block = (uint32_t)fold(selection, attribute->operand[0]).integer;
    return block < program->block_count && program->blocks[block].first == instruction;
}

static struct form form_of_attribute(struct selection *selection, const struct plan_expression *attribute,
                                     uint32_t instruction) {
    struct form form = {.counts = true};
    switch (attribute->attribute) {
    case PLAN_ATTRIBUTE_BLOCK_NINSTS:
        form.each[LENGTH_INSTRUCTIONS] = 1;
        break;
    case PLAN_ATTRIBUTE_BLOCK_NLOADS:
        form.each[LENGTH_LOADS] = 1;
        break;
    case PLAN_ATTRIBUTE_BLOCK_NSTORES:
        form.each[LENGTH_STORES] = 1;
        break;
    default:
        return (struct form){.counts = false};
    }
    return counts_in_block(selection, attribute, instruction) ? form : (struct form){.counts = false};
}

static struct form scaled(struct form form, int64_t by) {
    for (int kind = 0; kind < LENGTH_KINDS; kind++)
        form.each[kind] = (int64_t)((uint64_t)form.each[kind] * (uint64_t)by);
    return form;
}

static struct form sum_of(struct form left, struct form right) {
    if (!left.counts || !right.counts)
        return left.counts ? left : right;
    if (left.factor || right.factor) /* two parts, with a factor each */
        return (struct form){.counts = false};
    for (int kind = 0; kind < LENGTH_KINDS; kind++)
        left.each[kind] = (int64_t)((uint64_t)left.each[kind] + (uint64_t)right.each[kind]);
    return left;
}

static struct form product_of(struct selection *selection, struct form form,
                              const struct plan_expression *by) {
    if (!by->dynamic)
        return scaled(form, fold(selection, by).integer);
    if (form.factor)
        return (struct form){.counts = false};
    form.factor = by;
    return form;
}

static struct form form_of(struct selection *selection, const struct plan_expression *amount,
                           uint32_t instruction) {
    const struct form none = {.counts = false};
    struct form left, right;
    amount = resolved(selection, amount);
    switch (amount->op) {
    case PLAN_OP_ATTRIBUTE:
        return form_of_attribute(selection, amount, instruction);
    case PLAN_OP_NEGATE:
        return scaled(form_of(selection, amount->operand[0], instruction), -1);
    case PLAN_OP_ADD:
    case PLAN_OP_SUBTRACT:
        left = form_of(selection, amount->operand[0], instruction);
        right = form_of(selection, amount->operand[1], instruction);
        return sum_of(left, scaled(right, amount->op == PLAN_OP_SUBTRACT ? -1 : 1));
    case PLAN_OP_MULTIPLY:
        left = form_of(selection, amount->operand[0], instruction);
        right = form_of(selection, amount->operand[1], instruction);
        if (left.counts == right.counts)
            return none;
        return left.counts ? product_of(selection, left, amount->operand[1])
                           : product_of(selection, right, amount->operand[0]);
    case PLAN_OP_SHIFT_LEFT:
        left = form_of(selection, amount->operand[0], instruction);
        if (!left.counts || amount->operand[1]->dynamic)
            return none;
        return scaled(left, (int64_t)(UINT64_C(1) << (fold(selection, amount->operand[1]).integer & 63)));
    case PLAN_OP_CONDITIONAL:
        if (amount->operand[0]->dynamic)
            return none;
        return form_of(selection, amount->operand[fold(selection, amount->operand[0]).integer ? 1 : 2],
                       instruction);
    default:
        return none;
    }
}

const struct site_lengths *lengths_of(struct selection *selection, struct expansion *expansion,
                                      const struct plan_expression *amount, uint32_t instruction) {
    struct form form = form_of(selection, amount, instruction);
    struct site_lengths lengths = {.factor = NULL};
    if (!form.counts)
        return NULL;
    memcpy(lengths.each, form.each, sizeof form.each);
    if (form.factor)
        lengths.factor = make_site_expression(selection, expansion, form.factor, instruction);
    return sites_share(expansion->sites, &lengths, sizeof lengths);
}
