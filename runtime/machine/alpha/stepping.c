/* stepping.c: executes instructions of a context one by one: the kinds that occur in inserted code.
   Semantics: Alpha Architecture Reference Manual, chapter 4. Compiled without floating-point registers. */
#include "runtime/signals/signals.h"
#include "support/search.h"
#include "runtime/kernel/kernel.h"

/* ---- which instruction a word is -------------------------------------------------------------------------- */

const struct atomc_kind *atomc_kind_of(uint32_t word) {
    static const struct atomc_kind invalid = {.opcode = ALPHA_INVALID};
    const struct atomc_kind *kinds = (const struct atomc_kind *)atomc_image.kinds;
    unsigned long number = /* the kinds are sorted; this is the first of the primary opcode */
        FIRST_NOT(0, atomc_image.kind_count, at, alpha_primary(kinds[at].match) < alpha_primary(word));
    for (; number < atomc_image.kind_count && alpha_primary(kinds[number].match) == alpha_primary(word);
         number++)
        if ((word & kinds[number].mask) == kinds[number].match)
            return &kinds[number];
    return &invalid;
}

/* ---- instructions that are executed themselves ----------------------------------------------------------------- */

static void set_context_register(long *registers, unsigned reg, uint64_t value) {
    if (reg != ALPHA_ZERO)
        registers[reg] = (long)value;
}

#define OPERATION(name) OPERATION_##name,
enum { OPERATION_NONE, ALPHA_OPERATIONS(OPERATION) ALPHA_CONVERSIONS(OPERATION) };
#undef OPERATION
#define OPERATION(name) [ALPHA_##name] = OPERATION_##name,
static const uint16_t operations[ALPHA_OPCODE_COUNT] = {ALPHA_OPERATIONS(OPERATION)
                                                            ALPHA_CONVERSIONS(OPERATION)};
#undef OPERATION

/* The operands with which entry.S executes such an instruction: $1-$3, $f1-$f3, FPCR. */
struct operands {
    long integers[3], floats[3], control;
};

/* Executes with the program's FPCR. Returns false if it would trap, or if a trap could not be distinguished
   from a signal that another process sends. */
static int execute_floating(struct saved_context *context, unsigned opcode, struct operands *operands) {
    enum { WORDS = 2, ILL = 4, FPE = 8 };
    unsigned operation = operations[opcode];
    operands->control = context->control;
    if (operation == OPERATION_NONE || !atomc_upcalls.sender_is_known(ILL) ||
        !atomc_upcalls.sender_is_known(FPE) ||
        !atomc_operate(atomc_operations + WORDS * (operation - 1), operands->integers))
        return 0;
    context->control = operands->control;
    return 1;
}

static int operate_really(struct saved_context *context, const struct atomc_kind *kind, uint32_t word) {
    const unsigned fields[] = {alpha_ra(word), alpha_rb(word), alpha_rc(word)};
    struct operands operands;
    for (int i = 0; i < 3; i++) {
        operands.integers[i] = fields[i] == ALPHA_ZERO ? 0 : context->registers[fields[i]];
        operands.floats[i] = fields[i] == ALPHA_ZERO ? 0 : context->floating[fields[i]];
    }
    if (kind->format == ALPHA_FORMAT_LITERAL)
        operands.integers[1] = (long)alpha_literal_field(word);
    if (!execute_floating(context, kind->opcode, &operands))
        return 0;
    if (kind->format == ALPHA_FORMAT_FLOAT && !ALPHA_IS_LIKE(word, FTOIT))
        set_context_register(context->floating, fields[2], (uint64_t)operands.floats[2]);
    else
        set_context_register(context->registers, fields[2], (uint64_t)operands.integers[2]);
    return 1;
}

/* Loads and stores of VAX floating format. They are executed at their own address: the value that qemu-user
   7.2 stores for stf depends on it.
 */
static int access_really(struct saved_context *context, enum alpha_opcode opcode, unsigned long address,
                         unsigned size, unsigned reg) {
    struct operands operands = {.integers = {(long)address}};
    if (address & (size - 1))
        return 0;
    operands.floats[2] = reg == ALPHA_ZERO ? 0 : context->floating[reg];
    if (!execute_floating(context, opcode, &operands))
        return 0;
    if (opcode == ALPHA_LDF || opcode == ALPHA_LDG)
        set_context_register(context->floating, reg, (uint64_t)operands.floats[2]);
    return 1;
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* The aligned bytes at an address. Returns false if they cannot be read. */
static int load_aligned(unsigned long address, unsigned size, uint64_t *value) {
    long quad;
    if (address & (size - 1) || !atomc_try_load(address & ~7UL, &quad))
        return 0;
    *value = (uint64_t)quad >> 8 * (address & 7);
    if (size < 8)
        *value &= (UINT64_C(1) << 8 * size) - 1;
    return 1;
}

static int store_aligned(unsigned long address, unsigned size, uint64_t value) {
    return !(address & (size - 1)) && atomc_try_store((long)address, (long)value, size);
}

/* Converts a float in memory format to register format: Manual, 4.7.4 (lds). */
static uint64_t as_register(uint32_t single) {
    uint64_t sign = single >> 31, exponent = single >> 23 & 0xff, fraction = single & 0x7fffff;
    uint64_t high = exponent >> 7, low = exponent & 0x7f;
    uint64_t wide = exponent == 0 ? 0 : exponent == 0xff ? 0x7ff : high << 10 | (high ? 0 : 0x380) | low;
    return sign << 63 | wide << 52 | fraction << 29;
}
static uint32_t as_memory(uint64_t value) {
    return (uint32_t)(value >> 62 << 30 | (value >> 29 & ((1 << 30) - 1)));
}

static int load_locked(struct atomc_stepper *stepper, unsigned long address, unsigned size, unsigned reg) {
    uint64_t value;
    if (!load_aligned(address, size, &value))
        return 0;
    stepper->locked = address;
    stepper->locked_value = value;
    set_context_register(stepper->context->registers, reg, size == 4 ? (uint64_t)(int32_t)value : value);
    return 1;
}

/* No other thread's store may intervene: the value must be unchanged. */
static int store_conditional(struct atomc_stepper *stepper, unsigned long address, unsigned size,
                             unsigned reg) {
    long value = reg == ALPHA_ZERO ? 0 : stepper->context->registers[reg];
    int stored = 0;
    if (stepper->locked == address && address)
        stored = size == 8 ? __sync_bool_compare_and_swap((uint64_t *)address, stepper->locked_value,
                                                          (uint64_t)value)
                           : __sync_bool_compare_and_swap((uint32_t *)address,
                                                          (uint32_t)stepper->locked_value, (uint32_t)value);
    stepper->locked = 0;
    set_context_register(stepper->context->registers, reg, (uint64_t)stored);
    return 1;
}

/* Returns false if it is not such an instruction, or would fault. */
static int access_memory(struct atomc_stepper *stepper, enum alpha_opcode opcode, unsigned long address,
                         unsigned reg) {
    long *registers = stepper->context->registers, *floating = stepper->context->floating;
    uint64_t value = reg == ALPHA_ZERO ? 0 : (uint64_t)registers[reg], loaded;
    switch (opcode) {
    case ALPHA_LDQ:
        return load_aligned(address, 8, &loaded) ? set_context_register(registers, reg, loaded), 1 : 0;
    case ALPHA_LDL:
        return load_aligned(address, 4, &loaded)
               ? set_context_register(registers, reg, (uint64_t)(int32_t)loaded),
               1 : 0;
    case ALPHA_LDQ_U:
        return load_aligned(address & ~7UL, 8, &loaded) ? set_context_register(registers, reg, loaded), 1 : 0;
    case ALPHA_LDBU:
        return load_aligned(address, 1, &loaded) ? set_context_register(registers, reg, loaded), 1 : 0;
    case ALPHA_LDWU:
        return load_aligned(address, 2, &loaded) ? set_context_register(registers, reg, loaded), 1 : 0;
    case ALPHA_LDT:
        return load_aligned(address, 8, &loaded) ? set_context_register(floating, reg, loaded), 1 : 0;
    case ALPHA_LDS:
        return load_aligned(address, 4, &loaded)
               ? set_context_register(floating, reg, as_register((uint32_t)loaded)),
               1 : 0;
    case ALPHA_LDQ_L:
        return load_locked(stepper, address, 8, reg);
    case ALPHA_LDL_L:
        return load_locked(stepper, address, 4, reg);
    case ALPHA_STQ:
        return store_aligned(address, 8, value);
    case ALPHA_STL:
        return store_aligned(address, 4, value);
    case ALPHA_STQ_U:
        return store_aligned(address & ~7UL, 8, value);
    case ALPHA_STB:
        return store_aligned(address, 1, value);
    case ALPHA_STW:
        return store_aligned(address, 2, value);
    case ALPHA_STT:
        return store_aligned(address, 8, reg == ALPHA_ZERO ? 0 : (uint64_t)floating[reg]);
    case ALPHA_STS:
        return store_aligned(address, 4, reg == ALPHA_ZERO ? 0 : as_memory((uint64_t)floating[reg]));
    case ALPHA_LDF:
    case ALPHA_STF:
        return access_really(stepper->context, opcode, address, 4, reg);
    case ALPHA_LDG:
    case ALPHA_STG:
        return access_really(stepper->context, opcode, address, 8, reg);
    case ALPHA_STQ_C:
        return store_conditional(stepper, address, 8, reg);
    case ALPHA_STL_C:
        return store_conditional(stepper, address, 4, reg);
    default:
        return 0;
    }
}

/* ---- other instructions -------------------------------------------------------------------------------------- */

static int execute_operate(struct saved_context *context, const struct atomc_kind *kind, uint32_t word) {
    enum alpha_opcode opcode = (enum alpha_opcode)kind->opcode;
    unsigned ra = alpha_ra(word), rb = alpha_rb(word);
    uint64_t a = ra == ALPHA_ZERO ? 0 : (uint64_t)context->registers[ra], result;
    uint64_t b = kind->format == ALPHA_FORMAT_LITERAL ? alpha_literal_field(word)
                 : rb == ALPHA_ZERO                   ? 0
                                                      : (uint64_t)context->registers[rb];
    bool holds;
    if (alpha_condition(opcode, a, &holds)) {
        if (holds)
            set_context_register(context->registers, alpha_rc(word), b);
        return 1;
    }
    if (!alpha_evaluate(opcode, a, b, &result))
        return operate_really(context, kind, word);
    set_context_register(context->registers, alpha_rc(word), result);
    return 1;
}

static int operate_floating(struct saved_context *context, const struct atomc_kind *kind, uint32_t word) {
    const uint64_t sign = UINT64_C(1) << 63, exponent = UINT64_C(0x7ff) << 52;
    unsigned fa = alpha_ra(word), fb = alpha_rb(word), fc = alpha_rc(word);
    uint64_t a = fa == ALPHA_ZERO ? 0 : (uint64_t)context->floating[fa];
    uint64_t b = fb == ALPHA_ZERO ? 0 : (uint64_t)context->floating[fb];
    switch (kind->opcode) {
    case ALPHA_CPYS:
        set_context_register(context->floating, fc, (a & sign) | (b & ~sign));
        return 1;
    case ALPHA_CPYSN:
        set_context_register(context->floating, fc, (~a & sign) | (b & ~sign));
        return 1;
    case ALPHA_CPYSE:
        set_context_register(context->floating, fc, (a & (sign | exponent)) | (b & ~(sign | exponent)));
        return 1;
    case ALPHA_MF_FPCR:
        set_context_register(context->floating, fa, (uint64_t)context->control);
        return 1;
    case ALPHA_MT_FPCR:
        context->control = (long)a;
        return 1;
    case ALPHA_FTOIT:
        set_context_register(context->registers, fc, a);
        return 1;
    case ALPHA_ITOFT:
        set_context_register(context->floating, fc, fa == ALPHA_ZERO ? 0 : (uint64_t)context->registers[fa]);
        return 1;
    default:
        return operate_really(context, kind, word);
    }
}

/* Returns false if the opcode is not a conditional branch. */
static int find_branch_condition(const struct saved_context *context, enum alpha_opcode opcode, unsigned reg,
                                 bool *holds) {
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t value = reg == ALPHA_ZERO ? 0 : (uint64_t)context->floating[reg];
    int is_zero = !(value & ~sign), is_less = !is_zero && value & sign;
    switch (opcode) {
    case ALPHA_FBEQ:
        *holds = is_zero;
        return 1;
    case ALPHA_FBNE:
        *holds = !is_zero;
        return 1;
    case ALPHA_FBLT:
        *holds = is_less;
        return 1;
    case ALPHA_FBGE:
        *holds = !is_less;
        return 1;
    case ALPHA_FBLE:
        *holds = is_less || is_zero;
        return 1;
    case ALPHA_FBGT:
        *holds = !is_less && !is_zero;
        return 1;
    default:
        return alpha_condition(opcode, reg == ALPHA_ZERO ? 0 : (uint64_t)context->registers[reg], holds);
    }
}

/* The PALcode calls that inserted code makes. */
static int call_pal(struct saved_context *context, uint32_t function) {
    switch (function) {
    case ALPHA_PAL_RDUNIQ:
        context->registers[0] = thread_pointer();
        return 1;
    case ALPHA_PAL_IMB:
        flush_instructions();
        return 1;
    case ALPHA_PAL_WRUNIQ:
        set_thread_pointer(context->registers[16]);
        return 1;
    default:
        return 0;
    }
}

/* ---- one instruction ----------------------------------------------------------------------------------------- */

/* A conditional branch, an operation, or an access of memory. False if it cannot be executed here. */
static int execute_formatted(struct atomc_stepper *stepper, const struct atomc_kind *kind, uint32_t word,
                             unsigned long *next) {
    struct saved_context *context = stepper->context;
    enum alpha_opcode opcode = (enum alpha_opcode)kind->opcode;
    unsigned ra = alpha_ra(word), rb = alpha_rb(word);
    uint64_t b = rb == ALPHA_ZERO ? 0 : (uint64_t)context->registers[rb];
    int64_t displacement = alpha_memory_displacement(word);
    int done;
    bool holds;
    if (kind->format == ALPHA_FORMAT_BRANCH)
        done = find_branch_condition(context, opcode, ra, &holds);
    else if (kind->format == ALPHA_FORMAT_OPERATE || kind->format == ALPHA_FORMAT_LITERAL)
        done = execute_operate(context, kind, word);
    else if (kind->format == ALPHA_FORMAT_FLOAT)
        done = operate_floating(context, kind, word);
    else
        done = access_memory(stepper, opcode, atomc_upcalls.spilled_at(b + (uint64_t)displacement), ra);
    if (done && kind->format == ALPHA_FORMAT_BRANCH && holds)
        *next += 4 * (unsigned long)(long)alpha_branch_displacement(word);
    return done;
}

int atomc_step(struct atomc_stepper *stepper) {
    return atomc_step_as(stepper, atomc_read_stepped((const uint32_t *)stepper->context->pc));
}

int atomc_step_as(struct atomc_stepper *stepper, uint32_t word) {
    struct saved_context *context = stepper->context;
    unsigned long pc = (unsigned long)context->pc, next = pc + 4;
    const struct atomc_kind *kind = atomc_kind_of(word);
    enum alpha_opcode opcode = (enum alpha_opcode)kind->opcode;
    unsigned ra = alpha_ra(word), rb = alpha_rb(word);
    uint64_t b = rb == ALPHA_ZERO ? 0 : (uint64_t)context->registers[rb];
    int64_t displacement = alpha_memory_displacement(word);
    int done = 1;
    switch (opcode) {
    case ALPHA_INVALID:
        return 0;
    case ALPHA_MB:
    case ALPHA_WMB:
        __sync_synchronize();
        break;
    case ALPHA_TRAPB:
    case ALPHA_EXCB:
    case ALPHA_FETCH: /* only hints */
    case ALPHA_FETCH_M:
    case ALPHA_ECB:
    case ALPHA_WH64:
    case ALPHA_WH64EN:
        break;
    case ALPHA_RPCC:
        set_context_register(context->registers, ra, (uint64_t)cycle_counter());
        break;
    case ALPHA_RC:
    case ALPHA_RS:
        set_context_register(context->registers, ra, (uint64_t)stepper->interrupt_flag);
        stepper->interrupt_flag = opcode == ALPHA_RS;
        break;
    case ALPHA_LDA:
        set_context_register(context->registers, ra, b + (uint64_t)displacement);
        break;
    case ALPHA_LDAH:
        set_context_register(context->registers, ra, b + (uint64_t)(65536 * displacement));
        break;
    case ALPHA_CALL_PAL:
        done = call_pal(context, alpha_pal_function(word));
        break;
    case ALPHA_BR:
    case ALPHA_BSR:
        set_context_register(context->registers, ra, next);
        next += 4 * (unsigned long)(long)alpha_branch_displacement(word);
        break;
    case ALPHA_JMP:
    case ALPHA_JSR:
    case ALPHA_RET:
    case ALPHA_JSR_COROUTINE:
        set_context_register(context->registers, ra, next);
        next = b & ~UINT64_C(3);
        break;
    default:
        done = execute_formatted(stepper, kind, word, &next);
    }
    if (done)
        context->pc = (long)next;
    return done;
}
