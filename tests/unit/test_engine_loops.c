/* test_engine_loops.c: natural loops of hand-written assembly, and of a real program against their
   definition. Requires cmocka, the Alpha cross compilers and binutils. */
#include "engine/dataflow/dataflow.h"
#include "tests/unit/test_engine_common.h"

/* Two nested loops with an exit out of both; one with two back edges; an irreducible cycle; a procedure whose
   first instruction is a header; a loop entered from another procedure in its middle. */
static const char assembly[] = "    .set noat\n"
                               "    .text\n"
                               "    .globl _start\n"
                               "    .ent _start\n"
                               "_start:\n"
                               "    bsr $26, nested\n"
                               "    bsr $26, twice\n"
                               "    bsr $26, cycle\n"
                               "    bsr $26, first\n"
                               "    bsr $26, entered\n"
                               "    bsr $26, middle\n"
                               "    lda $0, 1($31)\n"
                               "    call_pal 0x83\n"
                               "    .end _start\n"
                               "    .ent nested\n"
                               "nested:\n"
                               "    lda $1, 3($31)\n"
                               "n_outer:\n" /* block 1 */
                               "    lda $2, 4($31)\n"
                               "n_inner:\n" /* block 2 */
                               "    subq $2, 1, $2\n"
                               "    beq $3, n_out\n"
                               "    bne $2, n_inner\n" /* block 3 */
                               "    subq $1, 1, $1\n"
                               "    bne $1, n_outer\n" /* block 4 */
                               "n_out:\n"
                               "    ret\n"
                               "    .end nested\n"
                               "    .ent twice\n"
                               "twice:\n"
                               "    lda $1, 3($31)\n"
                               "t_head:\n"
                               "    subq $1, 1, $1\n"
                               "    beq $1, t_out\n"
                               "    blbs $1, t_head\n"
                               "    subq $1, 1, $1\n"
                               "    br t_head\n"
                               "t_out:\n"
                               "    ret\n"
                               "    .end twice\n"
                               "    .ent cycle\n"
                               "cycle:\n"
                               "    beq $1, c_second\n"
                               "c_first:\n"
                               "    subq $1, 1, $1\n"
                               "c_second:\n"
                               "    bgt $1, c_first\n"
                               "    ret\n"
                               "    .end cycle\n"
                               "    .ent first\n"
                               "first:\n"
                               "    subq $1, 1, $1\n"
                               "    bgt $1, first\n"
                               "    ret\n"
                               "    .end first\n"
                               "    .ent entered\n"
                               "entered:\n"
                               "    lda $1, 3($31)\n"
                               "e_head:\n"
                               "    subq $1, 1, $1\n"
                               "    bsr $25, other\n"
                               "middle:\n"
                               "    bgt $1, e_head\n"
                               "    ret\n"
                               "    .end entered\n"
                               "    .ent other\n"
                               "other:\n"
                               "    ret $31, ($25), 1\n"
                               "    .end other\n";

/* The loop whose header is the numbered block of the procedure, NULL if there is none. */
static const struct loop *loop_at(const struct program *program, const char *name, uint32_t block) {
    uint32_t header = program->procedures[procedure_named(program, name)].first_block + block;
    for (uint32_t i = 0; i < program->loop_count; i++)
        if (program->loops[i].header == header)
            return &program->loops[i];
    return NULL;
}

static void check_loop(const struct program *program, const char *name, uint32_t block, uint32_t depth,
                       uint32_t blocks, uint32_t back_edges) {
    const struct loop *loop = loop_at(program, name, block);
    assert_non_null(loop);
    assert_int_equal(loop->depth, depth);
    assert_int_equal(loop->block_count, blocks);
    assert_int_equal(loop->back_edge_count, back_edges);
}

static void finds_loops_of_assembly(void **state) {
    (void)state;
    char *path = build_program("loops.s", assembly, "-O0", false);
    struct program *program = analyse(path);
    check_loop(program, "nested", 1, 1, 4, 1);
    check_loop(program, "nested", 2, 2, 2, 1);
    assert_ptr_equal(&program->loops[loop_at(program, "nested", 2)->parent], loop_at(program, "nested", 1));
    check_loop(program, "twice", 1, 1, 3, 2);
    check_loop(program, "first", 0, 1, 1, 1);
    assert_int_equal(program->loop_count, 4); /* the cycles of `cycle` and `entered` are none */
    program_close(program);
    free(path);
}

/* Loops go round several times, the inner one in each round; what enters a procedure leaves it. */
static void estimates_frequencies(void **state) {
    (void)state;
    char *path = build_program("loops.s", assembly, "-O0", false);
    struct program *program = analyse(path);
    struct frequencies frequencies = {0};
    frequencies_find(&frequencies, program, procedure_named(program, "nested"), program->scratch);
    uint64_t entered = frequencies.block[0];
    assert_true(frequencies.block[1] > entered && frequencies.block[2] > 3 * frequencies.block[1]);
    assert_true(frequencies.block[3] < frequencies.block[2] && frequencies.block[4] < frequencies.block[3]);
    assert_in_range(frequencies.block[5], entered * 9 / 10, entered * 11 / 10);
    assert_true(frequencies.taken[2] < frequencies.block[2] / 4 &&
                frequencies.taken[3] > frequencies.block[3] * 3 / 4);
    frequencies_find(&frequencies, program, procedure_named(program, "twice"), program->scratch);
    assert_true(frequencies.block[1] > 2 * entered);
    assert_in_range(frequencies.block[4], entered * 9 / 10, entered * 11 / 10);
    frequencies_find(&frequencies, program, procedure_named(program, "cycle"), program->scratch);
    assert_true(frequencies.block[1] > 0 && frequencies.block[2] >= entered);
    program_close(program);
    free(path);
}

/* ---- a real program against the definitions --------------------------------------------------- */

enum { MOST = 300 }; /* blocks of a procedure that is checked */
typedef bool matrix[MOST][MOST];

static bool has_edge(const struct program *program, uint32_t from, uint32_t to) {
    const struct basic_block *block = &program->blocks[from];
    for (uint32_t i = 0; i < block->successor_count; i++)
        if (program->edges[block->first_successor + i].to == to)
            return true;
    return false;
}

/* Blocks that are reached from outside when `without` is left out. */
static void reach(const struct program *program, const struct procedure *procedure, uint32_t without,
                  bool *reached) {
    uint32_t first = procedure->first_block, count = procedure->block_count;
    for (uint32_t i = 0; i < count; i++)
        reached[i] = i != without && has_unseen_predecessor(program->blocks[first + i].leaders);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t e = 0; reached[i] && e < program->blocks[first + i].successor_count; e++) {
                uint32_t to = program->edges[program->blocks[first + i].first_successor + e].to -
                              procedure->first_block;
                if (to < count && to != without && !reached[to])
                    again = reached[to] = true;
            }
    }
}

/* What is in the loop of `header`: all that reaches a source of a back edge without the header. */
static bool define_loop(const struct program *program, const struct procedure *procedure, matrix dominates,
                        const bool *live, uint32_t header, bool *member) {
    uint32_t first = procedure->first_block, count = procedure->block_count;
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        member[i] = live[i] && dominates[header][i] && has_edge(program, first + i, first + header);
        found |= member[i];
    }
    member[header] = true;
    for (bool again = found; again;) {
        again = false;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; live[i] && !member[i] && k < count; k++)
                if (k != header && member[k] && has_edge(program, first + i, first + k))
                    again = member[i] = true;
    }
    return found;
}

static uint32_t check_procedure(const struct program *program, uint32_t index) {
    static matrix dominates;
    static bool live[MOST], member[MOST];
    const struct procedure *procedure = &program->procedures[index];
    uint32_t count = procedure->block_count, loops = 0;
    reach(program, procedure, NO_INDEX, live);
    for (uint32_t i = 0; i < count; i++) {
        static bool reached[MOST];
        reach(program, procedure, i, reached);
        for (uint32_t k = 0; k < count; k++)
            dominates[i][k] = live[i] && live[k] && !reached[k];
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct loop *loop = loop_at(program, procedure->name, i);
        bool expected = define_loop(program, procedure, dominates, live, i, member);
        assert_int_equal(expected, loop != NULL);
        if (!loop)
            continue;
        uint32_t size = 0;
        for (uint32_t k = 0; k < count; k++) {
            size += member[k];
            assert_int_equal(member[k],
                             block_in_loop(program, procedure->first_block + k, loop - program->loops));
        }
        assert_int_equal(size, loop->block_count);
        for (uint32_t k = 0; k < size; k++)
            assert_true(member[program->loop_blocks[loop->first_block + k] - procedure->first_block]);
        assert_int_equal(program->loop_blocks[loop->first_block], loop->header);
        for (uint32_t k = 0; k < loop->back_edge_count; k++) {
            const struct edge *edge = &program->edges[program->back_edges[loop->first_back_edge + k]];
            assert_int_equal(edge->to, loop->header);
            assert_true(member[edge->from - procedure->first_block]);
        }
        loops++;
    }
    return loops;
}

static void finds_loops_of_a_library(void **state) {
    (void)state;
    char *path = build_program("hello.c", "#include <stdio.h>\nint main(void) { return puts(\"hello\"); }\n",
                               "-O2", true);
    struct program *program = analyse(path);
    uint32_t loops = 0;
    for (uint32_t i = 0; i < program->procedure_count; i++)
        if (program->procedures[i].block_count <= MOST &&
            procedure_named(program, program->procedures[i].name) == i)
            loops += check_procedure(program, i);
    assert_in_range(loops, 500, program->loop_count);
    program_close(program);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_loops_of_assembly),
                                       cmocka_unit_test(estimates_frequencies),
                                       cmocka_unit_test(finds_loops_of_a_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
