/* jumps.c: jumps within the copies: their fixups, jumps that are out of a branch's range, and the landings at
   which a spilled register is reloaded. Requires the positions of the previous round, for distances. */
#include "engine/copy/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"
#include "engine/count/counting.h"

static register_set live_at(const struct rewrite *rewrite, uint32_t instruction) {
    uint32_t block = block_at(rewrite->program, instruction);
    return registers_taken(rewrite, block, rewrite->program->blocks[block].live_in);
}

void emit_landing(struct rewrite *rewrite, uint32_t instruction, enum fixup_kind kind) {
    struct code *code = &rewrite->code->copies;
    uint32_t *landings =
        kind == FIXUP_OUTSIDE ? rewrite->code->layout.landings : rewrite->code->layout.inside_landings;
    landings[instruction] = code_address(code);
    emit_take_back(rewrite, code, code->machine->registers->spill);
    add_fixup(rewrite, instruction, kind); /* never far: a far branch would spill again, and lead here */
    machine_branch(code, 0);
}

void emit_far_jump(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind) {
    struct code *code = &rewrite->code->copies;
    unsigned scratch = free_register(machine_registers(rewrite), live_at(rewrite, target));
    bool inside = kind == FIXUP_INSIDE;
    enum fixup_kind far = inside ? FIXUP_FAR_INSIDE : FIXUP_FAR_OUTSIDE;
    if (scratch == NO_INDEX) {
        scratch = code->machine->registers->spill;
        far = inside ? FIXUP_FAR_INSIDE_LANDING : FIXUP_FAR_OUTSIDE_LANDING;
        emit_spill(rewrite, code, scratch);
        rewrite->code->statistics.spilled_branches++;
    }
    add_fixup(rewrite, target, far);
    machine_address_fixed(code, 0, scratch);
    machine_jump(code, scratch);
    rewrite->code->statistics.far_branches++;
}

/* Jumps to code that is not copied. */
static void emit_original_jump(struct rewrite *rewrite, uint32_t target) {
    unsigned scratch =
        free_register(machine_registers(rewrite),
                      live_at(rewrite, target) | REGISTER_BIT(rewrite->machine->registers->link));
    if (scratch == NO_INDEX) {
        sparse_copy_too(rewrite, target);
        return;
    }
    emit_original(rewrite, &rewrite->code->copies, target, instruction_address(rewrite->program, target),
                  scratch);
    machine_jump(&rewrite->code->copies, scratch);
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
    machine_branch(&rewrite->code->copies, 0);
}
