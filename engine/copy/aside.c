/* aside.c: registers that are set aside: what the program leaves in them is also kept in SITE_FRAME, so that
   they are free wherever the program itself is done with them, however long sites still ask for what they
   held. Whatever writes one stores it there too; a site that reads one of which the program is done gets it
   back first. So does a block that reads one where control comes from code that cannot know: what switches
   contexts (getcontext) stores temporaries that the calling standard gives to nobody. Requires observations,
   and frames of the sites' own.

   What is there is right before and after every instruction of the program. So all must be copied, and only
   instructions after which code can stand may write such a register. The runtime sees to signal handlers, to
   code that is not copied, and to children that share memory (runtime/text/shadow_registers.c). */

#include "engine/copy/internal.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"

enum { MOST_ASIDE = 2 }; /* as many as a count takes */
_Static_assert(MOST_ASIDE <= SITE_FRAME_ASIDE_WORDS, "they have no room");

/* May sites change what the program's instructions leave in registers? */
static bool sites_change_registers(const struct sites *sites) {
    bool change = sites->replacement_count > 0;
    for (uint32_t i = 0; i < sites->count && !change; i++)
        change = sites->sites[i].kind == PLAN_ACTION_SET || sites->sites[i].kind == PLAN_ACTION_SKIP;
    return change;
}

/* Registers written by instructions after which no code can be inserted; written[]: the number of such
   instructions for each register. */
static alpha_register_set written_by_others(const struct program *program, uint32_t *written) {
    alpha_register_set others = 0;
    uint32_t locked = 0; /* after the last sequence */
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        uint32_t word = program->text[i], end = locked_sequence_end(program, i);
        alpha_register_set set =
            alpha_decode(word)->format > ALPHA_FORMAT_PAL ? alpha_registers_written(word) : 0;
        if (end != NO_INDEX && end >= locked)
            locked = end + 1;
        if (i < locked || !is_plain(word))
            others |= set;
        for (set &= UINT32_MAX; set; set &= set - 1)
            written[__builtin_ctzll(set)]++;
    }
    return others;
}

alpha_register_set aside_choose(const struct rewrite *rewrite, alpha_register_set excluded) {
    const struct program *program = rewrite->program;
    const struct rewrite_options *options = rewrite->options;
    if (!rewrite->code->own_frames || program->is_dynamic || options->copy == COPY_SPARSE ||
        options->without[WITHOUT_SET_ASIDE] || sites_change_registers(rewrite->sites))
        return 0;
    uint32_t written[32] = {0};
    alpha_register_set chosen = 0,
                       left = program->observed & ~excluded & ~written_by_others(program, written);
    for (int count = 0; count < MOST_ASIDE; count++) {
        unsigned best = least_used_temporary(left, written);
        if (best == NO_INDEX)
            break;
        chosen |= REGISTER_BIT(best);
        left &= ~REGISTER_BIT(best);
    }
    return chosen;
}

static int slot_of(const struct program *program, unsigned reg) {
    return SITE_FRAME_ASIDE + 8 * __builtin_popcountll(program->aside & (REGISTER_BIT(reg) - 1));
}

alpha_register_set aside_wanted(const struct program *program, uint32_t instruction,
                                alpha_register_set live) {
    if (!program->aside)
        return 0;
    struct observation at = observation_at(program, instruction);
    alpha_register_set behind = at.after & ~alpha_registers_written(program->text[instruction]);
    return (at.before | behind) & program->aside & ~live;
}

alpha_register_set aside_unsure(const struct program *program, uint32_t index, alpha_register_set live) {
    const struct basic_block *block = &program->blocks[index];
    uint32_t offset;
    bool known = block->leaders & LEADER_RETURN_POINT && block->first > 0 &&
                 call_target(program, block->first - 1, &offset) != NO_INDEX;
    bool comes = has_unseen_predecessor(block->leaders) || (block->leaders & LEADER_RETURN_POINT && !known);
    return comes ? live & program->aside : 0;
}

void aside_load(struct rewrite *rewrite, alpha_register_set registers) {
    struct code *code = &rewrite->code->copies;
    for (; registers; registers &= registers - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(registers);
        emit_site_frame(code, reg);
        emit(code, alpha_memory(ALPHA_LDQ, reg, slot_of(rewrite->program, reg), reg));
    }
}

bool aside_is_written(const struct program *program, uint32_t word) {
    return program->aside && alpha_registers_written(word) & program->aside;
}

void aside_store(struct rewrite *rewrite, uint32_t word, alpha_register_set live) {
    alpha_register_set written = alpha_registers_written(word) & rewrite->program->aside;
    for (; written; written &= written - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(written);
        store_in_frame(rewrite, reg, slot_of(rewrite->program, reg), live | rewrite->observed | written);
    }
}
