/* internal.h: shared by the sources that copy one procedure. */
#ifndef ATOMC_COPY_INTERNAL_H
#define ATOMC_COPY_INTERNAL_H

#include "engine/copy/copy.h"
#include "engine/inline/inline.h"

/* An estimate of the most words that the copy of one instruction takes. */
enum { MOST_WORDS = 16 };

/* A call that is deferred to the end of a locked sequence. */
struct pending_call {
    const struct site *site;
    uint32_t instruction; /* the instruction of its site */
    /* first instruction executed after its point: registers written from here on are lost to it */
    uint32_t from;
    int taken;
    /* register `kept` will be overwritten: its value at `from` is in register `keeps`; 0: the value stays in
       its register
 */
    uint8_t kept, keeps;
    uint8_t old; /* same meaning as in struct call_context */
};

/* Code placed after the procedure: calls, then a branch to where execution continues. */
struct stub {
    /* number of the branch that is redirected to the stub; NO_INDEX: the stub is an entry, for the map */
    uint32_t fixup;
    uint32_t target; /* instruction at which execution continues */
    uint8_t kind;    /* its enum fixup_kind */
    uint32_t last;   /* the last instruction executed before the stub */
    register_set live;
    uint32_t first_call, call_count; /* in copy.calls */
};

/* Registers saved for the sites from one instruction of a block to another; NO_INDEX: there is no range. */
struct scavenged {
    uint32_t first, last;
    register_set registers; /* 0: none have to be saved */
};

struct copy {
    struct rewrite *rewrite;
    uint32_t procedure;
    uint32_t block;       /* the current block */
    uint32_t slot;        /* the instruction of the block before which it is counted, or NO_INDEX */
    uint32_t site;        /* next in rewrite->sites */
    register_set *before; /* liveness within the current block */
    uint32_t before_capacity;
    register_set *own; /* the same without registers that sites observe */
    uint32_t own_capacity;
    struct scavenged scavenged;
    uint32_t locked_end; /* last instruction of the current locked sequence, or NO_INDEX */
    /* first instruction of the sequence that frees a frame which is still read, or NO_INDEX */
    uint32_t left_frame;
    struct pending_call *pending;
    uint32_t pending_count, pending_capacity;
    /* address of the first copy in the sequence during which signals are deferred; 0: no signal is
       deferred */
    uint32_t waiting_from;
    register_set keeping;       /* registers that hold values for deferred calls */
    struct pending_call *calls; /* calls of stubs */
    uint32_t call_count, call_capacity;
    struct stub *stubs;
    uint32_t stub_count, stub_capacity;
    struct twice *twice; /* calls whose copies after the procedure are still to be emitted */
    uint32_t twice_count, twice_capacity;
    uint32_t aside_from;  /* word index after which deferred code may be placed between blocks */
    uint32_t landed;      /* blocks before this one have their landings */
    uint32_t out_of_line; /* first instruction of the out-of-line copy that is being emitted, or NO_INDEX */
    uint32_t next;        /* an instruction: the instructions before it are in a shortcut */
};

/* The exit of a combined guard, taken if one of its sites would take its slow path. */
struct asked_exit {
    uint32_t branch; /* word index of the branch */
    struct frame frame;
};

/* Instructions of a block that are copied twice: shortcuts.c. */
struct twice {
    uint32_t block, first, count;
    uint32_t site; /* in rewrite->sites: the first site of these instructions */
    uint32_t copy; /* word index of the shortcut */
    struct asked_exit left;
};

/* Sites of one instruction, by point. */
struct point_sites {
    const struct site *first;
    uint32_t count;
};

/* ---- stack_switches.c ---- */

/* True if the instruction may switch to another stack, and sites spill far below the stack. */
bool stack_is_checked(const struct rewrite *rewrite, uint32_t instruction);
/* Emit the check before the instruction's copy if no registers are free after it; else after it. */
void check_stack_before(struct rewrite *rewrite, uint32_t instruction, register_set live_after);
void check_stack_after(struct rewrite *rewrite, uint32_t instruction, register_set live_after);

/* ---- scavenge.c ---- */

/* Chooses the next range of the block from this instruction on. */
void scavenge_plan(struct copy *copy, uint32_t from);
/* The point where the block is counted: count_slot, or, if registers would have to be saved there, the
   beginning of a range. */
uint32_t scavenge_slot(const struct copy *copy);
/* Saves the registers if the range begins at the instruction; restores them if it ends after it, and
   chooses the next. */
void scavenge_begin(struct copy *copy, uint32_t instruction);
void scavenge_end(struct copy *copy, uint32_t instruction);

/* ---- instruction.c ---- */

/* Copies one instruction, and translates transfers of control. `live_after`: registers live on any outgoing
   path. Returns the word index of a conditional branch, so that a stub can redirect it, or NO_INDEX;
   `has_stub`: there will be a stub. `on_outcomes`: sites are emitted on both outcomes of a conditional
   branch; then there is no stub. */
uint32_t copy_instruction(struct rewrite *rewrite, uint32_t instruction, uint32_t block,
                          register_set live_after, bool has_stub, const struct point_sites *on_outcomes);

/* Emits the original return address of a call into `link`, unless it is REGISTER_NONE. The address is
   computed from a register that holds a nearby address, or loaded from the pool. `target`: the instruction
   whose address is in the register of the current jump, or NO_INDEX. */
void emit_return_address(struct rewrite *rewrite, uint32_t instruction, unsigned link, uint32_t target);

/* ---- indirect_jumps.c ---- */

/* Copies jmp, jsr or ret. */
void copy_indirect(struct rewrite *rewrite, uint32_t instruction, register_set live_after);

/* ---- system_calls.c ---- */

/* True if the runtime must intercept the system call that ends the block. */
bool call_is_gated(const struct rewrite *rewrite, const struct basic_block *block);
void copy_system_call(struct rewrite *rewrite, const struct basic_block *block);

/* ---- jumps.c ---- */

/* A branch to the instruction's copy. */
void emit_jump(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* A jump to the copy at any distance. */
void emit_far_jump(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* The code at which transfers and far branches arrive that have spilled the register for spills, from outside
   or inside the procedure. */
void emit_landing(struct rewrite *rewrite, uint32_t instruction, enum fixup_kind kind);

/* ---- islands.c ---- */

/* True if islands have to be placed after the current procedure. */
bool islands_due(struct rewrite *rewrite, uint32_t procedure);
void islands_emit(struct rewrite *rewrite, uint32_t procedure);

/* ---- pages.c ---- */

/* True if the procedure's copy is to begin on the next page. */
bool page_ends(const struct copy *copy, uint32_t procedure);
/* Fills the rest of the page. */
void page_fill(struct rewrite *rewrite);

/* ---- procedure.c ---- */

void emit_sites(struct copy *copy, const struct site *sites, uint32_t count,
                const struct call_context *context);

/* ---- waiting.c ---- */

/* Like keep_old, but the value stays in a register that is dead until the sequence ends. If there is no such
   register, the value is lost. */
void keep_old_waiting(struct copy *copy, struct point_sites after, register_set live,
                      struct call_context *context);
/* Defers the sites, before or after the context's instruction, to the end of the sequence. Values that they
   would lose are saved in registers. */
void wait_for_end(struct copy *copy, struct point_sites sites, struct call_context context, bool after);
/* Emits calls that were deferred until after instruction `last`; one whose values are lost is skipped, and
   counted. `early`: the first instruction of the block whose sums include instructions that are yet to
   execute. */
void emit_pending(struct copy *copy, const struct pending_call *calls, uint32_t count, uint32_t last,
                  register_set live, uint32_t early);
/* All deferred calls are emitted. Up to here signals were deferred, too, because a handler might not have
   returned. */
void end_waiting(struct copy *copy);
/* For a point where a frame is freed that is still read: true if sites before this instruction can run before
   the sequence. Then the values that they read are available there. */
bool is_known_ahead(const struct copy *copy, struct point_sites before, uint32_t instruction);
/* For the sequence that begins at copy->left_frame: runs the sites that can run before the sequence, and
   defers signals until the instructions of these sites have executed. `live`: the registers live before
   it. */
void do_ahead(struct copy *copy, uint32_t end, register_set live);

/* ---- after.c ---- */

/* True if the site reads the old value of the register that the instruction overwrites. */
bool wants_old(const struct site *site, const struct facts *facts);
/* Saves the values that the sites after the instruction need and it overwrites; the context records
   where. */
void keep_old(struct copy *copy, struct point_sites after, register_set live, struct call_context *context);
/* The instruction's copy where keep_old has moved the stack pointer. */
void copy_moved(struct rewrite *rewrite, uint32_t instruction);
void emit_after(struct copy *copy, struct point_sites after, const struct call_context *context);
/* Stores a register in SITE_FRAME, with a dead register or a spilled one as the base. `old` may be the stack
 * pointer. */
void store_in_frame(struct rewrite *rewrite, unsigned old, int offset, register_set live);

/* ---- aside.c ---- */

/* Chooses shadow registers among those that sites observe, except for those in `excluded`. */
register_set aside_choose(const struct rewrite *rewrite, register_set excluded);
/* The shadow registers that sites of the instruction read, and that are not `live` before it; they are live
   afterwards. */
register_set aside_wanted(const struct program *program, uint32_t instruction, register_set live);
/* The shadow registers that are `live` at the beginning of the block, but whose values may be only in the
   frame, because control arrives from code that does not maintain them. */
register_set aside_unsure(const struct program *program, uint32_t block, register_set live);
void aside_load(struct rewrite *rewrite, register_set registers);
/* For an instruction that writes shadow registers. `live`: registers that the program or inserted code needs
   there. */
bool aside_is_written(const struct program *program, uint32_t instruction);
void aside_store(struct rewrite *rewrite, uint32_t instruction, register_set live);

/* ---- outcomes.c ---- */

/* True if the sites before the instruction are emitted on both outcomes of its branch. */
bool stands_on_outcomes(const struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction);
/* Emit their code for the taken outcome, before a branch to the target; and for the other outcome. `kind`:
   kind of the fixup to the target. */
void emit_taken_outcome(struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction,
                        register_set live_after, enum fixup_kind kind);
void emit_on_outcome(struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction,
                     bool taken, register_set live_after);

/* ---- promoted_counts.c ---- */

/* Emits code for the edge between two blocks: flushes and clears counts in registers. `live`: other
   registers that are live. */
void promoted_pass(struct rewrite *rewrite, uint32_t from, uint32_t to, register_set live);
/* The following code belongs to the block. NO_INDEX: it belongs to no block with counts in registers. */
void promoted_note(struct rewrite *rewrite, uint32_t block);

/* ---- count_code.c ---- */

/* The instruction of the block before which the block is counted, or NO_INDEX if the block is not counted.
   `before`: the registers live before each of its instructions; `limit`: the last instruction that may be
   chosen. */
uint32_t count_slot(const struct rewrite *rewrite, uint32_t block, const register_set *before,
                    uint32_t limit);
/* At the beginning of a block: counts control that falls in or arrives from outside, where that code is in
   line. */
void count_arrivals(struct rewrite *rewrite, uint32_t block, register_set live);
void count_executed(struct rewrite *rewrite, uint32_t block, register_set live);
/* True if the taken path of the block's branch has a count, or counts in registers to update. count_taken()
   emits this code, and range_untaken() records its end. */
bool counts_taken(const struct rewrite *rewrite, uint32_t block);
void count_taken(struct rewrite *rewrite, uint32_t block, uint32_t target);
/* The block ends with a branch: counts in registers end or begin there. */
void count_leaving(struct rewrite *rewrite, uint32_t block, uint32_t target);
void range_untaken(struct rewrite *rewrite, uint32_t block);
/* The counts of entries from outside that are not in line are emitted after the procedure. */
bool counts_entries(const struct rewrite *rewrite, uint32_t procedure);
void count_entries(struct rewrite *rewrite, uint32_t procedure);
/* How the transfer at the block's end enters a procedure: the transfer skips the count of entries if the
   block's own count includes it. */
enum fixup_kind entry_kind(const struct rewrite *rewrite, uint32_t from_block);
/* True if such transfers reach the block. */
bool is_shared(const struct rewrite *rewrite, uint32_t block);
void range_procedure(struct rewrite *rewrite, uint32_t procedure);
void range_body(struct rewrite *rewrite, uint32_t block, uint32_t slot);
void range_landing(struct rewrite *rewrite, uint32_t block, bool inside);
/* The following code is out of line: instructions of the block after all counts of the block. NO_INDEX: this
   code ends.
 */
void range_behind(struct rewrite *rewrite, uint32_t block);

/* ---- early_sums.c ---- */

/* Code emitted between these two calls belongs before the first instruction of the current block.
 */
void early_sums_open(struct rewrite *rewrite, uint32_t block);
void early_sums_shut(struct rewrite *rewrite);
/* Marks the end of the sites' code. */
void early_sums_made(struct rewrite *rewrite, const struct site *const *sites, uint32_t count);
/* Marks the end of the block's copy. */
void early_sums_end(struct rewrite *rewrite, uint32_t block);

/* ---- shortcuts.c ---- */

/* Emits a shortcut for the instructions from this one on, whose sites in rewrite->sites begin with `site`,
   if one is possible; copy->next is its end. `live`: the registers live before the instruction. */
bool shortcut_emit(struct copy *copy, uint32_t instruction, uint32_t site, register_set live);
/* Emits the original versions of shortcuts at the end of the procedure. */
bool shortcuts_wait(const struct copy *copy);
void shortcuts_finish(struct copy *copy);

/* ---- procedure.c ---- */

/* Copies one instruction and emits its sites. `live`, `live_after`: the registers live before and after the
   instruction. `after_call`: on entry, the sites after the preceding call. On return, the sites after this
   instruction, if it is a call. */
void copy_one(struct copy *copy, uint32_t instruction, register_set live, register_set live_after,
              struct point_sites *after_call);
/* Fills in copy->before for the current block. */
void copy_find_live(struct copy *copy);

/* ---- insertion.c ---- */

/* Emits the calls of `count` sites, all at one point. The sites of a group share one guard. */
void calls_emit(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                const struct call_context *context);
/* For tests, after the calls: overwrites dead registers. */
void point_end(struct rewrite *rewrite, const struct call_context *context);
/* Emits one guard for all these sites (inline_ask) in the registers that are free in the context. If a site
   would take its slow path, control leaves to asks_leave(), with all registers unchanged. Returns false and
   emits no code if that is impossible. */
bool asks_emit(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
               const struct call_context *context, struct asked_exit *left);
void asks_leave(struct rewrite *rewrite, const struct asked_exit *left);
/* Emit deferred out-of-line calls, if there are any. Called at the end of each procedure. */
bool bail_outs_wait(const struct rewrite *rewrite);
void bail_outs_finish(struct rewrite *rewrite);

/* ---- replacements.c ---- */

/* The replacement of the procedure that is entered at this instruction, or NULL. */
const struct site_replacement *replacement_at(const struct rewrite *rewrite, uint32_t procedure,
                                              uint32_t instruction);
/* Emits code by which analysis routines call the replaced procedure itself, up to the branch to it. Returns
   the position of that branch; the caller fills the branch in. *address: the beginning of the code. */
uint32_t emit_retained(struct rewrite *rewrite, uint32_t instruction, uint32_t *address);
/* Enters the routine in place of the procedure, and returns to the caller. `retained`: the address of the
   code by which routines call the procedure, if there is any. */
void emit_replacement(struct rewrite *rewrite, const struct site_replacement *replacement,
                      uint32_t instruction, uint32_t retained);

/* ---- observations.c ---- */
/* Registers that sites read at the instruction, or after it, are preserved everywhere, unless they are live
   there (`live`) on all paths, or observations_find has handled them. */
void observe_sources(struct rewrite *rewrite, uint32_t instruction, bool is_behind, register_set sources,
                     register_set live);

#endif
