/* called_routines.c: the plan's routines that sites call by an adapted copy, and those calls. Requires the
   routines' addresses and summaries. */
#include "engine/routine/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/places/places.h"

#include <string.h>

/* Copies of procedures that routines call: a vector. */
struct called_helpers {
    struct called_routine **list;
    uint32_t count, capacity;
};
enum { WORTH_HELPING = 4 }; /* registers */

void called_routines_create(struct rewrite *rewrite) {
    rewrite->routines->called = arena_allocate(rewrite->arena, (rewrite->plan->routine_count + 1) *
                                                                   sizeof *rewrite->routines->called);
    rewrite->routines->helpers = arena_allocate(rewrite->arena, sizeof *rewrite->routines->helpers);
}

/* Prepares for the next round. */
static void forget_copy(struct called_routine *called) {
    called->address = 0;
    called->places = NULL;
    called->place_count = called->place_capacity = 0;
}

void routines_start(struct rewrite *rewrite) {
    struct routines *routines = rewrite->routines;
    routines->wrapper_list = NULL;
    routines->wrapper_count = routines->wrapper_capacity = 0;
    memset(routines->wrapper_hash, 0xff, sizeof routines->wrapper_hash);
    memset(routines->calls, 0, rewrite->plan->routine_count * sizeof *routines->calls);
    for (uint32_t r = 0; r < rewrite->plan->routine_count; r++)
        forget_copy(&routines->called[r]);
    for (uint32_t i = 0; i < routines->helpers->count; i++)
        forget_copy(routines->helpers->list[i]);
}

static bool is_replacement(const struct rewrite *rewrite, uint32_t routine) {
    for (uint32_t i = 0; i < rewrite->sites->replacement_count; i++)
        if (rewrite->sites->replacements[i].routine == routine)
            return true;
    return false;
}

/* Registers that any call changes to pass the most arguments. */
static register_set arguments_of(const struct rewrite *rewrite, uint32_t routine) {
    const struct plan_routine *described = &rewrite->plan->routines[routine];
    const struct conventions_of_machine *registers = &rewrite->program->architecture->registers;
    register_set set = 0;
    for (uint32_t i = 0; i < rewrite->routines->arguments[routine] && i < registers->arguments_in_registers;
         i++) {
        bool floating = i < described->parameter_count && (described->parameters[i].type == PLAN_C_DOUBLE ||
                                                           described->parameters[i].type == PLAN_C_FLOAT);
        set |= REGISTER_BIT((floating ? registers->first_float_argument : registers->first_argument) + i);
    }
    return set;
}

static void make_copy(const struct rewrite *rewrite, struct called_routine *called) {
    struct routine_copy *copy = &called->copy;
    bool delays = !rewrite->options->without[WITHOUT_DELAYED_SAVES],
         renames = !rewrite->options->without[WITHOUT_RENAMING];
    called->made = true;
    copy->rewrite = rewrite;
    copy->arena = rewrite->arena;
    copy->analysis = rewrite->analysis;
    copy->machine = rewrite->machine;
    copy->address_table = rewrite->routines->address_table;
    copy->address_table_end = rewrite->routines->address_table_end;
    copy->entry = called->entry;
    if ((!delays && !renames) || machine_keeps_registers(rewrite->machine))
        copy->reason = COPY_NOT_ASKED;
    if (copy->reason == COPY_NONE)
        routine_copy_make(copy, delays, renames);
    bool helped = false;
    for (uint32_t i = 0; i < copy->count; i++)
        helped |= copy->ops[i].helper != NULL;
    called->copied = copy->reason == COPY_NONE && (renames || copy->delayed > 0 || helped);
    if (called->copied)
        called->summary = copy->summary;
}

static void make_routine(const struct rewrite *rewrite, uint32_t routine) {
    struct called_routine *called = &rewrite->routines->called[routine];
    called->entry = rewrite->routines->addresses[routine];
    called->name = rewrite->plan->routines[routine].name;
    called->summary = rewrite->routines->summaries[routine];
    called->copy.arguments = rewrite->routines->arguments[routine];
    called->copy.arguments_set = arguments_of(rewrite, routine);
    called->copy.reason = is_replacement(rewrite, routine) ? COPY_REPLACES : COPY_NONE;
    make_copy(rewrite, called);
}

/* True if it was compiled from a source that is available. Procedures of libraries are not copied. */
static bool has_source(const struct rewrite *rewrite, uint64_t entry) {
    const char *file;
    uint32_t line;
    program_line(rewrite->analysis->program, entry, &file, &line);
    return line > 0;
}

static bool changes_less(const struct called_routine *called, const struct routine_summary *itself) {
    const struct routine_summary *now = &called->summary;
    int fewer = __builtin_popcountll(itself->written) - __builtin_popcountll(now->written);
    return called->copied &&
           (fewer >= WORTH_HELPING || (itself->uses_thread_pointer && !now->uses_thread_pointer) ||
            (itself->changes_fpcr && !now->changes_fpcr));
}

/* The copy for callers that use these of its results. */
static struct called_routine *helper_at(const struct rewrite *rewrite, uint64_t entry, register_set results) {
    struct called_helpers *helpers = rewrite->routines->helpers;
    struct routine_summary itself = analysis_summary(rewrite->analysis, entry);
    struct called_routine *called = NULL;
    for (uint32_t i = 0; i < helpers->count && !called; i++)
        if (helpers->list[i]->entry == entry && helpers->list[i]->copy.results == results)
            called = helpers->list[i];
    if (!called) {
        ARENA_RESERVE(rewrite->arena, helpers->list, helpers->count, helpers->capacity);
        called = helpers->list[helpers->count++] = arena_allocate(rewrite->arena, sizeof *called);
        const struct program *program = rewrite->analysis->program;
        called->entry = entry;
        called->name = program->procedures[procedure_at(program, instruction_at(program, entry))].name;
        called->summary = itself;
        called->copy.helps = true;
        called->copy.results = results;
        called->copy.allowed = itself.written;
        called->copy.arguments = REGISTER_ARGUMENTS + 1; /* some arguments may be on the stack */
        if (has_source(rewrite, entry)) /* the copy is added to the table before it is made, which ends
                                           recursion */
            make_copy(rewrite, called);
    }
    return called;
}

struct called_routine *helper_called(const struct rewrite *rewrite, uint64_t entry, register_set results) {
    struct routine_summary itself = analysis_summary(rewrite->analysis, entry);
    struct called_routine *called = helper_at(rewrite, entry, results);
    return changes_less(called, &itself) ? called : NULL;
}

bool callee_is_costly(const struct rewrite *rewrite, uint64_t entry) {
    const register_set results = rewrite->program->architecture->registers.results;
    return entry != 0 && (!has_source(rewrite, entry) || helper_at(rewrite, entry, results)->copy.costly);
}

const struct called_routine *routine_called(const struct rewrite *rewrite, uint32_t routine) {
    if (!rewrite->routines->called[routine].made)
        make_routine(rewrite, routine);
    return &rewrite->routines->called[routine];
}

static const struct called_routine *nearer_routine(const struct called_routine *called, uint32_t address,
                                                   const struct called_routine *next) {
    bool after = called->address > address && (!next || called->address < next->address);
    return after ? called : next;
}

bool routine_copy_behind(const struct rewrite *rewrite, uint32_t address, struct copied_routine *copied) {
    const struct called_routine *next = NULL;
    for (uint32_t r = 0; r < rewrite->plan->routine_count; r++)
        next = nearer_routine(&rewrite->routines->called[r], address, next);
    for (uint32_t i = 0; i < rewrite->routines->helpers->count; i++)
        next = nearer_routine(rewrite->routines->helpers->list[i], address, next);
    if (next)
        *copied = (struct copied_routine){next->address, next->end, next->places, next->place_count};
    return next != NULL;
}

const struct routine_summary *routine_summary_of_call(const struct rewrite *rewrite, uint32_t routine) {
    return &routine_called(rewrite, routine)->summary;
}

void called_place(struct rewrite *rewrite, struct called_routine *called) {
    if (called->address != 0)
        return;
    routine_copy_emit(rewrite, called);
    ARENA_RESERVE(rewrite->round, rewrite->code->symbols, rewrite->code->symbol_count,
                  rewrite->code->symbol_capacity);
    rewrite->code->symbols[rewrite->code->symbol_count++] =
        (struct code_symbol){.name = arena_format(rewrite->round, "atomc.routine.%s", called->name),
                             .address = called->address,
                             .size = called->end - called->address};
}

void routine_place(struct rewrite *rewrite, uint32_t routine) {
    if (routine_called(rewrite, routine)->copied)
        called_place(rewrite, &rewrite->routines->called[routine]);
}

void routine_emit_call(struct rewrite *rewrite, struct code *code, uint32_t routine) {
    const struct called_routine *called = &rewrite->routines->called[routine];
    if (called->copied) {
        machine_near_call(code, called->address);
    } else {
        machine_address(code, (uint32_t)rewrite->routines->addresses[routine],
                        code->machine->registers->procedure_value);
        machine_call(code, code->machine->registers->procedure_value);
    }
}

/* Sites use no results. */
const struct routine_summary *routine_helps(const struct rewrite *rewrite, uint64_t entry) {
    const struct called_routine *called = helper_called(rewrite, entry, 0);
    bool is_direct = called && !called->summary.uses_thread_pointer && !called->summary.changes_fpcr;
    return is_direct ? &called->summary : NULL;
}

void helper_emit_call(struct rewrite *rewrite, struct code *code, uint64_t entry) {
    struct called_routine *called = helper_called(rewrite, entry, 0);
    called_place(rewrite, called);
    machine_near_call(code, called->address);
}

const char *routine_copy_text(const struct rewrite *rewrite, uint32_t routine) {
    const struct called_routine *called = &rewrite->routines->called[routine];
    if (!called->made || called->copy.reason == COPY_NOT_ASKED)
        return NULL;
    if (called->copy.reason != COPY_NONE)
        return arena_format(rewrite->arena, "%s as it is: it %s", rewrite->plan->routines[routine].name,
                            copy_reasons[called->copy.reason]);
    const char *why = called->copy.delayed == 0 && called->copy.delay_reason != COPY_NONE
                          ? arena_format(rewrite->arena, ": it %s", copy_reasons[called->copy.delay_reason])
                          : "";
    return arena_format(rewrite->arena, "%s with %u delayed calls%s; changes %d registers, %u fewer",
                        rewrite->plan->routines[routine].name, called->copy.delayed, why,
                        __builtin_popcountll(called->summary.written), called->copy.renamed);
}

static void note_arguments(struct rewrite *rewrite, const struct site *sites, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].kind == PLAN_ACTION_CALL &&
            sites[i].action->argument_count > rewrite->routines->arguments[sites[i].action->routine])
            rewrite->routines->arguments[sites[i].action->routine] = sites[i].action->argument_count;
}

bool find_routines(struct rewrite *rewrite) {
    const struct plan *plan = rewrite->plan;
    bool found = true;
    rewrite->routines = arena_allocate(rewrite->arena, sizeof *rewrite->routines);
    rewrite->routines->addresses =
        arena_allocate(rewrite->arena, (plan->routine_count + 1) * sizeof(uint64_t));
    rewrite->routines->summaries =
        arena_allocate(rewrite->arena, (plan->routine_count + 1) * sizeof *rewrite->routines->summaries);
    rewrite->routines->arguments =
        arena_allocate(rewrite->arena, (plan->routine_count + 1) * sizeof(uint32_t));
    for (uint32_t r = 0; r < plan->routine_count; r++) {
        rewrite->routines->addresses[r] = analysis_symbol(rewrite->analysis, plan->routines[r].name);
        if (rewrite->routines->addresses[r] == 0) {
            diagnose(rewrite->diagnostics, NULL, MESSAGE_ROUTINE_NOT_LINKED, plan->routines[r].name);
            diagnose_hint(rewrite->diagnostics,
                          "in C++ it is declared extern \"C\": %s is what the page calls",
                          plan->routines[r].name);
            found = false;
        }
        if (!machine_keeps_registers(rewrite->machine))
            rewrite->routines->summaries[r] =
                analysis_summary(rewrite->analysis, rewrite->routines->addresses[r]);
    }
    rewrite->routines->calls =
        arena_allocate(rewrite->arena, (plan->routine_count + 1) * sizeof *rewrite->routines->calls);
    note_arguments(rewrite, rewrite->sites->sites, rewrite->sites->count);
    analysis_section(rewrite->analysis, ".got", &rewrite->routines->address_table,
                     &rewrite->routines->address_table_end);
    called_routines_create(rewrite);
    return found;
}

void routines_print(const struct rewrite *rewrite, FILE *stream) {
    for (uint32_t r = 0; r < rewrite->plan->routine_count; r++) {
        const struct routine_summary *summary = &rewrite->routines->summaries[r];
        fprintf(stream, "%s 0x%llx: %u arguments; changes", rewrite->plan->routines[r].name,
                (unsigned long long)rewrite->routines->addresses[r], rewrite->routines->arguments[r]);
        registers_print(summary->written, stream);
        fprintf(stream, "%s%s%s\n", summary->uses_thread_pointer ? "; uses the thread pointer" : "",
                summary->changes_fpcr ? "; changes the floating-point control register" : "",
                summary->uses_gp ? "; uses $29" : "");
    }
}
