/* test_engine_machine.c: the rooms take what an architecture's tables say. The programs are made of words of
   an instruction set that exists only here, with its own registers for every task, in an ELF file of Alpha
   whose architecture is replaced after it was read. Requires the Alpha cross compiler. */
#include "tests/unit/test_engine_common.h"

#include "engine/code/code.h"
#include "engine/dataflow/dataflow.h"

/* ---- the instruction set ----------------------------------------------------------------------------------------- */

/* A word: operation, two registers, and a register or a signed number. */
#define WORD(operation, a, b, c)                                                                             \
    ((uint32_t)(operation) << 24 | (uint32_t)(a) << 16 | (uint32_t)(b) << 8 | (uint8_t)(c))
enum { NOTHING, ADD, BRANCH_IF_ZERO, BRANCH, CALL, RETURN, LOAD, STORE };
enum {
    STACK = 2,
    ZERO = 5,
    FIRST_FREE = 7,
    SECOND_FREE = 3,
    LINK = 9,
    RESULT = 11,
    ARGUMENT = 12,
    PRESERVED = 20
};

static void decode(uint32_t word, struct facts *facts) {
    const uint8_t a = word >> 16 & 31, b = word >> 8 & 31, c = word & 31;
    *facts = (struct facts){.opcode = (uint16_t)(word >> 24),
                            .class = CLASS_ARITHMETIC,
                            .target = REGISTER_NONE,
                            .link = REGISTER_NONE,
                            .tested = REGISTER_NONE,
                            .operand = {a, b, c}};
    switch (word >> 24) {
    case ADD:
        facts->read = (set_of(a) | set_of(b)) & ~set_of(ZERO);
        facts->written = set_of(c);
        break;
    case BRANCH_IF_ZERO:
        facts->class = CLASS_COND_BRANCH;
        facts->transfer = TRANSFER_COND_BRANCH;
        facts->condition = CONDITION_ZERO;
        facts->tested = a;
        facts->read = set_of(a);
        break;
    case BRANCH:
        facts->class = CLASS_UNCOND_BRANCH;
        facts->transfer = TRANSFER_BRANCH;
        break;
    case CALL:
        facts->class = CLASS_CALL;
        facts->transfer = TRANSFER_CALL;
        facts->link = LINK;
        facts->written = set_of(LINK);
        break;
    case RETURN:
        facts->class = CLASS_RETURN;
        facts->transfer = TRANSFER_RETURN;
        facts->flags = FACT_INDIRECT;
        facts->target = LINK;
        facts->read = set_of(LINK);
        break;
    case LOAD:
    case STORE:
        facts->class = word >> 24 == LOAD ? CLASS_LOAD : CLASS_STORE;
        facts->flags = FACT_WHOLE_REGISTER | (word >> 24 == LOAD ? FACT_LOAD : FACT_STORE);
        facts->memory_count = 1;
        facts->memory[0] =
            (struct memory_operand){.base = b, .index = REGISTER_NONE, .data = a, .size = 8, .count = 1};
        facts->read = set_of(b) | (word >> 24 == STORE ? set_of(a) : 0);
        facts->written = word >> 24 == LOAD ? set_of(a) : 0;
        break;
    default:
        facts->flags = FACT_NOP;
        break;
    }
}

static uint32_t constant_bits(uint32_t word) {
    return word >> 24 == ADD ? 0 : 0xff;
}

static struct constants constants(uint32_t word) {
    const int8_t number = (int8_t)word;
    struct constants found = {.literal = -1, .displacement = number, .value = number};
    if (word >> 24 >= BRANCH_IF_ZERO && word >> 24 <= CALL)
        found.value = 4 * (int64_t)number; /* from the branch itself */
    return found;
}

static int64_t distance(uint32_t word) {
    return constants(word).value;
}

static struct computation compute(uint32_t word) {
    struct computation computation = {
        .result = word & 31, .a = word >> 16 & 31, .b = word >> 8 & 31, .scale = 1};
    if (word >> 24 == ADD) {
        computation.kind = COMPUTES_SUM;
        computation.operation = OPERATOR_ADD;
    }
    return computation;
}

static bool is_instruction(uint32_t word) {
    return word >> 24 <= STORE;
}

static bool is_branch(uint32_t word) {
    return word >> 24 >= BRANCH_IF_ZERO && word >> 24 <= CALL;
}

static bool ends_path(uint32_t word) {
    return word >> 24 == BRANCH || word >> 24 == RETURN;
}

static bool begins_procedure(uint32_t first, uint32_t second) {
    (void)first;
    (void)second;
    return false;
}

static bool is_system_call(const uint32_t *words, size_t count, size_t at) {
    (void)words;
    (void)count;
    (void)at;
    return false;
}

static const uint8_t free_order[] = {FIRST_FREE, SECOND_FREE, PRESERVED};

static struct architecture small = {
    .instruction_bytes = 4,
    .page = 4096,
    .largest_page = 4096,
    .system_call = UINT32_MAX,
    .registers = {.stack = STACK,
                  .frame = REGISTER_NONE,
                  .link = LINK,
                  .zero = ZERO,
                  .data_base = REGISTER_NONE,
                  .procedure_value = REGISTER_NONE,
                  .spill = FIRST_FREE,
                  .result = RESULT,
                  .float_result = REGISTER_NONE,
                  .system_call_number = 1,
                  .first_argument = ARGUMENT,
                  .first_float_argument = REGISTER_NONE,
                  .arguments_in_registers = 2,
                  .all = UINT32_MAX,
                  .integers = UINT32_MAX,
                  .arguments = UINT32_C(3) << ARGUMENT,
                  .results = UINT32_C(1) << RESULT,
                  .callee_saved = UINT32_C(1) << STACK | UINT32_C(1) << PRESERVED,
                  .fixed = UINT32_C(1) << STACK | UINT32_C(1) << LINK,
                  .free_order = free_order,
                  .free_count = sizeof free_order,
                  .temporary_count = 2},
    .words = {.is_instruction = is_instruction,
              .is_branch = is_branch,
              .ends_path = ends_path,
              .begins_procedure = begins_procedure,
              .is_system_call = is_system_call},
    .decode = decode,
    .constant_bits = constant_bits,
    .constants = constants,
    .distance = distance,
    .compute = compute,
};

/* ---- a program ----------------------------------------------------------------------------------------------------- */

/* main(x) { if (x) x += helper(x); return x; } */
static const uint32_t main_words[] = {
    WORD(STORE, LINK, STACK, 8), WORD(BRANCH_IF_ZERO, ARGUMENT, 0, 4),
    WORD(CALL, 0, 0, 5),         WORD(ADD, ARGUMENT, RESULT, ARGUMENT),
    WORD(BRANCH, 0, 0, 1),       WORD(ADD, ARGUMENT, ZERO, RESULT),
    WORD(RETURN, 0, 0, 0),
};
static const uint32_t helper_words[] = {
    WORD(ADD, ARGUMENT, ARGUMENT, RESULT),
    WORD(RETURN, 0, 0, 0),
};

static void add_procedure(FILE *stream, const char *name, const uint32_t *words, size_t count) {
    fprintf(stream, "\t.globl %s\n\t.type %s, @function\n%s:\n", name, name, name);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "\t.long 0x%08x\n", words[i]);
    fprintf(stream, "\t.size %s, .-%s\n", name, name);
}

static struct program *small_program(void) {
    char *source = NULL;
    size_t size;
    FILE *stream = open_memstream(&source, &size);
    fputs("\t.text\n\t.globl _start\n_start:\n", stream);
    add_procedure(stream, "main", main_words, sizeof main_words / sizeof main_words[0]);
    add_procedure(stream, "helper", helper_words, sizeof helper_words / sizeof helper_words[0]);
    fclose(stream);
    char *path = build_program("small.s", source, "-O1", false);
    struct diagnostics *diagnostics = diagnostics_create();
    struct program *program = program_open(path, diagnostics);
    assert_non_null(program);
    program->architecture = &small;
    program_analyse(program, diagnostics);
    liveness_analyse(program);
    assert_int_equal(diagnostics_errors(diagnostics), 0);
    diagnostics_destroy(diagnostics);
    free(source);
    free(path);
    return program;
}

static const struct basic_block *block_of(const struct program *program, const char *name, uint32_t offset) {
    const struct procedure *procedure = &program->procedures[procedure_named(program, name)];
    return &program->blocks[block_at(program, procedure->first + offset)];
}

/* ---- rooms --------------------------------------------------------------------------------------------------------- */

static void cfg_follows_distances(void **state) {
    (void)state;
    struct program *program = small_program();
    const struct procedure *procedure = &program->procedures[procedure_named(program, "main")];
    assert_int_equal(procedure->block_count, 4);
    assert_int_equal(block_of(program, "main", 1)->end, END_COND_BRANCH);
    assert_int_equal(branch_target(program, procedure->first + 1), procedure->first + 5);
    assert_int_equal(block_of(program, "main", 2)->end, END_CALL);
    uint32_t offset = 1;
    assert_int_equal(call_target(program, procedure->first + 2, &offset), procedure_named(program, "helper"));
    assert_int_equal(offset, 0);
    assert_int_equal(block_of(program, "main", 6)->end, END_RETURN);
    program_close(program);
}

static void liveness_takes_the_conventions(void **state) {
    (void)state;
    struct program *program = small_program();
    register_set live = block_of(program, "main", 0)->live_in;
    assert_true(live & set_of(ARGUMENT) && live & set_of(LINK) && live & set_of(STACK));
    assert_true(live & set_of(PRESERVED)); /* its caller's */
    assert_false(live & (set_of(FIRST_FREE) | set_of(SECOND_FREE) | set_of(ZERO)));
    assert_false(block_of(program, "helper", 0)->live_in & set_of(RESULT));
    program_close(program);
    small.registers.callee_saved = set_of(STACK) | set_of(SECOND_FREE);
    program = small_program();
    live = block_of(program, "main", 0)->live_in;
    assert_true(live & set_of(SECOND_FREE));
    assert_false(live & set_of(PRESERVED));
    small.registers.callee_saved = set_of(STACK) | set_of(PRESERVED);
    program_close(program);
}

static void registers_are_taken_in_its_order(void **state) {
    (void)state;
    uint8_t found[3];
    assert_int_equal(free_register(&small.registers, 0), FIRST_FREE);
    assert_int_equal(free_register(&small.registers, set_of(FIRST_FREE)), SECOND_FREE);
    assert_int_equal(free_registers(&small.registers, set_of(SECOND_FREE), 3, found), 2);
    assert_true(found[0] == FIRST_FREE && found[1] == PRESERVED);
}

/* A branch over more words than the machine's branches reach takes another way. */
static void far_is_what_the_machine_says(void **state) {
    (void)state;
    const struct machine short_branches = {.farthest_branch = 100};
    struct program *program = small_program();
    uint32_t inside[8] = {0};
    assert_true(program->block_count <= sizeof inside / sizeof inside[0]);
    struct code_space space = {.copies = {.machine = &short_branches, .count = 101},
                               .layout = {.inside = inside, .at = 1}};
    struct rewrite rewrite = {.program = program, .code = &space, .machine = &short_branches};
    space.layout.far_words = short_branches.farthest_branch;
    assert_true(is_far(&rewrite, 0));
    space.copies.count = 100;
    assert_false(is_far(&rewrite, 0));
    program_close(program);
}

/* The facts of each instruction are those of its word, of whatever number: numbers are of 16 bits up to
   65,535 different words, else of 32. */
static void facts_of_many_words(void **state) {
    (void)state;
    enum { FEW = 65535, MANY = 70000 };
    static uint32_t text[MANY];
    for (uint32_t i = 0; i < MANY; i++) /* each opcode has 1024 pairs of registers */
        text[i] = WORD(64 + i / 1024, i / 32 % 32, i % 32, 0);
    for (uint32_t count = FEW; count <= MANY; count += MANY - FEW) {
        struct program program = {.instruction_count = count,
                                  .text = text,
                                  .architecture = &small,
                                  .flow = arena_create(),
                                  .scratch = arena_create()};
        facts_find(&program);
        assert_true((program.facts != NULL) == (count == MANY));
        for (uint32_t i = 0; i < count; i++) {
            const struct facts *found = facts_of(&program, i);
            struct facts expected;
            small.decode(text[i], &expected);
            assert_int_equal(found->opcode, expected.opcode);
            assert_memory_equal(found->operand, expected.operand, sizeof expected.operand);
        }
        arena_destroy(program.scratch);
        arena_destroy(program.flow);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_of_many_words),
        cmocka_unit_test(cfg_follows_distances),
        cmocka_unit_test(liveness_takes_the_conventions),
        cmocka_unit_test(registers_are_taken_in_its_order),
        cmocka_unit_test(far_is_what_the_machine_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
