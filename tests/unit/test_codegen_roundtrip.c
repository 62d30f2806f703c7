/* test_codegen_roundtrip.c: prints real text and random instructions, has the GNU assembler assemble them,
   and compares the words. Requires alpha-linux-gnu-as and -objcopy, and MC. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glob.h>

#include "test_codegen_common.h"

enum { RANDOM_WORDS_EACH = 40 };

/* binutils 2.40 describes these with a register for the literal and refuses them. */
static const enum alpha_opcode refused_by_binutils[] = {ALPHA_SEXTBi, ALPHA_SEXTWi};

static bool is_refused(enum alpha_opcode opcode) {
    for (size_t index = 0; index < sizeof refused_by_binutils / sizeof refused_by_binutils[0]; index++)
        if (refused_by_binutils[index] == opcode)
            return true;
    return false;
}

/* Branch targets printed for address 0 become distances, since the assembler knows no absolute ones. */
static void write_line(FILE *stream, uint32_t word) {
    char text[96], *target;

    alpha_print(word, 0, text, sizeof text);
    target = strstr(text, ",0x");
    if (alpha_decode(word)->format == ALPHA_FORMAT_BRANCH && target != NULL)
        fprintf(stream, " %.*s,.%+lld\n", (int)(target - text), text,
                (long long)strtoull(target + 1, NULL, 16));
    else
        fprintf(stream, " %s\n", text);
}

/* Prints the words, assembles them in `directory` and reads the section back; NULL if that fails. */
static uint32_t *through_assembler(const char *directory, const uint32_t *words, size_t count) {
    uint32_t *result = malloc(count * 4);
    char *path = NULL;
    FILE *stream;
    bool ok;

    assert_true(asprintf(&path, "%s/text.s", directory) > 0);
    stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(" .set noat\n .set nomacro\n .set noreorder\n .text\n", stream);
    for (size_t index = 0; index < count; index++)
        write_line(stream, words[index]);
    assert_int_equal(fclose(stream), 0);
    free(path);
    ok = shell("cd '%s' && alpha-linux-gnu-as -mev67 text.s -o text.o 2>messages && "
               "alpha-linux-gnu-objcopy -O binary -j .text text.o text.bin",
               directory) == 0;
    assert_true(asprintf(&path, "%s/text.bin", directory) > 0);
    stream = ok ? fopen(path, "rb") : NULL;
    ok = stream != NULL && fread(result, 4, count, stream) == count;
    if (stream != NULL)
        fclose(stream);
    free(path);
    if (ok)
        return result;
    free(result);
    return NULL;
}

static void compare(const uint32_t *words, size_t count) {
    char *directory = make_directory();
    uint32_t *assembled = through_assembler(directory, words, count);
    size_t differences = 0;

    if (assembled == NULL)
        shell("head -20 '%s/messages' >&2", directory);
    remove_directory(directory);
    assert_non_null(assembled);
    for (size_t index = 0; index < count; index++) {
        char text[96];

        if (assembled[index] == words[index])
            continue;
        alpha_print(words[index], 0, text, sizeof text);
        if (differences++ < 20)
            print_error("%08x: %s is assembled as %08x\n", words[index], text, assembled[index]);
    }
    free(assembled);
    assert_int_equal(differences, 0);
}

static int compare_words(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

    return a < b ? -1 : a > b;
}

static void test_real_text(void **state) {
    struct text text = real_text();
    size_t distinct = 0;

    (void)state;
    assert_true(text.count > 0);
    qsort(text.words, text.count, sizeof *text.words, compare_words);
    for (size_t index = 0; index < text.count; index++)
        if (index == 0 || text.words[index] != text.words[distinct - 1])
            text.words[distinct++] = text.words[index];
    compare(text.words, distinct);
    print_message("%zu words of real text, %zu distinct: no difference\n", text.count, distinct);
    free(text.words);
}

static void test_every_opcode(void **state) {
    uint32_t *words = malloc(ALPHA_OPCODE_COUNT * RANDOM_WORDS_EACH * sizeof *words);
    size_t count = 0;

    (void)state;
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++)
        for (unsigned trial = 0; trial < RANDOM_WORDS_EACH && !is_refused(opcode); trial++) {
            struct mc_operands operands = random_operands(opcode);

            assert_true(mc_encode(opcode, &operands, &words[count]));
            count++;
        }
    compare(words, count);
    print_message("%zu random instructions of %zu opcodes: no difference\n", count,
                  count / RANDOM_WORDS_EACH);
    free(words);
}

/* Named, not skipped: the assembler refuses each, or has been mended and agrees. */
static void test_refused(void **state) {
    (void)state;
    for (size_t index = 0; index < sizeof refused_by_binutils / sizeof refused_by_binutils[0]; index++) {
        struct mc_operands operands = {.immediate = 200, .rc = 3};
        char *directory = make_directory();
        uint32_t word, *assembled;
        char text[96];

        assert_true(mc_encode(refused_by_binutils[index], &operands, &word));
        alpha_print(word, 0, text, sizeof text);
        assembled = through_assembler(directory, &word, 1);
        if (assembled != NULL)
            assert_int_equal(*assembled, word);
        print_message("%s: %s\n", text,
                      assembled != NULL ? "assembled" : "refused by binutils, not compared");
        free(assembled);
        remove_directory(directory);
    }
}

/* ---- the assembler's names ------------------------------------------------------------------- */

/* Other spellings, PALcode functions and instructions of PALcode itself in the assembler's table. */
static const char *const aliases[] = {
    "halt",     "draina",   "bpt",    "bugchk", "callsys", "chmk", "imb",     "rduniq",
    "wruniq",   "gentrap",  "pal",    "unop",   "sextl",   "negl", "negq",    "negl/v",
    "negq/v",   "andnot",   "nop",    "clr",    "mov",     "or",   "not",     "xornot",
    "negf",     "negg",     "negf/s", "negg/s", "negs",    "negt", "negs/su", "negt/su",
    "negs/sui", "negt/sui", "fnop",   "fclr",   "fabs",    "fmov", "fneg",    "draint",
    "jcr",      "pal19",    "pal1b",  "pal1d",  "pal1e",   "pal1f"};

static bool is_alias(const char *name) {
    if (strncmp(name, "hw_", 3) == 0)
        return true;
    for (size_t index = 0; index < sizeof aliases / sizeof aliases[0]; index++)
        if (strcmp(name, aliases[index]) == 0)
            return true;
    return false;
}

static bool is_mnemonic(const char *name) {
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++)
        if (strcmp(alpha_describe(opcode)->mnemonic, name) == 0)
            return true;
    return false;
}

static void test_names(void **state) {
    struct binutils_opcode { /* include/opcode/alpha.h of binutils */
        const char *name;
        unsigned opcode, mask, flags;
        unsigned char operands[4];
    };
    glob_t found;
    void *library = NULL;
    unsigned mnemonics = 0;

    (void)state;
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++) {
        bool repeated = false;
        for (unsigned other = 1; other < opcode && !repeated; other++)
            repeated = strcmp(alpha_describe(opcode)->mnemonic, alpha_describe(other)->mnemonic) == 0;
        mnemonics += !repeated;
    }
    assert_int_equal(mnemonics, 504);
    if (glob("/usr/lib/*/libopcodes-*-alpha.so", 0, NULL, &found) == 0)
        library = dlopen(found.gl_pathv[0], RTLD_LAZY);
    globfree(&found);
    const struct binutils_opcode *table = library != NULL ? dlsym(library, "alpha_opcodes") : NULL;
    const int *count = library != NULL ? dlsym(library, "alpha_num_opcodes") : NULL;
    if (table == NULL || count == NULL) {
        print_message("SKIPPED: no libopcodes for Alpha to compare the assembler's names with\n");
        skip();
    }
    for (int index = 0; index < *count; index++)
        if (is_alias(table[index].name) == is_mnemonic(table[index].name))
            fail_msg("%s: in the assembler, not an instruction here and no alias", table[index].name);
    dlclose(library);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_text),
        cmocka_unit_test(test_every_opcode),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
