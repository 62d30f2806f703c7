/* floats.c: numbers to be rounded to float. With REFERENCE, what they are as such: compiled for any machine. Without, they
   are passed to procedures that floats.atd looks at, with all exceptions trapping. */
#ifndef REFERENCE
#define _GNU_SOURCE
#include <fenv.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double double_of(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static float float_of(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint64_t random_bits(void) {
    static uint64_t state = 88172645463325252;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

#ifdef REFERENCE
static void wide(double x) {
    float single = (float)x;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    printf("%08x\n", bits);
}
static void narrow(uint32_t bits) {
    printf("%08x\n", bits);
}
#else
volatile double kept;
__attribute__((noipa)) void wide(double x) {
    kept = x;
}
__attribute__((noipa)) float same(const float *x) {
    return *x;
}
static void narrow(uint32_t bits) {
    float number = float_of(bits);
    same(&number);
}
__attribute__((noipa)) float eight(float a, float b, float c, float d, float e, float f, float g, float h) {
    return a < b && c < d && e < f && g < h ? h : a;
}
#endif

int main(void) {
    static const uint64_t ends[] = {0, 1, 0x000ffffffffffff1, 0x0010000000000000, 0x369fffffffffffff, 0x36a0000000000000,
                                    0x36a0000000000001, 0x36900000ffffffff, 0x3690000000000000, 0x3690000000000001,
                                    0x380fffffe0000000, 0x380fffffdfffffff, 0x380fffffefffffff, 0x380ffffff0000000,
                                    0x380fffffffffffff, 0x3810000000000000, 0x3810000010000000, 0x3810000030000000,
                                    0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x47f0000000000000,
                                    0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
                                    0x7ff800001fffffff, 0x7ff4567812345678, 0x3ff0000010000000, 0x3ff0000030000000,
                                    0x3ff0000010000001, 0x3fffffffffffffff, 0x3fffffffefffffff};
#ifndef REFERENCE
    feenableexcept(FE_ALL_EXCEPT);
#endif
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        for (int sign = 0; sign < 2; sign++)
            wide(double_of(ends[i] | (uint64_t)sign << 63));
    for (int i = 0; i < 2000; i++) { /* exponents of floats, and a little more */
        uint64_t bits = random_bits(), exponent = 860 + bits % 300;
        wide(double_of((bits & ~(UINT64_C(0x7ff) << 52)) | exponent << 52));
        wide(double_of(((bits & ~(UINT64_C(0x7ff) << 52)) | exponent << 52) & ~(UINT64_C(0xfffffff) << (i % 4))));
        wide(double_of(random_bits() | 1));
    }
    for (int i = 0; i < 1000; i++)
        narrow((uint32_t)random_bits() & (i % 3 ? ~UINT32_C(0) : UINT32_C(0x807fffff)));
#ifndef REFERENCE
    int raised = fetestexcept(FE_ALL_EXCEPT);
    printf("%d raised, %g\n", raised, (double)eight(1, 2, 3, 4.5f, 5, 6, float_of(7), float_of(0x3eaaaaab)));
#endif
    return 0;
}
