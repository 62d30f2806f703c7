/* profile.h: what earlier runs of the program, or of other builds of its source, counted: reports of the
   stock tools prof, pixie and branch, written as JSON (ATOMC_FORMAT=json). Requires blocks. */
#ifndef ATOMC_PROFILE_H
#define ATOMC_PROFILE_H

#include "engine/cfg/cfg.h"

#define NOT_MEASURED UINT64_MAX

struct profile {
    uint64_t *executed;     /* per block: executions */
    uint64_t *taken;        /* per block: how often its conditional branch was taken */
    uint64_t *instructions; /* per procedure: instructions that it executed */
};

/* ---- match.c ---- */

/* Adds the report in the file to program->profile. Says what of it belongs to no code of the program. False
   after an error: the file is no such report, or all of it is of other code. */
bool profile_add(struct program *program, const char *path, struct diagnostics *diagnostics);

#endif
