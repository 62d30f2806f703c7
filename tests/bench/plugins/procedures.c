/* procedures.c: a peer of prof: instructions executed by each procedure, by one inline addition in each
   translation block. Requires: tests/bench/plugins/plugin.h; a program with symbols. */
#include "tests/bench/plugins/plugin.h"

/* Instructions of a block that lies in two procedures (the one falls through into the other) count for each.
 */
static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(block), first = 0;
    while (first < count) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, first);
        const char *name = qemu_plugin_insn_symbol(instruction);
        size_t end = first + 1;
        while (end < count && qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(block, end)) == name)
            end++;
        struct entry *entry = entry_of((uint64_t)(uintptr_t)name); /* one string for each symbol */
        entry->name = name;
        count_at_instruction(instruction, &entry->count, end - first);
        first = end;
    }
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    (void)id;
    (void)userdata;
    FILE *file = plugin_open();
    for (int slot = 0; slot < TABLE_SLOTS; slot++)
        for (struct entry *entry = table[slot]; entry; entry = entry->next)
            fprintf(file, "%" PRIu64 "\t%s\n", count_so_far(&entry->count), entry->name ? entry->name : "?");
    fclose(file);
}
