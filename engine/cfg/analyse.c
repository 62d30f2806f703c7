/* analyse.c: the steps, in order, that turn an executable's text into procedures, blocks and edges.
   Requires a checked program. */
#include "engine/cfg/internal.h"

void program_analyse(struct program *program, struct diagnostics *diagnostics) {
    struct arena *arena = arena_create();
    struct block_search analysis = {.program = program, .arena = arena, .diagnostics = diagnostics};
    analysis.object_bases =
        arena_allocate(arena, ((size_t)program->library_count + 1) * sizeof *analysis.object_bases);
    analysis.leaders = arena_allocate(arena, program->instruction_count * sizeof *analysis.leaders);
    facts_find(program);
    frames_read(&analysis);
    procedures_find(&analysis);
    for (uint32_t i = 0; i < program->procedure_count; i++) {
        direct_leaders_mark(&analysis, &program->procedures[i]);
        computed_addresses_mark(&analysis, &program->procedures[i], false);
    }
    for (uint32_t k = 0; k <= program->library_count; k++)
        data_addresses_mark(&analysis, object_number(program, k));
    landings_mark(&analysis);
    landing_pads_mark(&analysis);
    returning_find(&analysis);
    for (uint32_t i = 0; i < program->procedure_count; i++)
        jump_tables_find(&analysis, i);
    returns_behind_mark(&analysis);
    blocks_build(&analysis);
    edges_build(&analysis);
    incoming_build(program);
    escapes_find(program);
    parts_find(program);
    text_data_find(program);
    arena_destroy(arena);
}
