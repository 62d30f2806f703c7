/* architecture.c: Alpha's registers, conventions, names and functions, as one constant. */
#include <elf.h>

#include "codegen/alpha/alpha.h"
#include "codegen/alpha/architecture.h"
#include "codegen/alpha/system_call_words.h"

/* The order of registers by how rarely they hold a value: temporaries, the procedure's value, the result,
   arguments, registers that procedures preserve, the return address, $gp. Among temporaries, the registers
   that compilers use last are first. If a register that holds a value has to be saved in any case, all such
   registers are equal. */
static const uint8_t free_order[] = {28, 25, 24, 23, 22, 8,  7, 6,  5,  4,  3,  2,  1,  27, 0,
                                     21, 20, 19, 18, 17, 16, 9, 10, 11, 12, 13, 14, 15, 26, 29};
enum { TEMPORARY_COUNT = 13 };

#define FLOAT FLOAT_REGISTER

static const uint8_t rename_order[] = {
    26,        28,        27,        25,        24,        23,        22,        8,         7,
    6,         5,         4,         3,         2,         1,         0,         21,        20,
    19,        18,        17,        16,        FLOAT(30), FLOAT(29), FLOAT(28), FLOAT(27), FLOAT(26),
    FLOAT(25), FLOAT(24), FLOAT(23), FLOAT(22), FLOAT(15), FLOAT(14), FLOAT(13), FLOAT(12), FLOAT(11),
    FLOAT(10), FLOAT(1),  FLOAT(0),  FLOAT(21), FLOAT(20), FLOAT(19), FLOAT(18), FLOAT(17), FLOAT(16)};

static const char *alpha_register_name(int64_t number) {
    static const char *const names[] = {
        "v0",  "t0",  "t1",  "t2",  "t3",  "t4",   "t5",  "t6",  "t7",  "s0",  "s1",  "s2",  "s3",
        "s4",  "s5",  "fp",  "a0",  "a1",  "a2",   "a3",  "a4",  "a5",  "t8",  "t9",  "t10", "t11",
        "ra",  "t12", "at",  "gp",  "sp",  "zero", "f0",  "f1",  "f2",  "f3",  "f4",  "f5",  "f6",
        "f7",  "f8",  "f9",  "f10", "f11", "f12",  "f13", "f14", "f15", "f16", "f17", "f18", "f19",
        "f20", "f21", "f22", "f23", "f24", "f25",  "f26", "f27", "f28", "f29", "f30", "f31",
    };
    return number >= 0 && number < (int64_t)(sizeof names / sizeof names[0]) ? names[number] : NULL;
}

static const struct register_alias alpha_aliases[] = {{"s6", 15}, {"pv", 27}, {"", 0}};

static bool is_system_call(const uint32_t *words, size_t count, size_t at) {
    return alpha_is_system_call(words, count, at);
}

static bool is_instruction(uint32_t word) {
    return alpha_decode(word)->format != ALPHA_FORMAT_INVALID;
}

static bool is_branch(uint32_t word) {
    return alpha_is_branch(word);
}

static bool ends_path(uint32_t word) {
    return alpha_ends_path(word);
}

/* ldah $29,n($27); lda $29,n($29). */
static bool begins_procedure(uint32_t first, uint32_t second) {
    return ALPHA_IS(first, LDAH) && ALPHA_IS(second, LDA) && alpha_ra(first) == ALPHA_GP &&
           alpha_rb(first) == ALPHA_PV && alpha_ra(second) == ALPHA_GP && alpha_rb(second) == ALPHA_GP;
}

static enum reference_kind reference_of(uint32_t type) {
    switch (type) {
    case R_ALPHA_NONE:
    case R_ALPHA_GPDISP:
    case R_ALPHA_LITUSE:
    case R_ALPHA_HINT:
    case R_ALPHA_TLSGD:
    case R_ALPHA_TLS_LDM:
    case R_ALPHA_DTPMOD64:
    case R_ALPHA_GOTDTPREL:
    case R_ALPHA_DTPREL64:
    case R_ALPHA_DTPRELHI:
    case R_ALPHA_DTPRELLO:
    case R_ALPHA_DTPREL16:
    case R_ALPHA_GOTTPREL:
    case R_ALPHA_TPREL64:
    case R_ALPHA_TPRELHI:
    case R_ALPHA_TPRELLO:
    case R_ALPHA_TPREL16:
        return REFERENCE_NONE;
    case R_ALPHA_BRADDR:
    case R_ALPHA_TLS_GD_HI: /* binutils call the relocation of this number BRSGP */
        return REFERENCE_BRANCH;
    case R_ALPHA_REFQUAD:
        return REFERENCE_ADDRESS;
    case R_ALPHA_REFLONG:
        return REFERENCE_ADDRESS_4;
    case R_ALPHA_GPREL32:
        return REFERENCE_DATA_4;
    case R_ALPHA_SREL32:
        return REFERENCE_PLACE_4;
    case R_ALPHA_GPREL16:
        return REFERENCE_DATA_2;
    case R_ALPHA_LITERAL:
        return REFERENCE_TABLE;
    case R_ALPHA_GPRELHIGH:
        return REFERENCE_HIGH;
    case R_ALPHA_GPRELLOW:
        return REFERENCE_LOW;
    default:
        return REFERENCE_UNKNOWN;
    }
}

const struct architecture alpha_architecture = {
    .machine = EM_ALPHA,
    .instruction_bytes = 4,
    .page = ALPHA_PAGE_BYTES,
    .largest_page = ALPHA_LARGEST_PAGE_BYTES,
    .system_call = ALPHA_PAL_CALLSYS,
    .registers =
        {
            .stack = ALPHA_SP,
            .frame = ALPHA_FP,
            .link = ALPHA_RA,
            .zero = ALPHA_ZERO,
            .data_base = ALPHA_GP,
            .procedure_value = ALPHA_PV,
            .spill = ALPHA_AT,
            .result = ALPHA_V0,
            .float_result = FLOAT_REGISTER(ALPHA_V0),
            .system_call_number = ALPHA_V0,
            .system_call_error = ALPHA_A3,
            .first_argument = ALPHA_A0,
            .first_float_argument = FLOAT_REGISTER(ALPHA_A0),
            .arguments_in_registers = REGISTER_ARGUMENTS,
            .all = ALL_REGISTERS,
            .integers = INTEGER_REGISTERS,
            .arguments = ARGUMENT_REGISTERS,
            .float_arguments = FLOAT_ARGUMENT_REGISTERS,
            .results = RESULT_REGISTERS,
            .callee_saved = CALLEE_SAVED,
            .fixed = REGISTERS(ALPHA_RA, ALPHA_SP),
            .landing = REGISTERS(ALPHA_A0, ALPHA_A3), /* GCC's EH_RETURN_DATA_REGNO */
            .static_chain = REGISTER_BIT(1),
            .linkage = REGISTER_BIT(25) | REGISTER_BIT(ALPHA_AT),
            .rare_arguments = REGISTERS(ALPHA_A4, ALPHA_A5),
            .thread_pointer = REGISTER_BIT(ALPHA_V0),
            .counting = REGISTERS(0, ALPHA_GP) & ~REGISTER_BIT(ALPHA_RA),
            .rename_order = rename_order,
            .rename_count = sizeof rename_order,
            .free_order = free_order,
            .free_count = sizeof free_order,
            .temporary_count = TEMPORARY_COUNT,
        },
    .objects = {.reference = reference_of,
                .none = R_ALPHA_NONE,
                .copy = R_ALPHA_COPY,
                .relative = R_ALPHA_RELATIVE,
                .jump_slot = R_ALPHA_JMP_SLOT,
                .addend_in_word = true,
                .program_base = 0x120000000,
                .read_only_linkage = 0x70000000}, /* DT_ALPHA_PLTRO */
    .words = {.is_instruction = is_instruction,
              .is_branch = is_branch,
              .ends_path = ends_path,
              .begins_procedure = begins_procedure,
              .is_system_call = is_system_call},
    .decode = alpha_facts,
    .constant_bits = alpha_constant_bits,
    .constants = alpha_constants,
    .distance = alpha_distance,
    .compute = alpha_compute,
    .mnemonic = alpha_mnemonic,
    .register_name = alpha_register_name,
    .register_aliases = alpha_aliases,
    .arithmetic = alpha_arithmetic,
    .print = alpha_print,
    .stepped = alpha_stepped,
    .pipeline = alpha_pipeline,
};
