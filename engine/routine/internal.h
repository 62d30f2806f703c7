/* internal.h: adapted copies of the analysis routines that are called. A routine's instructions become a
   list of ops (lift.c); which value is in which register is found (flow.c); calls on rare ways get their
   saves (delayed_saves.c), and values other registers (renaming.c); then it is instructions again (copy.c).
 */
#ifndef ATOMC_ROUTINE_INTERNAL_H
#define ATOMC_ROUTINE_INTERNAL_H

#include "engine/routine/routine.h"

enum op_kind {
    OP_GONE,     /* nothing */
    OP_PLAIN,    /* .word as it is */
    OP_ADDRESS,  /* .value into the register that .word writes */
    OP_BRANCH,   /* .word, to the op .target */
    OP_CALL,     /* .word: jsr, or bsr */
    OP_TAIL,     /* .word: jmp, or br: a call, and a return */
    OP_RETURN,   /* .word */
    OP_MAP_HIGH, /* .word with the high and low part of where the routine's map is, less the routine's address
                  */
    OP_MAP_LOW,
    OP_JUMP, /* .word: jmp, to some of the copy's targets */
};

enum { OPERANDS = 3 }; /* register fields of an instruction */

struct op {
    uint8_t kind;
    bool falls;   /* control may go on to the next one */
    bool delayed; /* of a call: it has its own saves */
    uint32_t word;
    uint32_t instruction; /* that it is made of */
    uint32_t target;      /* of a branch: an op */
    uint32_t callee, gp;  /* of a call: address, $gp for one that takes the caller's; 0: through a register */
    uint64_t value;       /* of OP_ADDRESS */
    int32_t depth;        /* so many bytes is the stack pointer lower than at the entry, before the op */
    uint64_t entry;       /* of a call: the procedure that it is known to enter, 0: it is not known */
    struct called_routine *helper;          /* that one's copy, which is called instead, or NULL */
    alpha_register_set read, written;       /* by convention, besides those that the word names */
    bool uses_thread_pointer, changes_fpcr; /* calls: the callee's closure */
    uint32_t webs[OPERANDS];                /* of the fields that are registers; FIXED_WEB */
};
static inline bool op_calls(const struct op *op) {
    return op->kind == OP_CALL || op->kind == OP_TAIL;
}

/* A value that has to be in one register: definitions that meet at a use. */
#define FIXED_WEB UINT32_MAX /* one that stays where it is */

enum copy_reason {
#define COPY_REASON(id, text) COPY_##id,
#include "engine/routine/copy_reasons.def"
#undef COPY_REASON
    COPY_REASON_COUNT
};

extern const char *const copy_reasons[COPY_REASON_COUNT];

/* Most: what a routine that many sites call has at most, by far. */
enum { MOST_OPS = 1500, MOST_COPIED_BLOCKS = 300 };

struct jump {
    uint32_t from, to; /* ops */
};

struct routine_copy {
    const struct analysis_image *analysis;     /* its scratch arena has what passes need, */
    struct arena *arena;                       /* and this one what is below */
    const struct rewrite *rewrite;             /* NULL: what it calls has no copies */
    bool helps;                                /* it is called by a routine, or by sites instead of one: */
    alpha_register_set allowed;                /* it may change no others, */
    alpha_register_set results;                /* and these results are used */
    uint64_t address_table, address_table_end; /* the analysis image's .got */
    uint64_t gp;
    uint64_t entry;     /* address of the routine */
    uint32_t arguments; /* the most that any call passes */
    struct op *ops;
    uint32_t count, capacity;
    struct jump *jumps; /* by OP_JUMP */
    uint32_t jump_count, jump_capacity;
    bool costly;                 /* each way has a call of what is costly */
    bool uses_scratch;           /* $28, which the routine itself does not use then */
    uint32_t lowest, highest;    /* instructions that a jump goes to */
    uint32_t *next, *next_first; /* flow.c: successors of op i: next[next_first[i]] to next_first[i + 1] */
    uint32_t *before, *before_first; /* predecessors */
    uint32_t web_count;
    alpha_register_set arguments_set; /* registers in which any call passes something */
    uint8_t reason;                   /* enum copy_reason: why there is none */
    uint8_t delay_reason; /* why calls are not delayed; COPY_NONE: there are none to delay, or they are */
    uint32_t delayed, renamed; /* calls; registers less in the summary */
    uint32_t frame, room;      /* bytes: what the routine lowers the stack by, what saves take above that */
    struct routine_summary summary; /* of a call of the copy */
};

/* A routine as sites call it: itself, or its copy. */
struct called_routine {
    uint64_t entry; /* of the routine itself */
    const char *name;
    bool made, copied;         /* .copied: there is an adapted copy */
    uint32_t address;          /* of the copy in this round, 0: it is not made yet */
    uint32_t end;              /* after it */
    uint32_t map;              /* address of its map, 0: it needs none */
    struct copy_place *places; /* of the copy in this round, in order */
    uint32_t place_count, place_capacity;
    struct routine_copy copy;
    struct routine_summary summary;
};

/* A register field of an instruction. */
struct operand_field {
    uint8_t reg; /* 0-63, or NO_REGISTER */
    uint8_t shift;
    bool reads, writes;
};

enum { NO_REGISTER = 64 };

/* The frame of a wrapper: offsets and size in bytes. */
struct wrapper_frame {
    uint32_t outgoing, link, thread_pointer, argument, fpcr, saves, size;
};

struct wrapper {
    uint32_t routine;
    alpha_register_set saves;
    uint32_t address;
    uint32_t next; /* in its hash chain, NO_INDEX at the end */
};

/* ---- save_area.c ---- */

/* `arguments`: the most that are passed. */
struct wrapper_frame save_area_lay_out(uint32_t arguments, alpha_register_set saves);

/* ---- called_routines.c ---- */

const struct called_routine *routine_called(const struct rewrite *rewrite, uint32_t routine);
void called_routines_create(struct rewrite *rewrite);
/* Does the procedure do much in any case? What is only in libraries is taken to. */
bool callee_is_costly(const struct rewrite *rewrite, uint64_t entry);
/* Emits a copy that is not there yet. */
void called_place(struct rewrite *rewrite, struct called_routine *called);
/* The copy of a procedure that a routine calls, if it changes clearly less than the procedure; else NULL. */
struct called_routine *helper_called(const struct rewrite *rewrite, uint64_t entry,
                                     alpha_register_set results);

/* ---- lift.c ---- */

/* The routine at .entry as ops; false and .reason if that cannot be done. */
bool routine_lift(struct routine_copy *copy);

/* ---- flow.c ---- */

void operand_fields(uint32_t word, struct operand_field fields[OPERANDS]);
alpha_register_set op_reads(const struct op *op);
alpha_register_set op_writes(const struct op *op);
void flow_find(struct routine_copy *copy); /* .next, .before */
void webs_find(struct routine_copy *copy);
/* Addresses of which only displacements are added: their low halves become part of those. */
void addresses_fold(struct routine_copy *copy);
/* Drops addresses that nothing uses. */
void addresses_drop(struct routine_copy *copy);
/* Registers by convention (those of no web) that are live after each op; in the scratch arena. */
alpha_register_set *fixed_liveness(const struct routine_copy *copy);

/* ---- delayed_saves.c ---- */

/* Marks the calls that may be delayed; what the others call may have copies. */
void delays_find(struct routine_copy *copy);
/* Of those marked, keeps the ones that have something to save. */
void delays_choose(struct routine_copy *copy);
/* What a call of the copy may change. */
void copy_summarise(struct routine_copy *copy);
/* Room for what they save: the frame becomes larger. */
void delays_lay_out(struct routine_copy *copy);
/* Emits what a delayed call does; then control goes to word index `back`, or returns. */
void delay_emit(struct rewrite *rewrite, const struct routine_copy *copy, const struct op *op, uint32_t back);

/* ---- renaming.c ---- */

/* Has the routine change as few registers as may be. */
void renaming_do(struct routine_copy *copy);

/* ---- copy.c ---- */

void routine_copy_make(struct routine_copy *copy, bool delays, bool renames);
/* Into the wrappers. */
void routine_copy_emit(struct rewrite *rewrite, struct called_routine *called);

#endif
