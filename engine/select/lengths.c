/* lengths.c: determines which of a block's instructions an amount counts. An amount counts executed
   instructions if it is computed from b.ninsts, b.nloads or b.nstores. In conditions, comparisons and numbers
   of cells these attributes are properties of the block. Requires the loops' places. */
#include <string.h>

#include "engine/cfg/cfg.h"
#include "engine/select/internal.h"
#include "plan/commands.h"

/* The things that can be counted in a block. */
enum length { LENGTH_INSTRUCTIONS, LENGTH_LOADS, LENGTH_STORES, LENGTH_KINDS };

struct form {
    /* without lengths; a sum of multiples of them; another form */
    enum { FORM_FREE, FORM_LINEAR, FORM_OTHER } kind;
    int64_t each[LENGTH_KINDS]; /* FORM_LINEAR */
};

static const struct form form_free = {.kind = FORM_FREE}, form_other = {.kind = FORM_OTHER};

static bool length_counts(enum length length, const struct facts *facts) {
    const unsigned kind = length == LENGTH_LOADS ? FACT_LOAD : FACT_STORE;
    return length == LENGTH_INSTRUCTIONS || (facts->flags & kind && !(facts->flags & FACT_PREFETCH));
}

/* LENGTH_KINDS: the value is not such an attribute of the block that begins at the instruction. */
static enum length counted_length(struct selection *selection, const struct plan_expression *attribute,
                                  uint32_t instruction) {
    const struct program *program = selection->program;
    enum length length = attribute->attribute == PLAN_ATTRIBUTE_BLOCK_NINSTS    ? LENGTH_INSTRUCTIONS
                         : attribute->attribute == PLAN_ATTRIBUTE_BLOCK_NLOADS  ? LENGTH_LOADS
                         : attribute->attribute == PLAN_ATTRIBUTE_BLOCK_NSTORES ? LENGTH_STORES
                                                                                : LENGTH_KINDS;
    if (length == LENGTH_KINDS)
        return length;
    uint32_t block = (uint32_t)fold(selection, attribute->operand[0]).integer;
    return block < program->block_count && program->blocks[block].first == instruction ? length
                                                                                       : LENGTH_KINDS;
}

/* The branch of a condition that is known here. */
static const struct plan_expression *way_of(struct selection *selection,
                                            const struct plan_expression *amount) {
    while (amount->op == PLAN_OP_CONDITIONAL && !amount->operand[0]->dynamic)
        amount = amount->operand[fold(selection, amount->operand[0]).integer ? 1 : 2];
    return amount;
}

static struct form multiple_of(struct form form, int64_t by) {
    for (int kind = 0; kind < LENGTH_KINDS; kind++)
        form.each[kind] = (int64_t)((uint64_t)form.each[kind] * (uint64_t)by);
    return form;
}

static struct form sum_of_forms(struct form left, struct form right) {
    if (left.kind == FORM_FREE || right.kind == FORM_FREE)
        return left.kind == FORM_FREE ? right : left;
    if (left.kind == FORM_OTHER || right.kind == FORM_OTHER)
        return form_other;
    for (int kind = 0; kind < LENGTH_KINDS; kind++)
        left.each[kind] = (int64_t)((uint64_t)left.each[kind] + (uint64_t)right.each[kind]);
    return left;
}

/* The product of a linear form and an expression without lengths. */
static struct form product_of(struct selection *selection, struct form form,
                              const struct plan_expression *by) {
    return by->dynamic ? form_other : multiple_of(form, fold(selection, by).integer);
}

static struct form form_of_amount(struct selection *selection, const struct plan_expression *amount,
                                  uint32_t instruction) {
    amount = way_of(selection, amount);
    if (amount->op == PLAN_OP_ATTRIBUTE) {
        enum length length = counted_length(selection, amount, instruction);
        struct form form = {.kind = FORM_LINEAR};
        if (length == LENGTH_KINDS)
            return form_free;
        form.each[length] = 1;
        return form;
    }
    if (amount->op != PLAN_OP_CONDITIONAL && plan_operators[amount->op].kind != PLAN_ARITHMETIC)
        return form_free;
    bool chooses = amount->op == PLAN_OP_CONDITIONAL;
    const struct plan_expression *second = amount->operand[chooses ? 2 : 1];
    struct form left = form_of_amount(selection, amount->operand[chooses ? 1 : 0], instruction);
    if (!second)
        return left.kind != FORM_LINEAR       ? left
               : amount->op == PLAN_OP_NEGATE ? multiple_of(left, -1)
                                              : form_other;
    struct form right = form_of_amount(selection, second, instruction);
    if (left.kind == FORM_FREE && right.kind == FORM_FREE)
        return form_free;
    if (left.kind == FORM_OTHER || right.kind == FORM_OTHER)
        return form_other;
    switch (amount->op) {
    case PLAN_OP_ADD:
        return sum_of_forms(left, right);
    case PLAN_OP_SUBTRACT:
        return sum_of_forms(left, multiple_of(right, -1));
    case PLAN_OP_MULTIPLY:
        if (left.kind == right.kind)
            return form_other;
        return left.kind == FORM_LINEAR ? product_of(selection, left, second)
                                        : product_of(selection, right, amount->operand[0]);
    case PLAN_OP_SHIFT_LEFT:
        if (right.kind != FORM_FREE || second->dynamic)
            return form_other;
        return multiple_of(left, (int64_t)(UINT64_C(1) << (fold(selection, second).integer & 63)));
    default:
        return form_other;
    }
}

/* ---- known amounts ---------------------------------------------------------------------------------------- */

struct parting {
    struct selection *selection;
    struct expansion *expansion;
    const struct basic_block *block;
    bool notes; /* the site records run-time values */
};

static const struct facts *facts_in(const struct parting *parting, uint32_t i) {
    return facts_of(parting->selection->program, parting->block->first + i);
}

/* The amount for a block after `executed` of its instructions. */
static int64_t value_for(const struct parting *parting, const struct plan_expression *amount,
                         const int64_t *executed) {
    struct selection *selection = parting->selection;
    amount = way_of(selection, amount);
    if (form_of_amount(selection, amount, parting->block->first).kind == FORM_FREE)
        return fold(selection, amount).integer;
    if (amount->op == PLAN_OP_ATTRIBUTE)
        return executed[counted_length(selection, amount, parting->block->first)];
    int64_t left = value_for(parting, amount->operand[0], executed);
    int64_t right = amount->operand[1] ? value_for(parting, amount->operand[1], executed) : 0;
    return plan_operate(amount->op, left, right);
}

/* The amount that each of the block's instructions adds. */
static void find_shares(const struct parting *parting, const struct plan_expression *amount,
                        int64_t *shares) {
    int64_t executed[LENGTH_KINDS] = {0};
    uint64_t before = (uint64_t)value_for(parting, amount, executed);
    for (uint32_t i = 0; i < parting->block->count; i++) {
        for (int kind = 0; kind < LENGTH_KINDS; kind++)
            executed[kind] += length_counts(kind, facts_in(parting, i));
        uint64_t now = (uint64_t)value_for(parting, amount, executed);
        shares[i] = (int64_t)(now - before);
        before = now;
    }
}

/* The same for a linear form, which need not be evaluated for each instruction. */
static void find_linear_shares(const struct parting *parting, const struct form *form, int64_t *shares) {
    for (uint32_t i = 0; i < parting->block->count; i++)
        for (int kind = 0; kind < LENGTH_KINDS; kind++)
            if (form->each[kind] != 0 && length_counts(kind, facts_in(parting, i)))
                shares[i] = (int64_t)((uint64_t)shares[i] + (uint64_t)form->each[kind]);
}

/* The instructions that add the same amount as the instruction at `first`. */
static struct site_length_part part_from(const struct parting *parting, const int64_t *shares, uint32_t first,
                                         uint8_t *chosen) {
    const uint32_t count = parting->block->count, size = count / 8 + 1;
    struct site_length_part part = {.each = shares[first]};
    memset(chosen, 0, size);
    for (uint32_t i = first; i < count; i++)
        if (shares[i] == part.each) {
            chosen[i / 8] |= (uint8_t)(1u << i % 8);
            part.count++;
        }
    if (part.count < count)
        part.chosen = sites_share(parting->expansion->sites, chosen, size);
    return part;
}

static bool occurs_before(const int64_t *shares, uint32_t i) {
    for (uint32_t k = 0; k < i; k++)
        if (shares[k] == shares[i])
            return true;
    return false;
}

static void add_parts(const struct parting *parting, const int64_t *shares, struct site_lengths *lengths) {
    struct arena *scratch = parting->selection->program->scratch;
    const uint32_t count = parting->block->count;
    struct site_length_part *parts = arena_allocate(scratch, (count + 1) * sizeof *parts);
    uint8_t *chosen = arena_allocate(scratch, count / 8 + 1);
    for (uint32_t i = 0; i < count; i++)
        if (shares[i] != 0 && !occurs_before(shares, i))
            parts[lengths->part_count++] = part_from(parting, shares, i, chosen);
    if (lengths->part_count)
        lengths->parts = sites_share(parting->expansion->sites, parts, lengths->part_count * sizeof *parts);
}

/* ---- amounts that depend on values at run time ------------------------------------------------------------ */

struct amount_builder {
    const struct parting *parting;
    struct command_instruction *code;
    const struct site_expression **noted;
    uint32_t count, depth, deepest;
};

static uint32_t size_of_amount(const struct plan_expression *amount) {
    uint32_t size = 1;
    for (int i = 0; i < 3; i++)
        if (amount->operand[i])
            size += size_of_amount(amount->operand[i]);
    return size;
}

static void put_step(struct amount_builder *builder, uint64_t op, uint64_t operand, int growth) {
    builder->code[builder->count++] = (struct command_instruction){op, operand};
    builder->depth = (uint32_t)((int)builder->depth + growth);
    if (builder->depth > builder->deepest)
        builder->deepest = builder->depth;
}

/* The run-time value with this number (plan_noted_values). */
static void add_noted(struct amount_builder *builder, const struct plan_expression *value, uint32_t number) {
    const struct parting *parting = builder->parting;
    if (parting->notes)
        builder->noted[number] =
            make_site_expression(parting->selection, parting->expansion, value, parting->block->first);
    put_step(builder, COMMAND_ARGUMENT, LENGTH_KINDS + number, 1);
}

/* `number`: that of its first value. */
static void add_amount(struct amount_builder *builder, const struct plan_expression *amount,
                       uint32_t number) {
    const struct parting *parting = builder->parting;
    struct selection *selection = parting->selection;
    const bool chooses = amount->op == PLAN_OP_CONDITIONAL;
    const bool chosen = chooses && !amount->operand[0]->dynamic;
    const int way = chosen ? fold(selection, amount->operand[0]).integer ? 1 : 2 : 0;
    if (amount->dynamic && !plan_counts_length(amount)) {
        add_noted(builder, amount, number);
        return;
    }
    if (!amount->dynamic && form_of_amount(selection, amount, parting->block->first).kind == FORM_FREE) {
        put_step(builder, COMMAND_CONSTANT, (uint64_t)fold(selection, amount).integer, 1);
        return;
    }
    if (amount->op == PLAN_OP_ATTRIBUTE) {
        put_step(builder, COMMAND_ARGUMENT, counted_length(selection, amount, parting->block->first), 1);
        return;
    }
    if (chooses && !chosen)
        add_noted(builder, amount->operand[0], number++);
    for (int i = chooses ? 1 : 0; i < 3; i++) {
        if (amount->operand[i] && (!chosen || i == way))
            add_amount(builder, amount->operand[i], number);
        number += plan_noted_values(amount->operand[i], NULL, NULL);
    }
    if (!chosen)
        put_step(builder, chooses ? COMMAND_CONDITIONAL : COMMAND_OPERATOR + (uint64_t)amount->op, 0,
                 chooses              ? -2
                 : amount->operand[1] ? -1
                                      : 0);
}

static const uint8_t *chosen_of(const struct parting *parting, enum length length) {
    struct arena *scratch = parting->selection->program->scratch;
    const uint32_t count = parting->block->count, size = count / 8 + 1;
    uint8_t *chosen = arena_allocate(scratch, size);
    for (uint32_t i = 0; i < count; i++)
        if (length_counts(length, facts_in(parting, i)))
            chosen[i / 8] |= (uint8_t)(1u << i % 8);
    return sites_share(parting->expansion->sites, chosen, size);
}

static void check_depth(const struct parting *parting, const struct plan_expression *amount, uint32_t depth) {
    struct selection *selection = parting->selection;
    if (depth <= COMMAND_MOST_DEPTH || selection->failed)
        return;
    diagnose(selection->diagnostics, &amount->where, MESSAGE_COMMAND_LARGE, COMMAND_MOST_DEPTH,
             "operands at a time");
    diagnose_hint(selection->diagnostics, "make several statements of it");
    selection->failed = true;
}

static const struct site_amount *make_amount(const struct parting *parting,
                                             const struct plan_expression *amount) {
    struct sites *sites = parting->expansion->sites;
    struct arena *scratch = parting->selection->program->scratch;
    const uint32_t size = size_of_amount(amount);
    struct amount_builder builder = {.parting = parting};
    builder.code = arena_allocate(scratch, size * sizeof *builder.code);
    const uint32_t noted = parting->notes ? plan_noted_values(amount, NULL, NULL) : 0;
    builder.noted = arena_allocate(scratch, size * sizeof(void *));
    add_amount(&builder, amount, 0);
    check_depth(parting, amount, builder.deepest);
    struct site_amount made = {
        .code = sites_share(sites, builder.code, builder.count * sizeof *builder.code),
        .code_count = builder.count,
        .noted_count = noted,
        .loads = chosen_of(parting, LENGTH_LOADS),
        .stores = chosen_of(parting, LENGTH_STORES),
    };
    if (made.noted_count)
        made.noted = sites_share(sites, builder.noted, made.noted_count * sizeof(void *));
    return sites_share(sites, &made, sizeof made);
}

const struct site_lengths *lengths_of(struct selection *selection, struct expansion *expansion,
                                      const struct plan_expression *amount, uint32_t instruction,
                                      bool notes) {
    struct program *program = selection->program;
    struct form form = form_of_amount(selection, amount, instruction);
    struct site_lengths lengths = {.part_count = 0};
    if (form.kind == FORM_FREE)
        return NULL;
    const struct basic_block *block = &program->blocks[block_at(program, instruction)];
    const struct parting parting = {selection, expansion, block, notes};
    struct arena_mark mark = arena_mark(program->scratch);
    if (form.kind == FORM_OTHER && way_of(selection, amount)->dynamic) {
        lengths.amount = make_amount(&parting, amount);
    } else {
        int64_t *shares = arena_allocate(program->scratch, block->count * sizeof *shares);
        if (form.kind == FORM_LINEAR)
            find_linear_shares(&parting, &form, shares);
        else
            find_shares(&parting, amount, shares);
        add_parts(&parting, shares, &lengths);
    }
    arena_release(program->scratch, mark);
    return lengths.part_count || lengths.amount ? sites_share(expansion->sites, &lengths, sizeof lengths)
                                                : NULL;
}
