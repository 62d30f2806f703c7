/* internal.h: Alpha's half of machine.h, among its own sources. */
#ifndef ATOMC_MACHINE_ALPHA_INTERNAL_H
#define ATOMC_MACHINE_ALPHA_INTERNAL_H

#include "codegen/alpha/alpha.h"
#include "codegen/alpha/architecture.h"
#include "engine/machine/machine.h"

/* The halves of an address below 2 GB, or of a distance: the high half for ldah, and the low half for the
   instruction that adds it. */
struct halves {
    int high, low;
};
static inline struct halves address_halves(uint32_t address) {
    int16_t low = (int16_t)(address & 0xffff);
    return (struct halves){(int16_t)((address - (uint32_t)low) >> 16), low};
}

/* ---- transfers.c ---- */

extern const struct transfer_verbs alpha_transfers;

#endif
