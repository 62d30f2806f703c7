/* system_calls.c: the program's system calls: calls that the runtime has to intercept go through a gate.
   Requires plan/system_calls.def, which lists them. */
#include "engine/copy/internal.h"
#include "engine/places/places.h"
#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"
#include "engine/image/image.h"
#include "plan/system_calls.h"

static unsigned gate_of(const struct rewrite *rewrite, int64_t number) {
    return system_call_gate(rewrite->program->architecture, number);
}

static bool is_named_among(const struct rewrite *rewrite, int64_t number, const char *const *names) {
    for (; *names; names++)
        if (is_system_call_named(rewrite->program->architecture, number, *names))
            return true;
    return false;
}

/* The number of the system call that ends the block. -1 if it is unknown, also because a tool may set the
   number, or skip the instruction that sets it. */
static int64_t known_number(const struct rewrite *rewrite, const struct basic_block *block) {
    for (uint32_t i = 0; i < rewrite->plan->action_count; i++)
        if (rewrite->plan->actions[i].kind == PLAN_ACTION_SET ||
            rewrite->plan->actions[i].kind == PLAN_ACTION_SKIP)
            return -1;
    return system_call_number(rewrite->program, block_last(block));
}

/* True if the call may block while other threads are stopped. */
static bool may_wait(const struct rewrite *rewrite, const struct basic_block *block) {
    int64_t number = known_number(rewrite, block);
    return rewrite->program->threads && (number < 0 || (gate_of(rewrite, number) & GATE_WAITS) != 0);
}

/* True if the system call that ends the block may be one that the runtime handles. False if its number is
   known to be another. */
static bool is_handled(const struct rewrite *rewrite, const struct basic_block *block) {
    const struct program *program = rewrite->program;
    int64_t number = known_number(rewrite, block);
    int handled =
        GATE_ALL | (program->interpreter ? GATE_OBJECTS : 0) | (rewrite->options->run ? GATE_NAMES : 0);
    return number < 0 || (gate_of(rewrite, number) & handled) != 0;
}

bool call_is_gated(const struct rewrite *rewrite, const struct basic_block *block) {
    return is_handled(rewrite, block) || may_wait(rewrite, block);
}

static const char *gate_name(const struct rewrite *rewrite, const struct basic_block *block) {
    return !is_handled(rewrite, block)     ? "atomc_wait_gate"
           : rewrite->program->interpreter ? "atomc_object_gate"
                                           : "atomc_program_gate";
}

/* True if it may be the program's last system call, or may map or unmap a library. Analysis calls after such
   a system call may need all registers unchanged. */
static bool may_end(const struct rewrite *rewrite, const struct basic_block *block) {
    int64_t number = known_number(rewrite, block);
    static const char *const names[] = {"exit", "exit_group", "mmap", "munmap", "execve", "execveat", NULL};
    return number < 0 || is_named_among(rewrite, number, names);
}

/* True if the runtime has to be informed of a failure. They are calls that make a thread, except in programs
   with separate frames, which have no threads; and calls before which results are written. */
static bool may_fail(const struct rewrite *rewrite, const struct basic_block *block) {
    int64_t number = known_number(rewrite, block);
    static const char *const making[] = {"clone", NULL}, *const replacing[] = {"execve", "execveat", NULL};
    bool makes_thread = is_named_among(rewrite, number, making) && !rewrite->code->own_frames;
    return number < 0 || makes_thread || is_named_among(rewrite, number, replacing);
}

/* Calls one of the runtime's gates, with the link register and the one for spills saved. `base`: as for
   emit_enter_stack(), or NO_INDEX if the frame is on the program's stack. */
static void emit_gate_entry(struct rewrite *rewrite, unsigned base, const char *name) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    if (base == NO_INDEX)
        emit_lower_spill(rewrite, code);
    else
        emit_enter_stack(code, base);
    machine_store(code, machine->registers->link, machine->registers->stack, 0);
    machine_store(code, machine->registers->spill, machine->registers->stack, 8);
    machine_address(code, (uint32_t)analysis_symbol(rewrite->analysis, name), machine->registers->link);
    machine_call(code, machine->registers->link);
}

static void emit_gate_exit(struct rewrite *rewrite, unsigned base) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    machine_load(code, machine->registers->link, machine->registers->stack, 0);
    machine_load(code, machine->registers->spill, machine->registers->stack, 8);
    if (base == NO_INDEX)
        emit_raise_spill(rewrite, code);
    else
        emit_leave_stack(code, base);
}

/* A system call of the program: the runtime's gate runs first (for exit, fork, threads, handlers). The code
   makes the call here, in the copy, so that children and restarted calls continue in the copy. The runtime is
   informed if a thread could not be made, when a new thread begins, and when a call ends that may block while
   threads are stopped. */
void copy_system_call(struct rewrite *rewrite, const struct basic_block *block) {
    struct code *code = &rewrite->code->copies;
    if (!call_is_gated(rewrite, block)) {
        machine_system_call(code);
        return;
    }
    uint32_t last = block_last(block), failing = 0, waiting = 0, over[4], count = 0;
    register_set needed =
        registers_taken_after(rewrite, last, block->live_out) | facts_of(rewrite->program, last)->read;
    /* the stack pointer can be stored and loaded: it is a register like the others */
    bool is_general = set_of(rewrite->machine->registers->stack);
    bool by_frame = is_general && rewrite->code->own_frames && !rewrite->options->without[WITHOUT_LIVENESS] &&
                    !may_end(rewrite, block);
    unsigned base = by_frame ? free_register(machine_registers(rewrite), needed) : NO_INDEX;
    bool fails = may_fail(rewrite, block), waits = may_wait(rewrite, block);
    emit_gate_entry(rewrite, base, gate_name(rewrite, block));
    if (fails)
        failing = machine_branch_if_forward(code, CONDITION_NEGATIVE, code->machine->registers->spill);
    uint32_t made = machine_branch_if_forward(code, CONDITION_ODD, code->machine->registers->spill);
    if (waits)
        waiting = machine_branch_if_forward(code, CONDITION_NONZERO, code->machine->registers->spill);
    emit_gate_exit(rewrite, base);
    machine_system_call(code);
    over[count++] = machine_branch_forward(code);
    machine_aim_here(code, made);
    emit_gate_exit(rewrite, base);
    if (fails) {
        over[count++] = machine_branch_forward(code);
        machine_aim_here(code, failing);
        emit_gate_exit(rewrite, base);
        machine_system_call(code);
        uint32_t begins = machine_branch_if_forward(code, CONDITION_ZERO, code->machine->registers->result);
        const struct conventions_of_machine *registers = code->machine->registers;
        over[count++] = registers->system_call_error == REGISTER_NONE
                            ? machine_branch_if_forward(code, CONDITION_NOT_NEGATIVE, registers->result)
                            : machine_branch_if_forward(code, CONDITION_ZERO, registers->system_call_error);
        machine_aim_here(code, begins);
        emit_gate_entry(rewrite, base, "atomc_call_failed");
        emit_gate_exit(rewrite, base);
    }
    if (waits) {
        over[count++] = machine_branch_forward(code);
        machine_aim_here(code, waiting);
        emit_gate_exit(rewrite, base);
        machine_system_call(code);
        machine_branch_forward(code); /* WAIT_MARK */
        emit_gate_entry(rewrite, base, "atomc_call_ends");
        emit_gate_exit(rewrite, base);
    }
    while (count > 0)
        machine_aim_here(code, over[--count]);
}
