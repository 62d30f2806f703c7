/* operators.c: computes the values of operators and conditions, and names them. Is linked into the runtime,
   too: calls no library. */
#include "codegen/operators.h"

static uint64_t sign_extend(uint64_t value, unsigned bits) {
    return (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
}

/* The bytes whose bits are set in the mask. */
static uint64_t byte_mask(unsigned mask) {
    uint64_t result = 0;
    for (unsigned byte = 0; byte < 8; byte++)
        if (mask >> byte & 1)
            result |= UINT64_C(0xff) << 8 * byte;
    return result;
}

static unsigned greater_equal_bytes(uint64_t a, uint64_t b) {
    unsigned result = 0;
    for (unsigned byte = 0; byte < 8; byte++)
        if ((a >> 8 * byte & 0xff) >= (b >> 8 * byte & 0xff))
            result |= 1u << byte;
    return result;
}

/* The low and high forms of extract, insert and mask, for fields with the bytes `field`. */
static uint64_t extract_bytes(uint64_t a, uint64_t b, unsigned field, bool high) {
    unsigned shift = 8 * (b & 7);
    uint64_t value = high ? (shift ? a << (64 - shift) : a) : a >> shift;
    return value & byte_mask(field);
}
static uint64_t insert_bytes(uint64_t a, uint64_t b, unsigned field, bool high) {
    unsigned shift = 8 * (b & 7);
    uint64_t value = a & byte_mask(field);
    return high ? (shift ? value >> (64 - shift) : 0) : value << shift;
}
static uint64_t mask_bytes(uint64_t a, uint64_t b, unsigned field, bool high) {
    unsigned bytes = field << (b & 7);
    return a & ~byte_mask(high ? bytes >> 8 : bytes & 0xff);
}

bool operator_evaluate(enum integer_operator operation, uint64_t a, uint64_t b, uint64_t *result) {
    switch (operation) {
#define OPERATOR(id, name, value)                                                                            \
    case OPERATOR_##id:                                                                                      \
        *result = (value);                                                                                   \
        return true;
#include "codegen/operators.def"
#undef OPERATOR
    default:
        return false;
    }
}

bool condition_holds(enum branch_condition condition, uint64_t value) {
    switch (condition) {
    case CONDITION_ZERO:
        return value == 0;
    case CONDITION_NONZERO:
        return value != 0;
    case CONDITION_NEGATIVE:
        return (int64_t)value < 0;
    case CONDITION_NOT_NEGATIVE:
        return (int64_t)value >= 0;
    case CONDITION_POSITIVE:
        return (int64_t)value > 0;
    case CONDITION_NOT_POSITIVE:
        return (int64_t)value <= 0;
    case CONDITION_ODD:
        return value & 1;
    case CONDITION_EVEN:
        return !(value & 1);
    default:
        return false;
    }
}

enum branch_condition opposite_condition(enum branch_condition condition) {
    static const uint8_t opposites[CONDITION_COUNT] = {
        [CONDITION_ZERO] = CONDITION_NONZERO,
        [CONDITION_NONZERO] = CONDITION_ZERO,
        [CONDITION_NEGATIVE] = CONDITION_NOT_NEGATIVE,
        [CONDITION_NOT_NEGATIVE] = CONDITION_NEGATIVE,
        [CONDITION_POSITIVE] = CONDITION_NOT_POSITIVE,
        [CONDITION_NOT_POSITIVE] = CONDITION_POSITIVE,
        [CONDITION_ODD] = CONDITION_EVEN,
        [CONDITION_EVEN] = CONDITION_ODD,
    };
    return (enum branch_condition)opposites[condition];
}
