/* copy.c: makes the adapted copy of an analysis routine, pass by pass, and emits it.
   Requires the analysis image's summaries. */
#include "engine/routine/internal.h"
#include "engine/object/object.h"
#include "engine/places/places.h"

#include <string.h>

const char *const copy_reasons[COPY_REASON_COUNT] = {
#define COPY_REASON(id, text) text,
#include "engine/routine/copy_reasons.def"
#undef COPY_REASON
};

/* ---- the stack --------------------------------------------------------------------------------------------------- */

/* The bytes by which the instruction lowers the stack pointer; false if that is unknown. */
static bool lowers_by(const struct routine_copy *copy, const struct op *op, int32_t *bytes) {
    const unsigned stack = copy->machine->registers->stack;
    *bytes = 0;
    if (op->kind == OP_GONE || !(op_writes(copy, op) >> stack & 1))
        return true;
    *bytes = -copy->analysis->program->architecture->constants(op->word).displacement;
    return op->kind == OP_PLAIN && adds_constant(&op->facts) && !(op->facts.flags & FACT_HIGH_PART) &&
           op->facts.operand[1] == stack;
}

/* Computes the depth of the stack at each op, which must be the same on all paths. */
static bool find_depths(struct routine_copy *copy) {
    struct arena *scratch = copy->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    uint32_t *stack = arena_allocate(scratch, (copy->count + 1) * sizeof *stack), count = 0;
    bool *seen = arena_allocate(scratch, (copy->count + 1) * sizeof *seen), good = true;
    stack[count++] = 0;
    seen[0] = true;
    while (count > 0 && good) {
        uint32_t at = stack[--count];
        const struct op *op = &copy->ops[at];
        int32_t lowered;
        good = lowers_by(copy, op, &lowered) && (op->kind != OP_RETURN || op->depth == 0) &&
               (op->kind != OP_TAIL || op->depth == 0);
        for (uint32_t e = copy->next_first[at]; good && e < copy->next_first[at + 1]; e++) {
            struct op *next = &copy->ops[copy->next[e]];
            good = !seen[copy->next[e]] || next->depth == op->depth + lowered;
            next->depth = op->depth + lowered;
            if (next->depth < 0)
                good = false;
            if (!seen[copy->next[e]])
                stack[count++] = copy->next[e];
            seen[copy->next[e]] = true;
        }
    }
    arena_release(scratch, mark);
    if (!good)
        copy->reason = COPY_STACK;
    return good;
}

/* ---- the passes -------------------------------------------------------------------------------------------------- */

void routine_copy_make(struct routine_copy *copy, bool delays, bool renames) {
    copy->registers = &copy->analysis->program->architecture->registers;
    if (!routine_lift(copy))
        return;
    flow_find(copy);
    if (!find_depths(copy))
        return;
    if (delays)
        delays_find(copy);
    webs_find(copy);
    addresses_drop(copy);
    addresses_fold(copy);
    if (delays)
        delays_choose(copy);
    if (renames)
        renaming_do(copy);
    copy_summarise(copy);
    delays_lay_out(copy);
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

/* The state of emission. */
struct emission {
    struct rewrite *rewrite;
    const struct routine_copy *copy;
    struct called_routine *called;
    uint32_t *positions; /* word indices of the ops, and of the end */
};

static void emit_tail(struct code *code, const struct op *op) {
    if (op->callee) {
        if (op->data_base)
            machine_address(code, op->data_base, code->machine->registers->data_base);
        machine_address(code, op->callee, code->machine->registers->procedure_value);
    }
    machine_jump(code, code->machine->registers->procedure_value);
}

/* A call without saves of its own. */
static void emit_own_call(struct code *code, const struct op *op) {
    if (op->helper) {
        machine_near_call(code, op->helper->address);
    } else if (op->callee) {
        if (op->data_base)
            machine_address(code, op->data_base, code->machine->registers->data_base);
        machine_address(code, op->callee, code->machine->registers->procedure_value);
        machine_call(code, code->machine->registers->procedure_value);
    } else {
        machine_call_by(code, op->facts.link, op->facts.target);
    }
}

/* The distance from an address in the routine to the map word that holds the copy's address. */
static int32_t map_distance(const struct emission *emission) {
    const struct routine_copy *copy = emission->copy;
    if (copy->jump_count == 0)
        return 0;
    return (int32_t)(emission->called->map - instruction_address(copy->analysis->program, copy->lowest));
}

static void emit_op(const struct emission *emission, const struct op *op) {
    struct code *code = &emission->rewrite->code->wrappers;
    switch ((enum op_kind)op->kind) {
    case OP_GONE:
        break;
    case OP_ADDRESS:
        machine_address(code, (uint32_t)op->value, op->facts.operand[0]);
        break;
    case OP_PLAIN:
    case OP_RETURN:
    case OP_JUMP:
        emit(code, op->word);
        break;
    case OP_MAP:
        emit(code, machine_add_distance(code->machine, op->word, (uint32_t)map_distance(emission)));
        break;
    case OP_BRANCH:
        emit(code, op->word); /* its target is set later */
        break;
    case OP_CALL:
    case OP_TAIL:
        if (op->delayed)
            machine_no_operation(code); /* will be a branch */
        else if (op->kind == OP_TAIL)
            emit_tail(code, op);
        else
            emit_own_call(code, op);
        break;
    }
}

static void aim_branch(struct code *code, uint32_t position, uint32_t word, uint32_t to) {
    code->words[position] = word;
    machine_aim(code, position, to);
}

/* True for an unconditional branch to the next op, which is not emitted. */
static bool is_idle_instruction(const struct routine_copy *copy, uint32_t i) {
    const struct op *op = &copy->ops[i];
    if (op->kind != OP_BRANCH || op->falls || op->target <= i)
        return false;
    for (uint32_t k = i + 1; k < op->target; k++)
        if (copy->ops[k].kind != OP_GONE)
            return false;
    return true;
}

/* Notes that the next word is made from the op. */
static void note_copy_place(const struct emission *emission, const struct op *op) {
    struct called_routine *called = emission->called;
    ARENA_RESERVE(emission->rewrite->round, called->places, called->place_count, called->place_capacity);
    called->places[called->place_count++] =
        (struct copy_place){code_address(&emission->rewrite->code->wrappers), op->instruction};
}

static void emit_body(const struct emission *emission) {
    const struct routine_copy *copy = emission->copy;
    struct code *code = &emission->rewrite->code->wrappers;
    for (uint32_t i = 0; i < copy->count; i++) {
        emission->positions[i] = code_position(code);
        note_copy_place(emission, &copy->ops[i]);
        if (!is_idle_instruction(copy, i))
            emit_op(emission, &copy->ops[i]);
    }
    emission->positions[copy->count] = code_position(code);
    for (uint32_t i = 0; i < copy->count; i++) {
        const struct op *op = &copy->ops[i];
        if (op->kind == OP_BRANCH && !is_idle_instruction(copy, i))
            aim_branch(code, emission->positions[i], op->word, emission->positions[op->target]);
        if (!op->delayed)
            continue;
        aim_branch(code, emission->positions[i], machine_branch_word(code->machine, 0), code_position(code));
        note_copy_place(emission, op);
        delay_emit(emission->rewrite, copy, op, emission->positions[i + 1]);
    }
}

static void fill_map(const struct emission *emission) {
    const struct routine_copy *copy = emission->copy;
    struct rewrite *rewrite = emission->rewrite;
    for (uint32_t j = 0; j < copy->jump_count; j++) {
        const struct op *to = &copy->ops[copy->jumps[j].to];
        uint32_t at = (emission->called->map - rewrite->code->tables.words.address) / 4 +
                      (to->instruction - copy->lowest);
        rewrite->code->tables.words.words[at] =
            rewrite->code->wrappers.address + 4 * emission->positions[copy->jumps[j].to];
    }
}

void routine_copy_emit(struct rewrite *rewrite, struct called_routine *called) {
    const struct routine_copy *copy = &called->copy;
    for (uint32_t i = 0; i < copy->count; i++)
        if (copy->ops[i].helper)
            called_place(rewrite, copy->ops[i].helper);
    struct arena *scratch = rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    struct emission emission = {.rewrite = rewrite, .copy = copy, .called = called};
    if (copy->jump_count > 0 && called->map == 0) {
        size_t size = 4 * (size_t)(copy->highest - copy->lowest + 1);
        called->map = table_bytes(rewrite, arena_allocate(scratch, size), size);
    }
    emission.positions = arena_allocate(scratch, (copy->count + 1) * sizeof *emission.positions);
    called->address = code_address(&rewrite->code->wrappers);
    emit_body(&emission);
    fill_map(&emission);
    called->end = code_address(&rewrite->code->wrappers);
    arena_release(scratch, mark);
}
