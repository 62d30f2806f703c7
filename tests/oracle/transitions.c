/* transitions.c: a QEMU TCG plugin that counts from which instruction to which control goes where a branch,
   call, return or jump, or the end of a translation block, comes between. Requires: qemu-alpha with plugin
   API 1, a program of one thread that raises no signals.

   Use: qemu-alpha -plugin transitions.so,out=FILE[,all=on] program ...
   FILE, written at exit: lines of 0xFROM 0xTO COUNT, FROM the last instruction of a translation block that
   was executed, TO the first of the next one, where either is in the main program's executable segments, or
   anywhere. */

#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "qemu_plugin_api.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = ORACLE_PLUGIN_API_VERSION;

struct block { /* a translation block */
    uint64_t first, last;
};
static uint64_t previous; /* last instruction of the block executed before; 0: none, at the beginning */

struct transition {
    uint64_t from, to, count; /* count 0: free */
};
static struct transition *table; /* open addressing */
static size_t table_size, used;
static const char *output_path;
static bool everywhere;

static struct transition *find(uint64_t from, uint64_t to) {
    size_t at = (from * UINT64_C(0x9e3779b97f4a7c15) ^ to * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 20;
    for (at &= table_size - 1; table[at].count && (table[at].from != from || table[at].to != to);)
        at = (at + 1) & (table_size - 1);
    return &table[at];
}

static void grow(void) {
    struct transition *old = table;
    size_t old_size = table_size;
    table_size = old_size ? 2 * old_size : 1 << 16;
    table = calloc(table_size, sizeof *table);
    if (!table)
        abort();
    for (size_t i = 0; i < old_size; i++)
        if (old[i].count)
            *find(old[i].from, old[i].to) = old[i];
    free(old);
}

static void on_block(unsigned vcpu, void *userdata) {
    const struct block *block = userdata;
    (void)vcpu;
    struct transition *transition = find(previous, block->first);
    if (transition->count++ == 0) {
        transition->from = previous;
        transition->to = block->first;
        if (2 * ++used > table_size)
            grow();
    }
    previous = block->last;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *translated) {
    struct block *block = malloc(sizeof *block); /* kept: the code that is generated refers to it */
    (void)id;
    if (!block)
        abort();
    if (!table)
        grow();
    size_t count = qemu_plugin_tb_n_insns(translated);
    block->first = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(translated, 0));
    block->last = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(translated, count - 1));
    qemu_plugin_register_vcpu_tb_exec_cb(translated, on_block, QEMU_PLUGIN_CB_NO_REGS, block);
}

static bool in_text(uint64_t pc) {
    return pc >= qemu_plugin_start_code() && pc < qemu_plugin_end_code();
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    FILE *stream = fopen(output_path, "w");
    (void)id;
    (void)userdata;
    for (size_t i = 0; stream && i < table_size; i++)
        if (table[i].count && (everywhere || in_text(table[i].from) || in_text(table[i].to)))
            fprintf(stream, "0x%" PRIx64 "\t0x%" PRIx64 "\t%" PRIu64 "\n", table[i].from, table[i].to,
                    table[i].count);
    if (!stream || fclose(stream)) {
        perror(output_path);
        _exit(99);
    }
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv) {
    (void)info;
    everywhere = argc == 2 && strcmp(argv[1], "all=on") == 0;
    if (argc != 1 + everywhere || strncmp(argv[0], "out=", 4)) {
        fprintf(stderr, "transitions: out=FILE is missing\n");
        return -1;
    }
    output_path = strdup(argv[0] + 4);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_program, NULL);
    return 0;
}
