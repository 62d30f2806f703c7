/* locked_ranges.c: what a signal interrupts with the lock in the middle of inlined code
   (engine/inline/lock.c) is executed to its end before anything else may happen in the thread: its handler
   may reach code with calls, jump away, or never return. Requires that no other signal comes meanwhile.
   Compiled without floating-point registers. */
#include "stepping.h"

extern long atomc_lock_owner;

static int is_in_locked_range(unsigned long pc) {
    const struct atomc_locked_range *ranges = (const struct atomc_locked_range *)atomc_image.locked_ranges;
    unsigned long low = 0, high = atomc_image.locked_range_count;
    if (pc < atomc_image.copies || pc >= atomc_image.copies_end)
        return 0;
    while (low < high) { /* the first one behind */
        unsigned long middle = low + (high - low) / 2;
        if (ranges[middle].begin <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && pc - ranges[low - 1].begin < ranges[low - 1].size;
}

/* An analysis routine's fault is told where it stands; others have the lock then. */
void atomc_finish_locked_range(struct saved_context *context) {
    struct atomc_stepper stepper = {.context = context};
    while (is_in_locked_range((unsigned long)context->pc))
        if (!atomc_step(&stepper)) {
            __sync_synchronize();
            atomc_lock_owner = 0;
            return;
        }
}
