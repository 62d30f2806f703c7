/* counting.h: counts that are derived when the program ends, from those made (interface.h;
   engine/count/counting.h). Requires nothing of Alpha, so that it is tested on the host. */
#ifndef ATOMC_RUNTIME_COUNTING_H
#define ATOMC_RUNTIME_COUNTING_H

#include "runtime/interface.h"

/* Before the program. */
void atomc_prepare_counts(const struct atomc_image *image);
/* How the program is interrupted at an instruction: before it, by its fault, or when it has been executed. */
enum atomc_stop { ATOMC_STOP_BEFORE, ATOMC_STOP_FAULT, ATOMC_STOP_BEHIND, ATOMC_STOPS };
/* The program is interrupted at this address of the copies, and what it was doing may never go on: times = 1.
   It goes on there after all: times = -1. `registers`: its, in which counts may be; `records`: the thread's
   (records.h). Takes no memory and no locks. */
void atomc_note_stop(const struct atomc_image *image, uint64_t pc, enum atomc_stop stop, int times,
                     const long *registers, const int64_t *records);
/* In a child, before it goes on with what its parent was interrupted in: sums of that block are in the
   child's cells from now on (keyed.h). */
void atomc_renew_cells(const struct atomc_image *image, uint64_t pc, int fault, int64_t *records);
/* Are both addresses of the copies in one block that has sums made at its beginning, and behind one of them?
 */
int atomc_in_same_block(const struct atomc_image *image, uint64_t pc, uint64_t other);
/* The counters' cells become what they would be had each update been made. Once in each process. */
void atomc_settle_counts(const struct atomc_image *image);

/* For each so many cells of counters, not 0: settling has changed one of them. NULL: nothing has been
   settled. What else may have changed them, .settled of the image says. */
enum { ATOMC_TOUCHED_CELLS = 64 };
extern uint64_t *atomc_touched;

/* The cells as they would be if the program ended now, in memory from malloc, with those of values behind
   them; the cells themselves do not change. NULL without memory. */
uint64_t *atomc_settled_copy(const struct atomc_image *image);

#endif
