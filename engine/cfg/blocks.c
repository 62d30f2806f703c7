/* blocks.c: basic blocks between the leaders, and edges. Requires that all leaders are marked. */
#include <stdlib.h>

#include "engine/cfg/internal.h"

/* ---- blocks and edges -------------------------------------------------------------------------- */

static enum block_end block_end_at(const struct block_search *analysis, const struct procedure *procedure,
                                   uint32_t last, bool has_table) {
    const struct program *program = analysis->program;
    switch (facts_of(program, last)->transfer) {
    case TRANSFER_COND_BRANCH:
        return END_COND_BRANCH;
    case TRANSFER_BRANCH: {
        uint32_t target = branch_target(program, last);
        bool inside = target != NO_INDEX && target - procedure->first < procedure->count;
        return inside ? END_BRANCH : END_TAIL_BRANCH;
    }
    case TRANSFER_CALL:
        return END_CALL;
    case TRANSFER_RETURN:
        return END_RETURN;
    case TRANSFER_JUMP:
        return has_table ? END_JUMP_TABLE : END_JUMP_UNKNOWN;
    case TRANSFER_SYSTEM_CALL:
        return END_SYSTEM_CALL;
    case TRANSFER_TRAP:
        return END_TRAP;
    default:
        return END_FALLTHROUGH;
    }
}

void blocks_build(struct block_search *analysis) {
    struct program *program = analysis->program;
    uint32_t count = 0, block = 0;
    size_t table = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++)
        count += analysis->leaders[i] != 0;
    program->blocks = arena_allocate(program->flow, count * sizeof *program->blocks);
    program->block_count = count;
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        struct procedure *procedure = &program->procedures[p];
        uint32_t end = procedure->first + procedure->count;
        procedure->first_block = block;
        procedure->escapes = analysis->leaders[procedure->first] & LEADER_ESCAPES;
        procedure->address_taken = analysis->leaders[procedure->first] & LEADER_ADDRESS_TAKEN;
        for (uint32_t first = procedure->first, next; first < end; first = next) {
            for (next = first + 1; next < end && !analysis->leaders[next]; next++)
                ;
            while (table < analysis->table_count && analysis->tables[table].instruction < next - 1)
                table++;
            bool has_table = table < analysis->table_count && analysis->tables[table].instruction == next - 1;
            program->blocks[block++] = (struct basic_block){
                .first = first,
                .count = next - first,
                .procedure = p,
                .leaders = analysis->leaders[first] & 255,
                .end = block_end_at(analysis, procedure, next - 1, has_table),
                .live_in = ~UINT64_C(0),
                .live_out = ~UINT64_C(0),
                .loop = NO_INDEX,
            };
            procedure->lost_jump |= analysis->leaders[first] & LEADER_UNKNOWN_JUMP;
        }
        procedure->block_count = block - procedure->first_block;
    }
    block_starts_make(program);
}

/* A procedure whose GOT slot is loaded escapes, unless the only use is a jump through the procedure value in
   the same block that call_target() resolves. */
static void mark_loaded(struct program *program, const struct basic_block *block) {
    const struct procedure *procedure = &program->procedures[block->procedure];
    const unsigned procedure_value = program->architecture->registers.procedure_value;
    uint32_t pending = NO_INDEX, last = block_last(block);
    for (uint32_t i = block->first; i <= last; i++) {
        const struct facts *facts = facts_of(program, i);
        if (!loads_address(program, facts))
            continue;
        uint32_t target = got_target(program, procedure->data_base, constants_of(program, i).displacement);
        uint32_t escaping = facts->memory[0].data == procedure_value ? pending : target;
        if (facts->memory[0].data == procedure_value)
            pending = target;
        if (escaping != NO_INDEX)
            program->procedures[procedure_at(program, escaping)].escapes = true;
    }
    bool used = (block->end == END_CALL || block->end == END_JUMP_UNKNOWN) &&
                facts_of(program, last)->target == procedure_value;
    if (pending != NO_INDEX &&
        !(used && indirect_target(program, procedure->data_base, block->first, last) == pending))
        program->procedures[procedure_at(program, pending)].escapes = true;
}

/* If the data base is unknown, every address in the GOT may be called. */
void escapes_find(struct program *program) {
    bool all = false;
    for (uint32_t i = 0; i < program->block_count; i++) {
        all |= program->procedures[program->blocks[i].procedure].data_base == 0;
        mark_loaded(program, &program->blocks[i]);
    }
    for (uint32_t i = 0; all && i < program->procedure_count; i++)
        program->procedures[i].escapes |= program->procedures[i].address_taken;
}

struct edge_list {
    struct program *program;
    size_t capacity;
};
static void add_flow_edge(struct edge_list *list, uint32_t from, uint32_t to, enum edge_kind kind) {
    struct program *program = list->program;
    ARENA_RESERVE(program->flow, program->edges, program->edge_count, list->capacity);
    program->edges[program->edge_count++] = (struct edge){from, to, kind};
    program->blocks[from].successor_count++;
    program->blocks[to].predecessor_count++;
}

static int compare_indices(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void add_table_edges(struct block_search *analysis, struct edge_list *list, uint32_t from,
                            const struct jump_table *table) {
    uint32_t *targets = analysis->targets + table->first_target;
    qsort(targets, table->target_count, sizeof *targets, compare_indices);
    for (uint32_t i = 0; i < table->target_count; i++)
        if (i == 0 || targets[i] != targets[i - 1])
            add_flow_edge(list, from, block_at(analysis->program, targets[i]), EDGE_TABLE);
}

void edges_build(struct block_search *analysis) {
    struct program *program = analysis->program;
    struct edge_list list = {program, 0};
    size_t table = 0;
    for (uint32_t i = 0; i < program->block_count; i++) {
        struct basic_block *block = &program->blocks[i];
        const struct procedure *procedure = &program->procedures[block->procedure];
        uint32_t last = block_last(block);
        block->first_successor = program->edge_count;
        bool falls = block->end != END_BRANCH && block->end != END_TAIL_BRANCH && block->end != END_RETURN &&
                     block->end != END_JUMP_TABLE && block->end != END_JUMP_UNKNOWN;
        /* The words after a linkage table fill the space up to the next section. */
        if (falls && i + 1 < program->block_count &&
            object_holding(program, last) == object_holding(program, last + 1) &&
            (block[1].procedure == block->procedure || !linkage_at(program, procedure->first)))
            add_flow_edge(&list, i, i + 1, EDGE_FALLTHROUGH);
        if (block->end == END_COND_BRANCH || block->end == END_BRANCH) {
            uint32_t target = branch_target(program, last);
            if (target != NO_INDEX && target - procedure->first < procedure->count)
                add_flow_edge(&list, i, block_at(program, target), EDGE_TAKEN);
        }
        if (block->end == END_JUMP_TABLE) {
            while (analysis->tables[table].instruction != last)
                table++;
            add_table_edges(analysis, &list, i, &analysis->tables[table]);
        }
    }
}

void incoming_build(struct program *program) {
    struct arena_mark mark = arena_mark(program->scratch);
    uint32_t next = 0,
             *filled = arena_allocate(program->scratch, ((size_t)program->block_count + 1) * sizeof *filled);
    program->incoming =
        arena_allocate(program->flow, ((size_t)program->edge_count + 1) * sizeof *program->incoming);
    for (uint32_t i = 0; i < program->block_count; i++) {
        program->blocks[i].first_predecessor = next;
        next += program->blocks[i].predecessor_count;
    }
    for (uint32_t i = 0; i < program->edge_count; i++) {
        uint32_t to = program->edges[i].to;
        program->incoming[program->blocks[to].first_predecessor + filled[to]++] = i;
    }
    arena_release(program->scratch, mark);
}

unsigned procedure_link(const struct program *program, uint32_t procedure) {
    const struct procedure *at = &program->procedures[procedure];
    const unsigned link = program->architecture->registers.link;
    for (uint32_t b = at->first_block; b < at->first_block + at->block_count; b++) {
        const struct facts *facts = facts_of(program, block_last(&program->blocks[b]));
        if (facts->class == CLASS_RETURN && facts->target != link)
            return facts->target;
    }
    return link;
}
