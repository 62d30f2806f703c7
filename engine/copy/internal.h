/* internal.h: copying one procedure. */
#ifndef ATOMC_COPY_INTERNAL_H
#define ATOMC_COPY_INTERNAL_H

#include "engine/copy/copy.h"
#include "engine/inline/inline.h"

/* What the copy of an instruction may take, about, in words. */
enum { MOST_WORDS = 16 };

/* A call that waits for the end of a locked sequence. */
struct pending_call {
    const struct site *site;
    uint32_t instruction; /* of its site */
    uint32_t from; /* first instruction executed after its point: registers written from here on are lost */
    int taken;
    /* Its value of register `kept` at `from` is in register `keeps`, as it will be overwritten; 0: in itself.
     */
    uint8_t kept, keeps;
    uint8_t old; /* as in struct call_context */
};

/* Code placed after the procedure: calls, then a branch to where control goes on. */
struct stub {
    uint32_t fixup;  /* of the branch to re-aim at the stub; NO_INDEX: the stub is an entry, for the map */
    uint32_t target; /* instruction at which to go on */
    uint8_t kind;    /* enum fixup_kind of that */
    uint32_t last;   /* instruction executed last before the stub */
    alpha_register_set live;
    uint32_t first_call, call_count; /* in copy.calls */
};

/* Registers saved for the sites from one instruction of a block to another; NO_INDEX: for none. */
struct scavenged {
    uint32_t first, last;
    alpha_register_set registers; /* 0: none after all */
};

struct copy {
    struct rewrite *rewrite;
    uint32_t procedure;
    uint32_t block;             /* at hand */
    uint32_t slot;              /* its instruction before which it is counted, or NO_INDEX */
    uint32_t site;              /* next in rewrite->sites */
    alpha_register_set *before; /* liveness of the block at hand */
    uint32_t before_capacity;
    alpha_register_set *own; /* without what sites observe */
    uint32_t own_capacity;
    struct scavenged scavenged;
    uint32_t locked_end; /* last instruction of the locked sequence that we are in, or NO_INDEX */
    uint32_t left_frame; /* its first instruction, if it is one of a frame that is left, or NO_INDEX */
    struct pending_call *pending;
    uint32_t pending_count, pending_capacity;
    uint32_t waiting_from;      /* address of the first copy in the sequence where some wait, 0: none do */
    alpha_register_set keeping; /* registers that hold values for what waits */
    struct pending_call *calls; /* of stubs */
    uint32_t call_count, call_capacity;
    struct stub *stubs;
    uint32_t stub_count, stub_capacity;
    struct twice *twice; /* those whose copies after the procedure are still to come */
    uint32_t twice_count, twice_capacity;
    uint32_t aside_from; /* word index after which code may wait to be placed between blocks */
    uint32_t landed;     /* blocks before this one have their landings */
    uint32_t behind;     /* the first instruction of the one that is being made, or NO_INDEX */
    uint32_t next;       /* instruction: those before it are in a shortcut */
};

/* Where sites that are asked at once are left, because one would take its slow path. */
struct asked_exit {
    uint32_t branch; /* word index */
    struct frame frame;
};

/* Instructions of a block that are copied twice: shortcuts.c. */
struct twice {
    uint32_t block, first, count;
    uint32_t site; /* in rewrite->sites: the first of its sites */
    uint32_t copy; /* word index of the shortcut */
    struct asked_exit left;
};

/* Sites of one instruction, by point. */
struct point_sites {
    const struct site *first;
    uint32_t count;
};

/* ---- stack_switches.c ---- */

/* May the instruction change to another stack, and do sites spill far below the stack? */
bool stack_is_checked(const struct rewrite *rewrite, uint32_t instruction);
/* Before the instruction's copy, if no registers are free after it, or after it. */
void check_stack_before(struct rewrite *rewrite, uint32_t instruction, alpha_register_set live_after);
void check_stack_after(struct rewrite *rewrite, uint32_t instruction, alpha_register_set live_after);

/* ---- scavenge.c ---- */

/* Chooses the next range of the block from this instruction on. */
void scavenge_plan(struct copy *copy, uint32_t from);
/* Where the block is counted: where it was to be, or, if that takes saving, at the beginning of a range. */
uint32_t scavenge_slot(const struct copy *copy);
/* Saves the registers if the range begins at the instruction; restores them if it ends after it, and
   chooses the next. */
void scavenge_begin(struct copy *copy, uint32_t instruction);
void scavenge_end(struct copy *copy, uint32_t instruction);

/* ---- instruction.c ---- */

/* Copies one instruction, transfers of control translated. `live_after`: live on any way out. Returns the
   word index of a conditional branch, for a stub to re-aim, or NO_INDEX; `has_stub`: there will be one.
   `on_outcomes`: sites that stand on both ways of a conditional branch; then there is no stub. */
uint32_t copy_instruction(struct rewrite *rewrite, uint32_t instruction, uint32_t block,
                          alpha_register_set live_after, bool has_stub,
                          const struct point_sites *on_outcomes);

/* The original return address of a call into `link`, if that is not $31: from a register that holds an
   address nearby, or from the pool. `target`: the instruction whose address is in the register of the jump at
   hand, or NO_INDEX. */
void emit_return_address(struct rewrite *rewrite, uint32_t instruction, unsigned link, uint32_t target);

/* ---- indirect_jumps.c ---- */

/* Copies jmp, jsr or ret. */
void copy_indirect(struct rewrite *rewrite, uint32_t instruction, alpha_register_set live_after);

/* ---- system_calls.c ---- */

/* Must the runtime see the system call that ends the block? */
bool call_is_gated(const struct rewrite *rewrite, const struct basic_block *block);
void copy_system_call(struct rewrite *rewrite, const struct basic_block *block);

/* ---- jumps.c ---- */

/* A branch to the instruction's copy. */
void emit_jump(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* A jump to it, however far. */
void emit_far_jump(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* Where transfers and far branches that have spilled $28 arrive, from outside or inside the procedure. */
void emit_landing(struct rewrite *rewrite, uint32_t instruction, enum fixup_kind kind);

/* ---- islands.c ---- */

/* Will islands be put after the procedure at hand? */
bool islands_due(struct rewrite *rewrite, uint32_t procedure);
void islands_emit(struct rewrite *rewrite, uint32_t procedure);

/* ---- pages.c ---- */

/* Is the procedure's copy to begin on the next page? */
bool page_ends(const struct copy *copy, uint32_t procedure);
/* Up to there. */
void page_fill(struct rewrite *rewrite);

/* ---- procedure.c ---- */

void emit_sites(struct copy *copy, const struct site *sites, uint32_t count,
                const struct call_context *context);

/* ---- waiting.c ---- */

/* As keep_old, in a register that holds nothing until the sequence is over; else it is lost. */
void keep_old_waiting(struct copy *copy, struct point_sites after, alpha_register_set live,
                      struct call_context *context);
/* The sites, before or after the context's instruction, wait for the end of the sequence. Values of theirs
   that would be lost are kept in registers. */
void wait_for_end(struct copy *copy, struct point_sites sites, struct call_context context, bool after);
/* Emits calls that waited until after instruction `last`; one whose values are gone is skipped, and counted.
   Sums of what the block executes whose first instruction is `early` have the rest of it still to come. */
void emit_pending(struct copy *copy, const struct pending_call *calls, uint32_t count, uint32_t last,
                  alpha_register_set live, uint32_t early);
/* What waits is done. Until then a signal had to wait, too: its handler might have left for good. */
void end_waiting(struct copy *copy);
/* Where a frame is left that is still read: may what stands before this instruction stand before the
   sequence? Its values are there already. */
bool is_known_ahead(const struct copy *copy, struct point_sites before, uint32_t instruction);
/* The sequence that begins at copy->left_frame: what is known ahead is done now, and signals wait until what
   it stands for is done, too. `live`: before it. */
void do_ahead(struct copy *copy, uint32_t end, alpha_register_set live);

/* ---- after.c ---- */

/* Does the site want what the register that the instruction overwrites held? */
bool wants_old(const struct site *site, uint32_t word);
/* Keeps what the sites after the instruction need and it overwrites; the context tells where. */
void keep_old(struct copy *copy, struct point_sites after, alpha_register_set live,
              struct call_context *context);
/* The instruction's copy where keep_old has moved the stack pointer. */
void copy_moved(struct rewrite *rewrite, uint32_t instruction);
void emit_after(struct copy *copy, struct point_sites after, const struct call_context *context);
/* A register into SITE_FRAME, by way of one that holds nothing, or one that is spilled. `old` may be $30. */
void store_in_frame(struct rewrite *rewrite, unsigned old, int offset, alpha_register_set live);

/* ---- aside.c ---- */

/* Which registers are set aside, of those that sites observe; none that is in `excluded`. */
alpha_register_set aside_choose(const struct rewrite *rewrite, alpha_register_set excluded);
/* Of those, what sites of the instruction read that is not `live` before it, and from then on is. */
alpha_register_set aside_wanted(const struct program *program, uint32_t instruction, alpha_register_set live);
/* Of those that are `live` where the block begins, what may be only in the frame, since control comes from
   where nothing tells that they are. */
alpha_register_set aside_unsure(const struct program *program, uint32_t block, alpha_register_set live);
void aside_load(struct rewrite *rewrite, alpha_register_set registers);
/* After an instruction that writes some. `live`: what the program or inserted code needs there. */
bool aside_is_written(const struct program *program, uint32_t word);
void aside_store(struct rewrite *rewrite, uint32_t word, alpha_register_set live);

/* ---- outcomes.c ---- */

/* Do the sites before the instruction stand on its ways? */
bool stands_on_outcomes(const struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction);
/* Their code where the branch is taken, a branch to its target to follow; and where it is not. `kind`: of a
   fixup to the target. */
void emit_taken_outcome(struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction,
                        alpha_register_set live_after, enum fixup_kind kind);
void emit_on_outcome(struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction,
                     bool taken, alpha_register_set live_after);

/* ---- promoted_counts.c ---- */

/* Code for that. `live`: what else is live. */
void promoted_pass(struct rewrite *rewrite, uint32_t from, uint32_t to, alpha_register_set live);
/* From here on what follows is the block's; NO_INDEX: of none with counts in registers. */
void promoted_note(struct rewrite *rewrite, uint32_t block);

/* ---- count_code.c ---- */

/* The instruction of the block before which it is counted, NO_INDEX: it is not. `before`: the registers live
   before each of its instructions; `limit`: not after this instruction. */
uint32_t count_slot(const struct rewrite *rewrite, uint32_t block, const alpha_register_set *before,
                    uint32_t limit);
/* Where a block begins: counts of falling in and of coming from outside, as far as they are in line. */
void count_arrivals(struct rewrite *rewrite, uint32_t block, alpha_register_set live);
void count_executed(struct rewrite *rewrite, uint32_t block, alpha_register_set live);
/* True if there is something to count on the taken way of the block's branch, or to be done with counts in
   registers. It is done there, and range_untaken tells where that way is left again. */
bool counts_taken(const struct rewrite *rewrite, uint32_t block);
void count_taken(struct rewrite *rewrite, uint32_t block, uint32_t target);
/* The block ends with a branch there: counts in registers that end with it, or begin there. */
void count_leaving(struct rewrite *rewrite, uint32_t block, uint32_t target);
void range_untaken(struct rewrite *rewrite, uint32_t block);
/* The entries from outside that are not in line, after the procedure. */
bool counts_entries(const struct rewrite *rewrite, uint32_t procedure);
void count_entries(struct rewrite *rewrite, uint32_t procedure);
/* How the transfer at the block's end enters a procedure: past the count of entries if the block's own count
   tells of it. */
enum fixup_kind entry_kind(const struct rewrite *rewrite, uint32_t from_block);
/* Do such transfers reach the block? */
bool is_shared(const struct rewrite *rewrite, uint32_t block);
void range_procedure(struct rewrite *rewrite, uint32_t procedure);
void range_body(struct rewrite *rewrite, uint32_t block, uint32_t slot);
void range_landing(struct rewrite *rewrite, uint32_t block, bool inside);
/* Instructions of the block that stand after the procedure, all counts having been made; NO_INDEX: they end.
 */
void range_behind(struct rewrite *rewrite, uint32_t block);

/* ---- early_sums.c ---- */

/* From here to early_sums_shut() what is inserted belongs before the first instruction of the block at hand.
 */
void early_sums_open(struct rewrite *rewrite, uint32_t block);
void early_sums_shut(struct rewrite *rewrite);
/* The sites' code ends here. */
void early_sums_made(struct rewrite *rewrite, const struct site *const *sites, uint32_t count);
/* The block's copy ends here. */
void early_sums_end(struct rewrite *rewrite, uint32_t block);

/* ---- shortcuts.c ---- */

/* Emits a shortcut for the instructions from this one on, whose sites in rewrite->sites begin with `site`, if
   there can be one; copy->next tells where it ends. `live`: before the instruction. */
bool shortcut_emit(struct copy *copy, uint32_t instruction, uint32_t site, alpha_register_set live);
/* The copies that they are shortcuts of, at the end of the procedure. */
bool shortcuts_wait(const struct copy *copy);
void shortcuts_finish(struct copy *copy);

/* ---- procedure.c ---- */

/* Copies one instruction, with all that stands at it. `live`, `live_after`: before and after it.
   `after_call`: the sites after the call just before; those of this one, if it is a call. */
void copy_one(struct copy *copy, uint32_t instruction, alpha_register_set live, alpha_register_set live_after,
              struct point_sites *after_call);
/* copy->before, of the block at hand. */
void copy_find_live(struct copy *copy);

/* ---- insertion.c ---- */

/* Emits the calls of `count` sites, all at one point; of each group, those given are done under one guard. */
void calls_emit(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                const struct call_context *context);
/* After that, in tests: registers that are dead. */
void point_end(struct rewrite *rewrite, const struct call_context *context);
/* Asks for all these sites at once (inline_ask) in the registers that are free in the context. Where one of
   them would take its slow path, control leaves: asks_leave() is where it then is, everything as before.
   False, and nothing is emitted, if it cannot be done. */
bool asks_emit(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
               const struct call_context *context, struct asked_exit *left);
void asks_leave(struct rewrite *rewrite, const struct asked_exit *left);
/* Emits calls that wait out of line, if any do; at the end of each procedure. */
bool bail_outs_wait(const struct rewrite *rewrite);
void bail_outs_finish(struct rewrite *rewrite);

/* ---- replacements.c ---- */

/* What stands in for the procedure where it is entered at this instruction, or NULL. */
const struct site_replacement *replacement_at(const struct rewrite *rewrite, uint32_t procedure,
                                              uint32_t instruction);
/* Code that analysis routines call to enter the procedure itself, up to the branch there: the word of that,
   which is to be filled in. *address: where it begins. */
uint32_t emit_retained(struct rewrite *rewrite, uint32_t instruction, uint32_t *address);
/* Enters the routine as a call of the procedure would have, and returns from that; `retained`: the address of
   the code above, if there is any. */
void emit_replacement(struct rewrite *rewrite, const struct site_replacement *replacement,
                      uint32_t instruction, uint32_t retained);

/* ---- observations.c ---- */
/* What sites read at the instruction, or after it, is kept everywhere, unless it is needed there (`live`) by
   all who lead there, or observations_find has seen to it. */
void observe_sources(struct rewrite *rewrite, uint32_t instruction, bool is_behind,
                     alpha_register_set sources, alpha_register_set live);

#endif
