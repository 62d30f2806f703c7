/* trace_read.c: prints a binary trace of the stock tool trace as text, or with -d as input of Dinero.
   Requires nothing: cc trace_read.c -o trace_read && ./trace_read [-d] <trace.out

   The file begins with the line "atomctrace2 all ", or "atomctrace2 data" if only loads and stores are
   wanted. Then there are chunks, each of the records of one process. Numbers have 8 bytes, the low ones
   first. Blocks and accesses (loads and stores) are numbered; the accesses of a block one after the other.

   A chunk begins with six numbers: the process, relative to the first process; 1 if it is the first chunk of
   the process, else 0; the number of records; and the numbers of elements in each of three parts. The parts
   stand in this order, the first one up to a multiple of 8 bytes:

   differences, of 4 bytes each: of an access whose address is not the same as the last time, at first 0. The
     low 8 bits: how many records after the last such one, at first that before the chunk; then 24 bits, the
     difference to the last address. If the low 8 bits are 0, the other 24 have the distance, and 8 bytes
     follow, the difference.
   new blocks: the block's number; its address; the number of its first access * 2^32 + how many it has; how
     many instructions; then of each access 256 * its distance from the block's address + 16 * whether it is a
     store + how many bytes.
   events: 2^32 * the number of units since the last event + 2^30 * kind + number. A unit is a block and its
     accesses. The block is the one that followed the last block the last time, at first block 0. kind 0: it
     is not, but the block with this number. kind 1: it is followed by that number of accesses, the first of
     them that of the block. kind 2: no unit, but the access with this number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JUMP, LENGTH, STRAY };
static struct block { unsigned long pc, first, accesses, size; } * blocks;
static struct access { unsigned long pc, size, store; } * accesses;
static unsigned long block_room, access_room;

/* The state of a process. */
static struct process {
    unsigned long id;
    struct process *next;
    unsigned long *addresses, address_room, *follows, follow_room, last;
} * processes;

static int din, only_data;
static unsigned long next, end; /* number of the current block, for Dinero's input */

static void fail(void) {
    fflush(stdout);
    fprintf(stderr, "trace_read: the trace is not whole\n");
    exit(1);
}

/* The element; the array, to which `array` points, grows. */
static void *element(void *array, unsigned long *room, unsigned long number, unsigned long size) {
    char *memory;
    memcpy(&memory, array, sizeof memory);
    if (number >= *room) {
        unsigned long more = 2 * number + 64;
        if (number >> 31 || !(memory = realloc(memory, more * size)))
            fail();
        memset(memory + *room * size, 0, (more - *room) * size);
        *room = more;
        memcpy(array, &memory, sizeof memory);
    }
    return memory + number * size;
}
#define ELEMENT(array, room, number) element(&(array), &(room), number, sizeof *(array))

static struct process *process_of(unsigned long id, int begins) {
    struct process *process = processes;
    while (process && process->id != id)
        process = process->next;
    if (!process) {
        if (!(process = calloc(1, sizeof *process)))
            fail();
        process->id = id;
        process->next = processes;
        processes = process;
    }
    if (begins) {
        free(process->addresses);
        free(process->follows);
        *process = (struct process){.id = id, .next = process->next};
    }
    return process;
}

static void *read_part(unsigned long count) {
    unsigned long *part = count >> 40 ? NULL : malloc(8 * count + 8);
    if (!part || fread(part, 8, count, stdin) != count)
        fail();
    return part;
}

static void learn(const unsigned long *at, const unsigned long *stop) {
    while (stop - at >= 4) {
        struct block *block = ELEMENT(blocks, block_room, at[0]);
        *block = (struct block){at[1], at[2] >> 32, at[2] & 0xffffffff, at[3]};
        at += 4;
        for (unsigned long i = 0; i < block->accesses; i++) {
            if (at == stop)
                fail();
            struct access *access = ELEMENT(accesses, access_room, block->first + i);
            *access = (struct access){block->pc + (*at >> 8), *at & 15, *at >> 4 & 1};
            at++;
        }
    }
}

/* ---- what is printed ------------------------------------------------------------------------------------- */

static void print_block(const struct block *block) {
    if (only_data)
        return;
    for (; din && next < end; next += 4)
        printf("2 %lx\n", next);
    next = block->pc;
    end = block->pc + 4 * block->size;
    if (!din)
        printf("block 0x%lx %lu\n", block->pc, block->size);
}

static void print_access(const struct access *access, unsigned long address) {
    for (; din && access->pc >= next && access->pc < end; next += 4)
        printf("2 %lx\n", next);
    if (din)
        printf("%lu %lx\n", access->store, address);
    else
        printf("%s 0x%lx 0x%lx %lu\n", access->store ? "store" : "load", access->pc, address, access->size);
}

/* ---- a chunk --------------------------------------------------------------------------------------------- */

struct chunk {
    struct process *process;
    unsigned long record,
        changes;     /* the number of the record, and that of the next one with another address */
    long difference; /* of that */
    const unsigned *differences, *differences_end;
    const unsigned long *event, *events_end;
    unsigned long regular;
};

static void next_change(struct chunk *chunk) {
    const unsigned *at = chunk->differences;
    if (at == chunk->differences_end) {
        chunk->changes = -1ul;
        return;
    }
    chunk->changes += *at & 255 ? *at & 255 : *at >> 8;
    chunk->difference = (int)*at >> 8;
    if (!(*at & 255)) {
        if (chunk->differences_end - at < 3)
            fail();
        chunk->difference = (long)(at[1] | (unsigned long)at[2] << 32);
        at += 2;
    }
    chunk->differences = at + 1;
}

static void read_access(struct chunk *chunk, unsigned long number) {
    struct process *process = chunk->process;
    unsigned long *address = ELEMENT(process->addresses, process->address_room, number);
    if (chunk->record++ == chunk->changes) {
        *address += chunk->difference;
        next_change(chunk);
    }
    print_access(ELEMENT(accesses, access_room, number), *address);
}

/* The number of the next event, if it is of this kind and belongs here. */
static int is_next(struct chunk *chunk, unsigned kind, unsigned long *number) {
    if (chunk->event == chunk->events_end || *chunk->event >> 32 != chunk->regular ||
        (*chunk->event >> 30 & 3) != kind)
        return 0;
    *number = *chunk->event++ & 0x3fffffff;
    chunk->regular = 0;
    return 1;
}

static void read_unit(struct chunk *chunk) {
    struct process *process = chunk->process;
    unsigned long number, length;
    if (is_next(chunk, STRAY, &number)) {
        read_access(chunk, number);
        return;
    }
    unsigned long *follows = ELEMENT(process->follows, process->follow_room, process->last);
    if (is_next(chunk, JUMP, &number))
        *follows = number;
    process->last = *follows + 1;
    struct block block = *(struct block *)ELEMENT(blocks, block_room, *follows);
    print_block(&block);
    chunk->record++;
    if (!is_next(chunk, LENGTH, &length))
        length = block.accesses;
    for (unsigned long i = 0; i < length; i++)
        read_access(chunk, block.first + i);
    chunk->regular++;
}

int main(int argc, char **argv) {
    char line[32];
    unsigned long head[6];
    din = argc > 1 && strcmp(argv[1], "-d") == 0;
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "atomctrace2 ", 12) != 0) {
        fprintf(stderr, "trace_read: this is no binary trace\n");
        return 1;
    }
    only_data = strcmp(line + 12, "data\n") == 0;
    while (fread(head, sizeof head, 1, stdin) == 1) {
        unsigned *differences = read_part(head[3] / 2 + head[3] % 2);
        unsigned long *new_blocks = read_part(head[4]), *events = read_part(head[5]);
        struct chunk chunk = {process_of(head[0], head[1]),
                              0,
                              -1ul,
                              0,
                              differences,
                              differences + head[3],
                              events,
                              events + head[5],
                              0};
        learn(new_blocks, new_blocks + head[4]);
        next_change(&chunk);
        while (chunk.record < head[2])
            read_unit(&chunk);
        free(differences);
        free(new_blocks);
        free(events);
    }
    for (; din && next < end; next += 4)
        printf("2 %lx\n", next);
    return ferror(stdin) || fflush(stdout) != 0;
}
