/* internal.h: a profile's rows between read.c and match.c. */
#ifndef ATOMC_PROFILE_INTERNAL_H
#define ATOMC_PROFILE_INTERNAL_H

#include "engine/profile/profile.h"

/* The kind of place that a row describes. */
enum profile_kind { PROFILE_PROCEDURES, PROFILE_BLOCKS, PROFILE_BRANCHES, PROFILE_KINDS };

struct profile_row {
    const char *procedure; /* name of the procedure */
    uint64_t address;      /* address of the procedure, of the block's first instruction, or of the branch */
    uint64_t counts[2];    /* values by kind: instructions; executions and instructions; taken and not
                              taken */
};

struct profile_report {
    enum profile_kind kind;
    struct profile_row *rows; /* sorted by procedure, then by address */
    size_t count;
};

/* ---- read.c ---- */

/* The rows and their names are allocated in the arena. */
bool profile_read(struct profile_report *report, const char *path, struct arena *arena,
                  struct diagnostics *diagnostics);

#endif
