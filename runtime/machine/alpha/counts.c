/* counts.c: counts in the cells of a thread, as engine/machine/alpha/emit.c emits them (runtime/interface.h),
   with `far` only if the value is out of range: call_pal rduniq; srl $0,3,$0; ldah $0,table($0); ldq_u
   $0,0($0); [ldah $0,far($0);] ldq v,near($0); lda v,1(v) or addq v,r,v; stq v,near($0). Compiled without
   floating-point registers. */
#include "runtime/kernel/kernel.h"

enum { NEAR_COUNT = 7 /* words */, FAR_COUNT = LONGEST_COUNT };

int atomc_begins_count(uint32_t word) {
    return word == ALPHA_PAL_RDUNIQ;
}

int atomc_is_count(uint32_t *code, const uint32_t *end, struct atomc_count *count) {
    int far = 0;
    uint32_t *at = code + 4;
    if (code + NEAR_COUNT > end || code[0] != ALPHA_PAL_RDUNIQ ||
        code[1] != ALPHA_LITERAL_WORD(SRLi, 0, ATOMC_THREAD_TABLE_SHIFT, 0) ||
        code[2] != ALPHA_MEMORY_WORD(LDAH, 0, ATOMC_THREAD_TABLE_HIGH, 0) ||
        code[3] != ALPHA_MEMORY_WORD(LDQ_U, 0, 0, 0))
        return 0;
    if (ALPHA_IS(*at, LDAH) && code + FAR_COUNT <= end) {
        far = alpha_memory_displacement(*at);
        if (*at++ != ALPHA_MEMORY_WORD(LDAH, 0, far, 0))
            return 0;
    }
    int near = alpha_memory_displacement(at[0]);
    unsigned value = alpha_ra(at[0]);
    if (at[0] != ALPHA_MEMORY_WORD(LDQ, value, near, 0) || at[2] != ALPHA_MEMORY_WORD(STQ, value, near, 0))
        return 0;
    *count = (struct atomc_count){
        .begin = code, .end = at + 3, .value = value, .add = at[1], .offset = 65536L * far + near};
    return 1;
}

uint64_t atomc_amount_of(const struct atomc_count *count, const long *registers) {
    if (ALPHA_IS(count->add, LDA))
        return (uint64_t)(long)alpha_memory_displacement(count->add);
    return (uint64_t)registers[alpha_rb(count->add)];
}

void atomc_make_atomic(const struct atomc_count *count, uint64_t address) {
    int low = (int16_t)address;
    uint32_t *at = count->begin;
    *at++ = ALPHA_MEMORY_WORD(LDAH, 0, (long)(address - (uint64_t)(long)low) / 65536, ALPHA_ZERO);
    *at++ = ALPHA_MEMORY_WORD(LDQ_L, count->value, low, 0);
    *at++ = count->add;
    *at++ = ALPHA_MEMORY_WORD(STQ_C, count->value, low, 0);
    *at++ = ALPHA_BRANCH_WORD(BEQ, count->value, -4);
    while (at < count->end)
        *at++ = ALPHA_OPERATE_WORD(BISr, ALPHA_ZERO, ALPHA_ZERO, ALPHA_ZERO);
}
