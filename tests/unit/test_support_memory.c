/* test_support_memory.c: arenas, strings, growing vectors, and memory in files.
   Requires cmocka. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

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

static bool is_zero(const unsigned char *memory, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (memory[i])
            return false;
    return true;
}

static void released_memory_is_zero_again(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    char *kept = arena_string(arena, "kept", 4);
    for (int round = 0; round < 3; round++) {
        struct arena_mark mark = arena_mark(arena);
        unsigned char *first = NULL;
        for (int i = 0; i < 300; i++) { /* several chunks of small ones, and large ones between them */
            size_t bytes = i % 10 == 3 ? 100000 : 1000;
            unsigned char *memory = arena_allocate(arena, bytes);
            first = first ? first : memory;
            assert_true(is_zero(memory, bytes));
            memset(memory, 0x55, bytes);
        }
        arena_release(arena, mark);
        mark = arena_mark(arena);
        assert_ptr_equal(arena_allocate(arena, 1000), first);
        arena_release(arena, mark);
    }
    assert_string_equal(kept, "kept");
    arena_destroy(arena);
}

/* Marks nest; what is older than a mark stays, large or small, also where a large one is the newest. */
static void a_release_takes_what_is_younger_only(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    struct arena_mark empty = arena_mark(arena);
    char *large = arena_format(arena, "%*d", 50000, 1);
    struct arena_mark outer = arena_mark(arena);
    char *small = arena_string(arena, "small", 5), *second = arena_format(arena, "%*d", 60000, 2);
    struct arena_mark inner = arena_mark(arena);
    memset(arena_allocate(arena, 70000), 3, 70000);
    memset(arena_allocate(arena, 30), 3, 30);
    arena_release(arena, inner);
    memset(arena_allocate(arena, 30), 4, 30);
    memset(arena_allocate(arena, 60000), 4, 60000);
    assert_string_equal(small, "small");
    assert_int_equal(second[59999], '2');
    arena_release(arena, outer);
    memset(arena_allocate(arena, 50000), 5, 50000);
    assert_int_equal(large[49999], '1');
    assert_int_equal(strlen(large), 50000);
    arena_release(arena, empty);
    assert_true(is_zero(arena_allocate(arena, 50000), 50000));
    arena_destroy(arena);
}

static void the_last_allocation_grows_in_place(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    unsigned char *first = arena_allocate(arena, 20);
    memset(first, 1, 20);
    assert_ptr_equal(arena_resize(arena, first, 20, 5000), first);
    unsigned char *second = arena_allocate(arena, 16);
    assert_true(second >= first + 5000 && is_zero(second, 16));
    unsigned char *moved = arena_resize(arena, first, 5000, 6000);
    assert_ptr_not_equal(moved, first);
    for (int i = 0; i < 20; i++)
        assert_int_equal(moved[i], 1);
    assert_true(is_zero(second, 16));
    assert_ptr_equal(arena_resize(arena, moved, 6000, 100), moved);
    arena_destroy(arena);
}

/* One that outgrows its chunk gives its place back, and a large one grows wherever it is in the list. */
static void large_ones_grow(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    unsigned char *start = arena_allocate(arena, 0), *vectors[3] = {0};
    size_t bytes = 0;
    for (size_t more = 16; more <= 1 << 20; more *= 2, bytes = more / 2)
        for (int i = 0; i < 3; i++) {
            vectors[i] = arena_resize(arena, vectors[i], bytes, more);
            memset(vectors[i] + bytes, i + 1, more - bytes);
        }
    for (int i = 0; i < 3; i++)
        for (size_t at = 0; at < bytes; at++)
            assert_int_equal(vectors[i][at], i + 1);
    struct arena_mark mark = arena_mark(arena);
    unsigned char *last = arena_allocate(arena, 16000);
    memset(last, 9, 16000);
    unsigned char *large = arena_resize(arena, last, 16000, 40000);
    assert_int_equal(large[15999], 9);
    assert_ptr_equal(arena_allocate(arena, 0), last);
    assert_true(is_zero(arena_allocate(arena, 16000), 16000));
    arena_release(arena, mark);
    vectors[1] = arena_resize(arena, vectors[1], bytes, 1000); /* which stands between the others */
    vectors[0] = arena_resize(arena, vectors[0], bytes, 8 * bytes);
    vectors[2] = arena_resize(arena, vectors[2], bytes, 20000);
    vectors[2] = arena_resize(arena, vectors[2], 20000, 2 * bytes);
    assert_true(vectors[1][999] == 2 && vectors[0][bytes - 1] == 1);
    assert_int_equal(vectors[2][19999], 3);
    assert_non_null(start);
    arena_destroy(arena);
}

static void arena_vectors_grow(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    uint64_t *numbers = NULL;
    uint32_t *others = NULL;
    uint32_t count = 0, capacity = 0, other_capacity = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        ARENA_RESERVE(arena, numbers, count, capacity);
        ARENA_RESERVE(arena, others, count, other_capacity);
        numbers[count] = i;
        others[count++] = ~i;
    }
    for (uint32_t i = 0; i < 20000; i++)
        assert_true(numbers[i] == i && others[i] == ~i);
    arena_destroy(arena);
}

#ifdef __SANITIZE_ADDRESS__
static void released_memory_is_poisoned(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    char *kept = arena_allocate(arena, 20);
    struct arena_mark mark = arena_mark(arena);
    char *small = arena_allocate(arena, 100), *moved = arena_allocate(arena, 100);
    assert_false(__asan_address_is_poisoned(small + 99));
    assert_true(__asan_address_is_poisoned(kept + 20));
    assert_ptr_not_equal(arena_resize(arena, small, 100, 200), small);
    assert_true(__asan_address_is_poisoned(small));
    char *large = arena_allocate(arena, 100000);
    assert_false(__asan_address_is_poisoned(large + 99999));
    arena_release(arena, mark);
    assert_true(__asan_address_is_poisoned(large));
    assert_true(__asan_address_is_poisoned(moved));
    assert_false(__asan_address_is_poisoned(kept + 19));
    arena_destroy(arena);
}
#endif

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

static size_t resident_pages(const unsigned char *bytes, size_t size) {
    static uint64_t entries[4096]; /* of the pages, as the kernel tells: the highest bit is "in memory" */
    size_t page = (size_t)sysconf(_SC_PAGESIZE), count = size / page, resident = 0;
    int descriptor = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    assert_true(descriptor >= 0 && count <= sizeof entries / sizeof *entries);
    assert_int_equal(pread(descriptor, entries, count * sizeof *entries,
                           (off_t)((uintptr_t)bytes / page * sizeof *entries)),
                     count * sizeof *entries);
    close(descriptor);
    for (size_t i = 0; i < count; i++)
        resident += entries[i] >> 63;
    return resident;
}

static void what_is_left_comes_back_from_the_file(void **state) {
    (void)state;
    size_t size = 1 << 20, page = (size_t)sysconf(_SC_PAGESIZE);
    struct file_memory *memory = file_memory_create(".");
    assert_non_null(memory);
    unsigned char *bytes = file_memory_grow(memory, size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i % 251);
    assert_int_equal(resident_pages(bytes, size), size / page);
    file_memory_leave(memory, 0, size / 2);
    assert_int_equal(resident_pages(bytes, size), size / 2 / page);
    bytes = file_memory_grow(memory, 2 * size);
    assert_non_null(bytes);
    file_memory_leave(memory, 1, 2 * size);
    for (size_t i = 0; i < 2 * size; i++)
        assert_int_equal(bytes[i], i < size ? i % 251 : 0);
    file_memory_destroy(memory);
    file_memory_destroy(NULL);
}

static void a_file_without_room_is_told_of(void **state) {
    (void)state;
    struct rlimit before, limit;
    struct file_memory *memory = file_memory_create(".");
    assert_non_null(memory);
    unsigned char *bytes = file_memory_grow(memory, 100000);
    assert_non_null(bytes);
    memset(bytes, 7, 100000);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){200000, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_null(file_memory_grow(memory, 300000));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(bytes[i], 7);
    file_memory_destroy(memory);
    assert_null(file_memory_create("no such folder"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
        cmocka_unit_test(arena_keeps_large_and_small_apart),
        cmocka_unit_test(released_memory_is_zero_again),
        cmocka_unit_test(a_release_takes_what_is_younger_only),
        cmocka_unit_test(the_last_allocation_grows_in_place),
        cmocka_unit_test(large_ones_grow),
        cmocka_unit_test(arena_vectors_grow),
#ifdef __SANITIZE_ADDRESS__
        cmocka_unit_test(released_memory_is_poisoned),
#endif
        cmocka_unit_test(strings_of_any_length),
        cmocka_unit_test(vectors_grow),
        cmocka_unit_test(what_is_left_comes_back_from_the_file),
        cmocka_unit_test(a_file_without_room_is_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
