/* test_engine_inline.c: what instructions compute, against the machine; folding of graphs, against computing;
   routines as graphs. Requires the Alpha cross compiler and qemu-alpha. */
#include "tests/unit/test_engine_common.h"

#include "engine/inline/internal.h"
#include "runtime/machine/alpha/layout.h"

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static const uint64_t samples[] = {0,
                                   1,
                                   2,
                                   7,
                                   0x7f,
                                   0x80,
                                   0xff,
                                   0x8000,
                                   0x12345678,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x123456789abcdef0,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xfedcba9876543210,
                                   0xffffffffffffffff};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static void write_checks(FILE *stream) {
    fputs("#include <stdio.h>\nint main(void) {\n    static const unsigned long v[] = {", stream);
    for (unsigned i = 0; i < SAMPLES; i++)
        fprintf(stream, "0x%llxUL, ", (unsigned long long)samples[i]);
    fprintf(stream,
            "};\n    for (int i = 0; i < %d; i++)\n        for (int j = 0; j < %d; j++) {\n"
            "            unsigned long a = v[i], b = v[j], r;\n",
            SAMPLES, SAMPLES);
    for (unsigned opcode = 0; opcode < ALPHA_OPCODE_COUNT; opcode++) {
        const struct alpha_descriptor *descriptor = alpha_describe(opcode);
        uint64_t result;
        if (!alpha_evaluate(opcode, 0, 0, &result))
            continue;
        fprintf(stream,
                "            __asm__ volatile(\".arch ev6\\n\\t%s %s%%2,%%0\" : \"=r\"(r) : \"r\"(a), "
                "\"r\"(b));\n"
                "            printf(\"%u %%d %%d %%lx\\n\", i, j, r);\n",
                descriptor->mnemonic, descriptor->ra_role == ALPHA_ROLE_NONE ? "" : "%1,", opcode);
    }
    fputs("        }\n    return 0;\n}\n", stream);
}

static void evaluates_as_the_machine(void **state) {
    (void)state;
    char *source = NULL;
    size_t size;
    FILE *stream = open_memstream(&source, &size);
    write_checks(stream);
    fclose(stream);
    char *program = build_program("evaluate.c", source, "-O1", true);
    char *qemu = getenv("QEMU"), *command = format_string("%s %s", qemu ? qemu : "qemu-alpha", program);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    unsigned long lines = 0, found;
    for (unsigned opcode, i, j; fscanf(output, "%u %u %u %lx", &opcode, &i, &j, &found) == 4; lines++) {
        uint64_t result = 0;
        assert_true(alpha_evaluate(opcode, samples[i], samples[j], &result));
        if (result != found)
            fail_msg("%s %lx %lx is %lx, not %lx", alpha_describe(opcode)->mnemonic,
                     (unsigned long)samples[i], (unsigned long)samples[j], found, (unsigned long)result);
    }
    assert_int_equal(pclose(output), 0);
    assert_true(lines > 50 * SAMPLES * SAMPLES);
    free(source);
    free(command);
    free(program);
}

/* ---- folding ----------------------------------------------------------------------------------------------------- */

static uint64_t random_state = 88172645463325252u;
static uint64_t random_number(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static uint64_t random_value(void) {
    uint64_t number = random_number();
    switch (number % 5) {
    case 0:
        return samples[number / 8 % SAMPLES];
    case 1:
        return number >> 60;
    case 2:
        return -(number >> 60);
    default:
        return number >> (number / 8 % 64);
    }
}

enum { LEAVES = 3, VALUES = 24 };

/* A node's value, by its operands'. */
static uint64_t value_of(const struct graph *graph, uint32_t index, const uint64_t *leaves) {
    const struct node *node = &graph->nodes[index];
    uint64_t result = 0;
    bool holds = false;
    switch (node->kind) {
    case NODE_CONSTANT:
        return node->number;
    case NODE_OPERATE:
        assert_true(operator_evaluate(node->operation, value_of(graph, node->a, leaves),
                                      value_of(graph, node->b, leaves), &result));
        return result;
    case NODE_SELECT:
        holds = condition_holds(node->operation, value_of(graph, node->a, leaves));
        return value_of(graph, holds ? node->b : node->c, leaves);
    default:
        return leaves[node->number];
    }
}

static const uint16_t operations[] = {OPERATOR_ADD,
                                      OPERATOR_ADD,
                                      OPERATOR_SUBTRACT,
                                      OPERATOR_ADD_INT,
                                      OPERATOR_SUBTRACT_INT,
                                      OPERATOR_INDEX_4,
                                      OPERATOR_INDEX_8,
                                      OPERATOR_INDEX_4_INT,
                                      OPERATOR_SUBTRACT_8,
                                      OPERATOR_MULTIPLY,
                                      OPERATOR_MULTIPLY_INT,
                                      OPERATOR_MULTIPLY_HIGH,
                                      OPERATOR_EQUAL,
                                      OPERATOR_EQUAL,
                                      OPERATOR_LESS,
                                      OPERATOR_LESS_EQUAL,
                                      OPERATOR_BELOW,
                                      OPERATOR_BELOW_EQUAL,
                                      OPERATOR_AND,
                                      OPERATOR_AND,
                                      OPERATOR_AND_NOT,
                                      OPERATOR_OR,
                                      OPERATOR_OR_NOT,
                                      OPERATOR_XOR,
                                      OPERATOR_XOR_NOT,
                                      OPERATOR_SHIFT_LEFT,
                                      OPERATOR_SHIFT_RIGHT,
                                      OPERATOR_SHIFT_RIGHT_SIGNED,
                                      OPERATOR_EXTRACT_BYTE,
                                      OPERATOR_INSERT_BYTE,
                                      OPERATOR_MASK_BYTE,
                                      OPERATOR_KEEP_BYTES,
                                      OPERATOR_CLEAR_BYTES,
                                      OPERATOR_EXTRACT_WORD,
                                      OPERATOR_MASK_QUAD_HIGH,
                                      OPERATOR_COMPARE_BYTES,
                                      OPERATOR_SHIFT_LEFT,
                                      OPERATOR_SHIFT_RIGHT};
static const uint16_t tests[] = {CONDITION_ZERO,         CONDITION_NONZERO,      CONDITION_NEGATIVE,
                                 CONDITION_NOT_NEGATIVE, CONDITION_NOT_POSITIVE, CONDITION_POSITIVE,
                                 CONDITION_EVEN,         CONDITION_ODD};

/* An expression made step by step, and what it should be worth for each of several assignments of its leaves.
 */
enum { ASSIGNMENTS = 6 };
struct experiment {
    uint32_t nodes[VALUES];
    uint64_t values[VALUES][ASSIGNMENTS], leaves[ASSIGNMENTS][LEAVES];
    unsigned count;
};

static void add_value(struct experiment *experiment, struct graph *graph) {
    unsigned n = experiment->count++, a = random_number() % n, b = random_number() % n,
             c = random_number() % n;
    uint64_t choice = random_number(), number = random_value();
    if (choice % 8 == 0) {
        experiment->nodes[n] = graph_constant(graph, number);
        for (unsigned k = 0; k < ASSIGNMENTS; k++)
            experiment->values[n][k] = number;
        return;
    }
    if (choice % 8 <= 2) {
        enum branch_condition test = tests[choice / 8 % (sizeof tests / sizeof tests[0])];
        experiment->nodes[n] = graph_select(graph, graph_condition(graph, test, experiment->nodes[a]),
                                            experiment->nodes[b], experiment->nodes[c]);
        for (unsigned k = 0; k < ASSIGNMENTS; k++) {
            bool holds = condition_holds(test, experiment->values[a][k]);
            assert_int_equal(condition_holds(opposite_condition(test), experiment->values[a][k]), !holds);
            experiment->values[n][k] = experiment->values[holds ? b : c][k];
        }
        return;
    }
    enum integer_operator operation = operations[choice / 8 % (sizeof operations / sizeof operations[0])];
    uint32_t right = experiment->nodes[b];
    bool literal = choice >> 32 & 1;
    if (literal)
        right = graph_constant(graph, number & 0xff);
    experiment->nodes[n] = graph_operate(graph, operation, experiment->nodes[a], right);
    for (unsigned k = 0; k < ASSIGNMENTS; k++)
        assert_true(operator_evaluate(operation, experiment->values[a][k],
                                      literal ? number & 0xff : experiment->values[b][k],
                                      &experiment->values[n][k]));
}

static void check_value(const struct experiment *experiment, struct graph *graph, unsigned n) {
    uint32_t index = experiment->nodes[n], half = graph_low_half(graph, index);
    const struct node *node = &graph->nodes[index];
    for (unsigned k = 0; k < ASSIGNMENTS; k++) {
        uint64_t value = value_of(graph, index, experiment->leaves[k]);
        assert_int_equal(value, experiment->values[n][k]);
        assert_true(value >= node->low && value <= node->high);
        assert_int_equal(node->zeros < 64 ? value & ((UINT64_C(1) << node->zeros) - 1) : value, 0);
        assert_int_equal((uint32_t)value_of(graph, half, experiment->leaves[k]), (uint32_t)value);
    }
}

static void folds_soundly(void **state) {
    (void)state;
    struct graph graph = {.arena = arena_create(), .machine = &alpha_machine};
    for (unsigned round = 0; round < 20000; round++) {
        struct experiment experiment = {0};
        graph_clear(&graph);
        for (unsigned i = 0; i < LEAVES; i++) {
            experiment.nodes[i] = graph_leaf(&graph, NODE_REGISTER, i);
            for (unsigned k = 0; k < ASSIGNMENTS; k++)
                experiment.values[i][k] = experiment.leaves[k][i] = random_value();
        }
        experiment.count = LEAVES;
        while (experiment.count < VALUES && !graph.failed)
            add_value(&experiment, &graph);
        for (unsigned n = 0; n < experiment.count && !graph.failed; n++)
            check_value(&experiment, &graph, n);
    }
    arena_destroy(graph.arena);
}

static void folds_what_sites_know(void **state) {
    (void)state;
    struct graph graph = {.arena = arena_create(), .machine = &alpha_machine};
    graph_clear(&graph);
    uint32_t x = graph_leaf(&graph, NODE_REGISTER, 1), zero = graph_constant(&graph, 0);
    uint32_t eight = graph_constant(&graph, 8), sum = graph_operate(&graph, OPERATOR_ADD, x, eight);
    /* constants go outwards and meet */
    assert_int_equal(graph_operate(&graph, OPERATOR_ADD, sum, graph_constant(&graph, -8)), x);
    assert_int_equal(graph_operate(&graph, OPERATOR_SUBTRACT, sum, eight), x);
    /* not not x < 8 */
    uint32_t less = graph_operate(&graph, OPERATOR_LESS, x, eight);
    uint32_t not = graph_operate(&graph, OPERATOR_EQUAL, less, zero);
    assert_int_equal(graph_operate(&graph, OPERATOR_EQUAL, not, zero), less);
    /* x or x + 8 is arithmetic on the condition */
    uint32_t chosen = graph_select(&graph, graph_condition(&graph, CONDITION_NONZERO, less), sum, x);
    assert_int_equal(graph.nodes[chosen].kind, NODE_OPERATE);
    assert_int_equal(graph.nodes[chosen].operation, OPERATOR_INDEX_8);
    /* narrowing of what is narrow */
    uint32_t byte = graph_operate(&graph, OPERATOR_AND, x, graph_constant(&graph, 0xff));
    assert_int_equal(graph_operate(&graph, OPERATOR_ADD_INT, byte, zero), byte);
    /* what is added to zeros and shifted out; not what carries */
    uint32_t five = graph_constant(&graph, 5),
             sixteens = graph_operate(&graph, OPERATOR_SHIFT_LEFT, x, graph_constant(&graph, 4));
    uint32_t shifted = graph_operate(&graph, OPERATOR_SHIFT_RIGHT, sixteens, five);
    assert_int_equal(graph_operate(&graph, OPERATOR_SHIFT_RIGHT,
                                   graph_operate(&graph, OPERATOR_ADD, sixteens, eight), five),
                     shifted);
    uint32_t more = graph_operate(&graph, OPERATOR_ADD, sixteens, graph_constant(&graph, 16));
    assert_int_not_equal(graph_operate(&graph, OPERATOR_SHIFT_RIGHT, more, five), shifted);
    arena_destroy(graph.arena);
}

/* An element beside a variable that is loaded before and stored after: from the variable's base. */
static void shares_bases(void **state) {
    (void)state;
    struct graph graph = {.arena = arena_create(), .machine = &alpha_machine};
    static struct steps steps;
    for (unsigned variable = 0; variable < 2; variable++) {
        graph_clear(&graph);
        uint32_t x = graph_leaf(&graph, NODE_REGISTER, 1), base = graph_constant(&graph, 0x60010008);
        uint32_t index = graph_operate(&graph, OPERATOR_AND, x, graph_constant(&graph, 0xff));
        uint32_t element = graph_operate(&graph, OPERATOR_INDEX_8, index, graph_constant(&graph, 0x60010010));
        uint32_t old = variable ? graph_load(&graph, FORM_QUAD, base) : 0;
        uint32_t found = graph_load(&graph, FORM_QUAD, element);
        if (variable)
            graph_store(&graph, FORM_QUAD, base, graph_operate(&graph, OPERATOR_ADD, old, x));
        graph_store(&graph, FORM_QUAD, element, graph_operate(&graph, OPERATOR_ADD, found, x));
        assert_true(steps_make(&steps, &graph, 0));
        unsigned scaled = 0;
        for (uint32_t i = 0; i < steps.count; i++)
            scaled += steps.list[i].kind == STEP_OPERATE && steps.list[i].operation == OPERATOR_INDEX_8;
        assert_int_equal(scaled, variable);
    }
    arena_destroy(graph.arena);
}

/* ---- two ways ----------------------------------------------------------------------------------------------------- */

/* if (r1) *r2 += 1; else *(r2 + 8) += 1: one load and one store. */
static void merges_ways(void **state) {
    (void)state;
    struct graph graph = {.arena = arena_create(), .machine = &alpha_machine};
    graph_clear(&graph);
    uint32_t test = graph_leaf(&graph, NODE_REGISTER, 1), place = graph_leaf(&graph, NODE_REGISTER, 2);
    uint32_t one = graph_constant(&graph, 1),
             other = graph_operate(&graph, OPERATOR_ADD, place, graph_constant(&graph, 8));
    graph_store(&graph, FORM_QUAD, place,
                graph_operate(&graph, OPERATOR_ADD, graph_load(&graph, FORM_QUAD, place), one));
    uint32_t between = graph.access_count;
    assert_int_equal(between, 2);
    graph_store(&graph, FORM_QUAD, other,
                graph_operate(&graph, OPERATOR_ADD, graph_load(&graph, FORM_QUAD, other), one));
    graph_merge(&graph, graph_condition(&graph, CONDITION_NONZERO, test), 0, between, NULL, 0);
    assert_int_equal(graph.access_count, 2);
    assert_int_equal(graph.accesses[0].kind, ACCESS_LOAD);
    assert_int_equal(graph.accesses[1].kind, ACCESS_STORE);
    assert_int_equal(graph.accesses[0].address, graph.accesses[1].address);
    arena_destroy(graph.arena);
}

/* if (r1) *r2 = r3: where r2 leads is not known to be good if r1 is 0, so then the store goes to the scratch
 * place. */
static void keeps_wild_stores_away(void **state) {
    (void)state;
    struct graph graph = {.arena = arena_create(), .machine = &alpha_machine};
    graph_clear(&graph);
    uint32_t test = graph_leaf(&graph, NODE_REGISTER, 1), place = graph_leaf(&graph, NODE_REGISTER, 2);
    graph_store(&graph, FORM_QUAD, place, graph_leaf(&graph, NODE_REGISTER, 3));
    graph_merge(&graph, graph_condition(&graph, CONDITION_NONZERO, test), 0, 1, NULL, 0);
    assert_int_equal(graph.access_count, 1);
    const struct node *address = &graph.nodes[graph.accesses[0].address];
    assert_int_equal(address->kind, NODE_SELECT);
    assert_int_equal(address->b, place);
    assert_int_equal(graph.nodes[address->c].number, alpha_layout.scratch);
    arena_destroy(graph.arena);
}

/* Stores stay after loads that may find what they store, and are forwarded to those that do. */
static void knows_memory(void **state) {
    (void)state;
    struct graph graph = {.arena = arena_create(), .machine = &alpha_machine};
    graph_clear(&graph);
    uint32_t place = graph_leaf(&graph, NODE_REGISTER, 2), elsewhere = graph_leaf(&graph, NODE_REGISTER, 3);
    uint32_t next = graph_operate(&graph, OPERATOR_ADD, place, graph_constant(&graph, 8));
    uint32_t value = graph_leaf(&graph, NODE_REGISTER, 4), old = graph_load(&graph, FORM_QUAD, place);
    graph_store(&graph, FORM_QUAD, next, value);
    assert_int_equal(graph_load(&graph, FORM_QUAD, place), old); /* 8 bytes away */
    assert_int_equal(graph_load(&graph, FORM_QUAD, next), value);
    graph_store(&graph, FORM_INT, elsewhere, value); /* may be anywhere */
    assert_int_not_equal(graph_load(&graph, FORM_QUAD, place), old);
    assert_int_not_equal(graph_load(&graph, FORM_QUAD, next), value);
    graph_bail_out(&graph, graph_condition(&graph, CONDITION_NONZERO, value));
    assert_false(graph_bail_out_first(&graph)); /* the stores would move after the loads that may see them */
    arena_destroy(graph.arena);
}

/* ---- fewer registers --------------------------------------------------------------------------------------------- */

enum { WORDS = 8, AREA = 0x7f0000 };

static uint32_t next_random(uint32_t *seed) {
    return *seed = *seed * 1664525u + 1013904223u;
}

static operand some_value(const struct steps *steps, uint32_t *seed) {
    uint32_t choice = next_random(seed) >> 8;
    if (steps->temporaries == 0 || choice % 4 == 0)
        return (operand)(1 + choice / 4 % 3); /* $1 to $3 */
    return (operand)(OPERAND_TEMPORARY + choice / 4 % steps->temporaries);
}

/* Loads, stores, sums and constants, of which some are where the words are. */
static void make_steps(struct steps *steps, uint32_t count, uint32_t *seed) {
    operand area = 0;
    *steps = (struct steps){.lock = NO_INDEX};
    while (steps->count < count) {
        struct step step = {.origin = NO_INDEX};
        uint32_t kind = steps->count == 0 ? 4 : next_random(seed) >> 9 & 7;
        step.displacement = (int32_t)(next_random(seed) >> 10 & (WORDS - 1)) * 8;
        if (kind < 3) {
            step.kind = STEP_LOAD;
            step.operation = FORM_QUAD;
            step.a = area;
        } else if (kind == 3) {
            step.kind = STEP_STORE;
            step.operation = FORM_QUAD;
            step.a = area;
            step.b = some_value(steps, seed);
        } else if (kind == 4) {
            step.kind = STEP_CONSTANT;
            step.number = AREA;
        } else {
            step.kind = STEP_OPERATE;
            step.operation = OPERATOR_ADD;
            step.a = some_value(steps, seed);
            step.b = some_value(steps, seed);
        }
        if (step.kind != STEP_STORE)
            step.result = (operand)(OPERAND_TEMPORARY + steps->temporaries++);
        if (step.kind == STEP_CONSTANT)
            area = step.result;
        steps->list[steps->count++] = step;
    }
}

/* What the words are in the end; all operands have been computed before. */
static void execute_steps(const struct steps *steps, uint64_t *words) {
    uint64_t values[MOST_STEPS] = {0};
    bool computed[MOST_STEPS] = {false};
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = 1000 + i;
    for (uint32_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->list[i];
        const operand operands[2] = {step->a, step->b};
        uint64_t in[2], result = 0;
        for (unsigned k = 0; k < 2; k++) {
            in[k] = 7u * operands[k];
            if (operands[k] >= OPERAND_TEMPORARY) {
                assert_true(computed[operands[k] - OPERAND_TEMPORARY]);
                in[k] = values[operands[k] - OPERAND_TEMPORARY];
            }
        }
        if (step->kind == STEP_LOAD || step->kind == STEP_STORE)
            assert_int_equal(in[0], AREA);
        if (step->kind == STEP_LOAD)
            result = words[step->displacement / 8];
        else if (step->kind == STEP_STORE)
            words[step->displacement / 8] = in[1];
        else
            result = step->kind == STEP_CONSTANT ? step->number : in[0] + in[1];
        if (step->result) {
            computed[step->result - OPERAND_TEMPORARY] = true;
            values[step->result - OPERAND_TEMPORARY] = result;
        }
    }
}

static void spares_registers(void **state) {
    (void)state;
    uint32_t seed = 1, spared = 0;
    for (int round = 0; round < 20000; round++) {
        struct steps steps, other;
        uint64_t words[WORDS], others[WORDS];
        make_steps(&steps, 4 + next_random(&seed) % 40, &seed);
        if (!steps_spare(&steps, &other))
            continue;
        spared++;
        assert_true(steps_pressure(&other) < steps_pressure(&steps));
        execute_steps(&steps, words);
        execute_steps(&other, others);
        assert_memory_equal(words, others, sizeof words);
    }
    assert_true(spared > 1000);
}

int main(void) {
    const struct CMUnitTest all[] = {cmocka_unit_test(evaluates_as_the_machine),
                                     cmocka_unit_test(folds_soundly),
                                     cmocka_unit_test(folds_what_sites_know),
                                     cmocka_unit_test(merges_ways),
                                     cmocka_unit_test(keeps_wild_stores_away),
                                     cmocka_unit_test(knows_memory),
                                     cmocka_unit_test(shares_bases),
                                     cmocka_unit_test(spares_registers)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
