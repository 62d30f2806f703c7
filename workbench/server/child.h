/* child.h: processes that are started. */
#ifndef ATOMC_WORKBENCH_CHILD_H
#define ATOMC_WORKBENCH_CHILD_H

#include "support/process.h"

/* Starts it with these descriptors as 0, 1, 2 and, unless PROCESS_NOTHING, 3. PROCESS_NOTHING: /dev/null. Its
 * number, or -1. */
pid_t child_start(const char *const *words, const int files[4], const char *folder);

#endif
