/* test_engine_input.c: broken and hostile programs: one diagnostic or a sound model, never a crash.
   Requires cmocka and the Alpha cross compiler; says most when built with sanitizers. */
#include <unistd.h>

#include "tests/unit/test_engine_common.h"

static const char text[] =
    "int values[4]; __attribute__((noinline)) int pick(int x) {\n"
    "  switch (x) { case 0: return values[1]; case 1: return 5; case 2: return x + values[2];\n"
    "  case 3: return 9; case 4: return values[3] ^ 3; case 5: return 8; } return 0; }\n"
    "void _start(void) { values[0] = pick(values[2]); for (;;) ; }\n";

static void write_image(const char *path, const char *image, size_t size) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(image, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

/* Opens, and analyses what opens; true if it opened. A refusal is exactly one error. */
static bool survives(const char *path) {
    struct diagnostics *diagnostics = diagnostics_create();
    struct program *program = program_open(path, diagnostics);
    assert_int_equal(diagnostics_errors(diagnostics), program ? 0 : 1);
    if (program) {
        const char *file;
        uint32_t line, total = 0;
        program_analyse(program, diagnostics);
        liveness_analyse(program);
        for (uint32_t i = 0; i < program->procedure_count; i++) {
            total += program->procedures[i].count;
            program_line(program, instruction_address(program, program->procedures[i].first), &file, &line);
        }
        assert_int_equal(total, program->instruction_count);
    }
    program_close(program);
    diagnostics_destroy(diagnostics);
    return program;
}

static void truncated_anywhere(void **state) {
    (void)state;
    char *path = build_program("truncated.c", text, "-O2", false), *cut = format_string("%s.cut", path);
    size_t size, opened = 0;
    char *image = read_file(path, &size);
    assert_true(survives(path));
    for (size_t length = 0; length < size; length += 64) {
        write_image(cut, image, length);
        opened += survives(cut);
    }
    assert_int_equal(opened, 0); /* the section headers are at the end */
    free(image);
    free(path);
    free(cut);
}

static void changed_anywhere(void **state) {
    (void)state;
    char *path = build_program("changed.c", text, "-O2", false), *changed = format_string("%s.changed", path);
    size_t size;
    char *image = read_file(path, &size);
    static const uint8_t values[] = {0x00, 0xff, 0x80, 0x7f};
    for (size_t at = 0, step = 1; at < size; at += step) {
        step = at < 512 ? 1 : at + 2048 > size ? 5 : 29; /* the first headers byte by byte */
        char old = image[at];
        image[at] = values[at / step % 4] == (uint8_t)old ? ~old : values[at / step % 4];
        write_image(changed, image, size);
        survives(changed);
        image[at] = old;
    }
    free(image);
    free(path);
    free(changed);
}

static void without_section_headers(void **state) {
    (void)state;
    char *path = build_program("bare.c", text, "-O2", false), *bare = format_string("%s.bare", path);
    size_t size;
    char *image = read_file(path, &size);
    memset(image + 40, 0, 8); /* e_shoff */
    memset(image + 60, 0, 4); /* e_shnum, e_shstrndx */
    write_image(bare, image, size);
    assert_true(survives(bare));
    free(image);
    free(path);
    free(bare);
}

static void other_files(void **state) {
    (void)state;
    char *empty = write_text("empty", ""), *prose = write_text("prose", "no program\n");
    assert_false(survives(empty));
    assert_false(survives(prose));
    assert_false(survives("/proc/self/exe"));
    assert_false(survives("/"));
    assert_false(survives("/dev/null"));
    assert_false(survives("/nonexistent/program"));
    free(empty);
    free(prose);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(changed_anywhere),
        cmocka_unit_test(without_section_headers),
        cmocka_unit_test(other_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
