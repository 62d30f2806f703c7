/* count.c: the number of guest instructions executed, by one inline addition in each translation block.
   Requires: tests/bench/plugins/plugin.h. With threads (a second one that is seen) additions are atomic calls
   from then on: programs of the benchmark that make threads are therefore measured with atomic=on. */
#include "tests/bench/plugins/plugin.h"

static struct inline_count executed_inline;
static uint64_t executed;

static void on_block_atomic(unsigned vcpu, void *instructions) {
    (void)vcpu;
    __atomic_fetch_add(&executed, (uint64_t)(uintptr_t)instructions, __ATOMIC_RELAXED);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    size_t instructions = qemu_plugin_tb_n_insns(block);
    if (plugin_atomic)
        qemu_plugin_register_vcpu_tb_exec_cb(block, on_block_atomic, QEMU_PLUGIN_CB_NO_REGS,
                                             (void *)(uintptr_t)instructions);
    else
        count_in_block(block, &executed_inline, instructions);
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    (void)id;
    (void)userdata;
    FILE *file = plugin_open();
    fprintf(file, "%" PRIu64 "\n", executed + count_so_far(&executed_inline));
    fclose(file);
}
