/* code.h: new code and data in the making: words, constants, tables, branches that are still to be aimed, and
   which procedures are copied. Requires addresses below 2 GB. */
#ifndef ATOMC_CODE_H
#define ATOMC_CODE_H

#include "engine/rewrite.h"
#include "engine/select/sites.h"
#include "runtime/interface.h" /* LAYOUT_... */

/* Words of one new text section, and a symbol table of it. */
struct code {
    struct arena *arena; /* of the words */
    uint32_t address;    /* of words[0] */
    uint32_t *words;
    uint32_t count, capacity;
    const char *folder;       /* where many words may be in a file; NULL: nowhere */
    struct file_memory *file; /* that has them; NULL: they are in the arena */
};
struct code_symbol {
    const char *name;
    uint32_t address, size;
};

struct table_string;

/* A memory access of a routine's among the copies. */
struct inlined_access {
    uint32_t position, origin; /* word index in the copies; the analysis image's instruction */
};

enum fixup_kind {
    FIXUP_INSIDE,     /* branch to the instruction's copy, as from inside its procedure */
    FIXUP_OUTSIDE,    /* branch to where control enters from outside: entry calls come first */
    FIXUP_STUB,       /* branch to word index .target of the copies */
    FIXUP_FAR_INSIDE, /* ldah/lda pair */
    FIXUP_FAR_OUTSIDE,
    FIXUP_FAR_INSIDE_LANDING, /* the same to the target's landings */
    FIXUP_FAR_OUTSIDE_LANDING,
};
struct fixup {
    uint32_t position; /* word index in copies */
    uint32_t target;   /* instruction index */
    uint8_t kind;
};

/* Where each instruction is in the copies, as far as that is known, and branches that are still to be aimed.
 */
struct layout {
    uint32_t *inside; /* per instruction: word index in copies where a branch from inside goes */
    uint32_t *map;    /* per instruction: address of its copy, for entry from outside */
    uint32_t *placed; /* per instruction: word index in copies of the instruction itself, after all calls;
                         NULL unless rewrite_print_map() is to print it */
    /* Per instruction, if any transfer needs it: address of a landing, which takes $28 back off the stack. */
    uint32_t *landings;
    uint32_t *inside_landings;       /* the same for far branches from inside the procedure */
    const uint32_t *previous_blocks; /* of blocks in the round before, to know which branches are far; NULL in
                                        the first */
    uint32_t far_words;              /* farther than this needs a far branch */
    uint32_t at;                     /* the instruction at hand; those before it are in their places */
    struct fixup *fixups;
    uint32_t fixup_count, fixup_capacity;
    struct atomc_shortcut *shortcuts; /* by .copy, and by .real */
    uint32_t shortcut_count, shortcut_capacity;
    struct atomc_waiting *waiting;
    uint32_t waiting_count, waiting_capacity;
};

/* Which procedures are copied. */
struct coverage {
    uint8_t *copied;            /* per procedure; NULL: all */
    uint32_t copied_count;      /* of them */
    uint64_t instruction_count; /* in them */
    bool grew;                  /* in this round: another round is needed */
};

/* Constants at LAYOUT_POOL. */
struct constant_pool {
    uint64_t *values;
    uint32_t count, capacity;
    uint8_t *objects; /* of each: the number of the library that it is an address of, or 0 */
    uint32_t object_capacity;
};

/* What the runtime and routines read, at LAYOUT_TABLES; of large programs what no site refers to is at
   LAYOUT_FAR_TABLES. */
struct table_space {
    struct code words, far;
    bool writes_far;              /* sites are made: table_bytes() and table_array() go on there */
    struct table_string *strings; /* those in it: open addressing */
    uint32_t string_count, string_table_size;
    uint32_t *buffer_addresses; /* per plan buffer: constant ones in here, writable ones in data */
    uint32_t bit_lengths;       /* address of site/histograms.c's table; 0: none yet */
};

/* All that is new in the instrumented program. */
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
    bool own_frames; /* sites have their frames there, too */
    bool overflows;  /* this round was given up: the copies have no room */
    bool spills_far; /* where no register is free, one is spilled SPILL_FAR below the program's $30 */
    struct inlined_access *inlined; /* by position */
    uint32_t inlined_count, inlined_capacity;
    struct rewrite_statistics statistics;
    uint32_t *skips; /* words of branches that skip the instruction at hand */
    uint32_t skip_count, skip_capacity;
};

#define OLD_ROOM 16

/* Words that a branch is let be from its target: some fewer than it reaches, for what is inserted between. */
enum { FARTHEST_BRANCH = 1040000 };

/* So many words are left at once (code_leave). */
enum { WORDS_LEFT = 1 << 20 };

/* ---- fixups.c ---- */

/* The word at hand is to be aimed at the target's copy. */
void add_fixup(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* They are applied, or given up. */
void forget_fixups(struct rewrite *rewrite);
/* Is the target's copy too far for a branch from here, as far as is known yet? */
bool is_far(const struct rewrite *rewrite, uint32_t target);
/* Where no indirect transfer may come, none does: the maps' words are marked, once nothing else reads them.
 */
void unforeseen_mark(struct rewrite *rewrite);
/* The same of a part of the map, as it is in the image: of so many instructions from the first on. */
void unforeseen_mark_map(const struct rewrite *rewrite, uint32_t first, uint32_t count, uint32_t *map);
/* Applies fixups; false if some do not reach. */
bool apply_fixups(struct rewrite *rewrite);
/* The address of the instruction's copy, with what is inserted before it. */
void emit_copy_address(struct rewrite *rewrite, uint32_t instruction, unsigned to);

/* ---- coverage.c ---- */

/* Is the instruction's procedure copied? */
bool is_copied(const struct rewrite *rewrite, uint32_t instruction);
/* From now on its procedure is, too: no register is free to go there. */
void sparse_copy_too(struct rewrite *rewrite, uint32_t instruction);
/* The same by number, while it is chosen what is copied. */
void procedure_copy_too(struct rewrite *rewrite, uint32_t procedure);
/* Begins with none, or with all. */
void coverage_start(struct rewrite *rewrite, bool all);

/* ---- tables.c ---- */

uint32_t table_string(struct rewrite *rewrite, const char *string); /* the same address for the same string */
/* The string in a slot of string_table_size, and its address; 0: there is none. */
uint32_t table_string_at(const struct rewrite *rewrite, uint32_t slot, const char **text);
uint32_t table_bytes(struct rewrite *rewrite, const void *bytes,
                     size_t size); /* in tables, 8-aligned: its address */
uint32_t table_array(struct rewrite *rewrite, struct site_array *array); /* in arrays.c */

/* ---- code.c ---- */

/* Makes rewrite->code, empty; program->threads is set. */
void code_create(struct rewrite *rewrite);
void code_start(struct rewrite *rewrite); /* of a round */
void code_free(struct code_space *code);  /* NULL: nothing; what is not in arenas */
/* Room for another word. */
void code_grow(struct code *code);
/* These words are not used for now. They take no memory until then, if they are in a file. */
void code_leave(const struct code *code, uint32_t begin, uint32_t end);
/* The next word of the copies is this instruction of the analysis image's, a load or store; NO_INDEX: none.
 */
void note_inlined_access(struct rewrite *rewrite, uint32_t origin);
uint32_t *landings_make(struct rewrite *rewrite); /* of layout: none yet */
/* Is the program where it leaves room for the map, and for the rest of what is added? Reports if not. */
bool places_check(struct rewrite *rewrite);
/* Where the copies have to end: the analysis image begins there. */
uint32_t copies_limit(const struct rewrite *rewrite);
/* Is all in the places that it has? Reports if not. */
bool code_fits(struct rewrite *rewrite);
void emit_move(struct code *code, unsigned from, unsigned to); /* integer registers */
/* The high half of an address below LAYOUT_END; returns the low one, which an access adds as its
 * displacement. */
int emit_high(struct code *code, uint32_t address, unsigned to);
void emit_address(struct code *code, uint32_t address, unsigned to);      /* ldah/lda */
void emit_address_pair(struct code *code, uint32_t address, unsigned to); /* always two */
/* Room on the program's stack. */
void emit_lower_stack(struct code *code, uint32_t bytes);
void emit_raise_stack(struct code *code, uint32_t bytes);
enum alpha_opcode inverse_branch(enum alpha_opcode opcode); /* of a conditional branch */
/* SITE_FRAME into a register. */
void emit_site_frame(struct code *code, unsigned to);
/* $30 to SITE_FRAME, by way of a register that holds nothing, and back. */
void emit_enter_stack(struct code *code, unsigned base);
void emit_leave_stack(struct code *code);
/* bsr, or jsr through $26 itself. */
void emit_near_call(struct code *code, uint32_t address);

/* ---- scratch.c ---- */

/* Registers that code inserted in the block cannot take freely: live ones, those that later sites read, those
   that hold promoted counts; after an instruction also those that its own sites read. */
alpha_register_set registers_taken(const struct rewrite *rewrite, uint32_t block, alpha_register_set live);
alpha_register_set registers_taken_after(const struct rewrite *rewrite, uint32_t instruction,
                                         alpha_register_set live);
/* Room to spill to where no register is free; $30 as it was, into a register; and $30 back. */
void emit_lower_spill(const struct rewrite *rewrite, struct code *code);
void emit_above_spill(const struct rewrite *rewrite, struct code *code, unsigned to);
void emit_raise_spill(const struct rewrite *rewrite, struct code *code);
/* A register to such room, and back. Until then nothing may be stored below $30. */
void emit_spill(const struct rewrite *rewrite, struct code *code, unsigned reg);
void emit_take_back(const struct rewrite *rewrite, struct code *code, unsigned reg);
/* Registers to and from 8 bytes each from base + offset on, in order of their numbers; the base, if it is one
   of them, last. */
void save_registers(struct code *code, alpha_register_set set, unsigned base, uint32_t offset);
void restore_registers(struct code *code, alpha_register_set set, unsigned base, uint32_t offset);

struct scratch_request {
    uint8_t count;              /* registers: 1 or 2 */
    bool may_use_frame;         /* if all but one are free, the last one's value may be in SITE_FRAME */
    alpha_register_set live;    /* registers that are not free */
    alpha_register_set avoided; /* those that cannot be taken though their values are kept */
};
struct scratch {
    uint8_t count, registers[2];
    enum { SCRATCH_NOT_KEPT, SCRATCH_ON_STACK, SCRATCH_IN_FRAME } kept; /* their values, until the release */
};
/* Free registers if there are as many; else others, and the instructions that keep their values: on the
   stack, which is lowered until the release. */
struct scratch scratch_reserve(const struct rewrite *rewrite, struct code *code,
                               const struct scratch_request *request);
void scratch_release(const struct rewrite *rewrite, struct code *code, const struct scratch *scratch);

/* ---- pool.c ---- */

/* Any 64-bit constant: 1 to 2 instructions or a load from the pool. */
void emit_constant(struct rewrite *rewrite, struct code *code, int64_t value, unsigned to);
uint32_t pool_constant(struct rewrite *rewrite, uint64_t value); /* its address */
/* An address of the object that the instruction is in, as it is when that is loaded. */
void emit_original(struct rewrite *rewrite, struct code *code, uint32_t instruction, uint64_t address,
                   unsigned to);

/* ---- cell_updates.c ---- */

/* What is added to a cell: a register's content, or, if that is $31, the constant. */
struct cell_amount {
    unsigned reg;
    int constant;
};
/* What happens to the cell at `displacement` from `base`: atomically where there may be threads. */
struct cell_update {
    enum plan_update kind;
    struct cell_amount amount; /* of a constant only sums */
    unsigned base;
    int displacement;
    unsigned value; /* a register for what the cell holds, unless it is set */
    unsigned test;  /* one to compare in, for a maximum or minimum */
};
void emit_cell_update(struct rewrite *rewrite, const struct cell_update *update);
/* The high part of a cell's address into `base`; returns the displacement from there. */
int emit_cell_address(struct code *code, uint64_t cell, unsigned base);
/* Adds to a known cell, in two registers. */
void emit_cell_add(struct rewrite *rewrite, uint64_t cell, struct cell_amount amount, unsigned base,
                   unsigned value);
/* Adds, and begins again with 0 at the limit, of which a constant is below 256; `to`: 1 if that is reached.
 */
void emit_cell_count_to(struct rewrite *rewrite, const struct cell_update *update, struct cell_amount limit,
                        unsigned to);
/* Of the last update that was emitted from position `begin` on: saved registers may be restored after it. */
uint32_t address_after_update(const struct code *code, uint32_t begin);
/* Adds to the thread's own part of a value that is counted, in $0 and register `value` (runtime/interface.h);
   keeps $0 in register `keeper`, unless that is $0. Returns the address after the store. */
uint32_t emit_thread_add(struct rewrite *rewrite, uint64_t cell, struct cell_amount amount, unsigned value,
                         unsigned keeper);
/* The halves of an address below 2 GB, or of a distance: for ldah, and for what adds the low one. */
struct halves {
    int high, low;
};
static inline struct halves address_halves(uint32_t address) {
    int16_t low = (int16_t)(address & 0xffff);
    return (struct halves){(int16_t)((address - (uint32_t)low) >> 16), low};
}

static inline uint32_t code_position(const struct code *code) { /* words so far */
    return code->count;
}

static inline uint32_t code_address(const struct code *code) { /* of the next word */
    return code->address + 4 * code->count;
}

static inline void emit(struct code *code, uint32_t word) {
    if (code->count >= code->capacity)
        code_grow(code);
    code->words[code->count++] = word;
}

/* ---- print.c ---- */

void code_print(const struct rewrite *rewrite, FILE *stream); /* --dump=code */
/* --dump=map: a line for each instruction that has a copy, with the addresses of copy and original. */
void map_print(const struct rewrite *rewrite, FILE *stream);
void places_print(const struct rewrite *rewrite, FILE *stream); /* --dump=places */

/* ---- verify.c ---- */

/* Do the map and what leads inside point into the copies, and is every word an instruction? What is wrong, or
 * NULL. */
const char *code_verify(const struct rewrite *rewrite);
/* Has each fixup a word and a target? */
const char *fixups_verify(const struct rewrite *rewrite);

#endif
