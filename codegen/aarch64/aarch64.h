/* aarch64.h: AArch64's encodings, for codegen/aarch64/ and its tests only. Source: Arm Architecture Reference
   Manual, DDI 0487 (A-profile), part C. */
#ifndef ATOMC_AARCH64_H
#define ATOMC_AARCH64_H

#include "codegen/aarch64/fields.h"
#include "codegen/aarch64/table.h"
#include "codegen/isa.h"

/* Registers as facts number them: 0 to 30 are x0 to x30, 32 on are v0 to v31. */
enum {
    AARCH64_FRAME = 29,
    AARCH64_LINK = 30,
    AARCH64_FLAGS = 31,  /* NZCV */
    AARCH64_ZERO = 253,  /* xzr, which is in no set */
    AARCH64_STACK = 254, /* sp, likewise */
};
enum { AARCH64_FIELD_31 = 31 }; /* in a field: xzr, or the stack pointer */

/* The encoding of a word; NULL: it is no instruction, or none that LLVM knows. */
const struct aarch64_encoding *aarch64_decode(uint32_t word);
/* LLVM's name of an encoding. */
static inline const char *aarch64_encoding_name(const struct aarch64_encoding *encoding) {
    return aarch64_encoding_names + encoding->name;
}

void aarch64_facts(uint32_t word, struct facts *facts);
uint32_t aarch64_constant_bits(uint32_t word);
struct constants aarch64_constants(uint32_t word);
int64_t aarch64_distance(uint32_t word);
uint64_t aarch64_relative_address(uint32_t word, uint64_t address);

/* ---- computations.c ---- */

struct computation aarch64_compute(uint32_t word);

/* ---- architecture.c ---- */

extern const struct architecture aarch64_architecture;

#endif
