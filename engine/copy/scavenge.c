/* scavenge.c: saves registers for all sites of a range of a block before the first site, and restores them
   after the last. It is used where sites observe many registers, so that too few are free. Requires
   observations, and a separate stack for sites.

   Only registers that the program no longer needs are scavenged. Only sites read their values. So a signal
   handler that examines the context within the range, or execution that continues after the handler, finds
   all values that the program needs. The instructions of the range neither read nor write these registers,
   and do not change the stack pointer. */

#include "engine/copy/internal.h"
#include "engine/dataflow/dataflow.h"
#include "engine/count/counting.h"

/* The registers that the sites of one instruction compute in at once: an old value, a cell's address, two
   values. If a branch skips most of that code, the code after the branch saves registers for itself. */
enum { COMPUTES_IN = 4, COMPUTES_BEFORE_BRANCH = 1 };
_Static_assert(COMPUTES_IN < SITE_FRAME_KEPT_WORDS, "more are not kept across a signal's handler");

/* True if saved registers are still at the same address after it. */
static bool leaves_stack(const struct program *program, uint32_t instruction) {
    const struct facts *facts = facts_of(program, instruction);
    return is_plain(facts) && !(facts->written & set_of(program->architecture->registers.stack));
}

/* The registers that the program itself needs before and after each of the block's instructions, without
   sites. */
static void find_own_needs(struct copy *copy) {
    const struct program *program = copy->rewrite->program;
    const struct basic_block *block = &program->blocks[copy->block];
    while (copy->own_capacity <= block->count)
        ARENA_RESERVE(copy->rewrite->round, copy->own, copy->own_capacity, copy->own_capacity);
    own_liveness_of_block(program, copy->block, copy->own);
}

/* The number of registers that the sites of one instruction need. */
static unsigned wanted_by(const struct rewrite *rewrite, uint32_t first, uint32_t end) {
    const struct site *site = &rewrite->sites->sites[first];
    return end == first + 1 && inline_skips(rewrite, &site, 1) ? COMPUTES_BEFORE_BRANCH : COMPUTES_IN;
}

/* True if the sites of the instruction can be in a range. *sources: the registers that they read. */
static bool are_eligible(const struct copy *copy, uint32_t first, uint32_t end, register_set *sources) {
    const struct rewrite *rewrite = copy->rewrite;
    for (uint32_t i = first; i < end; i++) {
        const struct site *site = &rewrite->sites->sites[i];
        const struct call_context context = {.instruction = site->instruction, .taken = -1};
        if ((site->point != SITE_BEFORE && site->point != SITE_AFTER && site->point != SITE_ARRIVE) ||
            !site_stays(site) || site_asks_runtime(site))
            return false;
        *sources |= site_sources(rewrite, site, &context);
    }
    return true;
}

/* Registers that are dead from instruction `first` to after `last`; copy->before includes the sites'
   needs. */
static register_set dead_through(const register_set *before, uint32_t first, uint32_t last) {
    register_set live = 0;
    for (uint32_t k = first; k <= last + 1; k++)
        live |= before[k];
    return ~live;
}

/* True if too few registers are free where the block is counted. Then the count is made at the first sites
   instead. */
static bool count_saves(const struct copy *copy, uint32_t from) {
    const struct basic_block *block = &copy->rewrite->program->blocks[copy->block];
    if (copy->slot == NO_INDEX || from != block->first)
        return false;
    if (promoted_register(copy->rewrite, copy->block,
                          copy->rewrite->counting->blocks[copy->block].executed) != NO_INDEX)
        return false;
    register_set live = copy->before[copy->slot - block->first] | copy->rewrite->observed;
    return __builtin_popcountll(count_registers(machine_registers(copy->rewrite), live)) < 2;
}

void scavenge_plan(struct copy *copy, uint32_t from) {
    struct rewrite *rewrite = copy->rewrite;
    const struct program *program = rewrite->program;
    const struct basic_block *block = &program->blocks[copy->block];
    const register_set usable = rewrite->machine->registers->integers & ~frame_avoids(rewrite->machine);
    register_set mentioned = 0;
    uint32_t sites = 0, end = block->first + block->count, site = copy->site;
    unsigned most_wanted = 0;
    copy->scavenged = (struct scavenged){.first = NO_INDEX, .last = NO_INDEX};
    if (!program->observed || !rewrite->code->own_frames || rewrite->options->without[WITHOUT_SCAVENGING] ||
        copy->locked_end != NO_INDEX)
        return;
    if (from == block->first)
        find_own_needs(copy);
    for (uint32_t i = from; i < end; i++) {
        uint32_t first = site;
        while (site < rewrite->sites->count && rewrite->sites->sites[site].instruction == i)
            site++;
        const struct facts *facts = facts_of(program, i);
        uint32_t locked = locked_sequence_end(program, i);
        if (locked != NO_INDEX && sites == 0) { /* no code can be inserted before the sequence ends */
            while (site < rewrite->sites->count && rewrite->sites->sites[site].instruction <= locked)
                site++;
            i = locked;
            continue;
        }
        register_set sources = 0;
        bool good = leaves_stack(program, i) && are_eligible(copy, first, site, &sources);
        if (!good && sites > 0)
            break;
        if (!good || (sites == 0 && site == first))
            continue;
        register_set seen = mentioned | sources | facts->read | facts->written;
        uint32_t begin = sites ? copy->scavenged.first : i;
        uint32_t low = begin - block->first, high = i - block->first;
        register_set unused = usable & ~seen & ~rewrite->observed & dead_through(copy->own, low, high);
        register_set unneeded = unused & dead_through(copy->before, low, high);
        unsigned there = (unsigned)__builtin_popcountll(unneeded);
        unsigned wanted = site > first ? wanted_by(rewrite, first, site) : 0;
        if (wanted < most_wanted)
            wanted = most_wanted;
        unsigned lacking = there < wanted ? wanted - there : 0;
        register_set available =
            unused & ~unneeded & program->observed & ~promoted_registers(rewrite, copy->block);
        bool enough = (unsigned)__builtin_popcountll(available) >= lacking;
        if (!enough && sites > 0)
            break;
        if (!enough)
            continue;
        mentioned = seen;
        if (site == first)
            continue;
        sites++;
        most_wanted = wanted;
        copy->scavenged = (struct scavenged){begin, i, first_registers(available, lacking)};
    }
    sites += count_saves(copy, from);
    if (sites < 1 || !copy->scavenged.registers)
        copy->scavenged.registers = 0;
}

uint32_t scavenge_slot(const struct copy *copy) {
    const struct basic_block *block = &copy->rewrite->program->blocks[copy->block];
    const struct sites *sites = copy->rewrite->sites;
    bool first = copy->scavenged.registers && copy->site < sites->count &&
                 sites->sites[copy->site].instruction == copy->scavenged.first;
    return first && count_saves(copy, block->first) ? copy->scavenged.first : copy->slot;
}

/* Uses a dead register as the base, or a spilled one. */
static void store_scavenged(struct copy *copy) {
    struct code *code = &copy->rewrite->code->copies;
    const struct rewrite *rewrite = copy->rewrite;
    uint32_t first = rewrite->program->blocks[copy->block].first;
    register_set live = registers_taken(rewrite, copy->block, copy->before[copy->scavenged.first - first]) |
                        frame_avoids(rewrite->machine);
    if (rewrite->options->without[WITHOUT_LIVENESS])
        live = ~UINT64_C(0);
    struct scratch base =
        scratch_reserve(rewrite, code,
                        &(struct scratch_request){.count = 1,
                                                  .live = live | copy->scavenged.registers,
                                                  .avoided = copy->scavenged.registers |
                                                             set_of(rewrite->machine->registers->stack)});
    emit_site_frame(code, base.registers[0]);
    machine_save(code, copy->scavenged.registers, base.registers[0], SITE_FRAME_SCAVENGED);
    scratch_release(rewrite, code, &base);
}

/* Each of these registers is dead until it is loaded, so one register is the base of all loads. */
static void load_scavenged(struct copy *copy) {
    unsigned base = (unsigned)__builtin_ctzll(copy->scavenged.registers);
    emit_site_frame(&copy->rewrite->code->copies, base);
    machine_restore(&copy->rewrite->code->copies, copy->scavenged.registers, base, SITE_FRAME_SCAVENGED);
}

void scavenge_begin(struct copy *copy, uint32_t instruction) {
    if (instruction != copy->scavenged.first || !copy->scavenged.registers)
        return;
    store_scavenged(copy);
}

void scavenge_end(struct copy *copy, uint32_t instruction) {
    if (instruction != copy->scavenged.last)
        return;
    if (copy->scavenged.registers)
        load_scavenged(copy);
    scavenge_plan(copy, instruction + 1);
}
