/* far_spills.c: if no register is free, inserted code spills registers to memory far below the program's
   first stack, which is mapped for this purpose (first_stack.c). Another stack has no such memory: then each
   ldah of a spill becomes an lda, permanently. Compiled without floating-point registers. */
#include "runtime/text/internal.h"

long atomc_spill_distance = SPILL_NEAR;

int atomc_is_far_spill(uint32_t word) {
    int displacement = alpha_memory_displacement(word);
    return ALPHA_IS(word, LDAH) && alpha_rb(word) == ALPHA_SP &&
           (displacement == SPILL_FAR || displacement == -SPILL_FAR);
}

uint32_t atomc_spill_word(uint32_t word) {
    if (atomc_spill_distance != SPILL_NEAR || !atomc_is_far_spill(word))
        return word;
    return ALPHA_MEMORY_WORD(LDA, alpha_ra(word),
                             alpha_memory_displacement(word) == SPILL_FAR ? SPILL_NEAR : -SPILL_NEAR,
                             ALPHA_SP);
}

void atomc_patch_spills(uint32_t *word, const uint32_t *end) {
    for (; atomc_spill_distance == SPILL_NEAR && word < end; word++)
        if (atomc_is_far_spill(*word))
            *word = atomc_spill_word(*word);
}
