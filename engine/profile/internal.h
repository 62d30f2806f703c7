/* internal.h: a profile's rows between read.c and match.c. */
#ifndef ATOMC_PROFILE_INTERNAL_H
#define ATOMC_PROFILE_INTERNAL_H

#include "engine/profile/profile.h"

/* What a row is of. */
enum profile_kind { PROFILE_PROCEDURES, PROFILE_BLOCKS, PROFILE_BRANCHES, PROFILE_KINDS };

struct profile_row {
    const char *procedure; /* its name */
    uint64_t address;      /* of the procedure, of the block's first instruction, or of the branch */
    uint64_t counts[2];    /* instructions; executions, instructions; taken, not taken */
};

struct profile_report {
    enum profile_kind kind;
    struct profile_row *rows; /* by procedure, then by address */
    size_t count;
};

/* ---- read.c ---- */

/* The rows and their names are in the arena. */
bool profile_read(struct profile_report *report, const char *path, struct arena *arena,
                  struct diagnostics *diagnostics);

#endif
