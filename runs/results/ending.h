/* ending.h: how a program ended that a signal ended, and what this means for its results. */
#ifndef ATOMC_RESULTS_ENDING_H
#define ATOMC_RESULTS_ENDING_H

#include "support/support.h"

/* A sentence without its full stop; NULL: no signal of that number ended the program. */
const char *ending_words(struct arena *arena, int64_t signal);
/* The signal that ended the program of a run with that folder, by its run.json; 0: none, or it is not known.
 */
int64_t ending_signal(const char *folder);

#endif
