/* encode.c: from operands to words, by filling the fields of the pattern that MC encoded. Requires the
   generated alpha_table.c; opcode, format and ranges are asserted, in every build. */
#undef NDEBUG
#include <assert.h>

#include "codegen/alpha/alpha.h"

static uint32_t opcode_pattern(enum alpha_opcode opcode, unsigned formats) {
    const struct alpha_descriptor *descriptor = alpha_describe(opcode);

    assert(formats >> descriptor->format & 1);
    return descriptor->match;
}

/* Puts a register into its field. Fields that the pattern fixes are all ones (Ra of sextb, Rb of itoft) and
   remain unchanged.
 */
static uint32_t register_in_field(unsigned number, unsigned shift) {
    assert(number < 32);
    return (uint32_t)number << shift;
}

#define RA(number)     register_in_field(number, 21)
#define RB(number)     register_in_field(number, 16)
#define RC(number)     register_in_field(number, 0)
#define FORMAT(format) (1u << ALPHA_FORMAT_##format)

bool alpha_branch_reaches(int64_t displacement_words) {
    return displacement_words >= -(1 << 20) && displacement_words < 1 << 20;
}

uint32_t alpha_memory(enum alpha_opcode opcode, unsigned ra, int displacement, unsigned rb) {
    assert(displacement >= INT16_MIN && displacement <= INT16_MAX);
    return opcode_pattern(opcode, FORMAT(MEMORY)) | RA(ra) | RB(rb) | (uint16_t)displacement;
}

uint32_t alpha_memory_function(enum alpha_opcode opcode, unsigned ra, unsigned rb) {
    return opcode_pattern(opcode, FORMAT(MEMORY_FUNCTION)) | RA(ra) | RB(rb);
}

uint32_t alpha_branch(enum alpha_opcode opcode, unsigned ra, int64_t displacement_words) {
    assert(alpha_branch_reaches(displacement_words));
    return opcode_pattern(opcode, FORMAT(BRANCH)) | RA(ra) | ((uint32_t)displacement_words & 0x1fffff);
}

uint32_t alpha_jump(enum alpha_opcode opcode, unsigned ra, unsigned rb, unsigned hint) {
    assert(hint < 1 << 14);
    return opcode_pattern(opcode, FORMAT(JUMP)) | RA(ra) | RB(rb) | hint;
}

uint32_t alpha_operate(enum alpha_opcode opcode, unsigned ra, unsigned rb, unsigned rc) {
    uint32_t word = opcode_pattern(opcode, FORMAT(OPERATE) | FORMAT(FLOAT)) | RA(ra) | RB(rb) | RC(rc);

    /* implver: Rb is part of the pattern, and zero. */
    assert(alpha_decode(word)->opcode_id == opcode);
    return word;
}

uint32_t alpha_literal(enum alpha_opcode opcode, unsigned ra, unsigned literal, unsigned rc) {
    uint32_t word = opcode_pattern(opcode, FORMAT(LITERAL)) | RA(ra) | (uint32_t)literal << 13 | RC(rc);

    assert(literal < 256);
    return word;
}

enum alpha_opcode alpha_literal_form(enum alpha_opcode opcode) {
    return alpha_decode(alpha_describe(opcode)->match | 1u << 12)->opcode_id;
}

enum alpha_opcode alpha_register_form(const struct alpha_descriptor *descriptor) {
    if (descriptor->format != ALPHA_FORMAT_LITERAL)
        return descriptor->opcode_id;
    return alpha_decode(descriptor->match & ~(1u << 12))->opcode_id;
}

uint32_t alpha_pal(uint32_t function) {
    assert(function < 1 << 26);
    return opcode_pattern(ALPHA_CALL_PAL, FORMAT(PAL)) | function;
}

uint32_t alpha_plain(enum alpha_opcode opcode) {
    return opcode_pattern(opcode, FORMAT(MEMORY_FUNCTION));
}
