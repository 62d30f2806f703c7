/* trace_binary.c: trace's binary form, which trace_read.c describes and reads.

   Sites append records to a buffer, with the number of the block or of the access. A full buffer is
   compressed and written as a chunk. Within a block only addresses vary, and often they repeat. So a chunk
   has only the differences of addresses that changed, and events where the sequence differs from its last
   occurrence. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "atomc.h"
#include "trace.h"

/* Each block, and every 64th access, checks whether the buffer is full. The buffer has room for records that
   threads and handlers add in the middle of a block. */
enum { FULL = 1 << 18, ROOM = 8 << 20 }; /* bytes */
static struct record {
    long number; /* number of an access; -1 - number of a block */
    unsigned long address;
} * buffer, *next;

enum { JUMP, LENGTH, STRAY };
enum { HEAD = 6 }; /* words of a chunk's head */
static FILE *file;
static long written, process, first_process;
static const int *owners; /* for each access: its block */
static const long *pcs;   /* of blocks */
static const int *sizes, *offsets;
static const char *kinds; /* for accesses: the position in their block, and the kind */

/* The state since the first chunk of the process. */
static struct block {
    long number;              /* same numbers as in records; 0: the block is not known yet */
    struct block *next;       /* its successor the last time */
    long first, end;          /* its accesses */
    unsigned long *addresses; /* of these */
    long last;                /* the number of the last of its records, */
    long bytes;               /* ... and its distance from the first, if all are present */
} none = {.number = LONG_MIN, .next = &none}, *blocks, *last_block;
static unsigned long *addresses; /* address of each access, the last time */
static long longest;             /* the most bytes of a block's records */
static struct record *records_end;

/* The chunk. */
static long *chunk, *events, *new_blocks;
static long chunk_room, event_count, new_count, new_room;
static unsigned *differences;
static const struct record *changed;      /* the last access that had another address */
static unsigned long units, units_before; /* numbers of the chunk; up to the last event */

static void *some(void *memory) {
    if (!memory)
        abort();
    return memory;
}

/* ---- blocks ---------------------------------------------------------------------------------------------- */

static void begin_process(void) {
    free(blocks);
    free(addresses);
    blocks = some(calloc(count_listed + 1, sizeof *blocks));
    addresses = some(calloc(count_accesses + 1, sizeof *addresses));
    none.next = last_block = &none;
}

/* The first access of this block or a later one. */
static long first_access(long block) {
    long low = 0, high = count_accesses;
    while (low < high) {
        long middle = (low + high) / 2;
        if (owners[middle] < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A mark, so that no block seems to extend beyond the end, where older records are. */
static void mark_end(void) {
    for (struct record *after = records_end; (char *)after <= (char *)records_end + longest; after++)
        after->number = -1 - count_listed; /* number that is neither a block's nor an access's */
}

static __attribute__((noinline)) void learn(long number) {
    struct block *block = &blocks[number];
    block->number = -1 - number;
    block->next = &none;
    block->first = first_access(number);
    block->end = first_access(number + 1);
    block->addresses = addresses + block->first;
    block->bytes = (block->end - block->first) * sizeof(struct record);
    block->last = block->bytes > 0 ? block->end - 1 : block->number;
    if (block->bytes > FULL)
        block->last = LONG_MIN; /* matches no record: the block's records are examined one by one */
    else if (block->bytes > longest) {
        longest = block->bytes;
        mark_end();
    }
    if (new_count + 4 + block->end - block->first > new_room) {
        new_room = 2 * new_room + 4 + block->end - block->first;
        new_blocks = some(realloc(new_blocks, new_room * sizeof *new_blocks));
    }
    long *to = new_blocks + new_count;
    *to++ = number;
    *to++ = pcs[number];
    *to++ = block->first << 32 | (block->end - block->first);
    *to++ = sizes[number];
    for (long access = block->first; access < block->end; access++)
        *to++ = (long)offsets[access] << 8 | kinds[access];
    new_count = to - new_blocks;
}

/* ---- a chunk --------------------------------------------------------------------------------------------- */

static inline void add_event(long kind, long number, unsigned long now) {
    events[event_count++] = (long)((now - units_before) << 32) | kind << 30 | number;
    units_before = now;
}

/* The distance is counted in records. */
static inline unsigned *add_difference(unsigned *to, long difference, const struct record *record,
                                       const struct record *mark) {
    long both = difference << 8;
    unsigned long bytes = (const char *)record - (const char *)mark, distance = bytes / sizeof *record;
    _Static_assert(256 * sizeof *record == 1 << 12, "a byte's distances");
    if (__builtin_expect(((both ^ (int)both) | bytes >> 12) == 0, 1)) {
        *to = both | distance;
        return to + 1;
    }
    to[0] = distance << 8;
    to[1] = difference;
    to[2] = difference >> 32;
    return to + 3;
}

/* The block's last record, if its records are consecutive. If its accesses have the expected distances, no
   other record is between them: an inserted one moves all that follow. */
static inline const struct record *last_of(const struct block *block, const struct record *record) {
    return (const struct record *)((const char *)record + block->bytes);
}

/* Processes known blocks with their accesses. Returns the first other record. */
static const struct record *add_regular(const struct record *record) {
    struct block *block = last_block;
    const struct record *mark = changed;
    unsigned *to = differences;
    unsigned long count = units;
    for (;; count++) {
        struct block *next = block->next;
        if (next->number != record->number) {
            next = &blocks[-1 - record->number];
            if (record->number >= 0 || next->number == 0)
                break;
            add_event(JUMP, next - blocks, count);
            block->next = next;
        }
        block = next;
        const struct record *end = last_of(block, record);
        if (__builtin_expect(end->number == block->last, 1)) {
            for (unsigned long *last = block->addresses; record != end; last++) {
                record++;
                long difference = record->address - *last;
                if (difference != 0) {
                    *last = record->address;
                    to = add_difference(to, difference, record, mark);
                    mark = record;
                }
            }
            record++;
            continue;
        }
        long number = block->first;
        unsigned long *last = addresses + number;
        for (record++; record->number == number; record++, number++, last++) {
            long difference = record->address - *last;
            if (difference != 0) {
                *last = record->address;
                to = add_difference(to, difference, record, mark);
                mark = record;
            }
        }
        if (number != block->end)
            add_event(LENGTH, number - block->first, count);
    }
    last_block = block;
    changed = mark;
    differences = to;
    units = count;
    return record;
}

static const struct record *add_stray(const struct record *record) {
    unsigned long *last = &addresses[record->number];
    if (!blocks[owners[record->number]].number)
        learn(owners[record->number]);
    add_event(STRAY, record->number, units);
    if (record->address != *last) {
        differences = add_difference(differences, record->address - *last, record, changed);
        changed = record;
    }
    *last = record->address;
    return record + 1;
}

/* Writes with one call, because other processes may write to the file. */
static void write_chunk(long records, int begins) {
    long count = differences - (unsigned *)(chunk + HEAD), words = HEAD + (count + 1) / 2;
    long head[HEAD] = {process - first_process, begins, records, count, new_count, event_count};
    memcpy(chunk, head, sizeof head);
    *differences = 0;
    if (words + new_count + event_count > chunk_room) {
        chunk_room = words + new_count + event_count;
        chunk = some(realloc(chunk, chunk_room * sizeof *chunk));
    }
    memcpy(chunk + words, new_blocks, new_count * sizeof *chunk);
    memcpy(chunk + words + new_count, events, event_count * sizeof *chunk);
    fwrite(chunk, sizeof *chunk, words + new_count + event_count, file);
}

/* Writes up to the limit. */
static struct record *last_wanted(void) {
    struct record *record = buffer;
    for (; limit > 0 && record < next; record++)
        if ((!data || record->number >= 0) && written++ >= limit)
            return record;
    return next;
}

void Flush(void) {
    struct record *end = last_wanted();
    const struct record *record = buffer;
    int begins = process != getpid();
    next = buffer;
    if (end == buffer)
        return;
    if (begins)
        begin_process();
    process = getpid();
    records_end = end;
    mark_end();
    new_count = event_count = units = units_before = 0;
    differences = (unsigned *)(chunk + HEAD);
    changed = buffer - 1;
    while ((record = add_regular(record)) < end)
        if (record->number >= 0)
            record = add_stray(record);
        else
            learn(-1 - record->number);
    write_chunk(end - buffer, begins);
}

/* ---- the sites ------------------------------------------------------------------------------------------- */

void Begin(const int *all_owners, const int *all_offsets, const char *all_kinds, const long *all_pcs,
           const int *all_sizes) {
    owners = all_owners;
    offsets = all_offsets;
    kinds = all_kinds;
    pcs = all_pcs;
    sizes = all_sizes;
    file = trace_file(out);
    first_process = getpid();
    setvbuf(file, NULL, _IONBF, 0);
    if (fileno(file) > STDERR_FILENO) /* so that the runtime is informed, too, that children write to the
                                         file */
        fcntl(fileno(file), F_SETFL, O_APPEND);
    fwrite(data ? "atomctrace2 data\n" : "atomctrace2 all \n", 1, 17, file);
    next = buffer = some(aligned_alloc(ROOM, ROOM));
    chunk_room = HEAD + ROOM / sizeof *buffer * 2;
    chunk = some(malloc(chunk_room * sizeof *chunk));
    events = some(malloc(ROOM / sizeof *buffer * 2 * sizeof *events));
    atomc_before_fork(Flush);
}

static inline int is_full(const struct record *record) {
    return (unsigned long)record & FULL;
}

void Enter(long number) {
    struct record *record = next;
    if (is_full(record)) {
        Flush();
        record = next;
    }
    record->number = number;
    next = record + 1;
}

void Access(long number, unsigned long address) {
    struct record *record = next;
    record->number = number;
    record->address = address;
    next = record + 1;
}

void Look(void) {
    if (is_full(next))
        Flush();
}

void End(void) {
    Flush();
    atomc_end_file();
    tell_trace();
}
