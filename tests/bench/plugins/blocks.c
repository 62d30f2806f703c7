/* blocks.c: a peer of dyninst: executions of each translation block, by inline additions.
   Requires: tests/bench/plugins/plugin.h. */
#include "tests/bench/plugins/plugin.h"

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    struct entry *entry = entry_of(qemu_plugin_tb_vaddr(block));
    entry->detail = qemu_plugin_tb_n_insns(block);
    count_in_block(block, &entry->count, 1);
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    (void)id;
    (void)userdata;
    FILE *file = plugin_open();
    for (int slot = 0; slot < TABLE_SLOTS; slot++)
        for (struct entry *entry = table[slot]; entry; entry = entry->next)
            fprintf(file, "0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\n", entry->key,
                    count_so_far(&entry->count), entry->detail);
    fclose(file);
}
