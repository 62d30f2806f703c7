/* callees.c: the names of called procedures that the dynamic linker determines: the call's register is
   loaded from a word of the global offset table whose relocation has a symbol. Requires blocks and
   edges. */
#include "engine/cfg/internal.h"

enum { MOST_VISITED = 64 }; /* blocks that are searched for one call */

/* A backward search for the load of a register: it must be the same word on all paths. */
struct search {
    const struct program *program;
    uint64_t data_base, address;    /* of the word; 0: not found yet */
    uint32_t visited[MOST_VISITED]; /* a block and the register to search at its end: 32 * block + register */
    uint32_t visited_count;
};

static bool found_at(struct search *search, uint64_t address) {
    bool same = search->address == 0 || search->address == address;
    search->address = address;
    return same;
}

static bool search_before(struct search *search, uint32_t block, uint32_t end, unsigned wanted);

/* Searches all paths that lead to the block; control must not arrive from elsewhere. */
static bool search_predecessors(struct search *search, uint32_t block, unsigned wanted) {
    const struct program *program = search->program;
    const struct basic_block *at = &program->blocks[block];
    if (at->predecessor_count == 0 || has_unseen_predecessor(at->leaders))
        return false;
    for (uint32_t k = 0; k < at->predecessor_count; k++) {
        uint32_t from = program->edges[program->incoming[at->first_predecessor + k]].from;
        uint32_t key = from << 5 | wanted, seen = 0;
        bool calls = program->blocks[from].end == END_CALL;
        if (calls && !(program->architecture->registers.callee_saved >> wanted & 1))
            return false;
        while (seen < search->visited_count && search->visited[seen] != key)
            seen++;
        if (seen < search->visited_count)
            continue;
        if (search->visited_count == MOST_VISITED)
            return false;
        search->visited[search->visited_count++] = key;
        uint32_t end = program->blocks[from].first + program->blocks[from].count;
        if (!search_before(search, from, calls ? end - 1 : end, wanted))
            return false;
    }
    return true;
}

static bool search_before(struct search *search, uint32_t block, uint32_t end, unsigned wanted) {
    const struct program *program = search->program;
    const unsigned zero = program->architecture->registers.zero;
    for (uint32_t i = end; i-- > program->blocks[block].first;) {
        const struct facts *facts = facts_of(program, i);
        if (!(facts->written & set_of(wanted)))
            continue;
        if (loads_address(program, facts))
            return found_at(search,
                            search->data_base + (uint64_t)(int64_t)constants_of(program, i).displacement);
        wanted = facts->flags & FACT_MOVE ? source_of_move(facts, zero) : zero;
        if (wanted == zero)
            return false;
    }
    return search_predecessors(search, block, wanted);
}

static uint64_t call_slot(const struct program *program, uint32_t instruction) {
    const struct facts *facts = facts_of(program, instruction);
    uint32_t block = block_at(program, instruction);
    struct search search = {.program = program,
                            .data_base = program->procedures[program->blocks[block].procedure].data_base};
    bool leaves = facts->transfer == TRANSFER_CALL || facts->transfer == TRANSFER_JUMP;
    if (!(facts->flags & FACT_INDIRECT) || !leaves || !search.data_base ||
        facts->target == program->architecture->registers.zero)
        return 0;
    return search_before(&search, block, instruction, facts->target) ? search.address : 0;
}

const struct relocation *call_relocation(const struct program *program, uint32_t instruction) {
    uint64_t slot = call_slot(program, instruction);
    const struct relocation *relocation = slot ? relocation_at(program, slot) : NULL;
    return relocation && relocation->symbol ? relocation : NULL;
}
