/* test_engine_model.c: procedures, blocks, jump tables and landing pads of compiled programs.
   Requires cmocka, the Alpha cross compilers and binutils. */
#include "tests/unit/test_engine_common.h"

static const char tables_text[] =
    "#include <stdio.h>\n"
    "__attribute__((noinline)) int dense(int x, int y) {\n"
    "  switch (x) { case 0: return y * 3; case 1: return y + 7; case 2: puts(\"a\"); return 4; case 3: "
    "return y - 9;\n"
    "    case 4: puts(\"b\"); return y * y; case 5: return y ^ 55; case 6: return y / 7; case 8: return y % "
    "11; }\n"
    "  return 0; }\n"
    "__attribute__((noinline)) int interpret(const unsigned char *p) {\n"
    "  static void *const targets[] = {&&a, &&b, &&c, &&d}; int sum = 0; goto *targets[*p++];\n"
    "  a: sum++; goto *targets[*p++]; b: sum *= 3; goto *targets[*p++]; c: sum -= 7; goto *targets[*p++];\n"
    "  d: return sum; }\n"
    "int main(int argc, char **argv) { (void)argv;\n"
    "  printf(\"%d\\n\", dense(argc, argc * 2) + interpret((unsigned char *)\"\\0\\1\\2\\0\\3\")); return 0; "
    "}\n";

static const char exceptions_text[] =
    "#include <stdexcept>\n#include <cstdio>\n"
    "struct guard { ~guard() { puts(\"guard\"); } };\n"
    "__attribute__((noinline)) int thrower(int x) { if (x > 1) throw std::runtime_error(\"x\"); return x; }\n"
    "__attribute__((noinline)) int catcher(int x) { try { guard g; return thrower(x); }\n"
    "  catch (std::exception &e) { puts(e.what()); } return 0; }\n"
    "int main(int c, char **) { return catcher(c + 1); }\n";

static const char lost_text[] = "        .set noat\n"
                                "        .text\n"
                                "        .globl main\n"
                                "        .ent main\n"
                                "main:   ldq $1, 0($16)\n"
                                "        addq $1, $17, $1\n"
                                "        jmp $31, ($1), 0\n"
                                "        lda $0, 1($31)\n"
                                "        bne $0, .Lend\n"
                                "        lda $0, 2($31)\n"
                                ".Lend:  ret $31, ($26), 1\n"
                                "        .end main\n";

/* The invariants that every model keeps. */
static void check_model(const struct program *program) {
    uint32_t next = 0, block = 0;
    for (uint32_t i = 0; i < program->procedure_count; i++) {
        const struct procedure *procedure = &program->procedures[i];
        assert_int_equal(procedure->first, next);
        assert_true(procedure->count > 0);
        assert_int_equal(procedure->first_block, block);
        next += procedure->count;
        block += procedure->block_count;
    }
    assert_int_equal(next, program->instruction_count);
    assert_int_equal(block, program->block_count);
    uint32_t edge = 0;
    for (uint32_t i = 0, first = 0; i < program->block_count; i++) {
        const struct basic_block *here = &program->blocks[i];
        assert_int_equal(here->first, first);
        first += here->count;
        assert_int_equal(here->first_successor, edge);
        edge += here->successor_count;
        bool marked = here->leaders & LEADER_UNKNOWN_JUMP; /* entered.c: the marks suffice */
        assert_int_equal(program->procedures[here->procedure].lost_jump, marked);
        for (uint32_t k = here->first; k < here->first + here->count; k++) {
            const struct alpha_descriptor *descriptor = alpha_decode(program->text[k]);
            bool ends =
                descriptor->flags & (ALPHA_COND_BRANCH | ALPHA_UNCOND_BRANCH | ALPHA_CALL | ALPHA_INDIRECT);
            assert_true(!ends || k + 1 == here->first + here->count);
            if (descriptor->format != ALPHA_FORMAT_BRANCH)
                continue;
            int64_t target = (int64_t)k + 1 + alpha_branch_displacement(program->text[k]);
            if (target >= 0 && target < program->instruction_count)
                assert_int_equal(program->blocks[block_at(program, target)].first, target);
        }
    }
    assert_int_equal(edge, program->edge_count);
}

/* Every FUNC symbol with a size starts a procedure, or lies in one; its procedure is no shorter. */
static void check_symbols(const struct program *program, const char *path) {
    char *command = format_string("alpha-linux-gnu-nm -S --defined-only %s", path);
    FILE *stream = popen(command, "r");
    unsigned long long address, size;
    char line[4096], kind;
    unsigned starts = 0, inside = 0;
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        if (sscanf(line, "%llx %llx %c", &address, &size, &kind) != 3 || !strchr("TtWw", kind))
            continue;
        uint32_t first = instruction_at(program, address);
        if (first == NO_INDEX)
            continue;
        const struct procedure *procedure = &program->procedures[procedure_at(program, first)];
        starts += procedure->first == first;
        inside += procedure->first != first;
        if (procedure->first == first)
            assert_true(4 * (uint64_t)procedure->count >= size);
    }
    assert_int_equal(pclose(stream), 0);
    assert_true(starts > 500);
    assert_true(inside * 50 < starts);
    free(command);
}

static void switches_are_resolved(void **state) {
    (void)state;
    static const char *const levels[] = {"-O0", "-O2", "-O3"};
    for (int i = 0; i < 3; i++) {
        char *path = build_program("tables.c", tables_text, levels[i], true);
        struct program *program = analyse(path);
        check_model(program);
        check_symbols(program, path);
        unsigned tables = 0, labels = 0;
        for (uint32_t k = 0; k < program->block_count; k++) {
            const struct basic_block *block = &program->blocks[k];
            unsigned target = alpha_rb(program->text[block->first + block->count - 1]);
            if (block->end == END_JUMP_UNKNOWN) /* nothing but tail calls is left */
                assert_int_equal(target, ALPHA_PV);
            if (block->end != END_JUMP_TABLE)
                continue;
            tables += block->procedure == procedure_named(program, "dense") && block->successor_count >= 8;
            labels +=
                block->procedure == procedure_named(program, "interpret") && block->successor_count == 4;
        }
        assert_int_equal(tables, 1);
        assert_true(labels >= 1);
        const char *file;
        uint32_t line;
        program_line(
            program,
            instruction_address(program, program->procedures[procedure_named(program, "dense")].first), &file,
            &line);
        assert_int_equal(line, 2);
        assert_non_null(strstr(file, "tables.c"));
        program_close(program);
        free(path);
    }
}

static void lost_jumps_lead_to_all_instructions(void **state) {
    (void)state;
    char *path = build_program("lost.s", lost_text, "-O0", true);
    struct program *program = analyse(path);
    check_model(program);
    const struct procedure *procedure = &program->procedures[procedure_named(program, "main")];
    assert_true(procedure->lost_jump);
    assert_int_equal(procedure->block_count, procedure->count);
    program_close(program);
    free(path);
}

static void stripped_programs_have_the_same_blocks(void **state) {
    (void)state;
    char *path = build_program("stripped.c", tables_text, "-O2", true),
         *stripped = format_string("%s.stripped", path);
    char *arguments[] = {"alpha-linux-gnu-strip", "-o", stripped, path, NULL};
    assert_int_equal(run_command(arguments, NULL), 0);
    struct program *whole = analyse(path), *bare = analyse(stripped);
    check_model(bare);
    assert_int_equal(whole->instruction_count, bare->instruction_count);
    unsigned different = 0;
    for (uint32_t i = 0; i < whole->block_count; i++)
        different += bare->blocks[block_at(bare, whole->blocks[i].first)].first != whole->blocks[i].first;
    assert_true(different <= 8); /* symbols that nothing refers to */
    assert_true(abs((int)whole->procedure_count - (int)bare->procedure_count) < 20);
    for (uint32_t i = 0; i < bare->procedure_count; i++)
        assert_non_null(strstr(bare->procedures[i].name, "proc_at_0x"));
    program_close(whole);
    program_close(bare);
    free(path);
    free(stripped);
}

static void landing_pads_are_leaders(void **state) {
    (void)state;
    char *path = build_program("exceptions.cpp", exceptions_text, "-O2", true);
    struct program *program = analyse(path);
    check_model(program);
    unsigned pads = 0, all = 0;
    uint32_t catcher = procedure_named(program, "_Z7catcheri");
    for (uint32_t i = 0; i < program->block_count; i++) {
        bool is_pad = program->blocks[i].leaders & LEADER_LANDING_PAD;
        all += is_pad;
        pads += is_pad && program->blocks[i].procedure == catcher;
    }
    assert_true(pads >= 2);
    assert_true(all > 20);
    program_close(program);
    free(path);
}

/* Two texts that share their records: each word has the facts that decoding it gives, also after the
   65,536th word that differs from all before. */
static void shared_facts(void **state) {
    (void)state;
    enum { FEW = 5000, MANY = 150000 };
    struct arena *arena = arena_create();
    struct program programs[3];
    static const uint32_t counts[3] = {FEW, MANY, FEW};
    for (int k = 0; k < 3; k++) {
        uint32_t *text = arena_allocate(arena, counts[k] * sizeof *text);
        for (uint32_t i = 0; i < counts[k]; i++)
            text[i] = UINT32_C(0x40000000) + (uint32_t)(k == 2) * 2500 + i * 97; /* operations of registers */
        programs[k] = (struct program){.architecture = architecture_of(EM_ALPHA),
                                       .flow = arena_create(),
                                       .scratch = arena_create(),
                                       .text = text,
                                       .instruction_count = counts[k]};
        if (k > 0)
            facts_share(&programs[k], &programs[0]);
        facts_find(&programs[k]);
    }
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < counts[k]; i++) {
            const struct architecture *architecture = programs[k].architecture;
            struct facts facts;
            architecture->decode(programs[k].text[i] & ~architecture->constant_bits(programs[k].text[i]),
                                 &facts);
            assert_int_equal(facts_of(&programs[k], i)->read, facts.read);
            assert_int_equal(facts_of(&programs[k], i)->written, facts.written);
            assert_int_equal(facts_of(&programs[k], i)->opcode, facts.opcode);
        }
    assert_non_null(programs[0].short_facts);
    assert_null(programs[1].short_facts);
    assert_ptr_equal(programs[2].all_facts, programs[0].all_facts);
    for (int k = 0; k < 3; k++) {
        arena_destroy(programs[k].flow);
        arena_destroy(programs[k].scratch);
    }
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_are_resolved),
        cmocka_unit_test(stripped_programs_have_the_same_blocks),
        cmocka_unit_test(lost_jumps_lead_to_all_instructions),
        cmocka_unit_test(landing_pads_are_leaders),
        cmocka_unit_test(shared_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
