/* code.h: new code and data: words, constants, tables, branches without a target yet, and the choice of
   procedures that are copied. Requires addresses below 2 GB. */
#ifndef ATOMC_CODE_H
#define ATOMC_CODE_H

#include "engine/machine/machine.h"
#include "engine/rewrite.h"
#include "engine/select/sites.h"
#include "runtime/interface.h" /* MAP_... */

/* A symbol of a new text section. */
struct code_symbol {
    const char *name;
    uint32_t address, size;
};

struct table_string;

/* A memory access of an analysis routine that was inlined into the copies. */
struct inlined_access {
    uint32_t position, origin; /* word index in the copies; instruction of the analysis image */
};

enum fixup_kind {
    FIXUP_INSIDE,     /* branch to the instruction's copy, as from inside its procedure */
    FIXUP_OUTSIDE,    /* branch to the copy as entered from outside, which begins with the entry calls */
    FIXUP_STUB,       /* branch to word index .target of the copies */
    FIXUP_FAR_INSIDE, /* instructions that compute the address of the copy */
    FIXUP_FAR_OUTSIDE,
    FIXUP_FAR_INSIDE_LANDING, /* the same, of the target's landing */
    FIXUP_FAR_OUTSIDE_LANDING,
};
struct fixup {
    uint32_t position; /* word index in copies */
    uint32_t target;   /* instruction index */
    uint8_t kind;
};

/* A word of the copies that loads an address from a word that is still to come. */
struct literal {
    uint32_t position, value; /* of the load; the address */
    uint8_t reg;
};

/* The position of each instruction in the copies, as far as known, and branches without a target yet.
 */
struct layout {
    /* Per block: word index in the copies of its first instruction, for branches from inside the procedure.
       inside_of() tells it of any instruction. */
    uint32_t *inside;
    /* In order: the instructions that begin no block, but that control from outside enters elsewhere than
       control from inside, as the second entry of a replaced procedure. */
    struct other_inside {
        uint32_t instruction, position;
    } * other_insides;
    size_t other_inside_count, other_inside_capacity;
    uint32_t *map;    /* per instruction: address of its copy, for entry from outside */
    uint32_t *placed; /* per instruction: word index in the copies of the instruction itself, after all calls;
                         NULL if rewrite_print_map() will not print it */
    /* Per instruction, if any transfer needs it: address of a landing, which reloads the spilled register
     * from the stack. */
    uint32_t *landings;
    uint32_t *inside_landings; /* the same for far branches from inside the procedure */
    /* positions of blocks in the previous round, by which far branches are known; NULL in the first */
    const uint32_t *previous_blocks;
    uint32_t far_words; /* a branch over more words is a far branch */
    uint32_t at;        /* the current instruction; the positions of earlier instructions are final */
    struct fixup *fixups;
    uint32_t fixup_count, fixup_capacity;
    struct atomc_shortcut *shortcuts; /* sorted by .copy, and by .real */
    uint32_t shortcut_count, shortcut_capacity;
    struct atomc_waiting *waiting;
    uint32_t waiting_count, waiting_capacity;
    struct literal *literals; /* without a word yet */
    uint32_t literal_count, literal_capacity;
    uint32_t literal_words; /* of the copies, that are no instructions */
};

/* The choice of procedures that are copied. */
struct coverage {
    uint8_t *copied;            /* per procedure; NULL: all are copied */
    uint32_t copied_count;      /* the number of copied procedures */
    uint64_t instruction_count; /* the number of their instructions */
    bool grew;                  /* set in this round: another round is needed */
};

/* Constants at layout->pool. */
struct constant_pool {
    uint64_t *values;
    uint32_t count, capacity;
    uint8_t *objects; /* for each constant: the number of the library whose address it is, or 0 */
    uint32_t object_capacity;
};

/* Data for the runtime and for routines, at layout->tables; in large programs, tables that no site refers to
   are at layout->far_tables. */
struct table_space {
    struct code words, far;
    /* all sites are made: table_bytes() and table_array() write to `far` from now on */
    bool writes_far;
    struct table_string *strings; /* the strings in the table: open addressing */
    uint32_t string_count, string_table_size;
    /* per plan buffer: constant buffers are in the tables, writable ones in data */
    uint32_t *buffer_addresses;
    uint32_t bit_lengths; /* address of the table of site/histograms.c; 0: not made yet */
};

/* All new code and data of the instrumented program. */
struct code_space {
    struct code copies, wrappers;
    struct layout layout;
    struct coverage coverage;
    struct constant_pool pool;
    struct table_space tables;
    struct code data; /* writable, after the cells */
    struct code_symbol *symbols;
    uint32_t symbol_count, symbol_capacity;
    bool own_stack;  /* routines run below SITE_FRAME */
    bool own_frames; /* sites have their frames on this stack, too */
    bool overflows;  /* this round was abandoned: there is no room for the copies */
    bool spills_far; /* if no register is free, a register is spilled SPILL_FAR bytes below the program's
                        stack pointer */
    struct inlined_access *inlined; /* sorted by position */
    uint32_t inlined_count, inlined_capacity;
    struct rewrite_statistics statistics;
    uint32_t *skips; /* positions of branches that skip the current instruction */
    uint32_t skip_count, skip_capacity;
};

#define OLD_ROOM 16

/* ---- fixups.c ---- */

/* Notes that the word at the current position is to branch to the target's copy. */
void add_fixup(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* Drops the fixups, after they are applied or given up. */
void forget_fixups(struct rewrite *rewrite);
/* True if the target's copy is too far for a branch from here, as far as known. */
/* Words from here to the copy of an instruction: exact if it is emitted already; otherwise as in the previous
 * round, -1 if there was none. */
int64_t words_to_copy(const struct rewrite *rewrite, uint32_t target);
bool is_far(const struct rewrite *rewrite, uint32_t target);
/* Marks the map words of instructions that no indirect transfer reaches, once no other code reads them.
 */
void unforeseen_mark(struct rewrite *rewrite);
/* The same for a part of the map in the image: `count` instructions from `first` on. */
void unforeseen_mark_map(const struct rewrite *rewrite, uint32_t first, uint32_t count, uint32_t *map);
/* Returns false if some branch does not reach. */
bool apply_fixups(struct rewrite *rewrite);
/* Emits code that computes the address of the instruction's copy, including the code inserted before it. */
void emit_copy_address(struct rewrite *rewrite, uint32_t instruction, unsigned to);

/* ---- coverage.c ---- */

/* True if the instruction's procedure is copied. */
bool is_copied(const struct rewrite *rewrite, uint32_t instruction);
/* Has the instruction's procedure copied from the next round on, as no register is free for a jump to the
   original. */
void sparse_copy_too(struct rewrite *rewrite, uint32_t instruction);
/* The same by procedure, for use while the copied procedures are chosen. */
void procedure_copy_too(struct rewrite *rewrite, uint32_t procedure);
/* Starts with no procedure copied, or with all. */
void coverage_start(struct rewrite *rewrite, bool all);

/* ---- tables.c ---- */

/* Returns the same address for equal strings. */
uint32_t table_string(struct rewrite *rewrite, const char *string);
/* The string in a slot below string_table_size, and its address; 0: the slot is free. */
uint32_t table_string_at(const struct rewrite *rewrite, uint32_t slot, const char **text);
uint32_t table_bytes(struct rewrite *rewrite, const void *bytes,
                     size_t size); /* into the tables, 8-aligned; returns the address */
uint32_t table_array(struct rewrite *rewrite, struct site_array *array); /* in arrays.c */

/* ---- code.c ---- */

/* Makes rewrite->code, empty; program->threads is set. */
void code_create(struct rewrite *rewrite);
void code_start(struct rewrite *rewrite); /* initializes for a new round */
void code_free(struct code_space *code);  /* Frees all memory that is not in arenas; for NULL, has no
                                             effect. */
/* Records that the next word of the copies is this instruction of the analysis image, a load or store;
   NO_INDEX: none.
 */
void note_inlined_access(struct rewrite *rewrite, uint32_t origin);
uint32_t *landings_make(struct rewrite *rewrite); /* an empty map of landings, for layout */
/* The word index in the copies at which control from inside of its procedure enters the instruction. It is
   final for instructions up to layout.at. */
uint32_t inside_of(const struct rewrite *rewrite, uint32_t instruction);
/* That is the next word of the copies. The map must already say where control from outside enters. */
void enter_inside_here(struct rewrite *rewrite, uint32_t instruction);
/* True if the program's addresses leave room for the map and the rest of the new code. Reports an error if
   not. */
bool places_check(struct rewrite *rewrite);
/* The end of the room for copies, where the analysis image begins. */
uint32_t copies_limit(const struct rewrite *rewrite);
/* True if everything fits into its room. Reports an error if not. */
bool code_fits(struct rewrite *rewrite);
/* Loads the address of SITE_FRAME into a register. */
void emit_site_frame(struct code *code, unsigned to);
/* Sets the stack pointer to SITE_FRAME, using a dead register, and sets it back, for which `by` is one if the
   stack pointer is no register like the others. */
void emit_enter_stack(struct code *code, unsigned base);
void emit_leave_stack(struct code *code, unsigned by);

/* ---- scratch.c ---- */

/* Registers that code inserted in the block may not overwrite: live registers, registers that later sites
   read, registers that hold promoted counts. After an instruction also registers that its own sites read. */
register_set registers_taken(const struct rewrite *rewrite, uint32_t block, register_set live);
register_set registers_taken_after(const struct rewrite *rewrite, uint32_t instruction, register_set live);
/* Reserve room for spills if no register is free; compute the original stack pointer into a register, from
   the lowered one in `from`; release the room. */
void emit_lower_spill(const struct rewrite *rewrite, struct code *code);
void emit_above_spill(const struct rewrite *rewrite, struct code *code, unsigned from, unsigned to);
void emit_raise_spill(const struct rewrite *rewrite, struct code *code);
/* Store a register in that room, and load it back. The caller stores nothing below the stack pointer in
 * between. */
void emit_spill(const struct rewrite *rewrite, struct code *code, unsigned reg);
void emit_take_back(const struct rewrite *rewrite, struct code *code, unsigned reg);

struct scratch_request {
    uint8_t count; /* number of registers: 1 or 2 */
    /* true if one value may be in SITE_FRAME, where all registers but one are free */
    bool may_use_frame;
    register_set live;    /* registers that are not free */
    register_set avoided; /* registers that may not be taken, even if their values are saved */
};
struct scratch {
    uint8_t count, registers[2];
    /* the locations of their values until the release */
    enum { SCRATCH_NOT_KEPT, SCRATCH_ON_STACK, SCRATCH_IN_FRAME } kept;
};
/* Takes free registers if there are enough. Otherwise takes other registers, and emits code that saves their
   values on the stack, which stays lowered until the release. */
struct scratch scratch_reserve(const struct rewrite *rewrite, struct code *code,
                               const struct scratch_request *request);
void scratch_release(const struct rewrite *rewrite, struct code *code, const struct scratch *scratch);

/* ---- pool.c ---- */

/* Emits any 64-bit constant: 1 or 2 instructions or a load from the pool. */
void emit_constant(struct rewrite *rewrite, struct code *code, int64_t value, unsigned to);
uint32_t pool_constant(struct rewrite *rewrite, uint64_t value); /* returns its address */
/* Emits an address in the instruction's object, as it is in memory after that object was loaded. */
void emit_original(struct rewrite *rewrite, struct code *code, uint32_t instruction, uint64_t address,
                   unsigned to);

/* ---- literals.c ---- */

/* Emits one instruction that loads the value, if the machine has it, and the value has 32 bits. Returns false
   otherwise. */
bool emit_literal_load(struct rewrite *rewrite, struct code *code, uint64_t value, unsigned to);
/* True if there are loads without a word. */
bool literals_wait(const struct rewrite *rewrite);
/* Emits the words of all loads so far. Control must not come here. */
void literals_emit(struct rewrite *rewrite);

/* ---- cell_updates.c ---- */

/* Emits an update of a cell into the copies. The update is atomic if there may be threads. */
void emit_cell_update(struct rewrite *rewrite, const struct cell_update *update);
/* Emits the high part of a cell's address into `base`; returns the displacement. */
int emit_cell_address(struct code *code, uint64_t cell, unsigned base);
/* Adds to a cell at a known address, using two registers. */
void emit_cell_add(struct rewrite *rewrite, uint64_t cell, struct cell_amount amount, unsigned base,
                   unsigned value);
/* Adds to the cell, which restarts at 0 at the limit: machine_count_cell_to(). */
void emit_cell_count_to(struct rewrite *rewrite, const struct cell_update *update, struct cell_amount limit,
                        unsigned to);
/* Adds to the thread's own part of a counted value: machine_thread_add(). */
uint32_t emit_thread_add(struct rewrite *rewrite, uint64_t cell, struct cell_amount amount, unsigned value,
                         unsigned keeper);

/* ---- print.c ---- */

void code_print(const struct rewrite *rewrite, FILE *stream); /* --dump=code */
/* --dump=map: a line for each instruction that has a copy, with the addresses of copy and original. */
void map_print(const struct rewrite *rewrite, FILE *stream);
void places_print(const struct rewrite *rewrite, FILE *stream); /* --dump=places */

/* ---- verify.c ---- */

/* Checks that the map and the branches inside point into the copies, and that every word is an instruction.
   Returns a description of the error, or NULL. */
const char *code_verify(const struct rewrite *rewrite);
/* Checks that each fixup has a word and a target. */
const char *fixups_verify(const struct rewrite *rewrite);

#endif
