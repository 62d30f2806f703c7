/* computations.c: the results of AArch64's integer instructions, for computing addresses and indices. The
   list has the instructions with which compilers compute them; instructions on w registers have a result
   below 2^32. */
#include "aarch64_opcodes.h" /* generated */

#include "codegen/aarch64/aarch64.h"

/* A shift by a constant, or a field: ubfm. */
static void compute_field(uint32_t word, struct computation *computation) {
    unsigned rotate = aarch64_bits(word, 16, 6), last = aarch64_bits(word, 10, 6),
             width = aarch64_is_wide(word) ? 64 : 32;
    if (last + 1 == rotate && width == 64) { /* lsl #(64 - rotate) */
        unsigned left = 64 - rotate;
        computation->operation = OPERATOR_SHIFT_LEFT;
        computation->constant = left;
        if (left <= 3) {
            computation->kind = COMPUTES_PRODUCT;
            computation->scale = (uint8_t)(1 << left);
        }
    } else if (last >= rotate) { /* lsr, ubfx, uxtb */
        unsigned field = last - rotate + 1;
        computation->limit = field < 64 ? UINT64_C(1) << field : 0;
        if (last == width - 1 && width == 64) {
            computation->operation = OPERATOR_SHIFT_RIGHT;
            computation->constant = rotate;
        } else if (rotate == 0 && field == 32) {
            computation->kind = COMPUTES_LOW_32;
        }
    }
}

/* Rn OPERATION (Rm shifted left): the shifted operand is the one that is scaled. */
static void compute_shifted(enum aarch64_opcode opcode, uint32_t word, struct computation *computation) {
    unsigned amount = aarch64_bits(word, 10, 6);
    bool is_left = aarch64_bits(word, 22, 2) == 0;
    uint8_t n = computation->a, m = computation->b;
    if (opcode == AARCH64_ADDXrs && is_left && amount <= 3) {
        computation->kind = COMPUTES_SUM;
        computation->a = m;
        computation->b = n;
        computation->scale = (uint8_t)(1 << amount);
        computation->operation = amount == 0   ? OPERATOR_ADD
                                 : amount == 2 ? OPERATOR_INDEX_4
                                 : amount == 3 ? OPERATOR_INDEX_8
                                               : OPERATOR_NONE;
    } else if (amount == 0 && is_left) {
        switch (opcode) {
        case AARCH64_SUBXrs:
        case AARCH64_SUBSXrs:
            computation->kind = COMPUTES_DIFFERENCE;
            computation->operation = OPERATOR_SUBTRACT;
            break;
        case AARCH64_ANDXrs:
        case AARCH64_ANDSXrs:
            computation->kind = COMPUTES_AND;
            computation->operation = OPERATOR_AND;
            break;
        case AARCH64_ORRXrs: /* mov, too */
            computation->kind = COMPUTES_OR;
            computation->operation = OPERATOR_OR;
            break;
        case AARCH64_ORRWrs:
            if (n == AARCH64_ZERO) { /* mov w, w */
                computation->kind = COMPUTES_LOW_32;
                computation->a = m;
            }
            break;
        case AARCH64_EORXrs:
            computation->operation = OPERATOR_XOR;
            break;
        case AARCH64_BICXrs:
            computation->operation = OPERATOR_AND_NOT;
            break;
        default:
            break;
        }
    }
}

/* Rn + (the low bytes of Rm, extended, shifted left). */
static void compute_extended(uint32_t word, struct computation *computation) {
    unsigned extension = aarch64_bits(word, 13, 3), amount = aarch64_bits(word, 10, 3);
    uint8_t n = computation->a;
    if (extension == 3 || extension == 7) /* all of Rm */
        return;
    computation->kind = COMPUTES_ENTRY_SUM;
    computation->a = computation->b;
    computation->b = n;
    computation->scale = (uint8_t)(1 << amount);
    computation->bytes = (uint8_t)(1 << (extension & 3));
    computation->is_signed = extension >= 4;
}

static void compute_with_constant(enum aarch64_opcode opcode, uint32_t word,
                                  struct computation *computation) {
    computation->b = REGISTER_NONE;
    switch (opcode) {
    case AARCH64_ADDXri:
    case AARCH64_SUBXri:
    case AARCH64_ADDSXri:
    case AARCH64_SUBSXri: {
        int64_t value = (int64_t)aarch64_bits(word, 10, 12) << (aarch64_bits(word, 22, 1) ? 12 : 0);
        bool is_sum = opcode == AARCH64_ADDXri || opcode == AARCH64_ADDSXri;
        computation->kind = COMPUTES_OFFSET;
        computation->constant = is_sum ? value : -value;
        break;
    }
    case AARCH64_ANDXri:
    case AARCH64_ANDSXri:
    case AARCH64_ANDWri:
    case AARCH64_ANDSWri: {
        uint64_t mask = aarch64_logical_constant(word);
        computation->constant = (int64_t)mask;
        computation->operation = aarch64_is_wide(word) ? OPERATOR_AND : OPERATOR_NONE;
        computation->limit = mask == UINT64_MAX ? 0 : mask + 1;
        break;
    }
    case AARCH64_UBFMXri:
    case AARCH64_UBFMWri:
        compute_field(word, computation);
        break;
    case AARCH64_SBFMXri:
        if (aarch64_bits(word, 16, 6) == 0 && aarch64_bits(word, 10, 6) == 31) /* sxtw */
            computation->kind = COMPUTES_SUM_32;
        break;
    default:
        break;
    }
    bool compares = opcode == AARCH64_SUBSXri || opcode == AARCH64_SUBSWri;
    if (compares && computation->result == AARCH64_ZERO) {
        computation->kind = COMPUTES_FLAGS;
        computation->result = AARCH64_FLAGS;
        computation->constant = (int64_t)aarch64_bits(word, 10, 12) << (aarch64_bits(word, 22, 1) ? 12 : 0);
        computation->limit = 0;
    }
}

/* Data processing, with a constant or of registers, but for adr and adrp: part C4.1 of the manual. */
static bool processes_data(uint32_t word) {
    bool is_relative = aarch64_bits(word, 24, 5) == 0x10;
    return (aarch64_bits(word, 26, 3) == 4 && !is_relative) || aarch64_bits(word, 25, 3) == 5;
}

/* True for operations whose result depends only on integer registers and a constant. */
static bool is_computed(const struct facts *facts, uint32_t word) {
    const register_set integers = REGISTERS(0, 30);
    return processes_data(word) && !(facts->flags & (FACT_LOAD | FACT_STORE | FACT_FLOAT)) &&
           facts->transfer == TRANSFER_NONE && !(facts->read & ~integers) && facts->fields_written & 1 &&
           facts->operand[0] != REGISTER_NONE;
}

struct computation aarch64_compute(uint32_t word) {
    struct facts facts;
    struct computation computation = {.scale = 1, .result = REGISTER_NONE};
    aarch64_facts(word, &facts);
    if (!is_computed(&facts, word))
        return computation;
    computation.kind = COMPUTES_UNKNOWN;
    computation.result = facts.operand[0];
    computation.a = facts.operand[1];
    computation.b = facts.operand[2];
    if (!aarch64_is_wide(word))
        computation.limit = UINT64_C(1) << 32;
    enum aarch64_opcode opcode = (enum aarch64_opcode)facts.opcode;
    if (opcode == AARCH64_ADDXrx)
        compute_extended(word, &computation);
    else if (computation.b == REGISTER_NONE)
        compute_with_constant(opcode, word, &computation);
    else
        compute_shifted(opcode, word, &computation);
    return computation;
}
