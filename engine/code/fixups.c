/* fixups.c: branches to targets that may not be copied yet are recorded when they are emitted, and resolved
   after everything is copied. Requires the positions of the previous round, for distances. */
#include "engine/code/code.h"
#include "engine/cfg/cfg.h"

void add_fixup(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind) {
    ARENA_RESERVE(rewrite->round, rewrite->code->layout.fixups, rewrite->code->layout.fixup_count,
                  rewrite->code->layout.fixup_capacity);
    rewrite->code->layout.fixups[rewrite->code->layout.fixup_count++] = (struct fixup){
        .position = code_position(&rewrite->code->copies), .target = target, .kind = (uint8_t)kind};
}

void forget_fixups(struct rewrite *rewrite) {
    struct layout *layout = &rewrite->code->layout;
    arena_resize(rewrite->round, layout->fixups, layout->fixup_capacity * sizeof *layout->fixups, 0);
    layout->fixups = NULL;
    layout->fixup_count = layout->fixup_capacity = 0;
}

void emit_copy_address(struct rewrite *rewrite, uint32_t instruction, unsigned to) {
    add_fixup(rewrite, instruction, FIXUP_FAR_INSIDE);
    machine_address_fixed(&rewrite->code->copies, 0, to);
}

/* Absolute positions change too much between rounds. In the first round, targets ahead are assumed to be
   near; islands ensure that branches reach them. */
int64_t words_to_copy(const struct rewrite *rewrite, uint32_t target) {
    const struct program *program = rewrite->program;
    const uint32_t *previous = rewrite->code->layout.previous_blocks;
    if (target <= rewrite->code->layout.at)
        return (int64_t)code_position(&rewrite->code->copies) - inside_of(rewrite, target);
    if (!previous)
        return -1;
    uint32_t here = block_at(program, rewrite->code->layout.at);
    int64_t ahead = (int64_t)previous[block_at(program, target)] - previous[here];
    int64_t words =
        ahead - ((int64_t)code_position(&rewrite->code->copies) - rewrite->code->layout.inside[here]);
    return words > 0 ? words : 0;
}

bool is_far(const struct rewrite *rewrite, uint32_t target) {
    return words_to_copy(rewrite, target) > rewrite->code->layout.far_words;
}

static bool is_near_kind(enum fixup_kind kind) {
    return kind == FIXUP_INSIDE || kind == FIXUP_OUTSIDE || kind == FIXUP_STUB;
}

static uint32_t destination_of(const struct rewrite *rewrite, const struct fixup *fixup) {
    switch ((enum fixup_kind)fixup->kind) {
    case FIXUP_INSIDE:
    case FIXUP_FAR_INSIDE:
        return rewrite->code->copies.address + 4 * inside_of(rewrite, fixup->target);
    case FIXUP_OUTSIDE:
    case FIXUP_FAR_OUTSIDE:
        return rewrite->code->layout.map[fixup->target];
    case FIXUP_STUB:
        return rewrite->code->copies.address + 4 * fixup->target;
    case FIXUP_FAR_INSIDE_LANDING:
        return rewrite->code->layout.inside_landings[fixup->target];
    case FIXUP_FAR_OUTSIDE_LANDING:
        return rewrite->code->layout.landings[fixup->target];
    }
    return 0;
}

/* False if it does not reach. */
static bool aim_fixup(struct rewrite *rewrite, const struct fixup *fixup) {
    struct code *code = &rewrite->code->copies;
    uint32_t address = destination_of(rewrite, fixup);
    if (is_near_kind(fixup->kind))
        return machine_aim(code, fixup->position, ((int64_t)address - code->address) / 4);
    machine_aim_address(code, fixup->position, address);
    return true;
}

bool apply_fixups(struct rewrite *rewrite) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < rewrite->code->layout.fixup_count; i++) {
        const struct fixup *fixup = &rewrite->code->layout.fixups[i];
        if (!aim_fixup(rewrite, fixup))
            return false;
        if (fixup->position - left >= WORDS_LEFT) {
            code_leave(&rewrite->code->copies, left, fixup->position);
            left = fixup->position;
        }
    }
    code_leave(&rewrite->code->copies, left, rewrite->code->copies.count);
    return true;
}

/* ---- the finished map ---- */

void unforeseen_mark_map(const struct rewrite *rewrite, uint32_t first, uint32_t count, uint32_t *map) {
    const struct program *program = rewrite->program;
    for (uint32_t b = 0; b < program->block_count; b++) {
        const struct basic_block *block = &program->blocks[b];
        for (uint32_t i = block->first; i < block->first + block->count && i - first < count; i++)
            if (is_copied(rewrite, i) && (i > block->first || !is_entered_by_map(block->leaders)))
                map[i - first] |= MAP_UNFORESEEN;
    }
}

/* If no indirect transfer may reach an instruction, its words in the maps become addresses that fault, after
   all other code has read them. */
void unforeseen_mark(struct rewrite *rewrite) {
    struct layout *layout = &rewrite->code->layout;
    const uint32_t count = rewrite->program->instruction_count;
    unforeseen_mark_map(rewrite, 0, count, layout->map);
    for (uint32_t i = 0; layout->landings && i < count; i++)
        if (layout->map[i] & MAP_UNFORESEEN)
            layout->landings[i] = layout->map[i] ^ MAP_LANDING;
}
