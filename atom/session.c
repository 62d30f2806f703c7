/* session.c: the program that the user's code examines, its objects, and handles of its places. Requires an
   analysed program. */
#include "engine/engine.h"
#include "atom/recording.h"

#include <stdlib.h>
#include <string.h>

struct session session;

/* ---- entries ------------------------------------------------------------------------------------------ */

/* The engine's, in the order of the procedures. */
static void find_entries(void) {
    const struct program *program = session.program;
    uint32_t next = 0;
    session.entry_count = program->entry_count;
    session.entry_list = program->entries;
    session.first_entry = arena_allocate(session.arena, (program->procedure_count + 1) * sizeof(uint32_t));
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        session.first_entry[p] = next;
        while (next < program->entry_count && program->entries[next].procedure == p)
            next++;
    }
    session.first_entry[program->procedure_count] = next;
}

uint32_t entry_at(uint32_t instruction) {
    uint32_t procedure = procedure_at(session.program, instruction);
    for (uint32_t e = session.first_entry[procedure]; e < session.first_entry[procedure + 1]; e++)
        if (session.entry_list[e].instruction == instruction)
            return e;
    return NO_INDEX;
}

/* ---- handles ------------------------------------------------------------------------------------------ */

static bool is_within(const void *handle, const void *array, uint32_t count, uint32_t *index) {
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)array;
    if (!handle || offset >= count)
        return false;
    *index = (uint32_t)offset;
    return true;
}

/* Describes a pointer that is not of the expected kind. */
static const char *describe_handle(const void *handle) {
    uint32_t ignored;
    if (!handle)
        return "NULL";
    if (is_within(handle, session.objects, session.object_count, &ignored))
        return "an Obj";
    if (is_within(handle, session.procs, session.program->procedure_count, &ignored))
        return "a Proc";
    if (is_within(handle, session.entries, session.entry_count, &ignored))
        return "an Entry";
    if (is_within(handle, session.blocks, session.program->block_count, &ignored))
        return "a Block";
    if (is_within(handle, session.insts, session.program->instruction_count, &ignored))
        return "an Inst";
    return "a pointer to something else";
}

static bool find_handle(const char *routine, int number, const char *wanted, const void *handle,
                        const void *array, uint32_t count, uint32_t *index) {
    if (is_within(handle, array, count, index))
        return true;
    misuse(MESSAGE_ATOM_HANDLE, routine, number, wanted, describe_handle(handle));
    return false;
}

bool object_of(const char *routine, int number, const Obj *handle, uint32_t *index) {
    return find_handle(routine, number, "an Obj", handle, session.objects, session.object_count, index);
}

bool proc_of(const char *routine, int number, const Proc *handle, uint32_t *index) {
    return find_handle(routine, number, "a Proc", handle, session.procs, session.program->procedure_count,
                       index);
}

bool entry_of(const char *routine, int number, const Entry *handle, uint32_t *index) {
    return find_handle(routine, number, "an Entry", handle, session.entries, session.entry_count, index);
}

bool block_of(const char *routine, int number, const Block *handle, uint32_t *index) {
    return find_handle(routine, number, "a Block", handle, session.blocks, session.program->block_count,
                       index);
}

bool inst_of(const char *routine, int number, const Inst *handle, uint32_t *index) {
    return find_handle(routine, number, "an Inst", handle, session.insts, session.program->instruction_count,
                       index);
}

Obj *object_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : session.objects + index;
}

Proc *proc_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : session.procs + index;
}

Entry *entry_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : session.entries + index;
}

Block *block_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : session.blocks + index;
}

Inst *inst_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : session.insts + index;
}

/* ---- objects ------------------------------------------------------------------------------------------ */

uint32_t object_of_procedure(uint32_t procedure) {
    return object_number_of(session.program, session.program->procedures[procedure].first);
}

void procedures_of(uint32_t object, uint32_t *first, uint32_t *end) {
    uint32_t count;
    places_inside(session.program, PLAN_OBJECT, object, PLAN_PROCEDURE, first, &count);
    *end = *first + count;
}

void set_states(enum object_state state) {
    for (uint32_t k = 0; k < session.object_count; k++)
        session.states[k] = state;
}

bool require_built(const char *routine, uint32_t object) {
    if (session.states[object] == OBJECT_BUILT)
        return true;
    misuse(session.states[object] == OBJECT_FOUND ? MESSAGE_ATOM_NOT_BUILT : MESSAGE_ATOM_WRITTEN, routine);
    return false;
}

bool is_read_only(uint32_t object) {
    return object == 0 &&
           (session.program->left_out || (session.recording && session.recording->options->excluded));
}

bool require_writable(const char *routine, uint32_t object) {
    if (!require_built(routine, object))
        return false;
    if (is_read_only(object))
        misuse(MESSAGE_ATOM_READ_ONLY, routine);
    return !is_read_only(object);
}

bool require_writable_at(const char *routine, uint32_t instruction) {
    return require_writable(routine, object_number_of(session.program, instruction));
}

bool single_object(const char *routine, uint32_t *object) {
    uint32_t built = 0;
    *object = 0;
    for (uint32_t o = session.object_count; o-- > 0;)
        if (session.states[o] == OBJECT_BUILT) {
            *object = o;
            built++;
        }
    if (built <= 1)
        return true;
    misuse(MESSAGE_ATOM_SINGLE, routine, built);
    return false;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

void atom_begin(struct program *program, struct diagnostics *diagnostics) {
    session = (struct session){.program = program,
                               .diagnostics = diagnostics,
                               .arena = arena_create(),
                               .object_count = 1 + program->library_count,
                               .analysis_name = ""};
    find_entries();
    session.objects = allocate_zeroed(session.object_count, 1);
    session.output_names = arena_allocate(session.arena, session.object_count * sizeof *session.output_names);
    for (uint32_t o = 0; o < session.object_count; o++)
        session.output_names[o] = "";
    session.states = allocate_zeroed(session.object_count, sizeof *session.states);
    set_states(OBJECT_BUILT);
    session.procs = allocate_zeroed((size_t)program->procedure_count + 1, 1);
    session.entries = allocate_zeroed((size_t)session.entry_count + 1, 1);
    session.blocks = allocate_zeroed((size_t)program->block_count + 1, 1);
    session.insts = allocate_zeroed((size_t)program->instruction_count + 1, 1);
}

void atom_end(void) {
    if (!session.program)
        return;
    free(session.objects);
    free(session.states);
    free(session.procs);
    free(session.entries);
    free(session.blocks);
    free(session.insts);
    free(session.seen);
    arena_destroy(session.arena);
    session = (struct session){0};
}
