/* child.h: processes that are started. */
#ifndef ATOMC_WORKBENCH_CHILD_H
#define ATOMC_WORKBENCH_CHILD_H

#include <sys/types.h>

/* Starts it with these descriptors as 0, 1, 2 and, unless -1, 3. Its number, or -1. */
pid_t child_start(const char *const *words, const int ends[4], const char *folder);

#endif
