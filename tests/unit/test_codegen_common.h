/* test_codegen_common.h: random operands, real Alpha text and shell commands for the tests of codegen/.
   Requires alpha-linux-gnu-gcc and its libraries in /usr/alpha-linux-gnu/lib; ELF by <elf.h> alone. */
#ifndef ATOMC_TEST_CODEGEN_COMMON_H
#define ATOMC_TEST_CODEGEN_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elf.h>

#include <cmocka.h>

#include "codegen/alpha/alpha.h"
#include "codegen/alpha/mc.h"

/* xorshift64*, the same sequence in every run. */
static uint64_t random_state = 0x9e3779b97f4a7c15;

static inline uint64_t random_bits(void) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545f4914f6cdd1d;
}

/* Uniform in lowest..highest, the ends one time in eight each. */
static inline int64_t random_between(int64_t lowest, int64_t highest) {
    uint64_t choice = random_bits() >> 40;

    if (choice % 8 == 0)
        return lowest;
    if (choice % 8 == 1)
        return highest;
    return lowest + (int64_t)(random_bits() % (uint64_t)(highest - lowest + 1));
}

/* Valid operands of `opcode`; those that it has not stay zero. */
static inline struct mc_operands random_operands(enum alpha_opcode opcode) {
    unsigned present = mc_operands_of(opcode);
    struct mc_operands operands = {0};
    int64_t lowest, highest;

    if (present & MC_RA)
        operands.ra = (unsigned)random_between(0, 31);
    if (present & MC_RB)
        operands.rb = (unsigned)random_between(0, 31);
    if (present & MC_RC)
        operands.rc = (unsigned)random_between(0, 31);
    mc_immediate_range(opcode, &lowest, &highest);
    if (present & MC_IMMEDIATE)
        operands.immediate = random_between(lowest, highest);
    return operands;
}

struct text {
    uint32_t *words;
    size_t count;
};

/* Appends the executable sections of an ELF file; false if it cannot be read. */
static inline bool append_text(struct text *text, const char *path) {
    FILE *stream = fopen(path, "rb");
    Elf64_Ehdr header;
    bool ok = stream != NULL && fread(&header, sizeof header, 1, stream) == 1 &&
              header.e_machine == 0x9026 /* EM_ALPHA as it is used */;

    for (unsigned index = 0; ok && index < header.e_shnum; index++) {
        Elf64_Shdr section;
        long place = (long)(header.e_shoff + (uint64_t)index * sizeof section);

        ok = fseek(stream, place, SEEK_SET) == 0 && fread(&section, sizeof section, 1, stream) == 1;
        if (!ok || section.sh_type != SHT_PROGBITS || !(section.sh_flags & SHF_EXECINSTR))
            continue;
        size_t count = section.sh_size / 4;
        text->words = realloc(text->words, (text->count + count + 1) * 4);
        ok = fseek(stream, (long)section.sh_offset, SEEK_SET) == 0 &&
             fread(text->words + text->count, 4, count, stream) == count;
        text->count += count;
    }
    if (stream != NULL)
        fclose(stream);
    return ok;
}

/* A private directory under $TMPDIR; the caller removes it with remove_directory. */
static inline char *make_directory(void) {
    const char *parent = getenv("TMPDIR");
    char *path = NULL;

    assert_true(asprintf(&path, "%s/test_codegen_XXXXXX", parent != NULL ? parent : "/tmp") > 0);
    assert_non_null(mkdtemp(path));
    return path;
}

/* Runs a shell command; its exit status. */
static inline int shell(const char *format, ...) {
    char *command = NULL;
    va_list arguments;
    int status;

    va_start(arguments, format);
    assert_true(vasprintf(&command, format, arguments) > 0);
    va_end(arguments);
    status = system(command);
    free(command);
    return status;
}

static inline void remove_directory(char *path) {
    shell("rm -rf '%s'", path);
    free(path);
}

/* The text of a static C program and of the C, mathematical and C++ libraries. */
static inline struct text real_text(void) {
    static const char *const libraries[] = {"libc.so.6.1", "libm.so.6.1", "libstdc++.so.6"};
    struct text text = {0};
    char *directory = make_directory(), *path = NULL;

    assert_int_equal(shell("cd '%s' && echo 'int printf(const char *, ...); int main(void) "
                           "{ return printf(\"%%%%d\", 1) == 0; }' > hello.c && "
                           "alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax hello.c -o hello",
                           directory),
                     0);
    assert_true(asprintf(&path, "%s/hello", directory) > 0);
    assert_true(append_text(&text, path));
    free(path);
    remove_directory(directory);
    for (size_t index = 0; index < sizeof libraries / sizeof libraries[0]; index++) {
        assert_true(asprintf(&path, "/usr/alpha-linux-gnu/lib/%s", libraries[index]) > 0);
        assert_true(append_text(&text, path));
        free(path);
    }
    return text;
}

#endif
