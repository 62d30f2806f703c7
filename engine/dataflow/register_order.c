/* register_order.c: the order in which free registers are taken. Requires the set of live registers. */
#include "engine/dataflow/internal.h"

register_set frame_choose(const struct conventions_of_machine *machine, unsigned count, register_set avoid,
                          register_set needed) {
    register_set chosen = 0;
    for (int live = 0; live < 2; live++)
        for (size_t i = 0; i < machine->free_count && count > 0; i++) {
            register_set bit = REGISTER_BIT(machine->free_order[i]);
            if (bit & (avoid | chosen) || (needed & bit ? 1 : 0) != live)
                continue;
            chosen |= bit;
            count--;
        }
    return chosen;
}

unsigned free_register(const struct conventions_of_machine *machine, register_set live) {
    for (size_t i = 0; i < machine->free_count; i++)
        if (!(live & REGISTER_BIT(machine->free_order[i])))
            return machine->free_order[i];
    return NO_INDEX;
}

unsigned free_registers(const struct conventions_of_machine *machine, register_set live, unsigned count,
                        uint8_t *registers) {
    unsigned found = 0;
    for (unsigned reg; found < count && (reg = free_register(machine, live)) != NO_INDEX; found++) {
        registers[found] = (uint8_t)reg;
        live |= REGISTER_BIT(reg);
    }
    return found;
}

unsigned free_register_or(const struct conventions_of_machine *machine, unsigned preferred,
                          register_set live) {
    return live & REGISTER_BIT(preferred) ? free_register(machine, live) : preferred;
}

unsigned free_floating_register(register_set live) {
    for (unsigned r = 32 + 30; r >= 32; r--)
        if (!(live & REGISTER_BIT(r)))
            return r;
    return NO_INDEX;
}

unsigned least_used_temporary(const struct conventions_of_machine *machine, register_set among,
                              const uint32_t uses[32]) {
    unsigned best = NO_INDEX;
    for (size_t i = 0; i < machine->temporary_count; i++)
        if (among & REGISTER_BIT(machine->free_order[i]) &&
            (best == NO_INDEX || uses[machine->free_order[i]] < uses[best]))
            best = machine->free_order[i];
    return best;
}

register_set first_registers(register_set set, unsigned count) {
    register_set kept = 0;
    for (; set && count > 0; count--, set &= set - 1)
        kept |= set & -set;
    return kept;
}

register_set count_registers(const struct conventions_of_machine *machine, register_set live) {
    return machine->counting & ~live;
}
