/* branches.c: a peer of branch: how often each conditional branch goes each way; compiled with PREDICTOR, how
   often a 2-bit predictor with a table of 256 entries is right; with HISTORY too, its index is xored with the
   last outcomes. Requires: tests/bench/plugins/plugin.h; one thread. */
#include "tests/bench/plugins/plugin.h"

/* The interface shows no registers: the outcome is where the program goes next. One callback for each
   translation block, which is handed its own record, closes the branch before it and opens its own: no
   search, no lock. */
struct block {
    uint64_t start;
    struct entry *branch; /* its last instruction, or NULL */
};
static struct entry *open_branch;

#ifdef PREDICTOR
static unsigned char predictor[256]; /* 0, 1: not taken; 2, 3: taken */
static uint64_t predictions, mispredictions;
#endif

static void on_block(unsigned vcpu, void *userdata) {
    const struct block *block = userdata;
    (void)vcpu;
    if (open_branch) {
        bool taken = block->start != open_branch->detail;
#ifdef PREDICTOR
        static unsigned char history; /* 8 outcomes */
        unsigned char *state = &predictor[(open_branch->key >> 2 & 255) ^ history];
        predictions++;
        mispredictions += taken != *state >> 1;
        *state += taken ? *state < 3 : -(*state > 0);
#ifdef HISTORY
        history = (unsigned char)(history << 1 | taken);
#endif
#endif
        open_branch->counts[taken]++;
    }
    open_branch = block->branch;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *translation) {
    (void)id;
    struct block *block = calloc(1, sizeof *block);
    size_t count = qemu_plugin_tb_n_insns(translation);
    uint64_t last = last_address(translation);
    if (!block)
        abort();
    block->start = qemu_plugin_tb_vaddr(translation);
    if (is_conditional_branch(instruction_word(qemu_plugin_tb_get_insn(translation, count - 1)))) {
        block->branch = entry_of(last);
        block->branch->detail = last + 4;
    }
    qemu_plugin_register_vcpu_tb_exec_cb(translation, on_block, QEMU_PLUGIN_CB_NO_REGS, block);
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    (void)id;
    (void)userdata;
    FILE *file = plugin_open();
#ifdef PREDICTOR
    fprintf(file, "predictions %" PRIu64 "\nmispredictions %" PRIu64 "\n", predictions, mispredictions);
#endif
    for (int slot = 0; slot < TABLE_SLOTS; slot++)
        for (struct entry *entry = table[slot]; entry; entry = entry->next)
            fprintf(file, "0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\n", entry->key, entry->counts[1],
                    entry->counts[0]);
    fclose(file);
}
