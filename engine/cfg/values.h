/* values.h: abstract values of integer registers, for finding jump tables.
   Requires cfg/internal.h; shared by values.c and jump_tables.c. */
#ifndef ATOMC_VALUES_H
#define ATOMC_VALUES_H

#include "engine/cfg/internal.h"

enum value_kind {
    VALUE_NONE,     /* left over by a call: nothing that a program would use */
    VALUE_UNKNOWN,  /* some value; equal symbols are equal values */
    VALUE_CONSTANT, /* number */
    VALUE_SCALED,   /* symbol * scale */
    VALUE_ADDRESS,  /* number + symbol * scale */
    VALUE_ENTRY,    /* the 4 or 8 bytes (scale) at number + symbol * scale */
    VALUE_TARGET,   /* base + the 4-byte entry at number + symbol * 4 */
    VALUE_COMPARED, /* 1 if symbol < limit, else 0; scale 1: the reverse */
};
struct value {
    uint8_t kind;
    uint8_t scale;
    uint32_t symbol; /* where the value was defined; NO_INDEX: anywhere */
    uint64_t limit;  /* the symbol is below it; 0: no limit known */
    uint64_t number;
    uint64_t base; /* of a target: $29, or a label's address */
};
enum { MOST_BLOCKS = 200000 }; /* what has more is no procedure, but text without symbols and frames */
enum { FACT_COUNT = 6, SLOT_COUNT = 16, SYMBOL_USE = 1 << 29, SYMBOL_SLOT = 1 << 30, SYMBOL_JOIN = 1u << 31 };
struct fact {
    uint32_t symbol;
    uint64_t limit; /* symbol < limit; 0: empty */
};
struct slot {
    int32_t offset; /* from $30 or, with bit 20 added, from $15 */
    struct value value;
};
struct state {
    bool reached;
    uint32_t only_source; /* the instruction that all control comes from so far, or NO_INDEX: from several */
    struct value registers[32];
    struct fact facts[FACT_COUNT];
    struct slot slots[SLOT_COUNT]; /* constants and targets in the stack frame */
    unsigned next_slot;
    uint64_t symbols[4]; /* a symbol whose bit, of its low 8 bits, is clear is nowhere in the state */
};

/* A procedure under analysis, in blocks between the leaders known so far. */
struct region {
    struct block_search *analysis;
    const struct program *program;
    const struct procedure *procedure;
    uint32_t block_count;
    uint32_t *first; /* instruction of each block; first[block_count] is the end */
    struct state *entry;
    uint8_t *pending;
    uint8_t *relevant; /* blocks from which a jump can be reached: only these are followed */
    bool changed_leaders;
    bool has_labels;    /* jumps to an address that it loads: all that look like labels are leaders */
    bool last_round;    /* nothing new is found by following values */
    bool adds_to_label; /* an address of a label, and something that is not known */
    bool lost_jump;     /* of which nothing is known */
    size_t first_table; /* of this procedure, in analysis.tables */
};

/* Control from outside: nothing is known but $29. */
struct state outside_state(const struct region *region);
/* Merges `from`, which comes from instruction `source` (NO_INDEX: from outside), into the entry state of
   `block`; true if that changed. */
bool state_join(struct region *region, uint32_t block, uint32_t source, const struct state *from);
/* Executes the instruction at `at`, which transfers no control. */
void state_step(struct region *region, struct state *state, uint32_t at);
/* The registers have other values from now on; `at`: the instruction that defines them, or NO_INDEX. */
void state_forget(struct region *region, struct state *state, alpha_register_set registers, uint32_t at);
void state_set_unknown(struct state *state, unsigned reg, uint32_t symbol, uint64_t limit);
void state_set_constant(struct state *state, unsigned reg, uint64_t number);
/* The value with this symbol is below the limit, from now on. */
void state_add_fact(struct state *state, uint32_t symbol, uint64_t limit);
/* What the value's symbol is below, 0 if unknown. */
uint64_t value_limit(const struct state *state, const struct value *value);

#endif
