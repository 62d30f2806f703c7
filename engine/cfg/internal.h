/* internal.h: what the passes that build procedures, blocks and edges share among themselves.
   Requires program.h; nobody outside of program_analyse()'s files includes it. */
#ifndef ATOMC_CFG_H
#define ATOMC_CFG_H

#include "engine/program.h"

/* A little-endian 64-bit or signed 32-bit word of the loaded image; false if it is not from the file. */
bool program_word64(const struct program *program, uint64_t address, uint64_t *value);
bool program_word32(const struct program *program, uint64_t address, int32_t *value);
/* Instruction index that the GOT slot displacement($29) holds, NO_INDEX if it is no text address. */
uint32_t got_target(const struct program *program, uint64_t gp, int32_t displacement);
/* The instruction that the jsr or jmp at `instruction` goes to, known from a GOT load of its register between
   `first` and it; NO_INDEX if unknown. */
uint32_t indirect_target(const struct program *program, uint64_t gp, uint32_t first, uint32_t instruction);

/* A frame description entry: [begin, end) text addresses, and its language-specific data area, 0 if none. */
struct frame_entry {
    uint64_t begin, end, lsda;
};
struct frame_table {
    struct frame_entry *entries; /* malloc'd, sorted by begin */
    size_t count, capacity;
};

/* The targets found for an indirect jump. */
struct jump_table {
    uint32_t instruction;                /* the jmp */
    uint32_t first_target, target_count; /* in analysis.targets */
};

struct block_search {
    struct program *program;
    struct diagnostics *diagnostics;
    struct frame_table frames;
    uint16_t *leaders;   /* enum leader bits of each instruction; 0: no leader */
    uint64_t *gp_values; /* distinct values of $29 found in ldgp sequences, sorted */
    size_t gp_count, gp_capacity;
    uint64_t *object_gp;       /* per object: its only one; 0: none, 1: there are more */
    struct jump_table *tables; /* sorted by instruction */
    size_t table_count, table_capacity;
    uint32_t *targets; /* instruction indices */
    size_t target_count, target_capacity;
};

/* ---- procedures.c ---- */
void procedures_find(struct block_search *analysis);

/* ---- starts.c: once procedures and blocks have their first instructions ---- */
void procedure_starts_make(struct program *program);
void block_starts_make(struct program *program);
/* The only value of $29 of the object that the instruction is in, or 0 if that has several. */
uint64_t common_gp(const struct block_search *analysis, uint32_t instruction);

/* ---- landing_pads.c ---- */
/* The allocated section of this name of one object, false if there is none. */
bool find_section(const struct program *program, const char *wanted, uint64_t *address, uint64_t *size);
/* Reads .eh_frame; entries that are malformed or outside of the text are left out. */
void frames_read(struct block_search *analysis);
/* Marks LEADER_LANDING_PAD. */
void landing_pads_mark(struct block_search *analysis);

/* ---- blocks.c ---- */
/* Marks LEADER_ADDRESS_TAKEN where the procedure computes an address of text; `loose`: also from parts that
   may not belong together, and only inside the procedure. */
void computed_addresses_mark(struct block_search *analysis, const struct procedure *procedure, bool loose);

/* ---- jump_tables.c ---- */
/* Finds the targets of the indirect jumps of one procedure, marks them as leaders and appends to tables. */
void jump_tables_find(struct block_search *analysis, uint32_t procedure);

#endif
