/* replay_branches.c: what a predictor of two-bit counters makes of the program's conditional branches: which
   way each went is where the thread goes next. Requires a record of one thread without signals. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "replay.h"

struct branch {
    uint64_t executed, missed;
};

static bool is_conditional(const struct record *record) {
    unsigned opcode = opcode_of(record);
    return opcode >= 0x31 && opcode != 0x34;
}

/* entries=: counters that there are; all begin at "weakly not taken". */
void replay_branches(void) {
    uint64_t entries = option("entries", 1024), base = 0x120000000, limit = 1 << 22, total[2] = {0, 0};
    unsigned char *counters = again(NULL, entries);
    struct branch *branches = calloc(limit, sizeof *branches);
    struct record before = {.pc = 0};
    for (uint64_t i = 0; i < entries; i++)
        counters[i] = 1;
    for (const struct record *record; branches && (record = next_record()); before = *record) {
        if (!before.pc || !is_conditional(&before) || (before.pc - base) / 4 >= limit)
            continue;
        bool taken = record->pc != before.pc + 4;
        unsigned char *counter = &counters[before.pc / 4 % entries];
        struct branch *branch = &branches[(before.pc - base) / 4];
        branch->executed++;
        branch->missed += taken != (*counter >= 2);
        *counter = taken ? *counter + (*counter < 3) : *counter - (*counter > 0);
    }
    for (uint64_t i = 0; branches && i < limit; i++) {
        if (branches[i].executed)
            printf("0x%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", base + 4 * i, branches[i].executed,
                   branches[i].missed);
        total[0] += branches[i].executed;
        total[1] += branches[i].missed;
    }
    printf("total %" PRIu64 " %" PRIu64 "\n", total[0], total[1]);
    free(branches);
    free(counters);
}
