/* interface.h: what atomc writes into the analysis image, and the runtime reads when the program starts.
   Included by the engine (host) and by the runtime (Alpha): 64-bit little-endian fields only. */
#ifndef ATOMC_RUNTIME_INTERFACE_H
#define ATOMC_RUNTIME_INTERFACE_H

#include <stdint.h>

#include "codegen/words.h"
#include "runtime/entries.h"

/* Where what atomc adds is mapped: below 2 GB, where an absolute address takes ldah and lda. The map is not
   among these: it lies at the low 32 bits of the text's own address. */
#define LAYOUT_POOL                                                                                          \
    UINT32_C(0x30000000) /* constants: return addresses and others; after them SITE_FRAME                    \
                          */
#define LAYOUT_WRAPPERS UINT32_C(0x3fe00000) /* just below the copies: most sites reach them by bsr */
#define LAYOUT_COPIES   UINT32_C(0x40000000)
#define LAYOUT_ANALYSIS UINT32_C(0x68000000) /* the analysis image, linked there */
#define LAYOUT_LARGE_ANALYSIS                                                                                \
    UINT32_C(0x6d000000) /* ... or there, where a large program leaves the copies more room */
#define LAYOUT_LANDINGS UINT32_C(0x50000000) /* added to the map's address: the map of landings */
#define LAYOUT_TABLES                                                                                        \
    UINT32_C(0x74000000) /* or, if that ends later, after the map of landings: program calls,                \
                           reports and strings. What is after smaller maps faults, as it has to: the         \
                           runtime follows jumps to code on the heap */
#define LAYOUT_CELLS UINT32_C(0x7b000000) /* the cells of counters, 8 bytes each */
#define LAYOUT_SCRATCH                                                                                       \
    UINT32_C(0x7fef0000)                /* 8 bytes that are never read: the high part alone is the address */
#define LAYOUT_END UINT32_C(0x7fff0000) /* what ldah/lda reach */
/* Bytes of a page: what atomc adds to a file is a multiple of Alpha's. Linux on Alpha has 8 KB, and so had
   QEMU; from version 9 on it has the pages of its host (target/alpha/cpu-param.h). */
#define ALPHA_PAGE    8192
#define SMALLEST_PAGE 4096
/* Tables of large programs that no site refers to: the runtime and routines have pointers to them. Stacks
   that the kernel makes are above. */
#define LAYOUT_FAR_TABLES UINT32_C(0x80000000)
#define LAYOUT_FAR_END    UINT32_C(0xc0000000)

/* A bit in the words of the map and of the map of landings: no indirect jump to the instruction is foreseen.
   The word is no address of user code then, so that a jump there faults; without the bit it is the copy's. */
#define MAP_UNFORESEEN UINT32_C(0x80000000)
/* All addresses of copies have this bit. In words of the map of landings that are MAP_UNFORESEEN it is 0. */
#define MAP_LANDING UINT32_C(0x40000000)

/* After the load that tells the runtime, by its fault, that the program goes to another stack: lda
   $31,x($31). There may be two registers where spills are. */
#define STACK_MARK(spilled) ALPHA_MEMORY_WORD(LDA, ALPHA_ZERO, 0x6d70 + (spilled), ALPHA_ZERO)

/* After a system call that may wait, if the runtime is told when it ends (atomc_call_ends): br $31 to the
 * next word. */
#define WAIT_MARK ALPHA_BRANCH_WORD(BR, ALPHA_ZERO, 0)

/* After the one or two loads of $memory in the copies, which give 0 where they fault: lda $31,x($31). */
#define READ_MARK(loads) ALPHA_MEMORY_WORD(LDA, ALPHA_ZERO, 0x6d60 + (loads), ALPHA_ZERO)

/* Where the runtime keeps what it may not take from the program: addresses that neither the kernel nor
   qemu-user hands out unasked (above the program's brk heap, below its mmap area). */
#define ATOMC_PRIVATE_HEAP                                                                                   \
    UINT64_C(0x1000000000) /* brk of the analysis side, unless -heapbase says another */
#define ATOMC_PRIVATE_HEAP_SIZE UINT64_C(0x800000000)  /* 32 GB */
#define ATOMC_PRIVATE_MMAP      UINT64_C(0x1800000000) /* its mmaps, 28 GB */
#define ATOMC_PRIVATE_MMAP_END  UINT64_C(0x1f00000000)
#define ATOMC_COPY_INDEX        UINT64_C(0x1f00000000) /* of the copies' beginnings (runtime/text/copies.c) */
#define ATOMC_DISTANCES         UINT64_C(0x2000000000) /* of libraries' pages, 4 GB (runtime/text/libraries.c) */
#define ATOMC_DISTANCES_END     UINT64_C(0x2100000000)
/* Of text that the program changes (runtime/text/changed_text.c): where it runs, what was there, what is
   known of it, and its system calls. */
#define ATOMC_TEXT_TWIN   UINT64_C(0x2200000000)
#define ATOMC_TEXT_BEFORE UINT64_C(0x2300000000)
#define ATOMC_TEXT_NOTES  UINT64_C(0x2400000000)
#define ATOMC_TEXT_CALLS  UINT64_C(0x2480000000)
#define ATOMC_TEXT_END    UINT64_C(0x2480002000)

/* Records of each thread, in programs that may have threads: what sums that were made at the beginning of the
   thread's block depend on. They lie after the low half of the thread's pointer and its 131,072nd part: so
   those of threads whose pointers are a multiple of 4 GB apart are not the same. Pointers are at least a
   smallest stack apart, 24 KB. Where there are more records than have room in that, the sum is shifted. */
#define ATOMC_RECORDS                UINT64_C(0x2500000000)
#define ATOMC_RECORDS_SHIFT          17
#define ATOMC_RECORDS_END            UINT64_C(0x2600010000)
#define ATOMC_FEW_RECORDS            3072 /* in 24 KB */
#define ATOMC_MOST_RECORDS           (ATOMC_FEW_RECORDS << 4)
#define ATOMC_RECORDS_SCALE(records) ((records) > ATOMC_FEW_RECORDS ? 4 : 0)
#define ATOMC_RECORDS_SCALED_END(records)                                                                    \
    (ATOMC_RECORDS + ((ATOMC_RECORDS_END - ATOMC_RECORDS) << ATOMC_RECORDS_SCALE(records)))

/* Counts of each thread, in programs that may have threads (runtime/counts/thread_counts.c). A table has the
   address of the thread's values, and ATOMC_THREAD_VALUES more: after the eighth part of its pointer, so
   that pointers which are 64 bytes apart have words of their own. Only such pages of it are mapped as have
   one. The sequence, with `far` only where the value is not within reach: call_pal rduniq; srl $0,3,$0; ldah
   $0,table($0); ldq_u $0,0($0); [ldah $0,far($0);] ldq v,near($0); lda v,1(v) or addq v,r,v; stq v,near($0)
 */
#define ATOMC_THREAD_TABLE_HIGH                                                                              \
    0x7fff /* of its address, that of a pointer 0: the first page after LAYOUT_END */
#define ATOMC_THREAD_TABLE_SHIFT 3
#define ATOMC_THREAD_VALUES      0x8000
#define ATOMC_THREAD_COUNTS      UINT64_C(0x3600000000) /* the values, one thread's after another's */
#define ATOMC_THREAD_COUNTS_END  UINT64_C(0x3e00000000)
#define ATOMC_THREAD_NOWHERE                                                                                 \
    UINT64_C(0x3f00000000) /* in words of the table that are no thread's: nothing is there */

/* A call before or after the program, or a library of its. Its arguments may be registers of the program, as
   it starts with them, as it ends with them, as it had them when it asked for the library. */
enum {
    ATOMC_REGISTER_PC = 64, /* after those of the processor: the original pc, the cycle counter, the pc */
    ATOMC_REGISTER_CYCLES,
    ATOMC_REGISTER_INSTRUMENTED_PC,
    ATOMC_REGISTER_BASE, /* $base, of the library that comes or goes */
    ATOMC_REGISTERS,
    ATOMC_REGISTER_ARGUMENTS = 32, /* as many a call with registers has at most */
};
struct atomc_program_call {
    uint64_t routine;
    uint64_t argument_count;
    uint64_t arguments; /* address of the arguments, 8 bytes each, and room for six */
    uint64_t registers; /* of a byte for each: 0, or 1 + the register that is meant; 0: all are constants */
};

/* Reports: tables written after the program. Expressions are postfix code, one for all rows, on a stack of
   signed 64-bit integers and addresses of strings; what differs between rows (static values, numbers of
   cells) is in slots, as many in each row. All operands are always computed: nothing has an effect, and
   division by zero gives 0. */
enum atomc_report_operator {
    ATOMC_REPORT_CONSTANT, /* .operand */
    ATOMC_REPORT_SLOT,     /* the row's slot number .operand */
    ATOMC_REPORT_CELL,     /* the cell whose number is in slot .operand; 0 if there is no such cell */
    ATOMC_REPORT_CELL_AT,  /* cell number .operand + what is on the stack; 0 if that is not below .count */
    ATOMC_REPORT_KEY,      /* key number .operand of the row's entry, the thread counted if it has one */
    ATOMC_REPORT_KEYED, /* what the table at .operand has for the row's keys; .count 1: in the bucket on the
                           stack */
    ATOMC_REPORT_CONDITIONAL,
    ATOMC_REPORT_LIKE,    /* does a string match a pattern? */
    ATOMC_REPORT_EQUAL,   /* are two strings equal, one of which may be the program's? .operand 1: do they
                             differ? */
    ATOMC_REPORT_OPERATOR /* and, added to it, an operator on integers, enum plan_operator; equal strings
                             that are none of the program's have one address */
};
struct atomc_report_instruction {
    uint64_t op; /* enum atomc_report_operator */
    uint64_t operand, count;
};
/* A slot's value in a row is .base + the row's unsigned number in .values, of .width bytes: 1, 2, 4, 8, or 0,
   where it is .base + .step * the row's number. */
struct atomc_report_slot {
    uint64_t values, width, base, step;
    uint64_t ascends; /* no row's value is less than that of the row before */
};
struct atomc_report_code {
    uint64_t instructions, count; /* struct atomc_report_instruction[]; none: there is no such expression */
};

enum atomc_report_format {
    ATOMC_REPORT_TEXT, /* the value is the address of a string */
    ATOMC_REPORT_DECIMAL,
    ATOMC_REPORT_HEXADECIMAL,
    ATOMC_REPORT_PERCENT,    /* of the value's sum over the rows that the filter keeps */
    ATOMC_REPORT_HUNDREDTHS, /* a number with two decimals, which has no sum; in tables of analysis routines
                              */
    ATOMC_REPORT_REAL,       /* a quotient: what is written is a double's bits */
};
/* What a column shows of a group of rows. */
/* Of rows that are put together. APART: there are no such rows, and no sum. */
enum atomc_report_merge { ATOMC_REPORT_FIRST, ATOMC_REPORT_SUM, ATOMC_REPORT_GREATEST, ATOMC_REPORT_APART };
enum { ATOMC_REPORT_OR_NONE = 2 };
struct atomc_report_column {
    uint64_t title, format; /* a string; enum atomc_report_format */
    uint64_t merge;         /* enum atomc_report_merge */
    uint64_t is_address;    /* of the program; ATOMC_REPORT_OR_NONE: or 0, for none */
    uint64_t is_procedure;  /* names of procedures: of each row's own */
    uint32_t adds_up;       /* the sum of several rows' values is that of the rows together */
    uint32_t is_inclusive;  /* the value has something of other rows' in it: known of tables that C writes */
    struct atomc_report_code value;
    struct atomc_report_code divisor; /* of the value; none: it is not divided */
    uint64_t divisor_merge;           /* FIRST or SUM */
};

enum atomc_report_flags {
    ATOMC_REPORT_DESCENDING = 1,
    ATOMC_REPORT_TOTAL = 2,
    ATOMC_REPORT_TEXT_KEY = 4,  /* the key is a string */
    ATOMC_REPORT_AS_TEXT = 8,   /* rows are their values, no table */
    ATOMC_REPORT_JOINS = 16,    /* in the file of the report before */
    ATOMC_REPORT_IN_ORDER = 32, /* rows are buckets, whose order is part of what they say */
};
/* When a report is written besides at the end. */
enum atomc_every { ATOMC_EVERY_END, ATOMC_EVERY_MILLISECONDS, ATOMC_EVERY_EVENTS, ATOMC_EVERY_SIGNAL };
struct atomc_report {
    uint64_t tool, path; /* strings; path "-": standard output, "!": standard error */
    uint64_t flags, limit;
    uint64_t depth; /* of the stack that its code needs */
    uint64_t columns, column_count;
    uint64_t hidden_count; /* more columns after these, that files of rows have */
    uint64_t header;       /* a string: what a file of rows says of itself, JSON; 0: nothing */
    struct atomc_report_code filter, key;
    uint64_t slots, slot_count, row_count; /* struct atomc_report_slot[] */
    struct atomc_report_slot group;        /* each row's number among the groups */
    uint64_t keyed; /* struct keyed_table: there are all the rows for each of its keys; 0: once */
    uint64_t every, every_count; /* enum atomc_every; or its signal */
    uint64_t every_counter,
        every_due; /* cells, but not of signals: when the first reaches the second, the runtime is called */
    uint64_t every_title;            /* a string */
    uint64_t group_count, key_merge; /* 0: rows are not grouped; enum atomc_report_merge */
};

/* What people read in place of a symbol. Strings. */
struct atomc_shown_name {
    uint64_t symbol, whole, brief;
};

/* Cells that do not start at 0; those that still have this value read as 0 in reports (where switches do not
 * occur). In the order of the cells. */
struct atomc_cell_range {
    uint64_t first, count, initial;
};

/* Cells one after the other. */
struct atomc_cells {
    uint64_t first, count;
};

/* Cells of tools without C, or with calls on forks, which in a child begin at the fork. In the order of the
 * cells. */
struct atomc_fork_range {
    uint64_t first, count;
    uint64_t sums; /* what the cells had at the fork is subtracted at the end; 0: then they become .initial */
    uint64_t initial; /* ... at once */
};

/* Where the analysis code's instructions from .address on come from, up to the next one's. */
struct atomc_analysis_place {
    uint32_t address, line;   /* line 0: not known, .file is 0 */
    uint32_t file, procedure; /* strings */
};
/* A memory access of an inlined routine's: its address among the copies, and in the analysis image. */
struct atomc_inlined {
    uint32_t address, origin;
};
/* Counts that are derived when the program ends (engine/count/counting.h). Values are what sites count, and
   what follows from that; each is a cell: first all that are counted, then all that are derived, in both
   parts procedure by procedure, callers before whom they call. A value has effects: it is added to derived
   values after it, and to the cells of counters. So those that are 0, which are most, need not be looked at.
 */
enum atomc_effect {
    ATOMC_ADD,      /* to a derived value of the procedure; the number is in the upper bits */
    ATOMC_SUBTRACT, /* from one */
    ATOMC_COUNT,    /* to a cell, counted from .cell */
    ATOMC_FAR,      /* the upper bits are flags */
    ATOMC_EFFECT_BITS = 2,
    ATOMC_NEAR_MOST = (1 << (16 - ATOMC_EFFECT_BITS)) - 1,
};
/* What follows the word of an ATOMC_FAR: 32 bits, the number of the cell or value, and then words. */
enum atomc_far_effect {
    ATOMC_WITH_AMOUNT = 1,      /* signed: the cell gets so many times the value */
    ATOMC_WITH_INSTRUCTION = 2, /* of the procedure: executions that did not reach it do not count */
    ATOMC_TO_VALUE = 4,         /* to a derived value, of all; number UINT32_MAX: to none */
    ATOMC_BEHIND = 128,         /* it is for what is done after the instruction before that: executions that
                                   ended between the two count */
    ATOMC_WITH_LENGTH = 8,      /* the first instruction of a block: the amount is one for each in it, and
                                   those that were not reached do not count; */
    ATOMC_WITH_FACTOR = 32,     /* ... not one but so much, signed; */
    ATOMC_WITH_CHOICE = 16, /* ... for each of these: how many words follow, and a bit for each instruction */
    ATOMC_NEAR_CELL = 64,   /* alone: only a word follows, the cell counted from .cell. The amount is in the
                               last bits of the first word's 16, signed */
    ATOMC_AMOUNT_SHIFT = 7,
    ATOMC_AMOUNT_MASK = (1 << (16 - ATOMC_EFFECT_BITS - ATOMC_AMOUNT_SHIFT)) - 1,
    ATOMC_AMOUNT_MOST = ATOMC_AMOUNT_MASK / 2,
};
_Static_assert((ATOMC_WITH_AMOUNT ^ ATOMC_WITH_INSTRUCTION ^ ATOMC_TO_VALUE ^ ATOMC_WITH_LENGTH ^
                ATOMC_WITH_CHOICE ^ ATOMC_WITH_FACTOR ^ ATOMC_NEAR_CELL ^ ATOMC_BEHIND) == 255,
               "each flag has a bit of its own");
/* A procedure in which something is counted. Its effects begin with where each value's words begin, the
   values counted first, and where those of the last end, counted from the end of this index. Words are of 16
   bits, or of 32 if the offset has ATOMC_WIDE added. The first word of a derived value tells where it is that
   control may get lost: twice a node, +1 if the value leaves it; 0: nowhere. Node 1 + 2 * b is the head of
   the procedure's block b, 2 + 2 * b its end. The table has one more entry than there are procedures, for the
   ends. */
struct atomc_counted {
    uint32_t counted, derived;   /* its first values of both kinds */
    uint32_t block, instruction; /* its first */
    uint32_t cell;
    uint32_t effects; /* offset */
};
#define ATOMC_WIDE 1

/* Ranges describe the copies, in the order of their addresses, for what is under way when the program is
   interrupted and never resumed: words from the range before, shifted by ATOMC_RANGE_FLAGS, and flags; as
   these say, the node that control has reached (2 * block, +1 for its end), the cell of a count that will be
   made in the block, the block's first instruction (all three as signed differences from the latest), and its
   length. */
enum atomc_range_flags {
    ATOMC_RANGE_NODE = 1,
    ATOMC_RANGE_COUNT = 2,
    ATOMC_RANGE_BLOCK = 4,
    ATOMC_RANGE_BOUNDARY = 8, /* a signal at its very beginning, no fault, belongs to the range before */
};
#define ATOMC_RANGE_FLAGS 4

/* Counts in registers: in loops some counts are made in registers that the program does not use there. From
   .address in the copies on, up to the next one's, they are those of the set, and of its parents but 0. */
struct atomc_promoted {
    uint32_t address, set;
};
struct atomc_promoted_set {
    uint32_t parent, reg, cell;
};

/* Sums of a block's instructions, or of its loads or stores, that inserted code makes at its beginning. Where
   the program is interrupted in the block and never resumed, those that were not reached are subtracted. In
   the order of addresses; the table of blocks has one more entry than there are, for the end of the sums. */
struct atomc_early_block {
    uint32_t begin, end;   /* addresses in the copies: after its first sum, and after the block */
    uint32_t first, count; /* its instructions */
    uint32_t sum;          /* number of its first */
};
struct atomc_early_sum {
    uint32_t address; /* from which on it has been made */
    uint32_t cell;
    uint32_t chosen; /* address of a bit for each of the block's instructions: those that it is of; 0: all */
    uint32_t record; /* number from 1 of the thread's record that says which cell from .cell on; 0: .cell */
    int64_t each;    /* what it is for each instruction */
    uint32_t amount; /* address of a struct atomc_early_amount that says it instead; 0: none */
    uint32_t cell_count; /* or so many groups of cells: a record beyond says that it has not been made. 0: the
                            record is the cell's address, or ATOMC_NO_RECORD */
    uint32_t buckets;    /* address of a struct command_buckets: the next record has the value; 0: none */
};
/* What is computed of the instructions that are executed: postfix code (struct command_instruction); its
   arguments are the instructions, loads and stores, then the records from .record on. */
struct atomc_early_amount {
    uint32_t code, code_count;
    uint32_t loads, stores; /* as .chosen */
    uint32_t record;        /* number from 1 */
};
#define ATOMC_NO_RECORD (-1)

/* Where the copy of an instruction begins that the map has another address of: control from outside enters
   elsewhere, and reaches it. */
struct atomc_inside {
    uint32_t copy, instruction;
};

/* Instructions of a block that have a second copy, which is executed where nothing that stands between them
   would do anything: control enters it at its beginning only, and leaves it at its end. It is taken for
   inserted code. An access there that faults is made again in the first copy (engine/copy/shortcuts.c). In
   the order of both addresses. */
struct atomc_shortcut {
    uint32_t copy, real; /* where it begins, and where the first copy of the same instructions does, */
    uint32_t instruction, count; /* ... which are these */
};

/* Copies of a locked sequence's instructions where something waits for its end already: inserted code, so
   that a signal is delivered after what waits. In the order of addresses. */
struct atomc_waiting {
    uint32_t begin, end; /* addresses in the copies */
};

/* A variable of an analysis routine's, and the cell that is added to it when the program has ended. */
struct atomc_sum {
    uint64_t address, cell;
};

/* A kind of instruction that the runtime executes step by step: words of which the bits in `mask` are as in
 * `match`. */
struct atomc_kind {
    uint32_t match, mask;
    uint16_t opcode; /* enum alpha_opcode, register form */
    uint16_t format; /* enum alpha_format */
};

/* A table of addresses in the instrumented program; they follow, 8 bytes each. */
struct atomc_translations {
    uint64_t text_address, text_size, shift, count;
};

/* What was in the program's text where there is a branch to a copy now, or another word of the ways there. In
   the order of instructions. */
struct atomc_patched {
    uint32_t instruction, word; /* counted over all objects */
    uint32_t now;               /* what is there */
};

/* Words of the program's text, or a library's, that are ATOMC_TRAP now. What was there is in a table of
   words, from number .words on. Instructions are counted over all objects. */
struct atomc_traps {
    uint32_t first, count, words;
};
#define ATOMC_TRAP ALPHA_MEMORY_WORD(STQ, ALPHA_ZERO, 24, ALPHA_ZERO)
/* In a copy, where no register is free: the runtime does what `jsr reg,(reg)` does there. */
#define ATOMC_TRANSFER_TRAP(reg)  ALPHA_MEMORY_WORD(STQ, ALPHA_ZERO, 64 + 8 * (reg), ALPHA_ZERO)
#define ATOMC_TRAP_REGISTER(word) (((word)-ATOMC_TRANSFER_TRAP(0)) / 8)
#define ATOMC_IS_TRANSFER_TRAP(word)                                                                         \
    (((word)-ATOMC_TRANSFER_TRAP(0)) % 8 == 0 && ATOMC_TRAP_REGISTER(word) < ALPHA_ZERO)

/* A library that is instrumented. Its addresses are those that atomc gave it; in memory it is elsewhere. */
struct atomc_library {
    uint64_t name;        /* its path */
    uint64_t needed;      /* the program does not begin without it */
    uint64_t size, hash;  /* of its file; of the first ATOMC_HASHED bytes of that, by FNV-1a of words */
    uint64_t base;        /* added to the addresses in its file */
    uint64_t begin, end;  /* addresses of its segments */
    uint64_t text, first; /* address of its text, number of the first instruction */
    uint64_t count;       /* of instructions */
    uint64_t map;         /* 32-bit words: copies of its instructions, 0 for those that have none */
    uint64_t springboards, springboard_count, springboards_address; /* words, and where they are to be */
    uint64_t constants, constant_count; /* uint32_t[]: those of the pool that are its addresses */
    uint64_t before, before_count;      /* struct atomc_program_call[]: when it has been loaded, */
    uint64_t after, after_count;        /* and before it is unloaded */
};
#define ATOMC_HASHED 4096

/* A library's file as it was, and the addresses in it of its system calls. */
struct atomc_library_calls {
    uint64_t size, hash, modified, modified_nanoseconds;
    uint64_t addresses, count; /* uint32_t[] */
};

/* An entry that is replaced, where analysis routines call it all the same, and what the procedure then finds
   as its return address: one of a constant, which is the address of the code there. 0: it is that of the
   code. */
struct atomc_retained {
    uint64_t name, address, back;
};

/* What atomc_loader maps (entry.S knows the members, entries.h where they are); length 0: no more. */
struct atomc_loaded {
    uint64_t address, length;    /* of whole pages */
    uint64_t protection;         /* PROT_READ, ... */
    int64_t offset;              /* in the file that is executed; ATOMC_LOADED_NOTHING: zeroes */
    uint64_t zeroed, zeroed_end; /* bytes that the file does not have; none if they are the same */
};
#define ATOMC_LOADED_NOTHING (-1)

#define ATOMC_OWN_RANGES 20 /* at most */

/* What files of rows with tables of a tool's C say: members of a JSON object, without its braces. */
struct atomc_tool_header {
    uint64_t tool, header; /* strings */
};

/* The symbol atomc_image in the analysis image. */
/* ---- atomc run ---- */
/* It executes /proc/self/fd/N: N is the instrumented file, and these are after it. The settings are strings,
   with a NUL after each: the mark; the program's own file, an absolute path; its name as the kernel would
   have got it; what to call it where results are shown, "" if the process that is started is the only one. */
#define ATOMC_RUN_FOLDER "/proc/self/fd/"
#define ATOMC_RUN_MARK   "atomc run 1"
enum { ATOMC_RUN_SETTINGS = 1, ATOMC_RUN_SHOWN, ATOMC_RUN_DESCRIPTORS };

struct atomc_image {
    uint64_t entry_copy;           /* address of the copy of the program's first instruction */
    uint64_t text_address;         /* the program's text: original address ... */
    uint64_t text_size;            /* ... and bytes */
    uint64_t text_map;             /* 32-bit words: original instruction -> address of its copy */
    uint64_t program_entry;        /* the auxiliary vector's values in the uninstrumented program: AT_ENTRY */
    uint64_t program_headers;      /* AT_PHDR */
    uint64_t program_header_count; /* AT_PHNUM */
    uint64_t analysis_headers; /* program headers of the analysis image in memory, for its own C library */
    uint64_t analysis_header_count;
    uint64_t before, before_count; /* struct atomc_program_call[] */
    uint64_t after, after_count;
    uint64_t copies, copies_end; /* addresses of the copies */
    uint64_t own_stack;          /* 1: routines run below SITE_FRAME, else 0 */
    uint64_t own_frames;         /* 1: frames of sites are there, too; else 0 */
    uint64_t aside;              /* bit N: $N is set aside (runtime/text/shadow_registers.c) */
    uint64_t spills_far;         /* 1: spills are SPILL_FAR below $30, as long as the runtime allows it */
    uint64_t cells, cell_count;  /* the counters' cells, 8 bytes each */
    uint64_t cell_ranges, cell_range_count; /* struct atomc_cell_range[] */
    uint64_t fork_ranges, fork_range_count; /* struct atomc_fork_range[] */
    uint64_t settled, settled_count;        /* struct atomc_cells[]: only settling changes them, */
    uint64_t unsettled, unsettled_count;    /* ... but for these: uint32_t[] */
    uint64_t forked, forked_count;   /* struct atomc_program_call[]: in a child of fork, first of all */
    uint64_t reports, report_count;  /* struct atomc_report[] */
    uint64_t tools, tool_count;      /* struct atomc_tool_header[] */
    uint64_t places, place_count;    /* struct atomc_analysis_place[], by address */
    uint64_t counted, counted_count; /* struct atomc_counted[]; 0: nothing is derived */
    uint64_t effects, ranges;
    uint64_t stops;       /* counts are derived, or shown while the program runs, and there may be threads */
    uint64_t ranges_size; /* bytes */
    uint64_t first_value; /* the cell of the first value counted */
    uint64_t thread_values; /* how many values each thread counts by itself: all that are counted, or 0 */
    uint64_t thread_areas, thread_area_count, thread_area_size; /* where, since the program began; bytes */
    uint64_t promoted, promoted_count,
        promoted_sets; /* struct atomc_promoted[], by address; struct atomc_promoted_set[] */
    uint64_t early_blocks, early_block_count, early_sums; /* struct atomc_early_block[], atomc_early_sum[] */
    uint64_t records, record_count;                       /* where they are: int64_t[], or ATOMC_RECORDS */
    uint64_t insides, inside_count;                       /* struct atomc_inside[] */
    uint64_t shortcuts, shortcut_count;                   /* struct atomc_shortcut[] */
    uint64_t waiting, waiting_count;                      /* struct atomc_waiting[] */
    uint64_t moved,
        moved_count;   /* uint32_t[]: instructions in the copies that are executed with a stack pointer */
    uint64_t moved_by; /* so much lower, ascending */
    uint64_t sums, sum_count;          /* struct atomc_sum[] */
    uint64_t kinds, kind_count;        /* struct atomc_kind[] */
    uint64_t patched, patched_count;   /* struct atomc_patched[] */
    uint64_t retained, retained_count; /* struct atomc_retained[] */
    uint64_t procedures,
        procedure_count; /* uint32_t[]: the first instruction of each, of the program's own */
    uint64_t traps, trap_count, trapped_words;   /* struct atomc_traps[], by .first; uint32_t[] */
    uint64_t text_runs;                          /* the original text is executable: not all is copied */
    uint64_t text_writable;                      /* from the beginning */
    uint64_t heap;                               /* where the analysis side's begins */
    uint64_t libraries, library_count;           /* struct atomc_library[] */
    uint64_t library_calls, library_calls_count; /* struct atomc_library_calls[] */
    uint64_t unthreaded;                         /* nothing is done for the case that a thread is made */
    uint64_t inlined, inlined_count;             /* struct atomc_inlined[], by address */
    uint64_t quiet;                              /* files are not announced */
    uint64_t interpreter;                        /* path of the program's dynamic linker, 0: it has none */
    uint64_t names, name_count;                  /* struct atomc_shown_name[], by their symbols' characters */
    uint64_t sourceless, sourceless_count; /* uint32_t[], ascending: strings, names of procedures none of
                                              which has a source file, though others have */
    uint64_t run;                          /* 1: `atomc run` starts it */
    uint64_t loader, loader_size;          /* pages that are not needed any more; 0: there are none */
    struct atomc_own_range {
        uint64_t begin, end;
    } own[ATOMC_OWN_RANGES]; /* addresses of what atomc has added to the file; the rest is 0 */
};

#endif
