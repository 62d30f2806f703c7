/* coverage.c: which procedures are copied: all, or those that sparse.c chose and what turned out to be
   needed. Requires procedures. */
#include "engine/code/code.h"
#include "engine/cfg/cfg.h"
#include "engine/copy/copy.h"

bool is_copied(const struct rewrite *rewrite, uint32_t instruction) {
    return !rewrite->sparse || rewrite->sparse->copied[procedure_at(rewrite->program, instruction)];
}

void procedure_copy_too(struct sparse *sparse, const struct program *program, uint32_t procedure) {
    if (sparse->copied[procedure])
        return;
    sparse->copied[procedure] = 1;
    sparse->copied_count++;
    sparse->instruction_count += program->procedures[procedure].count;
}

void sparse_copy_too(struct rewrite *rewrite, uint32_t instruction) {
    procedure_copy_too(rewrite->sparse, rewrite->program, procedure_at(rewrite->program, instruction));
    rewrite->sparse->grew = true;
}
