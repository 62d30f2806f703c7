/* positions.c: the source position of an instruction, for attributes, and the source lines in a block.
   Requires the debug information of lines.c. */
#include <stdlib.h>
#include <string.h>

#include "engine/places/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"

struct attribute_value file_of(struct program *program, uint32_t instruction) {
    const char *file;
    uint32_t line;
    program_line(program, instruction_address(program, instruction), &file, &line);
    return string_value(file);
}
struct attribute_value line_of(struct program *program, uint32_t instruction) {
    const char *file;
    uint32_t line;
    program_line(program, instruction_address(program, instruction), &file, &line);
    return integer_value(line);
}

/* ---- source lines in blocks ------------------------------------------------------------------------------ */

/* True if control reaches the block both from the previous instruction and from elsewhere. */
static bool is_joined(const struct program *program, uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    if (program->procedures[block->procedure].first_block == index)
        return false;
    uint8_t before = block[-1].end;
    bool falls = before == END_FALLTHROUGH || before == END_CALL || before == END_SYSTEM_CALL;
    return falls && is_entered_besides_return(block->leaders);
}

/* True if the block is the header of a loop in the call's code. Then it is executed more often than the
   call. */
static bool loops_by_itself(const struct program *program, struct program *object,
                            const struct inlined_call *call, uint32_t index) {
    uint32_t number = program->blocks[index].loop;
    if (number == NO_INDEX || program->loops[number].header != index)
        return false;
    const struct loop *loop = &program->loops[number];
    for (uint32_t i = 0; i < loop->back_edge_count; i++) {
        uint32_t from = program->edges[program->back_edges[loop->first_back_edge + i]].from;
        if (call_has_address(object, call, instruction_address(program, block_last(&program->blocks[from]))))
            return true;
    }
    return false;
}

/* Finds the block that is the only entry of the loop with that header, and has no other successor: its last
   instruction. NO_INDEX: there is none. */
static uint32_t before_loop(const struct program *program, uint32_t header) {
    const struct basic_block *block = &program->blocks[header];
    uint32_t before = NO_INDEX;
    if (is_entered_by_map(block->leaders))
        return NO_INDEX;
    for (uint32_t i = 0; i < block->predecessor_count; i++) {
        uint32_t from = program->edges[program->incoming[block->first_predecessor + i]].from;
        if (block_in_loop(program, from, block->loop))
            continue;
        if (before != NO_INDEX || program->blocks[from].successor_count != 1)
            return NO_INDEX;
        before = from;
    }
    return before == NO_INDEX ? NO_INDEX : block_last(&program->blocks[before]);
}

/* The instruction that represents the call: its block is executed as often as the call. NO_INDEX: the
   position is unknown. A call without instructions, at a point where blocks join, may belong to the end of
   the block before, because the address does not show on which side of a label the call is. */
static uint32_t instruction_of_call(const struct program *program, struct program *object,
                                    const struct inlined_call *call) {
    uint32_t instruction = instruction_at(program, call->address);
    if (instruction == NO_INDEX)
        return NO_INDEX;
    uint32_t index = block_at(program, instruction);
    if (index == NO_INDEX || program->blocks[index].first != instruction)
        return index == NO_INDEX ? NO_INDEX : instruction;
    if (!call_has_address(object, call, call->address))
        return is_joined(program, index) ? NO_INDEX : instruction;
    if (!loops_by_itself(program, object, call, index))
        return instruction;
    return before_loop(program, index);
}

static void note_position(struct positions *positions, size_t *capacity, const char *file, uint32_t line,
                          uint32_t instruction) {
    ARENA_RESERVE(positions->program->arena, positions->list, positions->count, *capacity);
    positions->list[positions->count++] =
        (struct position){file, line, instruction, block_at(positions->program, instruction)};
}

static int compare_positions(const void *left, const void *right) {
    const struct position *a = left, *b = right;
    if (a->instruction != b->instruction)
        return a->instruction < b->instruction ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->file == b->file ? 0 : strcmp(a->file, b->file);
}

/* Sorts by block and line, the first instruction of each line first. */
static int by_line_of_block(const void *left, const void *right) {
    const struct position *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    int files = a->file == b->file ? 0 : strcmp(a->file, b->file);
    return files ? files : (a->instruction > b->instruction) - (a->instruction < b->instruction);
}

static void sort_positions(struct positions *positions) {
    struct position *list = positions->list;
    uint32_t kept = 0;
    qsort(list, positions->count, sizeof *list, by_line_of_block);
    for (uint32_t i = 0; i < positions->count; i++)
        if (kept == 0 || list[i].block != list[kept - 1].block || list[i].line != list[kept - 1].line ||
            strcmp(list[i].file, list[kept - 1].file) != 0)
            list[kept++] = list[i];
    positions->count = kept;
    qsort(list, kept, sizeof *list, compare_positions);
}

static void find_positions(struct positions *positions) {
    struct program *program = positions->program;
    size_t capacity = 0;
    positions->list = arena_allocate(program->arena, sizeof *positions->list);
    for (uint32_t b = 0; b < program->block_count; b++) {
        const char *file, *last = "";
        uint32_t line, last_line = 0;
        for (uint32_t i = program->blocks[b].first; i <= block_last(&program->blocks[b]); i++) {
            program_line(program, instruction_address(program, i), &file, &line);
            if (line != 0 && (line != last_line || strcmp(file, last) != 0))
                note_position(positions, &capacity, file, line, i);
            last = file, last_line = line;
        }
    }
    struct arena *arena = arena_create();
    for (uint32_t k = 0; k < place_count(program, PLAN_OBJECT); k++) {
        struct program *object = k == 0 ? program : program->libraries[k - 1];
        size_t count;
        const struct inlined_call *calls = program_inlined_calls(object, &count, arena);
        for (size_t i = 0; i < count; i++) {
            uint32_t instruction = instruction_of_call(program, object, &calls[i]);
            if (instruction != NO_INDEX)
                note_position(positions, &capacity, calls[i].file, calls[i].line, instruction);
        }
    }
    arena_destroy(arena);
    sort_positions(positions);
}

void positions_expect(struct program *program) {
    program->positions = arena_allocate(program->arena, sizeof *program->positions);
    program->positions->program = program;
}

const struct positions *positions_of(const struct program *program) {
    if (!program->positions->list)
        find_positions(program->positions);
    return program->positions;
}
