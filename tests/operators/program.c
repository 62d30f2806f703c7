/* program.c: calls, for each operator of plan/operators.def, pair_ID() with all pairs of operands and one_ID()
   with each. */
#include <stdint.h>

#include "operators.h"

#define OPERATOR(id, word, level, count, kind, limit, value)                                                 \
    __attribute__((noipa)) static void pair_##id(long a, long b) {                               \
        __asm__ volatile("" : : "r"(a), "r"(b));                                                             \
    }                                                                                                        \
    __attribute__((noipa)) static void one_##id(long a) {                                        \
        __asm__ volatile("" : : "r"(a));                                                                     \
    }
#include "plan/operators.def"
#undef OPERATOR

__attribute__((noipa)) static void pair(long a, long b) {
    __asm__ volatile("" : : "r"(a), "r"(b));
}

int main(void) {
    for (long i = 0; i < OPERAND_COUNT; i++)
        for (long k = 0; k < OPERAND_COUNT; k++) {
            pair(operands[i], operands[k]);
#define OPERATOR(id, word, level, count, kind, limit, value) pair_##id(operands[i], operands[k]);
#include "plan/operators.def"
#undef OPERATOR
        }
    for (long i = 0; i < OPERAND_COUNT; i++) {
#define OPERATOR(id, word, level, count, kind, limit, value) one_##id(operands[i]);
#include "plan/operators.def"
#undef OPERATOR
    }
    return 0;
}
