/* facts.c: the facts of Alpha's instructions, from their descriptors. */
#include <string.h>

#include "codegen/alpha/alpha.h"
#include "codegen/alpha/architecture.h"

static uint8_t field_register(uint8_t role, unsigned number) {
    if (role == ALPHA_ROLE_NONE)
        return REGISTER_NONE;
    return (uint8_t)(role >= ALPHA_ROLE_FLOAT_READ ? FLOAT_REGISTER(number) : number);
}

static bool role_reads(uint8_t role) {
    return role == ALPHA_ROLE_READ || role == ALPHA_ROLE_READ_WRITE || role == ALPHA_ROLE_FLOAT_READ ||
           role == ALPHA_ROLE_FLOAT_READ_WRITE;
}
static bool role_writes(uint8_t role) {
    return role == ALPHA_ROLE_WRITE || role == ALPHA_ROLE_READ_WRITE || role == ALPHA_ROLE_FLOAT_WRITE ||
           role == ALPHA_ROLE_FLOAT_READ_WRITE;
}
/* A bit for each field whose role is so. */
static uint8_t fields_that(bool (*holds)(uint8_t role), const struct alpha_descriptor *descriptor) {
    return (uint8_t)(holds(descriptor->ra_role) | holds(descriptor->rb_role) << 1 |
                     holds(descriptor->rc_role) << 2);
}

static uint8_t pal_transfer(uint32_t function) {
    switch (function) {
    case ALPHA_PAL_CALLSYS:
        return TRANSFER_SYSTEM_CALL;
    case ALPHA_PAL_RDUNIQ:
    case ALPHA_PAL_WRUNIQ:
    case ALPHA_PAL_IMB:
        return TRANSFER_NONE;
    default:
        return TRANSFER_TRAP;
    }
}

/* The kind of jump follows from the link register, not from the prediction hint: jmp, jsr, ret and
   jsr_coroutine with a link other than $31 return to the next instruction. */
static uint8_t transfer_by_flags(uint32_t word, const struct alpha_descriptor *descriptor) {
    unsigned flags = descriptor->flags;
    bool links = alpha_ra(word) != ALPHA_ZERO;
    if (flags & ALPHA_COND_BRANCH)
        return TRANSFER_COND_BRANCH;
    if (flags & ALPHA_INDIRECT) {
        if (links)
            return TRANSFER_CALL;
        return flags & ALPHA_RETURN || alpha_rb(word) == ALPHA_RA ? TRANSFER_RETURN : TRANSFER_JUMP;
    }
    if (flags & ALPHA_UNCOND_BRANCH)
        return TRANSFER_BRANCH;
    return links ? TRANSFER_CALL : TRANSFER_BRANCH;
}

enum transfer alpha_transfer(uint32_t word, const struct alpha_descriptor *descriptor) {
    const unsigned transfers =
        ALPHA_COND_BRANCH | ALPHA_UNCOND_BRANCH | ALPHA_CALL | ALPHA_INDIRECT | ALPHA_RETURN;
    if (descriptor->flags & transfers)
        return transfer_by_flags(word, descriptor);
    if (descriptor->format == ALPHA_FORMAT_PAL)
        return pal_transfer(alpha_pal_function(word));
    return descriptor->format == ALPHA_FORMAT_INVALID ? TRANSFER_TRAP : TRANSFER_NONE;
}

static uint8_t condition_of(enum alpha_opcode opcode) {
    switch (opcode) {
    case ALPHA_FBEQ:
        return CONDITION_ZERO;
    case ALPHA_FBNE:
        return CONDITION_NONZERO;
    case ALPHA_FBLT:
        return CONDITION_NEGATIVE;
    case ALPHA_FBGE:
        return CONDITION_NOT_NEGATIVE;
    case ALPHA_FBGT:
        return CONDITION_POSITIVE;
    case ALPHA_FBLE:
        return CONDITION_NOT_POSITIVE;
    default:
        return (uint8_t)alpha_condition_of(opcode);
    }
}

static void add_memory(struct facts *facts, uint32_t word, const struct alpha_descriptor *descriptor) {
    unsigned flags = descriptor->flags;
    bool locked = flags & ALPHA_LOCKED, loads = flags & ALPHA_LOAD;
    if (!(flags & (ALPHA_LOAD | ALPHA_STORE)))
        return;
    facts->flags |= loads ? FACT_LOAD : FACT_STORE;
    if (locked)
        facts->flags |= loads ? FACT_EXCLUSIVE_BEGIN : FACT_EXCLUSIVE_END;
    if (flags & ALPHA_UNALIGNED)
        facts->flags |= FACT_ROUNDS_DOWN;
    if (loads && alpha_ra(word) == ALPHA_ZERO)
        facts->flags |= FACT_PREFETCH;
    switch (descriptor->opcode_id) {
    case ALPHA_LDQ:
    case ALPHA_LDT:
    case ALPHA_STQ:
    case ALPHA_STT:
        facts->flags |= FACT_WHOLE_REGISTER;
        break;
    default:
        break;
    }
    facts->memory_count = 1;
    facts->memory[0] = (struct memory_operand){
        .base = (uint8_t)alpha_rb(word),
        .index = REGISTER_NONE,
        .data = facts->operand[0],
        .size = descriptor->memory_size,
        .count = 1,
    };
}

static void add_transfer(struct facts *facts, uint32_t word, const struct alpha_descriptor *descriptor) {
    facts->transfer = alpha_transfer(word, descriptor);
    if (facts->transfer == TRANSFER_COND_BRANCH) {
        facts->condition = condition_of(descriptor->opcode_id);
        facts->tested = facts->operand[0];
    } else if (descriptor->format == ALPHA_FORMAT_BRANCH || descriptor->format == ALPHA_FORMAT_JUMP) {
        facts->link = facts->operand[0] == ALPHA_ZERO ? REGISTER_NONE : facts->operand[0];
    }
    if (descriptor->flags & ALPHA_INDIRECT) {
        facts->flags |= FACT_INDIRECT;
        facts->target = facts->operand[1];
    }
}

/* Instructions that set a register to a constant, or copy a register: lda, ldah, and bis as mov. */
static uint32_t computation_of(uint32_t word, const struct alpha_descriptor *descriptor) {
    unsigned ra = alpha_ra(word), rb = alpha_rb(word);
    switch (descriptor->opcode_id) {
    case ALPHA_LDA:
        return rb == ALPHA_ZERO ? FACT_CONSTANT : FACT_ADDS_CONSTANT;
    case ALPHA_LDAH:
        return FACT_HIGH_PART | (rb == ALPHA_ZERO ? FACT_CONSTANT : FACT_ADDS_CONSTANT);
    case ALPHA_BISi:
        return ra == ALPHA_ZERO ? FACT_CONSTANT : 0;
    case ALPHA_BISr:
        return ra == ALPHA_ZERO || rb == ALPHA_ZERO || ra == rb ? FACT_MOVE : 0;
    default:
        return 0;
    }
}

static uint32_t pal_flags(uint32_t function) {
    switch (function) {
    case 0:
        return FACT_HALTS;
    case ALPHA_PAL_RDUNIQ:
        return FACT_READS_THREAD;
    case ALPHA_PAL_WRUNIQ:
        return FACT_SETS_THREAD;
    case ALPHA_PAL_IMB:
        return FACT_SYNCHRONIZES_TEXT;
    default:
        return 0;
    }
}

static bool is_repeatable(const struct alpha_descriptor *descriptor) {
    switch (alpha_register_form(descriptor)) {
    case ALPHA_LDA:
    case ALPHA_LDAH:
    case ALPHA_CPYS:
    case ALPHA_CPYSN:
        return true;
    case ALPHA_ADDLVr: /* they trap */
    case ALPHA_ADDQVr:
    case ALPHA_SUBLVr:
    case ALPHA_SUBQVr:
    case ALPHA_MULLVr:
    case ALPHA_MULQVr:
    case ALPHA_LDF: /* for these instructions the runtime needs the program's own copy */
    case ALPHA_LDG:
    case ALPHA_STF:
    case ALPHA_STG:
        return false;
    default:
        return descriptor->flags & (ALPHA_LOAD | ALPHA_STORE) || descriptor->format == ALPHA_FORMAT_OPERATE ||
               descriptor->format == ALPHA_FORMAT_LITERAL;
    }
}

void alpha_facts(uint32_t word, struct facts *facts) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    struct alpha_registers registers = alpha_registers(word, descriptor);
    *facts = (struct facts){
        .opcode = descriptor->opcode_id,
        .major = (uint16_t)alpha_primary(word),
        .class = descriptor->class,
        .target = REGISTER_NONE,
        .link = REGISTER_NONE,
        .tested = REGISTER_NONE,
        .operand = {field_register(descriptor->ra_role, alpha_ra(word)),
                    field_register(descriptor->rb_role, alpha_rb(word)),
                    field_register(descriptor->rc_role, alpha_rc(word))},
        .fields_read = fields_that(role_reads, descriptor),
        .fields_written = fields_that(role_writes, descriptor),
        .read = registers.read,
        .written = registers.written,
    };
    if (descriptor->flags & ALPHA_FLOATING)
        facts->flags |= FACT_FLOAT;
    if (alpha_is_nop(word))
        facts->flags |= FACT_NOP;
    if (descriptor->format == ALPHA_FORMAT_PAL)
        facts->flags |= pal_flags(alpha_pal_function(word));
    if (descriptor->flags & ALPHA_WRITES_FPCR)
        facts->flags |= FACT_FLOAT_STATUS;
    if (is_repeatable(descriptor))
        facts->flags |= FACT_REPEATABLE;
    facts->flags |= computation_of(word, descriptor);
    add_transfer(facts, word, descriptor);
    add_memory(facts, word, descriptor);
}

uint32_t alpha_constant_bits(uint32_t word) {
    static const uint32_t bits[] = {
        [ALPHA_FORMAT_MEMORY] = 0xffff,      [ALPHA_FORMAT_JUMP] = 0x3fff, [ALPHA_FORMAT_BRANCH] = 0x1fffff,
        [ALPHA_FORMAT_LITERAL] = 0xff << 13, [ALPHA_FORMAT_FLOAT] = 0,
    };
    return bits[alpha_decode(word)->format];
}

int64_t alpha_distance(uint32_t word) {
    return 4 * (1 + (int64_t)alpha_branch_displacement(word));
}

struct constants alpha_constants(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    struct constants constants = {.literal = -1};
    switch (descriptor->format) {
    case ALPHA_FORMAT_MEMORY:
        constants.displacement = alpha_memory_displacement(word);
        constants.value = (int64_t)constants.displacement * (descriptor->opcode_id == ALPHA_LDAH ? 65536 : 1);
        break;
    case ALPHA_FORMAT_BRANCH:
        constants.displacement = alpha_branch_displacement(word);
        constants.value = alpha_distance(word);
        break;
    case ALPHA_FORMAT_LITERAL:
        constants.literal = (int32_t)alpha_literal_field(word);
        constants.value = constants.literal;
        break;
    default:
        break;
    }
    return constants;
}

const char *alpha_mnemonic(uint16_t opcode) {
    return alpha_describe(opcode)->mnemonic;
}

enum arithmetic alpha_arithmetic(uint16_t opcode) {
    static const struct {
        const char *begin;
        enum arithmetic operation;
    } operations[] = {
        {"add", ARITHMETIC_ADD},        {"sub", ARITHMETIC_SUBTRACT}, {"mul", ARITHMETIC_MULTIPLY},
        {"umulh", ARITHMETIC_MULTIPLY}, {"div", ARITHMETIC_DIVIDE},
    };
    const char *mnemonic = alpha_mnemonic(opcode);
    if (strncmp(mnemonic, "s4", 2) == 0 ||
        strncmp(mnemonic, "s8", 2) == 0) /* without the scale of s4addq and similar instructions */
        mnemonic += 2;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strncmp(mnemonic, operations[i].begin, strlen(operations[i].begin)) == 0)
            return operations[i].operation;
    return ARITHMETIC_NONE;
}
