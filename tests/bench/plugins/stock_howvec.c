/* stock_howvec.c: instructions by class as QEMU's own howvec plugin counts them, by its description: a
   callback for each instruction that adds to its class. Requires: tests/bench/plugins/plugin.h. Debian has no
   package of the plugins; this is written anew, not theirs. Classes are Alpha's primary opcodes. */
#include "tests/bench/plugins/plugin.h"

static uint64_t executed[64];

static void on_instruction(unsigned vcpu, void *count) {
    (void)vcpu;
    ++*(uint64_t *)count;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t index = 0; index < count; index++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, index);
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_instruction, QEMU_PLUGIN_CB_NO_REGS,
                                               &executed[instruction_word(instruction) >> 26]);
    }
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    (void)id;
    (void)userdata;
    FILE *file = plugin_open();
    for (int opcode = 0; opcode < 64; opcode++)
        fprintf(file, "%02x\t%" PRIu64 "\n", opcode, executed[opcode]);
    fclose(file);
}
