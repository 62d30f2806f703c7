/* stock_hotblocks.c: block counts as QEMU's own hotblocks plugin of version 7.2 makes them, by its
   description: a callback for each translation block that takes a lock and looks the block up. Requires:
   tests/bench/plugins/plugin.h. Debian has no package of the plugins; this is written anew, not theirs. */
#include <pthread.h>

#include "tests/bench/plugins/plugin.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_block(unsigned vcpu, void *address) {
    (void)vcpu;
    pthread_mutex_lock(&lock);
    entry_of((uint64_t)(uintptr_t)address)->counts[0]++;
    pthread_mutex_unlock(&lock);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    uint64_t address = qemu_plugin_tb_vaddr(block);
    pthread_mutex_lock(&lock);
    entry_of(address)->detail = qemu_plugin_tb_n_insns(block);
    pthread_mutex_unlock(&lock);
    qemu_plugin_register_vcpu_tb_exec_cb(block, on_block, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)address);
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    (void)id;
    (void)userdata;
    FILE *file = plugin_open();
    for (int slot = 0; slot < TABLE_SLOTS; slot++)
        for (struct entry *entry = table[slot]; entry; entry = entry->next)
            fprintf(file, "0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\n", entry->key, entry->counts[0],
                    entry->detail);
    fclose(file);
}
