/* layout.h: where atomc's additions are in an Alpha program: below 2 GB, where ldah and lda make an absolute
   address. struct atomc_addresses says what each is. rules.mk reads ALPHA_ANALYSIS. */
#ifndef ATOMC_RUNTIME_ALPHA_LAYOUT_H
#define ATOMC_RUNTIME_ALPHA_LAYOUT_H

#include "runtime/interface.h"

#define ALPHA_CELLS    UINT64_C(0x7b000000)
#define ALPHA_SCRATCH  UINT64_C(0x7fef0000)
#define ALPHA_LANDINGS UINT64_C(0x50000000)
#define ALPHA_ANALYSIS UINT64_C(0x68000000)

static const struct atomc_addresses alpha_layout = {
    .pool = 0x30000000,
    .wrappers = 0x3fe00000,
    .copies = 0x40000000,
    .analysis = ALPHA_ANALYSIS,
    .large_analysis = 0x6d000000,
    .landings = ALPHA_LANDINGS,
    .tables = 0x74000000,
    .cells = ALPHA_CELLS,
    .scratch = ALPHA_SCRATCH,
    .end = 0x7fff0000, /* of the range of ldah and lda */
    .far_tables = 0x80000000,
    .far_end = 0xc0000000,
};

#endif
