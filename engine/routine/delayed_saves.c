/* delayed_saves.c: calls that an analysis routine makes on rare paths. Registers that such a call may change
   beyond the routine's own code are saved only at the call, in room above the routine's frame, and so are the
   floating-point control register and the thread pointer. Other paths execute only their own instructions.
   Requires the copy's flow. */
#include "engine/routine/internal.h"

#include <string.h>

enum { FREE_FLOAT = 30, MOST_FRAME = 30000, LIGHT = 16 };

/* Offsets from the room's begin. */
enum { THREAD_POINTER = 0, ARGUMENT = 8, CONTROL = 16, LINK = 24, SAVES = 32 };

/* ---- which calls ------------------------------------------------------------------------------------------------- */

/* The ops that control may reach after `from` without passing an `avoided` one. */
static void reach_ops(const struct routine_copy *copy, uint32_t from, const bool *avoided, bool *reached) {
    struct arena *scratch = copy->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    uint32_t *stack = arena_allocate(scratch, (copy->count + 1) * sizeof *stack), depth = 0;
    memset(reached, 0, copy->count * sizeof *reached);
    stack[depth++] = from;
    while (depth > 0) {
        uint32_t at = stack[--depth];
        for (uint32_t e = copy->next_first[at]; e < copy->next_first[at + 1]; e++) {
            uint32_t to = copy->next[e];
            if (reached[to] || (avoided && avoided[to]))
                continue;
            reached[to] = true;
            stack[depth++] = to;
        }
    }
    arena_release(scratch, mark);
}

/* True if the routine can return without an avoided call. */
static bool returns_without(const struct routine_copy *copy, const bool *avoided, bool *reached) {
    if (avoided[0])
        return false;
    reach_ops(copy, 0, avoided, reached);
    for (uint32_t i = 0; i < copy->count; i++)
        if ((reached[i] || i == 0) && (copy->ops[i].kind == OP_RETURN || copy->ops[i].kind == OP_TAIL))
            return true;
    return false;
}

/* True if the stack at the op has a frame to which room can be added. */
static bool has_frame(const struct routine_copy *copy, const struct op *op) {
    if (op->kind == OP_TAIL)
        return op->depth == 0 && copy->arguments <= copy->registers->arguments_in_registers;
    return op->depth == 0 || op->depth == (int32_t)copy->frame;
}

static bool has_standard_frame(const struct routine_copy *copy, const struct op *op) {
    return op->kind == OP_TAIL || op->facts.link == copy->registers->link;
}

/* Chooses calls that are neither in a loop nor on every path. */
static void find_candidates(struct routine_copy *copy, bool *chosen, bool *reached) {
    struct arena *scratch = copy->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    bool *alone = arena_allocate(scratch, (copy->count + 1) * sizeof *alone);
    for (uint32_t i = 0; i < copy->count; i++) {
        const struct op *op = &copy->ops[i];
        if (!op_calls(op) || !has_standard_frame(copy, op))
            continue;
        reach_ops(copy, i, NULL, reached);
        bool in_loop = reached[i];
        alone[i] = true;
        bool always = !returns_without(copy, alone, reached), frame = has_frame(copy, op);
        alone[i] = false;
        chosen[i] = !in_loop && !always && frame;
        if (!chosen[i] && copy->delay_reason == COPY_NONE)
            copy->delay_reason = in_loop ? COPY_LOOP : always ? COPY_ALWAYS : COPY_STACK;
    }
    arena_release(scratch, mark);
}

/* Computes the changes of the routine itself, including calls that are not delayed. */
void copy_summarise(struct routine_copy *copy) {
    struct routine_summary *summary = &copy->summary;
    struct arena *scratch = copy->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    register_set *live = fixed_liveness(copy);
    *summary = (struct routine_summary){.written = set_of(copy->registers->link)};
    for (uint32_t i = 0; i < copy->count; i++) {
        const struct op *op = &copy->ops[i];
        if (op_calls(op) && op->delayed) {
            summary->written |=
                (op->kind == OP_CALL ? live[i] & copy->registers->results : copy->results) & op->written;
            continue;
        }
        summary->written |= op_writes(copy, op) & caller_saved(copy->registers);
        summary->uses_thread_pointer |= op->uses_thread_pointer;
        summary->changes_fpcr |= op->changes_fpcr;
    }
    summary->uses_gp = (summary->written & set_of(copy->registers->data_base)) != 0;
    arena_release(scratch, mark);
}

/* True if it would have to save anything. */
static bool saves_anything(const struct routine_copy *copy, const struct op *op) {
    const struct routine_summary *own = &copy->summary;
    return (op->written & caller_saved(copy->registers) & ~own->written) != 0 ||
           (op->uses_thread_pointer && !own->uses_thread_pointer) || (op->changes_fpcr && !own->changes_fpcr);
}

/* True if all changes of the stack pointer are between depth 0 and one other depth; otherwise calls find no
   room. */
static bool has_one_frame(struct routine_copy *copy) {
    for (uint32_t i = 0; i < copy->count; i++) {
        int32_t depth = copy->ops[i].depth;
        if (depth == 0)
            continue;
        if (copy->frame != 0 && depth != (int32_t)copy->frame)
            return false;
        copy->frame = (uint32_t)depth;
    }
    return copy->frame < MOST_FRAME;
}

/* True if stack arguments are accessed only relative to the stack pointer, never by a computed address. */
static bool accesses_are_plain(const struct routine_copy *copy) {
    const register_set stack = set_of(copy->registers->stack);
    for (uint32_t i = 0; i < copy->count; i++) {
        const struct op *op = &copy->ops[i];
        if (op->kind != OP_PLAIN || !(op_reads(copy, op) & stack) || op_writes(copy, op) & stack)
            continue;
        bool stores = op->facts.flags & FACT_STORE;
        if (!op->facts.memory_count || (stores && op->facts.memory[0].data == copy->registers->stack))
            return false;
    }
    return true;
}

/* True if the callee does so much work that its saves matter little, even if the path is frequent. */
static bool is_costly(const struct routine_copy *copy, const struct op *op) {
    return !copy->rewrite || callee_is_costly(copy->rewrite, op->entry);
}

/* True for a call with much to save whose callee may do little: it is not delayed, because it may be
   frequent. */
static bool may_be_often(const struct routine_copy *copy, const struct op *op) {
    bool much = op->uses_thread_pointer || op->changes_fpcr || __builtin_popcountll(op->written) > LIGHT;
    return much && op->entry != 0 && !is_costly(copy, op);
}

static void leave_out_often(struct routine_copy *copy, bool *chosen) {
    for (uint32_t i = 0; i < copy->count; i++)
        if (chosen[i] && may_be_often(copy, &copy->ops[i])) {
            chosen[i] = false;
            copy->delay_reason = COPY_OFTEN;
        }
}

/* Finds whether each path has a costly call. */
static void find_cost(struct routine_copy *copy, bool *costly, bool *reached) {
    for (uint32_t i = 0; i < copy->count; i++) {
        const struct op *op = &copy->ops[i];
        costly[i] = op_calls(op) && op->entry != 0 && op->uses_thread_pointer && is_costly(copy, op);
    }
    copy->costly = !returns_without(copy, costly, reached);
}

/* If a callee's copy changes few registers, it is called without delay on any path, because it is not known
   how rare the path is. */
static bool is_light(const struct called_routine *helper) {
    return !helper->summary.uses_thread_pointer && !helper->summary.changes_fpcr &&
           __builtin_popcountll(helper->summary.written) <= LIGHT;
}

/* The results of the call that the routine, or its callers, may read before they are overwritten. A later
   call may leave any register unchanged, and its caller may rely on that. */
static register_set results_of(const struct routine_copy *copy, uint32_t call) {
    struct arena *scratch = copy->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    bool *written = arena_allocate(scratch, (copy->count + 1) * sizeof *written);
    bool *reached = arena_allocate(scratch, (copy->count + 1) * sizeof *reached);
    register_set results = 0;
    for (register_set rest = copy->registers->results; rest; rest &= rest - 1) {
        const register_set reg = rest & -rest;
        for (uint32_t i = 0; i < copy->count; i++) {
            const struct op *op = &copy->ops[i];
            written[i] = !op_calls(op) && !(op_reads(copy, op) & reg) && op_writes(copy, op) & reg;
        }
        reach_ops(copy, call, written, reached);
        for (uint32_t i = 0; i < copy->count; i++)
            results |= reached[i] ? op_reads(copy, &copy->ops[i]) & reg : 0;
    }
    arena_release(scratch, mark);
    return results;
}

/* A call that is not delayed uses the callee's copy, if that changes fewer registers. */
static void find_helpers(struct routine_copy *copy) {
    for (uint32_t i = 0; i < copy->count; i++) {
        struct op *op = &copy->ops[i];
        if (op->kind != OP_CALL || !has_standard_frame(copy, op) || op->entry == 0 || !copy->rewrite)
            continue;
        struct called_routine *helper = helper_called(copy->rewrite, op->entry, results_of(copy, i));
        if (!helper || (op->delayed && !is_light(helper)))
            continue;
        op->delayed = false;
        op->helper = helper;
        op_set_word(copy, op, machine_call_word(copy->machine, copy->machine->registers->link, 0));
        op->callee = 0;
        op->read &= ~set_of(copy->registers->procedure_value);
        op->written = helper->summary.written | set_of(copy->registers->link);
        op->uses_thread_pointer = helper->summary.uses_thread_pointer;
        op->changes_fpcr = helper->summary.changes_fpcr;
    }
}

void delays_find(struct routine_copy *copy) {
    struct arena *scratch = copy->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    bool *chosen = arena_allocate(scratch, (copy->count + 1) * sizeof *chosen);
    bool *reached = arena_allocate(scratch, (copy->count + 1) * sizeof *reached);
    bool good = has_one_frame(copy) &&
                (copy->arguments <= copy->registers->arguments_in_registers || accesses_are_plain(copy));
    find_cost(copy, chosen, reached);
    memset(chosen, 0, copy->count * sizeof *chosen);
    if (good)
        find_candidates(copy, chosen, reached);
    else
        copy->delay_reason = COPY_STACK;
    leave_out_often(copy, chosen);
    if (good && !returns_without(copy, chosen, reached)) {
        copy->delay_reason = COPY_ALWAYS;
        good = false;
    }
    for (uint32_t i = 0; good && i < copy->count; i++)
        copy->ops[i].delayed = chosen[i];
    find_helpers(copy);
    arena_release(scratch, mark);
}

void delays_choose(struct routine_copy *copy) {
    copy_summarise(copy);
    for (uint32_t i = 0; i < copy->count; i++) {
        struct op *op = &copy->ops[i];
        op->delayed = op->delayed && saves_anything(copy, op);
        copy->delayed += op->delayed;
    }
}

/* ---- room -------------------------------------------------------------------------------------------------------- */

/* Registers that the call saves: registers that it changes and the routine may not change. */
static register_set saves_of(const struct routine_copy *copy, const struct op *op) {
    register_set set =
        op->written | set_of(copy->registers->procedure_value) | set_of(copy->registers->data_base);
    if (op->uses_thread_pointer && !copy->summary.uses_thread_pointer)
        set |= REGISTER_BIT(copy->machine->registers->result) |
               REGISTER_BIT(copy->machine->registers->first_argument);
    if (op->changes_fpcr && !copy->summary.changes_fpcr)
        set |= FLOAT_BIT(FREE_FLOAT);
    return set & caller_saved(copy->registers) & ~copy->summary.written;
}

static void find_frame_room(struct routine_copy *copy) {
    for (uint32_t i = 0; i < copy->count; i++) {
        const struct op *op = &copy->ops[i];
        if (!op->delayed)
            continue;
        uint32_t room = SAVES + 8 * (uint32_t)__builtin_popcountll(saves_of(copy, op));
        copy->room = copy->room > room ? copy->room : room;
    }
    copy->room = (copy->room + 15) & ~15u;
}

/* Adds the room to all offsets that reach above the frame. */
void delays_lay_out(struct routine_copy *copy) {
    find_frame_room(copy);
    for (uint32_t i = 0; copy->room > 0 && i < copy->count; i++) {
        struct op *op = &copy->ops[i];
        if (op->kind != OP_PLAIN || !has_base(&op->facts) ||
            base_register(&op->facts) != copy->registers->stack)
            continue;
        int displacement = copy->analysis->program->architecture->constants(op->word).displacement;
        bool moves = adds_constant(&op->facts) && !(op->facts.flags & FACT_HIGH_PART) &&
                     op->facts.operand[0] == copy->registers->stack;
        if (moves)
            displacement += displacement < 0 ? -(int)copy->room : (int)copy->room;
        else if (op->depth > 0 && displacement >= op->depth)
            displacement += (int)copy->room;
        op_set_word(copy, op, machine_with_displacement(copy->machine, op->word, displacement));
    }
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

static void emit_jump_back(struct code *code, const struct op *op) {
    const struct machine *machine = code->machine;
    if (op->callee) {
        if (op->data_base)
            machine_address(code, op->data_base, machine->registers->data_base);
        machine_address(code, op->callee, machine->registers->procedure_value);
    }
    machine_call(code, op->callee ? machine->registers->procedure_value : op->facts.target);
}

void delay_emit(struct rewrite *rewrite, const struct routine_copy *copy, const struct op *op,
                uint32_t back) {
    struct code *code = &rewrite->code->wrappers;
    const unsigned stack = code->machine->registers->stack, link = code->machine->registers->link;
    register_set saves = saves_of(copy, op);
    bool own = op->depth == 0, tail = op->kind == OP_TAIL;
    bool swaps = op->uses_thread_pointer && !copy->summary.uses_thread_pointer;
    bool control = op->changes_fpcr && !copy->summary.changes_fpcr;
    uint32_t base = (uint32_t)op->depth;
    if (own)
        machine_lower_stack(code, copy->room);
    if (tail)
        machine_store(code, link, stack, (int)base + LINK);
    machine_save(code, saves, stack, base + SAVES);
    if (control)
        emit_control_saved(code, FLOAT_REGISTER(FREE_FLOAT), base + CONTROL);
    if (swaps)
        emit_thread_pointer_swap(rewrite, code, base + ARGUMENT, base + THREAD_POINTER);
    emit_jump_back(code, op);
    if (!op->falls && !tail)
        return;
    if (swaps)
        emit_thread_pointer_restored(code, base + THREAD_POINTER);
    if (control)
        emit_control_restored(code, FLOAT_REGISTER(FREE_FLOAT), base + CONTROL);
    machine_restore(code, saves, stack, base + SAVES);
    if (tail)
        machine_load(code, link, stack, (int)base + LINK);
    if (own)
        machine_raise_stack(code, copy->room);
    if (tail)
        machine_return_to(code, link);
    else
        machine_branch_to(code, back);
}
