/* routine.h: analysis routines in the form that sites call: the routines themselves or adapted copies, with
   or without a wrapper. Requires the analysis image. */
#ifndef ATOMC_ROUTINE_H
#define ATOMC_ROUTINE_H

#include "engine/code/code.h"
#include "engine/image/image.h"

/* The address in a copy of the code made from an instruction of the routine. */
struct copy_place {
    uint32_t address, instruction;
};

/* The copy of a routine in this round. */
struct copied_routine {
    uint32_t address, end;
    const struct copy_place *places; /* sorted */
    uint32_t place_count;
};

/* The plan's routines: in the analysis image, and in the form that sites call. */
struct routines {
    uint64_t *addresses;                       /* per plan routine */
    struct routine_summary *summaries;         /* registers changed by the routines themselves */
    struct called_routine *called;             /* per plan routine: the form that sites call */
    struct called_helpers *helpers;            /* copies of their callees */
    struct routine_calls *calls;               /* per plan routine, in this round */
    uint32_t *arguments;                       /* the most arguments that any call passes */
    uint64_t address_table, address_table_end; /* the analysis image's .got */
    bool sum_called; /* a routine whose sums were hoisted (inline/sums.c) has to be called instead of
                        inlined */
    struct wrapper *wrapper_list;
    uint32_t wrapper_count, wrapper_capacity;
    uint32_t wrapper_hash[1024];
};

/* ---- save_area.c ---- */

/* Save the floating-point control register on the stack and restore it, through a floating-point
   register. */
void emit_control_saved(struct code *code, unsigned by, uint32_t offset);
void emit_control_restored(struct code *code, unsigned by, uint32_t offset);
/* Replaces the program's thread pointer, which is saved at an offset from the stack pointer, by the private
   C library's; saves the first argument at another offset meanwhile. */
void emit_thread_pointer_swap(struct rewrite *rewrite, struct code *code, uint32_t argument,
                              uint32_t thread_pointer);
/* Restores the program's thread pointer; the first argument is lost. */
void emit_thread_pointer_restored(struct code *code, uint32_t thread_pointer);
/* Calls lock or unlock if the program has threads: a test of a flag that the runtime sets at the first clone.
 */
void emit_lock(struct rewrite *rewrite, struct code *code, const char *symbol);

/* ---- wrappers.c ---- */

/* The wrapper of a routine that saves (at least) these registers; made on first use. */
uint32_t wrapper_address(struct rewrite *rewrite, uint32_t routine, register_set saves);
/* All registers that a call of the routine through its wrapper may change. */
register_set wrapper_clobbers(const struct rewrite *rewrite, uint32_t routine);

/* ---- called_routines.c ---- */

void routines_start(struct rewrite *rewrite); /* initializes for a new round */
/* Emits the copy, if there is one and it is not emitted yet; called before any call of it. */
void routine_place(struct rewrite *rewrite, uint32_t routine);
void routine_emit_call(struct rewrite *rewrite, struct code *code, uint32_t routine);
/* If a procedure that a routine calls has a copy that sites can call directly: the registers that a call of
   the copy may change. NULL if the routine has no copy. */
const struct routine_summary *routine_helps(const struct rewrite *rewrite, uint64_t entry);
void helper_emit_call(struct rewrite *rewrite, struct code *code, uint64_t entry);
/* The first copy after an address; false if there is none. */
bool routine_copy_behind(const struct rewrite *rewrite, uint32_t address, struct copied_routine *copied);
/* The remark of -v on the routine's copy; NULL if there is none. */
const char *routine_copy_text(const struct rewrite *rewrite, uint32_t routine);
/* Finds the plan's routines in the analysis image, and the registers that a call of each may change. Returns
   false after an error. */
bool find_routines(struct rewrite *rewrite);
void routines_print(const struct rewrite *rewrite, FILE *stream); /* --dump=routines */
/* The registers that a call of the routine, in the form that sites call, may change. */
const struct routine_summary *routine_summary_of_call(const struct rewrite *rewrite, uint32_t routine);

#endif
