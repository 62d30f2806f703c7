/* instrument.c: runs the user's instrumentation code, and makes a plan of its requests. Requires a session;
   the plan has an action for each added call, with its place by number. */
#include "atom/recording.h"

#include <stdlib.h>
#include <string.h>

/* ---- the plan ----------------------------------------------------------------------------------------- */

/* The C prototype that corresponds to ATOM's prototype. */
static struct plan_routine make_routine(struct recording *recording, const struct atom_prototype *prototype) {
    static const enum plan_c_type types[] = {
        [PARAMETER_CHAR] = PLAN_C_CHAR,     [PARAMETER_INT] = PLAN_C_INT,
        [PARAMETER_LONG] = PLAN_C_LONG,     [PARAMETER_STRING] = PLAN_C_STRING,
        [PARAMETER_CHARS] = PLAN_C_POINTER, [PARAMETER_INTS] = PLAN_C_POINTER,
        [PARAMETER_LONGS] = PLAN_C_POINTER, [PARAMETER_VALUE] = PLAN_C_LONG,
        [PARAMETER_REGV] = PLAN_C_LONG,     [PARAMETER_FREGV] = PLAN_C_LONG,
        [PARAMETER_XLATE] = PLAN_C_POINTER};
    static const char *const spelled[] = {
        [PARAMETER_CHAR] = "char",     [PARAMETER_INT] = "int",       [PARAMETER_LONG] = "long",
        [PARAMETER_STRING] = "char *", [PARAMETER_CHARS] = "char []", [PARAMETER_INTS] = "int []",
        [PARAMETER_LONGS] = "long []", [PARAMETER_VALUE] = "VALUE",   [PARAMETER_REGV] = "REGV",
        [PARAMETER_FREGV] = "FREGV",   [PARAMETER_XLATE] = "XLATE *"};
    struct plan_parameter *parameters =
        arena_allocate(recording->arena, prototype->parameter_count * sizeof *parameters);
    for (uint32_t i = 0; i < prototype->parameter_count; i++)
        parameters[i] = (struct plan_parameter){.type = types[prototype->parameters[i].kind],
                                                .spelled = spelled[prototype->parameters[i].kind]};
    return (struct plan_routine){.name =
                                     arena_string(recording->arena, prototype->name, strlen(prototype->name)),
                                 .prototyped = !prototype->as_it_is,
                                 .result = PLAN_C_VOID,
                                 .parameter_count = prototype->parameter_count,
                                 .parameters = parameters};
}

static struct plan_action make_action(struct recording *recording, const struct atom_call *call,
                                      uint32_t number) {
    bool before = call->where == ProgramBefore || call->where == ProcBefore || call->where == BlockBefore ||
                  call->where == InstBefore || call->where == ObjBefore || call->where == EntryBefore;
    struct plan_action action = {.statement = number,
                                 .place = call->place,
                                 .when = before ? PLAN_BEFORE : PLAN_AFTER,
                                 .kind = call->replaces ? PLAN_ACTION_REPLACE : PLAN_ACTION_CALL,
                                 .retains = call->retains,
                                 .has_arguments =
                                     call->replaces && !recording->prototypes[call->routine].as_it_is,
                                 .routine = call->routine,
                                 .argument_count = call->argument_count,
                                 .arguments = call->arguments};
    if (call->place == PLAN_PROGRAM)
        return action;
    struct plan_loop *loop = arena_allocate(recording->arena, sizeof *loop);
    *loop =
        (struct plan_loop){.name = "", .kind = call->place, .domain = PLAN_DOMAIN_ONE, .set = call->index};
    action.loops = loop;
    action.loop_count = 1;
    return action;
}

/* Calls before and after the program go scope by scope, outer ones outside. */
static int scope_order(const struct atom_call *call) {
    switch (call->where) {
    case ProgramBefore:
        return 0;
    case ObjBefore:
        return 1;
    case ObjAfter:
        return 3;
    case ProgramAfter:
        return 4;
    default:
        return 2;
    }
}

static struct plan *make_plan(struct recording *recording) {
    struct arena *arena = recording->arena;
    struct plan *plan = arena_allocate(arena, sizeof *plan);
    struct plan_routine *routines = arena_allocate(arena, recording->prototype_count * sizeof *routines);
    struct plan_action *actions = arena_allocate(arena, recording->call_count * sizeof *actions);
    struct plan_buffer *buffers = arena_allocate(arena, recording->buffer_count * sizeof *buffers);
    bool *used = allocate_zeroed((size_t)recording->prototype_count + 1, sizeof *used);
    uint32_t *number = allocate_zeroed((size_t)recording->prototype_count + 1, sizeof *number);
    *plan =
        (struct plan){.name = arena_string(arena, recording->options->name, strlen(recording->options->name)),
                      .description = "",
                      .arena = arena,
                      .routines = routines,
                      .actions = actions,
                      .buffers = buffers,
                      .buffer_count = recording->buffer_count};
    for (uint32_t i = 0; i < recording->call_count; i++)
        used[recording->calls[i].routine] = true;
    for (uint32_t i = 0; i < recording->prototype_count; i++)
        if (used[i]) {
            number[i] = plan->routine_count;
            routines[plan->routine_count++] = make_routine(recording, &recording->prototypes[i]);
        }
    for (int scope = 0; scope < 5; scope++)
        for (uint32_t i = 0; i < recording->call_count; i++)
            if (scope_order(&recording->calls[i]) == scope) {
                actions[plan->action_count] =
                    make_action(recording, &recording->calls[i], plan->action_count);
                actions[plan->action_count].routine = number[recording->calls[i].routine];
                plan->action_count++;
            }
    for (uint32_t i = 0; i < recording->buffer_count; i++)
        buffers[i] = recording->buffers[i];
    free(used);
    free(number);
    return plan;
}

/* ---- running ------------------------------------------------------------------------------------------ */

typedef void instrument_init(int, char **);
typedef void instrument(int, char **, Obj *);
typedef void instrument_fini(void);
typedef unsigned instrument_all(int, char **);

/* ISO C has no cast from an object's address to a function's. */
static bool find_function(const struct atom_library *library, const char *name, void *function) {
    void *address = atom_symbol(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

/* The headers do not declare Instrument, because files of 1993 and later files declare it differently. In C++
   it may have C++ linkage, with or without an object (Itanium C++ ABI, "Mangling"). */
static bool find_instrument(const struct atom_library *library, instrument **object) {
    return find_function(library, "Instrument", object) ||
           find_function(library, "_Z10InstrumentiPPcP3Obj", object) ||
           find_function(library, "_Z10InstrumentiPPc", object);
}

static void run_all(const struct atom_library *library, instrument_all *all) {
    struct recording *recording = session.recording;
    recording->all = true;
    set_states(OBJECT_FOUND);
    unsigned result = all(recording->options->argument_count, recording->options->arguments);
    user_code_end();
    if (result != 0)
        diagnose(session.diagnostics, NULL, MESSAGE_ATOM_RESULT, result);
    for (uint32_t o = 0; o < session.object_count && result == 0 && session.errors == 0; o++)
        if (session.states[o] == OBJECT_BUILT && !is_read_only(o))
            diagnose(session.diagnostics, NULL, MESSAGE_ATOM_NOT_WRITTEN,
                     object_number(session.program, o)->path);
    (void)library;
}

static void run_parts(const struct atom_library *library) {
    const struct atom_options *options = session.recording->options;
    instrument_init *init;
    instrument *object;
    instrument_fini *fini;
    bool has_init = find_function(library, "InstrumentInit", &init),
         has_object = find_instrument(library, &object),
         has_fini = find_function(library, "InstrumentFini", &fini);
    if (!has_init && !has_object && !has_fini) {
        user_code_end();
        diagnose(session.diagnostics, NULL, MESSAGE_ATOM_NO_INSTRUMENT, options->name);
        return;
    }
    set_states(OBJECT_FOUND);
    if (has_init)
        init(options->argument_count, options->arguments);
    for (uint32_t o = 0; o < session.object_count; o++) {
        session.states[o] = OBJECT_BUILT;
        if (has_object && !is_read_only(o))
            object(options->argument_count, options->arguments, object_handle(o));
        session.states[o] = OBJECT_WRITTEN;
    }
    if (has_fini)
        fini();
    user_code_end();
}

static void run(const struct atom_library *library) {
    instrument_all *all;
    jmp_buf give_up;
    session.give_up = &give_up;
    user_code_begin(library);
    if (setjmp(give_up) == 0) {
        if (find_function(library, "InstrumentAll", &all))
            run_all(library, all);
        else
            run_parts(library);
    }
    user_code_end();
    fflush(NULL);
    session.give_up = NULL;
}

struct plan *atom_instrument(struct atom_library *library, const struct atom_options *options) {
    unsigned errors = diagnostics_errors(session.diagnostics);
    struct recording recording = {.arena = arena_create(), .options = options};
    session.recording = &recording;
    session.output_names[0] = options->output_name;
    session.analysis_name = options->analysis_name;
    run(library);
    tables_finish(&recording);
    struct plan *plan = NULL;
    if (diagnostics_errors(session.diagnostics) == errors)
        plan = make_plan(&recording);
    else
        arena_destroy(recording.arena);
    free(recording.prototypes);
    free(recording.calls);
    free(recording.buffers);
    session.recording = NULL;
    set_states(OBJECT_BUILT);
    return plan;
}
