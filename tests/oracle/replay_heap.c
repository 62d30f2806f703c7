/* replay_heap.c: the allocator's calls in the oracle's record: a call is over when its return address is
   reached with its stack pointer. Requires procedure names; one thread. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

struct live {
    uint64_t address, size, site, birth;
};
static struct live *blocks;
static size_t block_count;
static struct total { uint64_t site, blocks, bytes, freed, freed_bytes, peak, lifetimes; } * totals;
static size_t total_count;

static struct total *total_of(uint64_t key) {
    for (size_t i = 0; i < total_count; i++)
        if (totals[i].site == key)
            return &totals[i];
    totals = again(totals, (total_count + 1) * sizeof *totals);
    totals[total_count] = (struct total){.site = key};
    return &totals[total_count++];
}

/* Is it the entry of a procedure of such a name? The names are patterns. */
static bool named(uint64_t pc, const char *const *names) {
    int at = procedure_at(pc);
    if (procedures[at].pc != pc)
        return false;
    for (; *names; names++)
        if (fnmatch(*names, procedures[at].name, 0) == 0)
            return true;
    return false;
}

static uint64_t class_of(uint64_t size) {
    uint64_t from = 1;
    while (from <= size / 2)
        from *= 2;
    return size == 0 ? 0 : from;
}

static bool histogram;

static void born(uint64_t address, uint64_t size, uint64_t site) {
    uint64_t keys[2] = {0, histogram ? class_of(size) + 1 : site};
    for (int i = 0; i < 2; i++) {
        struct total *total = total_of(keys[i]);
        total->blocks++;
        total->bytes += size;
        if (total->bytes - total->freed_bytes > total->peak)
            total->peak = total->bytes - total->freed_bytes;
    }
    blocks = again(blocks, (block_count + 1) * sizeof *blocks);
    blocks[block_count++] = (struct live){address, size, site, total_of(0)->bytes};
}

static void dies(uint64_t address) {
    for (size_t i = 0; i < block_count; i++) {
        if (blocks[i].address != address)
            continue;
        uint64_t keys[2] = {0, histogram ? class_of(blocks[i].size) + 1 : blocks[i].site};
        for (int k = 0; k < 2; k++) {
            struct total *total = total_of(keys[k]);
            total->freed++;
            total->freed_bytes += blocks[i].size;
            total->lifetimes += total_of(0)->bytes - blocks[i].birth;
        }
        blocks[i] = blocks[--block_count];
        return;
    }
}

static void print_totals(void) {
    for (size_t i = 0; i < total_count; i++) {
        const struct total *t = &totals[i];
        if (histogram && t->site > 0) {
            uint64_t from = t->site - 1;
            printf("%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", from, from ? 2 * from - 1 : 0,
                   t->blocks, t->bytes);
        } else if (!histogram) {
            printf("%s\t0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
                   "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
                   t->site ? procedures[procedure_at(t->site - 4)].name : "all", t->site ? t->site - 4 : 0,
                   t->blocks, t->bytes, t->freed, t->freed_bytes, t->blocks - t->freed,
                   t->bytes - t->freed_bytes, t->peak, t->freed ? t->lifetimes / t->freed : 0);
        }
    }
}

/* A call that is open: it ends at (pc, sp). */
struct open_call {
    bool open;
    uint64_t pc, sp, old, size, site;
};

static bool ends(struct open_call *call, const struct record *record) {
    /* Or its frame has been left in another way. */
    if (!call->open || (record->pc != call->pc || record->sp != call->sp)) {
        call->open &= record->sp <= call->sp;
        return false;
    }
    call->open = false;
    return true;
}

void replay_heap(void) {
    static const char *const by_count[] = {"calloc", "__libc_calloc", NULL};
    static const char *const by_first[] = {"malloc", "__libc_malloc", NULL};
    static const char *const by_second[] = {"realloc", "__libc_realloc", "_mid_memalign*", NULL};
    static const char *const moving[] = {"realloc", "__libc_realloc", NULL};
    static const char *const freeing[] = {"free", "__libc_free", "cfree", NULL};
    static const char *const callers[] = {"_Znw*", "_Zna*", "*strdup", "*strndup", "*posix_memalign", NULL};
    struct open_call allocation = {0}, caller = {0};
    histogram = option("histogram", 0);
    total_of(0);
    for (const struct record *record; (record = next_record());) {
        if (ends(&allocation, record)) {
            if (allocation.old && (record->v0 || allocation.size == 0))
                dies(allocation.old);
            if (record->v0)
                born(record->v0, allocation.size, allocation.site);
        }
        ends(&caller, record);
        if (named(record->pc, callers) && !caller.open)
            caller = (struct open_call){true, record->ra, record->sp, 0, 0, record->ra};
        bool count = named(record->pc, by_count), first = named(record->pc, by_first);
        if (!allocation.open && (count || first || named(record->pc, by_second)))
            allocation = (struct open_call){true,
                                            record->ra,
                                            record->sp,
                                            named(record->pc, moving) ? record->a0 : 0,
                                            count   ? record->a0 * record->a1
                                            : first ? record->a0
                                                    : record->a1,
                                            caller.open ? caller.site : record->ra};
        if (!allocation.open && named(record->pc, freeing) && record->a0)
            dies(record->a0);
    }
    print_totals();
}
