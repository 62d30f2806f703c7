/* observed.c: the registers that sites observe, and the code in which their values must be preserved: from
   their definition to the site. Requires program.observations. */
#include "engine/dataflow/internal.h"
#include "support/search.h"

const struct observation *observation_from(const struct program *program, uint32_t instruction) {
    uint32_t low =
        FIRST_NOT(0, program->observation_count, at, program->observations[at].instruction < instruction);
    return &program->observations[low];
}

struct observation observation_at(const struct program *program, uint32_t instruction) {
    const struct observation *at = observation_from(program, instruction);
    bool found = at < program->observations + program->observation_count && at->instruction == instruction;
    return found ? *at : (struct observation){.instruction = instruction};
}

register_set observed_at_end(const struct program *program, uint32_t index, const register_set *needed) {
    const struct basic_block *block = &program->blocks[index];
    bool stays = block->end == END_FALLTHROUGH || block->end == END_COND_BRANCH || block->end == END_BRANCH ||
                 block->end == END_JUMP_TABLE;
    register_set live = 0;
    uint32_t inside = 0;
    for (uint32_t e = 0; stays && e < block->successor_count; e++) {
        uint32_t to = program->edges[block->first_successor + e].to;
        live |= needed[to];
        inside += program->blocks[to].procedure == block->procedure;
    }
    bool all = inside > 0 && inside == block->successor_count &&
               (block->end != END_COND_BRANCH || block->successor_count == 2);
    return stays && all ? live : program->observed;
}

static register_set needed_before(const struct program *program, uint32_t index, register_set needed) {
    const struct basic_block *block = &program->blocks[index];
    const struct observation *at = observation_from(program, block->first + block->count);
    for (uint32_t i = block->first + block->count; i-- > block->first;)
        needed = observed_across(program, i, needed, &at);
    return needed;
}

void observations_spread(const struct program *program, const struct procedure *procedure,
                         register_set *needed) {
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = procedure->first_block + procedure->block_count; i-- > procedure->first_block;) {
            register_set before = needed_before(program, i, observed_at_end(program, i, needed));
            again |= before != needed[i];
            needed[i] = before;
        }
    }
}

register_set observed_across(const struct program *program, uint32_t instruction, register_set needed,
                             const struct observation **at) {
    bool observes = *at > program->observations && (*at)[-1].instruction == instruction;
    *at -= observes;
    needed |= observes ? (*at)->after & ~program->aside : 0;
    needed &= ~needed_written(facts_of(program, instruction));
    return needed | (observes ? (*at)->before & ~program->aside : 0);
}

void observations_print(const struct program *program, FILE *stream) {
    for (uint32_t i = 0; i < program->observation_count; i++) {
        const struct observation *observed = &program->observations[i];
        fprintf(stream,
                "0x%llx before:", (unsigned long long)instruction_address(program, observed->instruction));
        registers_print(observed->before, stream);
        fputs("; after:", stream);
        registers_print(observed->after, stream);
        fputc('\n', stream);
    }
}

const char *observations_verify(const struct program *program) {
    for (uint32_t i = 0; i < program->observation_count; i++) {
        uint32_t at = program->observations[i].instruction;
        if (at >= program->instruction_count)
            return "an observation is of no instruction";
        if (i > 0 && program->observations[i - 1].instruction >= at)
            return "observations are not in order";
    }
    return NULL;
}
