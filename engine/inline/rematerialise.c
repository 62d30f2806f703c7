/* rematerialise.c: the same steps with fewer registers at once, used if registers would have to be saved:
   loads are made only when they are needed, and a constant is made for each use. Requires complete steps,
   before registers are chosen. */
#include "engine/inline/internal.h"

struct sparing {
    const struct steps *from;
    struct steps *to;
    uint16_t made_by[MOST_STEPS]; /* of temporaries: the step that makes each */
    uint16_t uses[MOST_STEPS];
    operand made[MOST_STEPS]; /* operands in `to`; 0: not made yet */
    bool full;
};

/* True if lda or ldah alone makes it. */
static bool takes_one_instruction(uint64_t number) {
    const int64_t value = (int64_t)number;
    return value == (int16_t)value || (value == (int32_t)value && (value & UINT16_MAX) == 0);
}

static bool can_wait(const struct sparing *sparing, const struct step *step) {
    return (step->kind == STEP_CONSTANT || step->kind == STEP_LOAD) &&
           sparing->uses[step->result - OPERAND_TEMPORARY] > 0;
}

static void make_again(struct sparing *sparing, const struct step *from);

static operand made_here(struct sparing *sparing, operand operand) {
    if (operand < OPERAND_TEMPORARY)
        return operand;
    const uint32_t temporary = operand - OPERAND_TEMPORARY;
    const struct step *step = &sparing->from->list[sparing->made_by[temporary]];
    if (sparing->made[temporary] == 0 || (step->kind == STEP_CONSTANT && takes_one_instruction(step->number)))
        make_again(sparing, step);
    return sparing->made[temporary];
}

static void make_again(struct sparing *sparing, const struct step *from) {
    struct steps *to = sparing->to;
    struct step step = *from;
    step.a = made_here(sparing, from->a);
    step.b = made_here(sparing, from->b);
    step.c = made_here(sparing, from->c);
    if (to->count == MOST_STEPS) {
        sparing->full = true;
        return;
    }
    if (from->result) {
        step.result = (operand)(OPERAND_TEMPORARY + to->temporaries++);
        sparing->made[from->result - OPERAND_TEMPORARY] = step.result;
    }
    to->list[to->count++] = step;
}

/* Makes loads before a store to the same memory. */
static void make_loads(struct sparing *sparing, uint32_t before) {
    for (uint32_t i = 0; i < before; i++) {
        const struct step *step = &sparing->from->list[i];
        if (step->kind == STEP_LOAD && sparing->made[step->result - OPERAND_TEMPORARY] == 0)
            make_again(sparing, step);
    }
}

static void note_use(struct sparing *sparing, operand operand) {
    if (operand >= OPERAND_TEMPORARY)
        sparing->uses[operand - OPERAND_TEMPORARY]++;
}

bool steps_spare(const struct steps *from, struct steps *to) {
    struct sparing sparing = {.from = from, .to = to};
    if (from->lock != NO_INDEX)
        return false;
    *to = *from;
    to->count = to->temporaries = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const struct step *step = &from->list[i];
        note_use(&sparing, step->a);
        note_use(&sparing, step->b);
        note_use(&sparing, step->c);
        if (step->result)
            sparing.made_by[step->result - OPERAND_TEMPORARY] = (uint16_t)i;
    }
    for (uint32_t i = 0; i < from->count && !sparing.full; i++) {
        const struct step *step = &from->list[i];
        if (step->kind == STEP_STORE)
            make_loads(&sparing, i);
        if (!can_wait(&sparing, step))
            make_again(&sparing, step);
    }
    return !sparing.full && steps_pressure(to) < steps_pressure(from);
}
