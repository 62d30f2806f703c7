/* replacements.c: procedures of the program that analysis routines replace: code at their entries that
   calls the routine and returns to the caller, and code by which the routine can call the procedure itself.
   Requires routines of at most six parameters, unless arguments are given; the routine runs on the
   program's stack, under the lock. */
#include "engine/copy/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/routine/routine.h"
#include "support/search.h"

static bool is_at(const struct program *program, const struct site_replacement *replacement,
                  uint32_t instruction) {
    const struct procedure *procedure = &program->procedures[replacement->procedure];
    bool behind_ldgp = procedure->sets_data_base && instruction == procedure->first + 2;
    return replacement->entry == NO_INDEX || replacement->entry == instruction ||
           (replacement->entry == procedure->first && behind_ldgp);
}

const struct site_replacement *replacement_at(const struct rewrite *rewrite, uint32_t procedure,
                                              uint32_t instruction) {
    const struct sites *sites = rewrite->sites;
    uint32_t low = FIRST_NOT(0, sites->replacement_count, at, sites->replacements[at].procedure < procedure);
    for (; low < sites->replacement_count && sites->replacements[low].procedure == procedure; low++)
        if (is_at(rewrite->program, &sites->replacements[low], instruction))
            return &sites->replacements[low];
    return NULL;
}

/* The registers read by a routine with explicit arguments. */
static register_set given_sources(const struct conventions_of_machine *registers,
                                  const struct site_replacement *replacement) {
    register_set set = registers->arguments;
    for (uint32_t i = 0; i < replacement->argument_count; i++) {
        const struct site_argument *argument = &replacement->arguments[i];
        if (argument->kind == SITE_REPLACED && argument->constant == PLAN_REPLACED_ARGUMENTS)
            set |= registers->float_arguments;
        if (argument->kind == SITE_VALUE && argument->value == PLAN_VALUE_REGISTER)
            set |= REGISTER_BIT(argument->operand);
        if (argument->floating)
            set |= registers->float_arguments;
    }
    return set & ~(REGISTER_BIT(31) | REGISTER_BIT(63));
}

register_set replacement_arguments(const struct rewrite *rewrite) {
    const struct machine *machine = rewrite->machine;
    const struct conventions_of_machine *registers = machine_registers(rewrite);
    register_set set = 0;
    for (uint32_t i = 0; i < rewrite->sites->replacement_count; i++) {
        const struct site_replacement *replacement = &rewrite->sites->replacements[i];
        const struct plan_routine *routine = &rewrite->plan->routines[replacement->routine];
        if (replacement->has_arguments)
            set |= given_sources(registers, replacement);
        if (replacement->retains || (!replacement->has_arguments && !routine->prototyped))
            set |= registers->arguments | registers->float_arguments;
        for (uint32_t k = 0; k < routine->parameter_count && !replacement->has_arguments; k++) {
            enum plan_c_type type = routine->parameters[k].type;
            bool floating = type == PLAN_C_DOUBLE || type == PLAN_C_FLOAT;
            set |= floating ? FLOAT_BIT(machine->registers->first_argument + k)
                            : REGISTER_BIT(machine->registers->first_argument + k);
        }
    }
    return set;
}

/* The frame: the routine's arguments on the stack; the link, both results, the thread pointer, an argument,
   the control register, the previous owner; saved registers; and, with explicit arguments, the procedure's
   arguments, just below its own stack arguments. */
enum { LINK, RESULT, FLOAT_RESULT, THREAD_POINTER, ARGUMENT, CONTROL, PREVIOUS, SAVES };
struct entry_frame {
    int own, saves, vector, size; /* offsets, and the frame's size */
};

static struct entry_frame lay_out_frame(const struct site_replacement *replacement, register_set saves) {
    int count = (int)replacement->argument_count;
    struct entry_frame frame = {.own = 8 * (count > REGISTER_ARGUMENTS ? count - REGISTER_ARGUMENTS : 0)};
    frame.saves = frame.own + 8 * SAVES;
    frame.size = frame.saves + 8 * __builtin_popcountll(saves) + (replacement->has_arguments ? 96 : 0);
    frame.size = (frame.size + 15) & ~15;
    frame.vector = frame.size - 48;
    return frame;
}

static uint32_t variable_address(const struct rewrite *rewrite, const char *name) {
    return (uint32_t)analysis_symbol(rewrite->analysis, name);
}

/* Stores the thread pointer that the procedure would have, for code that calls it. */
static void emit_note_thread(struct rewrite *rewrite, const struct entry_frame *frame) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    machine_store(code, machine->registers->first_argument, machine->registers->stack,
                  frame->own + 8 * ARGUMENT);
    machine_thread_pointer(code, code->machine->registers->result);
    machine_address(code, variable_address(rewrite, "atomc_replaced_thread"), machine->registers->spill);
    machine_load(code, machine->registers->first_argument, machine->registers->spill, 0);
    machine_store(code, machine->registers->first_argument, machine->registers->stack,
                  frame->own + 8 * PREVIOUS);
    machine_store(code, machine->registers->result, machine->registers->spill, 0);
    machine_load(code, machine->registers->first_argument, machine->registers->stack,
                 frame->own + 8 * ARGUMENT);
}

/* ---- arguments of its own --------------------------------------------------------------------------------- */

static void emit_register(struct code *code, const struct entry_frame *frame, unsigned source, unsigned to) {
    const struct machine *machine = code->machine;
    if (source >= machine->registers->first_argument &&
        source < machine->registers->first_argument + (unsigned)REGISTER_ARGUMENTS) {
        machine_load(code, to, machine->registers->stack,
                     frame->vector + 8 * (int)(source - machine->registers->first_argument));
    } else if (source == machine->registers->stack) {
        machine_add_constant(code, machine->registers->stack, frame->size, to);
    } else if (source >= 32) { /* through a slot that is still free */
        machine_store(code, source, machine->registers->stack, frame->own + 8 * ARGUMENT);
        machine_load(code, to, machine->registers->stack, frame->own + 8 * ARGUMENT);
    } else {
        machine_move(code, source, to);
    }
}

static void emit_value(struct rewrite *rewrite, const struct entry_frame *frame,
                       const struct site_argument *argument, uint32_t instruction, unsigned to) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    switch (argument->value) {
    case PLAN_VALUE_PC:
        emit_constant(rewrite, code, (int64_t)instruction_address(rewrite->program, instruction), to);
        break;
    case PLAN_VALUE_INSTRUMENTED_PC:
        emit_copy_address(rewrite, instruction, to);
        break;
    case PLAN_VALUE_CYCLES:
        machine_cycles(code, to);
        break;
    case PLAN_VALUE_ARGUMENT:
        machine_load(code, to, machine->registers->stack, frame->vector + 8 * argument->operand);
        break;
    default: /* a register, which may be an argument register */
        emit_register(code, frame, argument->operand, to);
        break;
    }
}

static void emit_given(struct rewrite *rewrite, const struct entry_frame *frame,
                       const struct site_argument *argument, uint32_t instruction, uint32_t retained,
                       unsigned to) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    if (argument->kind == SITE_VALUE)
        emit_value(rewrite, frame, argument, instruction, to);
    else if (argument->kind == SITE_STRING)
        machine_address(code, table_string(rewrite, argument->string), to);
    else if (argument->kind == SITE_BUFFER)
        machine_address(code, rewrite->code->tables.buffer_addresses[argument->constant], to);
    else if (argument->kind == SITE_REPLACED && argument->constant == PLAN_REPLACED_ADDRESS)
        machine_address(code, retained, to);
    else if (argument->kind == SITE_REPLACED)
        machine_add_constant(code, machine->registers->stack, frame->vector, to);
    else
        emit_constant(rewrite, code, argument->constant, to);
}

/* A floating-point parameter: from a register of that kind, or from an integer that is converted. */
static void emit_given_float(struct rewrite *rewrite, const struct entry_frame *frame,
                             const struct site_argument *argument, unsigned to) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    unsigned source = argument->operand, first = FLOAT_REGISTER(machine->registers->first_argument);
    if (argument->kind != SITE_VALUE) {
        emit_constant(rewrite, code, argument->constant, machine->registers->spill);
        machine_store(code, machine->registers->spill, machine->registers->stack, frame->own + 8 * ARGUMENT);
        machine_load(code, FLOAT_REGISTER(to), machine->registers->stack, frame->own + 8 * ARGUMENT);
    } else if (argument->value == PLAN_VALUE_ARGUMENT) { /* on the stack, a float in memory format */
        const int offset = frame->vector + 8 * argument->operand;
        if (argument->single)
            machine_load_4(code, FLOAT_REGISTER(to), machine->registers->stack, offset);
        else
            machine_load(code, FLOAT_REGISTER(to), machine->registers->stack, offset);
    } else if (source >= first && source < first + REGISTER_ARGUMENTS) {
        machine_load(code, FLOAT_REGISTER(to), machine->registers->stack,
                     frame->vector - 48 + 8 * (int)(source - first));
    } else {
        machine_store(code, source, machine->registers->stack, frame->own + 8 * ARGUMENT);
        machine_load(code, FLOAT_REGISTER(to), machine->registers->stack, frame->own + 8 * ARGUMENT);
    }
}

/* Stack arguments first, as long as registers are unchanged. */
static void emit_arguments(struct rewrite *rewrite, const struct entry_frame *frame,
                           const struct site_replacement *replacement, uint32_t instruction,
                           uint32_t retained) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    for (unsigned r = 0; r < REGISTER_ARGUMENTS; r++) {
        machine_store(code, machine->registers->first_argument + r, machine->registers->stack,
                      frame->vector + 8 * (int)r);
        machine_store(code, FLOAT_REGISTER(machine->registers->first_argument + r), machine->registers->stack,
                      frame->vector + 8 * (int)r - 48);
    }
    for (uint32_t i = REGISTER_ARGUMENTS; i < replacement->argument_count; i++) {
        emit_given(rewrite, frame, &replacement->arguments[i], instruction, retained,
                   machine->registers->spill);
        machine_store(code, machine->registers->spill, machine->registers->stack,
                      8 * (int)(i - REGISTER_ARGUMENTS));
    }
    for (uint32_t i = 0; i < replacement->argument_count && i < REGISTER_ARGUMENTS; i++)
        if (replacement->arguments[i].floating)
            emit_given_float(rewrite, frame, &replacement->arguments[i],
                             machine->registers->first_argument + i);
        else
            emit_given(rewrite, frame, &replacement->arguments[i], instruction, retained,
                       machine->registers->first_argument + i);
}

/* ---- the call --------------------------------------------------------------------------------------------- */

static void emit_enter(struct rewrite *rewrite, const struct entry_frame *frame,
                       const struct site_replacement *replacement) {
    const struct routine_summary *summary = &rewrite->routines->summaries[replacement->routine];
    struct code *code = &rewrite->code->copies;
    if (summary->changes_fpcr)
        emit_control_saved(code, FLOAT_REGISTER(0), (uint32_t)(frame->own + 8 * CONTROL));
    if (rewrite->program->threads)
        emit_lock(rewrite, code, "atomc_lock");
    if (replacement->retains)
        emit_note_thread(rewrite, frame);
    if (summary->uses_thread_pointer)
        emit_thread_pointer_swap(rewrite, code, (uint32_t)(frame->own + 8 * ARGUMENT),
                                 (uint32_t)(frame->own + 8 * THREAD_POINTER));
}

static void emit_leave(struct rewrite *rewrite, const struct entry_frame *frame,
                       const struct site_replacement *replacement) {
    const struct routine_summary *summary = &rewrite->routines->summaries[replacement->routine];
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    if (summary->uses_thread_pointer)
        emit_thread_pointer_restored(code, (uint32_t)(frame->own + 8 * THREAD_POINTER));
    if (replacement->retains) {
        machine_address(code, variable_address(rewrite, "atomc_replaced_thread"), machine->registers->spill);
        machine_load(code, machine->registers->result, machine->registers->stack, frame->own + 8 * PREVIOUS);
        machine_store(code, machine->registers->result, machine->registers->spill, 0);
    }
    if (rewrite->program->threads)
        emit_lock(rewrite, code, "atomc_unlock");
    if (summary->changes_fpcr)
        emit_control_restored(code, FLOAT_REGISTER(0), (uint32_t)(frame->own + 8 * CONTROL));
}

/* Callers may rely on more than the calling standard guarantees: all registers except results and the one for
   spills are preserved. */
static register_set saved_registers(const struct rewrite *rewrite,
                                    const struct site_replacement *replacement) {
    const struct machine *machine = rewrite->machine;
    const struct conventions_of_machine *registers = machine_registers(rewrite);
    register_set set = wrapper_clobbers(rewrite, replacement->routine);
    if (replacement->has_arguments)
        set |= registers->arguments;
    for (uint32_t i = 0; i < replacement->argument_count; i++)
        if (replacement->arguments[i].floating)
            set |= registers->float_arguments;
    return set & ~(REGISTER_BIT(machine->registers->result) | FLOAT_BIT(0) |
                   REGISTER_BIT(machine->registers->spill) | REGISTER_BIT(machine->registers->link));
}

void emit_replacement(struct rewrite *rewrite, const struct site_replacement *replacement,
                      uint32_t instruction, uint32_t retained) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    register_set saves = saved_registers(rewrite, replacement);
    struct entry_frame frame = lay_out_frame(replacement, saves);
    machine_lower_stack(code, (uint32_t)frame.size);
    machine_store(code, machine->registers->link, machine->registers->stack, frame.own + 8 * LINK);
    machine_save(code, saves, machine->registers->stack, (uint32_t)frame.saves);
    if (replacement->has_arguments)
        emit_arguments(rewrite, &frame, replacement, instruction, retained);
    emit_enter(rewrite, &frame, replacement);
    machine_address(code, (uint32_t)rewrite->routines->addresses[replacement->routine],
                    machine->registers->procedure_value);
    machine_call(code, machine->registers->procedure_value);
    machine_store(code, machine->registers->result, machine->registers->stack, frame.own + 8 * RESULT);
    machine_store(code, FLOAT_REGISTER(0), machine->registers->stack, frame.own + 8 * FLOAT_RESULT);
    emit_leave(rewrite, &frame, replacement);
    machine_restore(code, saves, machine->registers->stack, (uint32_t)frame.saves);
    machine_load(code, machine->registers->result, machine->registers->stack, frame.own + 8 * RESULT);
    machine_load(code, FLOAT_REGISTER(0), machine->registers->stack, frame.own + 8 * FLOAT_RESULT);
    machine_load(code, machine->registers->link, machine->registers->stack, frame.own + 8 * LINK);
    machine_raise_stack(code, (uint32_t)frame.size);
    rewrite->code->statistics.replacements++;
    if (rewrite->copying->sparse) { /* the original address leads to the copy, if one exists */
        machine_return_to(code, machine->registers->link);
        return;
    }
    machine_look_up(code, machine->registers->link,
                    machine->registers->spill); /* its copy, through the map */
    machine_return_to(code, machine->registers->spill);
}

/* ---- the procedure itself, called by analysis routines -------------------------------------------------------- */

/* The frame: copies of the first arguments on the stack, the link, a result, both thread pointers. */
enum { COPIED = 10, BACK = COPIED, SAVED, PRIVATE, THREAD, RETAINED_SIZE = 8 * (THREAD + 1) };

static void emit_set_thread(struct code *code, unsigned slot, unsigned keep) {
    const struct machine *machine = code->machine;
    machine_store(code, keep, machine->registers->stack, 8 * SAVED);
    machine_load(code, machine->registers->first_argument, machine->registers->stack, 8 * (int)slot);
    machine_set_thread_pointer(code);
    machine_load(code, keep, machine->registers->stack, 8 * SAVED);
}

/* Enters the program's code. The program returns through the map, which has no word for this code. So a
   constant in the pool serves as map word, and the address of the constant is the return address. A sparsely
   copied program returns without the map. */
static uint32_t emit_call_retained(struct rewrite *rewrite, uint32_t instruction,
                                   struct atomc_retained *retained) {
    const struct program *program = rewrite->program;
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    machine_lower_stack(code, RETAINED_SIZE);
    for (int i = 0; i < COPIED; i++) {
        machine_load(code, machine->registers->spill, machine->registers->stack, RETAINED_SIZE + 8 * i);
        machine_store(code, machine->registers->spill, machine->registers->stack, 8 * i);
    }
    machine_store(code, machine->registers->link, machine->registers->stack, 8 * BACK);
    machine_thread_pointer(code, code->machine->registers->result);
    machine_store(code, machine->registers->result, machine->registers->stack, 8 * PRIVATE);
    machine_address(code, variable_address(rewrite, "atomc_replaced_thread"), machine->registers->spill);
    machine_load(code, machine->registers->spill, machine->registers->spill, 0);
    machine_store(code, machine->registers->spill, machine->registers->stack, 8 * THREAD);
    emit_set_thread(code, THREAD, machine->registers->first_argument);
    if (rewrite->program->threads)
        emit_lock(rewrite, code, "atomc_unlock");
    emit_original(rewrite, code, instruction, instruction_address(program, instruction),
                  machine->registers->procedure_value);
    emit_original(rewrite, code, instruction,
                  program->procedures[procedure_at(program, instruction)].data_base,
                  machine->registers->data_base);
    uint32_t back = code_address(code) + 12;
    retained->back = rewrite->copying->sparse ? 0 : pool_constant(rewrite, back);
    machine_address(code, retained->back ? (uint32_t)retained->back : back, machine->registers->link);
    return machine_branch_forward(code);
}

uint32_t emit_retained(struct rewrite *rewrite, uint32_t instruction, uint32_t *address) {
    const struct program *program = rewrite->program;
    const struct procedure *procedure = &program->procedures[procedure_at(program, instruction)];
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    if (procedure->sets_data_base && instruction == procedure->first + 2 &&
        rewrite->copying->retained_count) {
        *address = (uint32_t)rewrite->copying->retained[rewrite->copying->retained_count - 1].address;
        return NO_INDEX;
    }
    *address = code_address(code);
    ARENA_RESERVE(rewrite->round, rewrite->copying->retained, rewrite->copying->retained_count,
                  rewrite->copying->retained_capacity);
    struct atomc_retained *retained = &rewrite->copying->retained[rewrite->copying->retained_count++];
    *retained = (struct atomc_retained){.name = (uint64_t)(uintptr_t)procedure->name, .address = *address};
    uint32_t branch = emit_call_retained(rewrite, instruction, retained);
    machine_store(code, machine->registers->result, machine->registers->stack, 8 * SAVED);
    if (rewrite->program->threads)
        emit_lock(rewrite, code, "atomc_lock");
    machine_address(code, variable_address(rewrite, "atomc_replaced_thread"), machine->registers->spill);
    machine_load(code, machine->registers->first_argument, machine->registers->stack, 8 * THREAD);
    machine_store(code, machine->registers->first_argument, machine->registers->spill, 0);
    machine_load(code, machine->registers->result, machine->registers->stack, 8 * SAVED);
    emit_set_thread(code, PRIVATE, machine->registers->result);
    machine_load(code, machine->registers->link, machine->registers->stack, 8 * BACK);
    machine_raise_stack(code, RETAINED_SIZE);
    machine_return_to(code, machine->registers->link);
    return branch;
}

void retained_write(struct rewrite *rewrite, struct atomc_image *image) {
    uint32_t count = rewrite->copying->retained_count;
    for (uint32_t i = 0; i < count; i++)
        rewrite->copying->retained[i].name =
            table_string(rewrite, (const char *)(uintptr_t)rewrite->copying->retained[i].name);
    image->retained =
        count ? table_bytes(rewrite, rewrite->copying->retained, count * sizeof *rewrite->copying->retained)
              : 0;
    image->retained_count = count;
}
