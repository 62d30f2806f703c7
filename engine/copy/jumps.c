/* jumps.c: jumps within the copies: their fixups, those too far for a branch, and the landings where a
   spilled register is taken back. Requires the positions of the round before, for distances. */
#include "engine/copy/copy.h"
#include "engine/count/counting.h"
#include "engine/copy/sparse.h"

#define BIT(r) (UINT64_C(1) << (r))

void add_fixup(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind) {
    VECTOR_RESERVE(rewrite->fixups, rewrite->fixup_count, rewrite->fixup_capacity);
    rewrite->fixups[rewrite->fixup_count++] =
        (struct fixup){.position = code_position(&rewrite->copies), .target = target, .kind = (uint8_t)kind};
}

void emit_copy_address(struct rewrite *rewrite, uint32_t instruction, unsigned to) {
    add_fixup(rewrite, instruction, FIXUP_FAR_INSIDE);
    emit(&rewrite->copies, alpha_memory(ALPHA_LDAH, to, 0, ALPHA_ZERO));
    emit(&rewrite->copies, alpha_memory(ALPHA_LDA, to, 0, to));
}

/* Where the target is copied already, that is exact; else its block is as far from the block at hand as it
   was in the round before. Positions themselves move too much between rounds. In the first round, what is
   ahead is taken to be near; islands make it so. */
bool is_far(const struct rewrite *rewrite, uint32_t target) {
    const struct program *program = rewrite->program;
    const uint32_t *previous = rewrite->previous_blocks;
    if (target <= rewrite->copying)
        return code_position(&rewrite->copies) - rewrite->inside[target] > rewrite->far_words;
    if (!previous)
        return false;
    uint32_t here = block_at(program, rewrite->copying), first = program->blocks[here].first;
    int64_t ahead = (int64_t)previous[block_at(program, target)] - previous[here];
    return ahead - ((int64_t)code_position(&rewrite->copies) - rewrite->inside[first]) > rewrite->far_words;
}

/* A register that holds nothing that is needed, or NO_INDEX. Those that the calling standard makes
   temporaries first. */
unsigned free_register(alpha_register_set live) {
    static const uint8_t order[] = {28, 25, 24, 23, 22, 8,  7, 6,  5,  4,  3,  2,  1,  27, 0,
                                    21, 20, 19, 18, 17, 16, 9, 10, 11, 12, 13, 14, 15, 26, 29};
    for (size_t i = 0; i < sizeof order; i++)
        if (!(live & BIT(order[i])))
            return order[i];
    return NO_INDEX;
}

static alpha_register_set live_at(const struct rewrite *rewrite, uint32_t instruction) {
    uint32_t block = block_at(rewrite->program, instruction);
    return rewrite->program->blocks[block].live_in | rewrite->observed | held_registers(rewrite, block);
}

void emit_spill(struct rewrite *rewrite) {
    struct code *code = &rewrite->copies;
    emit_enter_stack(rewrite, code, 16);
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_AT, 0, ALPHA_SP));
    if (rewrite->shadow)
        emit(code, alpha_memory(ALPHA_LDAH, ALPHA_SP, rewrite->shadow, ALPHA_SP));
}

void emit_landing(struct rewrite *rewrite, uint32_t instruction, enum fixup_kind kind) {
    struct code *code = &rewrite->copies;
    uint32_t *landings = kind == FIXUP_OUTSIDE ? rewrite->landings : rewrite->inside_landings;
    landings[instruction] = code_address(code);
    if (rewrite->shadow)
        emit(code, alpha_memory(ALPHA_LDAH, ALPHA_SP, -rewrite->shadow, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_AT, 0, ALPHA_SP));
    emit_leave_stack(rewrite, code, 16);
    add_fixup(rewrite, instruction, kind); /* never far: that would spill again, and lead here */
    emit(code, alpha_branch(ALPHA_BR, ALPHA_ZERO, 0));
}

void emit_far_jump(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind) {
    struct code *code = &rewrite->copies;
    unsigned scratch = free_register(live_at(rewrite, target));
    bool inside = kind == FIXUP_INSIDE;
    enum fixup_kind far = inside ? FIXUP_FAR_INSIDE : FIXUP_FAR_OUTSIDE;
    if (scratch == NO_INDEX) {
        scratch = ALPHA_AT;
        far = inside ? FIXUP_FAR_INSIDE_LANDING : FIXUP_FAR_OUTSIDE_LANDING;
        emit_spill(rewrite);
        rewrite->statistics.spilled_branches++;
    }
    add_fixup(rewrite, target, far);
    emit(code, alpha_memory(ALPHA_LDAH, scratch, 0, ALPHA_ZERO));
    emit(code, alpha_memory(ALPHA_LDA, scratch, 0, scratch));
    emit(code, alpha_jump(ALPHA_JMP, ALPHA_ZERO, scratch, 0));
    rewrite->statistics.far_branches++;
}

/* To code that is not copied. */
static void emit_original_jump(struct rewrite *rewrite, uint32_t target) {
    unsigned scratch = free_register(live_at(rewrite, target) | BIT(ALPHA_RA));
    if (scratch == NO_INDEX) {
        sparse_copy_too(rewrite, target);
        return;
    }
    emit_original(rewrite, &rewrite->copies, target, instruction_address(rewrite->program, target), scratch);
    emit(&rewrite->copies, alpha_jump(ALPHA_JMP, ALPHA_ZERO, scratch, 0));
}

void emit_jump(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind) {
    if (!is_copied(rewrite, target)) {
        emit_original_jump(rewrite, target);
        return;
    }
    if (is_far(rewrite, target)) {
        emit_far_jump(rewrite, target, kind);
        return;
    }
    add_fixup(rewrite, target, kind);
    emit(&rewrite->copies, alpha_branch(ALPHA_BR, ALPHA_ZERO, 0));
}

static bool is_near(enum fixup_kind kind) {
    return kind == FIXUP_INSIDE || kind == FIXUP_OUTSIDE || kind == FIXUP_STUB;
}

static uint32_t destination(const struct rewrite *rewrite, const struct fixup *fixup) {
    switch ((enum fixup_kind)fixup->kind) {
    case FIXUP_INSIDE:
    case FIXUP_FAR_INSIDE:
        return rewrite->copies.address + 4 * rewrite->inside[fixup->target];
    case FIXUP_OUTSIDE:
    case FIXUP_FAR_OUTSIDE:
        return rewrite->map[fixup->target];
    case FIXUP_STUB:
        return rewrite->copies.address + 4 * fixup->target;
    case FIXUP_FAR_INSIDE_LANDING:
        return rewrite->inside_landings[fixup->target];
    case FIXUP_FAR_OUTSIDE_LANDING:
        return rewrite->landings[fixup->target];
    }
    return 0;
}

static void aim_far(struct rewrite *rewrite, const struct fixup *fixup, uint32_t address) {
    uint32_t *words = rewrite->copies.words + fixup->position;
    int low = (int16_t)(address & 0xffff);
    words[0] =
        alpha_memory(ALPHA_LDAH, alpha_ra(words[0]), (int)((address - (uint32_t)low) >> 16), ALPHA_ZERO);
    words[1] = alpha_memory(ALPHA_LDA, alpha_ra(words[1]), low, alpha_ra(words[1]));
}

static bool aim_near(struct rewrite *rewrite, const struct fixup *fixup, uint32_t address) {
    int64_t distance = ((int64_t)address - (int64_t)(rewrite->copies.address + 4 * fixup->position) - 4) / 4;
    if (!alpha_branch_reaches(distance))
        return false;
    uint32_t *word = &rewrite->copies.words[fixup->position];
    *word = (*word & 0xffe00000) | ((uint32_t)distance & 0x1fffff);
    return true;
}

bool apply_fixups(struct rewrite *rewrite) {
    for (uint32_t i = 0; i < rewrite->fixup_count; i++) {
        const struct fixup *fixup = &rewrite->fixups[i];
        uint32_t address = destination(rewrite, fixup);
        if (!is_near(fixup->kind))
            aim_far(rewrite, fixup, address);
        else if (!aim_near(rewrite, fixup, address))
            return false;
    }
    return true;
}
