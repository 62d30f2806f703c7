/* replay_blocks.c: basic block vectors from the oracle's record, instruction by instruction: an interval ends
   where a block begins and so many instructions have been executed. Requires blocks=FILE: lines ADDRESS ...
   in ascending order, interval=. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "replay.h"

static uint64_t *starts, *executed;
static size_t block_count;

static void read_blocks(void) {
    FILE *file = fopen(text_option("blocks", ""), "r");
    char line[65536];
    while (file && fgets(line, sizeof line, file)) {
        starts = again(starts, (block_count + 1) * sizeof *starts);
        starts[block_count++] = strtoull(line, NULL, 16);
    }
    if (!file || block_count == 0) {
        fprintf(stderr, "replay: no blocks\n");
        exit(2);
    }
    fclose(file);
    executed = calloc(block_count, sizeof *executed);
}

static size_t block_at(uint64_t pc) {
    size_t low = 0, high = block_count;
    while (high - low > 1)
        if (starts[(low + high) / 2] <= pc)
            low = (low + high) / 2;
        else
            high = (low + high) / 2;
    return low;
}

static void print_interval(void) {
    printf("T");
    for (size_t i = 0; i < block_count; i++) {
        if (executed[i])
            printf(":%zu:%" PRIu64 " ", i + 1, executed[i]);
        executed[i] = 0;
    }
    printf("\n");
}

void replay_blocks(void) {
    uint64_t count = 0, interval = option("interval", 100000);
    read_blocks();
    for (const struct record *record; (record = next_record()); count++) {
        size_t block = block_at(record->pc);
        if (starts[block] == record->pc && count >= interval) {
            print_interval();
            count = 0;
        }
        executed[block]++;
    }
    if (count)
        print_interval();
}
