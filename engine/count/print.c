/* print.c: prints the counts (--dump=counts), and verifies that they meet the assumptions of emission.
   Requires counting_plan(). */
#include <inttypes.h>

#include "engine/count/internal.h"
#include "engine/object/object.h"
#include "engine/select/sites.h"

static void print_cell(const char *event, uint32_t cell, FILE *stream) {
    if (cell != NO_INDEX)
        fprintf(stream, " %s in %u", event, cell);
}

static void print_block_counts(const struct rewrite *rewrite, uint32_t block, FILE *stream) {
    const struct counting *counting = rewrite->counting;
    const struct block_counts *counts = &counting->blocks[block];
    const uint32_t cells = counts->executed & counts->through & counts->outside & counts->taken;
    uint32_t set = promoted_set_of(rewrite, block);
    if (cells == NO_INDEX && !set)
        return;
    fprintf(stream, "0x%" PRIx64 ":",
            instruction_address(rewrite->program, rewrite->program->blocks[block].first));
    print_cell("executed", counts->executed, stream);
    print_cell("fallen into", counts->through, stream);
    print_cell("entered", counts->outside, stream);
    print_cell("taken", counts->taken, stream);
    for (; set; set = counting->promoted_sets[set].parent)
        fprintf(stream, "; %u in $%u", counting->promoted_sets[set].cell, counting->promoted_sets[set].reg);
    fputc('\n', stream);
}

void counting_print(const struct rewrite *rewrite, FILE *stream) {
    const struct counting *counting = rewrite->counting;
    for (uint32_t b = 0; counting->blocks && b < rewrite->program->block_count; b++)
        print_block_counts(rewrite, b, stream);
    for (uint32_t i = 0; counting->updates && i < counting->update_count; i++) {
        const struct derived_update *update = &counting->updates[i];
        uint32_t first = rewrite->program->blocks[update->block].first;
        fprintf(stream, "cell %u += %d for each time that 0x%" PRIx64 " is %s\n", update->cell,
                update->amount,
                instruction_address(rewrite->program,
                                    update->instruction == NO_INDEX ? first : update->instruction),
                update->event == WANT_TAKEN     ? "taken"
                : update->event == WANT_OUTSIDE ? "entered"
                                                : "executed");
    }
}

static const char *verify_update(const struct rewrite *rewrite, const struct derived_update *update) {
    const struct program *program = rewrite->program;
    if (update->event != WANT_EXECUTED && update->event != WANT_TAKEN && update->event != WANT_OUTSIDE)
        return "a derived update has no event";
    if (update->block >= program->block_count)
        return "a derived update is of no block";
    const struct basic_block *block = &program->blocks[update->block];
    /* The first instruction of the next block means the end of this one. */
    if (update->instruction != NO_INDEX &&
        (update->instruction < block->first || update->instruction > block_last(block) + 1))
        return "a derived update is outside of its block";
    if (update->event == WANT_TAKEN && block->end != END_COND_BRANCH)
        return "a derived update is of a branch that there is not";
    return update->cell < rewrite->sites->cells ? NULL : "a derived update is of no cell";
}

static const char *verify_counts(const struct counting *counting, const struct block_counts *counts) {
    const uint32_t cells[] = {counts->executed, counts->through, counts->outside, counts->taken};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        if (cells[i] != NO_INDEX && cells[i] >= counting->cells)
            return "a count is in no cell";
    return NULL;
}

const char *counting_verify(const struct rewrite *rewrite) {
    const struct counting *counting = rewrite->counting;
    const char *wrong = sites_verify(rewrite->sites, rewrite->program);
    for (uint32_t i = 0; counting->updates && i < counting->update_count && !wrong; i++)
        wrong = verify_update(rewrite, &counting->updates[i]);
    for (uint32_t b = 0; counting->blocks && b < rewrite->program->block_count && !wrong; b++)
        wrong = verify_counts(counting, &counting->blocks[b]);
    for (uint32_t i = 1; i < counting->promoted_count && !wrong; i++)
        if (counting->promoted_sets[i].parent >= i ||
            counting->reserved >> counting->promoted_sets[i].reg & 1)
            wrong = "a register that holds a count is another's";
    return wrong;
}
