/* replacements.c: ATOM's routines that replace a procedure, or one entry, by an analysis routine. Requires a
   recording. The routine receives the procedure's own arguments, or the arguments that ReplaceEntry
   selects.
 */
#include "atom/recording.h"

#include <string.h>

static const char *replaced_name(uint32_t procedure) {
    return session.program->procedures[procedure].name;
}

static bool overlaps(const struct atom_call *a, const struct atom_call *b) {
    const struct entry *entries = session.entry_list;
    if (a->place == b->place)
        return a->index == b->index;
    const struct atom_call *entry = a->place == PLAN_ENTRY ? a : b;
    return entries[entry->index].procedure == (a->place == PLAN_ENTRY ? b : a)->index;
}

/* True if it can be replaced, and has not been. */
static bool check_replaced_place(const char *routine, const struct atom_call *call) {
    const struct recording *recording = session.recording;
    uint32_t p = call->place == PLAN_ENTRY ? session.entry_list[call->index].procedure : call->index;
    unsigned link = procedure_link(session.program, p);
    if (link != ALPHA_RA) {
        misuse(MESSAGE_ATOM_NOT_STANDARD, routine, replaced_name(p), link);
        return false;
    }
    for (uint32_t i = 0; i < recording->call_count; i++)
        if (recording->calls[i].replaces && overlaps(&recording->calls[i], call)) {
            misuse(MESSAGE_ATOM_REPLACED, routine, replaced_name(p));
            return false;
        }
    return true;
}

/* The routine receives the procedure's arguments. */
static void replace_as_it_is(const char *routine, struct atom_call call, const char *name) {
    const struct atom_options *options = session.recording->options;
    if (!check_replaced_place(routine, &call) || !require_routine(routine, 2, name))
        return;
    const char *problem = options->has_routine ? options->replacement_problem(options->context, name) : NULL;
    if (problem) {
        misuse(MESSAGE_ATOM_REPLACEMENT, routine, name, problem);
        return;
    }
    struct atom_prototype made = {.name = arena_string(session.arena, name, strlen(name)),
                                  .text = name,
                                  .replaces = true,
                                  .as_it_is = true};
    call.routine = add_prototype(made)->routine;
    record_call(call);
}

void ReplaceProcedure(Proc *proc, const char *name) {
    struct atom_call call = {.replaces = true, .place = PLAN_PROCEDURE};
    if (require_recording("ReplaceProcedure") && proc_of("ReplaceProcedure", 1, proc, &call.index) &&
        require_writable_at("ReplaceProcedure", session.program->procedures[call.index].first))
        replace_as_it_is("ReplaceProcedure", call, name);
}

void ReplaceAndRetainEntry(Entry *entry, const char *name) {
    static const char routine[] = "ReplaceAndRetainEntry";
    struct atom_call call = {.replaces = true, .retains = true, .place = PLAN_ENTRY};
    if (require_recording(routine) && entry_of(routine, 1, entry, &call.index) &&
        require_writable_at(routine, session.entry_list[call.index].instruction))
        replace_as_it_is(routine, call, name);
}

void atom_replace_entry(Entry *entry, const char *name, const struct atom_argument *arguments) {
    static const char routine[] = "ReplaceEntry";
    struct atom_call call = {.replaces = true, .place = PLAN_ENTRY};
    if (!require_recording(routine) || !entry_of(routine, 1, entry, &call.index) ||
        !require_writable_at(routine, session.entry_list[call.index].instruction) ||
        !check_replaced_place(routine, &call))
        return;
    call.prototype = prototype_of(routine, 2, name, true);
    if (!call.prototype)
        return;
    call.arguments = make_arguments(routine, 3, call.prototype, &call, arguments);
    if (!call.arguments)
        return;
    call.routine = call.prototype->routine;
    call.argument_count = call.prototype->parameter_count;
    record_call(call);
}

void ReplaceEntry(Entry *entry, const char *name, ...) {
    va_list list;
    va_start(list, name);
    const struct atom_argument *arguments = read_arguments(name, true, list);
    va_end(list);
    atom_replace_entry(entry, name, arguments);
}
