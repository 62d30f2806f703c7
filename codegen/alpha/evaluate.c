/* evaluate.c: computes the results of integer operate instructions. Requires only the opcode names.
   Semantics: Alpha Architecture Reference Manual, chapter 4. */
#include "codegen/alpha/alpha.h"

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

#define BOTH_HALVES(NAME, low, high, function, field)                                                        \
    case ALPHA_##NAME##low##r:                                                                               \
        *result = function(a, b, field, false);                                                              \
        return true;                                                                                         \
    case ALPHA_##NAME##high##r:                                                                              \
        *result = function(a, b, field, true);                                                               \
        return true;
#define BYTE_OPERATION(NAME, function)                                                                       \
    case ALPHA_##NAME##BLr:                                                                                  \
        *result = function(a, b, 0x01, false);                                                               \
        return true;                                                                                         \
        BOTH_HALVES(NAME, WL, WH, function, 0x03)                                                            \
        BOTH_HALVES(NAME, LL, LH, function, 0x0f)                                                            \
        BOTH_HALVES(NAME, QL, QH, function, 0xff)
#define COMPUTES(opcode, value)                                                                              \
    case opcode:                                                                                             \
        *result = (value);                                                                                   \
        return true;

static bool evaluate_bytes(enum alpha_opcode opcode, uint64_t a, uint64_t b, uint64_t *result) {
    switch (opcode) {
        BYTE_OPERATION(EXT, extract_bytes)
        BYTE_OPERATION(INS, insert_bytes)
        BYTE_OPERATION(MSK, mask_bytes)
        COMPUTES(ALPHA_ZAPr, a & ~byte_mask(b & 0xff))
        COMPUTES(ALPHA_ZAPNOTr, a & byte_mask(b & 0xff))
        COMPUTES(ALPHA_CMPBGEr, greater_equal_bytes(a, b))
        COMPUTES(ALPHA_SEXTBr, sign_extend(b, 8))
        COMPUTES(ALPHA_SEXTWr, sign_extend(b, 16))
    default:
        return false;
    }
}

bool alpha_evaluate(enum alpha_opcode opcode, uint64_t a, uint64_t b, uint64_t *result) {
    switch (opcode) {
        COMPUTES(ALPHA_ADDLr, sign_extend(a + b, 32))
        COMPUTES(ALPHA_SUBLr, sign_extend(a - b, 32))
        COMPUTES(ALPHA_S4ADDLr, sign_extend(4 * a + b, 32))
        COMPUTES(ALPHA_S8ADDLr, sign_extend(8 * a + b, 32))
        COMPUTES(ALPHA_S4SUBLr, sign_extend(4 * a - b, 32))
        COMPUTES(ALPHA_S8SUBLr, sign_extend(8 * a - b, 32))
        COMPUTES(ALPHA_ADDQr, a + b)
        COMPUTES(ALPHA_SUBQr, a - b)
        COMPUTES(ALPHA_S4ADDQr, 4 * a + b)
        COMPUTES(ALPHA_S8ADDQr, 8 * a + b)
        COMPUTES(ALPHA_S4SUBQr, 4 * a - b)
        COMPUTES(ALPHA_S8SUBQr, 8 * a - b)
        COMPUTES(ALPHA_MULLr, sign_extend(a * b, 32))
        COMPUTES(ALPHA_MULQr, a * b)
        COMPUTES(ALPHA_UMULHr, (uint64_t)((unsigned __int128)a * b >> 64))
        COMPUTES(ALPHA_CMPEQr, a == b)
        COMPUTES(ALPHA_CMPLTr, (int64_t)a < (int64_t)b)
        COMPUTES(ALPHA_CMPLEr, (int64_t)a <= (int64_t)b)
        COMPUTES(ALPHA_CMPULTr, a < b)
        COMPUTES(ALPHA_CMPULEr, a <= b)
        COMPUTES(ALPHA_ANDr, a & b)
        COMPUTES(ALPHA_BICr, a & ~b)
        COMPUTES(ALPHA_BISr, a | b)
        COMPUTES(ALPHA_ORNOTr, a | ~b)
        COMPUTES(ALPHA_XORr, a ^ b)
        COMPUTES(ALPHA_EQVr, a ^ ~b)
        COMPUTES(ALPHA_SLLr, a << (b & 63))
        COMPUTES(ALPHA_SRLr, a >> (b & 63))
        COMPUTES(ALPHA_SRAr, (uint64_t)((int64_t)a >> (b & 63)))
    default:
        return evaluate_bytes(opcode, a, b, result);
    }
}

bool alpha_condition(enum alpha_opcode opcode, uint64_t value, bool *holds) {
    switch (opcode) {
    case ALPHA_BEQ:
    case ALPHA_CMOVEQr:
        *holds = value == 0;
        return true;
    case ALPHA_BNE:
    case ALPHA_CMOVNEr:
        *holds = value != 0;
        return true;
    case ALPHA_BLT:
    case ALPHA_CMOVLTr:
        *holds = (int64_t)value < 0;
        return true;
    case ALPHA_BGE:
    case ALPHA_CMOVGEr:
        *holds = (int64_t)value >= 0;
        return true;
    case ALPHA_BLE:
    case ALPHA_CMOVLEr:
        *holds = (int64_t)value <= 0;
        return true;
    case ALPHA_BGT:
    case ALPHA_CMOVGTr:
        *holds = (int64_t)value > 0;
        return true;
    case ALPHA_BLBS:
    case ALPHA_CMOVLBSr:
        *holds = value & 1;
        return true;
    case ALPHA_BLBC:
    case ALPHA_CMOVLBCr:
        *holds = !(value & 1);
        return true;
    default:
        return false;
    }
}
