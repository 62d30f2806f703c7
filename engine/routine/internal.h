/* internal.h: adapted copies of analysis routines. lift.c converts a routine's instructions to a list of ops;
   flow.c finds the values in registers; delayed_saves.c adds saves to calls on rare paths; renaming.c assigns
   other registers; copy.c converts the ops to instructions again.
 */
#ifndef ATOMC_ROUTINE_INTERNAL_H
#define ATOMC_ROUTINE_INTERNAL_H

#include "engine/routine/routine.h"

enum op_kind {
    OP_GONE,    /* nothing */
    OP_PLAIN,   /* .word unchanged */
    OP_ADDRESS, /* puts .value into the register that .word writes */
    OP_BRANCH,  /* .word, with op .target as its target */
    OP_CALL,    /* .word */
    OP_TAIL,    /* .word: a jump or branch: a call followed by a return */
    OP_RETURN,  /* .word */
    OP_MAP,     /* .word with a part of the distance from the routine's addresses to its map */
    OP_JUMP,    /* .word: a jump to several targets in the copy */
};

enum { OPERANDS = 3 }; /* register fields of an instruction */

struct op {
    uint8_t kind;
    bool falls;           /* control may continue with the next op */
    bool delayed;         /* for a call: it has its own saves */
    uint32_t word;        /* set by op_set_word() */
    struct facts facts;   /* of .word */
    uint32_t instruction; /* the instruction of the routine */
    uint32_t target;      /* for a branch: the number of an op */
    /* for a call: the address, and the data base for a callee that uses the caller's; 0: through a register
     */
    uint32_t callee, data_base;
    uint64_t value; /* of OP_ADDRESS */
    int32_t depth;  /* bytes by which the stack pointer is lower than at the entry, before the op */
    uint64_t entry; /* for a call: the procedure that it is known to enter; 0 if unknown */
    struct called_routine *helper;          /* that procedure's copy, which is called instead, or NULL */
    register_set read, written;             /* by convention, in addition to the registers in the word */
    bool uses_thread_pointer, changes_fpcr; /* calls: true for the callee's call closure */
    uint32_t webs[OPERANDS];                /* webs of the register fields; FIXED_WEB for other registers */
};
static inline bool op_calls(const struct op *op) {
    return op->kind == OP_CALL || op->kind == OP_TAIL;
}

/* A value that has to be in one register: definitions that reach a common use. */
#define FIXED_WEB UINT32_MAX /* a value whose register cannot change */

enum copy_reason {
#define COPY_REASON(id, text) COPY_##id,
#include "engine/routine/copy_reasons.def"
#undef COPY_REASON
    COPY_REASON_COUNT
};

extern const char *const copy_reasons[COPY_REASON_COUNT];

/* Limits; routines that many sites call are much smaller. */
enum { MOST_OPS = 1500, MOST_COPIED_BLOCKS = 300 };

struct jump {
    uint32_t from, to; /* ops */
};

struct routine_copy {
    const struct analysis_image *analysis; /* its scratch arena holds temporary data of passes, */
    struct arena *arena;                   /* and this value contains all later definitions */
    const struct machine *machine;
    const struct conventions_of_machine *registers;
    const struct rewrite *rewrite;             /* NULL: its callees have no copies */
    bool helps;                                /* a routine, or a site in place of one, calls it: */
    register_set allowed;                      /* the copy may change only these registers, */
    register_set results;                      /* and its callers use these results */
    uint64_t address_table, address_table_end; /* the analysis image's .got */
    uint64_t data_base;
    uint64_t entry;     /* address of the routine */
    uint32_t arguments; /* the most arguments that any call passes */
    struct op *ops;
    uint32_t count, capacity;
    struct jump *jumps; /* targets of OP_JUMP */
    uint32_t jump_count, jump_capacity;
    bool costly; /* each path has a costly call */
    bool
        uses_scratch; /* uses the spilled register, which is possible as the routine itself does not use it */
    uint32_t lowest, highest;    /* range of the instructions that are targets of jumps */
    uint32_t *next, *next_first; /* flow.c: successors of op i: next[next_first[i]] to next_first[i + 1] */
    uint32_t *before, *before_first; /* predecessors */
    uint32_t web_count;
    register_set arguments_set; /* registers in which some call passes an argument */
    uint8_t reason;             /* enum copy_reason: why there is no copy */
    uint8_t delay_reason; /* the reason why no calls are delayed; COPY_NONE if some are, or if there are none
                             to delay */
    /* the number of delayed calls; of registers that renaming removed from the summary */
    uint32_t delayed, renamed;
    uint32_t frame, room;           /* bytes: the routine's own frame, and the room for saves above it */
    struct routine_summary summary; /* registers for a call of the copy */
};

/* A routine in the form that sites call: itself, or its copy. */
struct called_routine {
    uint64_t entry; /* address of the routine itself */
    const char *name;
    bool made, copied;         /* .copied: an adapted copy exists */
    uint32_t address;          /* address of the copy in this round; 0 if it is not emitted yet */
    uint32_t end;              /* address after it */
    uint32_t map;              /* address of its map; 0 if it needs none */
    struct copy_place *places; /* copies in this round, sorted */
    uint32_t place_count, place_capacity;
    struct routine_copy copy;
    struct routine_summary summary;
};

/* A register field of an instruction. */
struct operand_field {
    uint8_t reg; /* 0-63, or NO_FIELD */
    bool reads, writes;
};

enum { NO_FIELD = 64 };

/* The frame of a wrapper: offsets and size in bytes. */
struct wrapper_frame {
    uint32_t outgoing, link, thread_pointer, argument, float_control, saves, size;
};

struct wrapper {
    uint32_t routine;
    register_set saves;
    uint32_t address;
    uint32_t next; /* next in its hash chain, or NO_INDEX */
};

/* ---- save_area.c ---- */

/* `arguments`: the most that any call passes. */
struct wrapper_frame save_area_lay_out(uint32_t arguments, register_set saves);

/* ---- called_routines.c ---- */

const struct called_routine *routine_called(const struct rewrite *rewrite, uint32_t routine);
void called_routines_create(struct rewrite *rewrite);
/* True if the procedure does much work on each path. Procedures of libraries are assumed to do so. */
bool callee_is_costly(const struct rewrite *rewrite, uint64_t entry);
/* Emits the copy, unless it has been emitted. */
void called_place(struct rewrite *rewrite, struct called_routine *called);
/* The copy of a procedure that a routine calls, if the copy changes clearly fewer registers than the
   procedure; else NULL. */
struct called_routine *helper_called(const struct rewrite *rewrite, uint64_t entry, register_set results);

/* ---- lift.c ---- */

/* Turns the routine at .entry into ops; returns false and sets .reason if that is impossible. */
bool routine_lift(struct routine_copy *copy);

/* ---- flow.c ---- */

void operand_fields(const struct routine_copy *copy, const struct op *op,
                    struct operand_field fields[OPERANDS]);
/* Gives the op another word. */
void op_set_word(const struct routine_copy *copy, struct op *op, uint32_t word);
register_set op_reads(const struct routine_copy *copy, const struct op *op);
register_set op_writes(const struct routine_copy *copy, const struct op *op);
void flow_find(struct routine_copy *copy); /* Sets .next and .before. */
void webs_find(struct routine_copy *copy);
/* Addresses that are only bases of displacements: moves their low halves into the displacements. */
void addresses_fold(struct routine_copy *copy);
/* Drops addresses that no op uses. */
void addresses_drop(struct routine_copy *copy);
/* Registers by convention (outside of webs) that are live after each op; in the scratch arena. */
register_set *fixed_liveness(const struct routine_copy *copy);

/* ---- delayed_saves.c ---- */

/* Marks the calls that may be delayed; other calls may use copies of their callees. */
void delays_find(struct routine_copy *copy);
/* Keeps the marks of calls that have something to save. */
void delays_choose(struct routine_copy *copy);
/* Computes the registers that a call of the copy may change. */
void copy_summarise(struct routine_copy *copy);
/* Reserves room for the saves: the frame becomes larger. */
void delays_lay_out(struct routine_copy *copy);
/* Emits a delayed call with its saves. Control then continues at word index `back`, or returns. */
void delay_emit(struct rewrite *rewrite, const struct routine_copy *copy, const struct op *op, uint32_t back);

/* ---- renaming.c ---- */

/* Reassigns registers so that the routine changes as few as possible. */
void renaming_do(struct routine_copy *copy);

/* ---- copy.c ---- */

void routine_copy_make(struct routine_copy *copy, bool delays, bool renames);
/* Emits into the wrappers. */
void routine_copy_emit(struct rewrite *rewrite, struct called_routine *called);

#endif
