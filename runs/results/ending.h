/* ending.h: how a program ended that did not end by itself, and what this means for its results. */
#ifndef ATOMC_RESULTS_ENDING_H
#define ATOMC_RESULTS_ENDING_H

#include "support/support.h"

/* What ended the program before its own end, for a column: the reason for which the run was stopped (NULL:
   none), or the signal's name (signal <= 0: none). SIGKILL is named even if there is a reason, because rows
   are missing then. NULL: neither. */
const char *ending_cause(struct arena *arena, int64_t signal, const char *reason);
/* A sentence without its full stop; NULL: no signal of that number ended the program. */
const char *ending_words(struct arena *arena, int64_t signal);
/* The signal that ended the program of a run with that folder, by its run.json; 0: none, or it is not known.
 */
int64_t ending_signal(const char *folder);
/* Children that left no rows, by the files of rows of a run: a sentence as above. NULL: there are none, or it
   is not known. A process that SIGKILL ends writes no rows. */
const char *ending_children(struct arena *arena, const char *const *files, uint32_t count);

#endif
