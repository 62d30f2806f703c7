/* session.c: the program that the user's code looks at, its objects, and handles of its places.
   Requires an analysed program. */
#include "engine/engine.h"
#include "hatch/recording.h"

#include <stdlib.h>
#include <string.h>

struct hatch hatch;

/* ---- entries ------------------------------------------------------------------------------------------ */

/* The engine's, in the order of the procedures. */
static void find_entries(void) {
    const struct program *program = hatch.program;
    uint32_t next = 0;
    hatch.entry_count = program->entry_count;
    hatch.entry_list = program->entries;
    hatch.first_entry = arena_allocate(hatch.arena, (program->procedure_count + 1) * sizeof(uint32_t));
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        hatch.first_entry[p] = next;
        while (next < program->entry_count && program->entries[next].procedure == p)
            next++;
    }
    hatch.first_entry[program->procedure_count] = next;
}

uint32_t entry_at(uint32_t instruction) {
    uint32_t procedure = procedure_at(hatch.program, instruction);
    for (uint32_t e = hatch.first_entry[procedure]; e < hatch.first_entry[procedure + 1]; e++)
        if (hatch.entry_list[e].instruction == instruction)
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

/* What a pointer that is not the one wanted is. */
static const char *describe(const void *handle) {
    uint32_t ignored;
    if (!handle)
        return "NULL";
    if (is_within(handle, hatch.objects, hatch.object_count, &ignored))
        return "an Obj";
    if (is_within(handle, hatch.procs, hatch.program->procedure_count, &ignored))
        return "a Proc";
    if (is_within(handle, hatch.entries, hatch.entry_count, &ignored))
        return "an Entry";
    if (is_within(handle, hatch.blocks, hatch.program->block_count, &ignored))
        return "a Block";
    if (is_within(handle, hatch.insts, hatch.program->instruction_count, &ignored))
        return "an Inst";
    return "a pointer to something else";
}

static bool find(const char *routine, int number, const char *wanted, const void *handle, const void *array,
                 uint32_t count, uint32_t *index) {
    if (is_within(handle, array, count, index))
        return true;
    misuse(MESSAGE_HATCH_HANDLE, routine, number, wanted, describe(handle));
    return false;
}

bool object_of(const char *routine, int number, const Obj *handle, uint32_t *index) {
    return find(routine, number, "an Obj", handle, hatch.objects, hatch.object_count, index);
}

bool proc_of(const char *routine, int number, const Proc *handle, uint32_t *index) {
    return find(routine, number, "a Proc", handle, hatch.procs, hatch.program->procedure_count, index);
}

bool entry_of(const char *routine, int number, const Entry *handle, uint32_t *index) {
    return find(routine, number, "an Entry", handle, hatch.entries, hatch.entry_count, index);
}

bool block_of(const char *routine, int number, const Block *handle, uint32_t *index) {
    return find(routine, number, "a Block", handle, hatch.blocks, hatch.program->block_count, index);
}

bool inst_of(const char *routine, int number, const Inst *handle, uint32_t *index) {
    return find(routine, number, "an Inst", handle, hatch.insts, hatch.program->instruction_count, index);
}

Obj *object_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : hatch.objects + index;
}

Proc *proc_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : hatch.procs + index;
}

Entry *entry_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : hatch.entries + index;
}

Block *block_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : hatch.blocks + index;
}

Inst *inst_handle(uint32_t index) {
    return index == NO_INDEX ? NULL : hatch.insts + index;
}

/* ---- objects ------------------------------------------------------------------------------------------ */

uint32_t object_of_procedure(uint32_t procedure) {
    return object_number_of(hatch.program, hatch.program->procedures[procedure].first);
}

void procedures_of(uint32_t object, uint32_t *first, uint32_t *end) {
    uint32_t count;
    places_inside(hatch.program, PLAN_OBJECT, object, PLAN_PROCEDURE, first, &count);
    *end = *first + count;
}

void set_states(enum object_state state) {
    for (uint32_t k = 0; k < hatch.object_count; k++)
        hatch.states[k] = state;
}

bool require_built(const char *routine, uint32_t object) {
    if (hatch.states[object] == OBJECT_BUILT)
        return true;
    misuse(hatch.states[object] == OBJECT_FOUND ? MESSAGE_HATCH_NOT_BUILT : MESSAGE_HATCH_WRITTEN, routine);
    return false;
}

bool is_read_only(uint32_t object) {
    return object == 0 &&
           (hatch.program->left_out || (hatch.recording && hatch.recording->options->excluded));
}

bool require_writable(const char *routine, uint32_t object) {
    if (!require_built(routine, object))
        return false;
    if (is_read_only(object))
        misuse(MESSAGE_HATCH_READ_ONLY, routine);
    return !is_read_only(object);
}

bool require_writable_at(const char *routine, uint32_t instruction) {
    return require_writable(routine, object_number_of(hatch.program, instruction));
}

bool single_object(const char *routine, uint32_t *object) {
    uint32_t built = 0;
    *object = 0;
    for (uint32_t o = hatch.object_count; o-- > 0;)
        if (hatch.states[o] == OBJECT_BUILT) {
            *object = o;
            built++;
        }
    if (built <= 1)
        return true;
    misuse(MESSAGE_HATCH_SINGLE, routine, built);
    return false;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

void hatch_begin(struct program *program, struct diagnostics *diagnostics) {
    hatch = (struct hatch){.program = program,
                           .diagnostics = diagnostics,
                           .arena = arena_create(),
                           .object_count = 1 + program->library_count,
                           .analysis_name = ""};
    find_entries();
    hatch.objects = allocate_zeroed(hatch.object_count, 1);
    hatch.output_names = arena_allocate(hatch.arena, hatch.object_count * sizeof *hatch.output_names);
    for (uint32_t o = 0; o < hatch.object_count; o++)
        hatch.output_names[o] = "";
    hatch.states = allocate_zeroed(hatch.object_count, sizeof *hatch.states);
    set_states(OBJECT_BUILT);
    hatch.procs = allocate_zeroed((size_t)program->procedure_count + 1, 1);
    hatch.entries = allocate_zeroed((size_t)hatch.entry_count + 1, 1);
    hatch.blocks = allocate_zeroed((size_t)program->block_count + 1, 1);
    hatch.insts = allocate_zeroed((size_t)program->instruction_count + 1, 1);
}

void hatch_end(void) {
    if (!hatch.program)
        return;
    free(hatch.objects);
    free(hatch.states);
    free(hatch.procs);
    free(hatch.entries);
    free(hatch.blocks);
    free(hatch.insts);
    free(hatch.seen);
    arena_destroy(hatch.arena);
    hatch = (struct hatch){0};
}
