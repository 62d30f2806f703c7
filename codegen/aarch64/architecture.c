/* architecture.c: AArch64's registers and conventions, types of relocations, and questions about words.
   Sources: Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64), section 6; ELF for the Arm
   64-bit Architecture, section 5.7; Linux's arch/arm64. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "codegen/aarch64/aarch64.h"
#include "codegen/aarch64/text.h"

enum { PAGE_BYTES = 4096, LARGEST_PAGE_BYTES = 65536 };

#define SYSTEM_CALL UINT32_C(0xd4000001) /* svc #0 */

/* ---- registers ------------------------------------------------------------------------------------------ */

/* The order of registers by how rarely they hold a value: the two that linkers' code may change, temporaries
   from the last that compilers use, the register for nested functions and platforms, the result's address,
   arguments, registers that procedures preserve, the frame, the return address. */
static const uint8_t free_order[] = {17, 16, 15, 14, 13, 12, 11, 10, 9,  18, 8,  7,  6,  5,  4, 3,
                                     2,  1,  0,  28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 30, 29};
enum { TEMPORARY_COUNT = 10 };

#define FLOAT FLOAT_REGISTER

static const uint8_t rename_order[] = {
    30,        17,        16,        18,        15,        14,        13,        12,        11,
    10,        9,         8,         7,         6,         5,         4,         3,         2,
    1,         0,         FLOAT(31), FLOAT(30), FLOAT(29), FLOAT(28), FLOAT(27), FLOAT(26), FLOAT(25),
    FLOAT(24), FLOAT(23), FLOAT(22), FLOAT(21), FLOAT(20), FLOAT(19), FLOAT(18), FLOAT(17), FLOAT(16),
    FLOAT(7),  FLOAT(6),  FLOAT(5),  FLOAT(4),  FLOAT(3),  FLOAT(2),  FLOAT(1),  FLOAT(0)};

/* ---- words ----------------------------------------------------------------------------------------------- */

static bool is_instruction(uint32_t word) {
    return aarch64_decode(word) != NULL;
}

static enum transfer transfer_of_word(uint32_t word) {
    const struct aarch64_encoding *encoding = aarch64_decode(word);
    return encoding ? (enum transfer)encoding->transfer : TRANSFER_TRAP;
}

static bool is_branch(uint32_t word) {
    const struct aarch64_encoding *encoding = aarch64_decode(word);
    if (!encoding || encoding->flags & FACT_INDIRECT)
        return false;
    return encoding->transfer == TRANSFER_COND_BRANCH || encoding->transfer == TRANSFER_BRANCH ||
           encoding->transfer == TRANSFER_CALL;
}

static bool ends_path(uint32_t word) {
    switch (transfer_of_word(word)) {
    case TRANSFER_BRANCH:
    case TRANSFER_RETURN:
    case TRANSFER_JUMP:
    case TRANSFER_TRAP:
        return true;
    default:
        return false;
    }
}

/* A landing pad or the signature of the return address, then the frame is made. */
static bool begins_procedure(uint32_t first, uint32_t second) {
    const uint32_t hint_mask = 0xfffff01f, hint = 0xd503201f;
    const uint32_t pair_mask = 0xffc07fff, saves_frame = 0xa9807bfd; /* stp x29, x30, [sp, #-n]! */
    bool is_pad = (first & hint_mask) == hint && first != hint;
    return (second & pair_mask) == saves_frame && is_pad;
}

/* No constant of a program is in this form: literals are not executed. */
static bool is_system_call(const uint32_t *words, size_t count, size_t at) {
    (void)count;
    return words[at] == SYSTEM_CALL;
}

/* ---- relocations ------------------------------------------------------------------------------------------ */

/* Relocations of instructions that compute addresses, and thread-local ones, concern only code: it is copied
   with the results that it had. */
static enum reference_kind reference_of(uint32_t type) {
    switch (type) {
    case R_AARCH64_ABS64:
        return REFERENCE_ADDRESS;
    case R_AARCH64_ABS32:
        return REFERENCE_ADDRESS_4;
    case R_AARCH64_PREL32:
        return REFERENCE_PLACE_4;
    case R_AARCH64_TSTBR14:
    case R_AARCH64_CONDBR19:
    case R_AARCH64_JUMP26:
    case R_AARCH64_CALL26:
        return REFERENCE_BRANCH;
    case R_AARCH64_NONE:
        return REFERENCE_NONE;
    default:
        break;
    }
    bool computes = (type >= R_AARCH64_MOVW_UABS_G0 && type <= R_AARCH64_LDST8_ABS_LO12_NC) ||
                    (type >= R_AARCH64_LDST16_ABS_LO12_NC && type <= R_AARCH64_MOVW_GOTOFF_G3) ||
                    (type >= R_AARCH64_GOT_LD_PREL19 && type <= R_AARCH64_LD64_GOTPAGE_LO15);
    bool is_local_to_thread = type >= R_AARCH64_TLSGD_ADR_PREL21 && type < R_AARCH64_COPY;
    return computes || is_local_to_thread ? REFERENCE_NONE : REFERENCE_UNKNOWN;
}

/* ---- what attributes and dumps show ----------------------------------------------------------------------- */

/* LLVM's name of the encoding, such as ADDXri. */
static const char *mnemonic(uint16_t opcode) {
    return opcode < aarch64_encoding_count ? aarch64_encoding_name(&aarch64_encodings[opcode]) : "?";
}

static size_t print_word(uint32_t word, uint64_t address, char *text, size_t size) {
    size_t length = aarch64_text(word, address, text, size);
    return length ? length : (size_t)snprintf(text, size, ".inst\t0x%08x", (unsigned)word);
}

static bool mnemonic_begins(uint16_t opcode, const char *name) {
    return strncmp(mnemonic(opcode), name, strlen(name)) == 0;
}

static enum arithmetic arithmetic_of(uint16_t opcode) {
    static const struct {
        const char *name;
        enum arithmetic kind;
    } names[] = {
        {"ADD", ARITHMETIC_ADD},       {"FADD", ARITHMETIC_ADD},       {"SUB", ARITHMETIC_SUBTRACT},
        {"FSUB", ARITHMETIC_SUBTRACT}, {"MUL", ARITHMETIC_MULTIPLY},   {"MADD", ARITHMETIC_MULTIPLY},
        {"FMUL", ARITHMETIC_MULTIPLY}, {"SMULH", ARITHMETIC_MULTIPLY}, {"UMULH", ARITHMETIC_MULTIPLY},
        {"SDIV", ARITHMETIC_DIVIDE},   {"UDIV", ARITHMETIC_DIVIDE},    {"FDIV", ARITHMETIC_DIVIDE},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (mnemonic_begins(opcode, names[i].name))
            return names[i].kind;
    return ARITHMETIC_NONE;
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

static const char *aarch64_register_name(int64_t number) {
    static const char *const names[] = {
        "x0",  "x1",  "x2",  "x3",  "x4",  "x5",   "x6",  "x7",  "x8",  "x9",  "x10", "x11", "x12",
        "x13", "x14", "x15", "x16", "x17", "x18",  "x19", "x20", "x21", "x22", "x23", "x24", "x25",
        "x26", "x27", "x28", "x29", "x30", "nzcv", "v0",  "v1",  "v2",  "v3",  "v4",  "v5",  "v6",
        "v7",  "v8",  "v9",  "v10", "v11", "v12",  "v13", "v14", "v15", "v16", "v17", "v18", "v19",
        "v20", "v21", "v22", "v23", "v24", "v25",  "v26", "v27", "v28", "v29", "v30", "v31",
    };
    if (number == AARCH64_STACK || number == AARCH64_ZERO)
        return number == AARCH64_STACK ? "sp" : "xzr";
    return number >= 0 && number < (int64_t)(sizeof names / sizeof names[0]) ? names[number] : NULL;
}

static const struct register_alias aarch64_aliases[] = {
    {"sp", AARCH64_STACK}, {"fp", AARCH64_FRAME}, {"lr", AARCH64_LINK}, {"xzr", AARCH64_ZERO}, {"", 0}};

const struct architecture aarch64_architecture = {
    .machine = EM_AARCH64,
    .instruction_bytes = 4,
    .page = PAGE_BYTES,
    .largest_page = LARGEST_PAGE_BYTES,
    .system_call = SYSTEM_CALL,
    .registers =
        {
            .stack = AARCH64_STACK,
            .frame = AARCH64_FRAME,
            .link = AARCH64_LINK,
            .zero = AARCH64_ZERO,
            .data_base = REGISTER_NONE,
            .procedure_value = REGISTER_NONE,
            .spill = 16,
            .result = 0,
            .float_result = FLOAT(0),
            .system_call_number = 8,
            .system_call_error = REGISTER_NONE, /* x0 is from -4095 to -1 */
            .first_argument = 0,
            .first_float_argument = FLOAT(0),
            .counts_floats_apart = true,
            .arguments_in_registers = 8,
            .all = REGISTERS(0, AARCH64_FLAGS) | FLOAT_REGISTERS(0, 31),
            .integers = REGISTERS(0, 30),
            .arguments = REGISTERS(0, 8), /* x8: where a large result goes */
            .float_arguments = FLOAT_REGISTERS(0, 7),
            .results = REGISTERS(0, 1) | FLOAT_REGISTERS(0, 3),
            .callee_saved =
                REGISTERS(19, AARCH64_FRAME) | FLOAT_REGISTERS(8, 15), /* v8 to v15: the lower half */
            .fixed = REGISTER_BIT(AARCH64_LINK),
            .landing = REGISTERS(0, 3), /* GCC's EH_RETURN_DATA_REGNO */
            .static_chain = REGISTER_BIT(18),
            .linkage = REGISTERS(16, 17),
            .kept_over_calls = REGISTERS(9, 15), /* glibc's rawmemchr: x14 and x15 over strlen */
            .rare_arguments = REGISTERS(4, 5),
            .thread_pointer = 0,
            .counting = REGISTERS(0, 28),
            .rename_order = rename_order,
            .rename_count = sizeof rename_order,
            .free_order = free_order,
            .free_count = sizeof free_order,
            .temporary_count = TEMPORARY_COUNT,
        },
    .objects = {.reference = reference_of,
                .none = R_AARCH64_NONE,
                .copy = R_AARCH64_COPY,
                .relative = R_AARCH64_RELATIVE,
                .jump_slot = R_AARCH64_JUMP_SLOT,
                .indirect = R_AARCH64_IRELATIVE,
                .program_base = 0x400000},
    .words = {.is_instruction = is_instruction,
              .is_branch = is_branch,
              .ends_path = ends_path,
              .begins_procedure = begins_procedure,
              .is_system_call = is_system_call},
    .decode = aarch64_facts,
    .constant_bits = aarch64_constant_bits,
    .constants = aarch64_constants,
    .distance = aarch64_distance,
    .relative_address = aarch64_relative_address,
    .compute = aarch64_compute,
    .mnemonic = mnemonic,
    .register_name = aarch64_register_name,
    .register_aliases = aarch64_aliases,
    .print = print_word,
    .arithmetic = arithmetic_of,
};
