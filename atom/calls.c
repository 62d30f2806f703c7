/* calls.c: ATOM's routines that add calls: each call is checked, and recorded in order. Requires a
   recording. In C they are macros that pass their arguments with kinds (atom/include/atom.inst.h). The
   variadic routines here are for code that calls them by address; they read the arguments by the
   prototype. */
#include "engine/engine.h"
#include "atom/recording.h"

#include <stdlib.h>
#include <string.h>

static const char *const place_words[] = {"ProgramBefore", "ProgramAfter", "ProcBefore", "ProcAfter",
                                          "BlockBefore",   "BlockAfter",   "InstBefore", "InstAfter",
                                          "ObjBefore",     "ObjAfter",     "EntryBefore"};

struct recording *require_recording(const char *routine) {
    if (!session.recording)
        misuse(MESSAGE_ATOM_ONLY_ASKS, routine);
    return session.recording;
}

static bool check_place_type(const char *routine, int number, PlaceType place, PlaceType first,
                             PlaceType last) {
    if (place >= first && place <= last)
        return true;
    if ((int)place < 0 || place > EntryBefore)
        misuse(MESSAGE_ATOM_ENUMERATOR, routine, number, (int)place, "PlaceType");
    else if (first == last)
        misuse(MESSAGE_ATOM_PLACE_TYPE, routine, number, place_words[place], place_words[first], "", "");
    else
        misuse(MESSAGE_ATOM_PLACE_TYPE, routine, number, place_words[place], place_words[first], " or ",
               place_words[last]);
    return false;
}

bool require_routine(const char *routine, int number, const char *name) {
    const struct atom_options *options = session.recording->options;
    if (!name) {
        misuse(MESSAGE_ATOM_HANDLE, routine, number, "the name of an analysis routine", "NULL");
        return false;
    }
    if (!options->has_routine || options->has_routine(options->context, name))
        return true;
    misuse(MESSAGE_ATOM_NO_ROUTINE, routine, number, name);
    return false;
}

const struct atom_prototype *prototype_of(const char *routine, int number, const char *name, bool replaces) {
    const struct atom_prototype *prototype = name ? find_prototype(name, replaces) : NULL;
    if (!name) {
        require_routine(routine, number, name);
        return NULL;
    }
    if (!prototype) {
        const struct recording *recording = session.recording;
        const char **names = arena_allocate(session.arena, (recording->prototype_count + 1) * sizeof *names);
        uint32_t count = 0;
        for (uint32_t i = 0; i < recording->prototype_count; i++)
            if (recording->prototypes[i].replaces == replaces && !recording->prototypes[i].as_it_is)
                names[count++] = recording->prototypes[i].name;
        const char *nearest = nearest_name(name, names, count);
        misuse(MESSAGE_ATOM_NO_PROTOTYPE, routine, number, name, replaces ? "ReplaceProto" : "AddCallProto");
        if (nearest)
            misuse_hint("did you mean '%s'?", nearest);
        return NULL;
    }
    return require_routine(routine, number, name) ? prototype : NULL;
}

void record_call(struct atom_call call) {
    struct recording *recording = session.recording;
    VECTOR_RESERVE(recording->calls, recording->call_count, recording->call_capacity);
    recording->calls[recording->call_count++] = call;
}

static bool require_writable_place(const char *routine, const struct atom_call *call) {
    return require_writable_at(routine, place_instruction(session.program, call->place, call->index));
}

/* number: of the name among the routine's parameters. */
static void add_call(const char *routine, int number, struct atom_call call, const char *name,
                     const struct atom_argument *arguments) {
    call.prototype = prototype_of(routine, number, name, false);
    if (!call.prototype)
        return;
    call.arguments = make_arguments(routine, number + 1, call.prototype, &call, arguments);
    if (!call.arguments)
        return;
    call.routine = call.prototype->routine;
    call.argument_count = call.prototype->parameter_count;
    record_call(call);
}

void atom_add_call_program(PlaceType where, const char *name, const struct atom_argument *arguments) {
    if (require_recording("AddCallProgram") &&
        check_place_type("AddCallProgram", 1, where, ProgramBefore, ProgramAfter))
        add_call("AddCallProgram", 2, (struct atom_call){.place = PLAN_PROGRAM, .where = where}, name,
                 arguments);
}

void atom_add_call_obj(Obj *obj, PlaceType where, const char *name, const struct atom_argument *arguments) {
    struct atom_call call = {.place = PLAN_OBJECT, .where = where};
    if (require_recording("AddCallObj") && object_of("AddCallObj", 1, obj, &call.index) &&
        require_writable("AddCallObj", call.index) &&
        check_place_type("AddCallObj", 2, where, ObjBefore, ObjAfter))
        add_call("AddCallObj", 3, call, name, arguments);
}

void atom_add_call_proc(Proc *proc, PlaceType where, const char *name,
                        const struct atom_argument *arguments) {
    struct atom_call call = {.place = PLAN_PROCEDURE, .where = where};
    if (require_recording("AddCallProc") && proc_of("AddCallProc", 1, proc, &call.index) &&
        require_writable_place("AddCallProc", &call) &&
        check_place_type("AddCallProc", 2, where, ProcBefore, ProcAfter))
        add_call("AddCallProc", 3, call, name, arguments);
}

void atom_add_call_block(Block *block, PlaceType where, const char *name,
                         const struct atom_argument *arguments) {
    struct atom_call call = {.place = PLAN_BLOCK, .where = where};
    if (require_recording("AddCallBlock") && block_of("AddCallBlock", 1, block, &call.index) &&
        require_writable_place("AddCallBlock", &call) &&
        check_place_type("AddCallBlock", 2, where, BlockBefore, BlockAfter))
        add_call("AddCallBlock", 3, call, name, arguments);
}

void atom_add_call_inst(Inst *inst, PlaceType where, const char *name,
                        const struct atom_argument *arguments) {
    struct atom_call call = {.place = PLAN_INSTRUCTION, .where = where};
    if (require_recording("AddCallInst") && inst_of("AddCallInst", 1, inst, &call.index) &&
        require_writable_place("AddCallInst", &call) &&
        check_place_type("AddCallInst", 2, where, InstBefore, InstAfter))
        add_call("AddCallInst", 3, call, name, arguments);
}

void atom_add_call_entry(Entry *entry, PlaceType where, const char *name,
                         const struct atom_argument *arguments) {
    struct atom_call call = {.place = PLAN_ENTRY, .where = where};
    if (!require_recording("AddCallEntry") || !entry_of("AddCallEntry", 1, entry, &call.index) ||
        !require_writable_place("AddCallEntry", &call) ||
        !check_place_type("AddCallEntry", 2, where, EntryBefore, EntryBefore))
        return;
    add_call("AddCallEntry", 3, call, name, arguments);
}

/* ---- by address --------------------------------------------------------------------------------------- */

/* The caller's arguments have the types of the prototype; a long may have been passed as an int, whose
   upper half is undefined. */
const struct atom_argument *read_arguments(const char *name, bool replaces, va_list list) {
    const struct atom_prototype *prototype =
        session.recording && name ? find_prototype(name, replaces) : NULL;
    uint32_t count = prototype ? prototype->parameter_count : 0;
    struct atom_argument *arguments = arena_allocate(session.arena, (count + 1) * sizeof *arguments);
    for (uint32_t i = 0; i < count; i++) {
        enum atom_kind kind = prototype->parameters[i].kind;
        bool pointer = (kind >= PARAMETER_STRING && kind <= PARAMETER_LONGS) || kind == PARAMETER_XLATE;
        if (pointer)
            arguments[i] = (struct atom_argument){ATOM_POINTER, (long)va_arg(list, void *)};
        else if (kind == PARAMETER_LONG)
            arguments[i] = (struct atom_argument){ATOM_INTEGER, va_arg(list, long)};
        else
            arguments[i] = (struct atom_argument){ATOM_INTEGER, va_arg(list, int)};
    }
    arguments[count].kind = ATOM_END;
    return arguments;
}

#define WITH_ARGUMENTS(name, call)                                                                           \
    va_list list;                                                                                            \
    va_start(list, name);                                                                                    \
    const struct atom_argument *arguments = read_arguments(name, false, list);                               \
    va_end(list);                                                                                            \
    call

void AddCallProgram(PlaceType place, const char *name, ...) {
    WITH_ARGUMENTS(name, atom_add_call_program(place, name, arguments));
}

void AddCallObj(Obj *obj, PlaceType place, const char *name, ...) {
    WITH_ARGUMENTS(name, atom_add_call_obj(obj, place, name, arguments));
}

void AddCallProc(Proc *proc, PlaceType place, const char *name, ...) {
    WITH_ARGUMENTS(name, atom_add_call_proc(proc, place, name, arguments));
}

void AddCallEntry(Entry *entry, PlaceType place, const char *name, ...) {
    WITH_ARGUMENTS(name, atom_add_call_entry(entry, place, name, arguments));
}

void AddCallBlock(Block *block, PlaceType place, const char *name, ...) {
    WITH_ARGUMENTS(name, atom_add_call_block(block, place, name, arguments));
}

void AddCallInst(Inst *inst, PlaceType place, const char *name, ...) {
    WITH_ARGUMENTS(name, atom_add_call_inst(inst, place, name, arguments));
}
