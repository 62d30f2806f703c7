/* far_spills.c: if no register is free, inserted code spills registers to memory far below the program's
   first stack, which is mapped for this purpose (first_stack.c). Another stack has no such memory: then each
   word that makes room for a spill is changed, permanently. Compiled without floating-point registers. */
#include "runtime/text/internal.h"

long atomc_spill_distance = SPILL_NEAR;

uint32_t atomc_spill_word(uint32_t word) {
    return atomc_spill_distance == SPILL_NEAR && atomc_is_far_spill(word) ? atomc_near_spill(word) : word;
}

void atomc_patch_spills(uint32_t *word, const uint32_t *end) {
    for (; atomc_spill_distance == SPILL_NEAR && word < end; word++)
        if (atomc_is_far_spill(*word))
            *word = atomc_spill_word(*word);
}
