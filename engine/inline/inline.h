/* inline.h: analysis routines inlined at their sites: the interface for the files that emit points.
   Requires that routines have been found, and the site's frame. */
#ifndef ATOMC_INLINE_H
#define ATOMC_INLINE_H

#include "engine/site/site.h"

struct inliner;

/* An operand is a register of the program, a literal, or the result of a step. */
enum { OPERAND_LITERAL = 0x100, OPERAND_TEMPORARY = 0x200 };

typedef uint16_t operand;

enum step_kind {
    STEP_OPERATE,      /* a .operation b: enum integer_operator */
    STEP_SELECT,       /* b if the condition .operation holds for a, else c */
    STEP_ADD_CONSTANT, /* a + .displacement: 16 bits, or a multiple of 65536 */
    STEP_CONSTANT,     /* number */
    STEP_LOAD,         /* a, displacement */
    STEP_STORE,        /* b to a, displacement */
    STEP_BAIL_OUT,     /* leave for the call if the condition .operation holds for b */
    STEP_SKIP,         /* go to the end if the condition .operation holds for b */
    STEP_FETCH,        /* the program's register .number, from its current place */
    STEP_VALUE,        /* compute_value of the struct site_argument at .number */
};

struct step {
    uint8_t kind;
    uint16_t operation;
    operand a, b, c;
    operand result; /* a temporary, or 0 */
    int32_t displacement;
    uint64_t number;
    /* of a load or store that may fault: the instruction of the analysis image; NO_INDEX: none */
    uint32_t origin;
};

/* The most pieces at a point that share one frame, and the most sites inlined as one piece. */
enum { MOST_STEPS = 160, MOST_PIECES = 8, MOST_JOINED = 4 };

struct steps {
    struct step list[MOST_STEPS];
    uint32_t count, temporaries;
    /* the step before which the lock is taken, to be released after the last; NO_INDEX: never */
    uint32_t lock;
    bool only_looks; /* all variables that they read may be read without the lock, and they store nothing */
    bool bails_out;
    /* of the step that bails out; the computed value is in the branch's register */
    struct slow_call slow;
    register_set sources; /* the program's registers that the steps read */
    struct needs needs;   /* registers to compute in, and registers that change */
    uint8_t own; /* a register, not of the frame's, that is dead once the steps have read it; 0: none */
};

/* The branch to calls out of line, taken if the lock is not available at once, and the registers used. */
struct refusal {
    uint32_t branch;
    uint8_t base, owner;
};

/* Word indices of branches without a target yet. Branches that leave the line are br, with a conditional
   branch around them: an emulator that translates by pages is slow for a branch if one of its targets is on
   another page. */
struct open_branches {
    uint32_t leaves[MOST_STEPS], leave_count; /* to a call out of line */
    /* if there is only one: the register with the argument of its slow call */
    uint8_t slow_register;
    uint32_t skips[MOST_STEPS], skip_count; /* to the end */
    struct refusal refusal;
    uint32_t locked; /* from here on the lock is held; NO_INDEX: it is not taken */
};

/* ---- site.c ---- */

/* The reason why the routine is called in some places. */
const char *inline_reason(const struct rewrite *rewrite, uint32_t routine);
/* Makes rewrite->inliner, if anything may be inlined. */
void inliner_create(struct rewrite *rewrite);
void inliner_start(struct rewrite *rewrite); /* for a new round */
/* True if sums were hoisted, and had to be undone. Then the rewrite starts again without them. */
bool inline_sums_undone(const struct rewrite *rewrite);
/* Hoisted sums, which other sites make; sums.c. */
uint64_t inline_sums_taken_out(const struct rewrite *rewrite);
/* True if the group's guard is a test that is rarely passed, or guards much code, or if its last routine's
   last condition does. Then it becomes a branch, and the statement is a piece of its own. Then that condition
   becomes a branch, and the statement is the only one of its piece. */
bool inline_skips(const struct rewrite *rewrite, const struct site *const *sites, uint32_t count);
/* True if it can be attempted. */
bool inline_possible(const struct rewrite *rewrite, const struct site *site);
/* True if the site's inlined routine may bail out to a call of itself. */
bool inline_bails_out(const struct rewrite *rewrite, const struct site *site);
/* True if there are cells that only pass values from one site to the next. */
bool inline_passes_values(const struct rewrite *rewrite);
/* Storage for the steps of the point's piece of this number, below MOST_PIECES. */
struct steps *inline_steps(struct rewrite *rewrite, uint32_t piece);
/* Makes the steps of consecutive sites at one point; registers in `fetched` cannot be read in place.
   Returns false if that is impossible. */
bool inline_sites(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                  const struct call_context *context, register_set fetched, struct steps *steps);

/* ---- asks.c ---- */

/* The guard of a site that only reads: it loads and compares, and takes its slow path or has no effect. */
struct question {
    uint32_t routine;
    unsigned ignored;   /* the guard ignores this many low bits of the address */
    uint64_t constants; /* a bit for each of the other arguments, which are constants */
};
enum { MOST_ASKED = 16 };

/* Returns false if the site does more, or its guard depends on more than the instruction's address. */
bool inline_find_question(const struct rewrite *rewrite, const struct site *site, struct question *question);
/* True if the address is on the stack, or known. Then the guard probably has the same result as the last
   time. */
bool inline_asks_nearby(const struct rewrite *rewrite, const struct site *site);
/* Chooses sites whose guards decide for all `count`, at most MOST_ASKED; returns their number. */
uint32_t inline_choose_questions(const struct rewrite *rewrite, const struct site *const *sites,
                                 const struct question *questions, uint32_t count,
                                 const struct site **chosen);
/* Makes the steps that evaluate the guards of these sites at once, and bail out if one of them would;
   registers in `fetched` cannot be read in place. Returns false if that is impossible. */
bool inline_ask(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                register_set fetched, struct steps *steps);

/* ---- emit.c ---- */

/* Assigns the register to the steps, if no other code at the site reads it. */
void steps_own(struct steps *steps, unsigned reg);
/* The number of registers that the steps need at once. */
unsigned steps_pressure(const struct steps *steps);
/* The number of registers needed before the first branch to the end; NO_INDEX if there is no such branch,
   or if the steps before it need the site's frame. */
unsigned steps_pressure_before_skip(const struct steps *steps);
/* Sets the target of the branches to the current end of the code. */
void branches_to_here(struct code *code, const uint32_t *branches, uint32_t count);
/* Emits the steps, using the frame's temporaries. */
void steps_emit(const struct steps *steps, struct frame *frame, struct open_branches *branches);

/* ---- rematerialise.c ---- */

/* Makes equivalent steps that need fewer registers at once, with perhaps a few more instructions. Returns
   false if there are none. */
bool steps_spare(const struct steps *from, struct steps *to);

/* ---- lock.c ---- */

/* Out of line, at the target of branches that find the lock held: tries again if it is released soon. */
void lock_wait(struct rewrite *rewrite, const struct refusal *refusal);
/* Uses one register. */
void lock_release(struct rewrite *rewrite, unsigned base);

/* ---- sums.c ---- */

enum { MOST_SUMS = 16 }; /* in one routine, and in all together */

/* Finds sums in routines, and adds sites that make them. */
void sums_find(struct rewrite *rewrite);
/* The sums are final: frees the data for undoing them. NULL: no call is inlined. */
void sums_settle(struct inliner *inliner);
/* Restores the sites if one of the routines had to be called after all. */
bool sums_undo(struct rewrite *rewrite);
/* Restores the sites if sums were hoisted from any, for a rewrite that starts again without. Returns false
   if there were none. */
bool sums_restore(struct rewrite *rewrite);
/* Updates that undo the site's sums, for when its routine is called: up to MOST_SUMS. */
uint32_t sums_taken_back(struct rewrite *rewrite, const struct site *site, struct site *updates);
void sums_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- print.c ---- */

void templates_print(const struct rewrite *rewrite, FILE *stream); /* --dump=templates */
/* Checks that operands precede their users. Returns a description of the error, or NULL. */
const char *templates_verify(const struct rewrite *rewrite);

#endif
