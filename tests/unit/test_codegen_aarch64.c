/* test_codegen_aarch64.c: facts of AArch64's instructions, beside what binutils' disassembler prints of each
   different word of the C and C++ libraries: registers, what is read and written, addresses, targets. Nothing
   in it knows LLVM. Requires cmocka and the AArch64 cross compilers. */
#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "codegen/aarch64/aarch64.h"
#include "support/support.h"

enum { MOST_OPERANDS = 8, MOST_WRONG = 20 };

/* One line of the disassembler. */
struct line {
    uint64_t address;
    uint32_t word;
    char mnemonic[32], operands[200];
    register_set all, first, others; /* registers that are named: all; in the first operand; in later ones */
    uint8_t base;                    /* in brackets; REGISTER_NONE */
    bool has_address, before, after; /* brackets, with ! or followed by a constant */
    bool has_displacement;
    int64_t displacement;
};

/* The registers of one name at *text, which moves to its end. 0: no register. */
static register_set named(const char **text, uint8_t *number) {
    const char *at = *text;
    char letter = *at;
    *number = REGISTER_NONE;
    if ((at > *text && isalnum((unsigned char)at[-1])) || !strchr("xwvqdshbz", letter) || !letter)
        return 0;
    if (strncmp(at, "sp", 2) == 0 && !isalnum((unsigned char)at[2])) {
        *number = AARCH64_STACK;
        *text += 2;
        return 0;
    }
    if (!isdigit((unsigned char)at[1]) || (at[1] == '0' && isdigit((unsigned char)at[2]))) /* an address */
        return 0;
    char *end;
    unsigned long reg = strtoul(at + 1, &end, 10);
    if (reg > 31 || isalnum((unsigned char)*end) || *end == '_')
        return 0;
    bool is_integer = letter == 'x' || letter == 'w';
    *number = (uint8_t)(is_integer ? reg : FLOAT_REGISTER(reg));
    register_set set = REGISTER_BIT(*number);
    /* a list: {v0.16b-v3.16b} */
    const char *dash = strchr(end, '-'), *stop = strpbrk(end, ",}] ");
    if (dash && (!stop || dash < stop) && dash[1] == letter) {
        unsigned long last = strtoul(dash + 2, &end, 10);
        for (unsigned long r = reg; r != (last + 1) % 32; r = (r + 1) % 32)
            set |= FLOAT_BIT(r);
    }
    *text = end;
    return set;
}

static void read_operands(struct line *line) {
    unsigned operand = 0, depth = 0;
    bool in_address = false, begins = true;
    for (const char *at = line->operands; *at && *at != '<' && strncmp(at, "//", 2) != 0;) {
        uint8_t number;
        const char *before = at;
        if (*at == '[' && begins) {
            in_address = line->has_address = true;
            depth++;
            at++;
            continue;
        }
        if (*at == '{' || *at == '(')
            depth++;
        if (*at == '}' || *at == ')')
            depth--;
        if (*at == ']' && in_address) {
            line->before = at[1] == '!';
            line->after = at[1] == ',' && at[2] == ' ';
            in_address = false;
            depth--;
        }
        if (*at == ',' && depth == 0)
            operand++;
        if (*at == '#' && line->has_address && !line->has_displacement &&
            strncmp(line->mnemonic, "prf", 3) != 0 && (in_address || line->after)) {
            line->displacement = strtoll(at + 1, NULL, 0);
            line->has_displacement = true;
        }
        bool is_word = at == line->operands || !isalnum((unsigned char)at[-1]);
        register_set set = is_word ? named(&at, &number) : 0;
        if (is_word && number != REGISTER_NONE) {
            if (in_address && line->base == REGISTER_NONE)
                line->base = number;
            line->all |= set;
            *(operand == 0 ? &line->first : &line->others) |= set;
            begins = true;
            continue;
        }
        begins = *before == ' ' || *before == ',' || at == line->operands;
        at = before + 1;
    }
}

static bool parse(const char *text, struct line *line) {
    memset(line, 0, sizeof *line);
    line->base = REGISTER_NONE;
    if (sscanf(text, " %" SCNx64 ": %8" SCNx32 " %31s %199[^\n]", &line->address, &line->word, line->mnemonic,
               line->operands) < 3)
        return false;
    read_operands(line);
    return true;
}

static bool is_one_of(const char *word, const char *words) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at++)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static const char *wrong_registers(const struct line *line, const struct facts *facts) {
    static const char only_reads[] =
        "cmp cmn tst ccmp ccmn fcmp fcmpe fccmp fccmpe cbz cbnz tbz tbnz br blr ret msr "
        "dc ic at tlbi prfm prfum braa brab blraa blrab gcsss1 gcspushm gcspushx";
    static const char hidden[] =
        "bl blr ret svc paciasp autiasp pacibsp autibsp paciaz autiaz pacia1716 autia1716 "
        "xpaclri retaa retab blraa blrab hint";
    const register_set flags = REGISTER_BIT(AARCH64_FLAGS);
    register_set all = (facts->read | facts->written) & ~flags;
    if (line->all & ~all)
        return "a register is missing";
    bool is_any_of_four = strstr(line->operands, "za") != NULL; /* the index of a row */
    if ((all & ~line->all) && !is_any_of_four && !is_one_of(line->mnemonic, hidden))
        return "there is a register too many";
    bool stores = strncmp(line->mnemonic, "st", 2) == 0;
    bool is_status = stores && strstr(line->mnemonic, "x") && strcmp(line->mnemonic, "stxvl") != 0;
    if ((stores && !is_status) || is_one_of(line->mnemonic, only_reads)) {
        register_set written = facts->written & ~flags & ~REGISTER_BIT(AARCH64_LINK);
        if (facts->memory_count && facts->memory[0].writeback)
            written &= ~set_of(facts->memory[0].base);
        if (written)
            return "a register is called written";
        if (line->all & ~facts->read & ~REGISTER_BIT(AARCH64_LINK))
            return "a register is not called read";
    } else {
        if (line->first & ~facts->written &&
            !is_one_of(line->mnemonic, "cas casa casl casal casb casab caslb casalb"))
            return "the first register is not called written";
        bool is_pair = strncmp(line->mnemonic, "ldp", 3) == 0 || strncmp(line->mnemonic, "ldnp", 4) == 0 ||
                       strncmp(line->mnemonic, "ldxp", 4) == 0 || strncmp(line->mnemonic, "ldaxp", 5) == 0;
        bool is_atomic = strncmp(line->mnemonic, "ld", 2) == 0 && !line->first;
        bool swaps = strncmp(line->mnemonic, "swp", 3) == 0 || strncmp(line->mnemonic, "cas", 3) == 0 ||
                     strncmp(line->mnemonic, "ldadd", 5) == 0 || strncmp(line->mnemonic, "ldset", 5) == 0 ||
                     strncmp(line->mnemonic, "ldclr", 5) == 0 || strncmp(line->mnemonic, "ldeor", 5) == 0;
        if (!is_pair && !is_atomic && !swaps && line->others & ~facts->read)
            return "a later register is not called read";
    }
    return NULL;
}

/* cpyp, cpym, cpye, setp and so on: as many bytes as a register says. */
static bool moves_memory(const struct line *line) {
    return strncmp(line->mnemonic, "cpy", 3) == 0 ||
           is_one_of(line->mnemonic, "setp setm sete setgp setgm setge");
}

static const char *wrong_flags(const struct line *line, const struct facts *facts) {
    static const char writers[] =
        "adds subs cmp cmn ands tst bics adcs sbcs negs ngcs ccmp ccmn fcmp fcmpe fccmp fccmpe "
        "whilelo whilelt ptest";
    static const char readers[] =
        "csel csinc csinv csneg cset csetm cinc cinv cneg ccmp ccmn fcsel fccmp fccmpe adc adcs "
        "sbc sbcs ngc ngcs";
    const register_set flags = REGISTER_BIT(AARCH64_FLAGS);
    /* cpyp, cpyfp, setp, setgp: the first of three, which tells the others by flags how it works */
    if (moves_memory(line)) {
        const char *stage = line->mnemonic + 3;
        stage += *stage == 'f' || *stage == 'g';
        register_set expected = *stage == 'p' ? facts->written : facts->read;
        return expected & flags ? NULL : "flags of a move of memory";
    }
    bool is_system = strcmp(line->mnemonic, "mrs") == 0 || strcmp(line->mnemonic, "msr") == 0;
    if (!is_system && is_one_of(line->mnemonic, writers) != ((facts->written & flags) != 0))
        return "flags: written?";
    if (!is_system && (is_one_of(line->mnemonic, readers) || strncmp(line->mnemonic, "b.", 2) == 0) !=
                          ((facts->read & flags) != 0))
        return "flags: read?";
    return NULL;
}

static const char *wrong_address(const struct line *line, const struct facts *facts,
                                 const struct constants *constants) {
    bool accesses = line->has_address && facts->class != CLASS_MISC;
    if (!accesses)
        return NULL;
    bool scalable = strchr(line->operands, 'z') == line->operands + 1 || line->operands[0] == 'z' ||
                    line->operands[0] == 'p';
    if (moves_memory(line))
        return facts->flags & FACT_STORE ? NULL : "no access";
    if (scalable) /* SVE: the size is the processor's */
        return facts->memory_count == 1 && facts->memory[0].base == line->base ? NULL
                                                                               : "no access, or another base";
    if (facts->memory_count != 1 || facts->memory[0].size == 0 || facts->memory[0].count == 0)
        return "no access, or no size";
    if (facts->memory[0].base != line->base)
        return "another base";
    if (facts->memory[0].writeback != (line->before ? WRITEBACK_BEFORE : line->after ? WRITEBACK_AFTER : 0))
        return "written back?";
    bool is_list = facts->memory[0].count > 1 && facts->memory[0].writeback == WRITEBACK_AFTER &&
                   !(facts->flags & FACT_WHOLE_REGISTER); /* the list's length */
    bool of_index = facts->memory[0].index != REGISTER_NONE;
    int64_t displacement = line->has_displacement ? line->displacement : 0;
    if (!is_list && !of_index && strncmp(line->mnemonic, "ld1", 3) != 0 &&
        strncmp(line->mnemonic, "st1", 3) != 0 && constants->displacement != displacement)
        return "another displacement";
    return NULL;
}

static const char *wrong_target(const struct line *line, const struct facts *facts,
                                const struct constants *constants) {
    bool is_direct = (facts->transfer == TRANSFER_BRANCH || facts->transfer == TRANSFER_CALL ||
                      facts->transfer == TRANSFER_COND_BRANCH) &&
                     !(facts->flags & FACT_INDIRECT);
    bool should = strcmp(line->mnemonic, "b") == 0 || strcmp(line->mnemonic, "bl") == 0 ||
                  strncmp(line->mnemonic, "b.", 2) == 0 || is_one_of(line->mnemonic, "cbz cbnz tbz tbnz");
    if (is_direct != should)
        return "a branch?";
    bool is_relative = facts->flags & FACT_PC_RELATIVE;
    if (is_relative != is_one_of(line->mnemonic, "adr adrp") &&
        is_relative != (facts->memory_count && !line->has_address && facts->memory[0].base == REGISTER_NONE))
        return "relative to the instruction?";
    if (!is_direct && !is_relative)
        return NULL;
    const char *last = strrchr(line->operands, ' ');
    for (const char *at = line->operands; (at = strchr(at, '<')); at++) /* the address is before <name+n> */
        for (last = at - 1; last > line->operands && last[-1] != ' ' && last[-1] != '\t'; last--)
            ;
    uint64_t target = strtoull(last ? last : line->operands, NULL, 16);
    if (is_relative)
        return aarch64_relative_address(line->word, line->address) == target ? NULL : "another address";
    return line->address + (uint64_t)constants->value == target ? NULL : "another target";
}

static const char *wrong_shared(uint32_t word) {
    struct facts own, shared;
    aarch64_facts(word, &own);
    aarch64_facts(word & ~aarch64_constant_bits(word), &shared);
    return memcmp(&own, &shared, sizeof own) == 0 ? NULL : "not the facts of the word without constants";
}

/* ---- beside execution ------------------------------------------------------------------------------------------- */

enum {
    EXAMPLES = 3,
    MOST_ENCODINGS = 8192,
    NEAR_BYTES = 1800 /* observe.c has 2 KB on both sides of an address */
};
static uint32_t examples[MOST_ENCODINGS][EXAMPLES]; /* per encoding: different words of the libraries */

/* Different registers in its fields show more. */
static void note_example(uint32_t word, const struct facts *facts) {
    uint32_t *words = examples[facts->opcode % MOST_ENCODINGS], bare = word & ~aarch64_constant_bits(word);
    for (unsigned i = 0; i < EXAMPLES; i++) {
        if ((words[i] & ~aarch64_constant_bits(words[i])) == bare)
            return;
        if (!words[i]) {
            words[i] = word;
            return;
        }
    }
}

static void agrees_with_binutils(void **state) {
    (void)state;
    static const char *const files[] = {"/usr/aarch64-linux-gnu/lib/libc.so.6",
                                        "/usr/aarch64-linux-gnu/lib/libm.so.6",
                                        "/usr/aarch64-linux-gnu/lib/libstdc++.so.6"};
    if (access("/usr/bin/aarch64-linux-gnu-objdump", X_OK) != 0 || access(files[0], R_OK) != 0)
        skip(); /* only make check installs them */
    unsigned wrong = 0;
    uint64_t checked = 0, opcodes = 0;
    uint8_t *seen = calloc(UINT16_MAX + 1, 1);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        if (access(files[f], R_OK) != 0)
            continue;
        char *command = format_string("aarch64-linux-gnu-objdump -d %s", files[f]);
        FILE *output = popen(command, "r");
        assert_non_null(output);
        for (char text[400]; fgets(text, sizeof text, output);) {
            struct line line;
            if (!parse(text, &line) || line.mnemonic[0] == '.' || strcmp(line.mnemonic, "udf") == 0)
                continue;
            struct facts facts;
            aarch64_facts(line.word, &facts);
            struct constants constants = aarch64_constants(line.word);
            const char *reason = facts.class == CLASS_UNKNOWN ? "unknown" : NULL;
            reason = reason ? reason : wrong_registers(&line, &facts);
            reason = reason ? reason : wrong_flags(&line, &facts);
            reason = reason ? reason : wrong_address(&line, &facts, &constants);
            reason = reason ? reason : wrong_target(&line, &facts, &constants);
            reason = reason ? reason : wrong_shared(line.word);
            if (facts.class != CLASS_UNKNOWN)
                note_example(line.word, &facts);
            checked++;
            opcodes += facts.opcode != UINT16_MAX && !seen[facts.opcode];
            seen[facts.opcode] = 1;
            if (reason && wrong++ < MOST_WRONG)
                printf("    # %s: %s", reason, text);
        }
        assert_int_equal(pclose(output), 0);
        free(command);
    }
    free(seen);
    printf("    # %" PRIu64 " instructions of %" PRIu64 " encodings, %u wrong\n", checked, opcodes, wrong);
    assert_int_equal(wrong, 0);
    assert_true(checked > 500000 && opcodes > 400);
}

/* It can be executed by itself, and what it does shows in registers and memory. x - x and d / d are
   constants; tags are in no memory that a program sees. */
static bool is_observable(const struct facts *facts) {
    const char *name = aarch64_encoding_name(&aarch64_encodings[facts->opcode]);
    if (facts->operand[1] == facts->operand[2] || strncmp(name, "LDG", 3) == 0 ||
        strncmp(name, "STG", 3) == 0 || strncmp(name, "ST2G", 4) == 0 || strncmp(name, "STZ", 3) == 0)
        return false;
    if (facts->transfer != TRANSFER_NONE || facts->class == CLASS_MISC || facts->class == CLASS_ADDRESS)
        return false;
    if (facts->memory_count == 0)
        return true;
    return facts->memory[0].base != REGISTER_NONE && facts->memory[0].size > 0;
}

static const char *wrong_observed(const struct facts *facts, register_set read, register_set written) {
    if (read & ~facts->read)
        return "a register that it reads is missing";
    if (written & ~facts->written)
        return "a register that it writes is missing";
    /* a store that fails, as it does without a reservation or after a comparison, reads nothing */
    const char *name = aarch64_encoding_name(&aarch64_encodings[facts->opcode]);
    if (facts->read & ~read && !(facts->flags & FACT_EXCLUSIVE_END) && strncmp(name, "CAS", 3) != 0)
        return "a register is called read";
    return facts->written & ~written ? "a register is called written" : NULL;
}

static unsigned compare_observed(FILE *observed, unsigned *compared) {
    unsigned wrong = 0;
    for (char text[200]; fgets(text, sizeof text, observed);) {
        uint32_t word;
        register_set read, written;
        struct facts facts;
        if (sscanf(text, "%" SCNx32 " %" SCNx64 " %" SCNx64, &word, &read, &written) != 3)
            continue; /* not this processor's */
        aarch64_facts(word, &facts);
        const char *reason = wrong_observed(&facts, read, written);
        ++*compared;
        if (reason && wrong++ < MOST_WRONG)
            printf("    # %s: %08" PRIx32 " %s: read %" PRIx64 ", is %" PRIx64 "; written %" PRIx64
                   ", is %" PRIx64 "\n",
                   reason, word, aarch64_encoding_name(aarch64_decode(word)), facts.read, read, facts.written,
                   written);
    }
    return wrong;
}

static void agrees_with_execution(void **state) {
    (void)state;
    if (access("/usr/bin/aarch64-linux-gnu-gcc", X_OK) != 0 || access("/usr/bin/qemu-aarch64", X_OK) != 0)
        skip();
    const char *folder = temporary_directory();
    char *command =
        format_string("aarch64-linux-gnu-gcc -O1 -static tests/data/aarch64/observe.[cS] -o %s/observe "
                      "2>/dev/null && qemu-aarch64 %s/observe <%s/words >%s/observed",
                      folder, folder, folder, folder);
    char *words = format_string("%s/words", folder), *results = format_string("%s/observed", folder);
    FILE *stream = fopen(words, "w");
    assert_non_null(stream);
    for (unsigned e = 0; e < MOST_ENCODINGS; e++)
        for (unsigned i = 0; i < EXAMPLES && examples[e][i]; i++) {
            struct facts facts;
            aarch64_facts(examples[e][i], &facts);
            bool is_near = abs(aarch64_constants(examples[e][i]).displacement) < NEAR_BYTES;
            if (is_observable(&facts) && is_near)
                fprintf(stream, "%08" PRIx32 " %x %x\n", examples[e][i],
                        facts.memory_count ? facts.memory[0].base : REGISTER_NONE,
                        facts.memory_count ? facts.memory[0].index : REGISTER_NONE);
        }
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(system(command), 0);
    stream = fopen(results, "r");
    assert_non_null(stream);
    unsigned compared = 0, wrong = compare_observed(stream, &compared);
    assert_int_equal(fclose(stream), 0);
    printf("    # %u words executed, %u wrong\n", compared, wrong);
    assert_int_equal(wrong, 0);
    assert_true(compared > 700);
    free(command);
    free(words);
    free(results);
}

/* ---- computations, beside results of execution ------------------------------------------------------------- */

enum { VARIANTS = 60 };

/* The result as the computation says; false: it says none. */
static bool computed_result(const struct computation *computation, uint64_t a, uint64_t b, uint64_t *result) {
    switch (computation->kind) {
    case COMPUTES_OFFSET:
        *result = a + (uint64_t)computation->constant;
        return true;
    case COMPUTES_SUM:
        *result = computation->scale * a + b;
        return true;
    case COMPUTES_DIFFERENCE:
        *result = a - b;
        return true;
    case COMPUTES_PRODUCT:
        *result = computation->scale * a;
        return true;
    case COMPUTES_OR:
        *result = a | b;
        return true;
    case COMPUTES_AND:
        *result = a & b;
        return true;
    case COMPUTES_LOW_32:
        *result = (uint32_t)a;
        return true;
    case COMPUTES_SUM_32:
        *result = (uint64_t)(int32_t)(a + b);
        return true;
    case COMPUTES_ENTRY_SUM: {
        const unsigned unused = 64 - 8 * computation->bytes;
        uint64_t entry = a << unused;
        *result = b + computation->scale *
                          (computation->is_signed ? (uint64_t)((int64_t)entry >> unused) : entry >> unused);
        return true;
    }
    default:
        return false;
    }
}

static unsigned write_computing_word(FILE *stream, uint32_t word) {
    const struct computation computation = aarch64_compute(word);
    if (computation.kind == COMPUTES_NOTHING || computation.result == AARCH64_STACK ||
        computation.result == AARCH64_ZERO || computation.result == AARCH64_FLAGS)
        return 0;
    fprintf(stream, "%08" PRIx32 " %x %x %x\n", word, computation.a, computation.b, computation.result);
    return 1;
}

/* Words of all encodings that compute, and what random words seldom are: lsl x1, x2, #1 to #3; mov w1, w2;
   ubfx x1, x2, #0, #32; sxtw x1, w2; add x1, x2, x3, lsl #2; sub, and, orr, eor, bic x1, x2, x3. */
static unsigned write_computing_words(FILE *stream) {
    static const uint32_t rare[] = {0xd37ff841, 0xd37ef441, 0xd37df041, 0x2a0203e1, 0xd3407c41, 0x93407c41,
                                    0x8b030841, 0xcb030041, 0x8a030041, 0xaa030041, 0xca030041, 0x8a230041};
    unsigned count = 0;
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof rare / sizeof rare[0]; i++)
        count += write_computing_word(stream, rare[i]);
    for (unsigned e = 0; e < aarch64_encoding_count; e++)
        for (unsigned i = 0; i < VARIANTS; i++) {
            random = random * 1664525 + 1013904223;
            uint32_t word =
                aarch64_encodings[e].match | ((random ^ random >> 15) & ~aarch64_encodings[e].mask);
            if (aarch64_decode(word) == &aarch64_encodings[e])
                count += write_computing_word(stream, word);
        }
    return count;
}

static unsigned compare_values(FILE *observed, unsigned kinds[COMPUTES_ENTRY_SUM + 1], unsigned *limits,
                               unsigned *operations) {
    unsigned wrong = 0;
    for (char text[200]; fgets(text, sizeof text, observed);) {
        uint32_t word;
        uint64_t a, b, found, expected;
        if (sscanf(text, "%" SCNx32 " %" SCNx64 " %" SCNx64 " %" SCNx64, &word, &a, &b, &found) != 4)
            continue;
        const struct computation computation = aarch64_compute(word);
        const char *reason = NULL;
        kinds[computation.kind]++;
        if (computation.b == REGISTER_NONE)
            b = (uint64_t)computation.constant;
        if (computed_result(&computation, a, b, &expected) && expected != found)
            reason = "kind";
        if (computation.operation &&
            (++*operations, operator_evaluate(computation.operation, a, b, &expected)) && expected != found)
            reason = "operation";
        if (computation.limit && (++*limits, found >= computation.limit))
            reason = "limit";
        if (reason && wrong++ < MOST_WRONG)
            printf("    # %s: %08" PRIx32 " %s: of %" PRIx64 " and %" PRIx64 ": %" PRIx64 ", not %" PRIx64
                   "\n",
                   reason, word, aarch64_encoding_name(aarch64_decode(word)), a, b, found, expected);
    }
    return wrong;
}

static void computes_as_execution(void **state) {
    (void)state;
    if (access("/usr/bin/aarch64-linux-gnu-gcc", X_OK) != 0 || access("/usr/bin/qemu-aarch64", X_OK) != 0)
        skip();
    const char *folder = temporary_directory();
    char *command =
        format_string("aarch64-linux-gnu-gcc -O1 -static tests/data/aarch64/observe.[cS] -o %s/observe "
                      "2>/dev/null && qemu-aarch64 %s/observe values <%s/computing >%s/values",
                      folder, folder, folder, folder);
    char *words = format_string("%s/computing", folder), *results = format_string("%s/values", folder);
    unsigned kinds[COMPUTES_ENTRY_SUM + 1] = {0}, limits = 0, operations = 0;
    FILE *stream = fopen(words, "w");
    assert_non_null(stream);
    unsigned count = write_computing_words(stream);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(system(command), 0);
    stream = fopen(results, "r");
    assert_non_null(stream);
    unsigned wrong = compare_values(stream, kinds, &limits, &operations);
    assert_int_equal(fclose(stream), 0);
    printf("    # %u words that compute executed; %u results by operators, %u limits; %u wrong\n", count,
           operations, limits, wrong);
    assert_int_equal(wrong, 0);
    assert_true(operations > 1000 && limits > 1000);
    for (int kind = COMPUTES_OFFSET; kind <= COMPUTES_AND; kind++)
        assert_true(kinds[kind] > 10);
    assert_true(kinds[COMPUTES_ENTRY_SUM] > 10);
    free(command);
    free(words);
    free(results);
}

/* ---- conventions -------------------------------------------------------------------------------------------- */

static void has_conventions(void **state) {
    (void)state;
    const struct conventions_of_machine *registers = &aarch64_architecture.registers;
    register_set taken = 0, renamed = 0;
    for (unsigned i = 0; i < registers->free_count; i++)
        taken |= REGISTER_BIT(registers->free_order[i]);
    for (unsigned i = 0; i < registers->rename_count; i++)
        renamed |= REGISTER_BIT(registers->rename_order[i]);
    assert_int_equal(__builtin_popcountll(taken), registers->free_count); /* each once */
    assert_int_equal(taken, registers->integers);
    assert_int_equal(__builtin_popcountll(renamed), registers->rename_count);
    assert_int_equal(renamed, caller_saved(registers) & ~REGISTER_BIT(AARCH64_FLAGS));
    for (unsigned i = 0; i < registers->temporary_count; i++)
        assert_false(REGISTER_BIT(registers->free_order[i]) &
                     (registers->callee_saved | registers->arguments | registers->results));
    const struct word_questions *words = &aarch64_architecture.words;
    assert_true(words->ends_path(0xd65f03c0) && words->ends_path(0xd4200000));  /* ret; brk #0 */
    assert_true(words->is_branch(0x94000001) && !words->is_branch(0xd63f0000)); /* bl; blr x0 */
    assert_true(words->begins_procedure(0xd503233f, 0xa9bf7bfd));  /* paciasp; stp x29, x30, [sp, #-16]! */
    assert_false(words->begins_procedure(0xd503201f, 0xa9bf7bfd)); /* nop */
    assert_int_equal(aarch64_architecture.objects.reference(257), REFERENCE_ADDRESS);
    assert_int_equal(aarch64_architecture.objects.reference(283), REFERENCE_BRANCH);
    assert_int_equal(aarch64_architecture.objects.reference(307), REFERENCE_UNKNOWN);
}

/* Any words: those that differ in constants only have the same facts, and no register is out of range. */
static void any_words(void **state) {
    (void)state;
    uint32_t word = 1;
    for (unsigned i = 0; i < 2000000; i++) {
        word = word * 1664525 + 1013904223;
        uint32_t mixed = word ^ word >> 15;
        struct facts facts;
        aarch64_facts(mixed, &facts);
        assert_null(wrong_shared(mixed));
        for (unsigned f = 0; f < FIELD_REGISTERS; f++)
            assert_true(facts.operand[f] < 64 || facts.operand[f] >= AARCH64_ZERO);
        if (facts.class != CLASS_UNKNOWN && facts.transfer == TRANSFER_NONE)
            assert_true(facts.link == REGISTER_NONE && facts.target == REGISTER_NONE);
    }
}

static int compare_constants(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Of the constants of `and x0, x1, #constant` and of its form on w registers: how many are instructions, and
   how many different values they have. The manual's description gives both. */
static unsigned count_logical_constants(uint32_t base, unsigned *values) {
    static int64_t constants[1 << 13];
    unsigned count = 0;
    for (uint32_t field = 0; field < 1 << 13; field++) { /* N, immr, imms */
        uint32_t word = base | field << 10;
        const struct computation computation = aarch64_compute(word);
        if (aarch64_decode(word))
            constants[count++] = computation.constant;
        else
            assert_int_equal(computation.result, REGISTER_NONE);
    }
    qsort(constants, count, sizeof *constants, compare_constants);
    *values = 0;
    for (unsigned i = 0; i < count; i++)
        *values += i == 0 || constants[i] != constants[i - 1];
    return count;
}

static void reserved_constants_are_no_instructions(void **state) {
    (void)state;
    unsigned values;
    assert_int_equal(count_logical_constants(0x92000020, &values), 64 * (63 + 31 + 15 + 7 + 3 + 1));
    assert_int_equal(values, 64 * 63 + 32 * 31 + 16 * 15 + 8 * 7 + 4 * 3 + 2 * 1);
    assert_int_equal(count_logical_constants(0x12000020, &values), 64 * (31 + 15 + 7 + 3 + 1));
    assert_int_equal(values, 32 * 31 + 16 * 15 + 8 * 7 + 4 * 3 + 2 * 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_binutils),
        cmocka_unit_test(agrees_with_execution),
        cmocka_unit_test(computes_as_execution),
        cmocka_unit_test(has_conventions),
        cmocka_unit_test(any_words),
        cmocka_unit_test(reserved_constants_are_no_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
