/* parts.c: nameless code that belongs to a named procedure: assembly has loops and slow paths outside of
   the extent of the symbol, and stripped objects have no names for them. Control passes between a procedure
   and its parts without leaving or entering the procedure. Requires blocks and edges.

   A part has no symbol and no entry sequence; no call leads to it, its address is not taken; and only one
   procedure with a symbol, or parts of that one, branch or fall into it. */
#include "engine/cfg/internal.h"

enum { SOURCE_NONE = NO_INDEX, SOURCE_SEVERAL = NO_INDEX - 1 };
enum { FROM_PARTS = 1, FROM_OTHERS = 2 };

struct part_search {
    struct program *program;
    bool *candidate;   /* by procedure */
    uint32_t *source;  /* by procedure: the whole that branches to it, or SOURCE_... */
    uint8_t *arrivals; /* by block: from other procedures, FROM_... */
};

static bool has_own_entry(const struct program *program, const struct procedure *procedure) {
    const unsigned elsewhere = LEADER_ADDRESS_TAKEN | LEADER_UNKNOWN_JUMP;
    unsigned leaders = 0;
    for (uint32_t b = 0; b < procedure->block_count; b++)
        leaders |= program->blocks[procedure->first_block + b].leaders;
    return procedure->origin == PROCEDURE_SYMBOL || procedure->sets_data_base || leaders & elsewhere ||
           instruction_at(program, program->entry) - procedure->first < procedure->count;
}

static bool is_padding(const struct program *program, const struct basic_block *block) {
    bool is_padding = block->leaders == 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        is_padding &= program->text[i] == 0 || facts_of(program, i)->flags & FACT_NOP;
    return is_padding;
}

/* Padding that no code reaches falls through only in form. Each word of zeros is a block. */
static bool is_unreached_padding(const struct program *program, uint32_t index) {
    while (is_padding(program, &program->blocks[index]) && program->blocks[index].predecessor_count > 0)
        index--;
    return is_padding(program, &program->blocks[index]);
}

static void note_arrival(struct part_search *search, uint32_t from, uint32_t target) {
    const struct program *program = search->program;
    uint32_t to = procedure_at(program, target), source = program->blocks[from].procedure;
    uint32_t whole = program->procedures[source].whole;
    bool same = program->procedures[to].whole == whole;
    if (to == source)
        return;
    search->arrivals[block_at(program, target)] |= same ? FROM_PARTS : FROM_OTHERS;
    if (!same)
        search->source[to] =
            search->source[to] == SOURCE_NONE || search->source[to] == whole ? whole : SOURCE_SEVERAL;
}

static void note_arrivals(struct part_search *search, uint32_t index) {
    const struct program *program = search->program;
    const struct basic_block *block = &program->blocks[index];
    uint32_t target = block->end == END_COND_BRANCH || block->end == END_TAIL_BRANCH
                          ? branch_target(program, block_last(block))
                          : NO_INDEX;
    if (target != NO_INDEX)
        note_arrival(search, index, target);
    for (uint32_t e = 0; e < block->successor_count; e++) {
        const struct edge *edge = &program->edges[block->first_successor + e];
        if (edge->kind != EDGE_FALLTHROUGH || (program->blocks[edge->to].procedure != block->procedure &&
                                               !is_unreached_padding(program, index)))
            note_arrival(search, index, program->blocks[edge->to].first);
    }
}

static void note_all_arrivals(struct part_search *search) {
    for (uint32_t p = 0; p < search->program->procedure_count; p++)
        search->source[p] = SOURCE_NONE;
    for (uint32_t b = 0; b < search->program->block_count; b++)
        search->arrivals[b] = 0;
    for (uint32_t b = 0; b < search->program->block_count; b++)
        note_arrivals(search, b);
}

/* A branch with a link is a call, too. */
static void exclude_called(struct part_search *search) {
    const struct program *program = search->program;
    for (uint32_t b = 0; b < program->block_count; b++) {
        uint32_t last = block_last(&program->blocks[b]);
        const struct facts *facts = facts_of(program, last);
        bool has_link = facts->transfer == TRANSFER_BRANCH && facts->link != REGISTER_NONE;
        bool calls = program->blocks[b].end == END_CALL || has_link;
        uint32_t callee = calls ? call_target(program, last, NULL) : NO_INDEX;
        if (callee != NO_INDEX)
            search->candidate[callee] = false;
    }
}

/* True if parts were found: code that only they branch to is a part, too. */
static bool find_parts(struct part_search *search) {
    struct program *program = search->program;
    bool found = false;
    note_all_arrivals(search);
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        uint32_t source = search->source[p];
        if (!search->candidate[p] || source == SOURCE_NONE || source == SOURCE_SEVERAL ||
            program->procedures[source].origin != PROCEDURE_SYMBOL)
            continue;
        program->procedures[p].whole = source;
        program->procedures[p].next_part = program->procedures[source].next_part;
        program->procedures[source].next_part = p;
        search->candidate[p] = false;
        found = true;
    }
    return found;
}

static bool is_from_part(const struct part_search *search, uint32_t index) {
    const struct basic_block *block = &search->program->blocks[index];
    const unsigned others = LEADER_PROCEDURE_ENTRY | LEADER_ADDRESS_TAKEN | LEADER_UNKNOWN_JUMP;
    return search->arrivals[index] == FROM_PARTS && !(block->leaders & others) &&
           !symbol_at(search->program, block->first);
}

void parts_find(struct program *program) {
    struct arena_mark mark = arena_mark(program->scratch);
    struct part_search search = {.program = program};
    search.candidate = arena_allocate(program->scratch, program->procedure_count * sizeof *search.candidate);
    search.source = arena_allocate(program->scratch, program->procedure_count * sizeof *search.source);
    search.arrivals = arena_allocate(program->scratch, program->block_count * sizeof *search.arrivals);
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        program->procedures[p].whole = p;
        program->procedures[p].next_part = NO_INDEX;
        search.candidate[p] = !has_own_entry(program, &program->procedures[p]);
    }
    exclude_called(&search);
    while (find_parts(&search))
        ;
    for (uint32_t b = 0; b < program->block_count; b++)
        program->blocks[b].from_part = is_from_part(&search, b);
    arena_release(program->scratch, mark);
}
