/* internal.h: shared by the passes that build procedures, blocks and edges; and abstract values of integer
   registers, by which jump tables are found. Used during program_analyse(). */
#ifndef ATOMC_CFG_INTERNAL_H
#define ATOMC_CFG_INTERNAL_H

#include "engine/cfg/cfg.h"

/* A frame description entry: [begin, end) text addresses, and its language-specific data area; 0 if
   none. */
struct frame_entry {
    uint64_t begin, end, lsda;
};

struct frame_table {
    struct frame_entry *entries; /* sorted by begin */
    size_t count, capacity;
};

/* The targets found for an indirect jump. */
struct jump_table {
    uint32_t instruction;                /* the jmp */
    uint32_t first_target, target_count; /* in analysis.targets */
};

/* Bits that are not stored in blocks: it follows an instruction that ends a block; its address is in data
   other than the GOT, or computed. */
enum { LEADER_FOLLOWS = 256, LEADER_ESCAPES = 512 };

struct block_search {
    struct program *program;
    struct arena *arena; /* holds the arrays of this structure */
    struct diagnostics *diagnostics;
    struct frame_table frames;
    uint16_t *leaders;    /* enum leader bits of each instruction; 0: not a leader */
    uint64_t *data_bases; /* distinct ones that procedures set, sorted */
    size_t data_base_count, data_base_capacity;
    uint64_t *object_bases;    /* per object: its only one; 0: none, 1: there are several */
    struct jump_table *tables; /* sorted by instruction */
    size_t table_count, table_capacity;
    uint32_t *targets; /* instruction indices */
    size_t target_count, target_capacity;
    uint8_t *returning; /* per procedure: it may return */
};

enum value_kind {
    VALUE_NONE,     /* left by a call: no program would use it */
    VALUE_UNKNOWN,  /* an unknown value; equal symbols are equal values */
    VALUE_CONSTANT, /* number */
    VALUE_SCALED,   /* symbol * scale */
    VALUE_ADDRESS,  /* number + symbol * scale */
    VALUE_ENTRY,    /* the bytes, as many as scale, at number + symbol * scale */
    VALUE_TARGET,   /* base + factor * the entry of `scale` bytes at number + symbol * scale */
    VALUE_COMPARED, /* 1 if symbol < limit, else 0; scale 1: the reverse */
    VALUE_FLAGS,    /* the flags after a comparison of symbol and number */
    VALUE_RETURN,   /* the return address of the procedure */
    VALUE_BEHIND,   /* an address computed from that */
};

struct value {
    uint8_t kind;
    uint8_t scale;
    bool is_computed; /* an unknown value: a sum, and so no address of a procedure */
    uint32_t symbol;  /* where the value was defined; NO_INDEX: anywhere */
    uint64_t limit;   /* the symbol is below it; 0: unknown */
    uint64_t number;
    uint64_t base;   /* of a target: the data base, or a label's address */
    uint8_t factor;  /* of a target */
    bool is_signed;  /* the entry's, as it is loaded or added */
    bool from_entry; /* a target: the entry's own address is added, not that of the first */
};

/* Places of values: integer registers by number, and the flags at the number that they have in register sets.
   They are followed. Then the register that always holds 0, whatever its number is, and all others, whose
   values are unknown. */
enum { FOLLOWED_REGISTERS = 32, ZERO_PLACE = FOLLOWED_REGISTERS, OTHER_PLACE, PLACE_COUNT };

enum { MOST_BLOCKS = 200000 }; /* a larger one is not a procedure, but text without symbols and frames */

enum {
    FACT_COUNT = 6,
    SLOT_COUNT = 16,
    SYMBOL_CALLER = 1 << 28,
    SYMBOL_USE = 1 << 29,
    SYMBOL_SLOT = 1 << 30,
    SYMBOL_JOIN = 1u << 31
};

struct fact {
    uint32_t symbol;
    uint64_t limit; /* symbol < limit; 0: empty */
};

struct slot {
    int32_t offset; /* relative to the stack pointer or, with bit 20 added, to the frame pointer */
    struct value value;
};

struct state {
    bool reached;
    /* the only instruction from which control arrives so far; NO_INDEX: there are several */
    uint32_t only_source;
    struct value registers[PLACE_COUNT]; /* value_of() reads them */
    struct fact facts[FACT_COUNT];
    struct slot slots[SLOT_COUNT]; /* constants and targets in the stack frame */
    unsigned next_slot;
    uint64_t symbols[4]; /* a symbol whose bit (by its low 8 bits) is clear does not occur in the state */
};

/* A procedure under analysis, in blocks between the leaders known so far. */
struct region {
    struct block_search *analysis;
    const struct program *program;
    const struct procedure *procedure;
    const struct conventions_of_machine *registers;
    uint32_t block_count;
    uint32_t *first; /* instruction of each block; first[block_count] is the end */
    struct state *entry;
    uint8_t *pending;
    uint8_t *relevant; /* blocks that can reach a jump: only these are analysed */
    bool changed_leaders;
    /* it jumps to an address that it loads: every address that looks like a label is a leader */
    bool has_labels;
    bool last_round;    /* following the values has found no new fact */
    bool adds_to_label; /* the sum of a label's address and an unknown value */
    bool loses_label;   /* such a sum is not followed: what is loaded may be one */
    bool lost_jump;     /* whose targets are unknown */
    /* an address computed from one in the text, perhaps the target of a call or a return */
    bool computes;
    size_t first_table; /* of this procedure, in analysis.tables */
};

static inline unsigned value_place(const struct conventions_of_machine *registers, unsigned reg) {
    return reg == registers->zero ? ZERO_PLACE : reg < FOLLOWED_REGISTERS ? reg : OTHER_PLACE;
}

/* The address that an instruction makes or accesses that is FACT_PC_RELATIVE. */
static inline uint64_t relative_address(const struct program *program, uint32_t instruction) {
    return program->architecture->relative_address(program->text[instruction],
                                                   instruction_address(program, instruction));
}

/* ---- procedures.c ---- */

/* A little-endian 64-bit or signed 32-bit word of the loaded image; false if it is not from the file. */
bool program_word64(const struct program *program, uint64_t address, uint64_t *value);
bool program_word32(const struct program *program, uint64_t address, int32_t *value);
void procedures_find(struct block_search *analysis);
/* The only data base in the object that contains the instruction; 0 if there are several. */
uint64_t common_data_base(const struct block_search *analysis, uint32_t instruction);

/* ---- direct_calls.c ---- */

/* The instruction whose address is in the GOT slot at that distance from the data base; NO_INDEX if it is not
   a text address. */
uint32_t got_target(const struct program *program, uint64_t data_base, int32_t displacement);
/* The target of the jsr or jmp at `instruction`, if its register is loaded from the GOT between `first` and
   it; NO_INDEX if unknown. */
uint32_t indirect_target(const struct program *program, uint64_t data_base, uint32_t first,
                         uint32_t instruction);

/* True if it loads a word of the table of addresses. */
static inline bool loads_address(const struct program *program, const struct facts *facts) {
    const unsigned kind = FACT_LOAD | FACT_WHOLE_REGISTER;
    return (facts->flags & (kind | FACT_FLOAT)) == kind && facts->memory[0].base != REGISTER_NONE &&
           facts->memory[0].base == program->architecture->registers.data_base;
}

/* ---- starts.c ---- */

void procedure_starts_make(struct program *program);
void block_starts_make(struct program *program);

/* ---- landing_pads.c ---- */

/* The allocated section of this name in one object; false if there is none. */
bool find_section(const struct program *program, const char *wanted, uint64_t *address, uint64_t *size);
/* Reads .eh_frame; skips entries that are malformed or outside of the text. */
void frames_read(struct block_search *analysis);
/* Marks LEADER_LANDING_PAD. */
void landing_pads_mark(struct block_search *analysis);

/* ---- leaders.c ---- */

/* Marks LEADER_ADDRESS_TAKEN where the procedure computes an address of text; `loose`: also combines parts
   that may not belong together, but only for addresses inside the procedure. */
void computed_addresses_mark(struct block_search *analysis, const struct procedure *procedure, bool loose);
/* Marks the target of a transfer in the procedure, which may be in another one. */
void target_mark(struct block_search *analysis, const struct procedure *procedure, uint32_t target,
                 unsigned leaders);
/* Marks a symbol inside of a procedure. */
void inner_symbol_mark(struct block_search *analysis, uint32_t instruction);
/* The steps of program_analyse(). Targets of branches and calls, and instructions after the end of a block,
   become leaders. */
void direct_leaders_mark(struct block_search *analysis, const struct procedure *procedure);
/* Words in the data of one object that look like addresses of text make leaders. */
void data_addresses_mark(struct block_search *analysis, const struct program *object);
void landings_mark(struct block_search *analysis);

/* ---- blocks.c ---- */

void blocks_build(struct block_search *analysis);
void edges_build(struct block_search *analysis);
void incoming_build(struct program *program);
/* Marks procedures whose addresses are used for something other than direct calls through the GOT. */
void escapes_find(struct program *program);

/* ---- parts.c ---- */

/* Fills procedures' `whole` and blocks' `from_part`. Requires blocks and edges. */
void parts_find(struct program *program);

/* ---- text_data.c ---- */

/* Marks blocks that are data. */
void text_data_find(struct program *program);

/* ---- returning.c ---- */

/* Fills `returning`. Direct calls must be found. */
void returning_find(struct block_search *analysis);
/* False if the call is a direct one of a procedure that cannot return. */
bool call_may_return(const struct program *program, const uint8_t *returning, uint32_t call);

/* ---- jump_tables.c ---- */

/* Finds the targets of the indirect jumps of one procedure, marks them as leaders and appends to tables. */
void jump_tables_find(struct block_search *analysis, uint32_t procedure);
/* Any place in a caller of a procedure that returns to computed addresses may be such an address. Called
   when all procedures' jumps are known. */
void returns_behind_mark(struct block_search *analysis);

/* ---- values.c ---- */

/* The state when control arrives from outside: only the data base is known. */
struct state outside_state(const struct region *region);
/* Merges `from`, which arrives from instruction `source` (NO_INDEX: from outside), into the entry state of
   `block`; returns true if that changed. */
bool state_join(struct region *region, uint32_t block, uint32_t source, const struct state *from);
/* Executes the instruction at `at`, which does not transfer control. */
void state_step(struct region *region, struct state *state, uint32_t at);
/* The registers are set to new, unknown values; `at`: the instruction that defines them, or NO_INDEX. */
void state_forget(struct region *region, struct state *state, register_set registers, uint32_t at);
void state_set_unknown(struct state *state, unsigned reg, uint32_t symbol, uint64_t limit);
void state_set_constant(struct state *state, unsigned reg, uint64_t number);
/* From now on, values with this symbol are below the limit. */
void state_add_fact(struct state *state, uint32_t symbol, uint64_t limit);
/* True for a sum and what is made of it: it is no address of a procedure. */
bool value_is_computed(const struct value *value);
/* The upper limit of the value's symbol; 0 if unknown. */
uint64_t value_limit(const struct state *state, const struct value *value);

#endif
