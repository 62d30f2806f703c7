/* test_engine_scratch.c: the order in which registers are taken, and the instructions by which inserted code
   takes registers that are not free. */
#include "tests/unit/test_engine_common.h"

#include "codegen/alpha/architecture.h"
#include "engine/code/code.h"
#include "engine/dataflow/dataflow.h"

static struct code_space space;
static struct program program = {.architecture = &alpha_architecture};
static struct rewrite rewrite = {.code = &space, .program = &program};

static void begin(bool own_frames) {
    static struct arena *arena;
    if (arena)
        arena_destroy(arena);
    arena = arena_create();
    space = (struct code_space){.own_frames = own_frames,
                                .copies = {.arena = arena, .machine = machine_for(&alpha_architecture)}};
}

static void is_access(uint32_t position, enum alpha_opcode opcode, unsigned reg, int displacement,
                      unsigned base) {
    assert_true(position < space.copies.count);
    assert_int_equal(space.copies.words[position], alpha_memory(opcode, reg, displacement, base));
}

static alpha_register_set all_but(unsigned first, unsigned second) {
    return ~(REGISTER_BIT(first) | REGISTER_BIT(second));
}

static void takes_registers_in_order(void **state) {
    (void)state;
    uint8_t found[3];
    assert_int_equal(free_register(&alpha_architecture.registers, 0), ALPHA_AT);
    assert_int_equal(free_register(&alpha_architecture.registers, ~UINT64_C(0)), NO_INDEX);
    assert_int_equal(free_register(&alpha_architecture.registers, all_but(ALPHA_A0, ALPHA_S0)),
                     ALPHA_A0); /* before what callees keep */
    assert_int_equal(free_register_or(&alpha_architecture.registers, ALPHA_V0, 0), ALPHA_V0);
    assert_int_equal(free_register_or(&alpha_architecture.registers, ALPHA_V0, REGISTER_BIT(ALPHA_V0)),
                     ALPHA_AT);
    assert_int_equal(free_registers(&alpha_architecture.registers, all_but(1, 25), 3, found), 2);
    assert_true(found[0] == 25 && found[1] == 1);
    assert_int_equal(free_registers(&alpha_architecture.registers, 0, 3, found), 3);
    assert_true(found[0] == ALPHA_AT && found[1] == 25 && found[2] == 24);
    assert_int_equal(free_floating_register(0), 32 + 30);
    assert_int_equal(first_registers(REGISTER_BIT(3) | REGISTER_BIT(5) | REGISTER_BIT(7), 2),
                     REGISTER_BIT(3) | REGISTER_BIT(5));
    uint32_t uses[32] = {[25] = 2, [24] = 1, [23] = 1, [ALPHA_A0] = 0};
    alpha_register_set among =
        REGISTER_BIT(25) | REGISTER_BIT(24) | REGISTER_BIT(23) | REGISTER_BIT(ALPHA_A0);
    assert_int_equal(least_used_temporary(&alpha_architecture.registers, among, uses), 24);
    assert_int_equal(least_used_temporary(&alpha_architecture.registers, REGISTER_BIT(ALPHA_A0), uses),
                     NO_INDEX); /* no temporary */
}

static void free_registers_cost_nothing(void **state) {
    (void)state;
    begin(false);
    struct scratch_request request = {.count = 2, .live = all_but(4, 5)};
    struct scratch scratch = scratch_reserve(&rewrite, &space.copies, &request);
    assert_true(scratch.registers[0] == 5 && scratch.registers[1] == 4);
    scratch_release(&rewrite, &space.copies, &scratch);
    assert_int_equal(space.copies.count, 0);
}

static void others_are_kept_on_the_stack(void **state) {
    (void)state;
    begin(true);
    struct scratch_request request = {
        .count = 2, .live = ~UINT64_C(0), .avoided = REGISTER_BIT(ALPHA_AT), .may_use_frame = true};
    struct scratch scratch = scratch_reserve(&rewrite, &space.copies, &request);
    assert_true(scratch.registers[0] == 25 && scratch.registers[1] == 24);
    is_access(0, ALPHA_LDA, ALPHA_SP, -SPILL_NEAR, ALPHA_SP);
    is_access(1, ALPHA_STQ, 25, 0, ALPHA_SP);
    is_access(2, ALPHA_STQ, 24, 8, ALPHA_SP);
    scratch_release(&rewrite, &space.copies, &scratch);
    is_access(3, ALPHA_LDQ, 25, 0, ALPHA_SP);
    is_access(4, ALPHA_LDQ, 24, 8, ALPHA_SP);
    is_access(5, ALPHA_LDA, ALPHA_SP, SPILL_NEAR, ALPHA_SP);
    assert_int_equal(space.copies.count, 6);
}

/* One is free, and leads to the frame. */
static void the_second_is_kept_in_the_frame(void **state) {
    (void)state;
    begin(true);
    struct scratch_request request = {.count = 2, .live = all_but(7, 7), .may_use_frame = true};
    struct scratch scratch = scratch_reserve(&rewrite, &space.copies, &request);
    assert_true(scratch.registers[0] == 7 && scratch.registers[1] == ALPHA_AT);
    is_access(1, ALPHA_STQ, ALPHA_AT, SITE_FRAME_SPILLED, 7);
    scratch_release(&rewrite, &space.copies, &scratch);
    is_access(3, ALPHA_LDQ, ALPHA_AT, SITE_FRAME_SPILLED, 7);
    assert_int_equal(space.copies.count, 4);
    begin(false); /* there is no such frame: both are on the stack */
    scratch = scratch_reserve(&rewrite, &space.copies, &request);
    assert_int_equal(scratch.kept, SCRATCH_ON_STACK);
    assert_int_equal(scratch.registers[0], ALPHA_AT);
}

static void the_base_is_moved_last(void **state) {
    (void)state;
    begin(false);
    alpha_register_set set = REGISTER_BIT(2) | REGISTER_BIT(5) | FLOAT_BIT(3);
    machine_save(&space.copies, set, 2, 16);
    is_access(0, ALPHA_STQ, 5, 24, 2);
    is_access(1, ALPHA_STT, 3, 32, 2);
    is_access(2, ALPHA_STQ, 2, 16, 2);
    machine_restore(&space.copies, set, 2, 16);
    is_access(5, ALPHA_LDQ, 2, 16, 2);
}

/* The machine's registers with a task are the architecture's. */
static void machine_and_architecture_agree(void **state) {
    (void)state;
    const struct machine *machine = machine_for(&alpha_architecture);
    const struct conventions_of_machine *registers = &alpha_architecture.registers;
    assert_non_null(machine);
    assert_true(machine->architecture == architecture_of(alpha_architecture.machine));
    assert_int_equal(machine->registers->stack, registers->stack);
    assert_int_equal(machine->registers->zero, registers->zero);
    assert_int_equal(machine->registers->link, registers->link);
    assert_int_equal(machine->registers->spill, registers->spill);
    assert_int_equal(machine->registers->result, registers->result);
    assert_int_equal(machine->registers->first_argument, registers->first_argument);
    assert_int_equal(machine->registers->procedure_value, registers->procedure_value);
    assert_int_equal(machine->registers->data_base, registers->data_base);
    assert_int_equal(machine->registers->frame, registers->frame);
    assert_true(machine->constant_registers == (REGISTER_BIT(registers->zero) | FLOAT_BIT(registers->zero)));
    struct architecture other = alpha_architecture;
    assert_null(machine_for(&other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_and_architecture_agree),  cmocka_unit_test(takes_registers_in_order),
        cmocka_unit_test(free_registers_cost_nothing),     cmocka_unit_test(others_are_kept_on_the_stack),
        cmocka_unit_test(the_second_is_kept_in_the_frame), cmocka_unit_test(the_base_is_moved_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
