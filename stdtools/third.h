/* third.h: the interface between the parts of third. third.c, third_heap.c and third_frames.c find errors,
 * third_leaks.c finds leaks, third_copies.c follows values. third_report.c stores and prints errors and
 * leaks. third_roots.c finds threads and mapped memory.
 */
#ifndef ATOMC_THIRD_H
#define ATOMC_THIRD_H

#include "heap.h"

enum error {
    UNSET_HEAP_READ,
    UNSET_STACK_READ,
    OUTSIDE_READ,
    FREED_READ,
    OUTSIDE_WRITE,
    FREED_WRITE,
    DOUBLE_FREE,
    WRONG_FREE,
    MISMATCHED_FREE,
    WRONG_SIZE,
    ABSURD_SIZE,
    OVERLAP,
    WILD_READ,
    WILD_WRITE,
    WILD_JUMP,
    LEAK
};

/* An error at pc, in the thread, about the heap at the address, or about the block. A block's .item are the
 * callers that it was allocated by. */
void report_error(enum error error, long pc, long bytes, unsigned long address, const struct block *block,
                  long thread);
/* The same for a routine of the C library that was called at this place. */
void report_routine_error(enum error error, const char *routine, long pc, long bytes, unsigned long address,
                          long thread);
void remember_freed(const struct block *block);

struct call {
    long number, arguments[5];
    unsigned long sp;
    int allocates; /* the allocator's */
    int takes;     /* memory away that was readable */
};

enum { PENDING = 16 };
struct thread {
    long id;
    struct thread *next;
    int first, ended;
    /* Its system calls: a handler may make other calls while one call waits. The last ones that may still be
       in progress. calling: the thread is in the last one. */
    struct call pending[PENDING];
    int count, calling;
    long saved[7];            /* the callee-saved registers at this point */
    unsigned long moved_sp;   /* before the instruction that moves it */
    unsigned long routine_sp; /* address in a string routine of the C library; 0: outside of these */
};
extern struct thread *latest_thread; /* block of the latest query; NULL: none */
struct thread *find_thread(long id);
static inline struct thread *thread_of(long id) {
    return latest_thread && latest_thread->id == id ? latest_thread : find_thread(id);
}
static inline int in_routine(long id) {
    return thread_of(id)->routine_sp != 0;
}
/* The routine of the C library that the thread is in, and where it was called. */
const char *routine_of(long id, long *from);

/* An unset value on its way from a load to a store. */
struct copy {
    unsigned long pc; /* of the store */
    long thread;
    unsigned long from;
    int added, inserted;
    unsigned long states; /* states of the bytes that are stored */
};
extern long pending; /* -1 if there is a copy */
struct load_fate;
/* A load of `width` bytes feeds a store. */
void begin_copy(const struct load_fate *fate, unsigned long address, int width, long thread);
struct copy *copy_to(unsigned long pc, long thread);
/* For a set of bytes, with a bit for each. */
static inline unsigned low_bits(long count) {
    return (1u << count) - 1;
}
static inline int count_bits(unsigned bits) {
    return __builtin_popcount(bits);
}

/* The store changes these bytes; the value's first byte is stored at the address. */
void end_copy(struct copy *copy, unsigned long address, unsigned long first, long size);

/* Marks as reached all blocks that the words of a range point to, and then the words of these blocks.
 */
void mark(unsigned long from, unsigned long to);
void mark_roots(void);
/* The ranges by which these are found. */
extern unsigned long lowest_sp; /* stack of the first thread; at first the highest address */
void note_frame(unsigned long to, unsigned long from);
void note_block(unsigned long address);
extern int has_chunks;   /* before each block is a word with its size: the allocator is the C library's */
extern long block_total; /* allocated so far */
/* True if one of these stack pointers is in the first stack, or in a mapping, and the other is outside of
   it. */
int is_between_stacks(unsigned long sp, unsigned long from);
void forget_readable(void);             /* the readable ranges may have changed */
void note_unmapping(struct call *call); /* before it is made */
void note_failure(const struct call *call);
/* For the allocator's memory; and for memory that now has another use. */
void note_given_back(unsigned long from, unsigned long size);
void note_mapped(unsigned long from, unsigned long size);
void note_mapping(const struct call *call, long result);

#endif
