/* addresses.c: a plugin that counts each instruction by its address, for any machine.
   Option: out=FILE, which has a line for each instruction that executed: its address, its count. Counts of
   several threads may be lost. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin_api.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = ORACLE_PLUGIN_API_VERSION;

struct counted {
    struct inline_count count;
    uint64_t address;
    struct counted *next;
};

enum { SLOTS = 1 << 16 };
static struct counted *slots[SLOTS];
static const char *path = "addresses.txt";

/* An instruction may be translated several times: its count goes on. */
static struct counted *counted_at(uint64_t address) {
    struct counted **slot = &slots[address / 4 % SLOTS];
    for (struct counted *counted = *slot; counted; counted = counted->next)
        if (counted->address == address)
            return counted;
    struct counted *counted = calloc(1, sizeof *counted);
    if (!counted)
        abort();
    counted->address = address;
    counted->next = *slot;
    return *slot = counted;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
        count_at_instruction(instruction, &counted_at(qemu_plugin_insn_vaddr(instruction))->count, 1);
    }
}

static void write_counts(qemu_plugin_id_t id, void *nothing) {
    (void)id;
    (void)nothing;
    FILE *stream = fopen(path, "w");
    if (!stream)
        abort();
    for (unsigned i = 0; i < SLOTS; i++)
        for (const struct counted *counted = slots[i]; counted; counted = counted->next)
            if (count_so_far(&counted->count))
                fprintf(stream, "%" PRIx64 " %" PRIu64 "\n", counted->address, count_so_far(&counted->count));
    if (fclose(stream) != 0)
        abort();
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count,
                                           char **words) {
    (void)info;
    for (int i = 0; i < count; i++)
        if (strncmp(words[i], "out=", 4) == 0)
            path = strdup(words[i] + 4);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, write_counts, NULL);
    return 0;
}
