/* test_engine_updates.c: which words of new code are updates of cells, and that the runtime finds each of
   them from wherever it is interrupted. Requires cmocka. */
#include "engine/code/code.h"
#include "tests/unit/test_engine_common.h"

#include "runtime/updates.c"

enum { BASE = 1, VALUE = 2, AMOUNT = 3, CELL = 5000 };

static struct program program;
static struct code_space space;
static struct rewrite rewrite = {.program = &program, .code = &space};

static int begin(void **state) {
    (void)state;
    memset(&space, 0, sizeof space);
    rewrite.arena = rewrite.round = space.copies.arena = space.tables.words.arena = arena_create();
    space.copies.address = LAYOUT_COPIES;
    space.tables.words.address = LAYOUT_TABLES;
    program.scratch = arena_create();
    program.threads = false;
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_destroy(rewrite.arena);
    arena_destroy(program.scratch);
    return 0;
}

static void emit_others(uint32_t count) {
    for (; count > 0; count--)
        emit(&space.copies, ALPHA_NOP);
}

static const void *table_at(uint64_t address) {
    return (const char *)space.tables.words.words + (address - LAYOUT_TABLES);
}

/* What the runtime sees, with tables where they are in this process. */
static struct atomc_image image_of_copies(void) {
    struct atomc_image image = {.copies = LAYOUT_COPIES, .copies_end = code_address(&space.copies)};
    updates_write(&rewrite, &image);
    if (image.updates) {
        image.updates = (uint64_t)(uintptr_t)table_at(image.updates);
        image.update_pages = (uint64_t)(uintptr_t)table_at(image.update_pages);
    }
    return image;
}

/* Each word behind the first of a range leads to that range, no other word anywhere. */
static void check_found(void) {
    struct atomc_image image = image_of_copies();
    uint32_t at = 0;
    assert_null(updates_verify(&space));
    for (uint32_t word = 0; word < space.copies.count + 2; word++) {
        struct atomc_update update;
        while (at < space.updates.count && word >= space.updates.list[at].end)
            at++;
        bool inside = at < space.updates.count && word > space.updates.list[at].begin;
        assert_int_equal(atomc_find_update(&image, LAYOUT_COPIES + 4 * (uint64_t)word, &update), inside);
        if (inside) {
            assert_int_equal(update.begin, LAYOUT_COPIES + 4 * (uint64_t)space.updates.list[at].begin);
            assert_int_equal(update.end, LAYOUT_COPIES + 4 * (uint64_t)space.updates.list[at].end);
        }
    }
}

static void check_range(uint32_t number, uint32_t first, uint32_t behind) {
    assert_true(number < space.updates.count);
    assert_int_equal(space.updates.list[number].begin, first);
    assert_int_equal(space.updates.list[number].end, behind);
}

/* Constants and registers, next to each other and apart, with a branch back where there may be threads. */
static void additions_are_found(void **state) {
    (void)state;
    for (int threads = 0; threads < 2; threads++) {
        uint32_t first = space.copies.count, number = space.updates.count, size = threads ? 5 : 4;
        program.threads = threads;
        emit_cell_add(&rewrite, CELL, (struct cell_amount){ALPHA_ZERO, 1}, BASE, VALUE);
        emit_cell_add(&rewrite, CELL, (struct cell_amount){AMOUNT, 0}, BASE, VALUE);
        emit_others(3);
        emit_cell_add(&rewrite, 0, (struct cell_amount){ALPHA_ZERO, -5}, VALUE, BASE);
        check_range(number, first, first + size);
        check_range(number + 1, first + size, first + 2 * size);
        check_range(number + 2, first + 2 * size + 3, first + 3 * size + 3);
        assert_int_equal(updates_end(&rewrite), space.copies.count);
    }
    check_found();
}

/* The words of both forms. */
static void additions_are_these(void **state) {
    (void)state;
    static const uint32_t plain[] = {0x243f7b01, 0xa4419c40, 0x40430402, 0xb4419c40};
    static const uint32_t locked[] = {0x243f7b01, 0xac419c40, 0x20420007, 0xbc419c40, 0xe45ffffc};
    emit_cell_add(&rewrite, CELL, (struct cell_amount){AMOUNT, 0}, BASE, VALUE);
    assert_memory_equal(space.copies.words, plain, sizeof plain);
    program.threads = true;
    emit_cell_add(&rewrite, CELL, (struct cell_amount){ALPHA_ZERO, 7}, BASE, VALUE);
    assert_memory_equal(space.copies.words + 4, locked, sizeof locked);
}

/* Over the ends of pages, and pages without any. */
static void pages_are_passed(void **state) {
    (void)state;
    for (uint32_t before = ATOMC_UPDATE_PAGE - 6; before < ATOMC_UPDATE_PAGE + 2; before++) {
        emit_others(before % 2 ? before : 3 * before);
        emit_cell_add(&rewrite, before, (struct cell_amount){AMOUNT, 0}, BASE, VALUE);
    }
    check_found();
    emit_others(3 * ATOMC_UPDATE_PAGE);
    check_found();
}

static void none_is_found(void **state) {
    (void)state;
    struct atomc_update update;
    emit_others(10);
    struct atomc_image image = image_of_copies();
    assert_int_equal(image.updates, 0);
    assert_int_equal(atomc_find_update(&image, LAYOUT_COPIES + 8, &update), 0);
}

/* Emits ldq, the words, stq, after `lead`; what becomes the range's beginning, NO_INDEX: there is none. */
static uint32_t note(const uint32_t *lead, uint32_t lead_count, const uint32_t *words, uint32_t count) {
    uint32_t from = space.copies.count, before = space.updates.count;
    for (uint32_t i = 0; i < lead_count; i++)
        emit(&space.copies, lead[i]);
    uint32_t load = update_load(&rewrite, VALUE, 0, BASE);
    for (uint32_t i = 0; i < count; i++)
        emit(&space.copies, words[i]);
    update_store(&rewrite, from, load, VALUE, 0, BASE);
    assert_null(updates_verify(&space));
    return space.updates.count > before ? space.updates.list[before].begin - from : NO_INDEX;
}

/* What may not be executed twice is in no range: other stores, calls, loops, what changes what has been read.
 */
static void only_restartable(void **state) {
    (void)state;
    const uint32_t add = alpha_operate(ALPHA_ADDQr, VALUE, AMOUNT, VALUE);
    const uint32_t compute = alpha_literal(ALPHA_S8ADDQi, 4, 16, AMOUNT);
    const uint32_t step = alpha_literal(ALPHA_ADDQi, AMOUNT, 1, AMOUNT);
    const uint32_t store = alpha_memory(ALPHA_STQ, 5, 0, ALPHA_SP);
    const uint32_t call = alpha_branch(ALPHA_BSR, ALPHA_RA, 100), back = alpha_branch(ALPHA_BNE, 4, -3);
    const uint32_t over = alpha_branch(ALPHA_BEQ, 4, 6), trap = alpha_pal(ALPHA_PAL_CALLSYS);
    const uint32_t lower = alpha_memory(ALPHA_LDA, ALPHA_SP, -16, ALPHA_SP);
    const uint32_t never[] = {step, store, call, back, trap, lower};
    assert_int_equal(note(NULL, 0, &add, 1), 0);
    assert_int_equal(note(&compute, 1, &add, 1), 0);
    assert_int_equal(note(&compute, 1, &over, 1), 0);
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        assert_int_equal(note(&never[i], 1, &add, 1), 1);
        assert_int_equal(note(NULL, 0, &never[i], 1), NO_INDEX);
    }
    check_found();
}

static void long_ones_are_cut(void **state) {
    (void)state;
    uint32_t words[ATOMC_UPDATE_WORDS];
    for (uint32_t i = 0; i < ATOMC_UPDATE_WORDS; i++)
        words[i] = ALPHA_NOP;
    assert_int_equal(note(words, 40, words, 22), 0);
    assert_int_equal(note(words, 40, words, 23), 40);
    assert_int_equal(note(NULL, 0, words, 62), 0);
    assert_int_equal(note(NULL, 0, words, 63), NO_INDEX);
    check_found();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(additions_are_found, begin, end),
        cmocka_unit_test_setup_teardown(additions_are_these, begin, end),
        cmocka_unit_test_setup_teardown(pages_are_passed, begin, end),
        cmocka_unit_test_setup_teardown(none_is_found, begin, end),
        cmocka_unit_test_setup_teardown(only_restartable, begin, end),
        cmocka_unit_test_setup_teardown(long_ones_are_cut, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
