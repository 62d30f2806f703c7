/* replay_values.c: which values each place has had, by sorting all of them. Requires the stream of oracle.c
   with values=on. kind=repeated: how often each load was executed, and brought the value that it brought the
   last time, from the same address. kind=value: what loads bring and stores store; kind=address: their
   addresses; kind=argument: the first argument of procedures, where entries=FILE names places: lines
   PROCEDURE <tab> ENTRY. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

static struct pair { uint64_t pc, value; } * pairs, *entries; /* entries: the entry, its procedure */
static size_t count, room, entry_count;

static int in_order(const void *left, const void *right) {
    const struct pair *a = left, *b = right;
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

static void add(uint64_t pc, uint64_t value) {
    if (count == room)
        pairs = again(pairs, (room = 2 * room + 4096) * sizeof *pairs);
    pairs[count++] = (struct pair){pc, value};
}

static void read_entries(void) {
    FILE *file = fopen(text_option("entries", ""), "r");
    struct pair entry;
    while (file && fscanf(file, "%" SCNx64 " %" SCNx64, &entry.value, &entry.pc) == 2) {
        entries = again(entries, (entry_count + 1) * sizeof *entries);
        entries[entry_count++] = entry;
    }
    if (!file || entry_count == 0) {
        fprintf(stderr, "replay: no entries\n");
        exit(2);
    }
    fclose(file);
    qsort(entries, entry_count, sizeof *entries, in_order);
}

/* The first argument of each procedure that is entered here. */
static void add_argument(const struct record *record) {
    size_t low = 0, high = entry_count;
    while (low < high)
        if (entries[(low + high) / 2].pc < record->pc)
            low = (low + high) / 2 + 1;
        else
            high = (low + high) / 2;
    for (; low < entry_count && entries[low].pc == record->pc; low++)
        add(entries[low].value, record->a0);
}

static bool is_locked(const struct record *record) {
    unsigned opcode = opcode_of(record);
    return opcode == 0x2a || opcode == 0x2b || opcode == 0x2e || opcode == 0x2f;
}

/* Instructions are found by a table of their addresses. */
static void replay_repeated(void) {
    enum { ROOM = 1 << 20 };
    struct load {
        uint64_t pc, address, value, executed, repeated;
    } *loads = again(NULL, ROOM * sizeof *loads);
    memset(loads, 0, ROOM * sizeof *loads);
    for (const struct record *record; (record = next_record());) {
        if (!is_memory(record) || is_store(record) || is_locked(record))
            continue;
        struct load *load = &loads[record->pc / 4 % ROOM];
        if (load->executed && load->pc != record->pc)
            exit(2); /* the text is larger than the table */
        load->repeated +=
            load->executed && load->address == data_address(record) && load->value == record->value;
        load->pc = record->pc;
        load->address = data_address(record);
        load->value = record->value;
        load->executed++;
    }
    for (size_t i = 0; i < ROOM; i++)
        if (loads[i].executed)
            printf("0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\n", loads[i].pc, loads[i].executed,
                   loads[i].repeated);
}

void replay_values(void) {
    const char *kind = text_option("kind", "value");
    if (strcmp(kind, "repeated") == 0) {
        replay_repeated();
        return;
    }
    int argument = strcmp(kind, "argument") == 0, address = strcmp(kind, "address") == 0;
    if (argument)
        read_entries();
    for (const struct record *record; (record = next_record());) {
        if (argument)
            add_argument(record);
        else if (is_memory(record) && !is_locked(record))
            add(record->pc, address ? data_address(record) : record->value);
    }
    qsort(pairs, count, sizeof *pairs, in_order);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && pairs[end].pc == pairs[i].pc && pairs[end].value == pairs[i].value;
             end++)
            ;
        printf("0x%" PRIx64 "\t%" PRId64 "\t%zu\n", pairs[i].pc, (int64_t)pairs[i].value, end - i);
    }
}
