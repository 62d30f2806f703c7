/* registers.c: which registers are taken first where any would do.
   Requires the set of registers that hold something. */
#include "engine/dataflow/internal.h"
#include "codegen/alpha.h"

/* Temporaries, the procedure's value, the result, arguments, what procedures keep for their callers, the
   return address, $gp: by how seldom something is in them. Of temporaries those first that compilers take
   last. Where one that holds something has to be saved all the same, none is better than another. */
static const uint8_t order[] = {28, 25, 24, 23, 22, 8,  7, 6,  5,  4,  3,  2,  1,  27, 0,
                                21, 20, 19, 18, 17, 16, 9, 10, 11, 12, 13, 14, 15, 26, 29};

alpha_register_set frame_choose(unsigned count, alpha_register_set avoid, alpha_register_set needed) {
    alpha_register_set chosen = 0;
    for (int live = 0; live < 2; live++)
        for (size_t i = 0; i < sizeof order && count > 0; i++) {
            alpha_register_set bit = REGISTER_BIT(order[i]);
            if (bit & (avoid | chosen) || (needed & bit ? 1 : 0) != live)
                continue;
            chosen |= bit;
            count--;
        }
    return chosen;
}

/* A register that holds nothing that is needed, or NO_INDEX. */
unsigned free_register(alpha_register_set live) {
    for (size_t i = 0; i < sizeof order; i++)
        if (!(live & REGISTER_BIT(order[i])))
            return order[i];
    return NO_INDEX;
}
