/* inline.h: analysis routines inlined at their sites: what is asked and done by the files that emit points.
   Requires routines found, and the site's frame. */
#ifndef ATOMC_INLINE_H
#define ATOMC_INLINE_H

#include "engine/site/site.h"

struct inliner;

/* A register of the program as it is, a literal, or what a step has computed. */
enum { OPERAND_LITERAL = 0x100, OPERAND_TEMPORARY = 0x200 };

typedef uint16_t operand;

enum step_kind {
    STEP_OPERATE,  /* .opcode, register form: a, b */
    STEP_SELECT,   /* .opcode is the conditional move that takes b; a is tested; else c */
    STEP_ADDRESS,  /* lda or ldah: a, displacement */
    STEP_CONSTANT, /* number */
    STEP_LOAD,     /* a, displacement */
    STEP_STORE,    /* b to a, displacement */
    STEP_BAIL_OUT, /* go to the call by the branch .opcode of b */
    STEP_SKIP,     /* go to the end by the branch .opcode of b */
    STEP_FETCH,    /* the program's register .number, from where it is now */
    STEP_VALUE,    /* compute_value of the struct site_argument at .number */
};

struct step {
    uint8_t kind;
    uint16_t opcode;
    operand a, b, c;
    operand result; /* a temporary, or 0 */
    int32_t displacement;
    uint64_t number;
    uint32_t origin; /* of a load or store that may fault: the analysis image's instruction; NO_INDEX: none */
};

/* Pieces at a point that are emitted with one frame, and sites inlined as one piece. */
enum { MOST_STEPS = 160, MOST_PIECES = 8, MOST_JOINED = 4 };

struct steps {
    struct step list[MOST_STEPS];
    uint32_t count, temporaries;
    uint32_t lock;   /* before this step the lock is taken, to be released after the last; NO_INDEX: never */
    bool only_looks; /* all that they read may be read without the lock, and they store nothing */
    bool bails_out;
    struct slow_call slow;      /* of the one that bails out; what is computed is in the branch's registers */
    alpha_register_set sources; /* the program's registers that they read */
    struct needs needs;         /* registers to compute in, and what is changed */
    uint8_t own; /* a register besides the frame's that is dead once the steps have read it; 0: none */
};

/* To calls out of line, where the lock cannot be had at once: the branch, and registers of the attempt. */
struct refusal {
    uint32_t branch;
    uint8_t base, owner;
};

/* Branches that are still to be aimed: word indices. Those that lead out of line are br, with a conditional
   one around: an emulator that translates by pages follows both ways of a branch slowly if one leaves the
   page. */
struct open_branches {
    uint32_t leaves[MOST_STEPS], leave_count; /* to a call out of line */
    uint8_t slow_register;                    /* where the only one of them has what a slow call is given */
    uint32_t skips[MOST_STEPS], skip_count;   /* to the end */
    struct refusal refusal;
    uint32_t locked; /* after this the lock is held; NO_INDEX: it is not taken */
};

/* ---- site.c ---- */

/* Why the routine is called where it is. */
const char *inline_reason(const struct rewrite *rewrite, uint32_t routine);
/* Makes rewrite->inliner, if anything may be inlined. */
void inliner_create(struct rewrite *rewrite);
void inliner_start(struct rewrite *rewrite); /* of a round */
/* True if there were sums taken out, and had to be given back. Then the rewrite begins anew, without. */
bool inline_sums_undone(const struct rewrite *rewrite);
/* Sums that other sites make; sums.c. */
uint64_t inline_sums_taken_out(const struct rewrite *rewrite);
/* Is the guard of the group a test that is rarely passed, or much to be done if it is? Or does its last
   routine's last condition decide about much? Then that becomes a branch, and the statement stands alone. */
bool inline_skips(const struct rewrite *rewrite, const struct site *const *sites, uint32_t count);
/* True if it can be tried. */
bool inline_possible(const struct rewrite *rewrite, const struct site *site);
/* May the site's inlined routine bail out to a call of itself? */
bool inline_bails_out(const struct rewrite *rewrite, const struct site *site);
/* True if there are cells that only pass values from one site to the next. */
bool inline_passes_values(const struct rewrite *rewrite);
/* Where the steps of the point's piece of this number, less than MOST_PIECES, are to be made. */
struct steps *inline_steps(struct rewrite *rewrite, uint32_t piece);
/* The steps of a run of sites at one point, in order; `fetched` are registers that cannot be read where they
   are. False if it cannot be done. */
bool inline_sites(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                  const struct call_context *context, alpha_register_set fetched, struct steps *steps);

/* ---- asks.c ---- */

/* What a site asks that only asks: it loads and compares, and takes its slow path or does nothing. */
struct question {
    uint32_t routine;
    unsigned ignored; /* the answer is the same for addresses that differ in so many of their low bits only */
    uint64_t constants; /* a bit for each of its other arguments, which are constants */
};
enum { MOST_ASKED = 16 };

/* False if the site does more, or asks what depends on more than the instruction's address. */
bool inline_find_question(const struct rewrite *rewrite, const struct site *site, struct question *question);
/* Is the address on the stack, or known? Then it is likely to be answered as the last time. */
bool inline_asks_nearby(const struct rewrite *rewrite, const struct site *site);
/* The sites whose answers tell those of all `count`, at most MOST_ASKED: so many. */
uint32_t inline_choose_questions(const struct rewrite *rewrite, const struct site *const *sites,
                                 const struct question *questions, uint32_t count,
                                 const struct site **chosen);
/* The steps that ask for these sites at once, and bail out if one of them would; registers in `fetched`
   cannot be read where they are. False if it cannot be done. */
bool inline_ask(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                alpha_register_set fetched, struct steps *steps);

/* ---- emit.c ---- */

/* The register is the steps' own, if nothing else at the site reads it. */
void steps_own(struct steps *steps, unsigned reg);
/* How many registers the steps need at once. */
unsigned steps_pressure(const struct steps *steps);
/* How many of them before the first branch to the end; NO_INDEX: there is none, or what is done up to there
   needs the site's frame. */
unsigned steps_pressure_before_skip(const struct steps *steps);
/* Aims them at where the code ends now. */
void branches_to_here(struct code *code, const uint32_t *branches, uint32_t count);
/* Emits them, in the frame's temporaries. */
void steps_emit(const struct steps *steps, struct frame *frame, struct open_branches *branches);

/* ---- rematerialise.c ---- */

/* The same steps, which need fewer registers at once, and perhaps a few instructions more. False: there are
   no such ones. */
bool steps_spare(const struct steps *from, struct steps *to);

/* ---- lock.c ---- */

/* Out of line, where the branches lead that find it held: another attempt if it is released soon. */
void lock_wait(struct rewrite *rewrite, const struct refusal *refusal);
/* In one. */
void lock_release(struct rewrite *rewrite, unsigned base);

/* ---- sums.c ---- */

enum { MOST_SUMS = 16 }; /* of a routine, and in all */

/* Finds sums in routines, and adds sites that make them. */
void sums_find(struct rewrite *rewrite);
/* They stay as they are: what undoes them is forgotten. NULL: nothing is inlined. */
void sums_settle(struct inliner *inliner);
/* If one of the routines had to be called after all: the sites as they were. */
bool sums_undo(struct rewrite *rewrite);
/* The sites as they were, if sums were taken out of any, for a rewrite that begins anew without. False: they
   are as they were. */
bool sums_restore(struct rewrite *rewrite);
/* Updates that take the site's sums back, for when its routine is called: up to MOST_SUMS. */
uint32_t sums_taken_back(struct rewrite *rewrite, const struct site *site, struct site *updates);
void sums_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- print.c ---- */

void templates_print(const struct rewrite *rewrite, FILE *stream); /* --dump=templates */
/* Do operands come before what they are of? What is wrong, or NULL. */
const char *templates_verify(const struct rewrite *rewrite);

#endif
