/* routine.h: analysis routines as sites call them: themselves or adapted copies, through wrappers or not.
   Requires the analysis image. */
#ifndef ATOMC_ROUTINE_H
#define ATOMC_ROUTINE_H

#include "engine/code/code.h"

/* Where a copy has what is made of an instruction of the routine. */
struct copy_place {
    uint32_t address, instruction;
};

/* The copy of a routine in this round. */
struct copied_routine {
    uint32_t address, end;
    const struct copy_place *places; /* in order */
    uint32_t place_count;
};

/* ---- save_area.c ---- */

/* Calls lock or unlock if the program has threads: a test of a flag that the runtime sets at the first clone.
 */
void emit_lock(struct rewrite *rewrite, struct code *code, const char *symbol);

/* ---- wrappers.c ---- */

/* The wrapper of a routine that saves (at least) these registers; made when first asked for. */
uint32_t wrapper_address(struct rewrite *rewrite, uint32_t routine, alpha_register_set saves);
/* Everything that a call of the routine through its wrapper may change. */
alpha_register_set wrapper_clobbers(const struct rewrite *rewrite, uint32_t routine);

/* ---- called_routines.c ---- */

void called_routines_destroy(struct rewrite *rewrite);
void called_routines_start(struct rewrite *rewrite); /* of a round */
/* Emits the copy, if there is one and it is not there yet; before any call of it. */
void routine_place(struct rewrite *rewrite, uint32_t routine);
void routine_emit_call(struct rewrite *rewrite, struct code *code, uint32_t routine);
/* The code of the first copy behind an address; false if there is none. */
bool routine_copy_behind(const struct rewrite *rewrite, uint32_t address, struct copied_routine *copied);
/* What -v says of the routine's copy; NULL: nothing. */
const char *routine_copy_text(const struct rewrite *rewrite, uint32_t routine);
/* The plan's routines in the analysis image, and what a call of each may change. False after an error. */
bool find_routines(struct rewrite *rewrite);
/* What a call of the routine, as sites call it, may change. */
const struct routine_summary *routine_summary_of_call(const struct rewrite *rewrite, uint32_t routine);

#endif
