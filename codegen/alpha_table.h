/* alpha_table.h: the decode tables that codegen/make_tables.cpp writes into alpha_table.c.
   For the C files of codegen/ only; requires the generated alpha_opcodes.h. */
#ifndef ATOMC_ALPHA_TABLE_H
#define ATOMC_ALPHA_TABLE_H

#include "codegen/alpha.h"

/* Indexed by primary opcode, word<31:26>: the word's opcode number is
   alpha_slots[base + (word >> shift & mask)], if the word then matches that opcode's descriptor. */
struct alpha_dispatch {
    uint16_t base;
    uint16_t shift;
    uint32_t mask;
};

extern const struct alpha_descriptor alpha_descriptors[ALPHA_OPCODE_COUNT];
extern const struct alpha_dispatch alpha_dispatch[64];
extern const uint16_t alpha_slots[];

#endif
