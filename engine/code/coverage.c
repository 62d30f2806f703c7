/* coverage.c: chooses the procedures that are copied: all, or the procedures that copy/partial_copies.c chose
   and procedures that later proved necessary. Requires procedures. */
#include "engine/code/code.h"
#include "engine/cfg/cfg.h"

bool is_copied(const struct rewrite *rewrite, uint32_t instruction) {
    const uint8_t *copied = rewrite->code->coverage.copied;
    return !copied || copied[procedure_at(rewrite->program, instruction)];
}

void coverage_start(struct rewrite *rewrite, bool all) {
    struct coverage *coverage = &rewrite->code->coverage;
    *coverage = (struct coverage){0};
    if (!all)
        coverage->copied = arena_allocate(rewrite->arena, (size_t)rewrite->program->procedure_count + 1);
}

void procedure_copy_too(struct rewrite *rewrite, uint32_t procedure) {
    struct coverage *coverage = &rewrite->code->coverage;
    if (coverage->copied[procedure])
        return;
    coverage->copied[procedure] = 1;
    coverage->copied_count++;
    coverage->instruction_count += rewrite->program->procedures[procedure].count;
}

void sparse_copy_too(struct rewrite *rewrite, uint32_t instruction) {
    procedure_copy_too(rewrite, procedure_at(rewrite->program, instruction));
    rewrite->code->coverage.grew = true;
}
