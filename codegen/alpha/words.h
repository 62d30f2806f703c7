/* words.h: instruction words by name, for code without a decode table: the runtime, the assembler, and
   loops of the engine that read every word. ALPHA_MATCH_LDQ and ALPHA_MASK_LDQ, and so on, are generated
   from Alpha.td. */
#ifndef ATOMC_WORDS_H
#define ATOMC_WORDS_H

#include "alpha_words.h" /* generated */

/* The word of call_pal for a function is the function's number. */
#define ALPHA_PAL_BPT     0x80
#define ALPHA_PAL_BUGCHK  0x81
#define ALPHA_PAL_CALLSYS 0x83
#define ALPHA_PAL_IMB     0x86
#define ALPHA_PAL_RDUNIQ  0x9e
#define ALPHA_PAL_WRUNIQ  0x9f
#define ALPHA_PAL_GENTRAP 0xaa

/* Loads and stores that change the order of bytes. ALPHA_OPERATIONS, all operate instructions, is
   generated. */
#define ALPHA_CONVERSIONS(OPERATION) OPERATION(LDF) OPERATION(LDG) OPERATION(STF) OPERATION(STG)

#ifndef __ASSEMBLER__
#include "codegen/alpha/fields.h"
#include "codegen/alpha/registers.h"

/* True if the word is this instruction. The name is that of enum alpha_opcode without ALPHA_. */
#define ALPHA_IS(word, NAME) (((word)&ALPHA_MASK_##NAME) == ALPHA_MATCH_##NAME)
/* True if both have the same primary opcode. All indirect jumps have that of JMP. */
#define ALPHA_IS_LIKE(word, NAME) (alpha_primary(word) == alpha_primary(ALPHA_MATCH_##NAME))

/* The instruction with these operands; jumps have a hint in place of the displacement. */
#define ALPHA_MEMORY_WORD(NAME, ra, displacement, rb)                                                        \
    (ALPHA_MATCH_##NAME | (uint32_t)(ra) << 21 | (uint32_t)(rb) << 16 | (uint16_t)(displacement))
#define ALPHA_OPERATE_WORD(NAME, ra, rb, rc)                                                                 \
    (ALPHA_MATCH_##NAME | (uint32_t)(ra) << 21 | (uint32_t)(rb) << 16 | (uint32_t)(rc))
#define ALPHA_LITERAL_WORD(NAME, ra, literal, rc)                                                            \
    (ALPHA_MATCH_##NAME | (uint32_t)(ra) << 21 | (uint32_t)(literal) << 13 | (uint32_t)(rc))
#define ALPHA_BRANCH_WORD(NAME, ra, words)                                                                   \
    (ALPHA_MATCH_##NAME | (uint32_t)(ra) << 21 | ((uint32_t)(words)&0x1fffff))

#endif
#endif
