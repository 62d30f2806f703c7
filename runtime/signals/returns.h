/* returns.h: where the analysis side returns to in the program's copies. */
#ifndef ATOMC_RUNTIME_RETURNS_H
#define ATOMC_RUNTIME_RETURNS_H

#include "runtime/kernel/kernel.h"

enum { MOST_STORED = 40, MOST_DECISIONS = 96 };

/* A walk along the code: registers, as far as they are known, and what has been stored. */
struct atomc_walk {
    unsigned long pc;
    uint32_t known; /* registers */
    long value[32];
    long origin[32]; /* where it is now: a register's number, an address, or -1: nowhere */
    struct atomc_walk_store {
        long address, value, origin;
        int known;
    } stored[MOST_STORED];
    unsigned stored_count;
    int is_true;            /* control itself will go this way, and values are what they will be */
    struct atomc_decision { /* at a branch */
        unsigned long pc;
        unsigned char way;  /* 1: taken */
        unsigned char open; /* the other has not been tried */
    } decisions[MOST_DECISIONS];
    unsigned decision_count, next;
};

struct atomc_return {
    unsigned long target;
    long *slot;   /* where the address is on the stack, or 0: */
    unsigned reg; /* in this register */
};

enum { FOUND_NOTHING, FOUND_RETURN, FOUND_DELIVERY /* what delivers a signal comes first */ };

/* From a context whose pc is in the analysis side. `walk`: memory to work in. */
int atomc_find_return(const struct saved_context *context, struct atomc_walk *walk,
                      struct atomc_return *found);

#endif
