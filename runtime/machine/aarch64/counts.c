/* counts.c: counts in the cells of a thread: atomc emits none for this machine, where one instruction, or a
   short loop, updates a cell that all threads share. Compiled without floating-point registers. */
#include "runtime/machine/machine.h"

int atomc_begins_count(uint32_t word) {
    (void)word;
    return 0;
}

int atomc_is_count(uint32_t *code, const uint32_t *end, struct atomc_count *count) {
    (void)code;
    (void)end;
    (void)count;
    return 0;
}

uint64_t atomc_amount_of(const struct atomc_count *count, const long *registers) {
    (void)count;
    (void)registers;
    return 0;
}

void atomc_make_atomic(const struct atomc_count *count, uint64_t address) {
    (void)count;
    (void)address;
}
