/* computations.c: the results of Alpha's integer instructions, for computing addresses and indices. The list
   has the instructions with which compilers and handwritten assembly compute addresses, indices and their
   checks. */
#include "codegen/alpha/alpha.h"
#include "codegen/alpha/architecture.h"

static uint64_t limit_of_bytes(unsigned mask) {
    return mask == 1 ? UINT64_C(1) << 8 : mask == 3 ? UINT64_C(1) << 16 : 0;
}

/* Operate instructions with a literal only. */
static void compute_with_literal(enum alpha_opcode opcode, unsigned literal,
                                 struct computation *computation) {
    switch (opcode) {
    case ALPHA_SLLi:
        if (literal == 2 || literal == 3) { /* the sizes of a table's entries */
            computation->kind = COMPUTES_PRODUCT;
            computation->scale = (uint8_t)(1 << literal);
        }
        break;
    case ALPHA_SRLi:
        if (literal > 32 && literal < 64)
            computation->limit = UINT64_C(1) << (64 - literal);
        break;
    case ALPHA_ZAPNOTi:
        if (literal == 15)
            computation->kind = COMPUTES_LOW_32;
        else
            computation->limit = limit_of_bytes(literal);
        break;
    case ALPHA_ANDi:
        computation->limit = literal + 1;
        break;
    default:
        break;
    }
}

static void compute_operation(enum alpha_opcode opcode, struct computation *computation) {
    switch (opcode) {
    case ALPHA_BISr:
    case ALPHA_BISi:
        computation->kind = COMPUTES_OR;
        break;
    case ALPHA_ADDLr:
    case ALPHA_ADDLi: /* sextl is addl $31,x */
        computation->kind = COMPUTES_SUM_32;
        break;
    case ALPHA_ADDQr:
    case ALPHA_ADDQi:
        computation->kind = COMPUTES_SUM;
        break;
    case ALPHA_S4ADDQr:
    case ALPHA_S4ADDQi:
        computation->kind = COMPUTES_SUM;
        computation->scale = 4;
        break;
    case ALPHA_S8ADDQr:
    case ALPHA_S8ADDQi:
        computation->kind = COMPUTES_SUM;
        computation->scale = 8;
        break;
    case ALPHA_SUBQr:
    case ALPHA_SUBQi:
        computation->kind = COMPUTES_DIFFERENCE;
        break;
    case ALPHA_ANDr:
        computation->kind = COMPUTES_AND;
        break;
    case ALPHA_EXTBLr:
    case ALPHA_EXTBLi:
        computation->limit = limit_of_bytes(1);
        break;
    case ALPHA_CMPULTr:
    case ALPHA_CMPULTi:
        computation->kind = COMPUTES_BELOW;
        break;
    case ALPHA_CMPULEr:
    case ALPHA_CMPULEi:
        computation->kind = COMPUTES_BELOW_OR_EQUAL;
        break;
    default:
        break;
    }
}

struct computation alpha_compute(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    struct computation computation = {
        .result = (uint8_t)alpha_rc(word),
        .a = (uint8_t)alpha_ra(word),
        .b = (uint8_t)alpha_rb(word),
        .scale = 1,
    };
    if (descriptor->opcode_id == ALPHA_LDA || descriptor->opcode_id == ALPHA_LDAH) {
        computation.kind = COMPUTES_OFFSET;
        computation.result = (uint8_t)alpha_ra(word);
        computation.a = (uint8_t)alpha_rb(word);
        computation.b = REGISTER_NONE;
        computation.constant =
            (int64_t)alpha_memory_displacement(word) * (descriptor->opcode_id == ALPHA_LDAH ? 65536 : 1);
        return computation;
    }
    bool literal = descriptor->format == ALPHA_FORMAT_LITERAL;
    if (descriptor->flags & ALPHA_FLOATING || (!literal && descriptor->format != ALPHA_FORMAT_OPERATE))
        return computation;
    if (literal) {
        computation.b = REGISTER_NONE;
        computation.constant = alpha_literal_field(word);
    }
    enum alpha_opcode on_registers = alpha_register_form(descriptor);
    if (descriptor->flags & ALPHA_COND_MOVE) {
        computation.condition = (uint8_t)alpha_condition_of(on_registers);
        return computation;
    }
    computation.operation = (uint8_t)alpha_operator(on_registers);
    computation.kind = COMPUTES_UNKNOWN;
    if (literal)
        compute_with_literal(descriptor->opcode_id, alpha_literal_field(word), &computation);
    compute_operation(descriptor->opcode_id, &computation);
    return computation;
}
