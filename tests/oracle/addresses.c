/* addresses.c: a plugin that counts each instruction by its address, for any machine.
   Options: out=FILE has a line for each instruction that executed: its address, its count. accesses=FILE has
   a line for each instruction that accessed memory: its address, how often, and the sum of a ^ (a >> 3) over
   the first address a of each access; decimal. repeats=FILE has a line for each instruction that loaded at
   most 8 bytes: its address, how often, and how often it loaded the same bytes as the last time, from the
   same address; requires a guest whose memory is at the same addresses in QEMU. Accesses of several threads
   may be lost. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin_api.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = ORACLE_PLUGIN_API_VERSION;

struct counted {
    struct inline_count count;
    uint64_t counted_by_call;
    uint64_t address;
    uint64_t accesses, sum;
    bool is_first; /* the next access is the first of this execution */
    uint64_t loads, repeats, last_address, last_value;
    struct counted *next;
};

enum { SLOTS = 1 << 16 };
static struct counted *slots[SLOTS];
static const char *path = "addresses.txt", *accesses_path, *repeats_path;

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

static unsigned thread_count;

static void note_thread(qemu_plugin_id_t id, unsigned thread) {
    (void)id;
    (void)thread;
    /* QEMU translates everything afresh for the second thread, after this. */
    __atomic_fetch_add(&thread_count, 1, __ATOMIC_RELAXED);
}

static void count_by_call(unsigned thread, void *data) {
    (void)thread;
    __atomic_fetch_add(&((struct counted *)data)->counted_by_call, 1, __ATOMIC_RELAXED);
}

static uint64_t executions(const struct counted *counted) {
    return count_so_far(&counted->count) + counted->counted_by_call;
}

static void begin_execution(unsigned thread, void *data) {
    (void)thread;
    ((struct counted *)data)->is_first = true;
}

static void note_access(unsigned thread, qemu_plugin_meminfo_t info, uint64_t address, void *data) {
    struct counted *counted = data;
    (void)thread;
    if (!counted->is_first)
        return;
    counted->is_first = false;
    counted->accesses++;
    counted->sum += address ^ (uint64_t)((int64_t)address >> 3);
    const size_t size = (size_t)1 << qemu_plugin_mem_size_shift(info);
    uint64_t value = 0;
    if (!repeats_path || qemu_plugin_mem_is_store(info) || size > sizeof value)
        return;
    memcpy(&value, (const void *)(uintptr_t)address, size);
    counted->repeats +=
        counted->loads > 0 && address == counted->last_address && value == counted->last_value;
    counted->loads++;
    counted->last_address = address;
    counted->last_value = value;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
        struct counted *counted = counted_at(qemu_plugin_insn_vaddr(instruction));
        if (thread_count > 1 && !INLINE_COUNTS_ARE_OF_THREADS)
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, count_by_call, QEMU_PLUGIN_CB_NO_REGS,
                                                   counted);
        else
            count_at_instruction(instruction, &counted->count, 1);
        if (accesses_path || repeats_path) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, begin_execution, QEMU_PLUGIN_CB_NO_REGS,
                                                   counted);
            qemu_plugin_register_vcpu_mem_cb(instruction, note_access, QEMU_PLUGIN_CB_NO_REGS,
                                             QEMU_PLUGIN_MEM_RW, counted);
        }
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
            if (executions(counted))
                fprintf(stream, "%" PRIx64 " %" PRIu64 "\n", counted->address, executions(counted));
    if (fclose(stream) != 0)
        abort();
    stream = accesses_path ? fopen(accesses_path, "w") : NULL;
    for (unsigned i = 0; stream && i < SLOTS; i++)
        for (const struct counted *counted = slots[i]; counted; counted = counted->next)
            if (counted->accesses)
                fprintf(stream, "%" PRIu64 " %" PRIu64 " %" PRId64 "\n", counted->address, counted->accesses,
                        (int64_t)counted->sum);
    if (stream && fclose(stream) != 0)
        abort();
    stream = repeats_path ? fopen(repeats_path, "w") : NULL;
    for (unsigned i = 0; stream && i < SLOTS; i++)
        for (const struct counted *counted = slots[i]; counted; counted = counted->next)
            if (counted->loads)
                fprintf(stream, "0x%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", counted->address, counted->loads,
                        counted->repeats);
    if (stream && fclose(stream) != 0)
        abort();
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count,
                                           char **words) {
    (void)info;
    for (int i = 0; i < count; i++)
        if (strncmp(words[i], "out=", 4) == 0)
            path = strdup(words[i] + 4);
        else if (strncmp(words[i], "accesses=", 9) == 0)
            accesses_path = strdup(words[i] + 9);
        else if (strncmp(words[i], "repeats=", 8) == 0)
            repeats_path = strdup(words[i] + 8);
    qemu_plugin_register_vcpu_init_cb(id, note_thread);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, write_counts, NULL);
    return 0;
}
