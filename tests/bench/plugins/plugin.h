/* plugin.h: what the plugins of the benchmark share: their option out=FILE, and tables keyed by addresses.
   Requires: a QEMU with plugins (tests/oracle/emulator.sh). Included once by each plugin; everything is
   static. */
#ifndef ATOMC_BENCH_PLUGIN_H
#define ATOMC_BENCH_PLUGIN_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/qemu_plugin_api.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = ORACLE_PLUGIN_API_VERSION;

#define UNUSED __attribute__((unused))

static const char *plugin_output;
UNUSED static bool plugin_atomic; /* atomic=on: threads may run at once (count.c) */

/* Reads the arguments; false if one is not known. */
UNUSED static bool plugin_arguments(int argc, char **argv) {
    for (int index = 0; index < argc; index++) {
        if (!strcmp(argv[index], "atomic=on")) {
            plugin_atomic = true;
            continue;
        }
        if (strncmp(argv[index], "out=", 4)) {
            fprintf(stderr, "plugin: bad argument: %s\n", argv[index]);
            return false;
        }
        plugin_output = strdup(argv[index] + 4);
    }
    return true;
}

/* The file of results. */
UNUSED static FILE *plugin_open(void) {
    FILE *file = plugin_output ? fopen(plugin_output, "w") : stderr;
    if (!file) {
        perror(plugin_output);
        abort();
    }
    return file;
}

/* What is kept for an address is found when code is translated, never when it runs. */
struct entry {
    struct entry *next;
    uint64_t key;
    struct inline_count count;
    uint64_t counts[2];
    uint64_t detail;
    const char *name;
};
enum { TABLE_SLOTS = 1 << 16 };
static struct entry *table[TABLE_SLOTS];

UNUSED static struct entry *entry_of(uint64_t key) {
    struct entry **slot = &table[(key >> 2 ^ key >> 18) % TABLE_SLOTS];
    for (struct entry *entry = *slot; entry; entry = entry->next)
        if (entry->key == key)
            return entry;
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        abort();
    entry->key = key;
    entry->next = *slot;
    return *slot = entry;
}

UNUSED static bool is_conditional_branch(uint32_t word) {
    unsigned opcode = word >> 26;
    return opcode >= 0x30 && opcode != 0x30 && opcode != 0x34;
}

UNUSED static uint64_t last_address(const struct qemu_plugin_tb *block) {
    return qemu_plugin_tb_vaddr(block) + 4 * (qemu_plugin_tb_n_insns(block) - 1);
}

/* Each plugin defines these. */
static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
static void on_exit_of_program(qemu_plugin_id_t id, void *userdata);

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv) {
    (void)info;
    if (!plugin_arguments(argc, argv))
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_program, NULL);
    return 0;
}

#endif
