/* test_support_memory.c: arenas, strings and growing vectors.
   Requires cmocka. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/support.h"

static void arena_memory_is_zeroed_and_aligned(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    for (size_t bytes = 0; bytes < 3000; bytes += 7) {
        unsigned char *memory = arena_allocate(arena, bytes);
        assert_int_equal((uintptr_t)memory % 16, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xaa, bytes);
    }
    arena_destroy(arena);
}

static void arena_keeps_large_and_small_apart(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    char *first = arena_string(arena, "first", 5);
    char *large = arena_allocate(arena, 1000000);
    char *second = arena_string(arena, "second half", 6);
    memset(large, 'x', 1000000);
    assert_string_equal(first, "first");
    assert_string_equal(second, "second");
    assert_string_equal(arena_format(arena, "%s-%d", first, 42), "first-42");
    arena_destroy(arena);
    arena_destroy(NULL);
}

static void strings_of_any_length(void **state) {
    (void)state;
    char *text = format_string("%*d", 100000, 7);
    assert_int_equal(strlen(text), 100000);
    assert_int_equal(text[99999], '7');
    char *copy = duplicate_string(text);
    assert_string_equal(copy, text);
    free(copy);
    free(text);
}

static void vectors_grow(void **state) {
    (void)state;
    int *numbers = NULL;
    uint32_t count = 0, capacity = 0;
    for (int i = 0; i < 1000; i++) {
        VECTOR_RESERVE(numbers, count, capacity);
        numbers[count++] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i);
    free(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
        cmocka_unit_test(arena_keeps_large_and_small_apart),
        cmocka_unit_test(strings_of_any_length),
        cmocka_unit_test(vectors_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
