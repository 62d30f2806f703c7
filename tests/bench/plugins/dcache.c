/* dcache.c: a peer of cache: references and misses of an 8 KB direct-mapped data cache with lines of 32
   bytes; dcache64.c includes it for 64 KB. Requires: tests/bench/plugins/plugin.h; one thread. References are
   counted inline, misses in a callback without locks. */
#include "tests/bench/plugins/plugin.h"

#ifndef DCACHE_BYTES
#define DCACHE_BYTES 8192
#endif
enum { LINES = DCACHE_BYTES / 32 };
static uint64_t lines[LINES]; /* line number plus one */
static struct inline_count references;
static uint64_t misses;

static void on_memory(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *userdata) {
    uint64_t line = address / 32;
    (void)vcpu;
    (void)info;
    (void)userdata;
    if (lines[line % LINES] != line + 1) {
        lines[line % LINES] = line + 1;
        misses++;
    }
}

/* Loads and stores by opcode; a load to the zero register moves nothing. */
static bool is_reference(uint32_t word) {
    unsigned opcode = word >> 26;
    bool store = opcode == 0x0d || opcode == 0x0e || opcode == 0x0f || (opcode >= 0x24 && opcode <= 0x27) ||
                 (opcode >= 0x2c && opcode <= 0x2f);
    bool load = opcode == 0x0a || opcode == 0x0b || opcode == 0x0c || (opcode >= 0x20 && opcode <= 0x23) ||
                (opcode >= 0x28 && opcode <= 0x2b);
    return store || (load && (word >> 21 & 31) != 31);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t index = 0; index < count; index++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, index);
        if (!is_reference(instruction_word(instruction)))
            continue;
        count_at_instruction(instruction, &references, 1);
        qemu_plugin_register_vcpu_mem_cb(instruction, on_memory, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                         NULL);
    }
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    (void)id;
    (void)userdata;
    FILE *file = plugin_open();
    fprintf(file, "references %" PRIu64 "\nmisses %" PRIu64 "\n", count_so_far(&references), misses);
    fclose(file);
}
