/* replacements.c: procedures of the program that analysis routines replace: code at their entries that
   calls the routine and returns to the caller, and code by which the routine can call the procedure itself.
   Requires routines of at most six parameters, unless arguments are given; the routine runs on the
   program's stack, under the lock. */
#include "engine/copy/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/routine/routine.h"

static bool is_at(const struct program *program, const struct site_replacement *replacement,
                  uint32_t instruction) {
    const struct procedure *procedure = &program->procedures[replacement->procedure];
    bool behind_ldgp = procedure->has_ldgp && instruction == procedure->first + 2;
    return replacement->entry == NO_INDEX || replacement->entry == instruction ||
           (replacement->entry == procedure->first && behind_ldgp);
}

const struct site_replacement *replacement_at(const struct rewrite *rewrite, uint32_t procedure,
                                              uint32_t instruction) {
    const struct sites *sites = rewrite->sites;
    uint32_t low = 0, high = sites->replacement_count;
    while (low < high) { /* the procedure's first */
        uint32_t middle = (low + high) / 2;
        if (sites->replacements[middle].procedure < procedure)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < sites->replacement_count && sites->replacements[low].procedure == procedure; low++)
        if (is_at(rewrite->program, &sites->replacements[low], instruction))
            return &sites->replacements[low];
    return NULL;
}

/* The registers read by a routine with explicit arguments. */
static alpha_register_set given_sources(const struct site_replacement *replacement) {
    alpha_register_set set = ARGUMENT_REGISTERS;
    for (uint32_t i = 0; i < replacement->argument_count; i++) {
        const struct site_argument *argument = &replacement->arguments[i];
        if (argument->kind == SITE_REPLACED && argument->constant == PLAN_REPLACED_ARGUMENTS)
            set |= FLOAT_ARGUMENT_REGISTERS;
        if (argument->kind == SITE_VALUE && argument->value == PLAN_VALUE_REGISTER)
            set |= REGISTER_BIT(argument->operand);
        if (argument->floating)
            set |= FLOAT_ARGUMENT_REGISTERS;
    }
    return set & ~(REGISTER_BIT(31) | REGISTER_BIT(63));
}

alpha_register_set replacement_arguments(const struct rewrite *rewrite) {
    alpha_register_set set = 0;
    for (uint32_t i = 0; i < rewrite->sites->replacement_count; i++) {
        const struct site_replacement *replacement = &rewrite->sites->replacements[i];
        const struct plan_routine *routine = &rewrite->plan->routines[replacement->routine];
        if (replacement->has_arguments)
            set |= given_sources(replacement);
        if (replacement->retains || (!replacement->has_arguments && !routine->prototyped))
            set |= ARGUMENT_REGISTERS | FLOAT_ARGUMENT_REGISTERS;
        for (uint32_t k = 0; k < routine->parameter_count && !replacement->has_arguments; k++) {
            enum plan_c_type type = routine->parameters[k].type;
            bool floating = type == PLAN_C_DOUBLE || type == PLAN_C_FLOAT;
            set |= floating ? FLOAT_BIT(ALPHA_A0 + k) : REGISTER_BIT(ALPHA_A0 + k);
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

static struct entry_frame lay_out_frame(const struct site_replacement *replacement,
                                        alpha_register_set saves) {
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
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_A0, frame->own + 8 * ARGUMENT, ALPHA_SP));
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    emit_address(code, variable_address(rewrite, "atomc_replaced_thread"), ALPHA_AT);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, 0, ALPHA_AT));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_A0, frame->own + 8 * PREVIOUS, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_V0, 0, ALPHA_AT));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, frame->own + 8 * ARGUMENT, ALPHA_SP));
}

/* ---- arguments of its own --------------------------------------------------------------------------------- */

static void emit_register(struct code *code, const struct entry_frame *frame, unsigned source, unsigned to) {
    if (source >= ALPHA_A0 && source < ALPHA_A0 + REGISTER_ARGUMENTS) {
        emit(code, alpha_memory(ALPHA_LDQ, to, frame->vector + 8 * (int)(source - ALPHA_A0), ALPHA_SP));
    } else if (source == ALPHA_SP) {
        emit(code, alpha_memory(ALPHA_LDA, to, frame->size, ALPHA_SP));
    } else if (source >= 32) { /* through a slot that is still free */
        emit(code, alpha_memory(ALPHA_STT, source - 32, frame->own + 8 * ARGUMENT, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_LDQ, to, frame->own + 8 * ARGUMENT, ALPHA_SP));
    } else {
        emit_move(code, source, to);
    }
}

static void emit_value(struct rewrite *rewrite, const struct entry_frame *frame,
                       const struct site_argument *argument, uint32_t instruction, unsigned to) {
    struct code *code = &rewrite->code->copies;
    switch (argument->value) {
    case PLAN_VALUE_PC:
        emit_constant(rewrite, code, (int64_t)instruction_address(rewrite->program, instruction), to);
        break;
    case PLAN_VALUE_INSTRUMENTED_PC:
        emit_copy_address(rewrite, instruction, to);
        break;
    case PLAN_VALUE_CYCLES:
        emit(code, alpha_memory_function(ALPHA_RPCC, to, ALPHA_ZERO));
        break;
    case PLAN_VALUE_ARGUMENT:
        emit(code, alpha_memory(ALPHA_LDQ, to, frame->vector + 8 * argument->operand, ALPHA_SP));
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
    if (argument->kind == SITE_VALUE)
        emit_value(rewrite, frame, argument, instruction, to);
    else if (argument->kind == SITE_STRING)
        emit_address(code, table_string(rewrite, argument->string), to);
    else if (argument->kind == SITE_BUFFER)
        emit_address(code, rewrite->code->tables.buffer_addresses[argument->constant], to);
    else if (argument->kind == SITE_REPLACED && argument->constant == PLAN_REPLACED_ADDRESS)
        emit_address(code, retained, to);
    else if (argument->kind == SITE_REPLACED)
        emit(code, alpha_memory(ALPHA_LDA, to, frame->vector, ALPHA_SP));
    else
        emit_constant(rewrite, code, argument->constant, to);
}

/* A floating-point parameter: from a register of that kind, or from an integer that is converted. */
static void emit_given_float(struct rewrite *rewrite, const struct entry_frame *frame,
                             const struct site_argument *argument, unsigned to) {
    struct code *code = &rewrite->code->copies;
    unsigned source = argument->operand;
    if (argument->kind != SITE_VALUE) {
        emit_constant(rewrite, code, argument->constant, ALPHA_AT);
        emit(code, alpha_memory(ALPHA_STQ, ALPHA_AT, frame->own + 8 * ARGUMENT, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_LDT, to, frame->own + 8 * ARGUMENT, ALPHA_SP));
    } else if (source >= 32 + ALPHA_A0 && source < 32 + ALPHA_A0 + REGISTER_ARGUMENTS) {
        emit(code,
             alpha_memory(ALPHA_LDT, to, frame->vector - 48 + 8 * (int)(source - 32 - ALPHA_A0), ALPHA_SP));
    } else {
        emit(code, alpha_memory(ALPHA_STT, source - 32, frame->own + 8 * ARGUMENT, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_LDT, to, frame->own + 8 * ARGUMENT, ALPHA_SP));
    }
}

/* Stack arguments first, as long as registers are unchanged. */
static void emit_arguments(struct rewrite *rewrite, const struct entry_frame *frame,
                           const struct site_replacement *replacement, uint32_t instruction,
                           uint32_t retained) {
    struct code *code = &rewrite->code->copies;
    for (unsigned r = 0; r < REGISTER_ARGUMENTS; r++) {
        emit(code, alpha_memory(ALPHA_STQ, ALPHA_A0 + r, frame->vector + 8 * (int)r, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_STT, ALPHA_A0 + r, frame->vector + 8 * (int)r - 48, ALPHA_SP));
    }
    for (uint32_t i = REGISTER_ARGUMENTS; i < replacement->argument_count; i++) {
        emit_given(rewrite, frame, &replacement->arguments[i], instruction, retained, ALPHA_AT);
        emit(code, alpha_memory(ALPHA_STQ, ALPHA_AT, 8 * (int)(i - REGISTER_ARGUMENTS), ALPHA_SP));
    }
    for (uint32_t i = 0; i < replacement->argument_count && i < REGISTER_ARGUMENTS; i++)
        if (replacement->arguments[i].floating)
            emit_given_float(rewrite, frame, &replacement->arguments[i], ALPHA_A0 + i);
        else
            emit_given(rewrite, frame, &replacement->arguments[i], instruction, retained, ALPHA_A0 + i);
}

/* ---- the call --------------------------------------------------------------------------------------------- */

static void emit_enter(struct rewrite *rewrite, const struct entry_frame *frame,
                       const struct site_replacement *replacement) {
    const struct routine_summary *summary = &rewrite->routines->summaries[replacement->routine];
    struct code *code = &rewrite->code->copies;
    if (summary->changes_fpcr)
        emit_control_saved(code, 0, (uint32_t)(frame->own + 8 * CONTROL));
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
    if (summary->uses_thread_pointer)
        emit_thread_pointer_restored(code, (uint32_t)(frame->own + 8 * THREAD_POINTER));
    if (replacement->retains) {
        emit_address(code, variable_address(rewrite, "atomc_replaced_thread"), ALPHA_AT);
        emit(code, alpha_memory(ALPHA_LDQ, ALPHA_V0, frame->own + 8 * PREVIOUS, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_STQ, ALPHA_V0, 0, ALPHA_AT));
    }
    if (rewrite->program->threads)
        emit_lock(rewrite, code, "atomc_unlock");
    if (summary->changes_fpcr)
        emit_control_restored(code, 0, (uint32_t)(frame->own + 8 * CONTROL));
}

/* Callers may rely on more than the calling standard guarantees: all registers except results and $28 are
   preserved. */
static alpha_register_set saved_registers(const struct rewrite *rewrite,
                                          const struct site_replacement *replacement) {
    alpha_register_set set = wrapper_clobbers(rewrite, replacement->routine);
    if (replacement->has_arguments)
        set |= ARGUMENT_REGISTERS;
    for (uint32_t i = 0; i < replacement->argument_count; i++)
        if (replacement->arguments[i].floating)
            set |= FLOAT_ARGUMENT_REGISTERS;
    return set & ~(REGISTER_BIT(ALPHA_V0) | FLOAT_BIT(0) | REGISTER_BIT(ALPHA_AT) | REGISTER_BIT(ALPHA_RA));
}

void emit_replacement(struct rewrite *rewrite, const struct site_replacement *replacement,
                      uint32_t instruction, uint32_t retained) {
    struct code *code = &rewrite->code->copies;
    alpha_register_set saves = saved_registers(rewrite, replacement);
    struct entry_frame frame = lay_out_frame(replacement, saves);
    emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, -frame.size, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_RA, frame.own + 8 * LINK, ALPHA_SP));
    save_registers(code, saves, ALPHA_SP, (uint32_t)frame.saves);
    if (replacement->has_arguments)
        emit_arguments(rewrite, &frame, replacement, instruction, retained);
    emit_enter(rewrite, &frame, replacement);
    emit_address(code, (uint32_t)rewrite->routines->addresses[replacement->routine], ALPHA_PV);
    emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_PV, 0));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_V0, frame.own + 8 * RESULT, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_STT, 0, frame.own + 8 * FLOAT_RESULT, ALPHA_SP));
    emit_leave(rewrite, &frame, replacement);
    restore_registers(code, saves, ALPHA_SP, (uint32_t)frame.saves);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_V0, frame.own + 8 * RESULT, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDT, 0, frame.own + 8 * FLOAT_RESULT, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_RA, frame.own + 8 * LINK, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, frame.size, ALPHA_SP));
    rewrite->code->statistics.replacements++;
    if (rewrite->copying->sparse) { /* the original address leads to the copy, if one exists */
        emit(code, alpha_jump(ALPHA_RET, ALPHA_ZERO, ALPHA_RA, 1));
        return;
    }
    emit(code, alpha_literal(ALPHA_ZAPNOTi, ALPHA_RA, 15, ALPHA_AT)); /* its copy, through the map */
    emit(code, alpha_memory(ALPHA_LDL, ALPHA_AT, 0, ALPHA_AT));
    emit(code, alpha_jump(ALPHA_RET, ALPHA_ZERO, ALPHA_AT, 1));
}

/* ---- the procedure itself, called by analysis routines -------------------------------------------------------- */

/* The frame: copies of the first arguments on the stack, the link, a result, both thread pointers. */
enum { COPIED = 10, BACK = COPIED, SAVED, PRIVATE, THREAD, RETAINED_SIZE = 8 * (THREAD + 1) };

static void emit_set_thread(struct code *code, unsigned slot, unsigned keep) {
    emit(code, alpha_memory(ALPHA_STQ, keep, 8 * SAVED, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, 8 * (int)slot, ALPHA_SP));
    emit(code, alpha_pal(ALPHA_PAL_WRUNIQ));
    emit(code, alpha_memory(ALPHA_LDQ, keep, 8 * SAVED, ALPHA_SP));
}

/* Enters the program's code. It returns through the map, which has no word for this code: so a constant in
   the pool serves as one, and its address as the return address. A sparsely copied program returns without
   the map. */
static uint32_t emit_call_retained(struct rewrite *rewrite, uint32_t instruction,
                                   struct atomc_retained *retained) {
    const struct program *program = rewrite->program;
    struct code *code = &rewrite->code->copies;
    emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, -RETAINED_SIZE, ALPHA_SP));
    for (int i = 0; i < COPIED; i++) {
        emit(code, alpha_memory(ALPHA_LDQ, ALPHA_AT, RETAINED_SIZE + 8 * i, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_STQ, ALPHA_AT, 8 * i, ALPHA_SP));
    }
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_RA, 8 * BACK, ALPHA_SP));
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_V0, 8 * PRIVATE, ALPHA_SP));
    emit_address(code, variable_address(rewrite, "atomc_replaced_thread"), ALPHA_AT);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_AT, 0, ALPHA_AT));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_AT, 8 * THREAD, ALPHA_SP));
    emit_set_thread(code, THREAD, ALPHA_A0);
    if (rewrite->program->threads)
        emit_lock(rewrite, code, "atomc_unlock");
    emit_original(rewrite, code, instruction, instruction_address(program, instruction), ALPHA_PV);
    emit_original(rewrite, code, instruction, program->procedures[procedure_at(program, instruction)].gp,
                  ALPHA_GP);
    uint32_t back = code_address(code) + 12;
    retained->back = rewrite->copying->sparse ? 0 : pool_constant(rewrite, back);
    emit_address(code, retained->back ? (uint32_t)retained->back : back, ALPHA_RA);
    emit(code, 0);
    return code_position(code) - 1;
}

uint32_t emit_retained(struct rewrite *rewrite, uint32_t instruction, uint32_t *address) {
    const struct program *program = rewrite->program;
    const struct procedure *procedure = &program->procedures[procedure_at(program, instruction)];
    struct code *code = &rewrite->code->copies;
    if (procedure->has_ldgp && instruction == procedure->first + 2 && rewrite->copying->retained_count) {
        *address = (uint32_t)rewrite->copying->retained[rewrite->copying->retained_count - 1].address;
        return NO_INDEX;
    }
    *address = code_address(code);
    ARENA_RESERVE(rewrite->round, rewrite->copying->retained, rewrite->copying->retained_count,
                  rewrite->copying->retained_capacity);
    struct atomc_retained *retained = &rewrite->copying->retained[rewrite->copying->retained_count++];
    *retained = (struct atomc_retained){.name = (uint64_t)(uintptr_t)procedure->name, .address = *address};
    uint32_t branch = emit_call_retained(rewrite, instruction, retained);
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_V0, 8 * SAVED, ALPHA_SP));
    if (rewrite->program->threads)
        emit_lock(rewrite, code, "atomc_lock");
    emit_address(code, variable_address(rewrite, "atomc_replaced_thread"), ALPHA_AT);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, 8 * THREAD, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_A0, 0, ALPHA_AT));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_V0, 8 * SAVED, ALPHA_SP));
    emit_set_thread(code, PRIVATE, ALPHA_V0);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_RA, 8 * BACK, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, RETAINED_SIZE, ALPHA_SP));
    emit(code, alpha_jump(ALPHA_RET, ALPHA_ZERO, ALPHA_RA, 1));
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
