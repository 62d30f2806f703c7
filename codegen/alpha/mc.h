/* mc.h: a C interface to LLVM MC for Alpha: encodes, decodes and prints one instruction, and checks every
   operand. Slower than alpha.h (about 10 ns to encode, 90 ns to decode); needs $(MC_LIBRARIES) at link
   time. */
#ifndef ATOMC_MC_H
#define ATOMC_MC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alpha_opcodes.h" /* generated */

#ifdef __cplusplus
extern "C" {
#endif

/* The operands of the format; other members are ignored, and zero when decoded. `immediate`, by format:
   memory -32768..32767 bytes; branch -1048576..1048575 words; jump: jmp and jsr -8192..8191 words, ret and
   jsr_coroutine 0..16383; literal 0..255; call_pal 0..67108863. Fields that an instruction ignores are not
   operands: they are encoded as by the assembler. */
struct mc_operands {
    unsigned ra, rb, rc; /* 0..31; float registers too */
    int64_t immediate;
};

enum mc_operand { MC_RA = 1, MC_RB = 2, MC_RC = 4, MC_IMMEDIATE = 8 };

/* The operands of `opcode`, a set of enum mc_operand; 0 also for an unknown opcode. */
unsigned mc_operands_of(enum alpha_opcode opcode);

/* Lowest and highest immediate of `opcode`; both 0 if it takes none. */
void mc_immediate_range(enum alpha_opcode opcode, int64_t *lowest, int64_t *highest);

/* Returns false, and leaves *word unchanged, for an unknown opcode or an operand out of range. */
bool mc_encode(enum alpha_opcode opcode, const struct mc_operands *operands, uint32_t *word);

/* Returns ALPHA_INVALID, and sets *operands to zero, if the word is not an instruction. */
enum alpha_opcode mc_decode(uint32_t word, struct mc_operands *operands);

/* The same as in alpha.h, which C++ cannot include. */
size_t alpha_print(uint32_t word, uint64_t address, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
