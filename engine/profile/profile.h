/* profile.h: counts of earlier runs of the program, or of other builds of its source: reports of the stock
   tools prof, pixie and branch, written as JSON (ATOMC_FORMAT=json). Requires blocks. */
#ifndef ATOMC_PROFILE_H
#define ATOMC_PROFILE_H

#include "engine/cfg/cfg.h"

#define NOT_MEASURED UINT64_MAX

struct profile {
    uint64_t *executed;     /* per block: executions */
    uint64_t *taken;        /* per block: executions that took its conditional branch */
    uint64_t *instructions; /* per procedure: instructions that it executed */
};

/* ---- match.c ---- */

/* Adds the report in the file to program->profile. Warns about rows that belong to no code of the program.
   Returns false after an error: the file is not such a report, or all of it belongs to other code. */
bool profile_add(struct program *program, const char *path, struct diagnostics *diagnostics);

#endif
