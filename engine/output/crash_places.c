/* crash_places.c: tables for reports of crashes in the analysis code: its procedures, and the source lines of
   procedures that the user compiled. Requires the analysis image, linked with debug information. */
#include <string.h>

#include "engine/output/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/places/places.h"
#include "engine/routine/routine.h"

struct place_table {
    struct rewrite *rewrite;
    struct atomc_analysis_place *places;
    uint64_t count, capacity;
};

static void note_row(struct place_table *table, uint64_t address, const char *procedure, const char *file,
                     uint32_t line) {
    ARENA_RESERVE(table->rewrite->program->scratch, table->places, table->count, table->capacity);
    table->places[table->count++] = (struct atomc_analysis_place){
        .address = (uint32_t)address,
        .line = line,
        .file = line > 0 ? table_string(table->rewrite, file) : 0,
        .procedure = procedure ? table_string(table->rewrite, procedure) : 0,
    };
}

/* The runtime's own sources count as library code, because their lines have no meaning for users. */
static bool is_runtimes(const char *file) {
    return strstr(file, "runtime/") != NULL;
}

static bool is_users(const char *file, uint32_t line) {
    return line > 0 && !is_runtimes(file);
}

/* Adds a row at the beginning of a procedure, and a row at each change of the line. */
static void add_procedure(struct place_table *table, const struct procedure *procedure) {
    struct program *program = table->rewrite->analysis->program;
    uint64_t first = instruction_address(program, procedure->first);
    const char *file = "";
    uint32_t line = 0, last;
    /* The runtime's line tables are large; the name of its source is enough. */
    if (!is_runtimes(program_unit(program, first)))
        program_line(program, first, &file, &line);
    last = is_users(file, line) ? line : 0;
    note_row(table, first, procedure->name, file, last);
    if (last == 0)
        return;
    for (uint32_t i = procedure->first + 1; i < procedure->first + procedure->count; i++) {
        program_line(program, instruction_address(program, i), &file, &line);
        if (line == last || !is_users(file, line))
            continue;
        note_row(table, instruction_address(program, i), procedure->name, file, line);
        last = line;
    }
}

/* The same for a routine's copy; a row without a procedure marks its end. */
static void add_copy(struct place_table *table, const struct copied_routine *copied) {
    struct program *program = table->rewrite->analysis->program;
    uint32_t last = 0, line;
    const char *file;
    for (uint32_t i = 0; i < copied->place_count; i++) {
        uint32_t instruction = copied->places[i].instruction;
        const char *name = program->procedures[procedure_at(program, instruction)].name;
        program_line(program, instruction_address(program, instruction), &file, &line);
        if (!is_users(file, line))
            line = 0;
        if (i == 0 || (line != last && line != 0)) {
            note_row(table, copied->places[i].address, name, file, line);
            last = line;
        }
    }
    note_row(table, copied->end, NULL, "", 0);
}

/* For inlined accesses in the copies: the instructions of the routines from which they were made. */
static void write_inlined(struct rewrite *rewrite, struct atomc_image *image) {
    const struct code_space *code = rewrite->code;
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    struct atomc_inlined *inlined =
        arena_allocate(rewrite->program->scratch, ((size_t)code->inlined_count + 1) * sizeof *inlined);
    for (uint32_t i = 0; i < code->inlined_count; i++)
        inlined[i] = (struct atomc_inlined){
            code->copies.address + 4 * code->inlined[i].position,
            (uint32_t)instruction_address(rewrite->analysis->program, code->inlined[i].origin)};
    image->inlined_count = code->inlined_count;
    image->inlined =
        image->inlined_count ? table_bytes(rewrite, inlined, image->inlined_count * sizeof *inlined) : 0;
    arena_release(rewrite->program->scratch, mark);
}

void crash_places_write(struct rewrite *rewrite, struct atomc_image *image) {
    struct place_table table = {.rewrite = rewrite};
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    const struct program *analysis = rewrite->analysis->program;
    struct copied_routine copied = {0};
    while (routine_copy_behind(rewrite, copied.address, &copied))
        add_copy(&table, &copied);
    for (uint32_t p = 0; p < analysis->procedure_count; p++)
        add_procedure(&table, &analysis->procedures[p]);
    image->places = table_bytes(rewrite, table.places, table.count * sizeof *table.places);
    image->place_count = table.count;
    write_inlined(rewrite, image);
    arena_release(rewrite->program->scratch, mark);
}
