/* routine.h: analysis routines as sites call them: themselves or adapted copies, through wrappers or not.
   Requires the analysis image. */
#ifndef ATOMC_ROUTINE_H
#define ATOMC_ROUTINE_H

#include "engine/code/code.h"
#include "engine/image/image.h"

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

/* The plan's routines, in the analysis image and as sites call them. */
struct routines {
    uint64_t *addresses;                       /* per plan routine */
    struct routine_summary *summaries;         /* of them as they are */
    struct called_routine *called;             /* likewise, as sites call them */
    struct called_helpers *helpers;            /* what they call */
    struct routine_calls *calls;               /* per plan routine, in this round */
    uint32_t *arguments;                       /* the most that any call passes */
    uint64_t address_table, address_table_end; /* the analysis image's .got */
    bool sum_called; /* a routine without its sums (inline/sums.c) has to be called after all */
    struct wrapper *wrapper_list;
    uint32_t wrapper_count, wrapper_capacity;
    uint32_t wrapper_hash[1024];
};

/* ---- save_area.c ---- */

/* The floating-point control register to a place on the stack and back, by a floating-point register. */
void emit_control_saved(struct code *code, unsigned by, uint32_t offset);
void emit_control_restored(struct code *code, unsigned by, uint32_t offset);
/* Puts the private C library's thread pointer in the place of the program's, which is kept at an offset from
   the stack pointer; $16 is kept at another meanwhile. */
void emit_thread_pointer_swap(struct rewrite *rewrite, struct code *code, uint32_t argument,
                              uint32_t thread_pointer);
/* The program's again; $16 is lost. */
void emit_thread_pointer_restored(struct code *code, uint32_t thread_pointer);
/* Calls lock or unlock if the program has threads: a test of a flag that the runtime sets at the first clone.
 */
void emit_lock(struct rewrite *rewrite, struct code *code, const char *symbol);

/* ---- wrappers.c ---- */

/* The wrapper of a routine that saves (at least) these registers; made when first asked for. */
uint32_t wrapper_address(struct rewrite *rewrite, uint32_t routine, alpha_register_set saves);
/* Everything that a call of the routine through its wrapper may change. */
alpha_register_set wrapper_clobbers(const struct rewrite *rewrite, uint32_t routine);

/* ---- called_routines.c ---- */

void routines_start(struct rewrite *rewrite); /* of a round */
/* Emits the copy, if there is one and it is not there yet; before any call of it. */
void routine_place(struct rewrite *rewrite, uint32_t routine);
void routine_emit_call(struct rewrite *rewrite, struct code *code, uint32_t routine);
/* Has a procedure that a routine calls a copy that sites can call directly? What a call of that may change;
   NULL: no. */
const struct routine_summary *routine_helps(const struct rewrite *rewrite, uint64_t entry);
void helper_emit_call(struct rewrite *rewrite, struct code *code, uint64_t entry);
/* The code of the first copy after an address; false if there is none. */
bool routine_copy_behind(const struct rewrite *rewrite, uint32_t address, struct copied_routine *copied);
/* What -v says of the routine's copy; NULL: nothing. */
const char *routine_copy_text(const struct rewrite *rewrite, uint32_t routine);
/* The plan's routines in the analysis image, and what a call of each may change. False after an error. */
bool find_routines(struct rewrite *rewrite);
void routines_print(const struct rewrite *rewrite, FILE *stream); /* --dump=routines */
/* What a call of the routine, as sites call it, may change. */
const struct routine_summary *routine_summary_of_call(const struct rewrite *rewrite, uint32_t routine);

#endif
