/* third.h: the interface between the parts of third. third.c, third_heap.c and third_frames.c find errors,
 * third_leaks.c leaks. third_report.c keeps and prints them. third_roots.c has threads and mapped memory.
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
    LEAK
};

/* An error at pc about the heap at the address, or about the block. */
void report_error(enum error error, long pc, long bytes, unsigned long address, const struct block *block);
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
    /* Its system calls: a handler makes others while one waits. The last ones, of those that may go on.
     * calling: it is in the last one. */
    struct call pending[PENDING];
    int count, calling;
    long saved[7];          /* the registers that calls preserve, there */
    unsigned long moved_sp; /* before the instruction that moves it */
};
struct thread *thread_of(long id);

/* Marks as reached all blocks that the words of a range point to, and then the words of these blocks.
 */
void mark(unsigned long from, unsigned long to);
void mark_roots(void);
/* What these are found by. */
extern unsigned long lowest_sp; /* of the first thread; at first the highest address */
void note_frame(unsigned long to, unsigned long from);
void note_block(unsigned long address);
void note_unmapping(struct call *call); /* before it is made */
void note_failure(const struct call *call);
void note_mapping(const struct call *call, long result);

#endif
