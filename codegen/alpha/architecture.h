/* architecture.h: Alpha as codegen/isa.h has machines. */
#ifndef ATOMC_ALPHA_ARCHITECTURE_H
#define ATOMC_ALPHA_ARCHITECTURE_H

#include "codegen/isa.h"

extern const struct architecture alpha_architecture;

enum { ALPHA_PAGE_BYTES = 8192, ALPHA_LARGEST_PAGE_BYTES = 65536 };

/* ---- facts.c ---- */

void alpha_facts(uint32_t word, struct facts *facts);
uint32_t alpha_constant_bits(uint32_t word);
struct constants alpha_constants(uint32_t word);
int64_t alpha_distance(uint32_t word);
const char *alpha_mnemonic(uint16_t opcode);
enum arithmetic alpha_arithmetic(uint16_t opcode);

/* ---- computations.c ---- */

struct computation alpha_compute(uint32_t word);

/* ---- stepped.c ---- */

size_t alpha_stepped(struct stepped_encoding *encodings);

/* ---- pipeline.c ---- */

/* The tables of the 21064 (EV4). */
int64_t alpha_pipeline(const uint32_t *words, uint32_t count, uint64_t address, enum pipeline_value wanted);

#endif
