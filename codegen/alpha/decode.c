/* decode.c: from words to descriptors, and the registers that an instruction reads and writes. Requires the
   generated alpha_table.c. PALcode facts: Alpha Architecture Handbook, OSF/1 PALcode. */
#include "codegen/alpha/alpha.h"

const struct alpha_descriptor *alpha_describe(enum alpha_opcode opcode) {
    return &alpha_descriptors[opcode < ALPHA_OPCODE_COUNT ? opcode : ALPHA_INVALID];
}

/* ---- register sets --------------------------------------------------------------------------- */

/* The bit for register 0 by role, shifted by the register's number. */
static const alpha_register_set read_bit[] = {
    [ALPHA_ROLE_READ] = 1,
    [ALPHA_ROLE_READ_WRITE] = 1,
    [ALPHA_ROLE_FLOAT_READ] = FLOAT_BIT(0),
    [ALPHA_ROLE_FLOAT_READ_WRITE] = FLOAT_BIT(0),
};
static const alpha_register_set written_bit[] = {
    [ALPHA_ROLE_WRITE] = 1,
    [ALPHA_ROLE_READ_WRITE] = 1,
    [ALPHA_ROLE_FLOAT_WRITE] = FLOAT_BIT(0),
    [ALPHA_ROLE_FLOAT_READ_WRITE] = FLOAT_BIT(0),
};

static inline alpha_register_set collect_operands(uint32_t word, const struct alpha_descriptor *descriptor,
                                                  const alpha_register_set bit[]) {
    return (bit[descriptor->ra_role] << alpha_ra(word) | bit[descriptor->rb_role] << alpha_rb(word) |
            bit[descriptor->rc_role] << alpha_rc(word)) &
           ALL_REGISTERS;
}

/* The registers of the PALcode itself, without effects of a signal handler after bpt or gentrap. */
static struct alpha_registers pal_registers(uint32_t function) {
    switch (function) {
    case ALPHA_PAL_BPT:
    case ALPHA_PAL_BUGCHK:
    case ALPHA_PAL_IMB:
        return (struct alpha_registers){0, 0};
    case ALPHA_PAL_CALLSYS: /* number and six arguments; result, error flag, second result */
        return (struct alpha_registers){REGISTER_BIT(ALPHA_V0) | ARGUMENT_REGISTERS,
                                        REGISTER_BIT(ALPHA_V0) | REGISTER_BIT(ALPHA_A3) |
                                            REGISTER_BIT(ALPHA_A4)};
    case ALPHA_PAL_RDUNIQ:
        return (struct alpha_registers){0, REGISTER_BIT(ALPHA_V0)};
    case ALPHA_PAL_WRUNIQ:
    case ALPHA_PAL_GENTRAP:
        return (struct alpha_registers){REGISTER_BIT(ALPHA_A0), 0};
    default:
        return (struct alpha_registers){ALL_REGISTERS, ALL_REGISTERS};
    }
}

struct alpha_registers alpha_registers(uint32_t word, const struct alpha_descriptor *descriptor) {
    if (descriptor->format == ALPHA_FORMAT_INVALID)
        return (struct alpha_registers){ALL_REGISTERS, ALL_REGISTERS};
    if (descriptor->format == ALPHA_FORMAT_PAL)
        return pal_registers(alpha_pal_function(word));
    return (struct alpha_registers){collect_operands(word, descriptor, read_bit),
                                    collect_operands(word, descriptor, written_bit)};
}

alpha_register_set alpha_registers_read(uint32_t word) {
    return alpha_registers(word, alpha_decode(word)).read;
}

alpha_register_set alpha_registers_written(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    return descriptor->format <= ALPHA_FORMAT_PAL ? alpha_registers(word, descriptor).written
                                                  : collect_operands(word, descriptor, written_bit);
}

/* ---- predicates ------------------------------------------------------------------------------ */

/* True if it computes into $31 or $f31 and has no other effect. ldq_u to $31 is the architecture's UNOP;
   other loads to $31 are prefetches; arithmetic to $f31 may still trap. */
bool alpha_is_nop(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);

    switch (descriptor->class) {
    case CLASS_LOAD:
        return descriptor->opcode_id == ALPHA_LDQ_U && alpha_ra(word) == ALPHA_ZERO;
    case CLASS_ADDRESS:
    case CLASS_ARITHMETIC:
    case CLASS_MULTIPLY:
    case CLASS_LOGICAL:
    case CLASS_SHIFT:
    case CLASS_COND_MOVE:
    case CLASS_COMPARE:
    case CLASS_FLOAT:
    case CLASS_FLOAT_DIVIDE:
        return (descriptor->flags & ALPHA_WRITES_FPCR) == 0 &&
               collect_operands(word, descriptor, written_bit) == 0;
    default:
        return false;
    }
}

bool alpha_is_prefetch(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);

    return (descriptor->flags & ALPHA_LOAD) != 0 && alpha_ra(word) == ALPHA_ZERO;
}
