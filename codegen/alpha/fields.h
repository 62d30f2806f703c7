/* fields.h: the fields of operands in an instruction word, for any instruction; alpha.h and words.h
   identify instructions. For C on the host and on Alpha, including stock tools. */
#ifndef ATOMC_FIELDS_H
#define ATOMC_FIELDS_H

#include <stdint.h>

static inline unsigned alpha_primary(uint32_t word) {
    return word >> 26;
}
static inline unsigned alpha_ra(uint32_t word) {
    return word >> 21 & 31;
}
static inline unsigned alpha_rb(uint32_t word) {
    return word >> 16 & 31;
}
static inline unsigned alpha_rc(uint32_t word) {
    return word & 31;
}
/* For operate instructions: true if there is a literal in place of rb, and its value. */
static inline int alpha_has_literal(uint32_t word) {
    return word >> 12 & 1;
}
static inline unsigned alpha_literal_field(uint32_t word) {
    return word >> 13 & 255;
}
static inline int32_t alpha_memory_displacement(uint32_t word) {
    return (int16_t)(word & 0xffff);
}
static inline uint32_t alpha_with_memory_displacement(uint32_t word, int64_t displacement) {
    return (word & ~UINT32_C(0xffff)) | ((uint32_t)displacement & 0xffff);
}
static inline uint32_t alpha_with_base(uint32_t word, unsigned base) {
    return (word & ~(UINT32_C(31) << 16)) | base << 16;
}
/* For jumps. */
static inline uint32_t alpha_without_hint(uint32_t word) {
    return word & ~UINT32_C(0x3fff);
}
/* In instruction words, relative to the next instruction. */
static inline int32_t alpha_branch_displacement(uint32_t word) {
    return (int32_t)(word << 11) >> 11;
}
static inline uint32_t alpha_with_branch_displacement(uint32_t word, int64_t displacement) {
    return (word & ~UINT32_C(0x1fffff)) | ((uint32_t)displacement & 0x1fffff);
}
static inline uint32_t alpha_pal_function(uint32_t word) {
    return word & 0x3ffffff;
}

#endif
