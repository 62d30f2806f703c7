/* test_codegen_facts.c: the descriptors against alpha-isa.csv, known words, and hand-written register use.
   Run from the repository's root. Requires no MC but for the conformance words' text. */
#define _GNU_SOURCE
#include "test_codegen_common.h"
#include "codegen/alpha/system_call_words.h"

#define CSV "tests/data/alpha-isa.csv"

/* ---- every encoding ------------------------------------------------------------------------- */

static int format_of(const char *word) {
    static const struct {
        const char *word;
        int format;
    } formats[] = {
        {"pal", ALPHA_FORMAT_PAL},      {"mem", ALPHA_FORMAT_MEMORY}, {"mfc", ALPHA_FORMAT_MEMORY_FUNCTION},
        {"jmp", ALPHA_FORMAT_JUMP},     {"bra", ALPHA_FORMAT_BRANCH}, {"opr", ALPHA_FORMAT_OPERATE},
        {"oprL", ALPHA_FORMAT_LITERAL}, {"fp", ALPHA_FORMAT_FLOAT}};

    for (size_t index = 0; index < sizeof formats / sizeof formats[0]; index++)
        if (strcmp(word, formats[index].word) == 0)
            return formats[index].format;
    fail_msg("unknown format %s", word);
    return 0;
}

static int extension_of(const char *word) {
    static const char *const words[] = {[ALPHA_BASE] = "base",
                                        [ALPHA_BWX] = "BWX",
                                        [ALPHA_MVI] = "MVI",
                                        [ALPHA_FIX] = "FIX",
                                        [ALPHA_CIX] = "CIX"};

    for (int index = 0; index <= ALPHA_CIX; index++)
        if (strcmp(word, words[index]) == 0)
            return index;
    fail_msg("unknown extension %s", word);
    return 0;
}

static void test_every_row(void **state) {
    FILE *stream = fopen(CSV, "r");
    char line[256], extension[8], format[8], mnemonic[32];
    bool seen[ALPHA_OPCODE_COUNT] = {false};
    unsigned rows = 0, match, mask;

    (void)state;
    if (stream == NULL)
        fail_msg("cannot read %s", CSV);
    assert_non_null(fgets(line, sizeof line, stream));
    while (fgets(line, sizeof line, stream) != NULL) {
        assert_int_equal(sscanf(line, "%7[^,],%*[^,],%7[^,],%*[^,],%31[^,],%x,%x", extension, format,
                                mnemonic, &match, &mask),
                         5);
        for (unsigned trial = 0; trial < 64; trial++) {
            uint32_t word = match | ((uint32_t)random_bits() & ~mask);
            const struct alpha_descriptor *descriptor = alpha_decode(trial == 0 ? match : word);

            assert_string_equal(descriptor->mnemonic, mnemonic);
            assert_int_equal(descriptor->match, match);
            assert_int_equal(descriptor->mask, mask);
            assert_int_equal(descriptor->format, format_of(format));
            assert_int_equal(descriptor->extension, extension_of(extension));
            assert_int_not_equal(descriptor->class, CLASS_UNKNOWN);
            seen[descriptor->opcode_id] = true;
        }
        rows++;
    }
    fclose(stream);
    assert_int_equal(rows, 582);
    assert_int_equal(ALPHA_OPCODE_COUNT, 583);
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++)
        assert_true(seen[opcode]);
}

/* Facts that must agree with each other in every descriptor. */
static void test_consistency(void **state) {
    (void)state;
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++) {
        const struct alpha_descriptor *d = alpha_describe(opcode);
        bool loads = d->class == CLASS_LOAD || d->class == CLASS_FLOAT_LOAD;
        bool stores = d->class == CLASS_STORE || d->class == CLASS_FLOAT_STORE;

        assert_int_equal(d->opcode_id, opcode);
        assert_int_equal(loads, (d->flags & ALPHA_LOAD) != 0);
        assert_int_equal(stores, (d->flags & ALPHA_STORE) != 0);
        assert_int_equal(loads || stores, d->memory_size != 0);
        assert_int_equal(d->class == CLASS_COND_BRANCH, (d->flags & ALPHA_COND_BRANCH) != 0);
        assert_int_equal(d->class == CLASS_UNCOND_BRANCH, (d->flags & ALPHA_UNCOND_BRANCH) != 0);
        assert_int_equal(d->class == CLASS_CALL, (d->flags & ALPHA_CALL) != 0);
        assert_int_equal(d->class == CLASS_RETURN, (d->flags & ALPHA_RETURN) != 0);
        assert_int_equal(d->format == ALPHA_FORMAT_JUMP, (d->flags & ALPHA_INDIRECT) != 0);
        assert_int_equal(d->format == ALPHA_FORMAT_FLOAT || d->ra_role >= ALPHA_ROLE_FLOAT_READ ||
                             d->rc_role >= ALPHA_ROLE_FLOAT_READ,
                         (d->flags & ALPHA_FLOATING) != 0);
    }
    assert_ptr_equal(alpha_describe(ALPHA_INVALID), alpha_describe(ALPHA_OPCODE_COUNT));
    assert_int_equal(alpha_describe(ALPHA_INVALID)->class, CLASS_UNKNOWN);
    assert_int_equal(alpha_describe(ALPHA_INVALID)->format, ALPHA_FORMAT_INVALID);
}

/* ---- words that broke other tools ------------------------------------------------------------ */

static void test_conformance_words(void **state) {
    static const struct {
        uint32_t word;
        enum alpha_opcode opcode;
        const char *text;
    } cases[] = {
        {0x63ff0000, ALPHA_TRAPB, "trapb"},
        {0x63ff4000, ALPHA_MB, "mb"},
        {0x6b404000, ALPHA_JSR, "jsr $26,($0),0"},
        {0xd3800012, ALPHA_BSR, "bsr $28,0x12000004c"},
        {0x68000044, ALPHA_JMP, "jmp $0,($0),272"},
        {0x03ffffff, ALPHA_CALL_PAL, "call_pal 0x3ffffff"},
        {0x04000000, ALPHA_INVALID, ".long 0x04000000"},
        {0xc3ffffff, ALPHA_BR, "br $31,0x120000000"},
    };
    char text[64];

    (void)state;
    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
        assert_int_equal(alpha_decode(cases[index].word)->opcode_id, cases[index].opcode);
        assert_int_equal(alpha_print(cases[index].word, 0x120000000, text, sizeof text),
                         strlen(cases[index].text));
        assert_string_equal(text, cases[index].text);
    }
    assert_int_equal(alpha_print(0x63ff0000, 0, text, 4), 3); /* cut short, but terminated */
    assert_string_equal(text, "tra");
    assert_int_equal(alpha_print(0x63ff0000, 0, text, 0), 0);
}

/* ---- what instructions read and write -------------------------------------------------------- */

#define R(number) ((alpha_register_set)1 << (number))
#define F(number) ((alpha_register_set)1 << (32 + (number)))
#define ARGUMENTS (R(16) | R(17) | R(18) | R(19) | R(20) | R(21))
#define ALL       (~(R(31) | F(31)))
#define FPCR      (ALPHA_READS_FPCR | ALPHA_WRITES_FPCR)
#define FP        ALPHA_FLOATING
#define LOCKED    ALPHA_LOCKED
#define LOAD      ALPHA_LOAD
#define STORE     ALPHA_STORE
#define COND      ALPHA_COND_BRANCH
#define JUMP      ALPHA_INDIRECT
#define MOVE      ALPHA_COND_MOVE
#define CLASS(id) CLASS_##id

enum { NOP = 1, PREFETCH = 2 };

/* The words are what alpha-linux-gnu-as makes of the texts. */
static const struct {
    uint32_t word;
    const char *text;
    alpha_register_set read, written;
    unsigned flags;
    enum instruction_class class;
    unsigned size;
    unsigned is; /* NOP, PREFETCH */
} uses[] = {
    {0x20220008, "lda $1,8($2)", R(2), R(1), 0, CLASS(ADDRESS), 0, 0},
    {0x27bb0001, "ldah $29,1($27)", R(27), R(29), 0, CLASS(ADDRESS), 0, 0},
    {0xa4640000, "ldq $3,0($4)", R(4), R(3), LOAD, CLASS(LOAD), 8, 0},
    {0x28640000, "ldbu $3,0($4)", R(4), R(3), LOAD, CLASS(LOAD), 1, 0},
    {0xa8a60000, "ldl_l $5,0($6)", R(6), R(5), LOAD | LOCKED, CLASS(LOAD), 4, 0},
    {0xbca60000, "stq_c $5,0($6)", R(5) | R(6), R(5), STORE | LOCKED, CLASS(STORE), 8, 0},
    {0xb8a60000, "stl_c $5,0($6)", R(5) | R(6), R(5), STORE | LOCKED, CLASS(STORE), 4, 0},
    {0xb4e80000, "stq $7,0($8)", R(7) | R(8), 0, STORE, CLASS(STORE), 8, 0},
    {0x38e80000, "stb $7,0($8)", R(7) | R(8), 0, STORE, CLASS(STORE), 1, 0},
    {0x8c220000, "ldt $f1,0($2)", R(2), F(1), LOAD | FP, CLASS(FLOAT_LOAD), 8, 0},
    {0x98640000, "sts $f3,0($4)", R(4) | F(3), 0, STORE | FP, CLASS(FLOAT_STORE), 4, 0},
    {0x2ffe0000, "ldq_u $31,0($30)", R(30), 0, LOAD | ALPHA_UNALIGNED, CLASS(LOAD), 8, NOP | PREFETCH},
    {0xa3e90040, "ldl $31,64($9)", R(9), 0, LOAD, CLASS(LOAD), 4, PREFETCH},
    {0x8be90040, "lds $f31,64($9)", R(9), 0, LOAD | FP, CLASS(FLOAT_LOAD), 4, PREFETCH},
    {0xc3e00001, "br $31,.+8", 0, 0, ALPHA_UNCOND_BRANCH, CLASS(UNCOND_BRANCH), 0, 0},
    {0xc0a00001, "br $5,.+8", 0, R(5), ALPHA_UNCOND_BRANCH, CLASS(UNCOND_BRANCH), 0, 0},
    {0xd3400001, "bsr $26,.+8", 0, R(26), ALPHA_CALL, CLASS(CALL), 0, 0},
    {0xe5200001, "beq $9,.+8", R(9), 0, COND, CLASS(COND_BRANCH), 0, 0},
    {0xd5200001, "fbne $f9,.+8", F(9), 0, COND | FP, CLASS(COND_BRANCH), 0, 0},
    {0x6bfb0000, "jmp $31,($27),0", R(27), 0, JUMP, CLASS(JUMP), 0, 0},
    {0x6b5b4000, "jsr $26,($27),0", R(27), R(26), JUMP | ALPHA_CALL, CLASS(CALL), 0, 0},
    {0x6b5a4000, "jsr $26,($26),0", R(26), R(26), JUMP | ALPHA_CALL, CLASS(CALL), 0, 0},
    {0x6bfa8001, "ret $31,($26),1", R(26), 0, JUMP | ALPHA_RETURN, CLASS(RETURN), 0, 0},
    {0x6822c000, "jsr_coroutine $1,($2),0", R(2), R(1), JUMP | ALPHA_CALL, CLASS(CALL), 0, 0},
    {0x40220403, "addq $1,$2,$3", R(1) | R(2), R(3), 0, CLASS(ARITHMETIC), 0, 0},
    {0x40391403, "addq $1,200,$3", R(1), R(3), 0, CLASS(ARITHMETIC), 0, 0},
    {0x43e03403, "addq $31,1,$3", 0, R(3), 0, CLASS(ARITHMETIC), 0, 0},
    {0x4022053f, "subq $1,$2,$31", R(1) | R(2), 0, 0, CLASS(ARITHMETIC), 0, NOP},
    {0x402205a3, "cmpeq $1,$2,$3", R(1) | R(2), R(3), 0, CLASS(COMPARE), 0, 0},
    {0x4c220c1f, "mulq/v $1,$2,$31", R(1) | R(2), 0, ALPHA_WRITES_FPCR, CLASS(MULTIPLY), 0, 0},
    {0x4c220603, "umulh $1,$2,$3", R(1) | R(2), R(3), 0, CLASS(MULTIPLY), 0, 0},
    {0x44220483, "cmoveq $1,$2,$3", R(1) | R(2) | R(3), R(3), MOVE, CLASS(COND_MOVE), 0, 0},
    {0x4420f283, "cmovlbs $1,7,$3", R(1) | R(3), R(3), MOVE, CLASS(COND_MOVE), 0, 0},
    {0x442204df, "cmovne $1,$2,$31", R(1) | R(2), 0, MOVE, CLASS(COND_MOVE), 0, NOP},
    {0x73e10002, "sextb $1,$2", R(1), R(2), 0, CLASS(SHIFT), 0, 0},
    {0x47e03c22, "amask 1,$2", 0, R(2), 0, CLASS(LOGICAL), 0, 0},
    {0x47e10c22, "amask $1,$2", R(1), R(2), 0, CLASS(LOGICAL), 0, 0},
    {0x47e03d82, "implver $2", 0, R(2), 0, CLASS(LOGICAL), 0, 0},
    {0x73e10602, "ctpop $1,$2", R(1), R(2), 0, CLASS(ARITHMETIC), 0, 0},
    {0x70220623, "perr $1,$2,$3", R(1) | R(2), R(3), 0, CLASS(ARITHMETIC), 0, 0},
    {0x73e106e2, "pklb $1,$2", R(1), R(2), 0, CLASS(ARITHMETIC), 0, 0},
    {0x7020b743, "minub8 $1,5,$3", R(1), R(3), 0, CLASS(ARITHMETIC), 0, 0},
    {0x5822b403, "addt/su $f1,$f2,$f3", F(1) | F(2), F(3), FP | FPCR, CLASS(FLOAT), 0, 0},
    {0x5822b4a3, "cmpteq/su $f1,$f2,$f3", F(1) | F(2), F(3), FP | FPCR, CLASS(FLOAT), 0, 0},
    {0x58221063, "divs $f1,$f2,$f3", F(1) | F(2), F(3), FP | FPCR, CLASS(FLOAT_DIVIDE), 0, 0},
    {0x53e2b563, "sqrtt/su $f2,$f3", F(2), F(3), FP | FPCR, CLASS(FLOAT_DIVIDE), 0, 0},
    {0x5be205e3, "cvttq/c $f2,$f3", F(2), F(3), FP | FPCR, CLASS(FLOAT), 0, 0},
    {0x5fe22603, "cvtql/v $f2,$f3", F(2), F(3), FP | ALPHA_WRITES_FPCR, CLASS(FLOAT), 0, 0},
    {0x5fe20203, "cvtlq $f2,$f3", F(2), F(3), FP, CLASS(FLOAT), 0, 0},
    {0x5c2205e3, "fcmovgt $f1,$f2,$f3", F(1) | F(2) | F(3), F(3), FP | MOVE, CLASS(FLOAT), 0, 0},
    {0x5c220403, "cpys $f1,$f2,$f3", F(1) | F(2), F(3), FP, CLASS(FLOAT), 0, 0},
    {0x5fff041f, "cpys $f31,$f31,$f31", 0, 0, FP, CLASS(FLOAT), 0, NOP},
    {0x5ca504a5, "mf_fpcr $f5", 0, F(5), FP | ALPHA_READS_FPCR, CLASS(FLOAT), 0, 0},
    {0x5ca50485, "mt_fpcr $f5", F(5), 0, FP | ALPHA_WRITES_FPCR, CLASS(FLOAT), 0, 0},
    {0x503f0482, "itoft $1,$f2", R(1), F(2), FP, CLASS(FLOAT), 0, 0},
    {0x703f0f02, "ftois $f1,$2", F(1), R(2), FP, CLASS(FLOAT), 0, 0},
    {0x5822141f, "addt $f1,$f2,$f31", F(1) | F(2), 0, FP | FPCR, CLASS(FLOAT), 0, 0},
    {0x60004000, "mb", 0, 0, ALPHA_BARRIER, CLASS(MISC), 0, 0},
    {0x63ff0000, "trapb", 0, 0, ALPHA_BARRIER, CLASS(MISC), 0, 0},
    {0x60000400, "excb", 0, 0, ALPHA_BARRIER, CLASS(MISC), 0, 0},
    {0x60004400, "wmb", 0, 0, ALPHA_BARRIER, CLASS(MISC), 0, 0},
    {0x63e38000, "fetch ($3)", R(3), 0, 0, CLASS(MISC), 0, 0},
    {0x63e3f800, "wh64 ($3)", R(3), 0, 0, CLASS(MISC), 0, 0},
    {0x6022c000, "rpcc $1,$2", R(2), R(1), 0, CLASS(MISC), 0, 0},
    {0x6020e000, "rc $1", 0, R(1), 0, CLASS(MISC), 0, 0},
    {0x6020f000, "rs $1", 0, R(1), 0, CLASS(MISC), 0, 0},
    {0x00000083, "call_pal 0x83", R(0) | ARGUMENTS, R(0) | R(19) | R(20), 0, CLASS(PAL), 0, 0},
    {0x0000009e, "call_pal 0x9e", 0, R(0), 0, CLASS(PAL), 0, 0},
    {0x0000009f, "call_pal 0x9f", R(16), 0, 0, CLASS(PAL), 0, 0},
    {0x000000aa, "call_pal 0xaa", R(16), 0, 0, CLASS(PAL), 0, 0},
    {0x00000080, "call_pal 0x80", 0, 0, 0, CLASS(PAL), 0, 0},
    {0x00000081, "call_pal 0x81", 0, 0, 0, CLASS(PAL), 0, 0},
    {0x00000086, "call_pal 0x86", 0, 0, 0, CLASS(PAL), 0, 0},
    {0x000000be, "call_pal 0xbe", ALL, ALL, 0, CLASS(PAL), 0, 0},
    {0x04000000, ".long 0x04000000", ALL, ALL, 0, CLASS(UNKNOWN), 0, 0},
    {0x47ff041f, "bis $31,$31,$31", 0, 0, 0, CLASS(LOGICAL), 0, NOP},
    {0x23fe0000, "lda $31,0($30)", R(30), 0, 0, CLASS(ADDRESS), 0, NOP},
};

static void test_register_use(void **state) {
    (void)state;
    for (size_t index = 0; index < sizeof uses / sizeof uses[0]; index++) {
        uint32_t word = uses[index].word;
        const struct alpha_descriptor *descriptor = alpha_decode(word);
        unsigned is = (alpha_is_nop(word) ? NOP : 0) | (alpha_is_prefetch(word) ? PREFETCH : 0);

        if (alpha_registers_read(word) != uses[index].read ||
            alpha_registers_written(word) != uses[index].written)
            fail_msg("%s: reads %016lx, writes %016lx", uses[index].text, (long)alpha_registers_read(word),
                     (long)alpha_registers_written(word));
        if (descriptor->flags != uses[index].flags || descriptor->class != uses[index].class ||
            descriptor->memory_size != uses[index].size || is != uses[index].is)
            fail_msg("%s: flags %x, class %d, size %d, is %u", uses[index].text, descriptor->flags,
                     descriptor->class, descriptor->memory_size, is);
    }
}

/* Every IEEE and VAX operation depends on the FPCR and may set its exception bits; data moves do not. */
/* The calling standard, by hand. */
static void test_calling_standard(void **state) {
    (void)state;
    assert_int_equal(6, REGISTER_ARGUMENTS);
    assert_true(ALL_REGISTERS == ALL);
    assert_true(INTEGER_REGISTERS == 0x7fffffff);
    assert_true(ARGUMENT_REGISTERS == ARGUMENTS);
    assert_true(FLOAT_ARGUMENT_REGISTERS == ARGUMENTS << 32);
    assert_true(RESULT_REGISTERS == (R(0) | F(0) | F(1)));
    assert_true(CALLEE_SAVED == (UINT64_C(0x4000fe00) | UINT64_C(0x3fc) << 32));
    assert_true(CALLER_SAVED == (UINT64_C(0x3fff01ff) | UINT64_C(0x7ffffc03) << 32));
}

static void test_fpcr(void **state) {
    (void)state;
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++) {
        const struct alpha_descriptor *descriptor = alpha_describe(opcode);
        uint32_t primary = descriptor->match >> 26;
        bool arithmetic = primary == 0x15 || primary == 0x16 ||
                          (primary == 0x14 && strncmp(descriptor->mnemonic, "sqrt", 4) == 0);
        bool overflows = strstr(descriptor->mnemonic, "/v") != NULL || opcode == ALPHA_CVTQL_sv;

        assert_int_equal((descriptor->flags & ALPHA_READS_FPCR) != 0, arithmetic || opcode == ALPHA_MF_FPCR);
        assert_int_equal((descriptor->flags & ALPHA_WRITES_FPCR) != 0,
                         arithmetic || overflows || opcode == ALPHA_MT_FPCR);
    }
}

/* Each system call of the C library and the dynamic linker is one, and small numbers are none. */
static void test_system_call_words(void **state) {
    static const uint32_t numbers[] = {ALPHA_PAL_CALLSYS, 0, ALPHA_PAL_CALLSYS + 1, 0, ALPHA_PAL_CALLSYS, 0};
    const uint32_t jump = ALPHA_MEMORY_WORD(RET, ALPHA_ZERO, 1, ALPHA_RA), call = ALPHA_PAL_CALLSYS,
                   other = ALPHA_MEMORY_WORD(LDA, ALPHA_SP, 16, ALPHA_SP);
    const uint32_t calls_by_reason[][4] = {{jump, call, jump},
                                           {jump, call, other, ALPHA_BRANCH_WORD(BNE, ALPHA_A3, 1)},
                                           {jump, call, other, ALPHA_BRANCH_WORD(BR, ALPHA_ZERO, -3)},
                                           {ALPHA_BRANCH_WORD(BSR, ALPHA_RA, 8), call, other, other}};
    struct text text = real_text();
    size_t calls = 0;

    (void)state;
    for (size_t i = 0; i < sizeof calls_by_reason / sizeof calls_by_reason[0]; i++)
        assert_true(alpha_is_system_call(calls_by_reason[i], 4, 1));
    assert_true(append_text(&text, "/usr/alpha-linux-gnu/lib/ld-linux.so.2"));
    for (size_t i = 0; i < text.count; i++) {
        if (text.words[i] != ALPHA_PAL_CALLSYS)
            continue;
        calls++;
        if (!alpha_is_system_call(text.words, text.count, i))
            fail_msg("the call at word %zu is taken for a constant", i);
    }
    assert_true(calls > 500);
    free(text.words);
    assert_false(alpha_is_system_call(numbers, sizeof numbers / sizeof numbers[0], 0));
    assert_false(alpha_is_system_call(numbers, sizeof numbers / sizeof numbers[0], 4));
    for (uint32_t primary = 1; primary < 64; primary++) {
        bool is_valid = false;
        for (unsigned trial = 0; trial < 1000; trial++)
            is_valid |= alpha_decode(primary << 26 | ((uint32_t)random_bits() & 0x3ffffff))->opcode_id !=
                        ALPHA_INVALID;
        if (primary != ALPHA_MATCH_BR >> 26 && primary != ALPHA_MATCH_JMP >> 26)
            assert_int_equal(alpha_ends_path(primary << 26), !is_valid);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row),         cmocka_unit_test(test_consistency),
        cmocka_unit_test(test_conformance_words), cmocka_unit_test(test_register_use),
        cmocka_unit_test(test_calling_standard),  cmocka_unit_test(test_fpcr),
        cmocka_unit_test(test_system_call_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
