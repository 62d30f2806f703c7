/* third.h: from third.c, which finds errors, to third_report.c, which keeps and prints them. */
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
void report_leaks(unsigned long data, unsigned long data_end, unsigned long stack, unsigned long stack_end);

#endif
