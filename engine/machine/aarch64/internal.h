/* internal.h: AArch64's half of machine.h, among its own sources. */
#ifndef ATOMC_MACHINE_AARCH64_INTERNAL_H
#define ATOMC_MACHINE_AARCH64_INTERNAL_H

#include "codegen/aarch64/encode.h"
#include "engine/machine/machine.h"

/* ---- transfers.c ---- */

extern const struct transfer_verbs aarch64_transfers;

#endif
