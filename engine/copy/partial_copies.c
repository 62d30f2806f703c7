/* partial_copies.c: decides if only a part of the program is copied, and chooses this part: the procedures
   with places, replaced procedures, and procedures with system calls and barriers, which the runtime has to
   intercept. All other code runs at its original address. Requires sites and counts. */
#include "engine/cfg/cfg.h"
#include "engine/copy/internal.h"
#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"
#include "engine/object/object.h"

/* Sparse copying is for at most this fraction (1/n) of the text. A tool without places exists to measure
   copies: for that, everything is copied. */
enum { LITTLE = 16 };

/* True if the procedure's entries have free registers. A barrier (imb) shows the runtime that the text has
   changed; the barriers of lazy binding change no text. */
static bool has_free_registers(const struct rewrite *rewrite, uint32_t procedure) {
    const struct program *program = rewrite->program;
    const struct procedure *entered = &program->procedures[procedure];
    for (uint32_t b = entered->first_block; b < entered->first_block + entered->block_count; b++)
        if (entered_from_outside(program, b) &&
            free_register(machine_registers(rewrite), program->blocks[b].live_in | rewrite->observed) ==
                NO_INDEX)
            return false;
    return true;
}

void sparse_plan(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    enum copy_strategy strategy = rewrite->options->copy;
    if (strategy == COPY_ALL || rewrite->machine->only_counts)
        return;
    rewrite->copying->sparse = arena_allocate(rewrite->arena, sizeof *rewrite->copying->sparse);
    const struct coverage *coverage = &rewrite->code->coverage;
    coverage_start(rewrite, false);
    for (uint32_t i = 0; i < rewrite->sites->count; i++)
        procedure_copy_too(rewrite, procedure_at(program, rewrite->sites->sites[i].instruction));
    for (uint32_t p = 0; p < program->procedure_count; p++)
        if (rewrite->counting->procedures && rewrite->counting->procedures[p])
            procedure_copy_too(rewrite, p);
    for (uint32_t i = 0; i < rewrite->sites->replacement_count; i++)
        procedure_copy_too(rewrite, rewrite->sites->replacements[i].procedure);
    bool little =
        coverage->copied_count > 0 && coverage->instruction_count <= program->instruction_count / LITTLE;
    /* With a dynamic linker, other objects run in the process, and the map covers one object's text
       only. */
    if (strategy == COPY_AUTOMATIC && !little && !program->interpreter) {
        sparse_drop(rewrite);
        return;
    }
    for (uint32_t b = 0; b < program->block_count; b++)
        if (program->blocks[b].end == END_SYSTEM_CALL && program->blocks[b].first < program->own_count &&
            call_is_gated(rewrite, &program->blocks[b])) /* the runtime handles system calls of libraries */
            procedure_copy_too(rewrite, program->blocks[b].procedure);
    for (uint32_t i = 0; i < program->own_count; i++)
        if (facts_of(program, i)->flags & FACT_SYNCHRONIZES_TEXT &&
            has_free_registers(rewrite, procedure_at(program, i)))
            procedure_copy_too(rewrite, procedure_at(program, i));
}

bool sparse_is_needed(const struct rewrite *rewrite) {
    return rewrite->options->copy == COPY_SPARSE || rewrite->program->library_count > 0;
}

void sparse_drop(struct rewrite *rewrite) {
    rewrite->copying->sparse = NULL;
    coverage_start(rewrite, true);
}
