/* stock_cache.c: caches as QEMU's own cache plugin simulates them, by its description: 16 KB of instructions
   and 16 KB of data, 8 ways with lines of 64 bytes, least recently used replaced; a callback for each
   instruction and each access that takes the cache's lock. Requires: tests/bench/plugins/plugin.h. Debian has
   no package of the plugins; this is written anew, not theirs. */
#include <pthread.h>

#include "tests/bench/plugins/plugin.h"

enum { SETS = 32, WAYS = 8, LINE_BITS = 6 };
struct cache {
    pthread_mutex_t lock;
    uint64_t tags[SETS][WAYS]; /* line number plus one */
    uint64_t used[SETS][WAYS]; /* when, by the number of the access */
    uint64_t accesses, misses;
};
static struct cache instructions = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct cache data = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void reference(struct cache *cache, uint64_t address, uint64_t *misses) {
    uint64_t line = address >> LINE_BITS, set = line % SETS;
    unsigned oldest = 0;
    pthread_mutex_lock(&cache->lock);
    cache->accesses++;
    for (unsigned way = 0; way < WAYS; way++) {
        if (cache->tags[set][way] == line + 1) {
            cache->used[set][way] = cache->accesses;
            pthread_mutex_unlock(&cache->lock);
            return;
        }
        if (cache->used[set][way] < cache->used[set][oldest])
            oldest = way;
    }
    cache->tags[set][oldest] = line + 1;
    cache->used[set][oldest] = cache->accesses;
    cache->misses++;
    __atomic_fetch_add(misses, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&cache->lock);
}

static void on_instruction(unsigned vcpu, void *userdata) {
    struct entry *entry = userdata;
    (void)vcpu;
    reference(&instructions, entry->key, &entry->counts[0]);
}

static void on_memory(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *userdata) {
    struct entry *entry = userdata;
    (void)vcpu;
    (void)info;
    reference(&data, address, &entry->counts[1]);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t index = 0; index < count; index++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, index);
        struct entry *entry = entry_of(qemu_plugin_insn_vaddr(instruction));
        qemu_plugin_register_vcpu_mem_cb(instruction, on_memory, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                         entry);
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_instruction, QEMU_PLUGIN_CB_NO_REGS, entry);
    }
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    (void)id;
    (void)userdata;
    FILE *file = plugin_open();
    fprintf(file, "instructions %" PRIu64 ", misses %" PRIu64 "\n", instructions.accesses,
            instructions.misses);
    fprintf(file, "data %" PRIu64 ", misses %" PRIu64 "\n", data.accesses, data.misses);
    for (int slot = 0; slot < TABLE_SLOTS; slot++)
        for (struct entry *entry = table[slot]; entry; entry = entry->next)
            fprintf(file, "0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\n", entry->key, entry->counts[0],
                    entry->counts[1]);
    fclose(file);
}
