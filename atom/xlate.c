/* xlate.c: ATOM's tables of addresses in the instrumented program. Places are collected here, and the engine
   fills in their addresses. Requires a recording; a table's contents are fixed when the instrumentation code
   ends. */
#include "atom/recording.h"

#include <stdlib.h>

struct Xlate {
    uint32_t buffer;    /* of the plan */
    unsigned room;      /* XLATE_NOSIZE: the number that is added */
    struct Xlate *next; /* made before */
    struct plan_translation *list;
    uint32_t count, capacity;
};

static struct Xlate *find_xlate_table(const Xlate *table) {
    struct Xlate *at = session.recording->tables;
    while (at && at != table)
        at = at->next;
    return at;
}

static struct Xlate *table_of(const char *routine, int number, const Xlate *table) {
    struct Xlate *found = find_xlate_table(table);
    if (!found)
        misuse(MESSAGE_ATOM_HANDLE, routine, number, "an Xlate made by CreateXlate",
               table ? "a pointer to something else" : "NULL");
    return found;
}

Xlate *CreateXlate(Obj *obj, unsigned count) {
    struct recording *recording = require_recording("CreateXlate");
    uint32_t o;
    if (!recording || !object_of("CreateXlate", 1, obj, &o) || !require_built("CreateXlate", o))
        return NULL;
    struct Xlate *table = arena_allocate(session.arena, sizeof *table);
    VECTOR_RESERVE(recording->buffers, recording->buffer_count, recording->buffer_capacity);
    *table = (struct Xlate){.buffer = recording->buffer_count, .room = count, .next = recording->tables};
    recording->buffers[recording->buffer_count++] = (struct plan_buffer){.translates = true};
    return recording->tables = table;
}

static void add_translation(const char *routine, struct Xlate *table, struct plan_translation translation) {
    if (table->room != XLATE_NOSIZE && table->count >= table->room) {
        misuse(MESSAGE_ATOM_TABLE_FULL, routine, table->room);
        return;
    }
    VECTOR_RESERVE(table->list, table->count, table->capacity);
    table->list[table->count++] = translation;
}

void AddXlateAddress(Xlate *table, Inst *inst) {
    static const char routine[] = "AddXlateAddress";
    uint32_t i;
    if (require_recording(routine) && table_of(routine, 1, table) && inst_of(routine, 2, inst, &i) &&
        require_built(routine, object_number_of(session.program, i)))
        add_translation(routine, table, (struct plan_translation){i, false});
}

void AddXlateEntry(Xlate *table, Entry *entry) {
    static const char routine[] = "AddXlateEntry";
    uint32_t e;
    if (require_recording(routine) && table_of(routine, 1, table) && entry_of(routine, 2, entry, &e) &&
        require_built(routine, object_of_procedure(session.entry_list[e].procedure)))
        add_translation(routine, table, (struct plan_translation){session.entry_list[e].instruction, true});
}

uint32_t table_buffer(const char *routine, int number, const Xlate *table) {
    struct Xlate *found = table_of(routine, number, table);
    return found ? found->buffer : NO_INDEX;
}

void tables_finish(struct recording *recording) {
    for (struct Xlate *table = recording->tables; table; table = table->next) {
        struct plan_buffer *buffer = &recording->buffers[table->buffer];
        struct plan_translation *kept = arena_allocate(recording->arena, (table->count + 1) * sizeof *kept);
        for (uint32_t i = 0; i < table->count; i++)
            kept[i] = table->list[i];
        buffer->translations = kept;
        buffer->translation_count = table->count;
        free(table->list);
    }
    recording->tables = NULL;
}
