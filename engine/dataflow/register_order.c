/* register_order.c: the order in which free registers are taken. Requires the set of live registers. */
#include "engine/dataflow/internal.h"
#include "codegen/alpha.h"

/* Temporaries, the procedure value, the result, arguments, callee-saved registers, the return address, $gp:
   sorted by how rarely they are live. Among temporaries, those that compilers use last come first. If a
   live register has to be saved anyway, the order does not matter. */
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

unsigned free_register(alpha_register_set live) {
    for (size_t i = 0; i < sizeof order; i++)
        if (!(live & REGISTER_BIT(order[i])))
            return order[i];
    return NO_INDEX;
}

unsigned free_registers(alpha_register_set live, unsigned count, uint8_t *registers) {
    unsigned found = 0;
    for (unsigned reg; found < count && (reg = free_register(live)) != NO_INDEX; found++) {
        registers[found] = (uint8_t)reg;
        live |= REGISTER_BIT(reg);
    }
    return found;
}

unsigned free_register_or(unsigned preferred, alpha_register_set live) {
    return live & REGISTER_BIT(preferred) ? free_register(live) : preferred;
}

unsigned free_floating_register(alpha_register_set live) {
    for (unsigned r = 32 + 30; r >= 32; r--)
        if (!(live & REGISTER_BIT(r)))
            return r;
    return NO_INDEX;
}

unsigned least_used_temporary(alpha_register_set among, const uint32_t uses[32]) {
    unsigned best = NO_INDEX;
    for (size_t i = 0; order[i] != ALPHA_PV; i++)
        if (among & REGISTER_BIT(order[i]) && (best == NO_INDEX || uses[order[i]] < uses[best]))
            best = order[i];
    return best;
}

alpha_register_set first_registers(alpha_register_set set, unsigned count) {
    alpha_register_set kept = 0;
    for (; set && count > 0; count--, set &= set - 1)
        kept |= set & -set;
    return kept;
}
