/* aside.c: shadow registers: the program's values of these registers are also stored in SITE_FRAME. So the
   registers are free wherever the program no longer needs them, even if sites still read the old values. A
   block that reads such a register also reloads it if control arrives from code that does not maintain the
   stored value: context switches (getcontext) also store temporary registers, which the calling standard does
   not preserve. A site that reads such a register after the program's last use reloads it first. A block that
   reads such a register also reloads it if control arrives from code that does not maintain the stored value:
   context switches (getcontext) save temporary registers, which the calling standard does not preserve.
   Requires observations, and separate frames for sites.

   The stored value is correct before and after every instruction of the program. So the whole program has
   to be copied, and only instructions after which code can be inserted may write such a register. The
   runtime handles signal handlers, code that is not copied, and children that share memory
   (runtime/text/shadow_registers.c). */

#include "engine/copy/internal.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"

enum { MOST_ASIDE = 2 }; /* a count needs the same number */
_Static_assert(MOST_ASIDE <= SITE_FRAME_ASIDE_WORDS, "they have no room");

/* True if sites may change register values that the program's instructions produce. */
static bool sites_change_registers(const struct sites *sites) {
    bool change = sites->replacement_count > 0;
    for (uint32_t i = 0; i < sites->count && !change; i++)
        change = sites->sites[i].kind == PLAN_ACTION_SET || sites->sites[i].kind == PLAN_ACTION_SKIP;
    return change;
}

/* Registers written by instructions after which no code can be inserted; written[]: the number of
   instructions that write each register. */
static register_set written_by_others(const struct program *program, uint32_t *written) {
    register_set others = 0;
    uint32_t locked = 0; /* written since the last sequence */
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct facts *facts = facts_of(program, i);
        uint32_t end = locked_sequence_end(program, i);
        register_set set = facts->class == CLASS_PAL || facts->class == CLASS_UNKNOWN ? 0 : facts->written;
        if (end != NO_INDEX && end >= locked)
            locked = end + 1;
        if (i < locked || !is_plain(facts))
            others |= set;
        for (set &= UINT32_MAX; set; set &= set - 1)
            written[__builtin_ctzll(set)]++;
    }
    return others;
}

register_set aside_choose(const struct rewrite *rewrite, register_set excluded) {
    const struct program *program = rewrite->program;
    const struct rewrite_options *options = rewrite->options;
    if (!rewrite->code->own_frames || program->is_dynamic || options->copy == COPY_SPARSE ||
        options->without[WITHOUT_SET_ASIDE] || sites_change_registers(rewrite->sites))
        return 0;
    uint32_t written[32] = {0};
    register_set chosen = 0, left = program->observed & ~excluded & ~written_by_others(program, written);
    for (int count = 0; count < MOST_ASIDE; count++) {
        unsigned best = least_used_temporary(machine_registers(rewrite), left, written);
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

register_set aside_wanted(const struct program *program, uint32_t instruction, register_set live) {
    if (!program->aside)
        return 0;
    struct observation at = observation_at(program, instruction);
    register_set afterwards = at.after & ~facts_of(program, instruction)->written;
    return (at.before | afterwards) & program->aside & ~live;
}

register_set aside_unsure(const struct program *program, uint32_t index, register_set live) {
    const struct basic_block *block = &program->blocks[index];
    uint32_t offset;
    bool known = block->leaders & LEADER_RETURN_POINT && block->first > 0 &&
                 call_target(program, block->first - 1, &offset) != NO_INDEX;
    bool comes = has_unseen_predecessor(block->leaders) || (block->leaders & LEADER_RETURN_POINT && !known);
    return comes ? live & program->aside : 0;
}

void aside_load(struct rewrite *rewrite, register_set registers) {
    struct code *code = &rewrite->code->copies;
    for (; registers; registers &= registers - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(registers);
        emit_site_frame(code, reg);
        machine_load(code, reg, reg, slot_of(rewrite->program, reg));
    }
}

bool aside_is_written(const struct program *program, uint32_t instruction) {
    return program->aside && facts_of(program, instruction)->written & program->aside;
}

void aside_store(struct rewrite *rewrite, uint32_t instruction, register_set live) {
    register_set written = facts_of(rewrite->program, instruction)->written & rewrite->program->aside;
    for (; written; written &= written - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(written);
        store_in_frame(rewrite, reg, slot_of(rewrite->program, reg), live | rewrite->observed | written);
    }
}
