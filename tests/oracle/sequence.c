/* sequence.c: a QEMU TCG plugin that digests what a program does: the addresses of its own instructions in
   the order in which they are executed, and the effective addresses of its own loads and stores. Of an
   instrumented program, the copies count under their original addresses, and what was inserted does not
   count. Requires: qemu-alpha with plugins (emulator.sh); programs without threads. */

/* Use: qemu-alpha -plugin sequence.so,out=FILE[,map=FILE][,from=N,to=M] program ...

   `map` is what atomc --dump=map printed. Written are lines `EVENTS DIGEST`, one for each INTERVAL events and
   one at the end; with from and to, these events themselves too, to see where two runs part. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin_api.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = ORACLE_PLUGIN_API_VERSION;

enum { INTERVAL = 1 << 20 };

struct pair { /* a word of the copies, and the instruction that it is the copy of */
    uint64_t copy, original;
};
static struct pair *pairs;
static size_t pair_count, pair_capacity;
static bool has_map;

static FILE *output;
static uint64_t events, digest = 0xcbf29ce484222325, shown_from = 1, shown_to;

static void add_event(char kind, uint64_t value) {
    digest = (digest ^ value ^ (uint64_t)(unsigned char)kind << 56) * 0x100000001b3;
    digest ^= digest >> 29;
    events++;
    if (events >= shown_from && events <= shown_to) {
        fprintf(output, "%" PRIu64 " %c 0x%" PRIx64 "\n", events, kind, value);
        fflush(output); /* the program may hang */
    }
    if (events % INTERVAL == 0)
        fprintf(output, "%" PRIu64 " %016" PRIx64 "\n", events, digest);
}

static void on_execution(unsigned vcpu, void *pc) {
    (void)vcpu;
    add_event('i', (uint64_t)(uintptr_t)pc);
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *pc) {
    (void)vcpu, (void)pc;
    add_event(qemu_plugin_mem_is_store(info) ? 's' : 'l', address);
}

/* The program's own address of an instruction, 0 if it is none of the program's. */
static uint64_t original_of(uint64_t pc) {
    if (!has_map)
        return pc >= qemu_plugin_start_code() && pc < qemu_plugin_end_code() ? pc : 0;
    size_t low = 0, high = pair_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (pairs[middle].copy < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pair_count && pairs[low].copy == pc ? pairs[low].original : 0;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(tb, i);
        uint64_t original = original_of(qemu_plugin_insn_vaddr(instruction));
        uint32_t word = instruction_word(instruction);
        if (!original || (!has_map && word == 0xc3e00000)) /* br .+4 does nothing, and has no copy */
            continue;
        void *pc = (void *)(uintptr_t)original; /* NOLINT(performance-no-int-to-ptr) */
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_execution, QEMU_PLUGIN_CB_NO_REGS, pc);
        /* The copy of a jump looks the map up: only verbatim copies' accesses are the program's. */
        unsigned opcode = word >> 26;
        bool accesses = (opcode >= 0x0a && opcode <= 0x0f) || (opcode >= 0x20 && opcode <= 0x2f);
        if (accesses)
            qemu_plugin_register_vcpu_mem_cb(instruction, on_access, QEMU_PLUGIN_CB_NO_REGS,
                                             QEMU_PLUGIN_MEM_RW, pc);
    }
}

static void on_end(qemu_plugin_id_t id, void *data) {
    (void)id, (void)data;
    fprintf(output, "%" PRIu64 " %016" PRIx64 " end\n", events, digest);
    fclose(output);
}

static int compare_pairs(const void *left, const void *right) {
    const struct pair *a = left, *b = right;
    return (a->copy > b->copy) - (a->copy < b->copy);
}

/* Where nothing was copied for an instruction, the next one's copy stands under two originals: the last is
 * it. */
static bool read_map(const char *path) {
    FILE *file = fopen(path, "r");
    struct pair pair;
    if (!file)
        return false;
    while (fscanf(file, "%" SCNx64 " %" SCNx64, &pair.copy, &pair.original) == 2) {
        if (pair_count == pair_capacity) {
            pair_capacity = pair_capacity ? 2 * pair_capacity : 1 << 16;
            pairs = realloc(pairs, pair_capacity * sizeof *pairs);
            if (!pairs)
                abort();
        }
        pairs[pair_count++] = pair;
    }
    fclose(file);
    qsort(pairs, pair_count, sizeof *pairs, compare_pairs);
    has_map = true;
    return pair_count > 0;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        value = value ? value + 1 : "";
        if (strncmp(argv[i], "out=", 4) == 0)
            output = fopen(value, "w");
        else if (strncmp(argv[i], "from=", 5) == 0)
            shown_from = strtoull(value, NULL, 0);
        else if (strncmp(argv[i], "to=", 3) == 0)
            shown_to = strtoull(value, NULL, 0);
        else if (strncmp(argv[i], "map=", 4) != 0 || !read_map(value)) {
            fprintf(stderr, "sequence: bad argument: %s\n", argv[i]);
            return -1;
        }
    }
    if (!output) {
        fprintf(stderr, "sequence: out=FILE is missing or cannot be written\n");
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_end, NULL);
    return 0;
}
