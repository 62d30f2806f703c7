/* crash_places.c: tables for reports of crashes in the analysis code: its functions, and the source lines of
   those that the user compiled. Requires the analysis image, linked with debug information. */
#include <string.h>

#include "engine/output/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/places/places.h"
#include "engine/routine/routine.h"
#include "plan/names.h"

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

/* The user's line for an address, 0 if there is none. The lines of the runtime have no meaning for users. */
static uint32_t users_line(struct program *program, uint64_t address, const char **file) {
    uint32_t line;
    if (strcmp(program_compile_folder(program, address), FOLDER_OF_RUNTIME) == 0)
        return 0;
    program_line(program, address, file, &line);
    return line;
}

/* Adds a row at the beginning of the function, and a row at each change of the line. */
static void add_function(struct place_table *table, const char *name, uint32_t begin, uint32_t end) {
    struct program *program = table->rewrite->analysis->program;
    uint64_t first = instruction_address(program, begin);
    const char *file = "";
    uint32_t last = users_line(program, first, &file);
    note_row(table, first, name, file, last);
    if (last == 0)
        return;
    for (uint32_t i = begin + 1; i < end; i++) {
        uint32_t line = users_line(program, instruction_address(program, i), &file);
        if (line == last || line == 0)
            continue;
        note_row(table, instruction_address(program, i), name, file, line);
        last = line;
    }
}

/* The words between a function's end and the next symbol: more than padding is code without a name. */
enum { PADDING_WORDS = 16 };

static void add_functions(struct place_table *table) {
    const struct analysis_image *analysis = table->rewrite->analysis;
    for (uint32_t f = 0; f < analysis->function_count; f++) {
        const struct analysis_function *function = &analysis->functions[f];
        uint32_t after =
            f + 1 < analysis->function_count ? function[1].first : analysis->program->instruction_count;
        add_function(table, function->name, function->first, function->end);
        if (after > function->end && after - function->end > PADDING_WORDS)
            note_row(table, instruction_address(analysis->program, function->end), NULL, "", 0);
    }
}

/* The same for a routine's copy; a row without a procedure marks its end. */
static void add_copy(struct place_table *table, const struct copied_routine *copied) {
    struct program *program = table->rewrite->analysis->program;
    uint32_t last = 0;
    for (uint32_t i = 0; i < copied->place_count; i++) {
        uint32_t instruction = copied->places[i].instruction;
        const char *name = program->procedures[procedure_at(program, instruction)].name;
        const char *file = "";
        uint32_t line = users_line(program, instruction_address(program, instruction), &file);
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
    struct copied_routine copied = {0};
    while (routine_copy_behind(rewrite, copied.address, &copied))
        add_copy(&table, &copied);
    add_functions(&table);
    image->places = table_bytes(rewrite, table.places, table.count * sizeof *table.places);
    image->place_count = table.count;
    write_inlined(rewrite, image);
    arena_release(rewrite->program->scratch, mark);
}
