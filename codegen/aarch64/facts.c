/* facts.c: the facts of AArch64's instructions, from their encodings. */
#include <string.h>

#include "codegen/aarch64/aarch64.h"

/* System registers, by bits 20 to 5 of mrs and msr (DDI 0487, D24). */
enum {
    SYSTEM_NZCV = 0xda10,
    SYSTEM_FPCR = 0xda20,
    SYSTEM_FPSR = 0xda21,
    SYSTEM_TPIDR_EL0 = 0xde82,
};

/* Without their register: dc zva stores a block of zeros, ic ivau makes changed text visible. */
enum { DC_ZVA = 0xd50b7420, IC_IVAU = 0xd50b7520, ANY_REGISTER = 31 };

static int64_t signed_bits(uint32_t word, unsigned shift, unsigned width) {
    return (int64_t)((uint64_t)word << (64 - shift - width)) >> (64 - width);
}

static bool is_named(const struct aarch64_encoding *encoding, const char *name) {
    return strcmp(aarch64_encoding_name(encoding), name) == 0;
}

static bool begins(const struct aarch64_encoding *encoding, const char *name) {
    return strncmp(aarch64_encoding_name(encoding), name, strlen(name)) == 0;
}

/* The register of a field, as facts number it. */
static uint8_t register_of(const struct aarch64_field *field, uint32_t word) {
    unsigned number = aarch64_bits(word, field->shift, field->width) * field->step;
    if (field->kind == AARCH64_FIELD_VECTOR)
        return (uint8_t)FLOAT_REGISTER(number);
    if (field->kind == AARCH64_FIELD_OTHER)
        return REGISTER_NONE;
    if (number == AARCH64_FIELD_31)
        return field->kind == AARCH64_FIELD_STACK ? AARCH64_STACK : AARCH64_ZERO;
    return (uint8_t)number;
}

/* All registers of a field. The register that is always 0, and sp, are in no set. */
static register_set set_of_field(const struct aarch64_field *field, uint32_t word) {
    unsigned first = aarch64_bits(word, field->shift, field->width) * field->step;
    register_set set = 0;
    if (field->kind == AARCH64_FIELD_OTHER)
        return 0;
    for (unsigned i = 0; i < field->count; i++) {
        unsigned number = (first + i) % 32;
        if (field->kind == AARCH64_FIELD_VECTOR)
            set |= FLOAT_BIT(number);
        else if (number != AARCH64_FIELD_31)
            set |= REGISTER_BIT(number);
    }
    return set;
}

static const struct aarch64_field *field_at(const struct aarch64_encoding *encoding, int shift) {
    for (unsigned i = 0; i < AARCH64_FIELDS; i++)
        if (encoding->fields[i].kind != AARCH64_FIELD_NONE && encoding->fields[i].shift == shift)
            return &encoding->fields[i];
    return NULL;
}

static uint8_t register_at(const struct aarch64_encoding *encoding, int shift, uint32_t word) {
    const struct aarch64_field *field = shift < 0 ? NULL : field_at(encoding, shift);
    return field ? register_of(field, word) : REGISTER_NONE;
}

static void add_registers(struct facts *facts, const struct aarch64_encoding *encoding, uint32_t word) {
    static const int shifts[FIELD_REGISTERS] = {0, 5, 16}; /* Rd or Rt, Rn, Rm */
    facts->read = encoding->read;
    facts->written = encoding->written;
    for (unsigned i = 0; i < AARCH64_FIELDS && encoding->fields[i].kind != AARCH64_FIELD_NONE; i++) {
        register_set set = set_of_field(&encoding->fields[i], word);
        facts->read |= encoding->fields[i].read ? set : 0;
        facts->written |= encoding->fields[i].written ? set : 0;
    }
    for (unsigned f = 0; f < FIELD_REGISTERS; f++) {
        const struct aarch64_field *field = field_at(encoding, shifts[f]);
        facts->operand[f] = register_at(encoding, shifts[f], word);
        if (field) {
            facts->fields_read |= (uint8_t)(field->read << f);
            facts->fields_written |= (uint8_t)(field->written << f);
        }
    }
}

static unsigned log2_of(unsigned size) {
    return (unsigned)__builtin_ctz(size);
}

/* Rn is the base also where the size of an access is not known, as in SVE. Literals have none. */
static uint8_t base_of(const struct aarch64_encoding *encoding, uint32_t word) {
    const struct aarch64_field *field = field_at(encoding, 5);
    return field && field->kind == AARCH64_FIELD_STACK ? register_of(field, word) : REGISTER_NONE;
}

static void add_access(struct facts *facts, const struct aarch64_encoding *encoding, uint32_t word) {
    if (!(encoding->flags & (FACT_LOAD | FACT_STORE)))
        return;
    facts->memory_count = 1;
    facts->memory[0] = (struct memory_operand){
        .base = base_of(encoding, word),
        .index = register_at(encoding, encoding->index, word),
        .data = register_at(encoding, encoding->data, word),
        .size = encoding->size,
        .count = encoding->count,
        .is_signed = begins(encoding, "LDRS") || begins(encoding, "LDURS") || begins(encoding, "LDPSW"),
        .writeback = encoding->writeback,
    };
    if (encoding->index >= 0) {
        facts->memory[0].extend = (uint8_t)aarch64_bits(word, 13, 3);
        facts->memory[0].shift = (uint8_t)(aarch64_bits(word, 12, 1) ? log2_of(encoding->size) : 0);
    }
}

/* Of b.cond, by the lowest four bits: cs, cc, hi and ls compare unsigned numbers. */
static uint8_t flags_condition_of(uint32_t word) {
    switch (aarch64_bits(word, 0, 4)) {
    case 2:
        return FLAGS_NOT_BELOW;
    case 3:
        return FLAGS_BELOW;
    case 8:
        return FLAGS_ABOVE;
    case 9:
        return FLAGS_NOT_ABOVE;
    default:
        return FLAGS_OTHER;
    }
}

static void add_control(struct facts *facts, const struct aarch64_encoding *encoding, uint32_t word) {
    switch (encoding->transfer) {
    case TRANSFER_COND_BRANCH:
        facts->tested = AARCH64_FLAGS;
        if (begins(encoding, "CB") || begins(encoding, "TB"))
            facts->tested = register_at(encoding, 0, word);
        else
            facts->flags_condition = flags_condition_of(word);
        if (begins(encoding, "CBZX"))
            facts->condition = CONDITION_ZERO;
        else if (begins(encoding, "CBNZX"))
            facts->condition = CONDITION_NONZERO;
        break;
    case TRANSFER_CALL:
        facts->link = AARCH64_LINK;
        break;
    default:
        break;
    }
    if (encoding->flags & FACT_INDIRECT) {
        uint8_t target = register_at(encoding, 5, word);
        facts->target = target == REGISTER_NONE ? AARCH64_LINK : target; /* retaa */
        facts->flags |= AARCH64_IS(word, SIGNED) ? FACT_AUTHENTICATES : 0;
    }
}

/* mrs, msr, sys and hint: the meaning of their constants. */
static void add_system(struct facts *facts, const struct aarch64_encoding *encoding, uint32_t word) {
    bool reads = is_named(encoding, "MRS"), writes = is_named(encoding, "MSR");
    if (reads || writes) {
        switch (aarch64_bits(word, 5, 16)) {
        case SYSTEM_NZCV:
            *(reads ? &facts->read : &facts->written) |= REGISTER_BIT(AARCH64_FLAGS);
            break;
        case SYSTEM_FPCR:
        case SYSTEM_FPSR:
            facts->flags |= writes ? FACT_FLOAT_STATUS : 0;
            break;
        case SYSTEM_TPIDR_EL0:
            facts->flags |= reads ? FACT_READS_THREAD : FACT_SETS_THREAD;
            break;
        default:
            break;
        }
    } else if ((word & ~(uint32_t)ANY_REGISTER) == DC_ZVA) {
        facts->flags |= FACT_STORE;
        facts->memory_count = 1;
        facts->memory[0] = (struct memory_operand){
            .base = register_at(encoding, 0, word), .index = REGISTER_NONE, .data = REGISTER_NONE};
    } else if ((word & ~(uint32_t)ANY_REGISTER) == IC_IVAU) {
        facts->flags |= FACT_SYNCHRONIZES_TEXT;
    }
    if (is_named(encoding, "HINT") && !facts->read && !facts->written)
        facts->flags |= FACT_NOP;
}

/* Only flags are computed: cmp, cmn, tst. */
static bool only_compares(const struct aarch64_encoding *encoding, uint32_t word) {
    bool sets_flags = begins(encoding, "SUBS") || begins(encoding, "ADDS") || begins(encoding, "ANDS");
    return sets_flags && (encoding->written & REGISTER_BIT(AARCH64_FLAGS)) &&
           aarch64_bits(word, 0, 5) == AARCH64_FIELD_31;
}

static uint32_t constant_kind(const struct aarch64_encoding *encoding, uint32_t word) {
    if (is_named(encoding, "ADDXri") || is_named(encoding, "SUBXri"))
        return FACT_ADDS_CONSTANT;
    if (begins(encoding, "MOVZ") || begins(encoding, "MOVN"))
        return FACT_CONSTANT;
    if (is_named(encoding, "ADR"))
        return FACT_PC_RELATIVE;
    if (is_named(encoding, "ADRP"))
        return FACT_PC_RELATIVE | FACT_HIGH_PART;
    if (encoding->flags & FACT_LOAD && (word & 0x3b000000) == 0x18000000) /* a literal */
        return FACT_PC_RELATIVE;
    return 0;
}

void aarch64_facts(uint32_t word, struct facts *facts) {
    const struct aarch64_encoding *encoding = aarch64_decode(word);
    *facts = (struct facts){.opcode = UINT16_MAX,
                            .major = (uint16_t)(word >> AARCH64_SLOT_SHIFT),
                            .class = CLASS_UNKNOWN,
                            .transfer = TRANSFER_TRAP,
                            .target = REGISTER_NONE,
                            .link = REGISTER_NONE,
                            .tested = REGISTER_NONE,
                            .operand = {REGISTER_NONE, REGISTER_NONE, REGISTER_NONE}};
    if (!encoding)
        return;
    facts->opcode = (uint16_t)(encoding - aarch64_encodings);
    facts->major = (uint16_t)((word & ~aarch64_constant_bits(word)) >> AARCH64_SLOT_SHIFT);
    facts->class = only_compares(encoding, word) ? CLASS_COMPARE : encoding->class;
    facts->transfer = encoding->transfer;
    facts->flags = encoding->flags | constant_kind(encoding, word);
    add_registers(facts, encoding, word);
    add_access(facts, encoding, word);
    add_control(facts, encoding, word);
    add_system(facts, encoding, word);
}

uint32_t aarch64_constant_bits(uint32_t word) {
    const struct aarch64_encoding *encoding = aarch64_decode(word);
    if (!encoding || encoding->class == CLASS_MISC || encoding->class == CLASS_PAL)
        return 0; /* the constants of mrs, hint and sys are their operations */
    uint32_t constants = encoding->constants;
    if (encoding->index >= 0)
        constants &= ~UINT32_C(0xf000); /* how the index is extended */
    if (encoding->transfer == TRANSFER_COND_BRANCH && !encoding->fields[0].kind)
        constants &= ~UINT32_C(0xf); /* the condition */
    return constants;
}

int64_t aarch64_distance(uint32_t word) {
    const struct aarch64_encoding *encoding = aarch64_decode(word);
    if (!encoding || encoding->flags & FACT_INDIRECT)
        return 0;
    switch (encoding->transfer) {
    case TRANSFER_BRANCH:
    case TRANSFER_CALL:
        return 4 * signed_bits(word, 0, 26);
    case TRANSFER_COND_BRANCH:
        return 4 * signed_bits(word, 5, begins(encoding, "TB") ? 14 : 19);
    default:
        return 0;
    }
}

uint64_t aarch64_relative_address(uint32_t word, uint64_t address) {
    bool is_literal = !(aarch64_bits(word, 24, 5) == 0x10);
    int64_t parts = (int64_t)((uint64_t)signed_bits(word, 5, 19) << 2);
    if (is_literal)
        return address + (uint64_t)parts;
    parts |= (int64_t)aarch64_bits(word, 29, 2);
    bool is_page = aarch64_bits(word, 31, 1);
    return is_page ? (address & ~UINT64_C(4095)) + ((uint64_t)parts << 12) : address + (uint64_t)parts;
}

/* Of loads and stores, in bytes. */
static int32_t displacement_of(const struct aarch64_encoding *encoding, uint32_t word) {
    if ((word & 0x3b000000) == 0x39000000) /* an unsigned multiple of the size */
        return (int32_t)(aarch64_bits(word, 10, 12) * encoding->size);
    if ((word & 0x3b200000) == 0x38000000) /* signed bytes */
        return (int32_t)signed_bits(word, 12, 9);
    if ((word & 0x3f200000) == 0x19000000) /* ldapur, stlur */
        return (int32_t)signed_bits(word, 12, 9);
    if (begins(encoding, "STGP"))
        return (int32_t)(signed_bits(word, 15, 7) * 16);
    if ((word & 0x3a000000) == 0x28000000) /* of a pair: a signed multiple of the size */
        return (int32_t)(signed_bits(word, 15, 7) * encoding->size);
    if ((word & 0xff200000) == 0xd9200000) /* tags: a multiple of their granule */
        return (int32_t)(signed_bits(word, 12, 9) * 16);
    if (begins(encoding, "LDRA"))
        return (int32_t)((aarch64_bits(word, 12, 9) - (aarch64_bits(word, 22, 1) << 9)) * 8);
    return 0;
}

struct constants aarch64_constants(uint32_t word) {
    const struct aarch64_encoding *encoding = aarch64_decode(word);
    struct constants constants = {.literal = -1};
    if (!encoding)
        return constants;
    if (encoding->flags & (FACT_LOAD | FACT_STORE)) {
        constants.displacement = displacement_of(encoding, word);
        constants.value = constants.displacement;
    } else if (is_named(encoding, "ADDXri") || is_named(encoding, "SUBXri")) {
        int64_t value = (int64_t)aarch64_bits(word, 10, 12) << (aarch64_bits(word, 22, 1) ? 12 : 0);
        constants.value = is_named(encoding, "ADDXri") ? value : -value;
    } else if (begins(encoding, "MOVZ") || begins(encoding, "MOVN")) {
        uint64_t value = (uint64_t)aarch64_bits(word, 5, 16) << 16 * aarch64_bits(word, 21, 2);
        bool inverted = begins(encoding, "MOVN"), low = !aarch64_bits(word, 31, 1);
        value = inverted ? ~value : value;
        constants.value = (int64_t)(low ? value & UINT32_MAX : value);
    } else {
        constants.value = aarch64_distance(word);
        constants.displacement = (int32_t)(constants.value / 4);
    }
    return constants;
}
