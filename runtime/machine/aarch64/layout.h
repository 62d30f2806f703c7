/* layout.h: where atomc's additions are in an AArch64 program: below 2 GB, as Alpha's, where adrp reaches all
   of them from the copies. Each address is a multiple of the largest page. struct atomc_addresses says what
   each is. rules.mk reads AARCH64_ANALYSIS. */
#ifndef ATOMC_RUNTIME_AARCH64_LAYOUT_H
#define ATOMC_RUNTIME_AARCH64_LAYOUT_H

#include "runtime/interface.h"

#define AARCH64_CELLS    UINT64_C(0x7b000000)
#define AARCH64_SCRATCH  UINT64_C(0x7fef0000)
#define AARCH64_LANDINGS UINT64_C(0x50000000)
#define AARCH64_ANALYSIS UINT64_C(0x68000000)

/* The map's word for the instruction at an address is at the address with this bit flipped: one eor makes it,
   for any address of 48 bits. The word in the map of landings is where three bits are flipped, which one eor
   does as well. Texts end below AARCH64_TEXT_END. */
#define AARCH64_MAP_BITS     UINT64_C(0x20000000)
#define AARCH64_LANDING_BITS (AARCH64_MAP_BITS | AARCH64_LANDINGS)
#define AARCH64_TEXT_END     UINT64_C(0x10000000)

static const struct atomc_addresses aarch64_layout = {
    .pool = 0x30000000,
    .wrappers = 0x3fe00000,
    .copies = 0x40000000,
    .analysis = AARCH64_ANALYSIS,
    .large_analysis = 0x6d000000,
    .landings = AARCH64_LANDINGS,
    .tables = 0x74000000,
    .cells = AARCH64_CELLS,
    .scratch = AARCH64_SCRATCH,
    .end = 0x7fff0000,
    .far_tables = 0x80000000,
    .far_end = 0xc0000000, /* above are the addresses of MAP_UNFORESEEN: never mapped */
};

#endif
