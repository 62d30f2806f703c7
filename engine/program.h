/* program.h: the program model: an Alpha ELF executable as text, procedures, blocks and edges, with
   liveness. Built by engine/object/elf_input.c, procedures.c, leaders.c, blocks.c, liveness.c; read by all of
   engine/.
 */
#ifndef ATOMC_PROGRAM_H
#define ATOMC_PROGRAM_H

#include <libelf.h>

#include "codegen/isa.h"
#include "support/support.h"

#define NO_INDEX UINT32_MAX

/* A loadable segment as in the input's program headers. */
struct segment {
    uint64_t address;     /* p_vaddr */
    uint64_t file_offset; /* p_offset */
    uint64_t file_size;
    uint64_t memory_size;
    uint32_t flags; /* PF_R | PF_W | PF_X */
    uint64_t alignment;
};

/* A symbol of the text. */
struct text_symbol {
    uint32_t first; /* instruction */
    uint32_t count; /* instructions, 0 if unknown */
    uint32_t rank;  /* among the names of one place the best has the lowest rank */
    bool is_function, is_local_label;
    uint8_t binding;  /* STB_LOCAL, STB_GLOBAL, STB_WEAK */
    const char *name; /* in the image */
};

enum procedure_origin { PROCEDURE_SYMBOL, PROCEDURE_EH_FRAME, PROCEDURE_REACHED, PROCEDURE_GAP };

/* A procedure is a contiguous range of instructions. Procedures partition the text: code that no symbol,
   FDE or call names becomes PROCEDURE_GAP, so every word of text belongs to exactly one procedure. */
struct procedure {
    const char *name; /* symbol, or proc_at_0x..., or LIBRARY+0x... */
    uint32_t first;   /* instruction index of the first word */
    uint32_t count;   /* instructions */
    uint32_t first_block;
    uint32_t block_count;
    uint64_t data_base;  /* the base address of its data ($gp on Alpha), or 0 if unknown */
    uint32_t frame_size; /* bytes, from the prologue's lda $sp; 0 if unknown */
    uint32_t whole;      /* the procedure that this one is a nameless part of, or itself (parts.c) */
    uint32_t next_part;  /* for a whole procedure: its first part; for a part: the next part; NO_INDEX:
                            none */
    uint8_t origin;      /* enum procedure_origin */
    bool sets_data_base; /* by its first two instructions: callers with the same one enter after them */
    bool address_taken;  /* address found in data, or computed in text */
    bool escapes;        /* its address is used for something other than direct calls through the GOT */
    bool is_untyped;     /* its symbols do not indicate whether it is code */
    bool is_leaf;
    bool lost_jump;      /* an unresolved jump may go to any of its instructions */
    bool returns_behind; /* it returns to addresses that it computes from its return address */
    /* Registers that are live at its entry only because a caller may read them after the call: the other
       callers may not need them. Set by liveness_analyse. */
    register_set passed_through;
    /* Registers that it stores only to preserve them, except registers that every procedure preserves:
       arguments that a call may lack, temporaries of a caller. A caller may never have set these registers,
       so no convention says who preserves them. Set by liveness_analyse. */
    register_set kept;
};

enum edge_kind {
    EDGE_FALLTHROUGH, /* next block; after a call: the return point */
    EDGE_TAKEN,       /* direct branch, conditional or not, within the procedure */
    EDGE_TABLE,       /* one of the targets of an indirect jump */
};
struct edge {
    uint32_t from, to; /* block indices */
    uint8_t kind;
};

/* Reasons why control may enter a block other than along its edges (bit set). LEADER_UNKNOWN_JUMP: some jmp
   in the procedure could not be resolved, and the block may be its target. */
enum leader {
    LEADER_PROCEDURE_ENTRY = 1, /* first block */
    LEADER_ALTERNATE_ENTRY = 2, /* branched to or called from another procedure, or a second symbol */
    LEADER_RETURN_POINT = 4,    /* follows a call */
    LEADER_ADDRESS_TAKEN = 8,   /* its address is in data or computed (computed goto, function pointer) */
    LEADER_LANDING_PAD = 16,    /* C++ exception landing pad, from the LSDA */
    LEADER_BRANCH_TARGET = 32,  /* target of a direct branch */
    LEADER_TABLE_TARGET = 64,   /* target of a resolved jump table */
    LEADER_UNKNOWN_JUMP = 128,
};

/* The kinds of a block's end. Calls, callsys and other traps end blocks, so that every instruction of an
   entered block executes (except after faults) and counts remain exact across exit(). */
enum block_end {
    END_FALLTHROUGH, /* the next instruction is a leader */
    END_COND_BRANCH,
    END_BRANCH,      /* br within the procedure */
    END_TAIL_BRANCH, /* br to another procedure */
    END_CALL,        /* bsr, jsr */
    END_RETURN,
    END_JUMP_TABLE,   /* jmp with known targets */
    END_JUMP_UNKNOWN, /* jmp, targets unknown (tail call or computed goto) */
    END_SYSTEM_CALL,  /* callsys: may not return */
    END_TRAP,         /* bugchk, bpt, gentrap, halt, invalid word: execution may or may not continue */
};
struct basic_block {
    uint32_t first; /* instruction index */
    uint32_t count;
    uint32_t procedure;
    uint32_t first_successor; /* index into program.edges; sorted by from */
    uint32_t successor_count;
    uint32_t first_predecessor; /* index into program.incoming */
    uint32_t predecessor_count;
    uint32_t loop;      /* the innermost one that contains it, or NO_INDEX */
    uint8_t leaders;    /* enum leader bits */
    uint8_t end;        /* enum block_end */
    bool never_returns; /* ends with a call that never returns; set by liveness_analyse */
    bool from_part;     /* among other procedures, only nameless parts of its own branch to it (parts.c) */
    /* the program loads from it, and no control flow to it is known: constants in the text */
    bool is_data;
    register_set live_in; /* set by liveness_analyse; all ones before */
    /* Registers live after the last instruction, on all successors. For a call, registers live at the
       callee's entry or at the return point (for the code after the call, use the return point's own
       live_in). */
    register_set live_out;
};

/* A natural loop: the blocks from which control can reach the header again without leaving the loop. All
   back edges to one header make one loop. Two loops have no block in common, or one loop contains the other.
   A cycle that control enters at several blocks (an irreducible cycle) is not a loop. */
struct loop {
    uint32_t header; /* number of a block; control enters the loop only there */
    uint32_t procedure;
    uint32_t parent;                           /* the innermost loop around it, or NO_INDEX */
    uint32_t depth;                            /* 1: no loop around it */
    uint32_t first_back_edge, back_edge_count; /* in program.back_edges */
    uint32_t first_block, block_count;         /* index in program.loop_blocks; inner loops' blocks are
                                                  included */
};

/* An entry of a procedure. */
struct entry {
    uint32_t procedure, instruction;
};

/* A data symbol. */
struct datum {
    uint64_t address, size; /* static, as all addresses */
    const char *name;
    const char *unit;   /* for a local symbol, the object file that the symbol table names; else "" */
    uint32_t object;    /* number in the numbering of object_number() */
    uint8_t binding;    /* STB_LOCAL, ... */
    bool is_elsewhere;  /* undefined here: another object defines it */
    bool is_of_threads; /* each thread has its own */
};

/* Addresses that atomc assigns to libraries, and the bytes reserved for each. No process on Alpha maps memory
   at these addresses, so a static address of a library is never an address in memory
   (runtime/text/library_places.c). */
#define LIBRARIES_BASE (UINT64_C(1) << 42)
#define LIBRARY_ROOM   (UINT64_C(1) << 32)

/* For 64 instructions: a bit for each instruction that starts a procedure, or a block, and the number of
   starts before them (starts.c).
 */
struct starts {
    uint64_t bits;
    uint32_t before;
};

/* Registers that sites at an instruction read after the program's last use of them (observations.c). */
struct observation {
    uint32_t instruction;
    register_set before, after; /* values read from before the instruction, and from after it */
};

/* The reason for assuming that the program makes threads. */
enum threads_reason {
    THREADS_NONE,
    THREADS_SYMBOL,  /* the program contains a routine that makes threads */
    THREADS_LIBRARY, /* the program imports such a routine from a library, or an unknown library */
    THREADS_FLAGS    /* the program has no symbols, and computes clone's flags for threads */
};

/* An entry of the dynamic section that names a library, and the new name. */
struct renamed_need {
    uint64_t address; /* size of the entry's value */
    const char *name;
};

/* A library's file, and the addresses of its system calls in it. */
struct library_calls {
    /* size and hash of its contents; modification time */
    uint64_t size, hash, modified, modified_nanoseconds;
    uint32_t *addresses, count;
    const char **needed; /* the libraries that it needs */
    uint32_t needed_count;
    const char *directories; /* its search path for them, separated by colons; "" if none */
};
/* A library that the dynamic linker loads before the program begins; path NULL: the file was not found. */
struct loaded_library {
    const char *name, *path;
};

struct program {
    char *path;
    int descriptor; /* the descriptor is open as long as elf is used */
    Elf *elf;
    const uint8_t *image; /* the file's bytes, owned by elf */
    size_t image_size;
    unsigned mode; /* permission bits of the input file */
    uint64_t entry;
    uint64_t base; /* base address of a position-independent one, added to all addresses in the file */
    uint64_t program_header_offset;
    uint32_t program_header_count;
    uint32_t segment_count;
    struct segment *segments;

    /* dynamic.c: for programs with a dynamic section. */
    bool is_dynamic;
    const char *interpreter;               /* path of the dynamic linker; NULL if there is none */
    uint64_t dynamic_offset, dynamic_size; /* in the file */
    struct relocation *relocations;        /* by address */
    uint32_t relocation_count;
    uint64_t linkage_begin, linkage_end; /* addresses of the procedure linkage table; 0 if there is none */
    struct renamed_need *renamed;        /* libraries that it will need in place of others */
    uint32_t renamed_count;
    bool is_symbolic;      /* it prefers its own symbols to symbols of other objects */
    bool asks_for_threads; /* it imports functions that make threads */

    /* targets of jumps that the user specifies (--landing), because the files do not show them */
    const uint64_t *landings;
    uint32_t landing_count;

    /* Text: one range from the lowest to the highest executable section, extended if there is code outside of
       all sections (text.c). Instruction i is at text_address + 4*i. */
    uint64_t text_address;
    bool text_has_more; /* than its sections have */
    uint32_t instruction_count;
    const uint32_t *text; /* host byte order; points into the image, unless there are libraries */
    const struct architecture *architecture; /* entry by the ELF header */
    /* For each instruction: its number in all_facts; set by facts_find, in flow. The first array if all
     * numbers fit. */
    const uint16_t *short_facts;
    const uint32_t *facts;
    const struct facts *all_facts;
    struct fact_pool *fact_pool; /* facts.c: the records, which programs may share */

    /* libraries.c: libraries that are instrumented as well. The program owns them. */
    struct program **libraries;
    uint32_t library_count;
    struct library_calls
        /* library_calls.c: system calls of the libraries that the program needs, instrumented or not */
        *calls;
    uint32_t calls_count, calls_capacity;
    const struct loaded_library *loaded; /* the dynamic linker itself first */
    uint32_t loaded_count;
    bool is_plug_in; /* a library that the program loads itself, by dlopen */
    /* an attribute that was wanted, and that atomc does not know for the machine yet; NULL: none */
    const char *unknown_attribute;
    const char *unknown_hint; /* ... and what to do; or NULL */
    bool left_out;            /* the program is not instrumented, only libraries are */
    const char *output;       /* path of the output file; NULL if none is written */
    /* number of its own instructions; higher numbers are instructions of libraries */
    uint32_t own_count;
    uint32_t first_instruction; /* for a library: the number of its first instruction */

    uint32_t procedure_count;
    struct procedure *procedures; /* in address order */
    struct starts *procedure_starts, *block_starts;
    uint32_t block_count;
    struct basic_block *blocks; /* in address order */
    uint32_t edge_count;
    struct edge *edges;
    uint32_t *incoming; /* edges, sorted by the block that they reach */

    uint32_t loop_count;
    struct loop *loops;    /* sorted in the order of their headers' addresses; set by loops_find */
    uint32_t *loop_blocks; /* block numbers; each loop's header first, the others in no order */
    uint32_t back_edge_count;
    uint32_t *back_edges; /* edges */

    /* Set by places_find, each in address order. */
    uint32_t entry_count;
    struct entry *entries;
    uint32_t callsite_count;
    uint32_t *callsites; /* instructions */
    uint32_t system_call_count;
    uint32_t *system_calls; /* instructions */
    uint32_t inner_edge_count;
    uint32_t *inner_edges; /* edges that do not leave their procedure */

    /* Set by places_find: source lines in blocks, computed on first use (positions.c). */
    struct positions *positions;

    /* Set by data_find: objects by address, each one time; all their names, by name. */
    uint32_t datum_count, data_name_count;
    struct datum *data, *data_names;

    /* Set by observations_find, in order. */
    uint32_t observation_count, observation_capacity;
    struct observation *observations;
    register_set observed; /* the union of all observed registers except for ... */
    register_set aside;    /* ... registers that are also in memory (copy/aside.c) */
    /* per block: live_out without observed registers, in flow; NULL if no register is observed */
    register_set *own_live_out;

    struct profile *profile; /* counts of earlier runs (profile.h); NULL if there are none */

    /* Names of places of the text, sorted by instruction, the best name of one first. */
    uint32_t symbol_count;
    struct text_symbol *symbols;
    struct arena *arena;         /* holds all that lives as long as the program, and this struct */
    struct arena *flow;          /* blocks, edges, loops: until program_finish() */
    struct arena *scratch;       /* for temporary data of a function: released down to its mark */
    enum threads_reason threads; /* the program may have threads; set by may_have_threads */
    bool threads_asked;          /* ... requested early, by a tool */
    bool frames_on_its_stack;    /* sites save registers below its $30 (code_create()) */
    bool demangle;               /* names for people are demangled */
    struct demangled_names *demangled_names; /* created by the first p.demangled */
    bool keep_symbols;                       /* diagnostics print symbols even on terminals */
    void *debug; /* Dwfl/Dwarf handle for lines, opened on first use: attributes.c */
    const struct parameter_tables *parameters; /* read on first use: parameters.c */
    const struct named_types *types;           /* read on first use: types.c */
};

static inline uint32_t block_last(const struct basic_block *block) {
    return block->first + block->count - 1;
}

/* The facts of the instruction. Requires facts_find(). */
static inline const struct facts *facts_of(const struct program *program, uint32_t instruction) {
    return &program->all_facts[program->short_facts ? program->short_facts[instruction]
                                                    : program->facts[instruction]];
}

static inline struct constants constants_of(const struct program *program, uint32_t instruction) {
    return program->architecture->constants(program->text[instruction]);
}

/* The instruction at which callers with the same data base enter a procedure that sets it; NO_INDEX if there
   is none. */
enum { DATA_BASE_INSTRUCTIONS = 2 }; /* that set it */
static inline uint32_t entry_after_base(const struct procedure *procedure) {
    return procedure->sets_data_base && procedure->count > DATA_BASE_INSTRUCTIONS
               ? procedure->first + DATA_BASE_INSTRUCTIONS
               : NO_INDEX;
}

#endif
