/* places.c: the kinds of place as tables of the program: objects, entries, edges inside procedures and call
   sites besides procedures, loops, blocks and instructions; the position of each place, and the places that
   it contains. Requires an analysed program with its loops. */
#include <stdlib.h>

#include "engine/places/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "support/search.h"

/* ---- the tables ----------------------------------------------------------------------------------- */

static void note_entry_place(struct program *program, size_t *capacity, uint32_t procedure,
                             uint32_t instruction) {
    ARENA_RESERVE(program->arena, program->entries, program->entry_count, *capacity);
    program->entries[program->entry_count++] = (struct entry){procedure, instruction};
}

/* A procedure is entered at its first instruction, at targets of branches from other procedures, and at
   instructions that a symbol names. Calls that skip its ldgp enter it at the first entry. */
static void find_entries(struct program *program, uint32_t index, size_t *capacity) {
    const struct procedure *procedure = &program->procedures[index];
    note_entry_place(program, capacity, index, procedure->first);
    for (uint32_t i = procedure->first_block + 1; i < procedure->first_block + procedure->block_count; i++)
        if (block_is_entry(&program->blocks[i]) && program->blocks[i].first != entry_after_base(procedure))
            note_entry_place(program, capacity, index, program->blocks[i].first);
}

void places_find(struct program *program) {
    data_find(program);
    positions_expect(program);
    size_t entries = 0, calls = 0, system_calls = 0, edges = 0;
    for (uint32_t i = 0; i < program->procedure_count; i++)
        find_entries(program, i, &entries);
    for (uint32_t i = 0; i < program->block_count; i++)
        if (program->blocks[i].end == END_CALL) {
            ARENA_RESERVE(program->flow, program->callsites, program->callsite_count, calls);
            program->callsites[program->callsite_count++] = block_last(&program->blocks[i]);
        } else if (program->blocks[i].end == END_SYSTEM_CALL) {
            ARENA_RESERVE(program->flow, program->system_calls, program->system_call_count, system_calls);
            program->system_calls[program->system_call_count++] = block_last(&program->blocks[i]);
        }
    for (uint32_t i = 0; i < program->edge_count; i++)
        if (program->blocks[program->edges[i].from].procedure ==
            program->blocks[program->edges[i].to].procedure) {
            ARENA_RESERVE(program->flow, program->inner_edges, program->inner_edge_count, edges);
            program->inner_edges[program->inner_edge_count++] = i;
        }
}

/* ---- where they are -------------------------------------------------------------------------------- */

uint32_t place_count(const struct program *program, enum plan_place kind) {
    switch (kind) {
    case PLAN_PROCEDURE:
        return program->procedure_count;
    case PLAN_ENTRY:
        return program->entry_count;
    case PLAN_LOOP:
        return program->loop_count;
    case PLAN_BLOCK:
        return program->block_count;
    case PLAN_EDGE:
        return program->inner_edge_count;
    case PLAN_CALLSITE:
        return program->callsite_count;
    case PLAN_SYSTEM_CALL:
        return program->system_call_count;
    case PLAN_INSTRUCTION:
        return program->instruction_count;
    case PLAN_OBJECT:
        return 1 + program->library_count;
    case PLAN_DATA:
        return program->datum_count;
    case PLAN_POSITION:
        return positions_of(program)->count;
    default:
        return 1; /* the program */
    }
}

const struct edge *place_edge(const struct program *program, uint32_t place) {
    return &program->edges[program->inner_edges[place]];
}

uint32_t place_instruction(const struct program *program, enum plan_place kind, uint32_t place) {
    switch (kind) {
    case PLAN_OBJECT:
        return object_number(program, place)->first_instruction;
    case PLAN_PROCEDURE:
        return program->procedures[place].first;
    case PLAN_ENTRY:
        return program->entries[place].instruction;
    case PLAN_LOOP:
        return program->blocks[program->loops[place].header].first;
    case PLAN_BLOCK:
        return program->blocks[place].first;
    case PLAN_EDGE:
        return block_last(&program->blocks[place_edge(program, place)->from]);
    case PLAN_CALLSITE:
        return program->callsites[place];
    case PLAN_SYSTEM_CALL:
        return program->system_calls[place];
    case PLAN_INSTRUCTION:
        return place;
    case PLAN_POSITION:
        return positions_of(program)->list[place].instruction;
    default:
        return instruction_at(program, program->entry);
    }
}

uint64_t place_address(const struct program *program, enum plan_place kind, uint32_t place) {
    if (kind == PLAN_DATA)
        return program->data[place].address;
    return instruction_address(program, place_instruction(program, kind, place));
}

/* ---- what is inside of them ------------------------------------------------------------------------ */

/* The first place of the kind that is not before the instruction: all kinds are numbered in address
   order. */
static uint32_t first_place(const struct program *program, enum plan_place kind, uint32_t instruction) {
    return FIRST_NOT(0, place_count(program, kind), at,
                     place_instruction(program, kind, (uint32_t)at) < instruction);
}

/* The range of instructions [*first, *end) that contains the whole place. */
static void extent_of_place(const struct program *program, enum plan_place kind, uint32_t place,
                            uint32_t *first, uint32_t *end) {
    *first = 0;
    *end = program->instruction_count;
    if (kind == PLAN_OBJECT) {
        *first = object_number(program, place)->first_instruction;
        *end = *first + object_number(program, place)->own_count;
    } else if (kind == PLAN_PROCEDURE) {
        *first = program->procedures[place].first;
        *end = *first + program->procedures[place].count;
    } else if (kind == PLAN_BLOCK) {
        *first = program->blocks[place].first;
        *end = *first + program->blocks[place].count;
    } else if (kind == PLAN_LOOP) {
        const struct loop *loop = &program->loops[place];
        uint32_t low = loop->header, high = low;
        for (uint32_t i = 0; i < loop->block_count; i++) {
            uint32_t block = program->loop_blocks[loop->first_block + i];
            low = block < low ? block : low;
            high = block > high ? block : high;
        }
        *first = program->blocks[low].first;
        *end = block_last(&program->blocks[high]) + 1;
    }
}

/* Objects have consecutive ranges of addresses. */
static void data_inside(const struct program *program, uint32_t object, uint32_t *first, uint32_t *count) {
    *first = *count = 0;
    for (uint32_t i = program->datum_count; i-- > 0;)
        if (program->data[i].object == object) {
            *first = i;
            ++*count;
        }
}

void places_inside(const struct program *program, enum plan_place outer, uint32_t container,
                   enum plan_place kind, uint32_t *first, uint32_t *count) {
    uint32_t begin, end;
    if (kind == PLAN_DATA) { /* in an object */
        data_inside(program, container, first, count);
        return;
    }
    extent_of_place(program, outer, container, &begin, &end);
    *first = first_place(program, kind, begin);
    *count = first_place(program, kind, end) - *first;
}

bool place_is_inside(const struct program *program, enum plan_place outer, uint32_t container,
                     enum plan_place kind, uint32_t place) {
    if (outer != PLAN_LOOP)
        return true;
    if (kind == PLAN_LOOP && place == container)
        return false;
    uint32_t block = kind == PLAN_BLOCK  ? place
                     : kind == PLAN_LOOP ? program->loops[place].header
                                         : block_at(program, place_instruction(program, kind, place));
    return block_in_loop(program, block, container);
}

uint32_t places_counted(const struct program *program, enum plan_place outer, uint32_t container,
                        enum plan_place kind) {
    uint32_t first, count, inside = 0;
    places_inside(program, outer, container, kind, &first, &count);
    for (uint32_t i = 0; i < count; i++)
        inside += place_is_inside(program, outer, container, kind, first + i);
    return inside;
}

static int compare_block_indices(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

uint32_t *block_neighbours(const struct program *program, uint32_t index, bool successors, uint32_t *count,
                           struct arena *arena) {
    const struct basic_block *block = &program->blocks[index];
    uint32_t edges = successors ? block->successor_count : block->predecessor_count, kept = 0;
    uint32_t *blocks = arena_allocate(arena, ((size_t)edges + 1) * sizeof *blocks);
    for (uint32_t i = 0; i < edges; i++)
        blocks[i] = successors ? program->edges[block->first_successor + i].to
                               : program->edges[program->incoming[block->first_predecessor + i]].from;
    if (edges)
        qsort(blocks, edges, sizeof *blocks, compare_block_indices);
    for (uint32_t i = 0; i < edges; i++)
        if (i == 0 || blocks[i] != blocks[i - 1])
            blocks[kept++] = blocks[i];
    *count = kept;
    return blocks;
}
