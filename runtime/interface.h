/* interface.h: the data that atomc writes into the analysis image, and that the runtime reads when the
   program starts. Included by the engine (host) and by the runtime (Alpha): 64-bit little-endian fields
   only. */
#ifndef ATOMC_RUNTIME_INTERFACE_H
#define ATOMC_RUNTIME_INTERFACE_H

#include <stdint.h>

#include "runtime/entries.h"

/* Addresses of atomc's additions to a program: fields of struct machine (engine) and of atomc_image
   (runtime). machine/ARCHITECTURE/layout.h has the values. The map is elsewhere: at the low 32 bits of the
   text's own address. */
struct atomc_addresses {
    uint64_t pool;           /* constants: return addresses and others; after them SITE_FRAME */
    uint64_t wrappers;       /* just below the copies: most sites reach them by a direct call */
    uint64_t copies;         /* */
    uint64_t analysis;       /* the address for which the analysis image is linked, */
    uint64_t large_analysis; /* or this one, which leaves the copies of a large program more room */
    uint64_t landings;       /* added to the map's address: the map of landings */
    uint64_t tables;         /* or, if that ends later, after the map of landings: program calls, reports and
                                strings. Code after smaller maps faults, as intended: the runtime follows jumps to
                                code on the heap */
    uint64_t cells;          /* the cells of counters, 8 bytes each */
    uint64_t scratch;        /* 8 bytes that are never read: their address takes one instruction */
    uint64_t end;            /* the end of the range of addresses that two instructions make */
    /* Tables of large programs that no site refers to: the runtime and routines have pointers to them. Stacks
       that the kernel makes are above. */
    uint64_t far_tables, far_end;
};

/* A bit in the words of the map and of the map of landings: no known indirect jump reaches the instruction.
   With this bit the word is not a user address, so that such a jump faults. Without this bit the word is the
   copy's address. */
#define MAP_UNFORESEEN UINT32_C(0x80000000)
/* All addresses of copies have this bit set. The bit is 0 in words of the map of landings that are
   MAP_UNFORESEEN. */
#define MAP_LANDING UINT32_C(0x40000000)

/* Memory of the runtime, at addresses that neither the kernel nor qemu-user allocates by itself (above the
   program's brk heap, below its mmap area). */
#define ATOMC_PRIVATE_HEAP                                                                                   \
    UINT64_C(0x1000000000) /* brk of the analysis side, unless -heapbase specifies another address */
#define ATOMC_PRIVATE_HEAP_SIZE UINT64_C(0x800000000)  /* 32 GB */
#define ATOMC_PRIVATE_MMAP      UINT64_C(0x1800000000) /* its mmaps, 28 GB */
#define ATOMC_PRIVATE_MMAP_END  UINT64_C(0x1f00000000)
#define ATOMC_COPY_INDEX        UINT64_C(0x1f00000000) /* for an index of the copies (runtime/text/copies.c) */
#define ATOMC_DISTANCES                                                                                      \
    UINT64_C(0x2000000000) /* for a table of libraries' pages, 4 GB (runtime/text/library_places.c) */
#define ATOMC_DISTANCES_END UINT64_C(0x2100000000)
/* For text that the program changes (runtime/text/changed_text.c): the addresses at which the text runs, its
   original words, its states, and its system calls. */
#define ATOMC_TEXT_TWIN   UINT64_C(0x2200000000)
#define ATOMC_TEXT_BEFORE UINT64_C(0x2300000000)
#define ATOMC_TEXT_NOTES  UINT64_C(0x2400000000)
#define ATOMC_TEXT_CALLS  UINT64_C(0x2480000000)
#define ATOMC_TEXT_END    UINT64_C(0x2480002000)

/* Records of each thread, in programs that may have threads: sums made at the beginning of the thread's
   current block depend on them. The address of a record is a base plus the low half of the thread's pointer
   plus 1/131072 of the pointer: so threads whose pointers differ by a multiple of 4 GB have different
   records. Thread pointers are at least a smallest stack apart, 24 KB. If a thread has more records than fit
   into that, the sum is shifted. */
#define ATOMC_RECORDS                UINT64_C(0x2500000000)
#define ATOMC_RECORDS_SHIFT          17
#define ATOMC_RECORDS_END            UINT64_C(0x2600010000)
#define ATOMC_FEW_RECORDS            3072 /* in 24 KB */
#define ATOMC_MOST_RECORDS           (ATOMC_FEW_RECORDS << 4)
#define ATOMC_RECORDS_SCALE(records) ((records) > ATOMC_FEW_RECORDS ? 4 : 0)
#define ATOMC_RECORDS_SCALED_END(records)                                                                    \
    (ATOMC_RECORDS + ((ATOMC_RECORDS_END - ATOMC_RECORDS) << ATOMC_RECORDS_SCALE(records)))

/* Counts of each thread, in programs that may have threads (runtime/counts/thread_counts.c). A table has the
   address of the thread's values plus ATOMC_THREAD_VALUES, at an eighth of the thread's pointer, so that
   pointers 64 bytes apart have different words. Only pages of the table that have an entry are mapped.
   (runtime/machine/alpha/counts.c has the sequence.) */
#define ATOMC_THREAD_TABLE_HIGH                                                                              \
    0x7fff /* of the address for a pointer of 0: the first page after the end of the layout */
#define ATOMC_THREAD_TABLE_SHIFT 3
#define ATOMC_THREAD_VALUES      0x8000
#define ATOMC_THREAD_COUNTS      UINT64_C(0x3600000000) /* the values of all threads, one area after another */
#define ATOMC_THREAD_COUNTS_END  UINT64_C(0x3e00000000)
#define ATOMC_THREAD_NOWHERE                                                                                 \
    UINT64_C(0x3f00000000) /* the value of unused words of the table: this address is never mapped */
/* The lowest address that qemu-user allocates for mappings and the stack. */
#define KERNEL_MAPPINGS UINT64_C(0x3f00000000)

/* A call before or after the program, or one of its libraries. Its arguments may be registers of the
   program: at its start, at its end, or when it requested the library. */
enum {
    /* numbers after those of the processor's registers: the original pc, the cycle counter, the pc */
    ATOMC_REGISTER_PC = 64,
    ATOMC_REGISTER_CYCLES,
    ATOMC_REGISTER_INSTRUMENTED_PC,
    ATOMC_REGISTER_BASE, /* $base of the library that is loaded or unloaded */
    ATOMC_REGISTERS,
    ATOMC_REGISTER_ARGUMENTS = 32, /* the most arguments of a call with registers */
};
struct atomc_program_call {
    uint64_t routine;
    uint64_t argument_count;
    uint64_t arguments; /* address of the arguments, 8 bytes each, and room for six */
    /* address of a byte for each argument: 0, or 1 + the register that is passed; 0: all arguments are
       constants */
    uint64_t registers;
};

/* Reports: tables written after the program. Expressions are postfix code on a stack of signed 64-bit
   integers and addresses of strings. All rows share the code. Values that differ between rows (static values,
   numbers of cells) are in slots; every row has the same number of slots. All operands are always computed:
   they have no side effects, and division by zero gives 0. */
enum atomc_report_operator {
    ATOMC_REPORT_CONSTANT, /* .operand */
    ATOMC_REPORT_SLOT,     /* the row's slot number .operand */
    ATOMC_REPORT_CELL,     /* the cell whose number is in slot .operand; 0 if there is no such cell */
    ATOMC_REPORT_CELL_AT,  /* cell number .operand + the number on the stack; 0 if that is not below .count */
    /* key number .operand of the row's entry, where the thread is counted if it is a key */
    ATOMC_REPORT_KEY,
    /* the value of the table at .operand for the row's keys; .count 1: in the bucket whose number is on the
       stack */
    ATOMC_REPORT_KEYED,
    ATOMC_REPORT_CONDITIONAL,
    ATOMC_REPORT_LIKE, /* true if a string matches a pattern */
    /* true if two strings are equal, one of which may be the program's; with .operand 1, true if they
       differ */
    ATOMC_REPORT_EQUAL,
    /* the name of an address, .operand: enum command_address_name; .count 1: it is computed from the row's
       keys, and the row of all other keys has their mark as its name */
    ATOMC_REPORT_ADDRESS_NAME,
    ATOMC_REPORT_OPERATOR /* plus an operator on integers, enum plan_operator; equal strings have one address,
                             except those of the program */
};
struct atomc_report_instruction {
    uint64_t op; /* enum atomc_report_operator */
    uint64_t operand, count;
};
/* A slot's value in a row is .base + the row's unsigned number in .values, of .width bytes (1, 2, 4, 8). With
   width 0 it is .base + .step * the row's number. */
struct atomc_report_slot {
    uint64_t values, width, base, step;
    uint64_t ascends; /* no row's value is less than that of the previous row */
};
struct atomc_report_code {
    uint64_t instructions, count; /* struct atomc_report_instruction[]; empty if there is no expression */
};

enum atomc_report_format {
    ATOMC_REPORT_TEXT, /* the value is the address of a string */
    ATOMC_REPORT_DECIMAL,
    ATOMC_REPORT_HEXADECIMAL,
    ATOMC_REPORT_PERCENT,    /* in percent of the value's sum over the rows that the filter keeps */
    ATOMC_REPORT_HUNDREDTHS, /* a number with two decimals, which has no sum; in tables of analysis routines
                              */
    ATOMC_REPORT_REAL,       /* a quotient: the number written is a double with these bits */
};
/* The value of a column for a group of rows. */
/* Applies to rows that are combined. APART: rows are not combined, and there is no sum. */
enum atomc_report_merge { ATOMC_REPORT_FIRST, ATOMC_REPORT_SUM, ATOMC_REPORT_GREATEST, ATOMC_REPORT_APART };
enum { ATOMC_REPORT_OR_NONE = 2 };
struct atomc_report_column {
    uint64_t title, format; /* a string; enum atomc_report_format */
    uint64_t merge;         /* enum atomc_report_merge */
    uint64_t is_address;    /* of the program; ATOMC_REPORT_OR_NONE: an address of the program, or 0 for
                               none */
    uint64_t is_procedure;  /* each row's own procedure's name */
    uint32_t adds_up;       /* the sum of several rows' values is the value of the rows together */
    uint32_t is_inclusive;  /* the value includes values of other rows: known for tables that C writes */
    struct atomc_report_code value;
    struct atomc_report_code divisor; /* postfix code of the divisor; empty: the value is not divided */
    uint64_t divisor_merge;           /* FIRST or SUM */
};

enum atomc_report_flags {
    ATOMC_REPORT_DESCENDING = 1,
    ATOMC_REPORT_TOTAL = 2,
    ATOMC_REPORT_TEXT_KEY = 4,  /* the key is a string */
    ATOMC_REPORT_AS_TEXT = 8,   /* rows are printed as text, without a table */
    ATOMC_REPORT_JOINS = 16,    /* the report continues the file of the report before it */
    ATOMC_REPORT_IN_ORDER = 32, /* rows are buckets, and their order has a meaning */
};
/* The times at which a report is written, in addition to the end. */
enum atomc_every { ATOMC_EVERY_END, ATOMC_EVERY_MILLISECONDS, ATOMC_EVERY_EVENTS, ATOMC_EVERY_SIGNAL };
struct atomc_report {
    uint64_t tool, path; /* strings; path "-": standard output, "!": standard error */
    uint64_t flags, limit;
    uint64_t depth; /* bytes of stack that its code needs */
    uint64_t columns, column_count;
    uint64_t hidden_count;  /* columns after these that only files of rows have */
    uint64_t header;        /* a string: the header of a file of rows, JSON; 0 if none */
    uint64_t series_header; /* the same for the rows of all times, with a first column for the time; 0: only
                               the rows of the end are in files of rows */
    struct atomc_report_code filter, key;
    uint64_t slots, slot_count, row_count; /* struct atomc_report_slot[] */
    struct atomc_report_slot group;        /* each row's group number */
    /* struct keyed_table: all the rows are repeated for each of its keys; 0: they occur once */
    uint64_t keyed;
    uint64_t every, every_count; /* enum atomc_every; or the number of its signal */
    uint64_t every_counter,
        every_due; /* cells, except for signals: when the first reaches the second, the runtime is called */
    uint64_t every_title;            /* a string */
    uint64_t group_count, key_merge; /* 0: rows are not grouped; enum atomc_report_merge */
};

/* The name of the static addresses from .address up to .end. In the order of addresses. */
struct atomc_named_range {
    uint64_t address, end;
    uint64_t name; /* a string */
};
/* The source line of the instructions from .address up to the next entry's; line 0: unknown. */
struct atomc_source_line {
    uint64_t address;
    uint32_t file, line; /* .file is a string */
};

/* A readable name for a symbol. Strings. */
struct atomc_shown_name {
    uint64_t symbol, whole, brief;
};

/* Cells that do not start at 0; in reports, those that still have this value read as 0 (switches do not
   occur there). Sorted in the order of the cells. */
struct atomc_cell_range {
    uint64_t first, count, initial;
};

/* Consecutive cells. */
struct atomc_cells {
    uint64_t first, count;
};

/* Cells of tools without C, or with calls on forks, which start again in a child of fork. Sorted in the order
   of the cells. */
struct atomc_fork_range {
    uint64_t first, count;
    uint64_t sums; /* the cells' values at the fork are subtracted at the end; 0: the cells become .initial */
    uint64_t initial; /* ... at the fork */
};

/* The source of the analysis code's instructions from .address up to the next entry's. */
struct atomc_analysis_place {
    uint32_t address, line;   /* line 0: unknown, and .file is 0 */
    uint32_t file, procedure; /* strings */
};
/* A memory access of an inlined routine: its address among the copies, and in the analysis image. */
struct atomc_inlined {
    uint32_t address, origin;
};
/* Counts that are derived when the program ends (engine/count/counting.h). Values are counts made by sites,
   and numbers derived from them. Each value has a cell. All counted values come first, then all derived
   values; in both parts they are grouped by procedure, callers before callees. An effect of a value adds it
   to a later derived value, or to the cell of a counter. So values that are 0 need no processing; most values
   are 0.
 */
enum atomc_effect {
    ATOMC_ADD,      /* effect on a derived value of the procedure, whose number is in the upper bits */
    ATOMC_SUBTRACT, /* the same, subtracted */
    ATOMC_COUNT,    /* effect on a cell, counted from .cell */
    ATOMC_FAR,      /* the upper bits are flags */
    ATOMC_EFFECT_BITS = 2,
    ATOMC_NEAR_MOST = (1 << (16 - ATOMC_EFFECT_BITS)) - 1,
};
/* After the word of an ATOMC_FAR: 32 bits, the number of the cell or value, and then words. */
enum atomc_far_effect {
    ATOMC_WITH_AMOUNT = 1, /* signed: this multiple of the value is added to the cell */
    /* an instruction of the procedure: executions that did not reach it do not count */
    ATOMC_WITH_INSTRUCTION = 2,
    ATOMC_TO_VALUE = 4, /* effect on a derived value, numbered among all; number UINT32_MAX: no value */
    /* the effect is also for the point after the previous instruction: executions that ended between the
       two count */
    ATOMC_BEHIND = 128,
    /* the first instruction of a block: the amount is 1 for each of its instructions that was reached; */
    ATOMC_WITH_LENGTH = 8,
    ATOMC_WITH_FACTOR = 32, /* ... this signed number instead of 1; */
    /* ... only for some instructions: the number of words that follow, with a bit for each instruction */
    ATOMC_WITH_CHOICE = 16,
    /* used alone: only one word follows, the cell counted from .cell. The amount is in the last bits of the
       first word's 16, signed */
    ATOMC_NEAR_CELL = 64,
    ATOMC_AMOUNT_SHIFT = 7,
    ATOMC_AMOUNT_MASK = (1 << (16 - ATOMC_EFFECT_BITS - ATOMC_AMOUNT_SHIFT)) - 1,
    ATOMC_AMOUNT_MOST = ATOMC_AMOUNT_MASK / 2,
};
_Static_assert((ATOMC_WITH_AMOUNT ^ ATOMC_WITH_INSTRUCTION ^ ATOMC_TO_VALUE ^ ATOMC_WITH_LENGTH ^
                ATOMC_WITH_CHOICE ^ ATOMC_WITH_FACTOR ^ ATOMC_NEAR_CELL ^ ATOMC_BEHIND) == 255,
               "each flag has a bit of its own");
/* A procedure with counts. Its effects begin with an index: the offset of each value's words, counted values
   first, and the end of the last words. All offsets are from the end of the index. Words have 16 bits, or 32
   bits if the offset has ATOMC_WIDE added. The first word of a derived value identifies the node at which
   executions may be lost: twice the node, +1 if the value leaves the node; 0 if there is no such node. Node 1
   + 2 * b is the head of the procedure's block b, 2 + 2 * b its end. The table has one more entry than there
   are procedures. This entry marks the ends. */
struct atomc_counted {
    uint32_t counted, derived;   /* the numbers of its first value of both kinds */
    uint32_t block, instruction; /* its first block and instruction */
    uint32_t cell;
    uint32_t effects; /* offset */
};
#define ATOMC_WIDE 1

/* Ranges describe the copies, in the order of addresses, for executions that are in progress when the
   program is interrupted and never resumed. A range has its distance in words from the range before, shifted
   by ATOMC_RANGE_FLAGS, and flags. Depending on the flags it also has: the node that control has reached (2 *
   block, +1 for its end), the cell of a count that will be made in the block, the block's first instruction
   (all three as signed differences from the latest), and its length. */
enum atomc_range_flags {
    ATOMC_RANGE_NODE = 1,
    ATOMC_RANGE_COUNT = 2,
    ATOMC_RANGE_BLOCK = 4,
    /* a signal exactly at its beginning, unlike a fault, belongs to the range before */
    ATOMC_RANGE_BOUNDARY = 8,
};
#define ATOMC_RANGE_FLAGS 4

/* Counts in registers: some counts of loops are made in registers that the program does not use in the loop.
   From .address in the copies up to the next entry's, these are the registers of the set, and of its parents
   except 0. */
struct atomc_promoted {
    uint32_t address, set;
};
struct atomc_promoted_set {
    uint32_t parent, reg, cell;
};

/* Sums over a block's instructions, or its loads or stores, that inserted code makes at its beginning. If the
   program is interrupted in the block and never resumed, the runtime subtracts the part of the sum that was
   not reached. In the order of addresses. The table of blocks has one more entry than there are blocks; this
   entry marks the end of the sums. */
struct atomc_early_block {
    uint32_t begin, end;   /* addresses in the copies: after its first sum, and after the block */
    uint32_t first, count; /* its instructions */
    uint32_t sum;          /* number of its first sum */
};
struct atomc_early_sum {
    uint32_t address; /* the sum has been made from this address on */
    uint32_t cell;
    /* address of a bit for each of the block's instructions, set if it counts; 0: all instructions count */
    uint32_t chosen;
    /* number, from 1, of the thread's record that has the number of the cell, from .cell on; 0: the cell is
       .cell */
    uint32_t record;
    int64_t each;    /* the amount for each instruction */
    uint32_t amount; /* address of a struct atomc_early_amount that computes the amount; 0: none */
    /* the number of groups of cells: a greater record means that the sum has not been made. 0: the record
       is the cell's address, or ATOMC_NO_RECORD */
    uint32_t cell_count;
    uint32_t buckets; /* address of a struct command_buckets, for the value in the next record; 0: none */
};
/* An amount computed from the executed instructions: postfix code (struct command_instruction); its
   arguments are the numbers of instructions, loads and stores, then the records from .record on. */
struct atomc_early_amount {
    uint32_t code, code_count;
    uint32_t loads, stores; /* bits like those of .chosen */
    uint32_t record;        /* number from 1 */
};
#define ATOMC_NO_RECORD (-1)

/* The beginning of a copy for which the map has another address: control from outside enters at that address,
   and reaches the copy from there. */
struct atomc_inside {
    uint32_t copy, instruction;
};

/* Instructions of a block that have a second copy, which is executed if no site between them would have an
   effect. Control enters the second copy only at its beginning, and leaves it only at its end. The runtime
   treats the second copy as inserted code. If an access there faults, it is repeated in the first copy
   (engine/copy/shortcuts.c). In ascending order of both addresses. */
struct atomc_shortcut {
    uint32_t copy, real;         /* addresses of the second and the first copy of the instructions, */
    uint32_t instruction, count; /* ... and their first number and count */
};

/* Copies of a locked sequence's instructions during which calls are deferred: the runtime treats them as
   inserted code, so that a signal is delivered after the deferred calls. In the order of addresses. */
struct atomc_waiting {
    uint32_t begin, end; /* addresses in the copies */
};

/* A variable of an analysis routine, and the cell that is added to it when the program has ended. */
struct atomc_sum {
    uint64_t address, cell;
};

/* A kind of instruction that the runtime executes step by step: words whose bits in `mask` equal
   `match`. */
struct atomc_kind {
    uint32_t match, mask;
    uint16_t opcode; /* of the machine: register form */
    uint16_t format; /* of its words */
};

/* A table of addresses in the instrumented program; the addresses follow, 8 bytes each. */
struct atomc_translations {
    uint64_t text_address, text_size, shift, count;
};

/* The original word of the program's text at an address that now has a branch to a copy, or another word of a
   springboard. In the order of instructions. */
struct atomc_patched {
    uint32_t instruction, word; /* the instruction is numbered over all objects */
    uint32_t now;               /* the present word */
};

/* Words of the program's text, or a library's, that are replaced by ATOMC_TRAP
   (runtime/machine/alpha/marks.h). Their original words are in a table, from number .words on. Instructions
   are numbered over all objects. */
struct atomc_traps {
    uint32_t first, count, words;
};

/* An instrumented library. Its addresses are those that atomc has assigned; the process maps it at other
   addresses. */
struct atomc_library {
    uint64_t name;        /* its path */
    uint64_t needed;      /* the program does not start without it */
    uint64_t size, hash;  /* size of its file; FNV-1a hash, by words, of the first ATOMC_HASHED bytes */
    uint64_t base;        /* added to the addresses in its file */
    uint64_t begin, end;  /* addresses of its segments */
    uint64_t text, first; /* address of its text, number of the first instruction */
    uint64_t count;       /* of instructions */
    /* 32-bit words: addresses of the copies of its instructions, 0 for those without one */
    uint64_t map;
    uint64_t springboards, springboard_count, springboards_address; /* words, and their address */
    uint64_t constants, constant_count; /* uint32_t[]: the constants of the pool that are its addresses */
    uint64_t before, before_count;      /* struct atomc_program_call[]: made after it has been loaded, */
    uint64_t after, after_count;        /* the same before the library is unloaded */
};
#define ATOMC_HASHED 4096

/* A library's file, and the addresses in it of its system calls. */
struct atomc_library_calls {
    uint64_t size, hash, modified, modified_nanoseconds;
    uint64_t addresses, count; /* uint32_t[] */
};

/* A replaced entry whose procedure analysis routines still call: the address for the call, and the
   procedure's return address there, as the address of a constant that holds the address of the code. 0: the
   field has the address of the code itself. */
struct atomc_retained {
    uint64_t name, address, back;
};

/* A range that atomc_loader maps (entry.S uses the members, by their offsets in entries.h); length 0 marks
   the end. */
struct atomc_loaded {
    uint64_t address, length;    /* of whole pages */
    uint64_t protection;         /* PROT_READ, ... */
    int64_t offset;              /* offset in the executed file; ATOMC_LOADED_NOTHING: zeroes */
    uint64_t zeroed, zeroed_end; /* range of bytes that the file does not have; empty if both are the same */
};
#define ATOMC_LOADED_NOTHING (-1)

#define ATOMC_OWN_RANGES 20 /* at most */

/* The header of files of rows with tables of a tool's C: members of a JSON object, without its braces. */
struct atomc_tool_header {
    uint64_t tool, header; /* strings */
};

/* The symbol atomc_image in the analysis image. */
/* ---- atomc run ---- */
/* atomc run executes /proc/self/fd/N: N is the instrumented file, followed by these descriptors. The settings
   are strings, each ended by a NUL: the mark; the program's own file, an absolute path; the name that the
   kernel would have received; the name for the shown results, "" if only one process can exist. */
#define ATOMC_RUN_FOLDER "/proc/self/fd/"
#define ATOMC_RUN_MARK   "atomc run 1"
enum { ATOMC_RUN_SETTINGS = 1, ATOMC_RUN_SHOWN, ATOMC_RUN_DESCRIPTORS };

struct atomc_image {
    uint64_t entry_copy;   /* address of the copy of the program's first instruction */
    uint64_t text_address; /* the program's text: original address ... */
    uint64_t text_size;    /* ... and bytes */
    uint64_t text_map;     /* 32-bit words: original instruction -> address of its copy */
    /* values of the auxiliary vector in the uninstrumented program: AT_ENTRY */
    uint64_t program_entry;
    uint64_t program_headers;      /* AT_PHDR */
    uint64_t program_header_count; /* AT_PHNUM */
    uint64_t analysis_headers; /* program headers of the analysis image in memory, for its own C library */
    uint64_t analysis_header_count;
    uint64_t before, before_count; /* struct atomc_program_call[] */
    uint64_t after, after_count;
    uint64_t copies, copies_end; /* addresses of the copies */
    uint64_t own_stack;          /* 1: the stack of routines is below SITE_FRAME; else 0 */
    uint64_t own_frames;         /* 1: frames of sites are below SITE_FRAME as well; else 0 */
    uint64_t aside;              /* bit N: $N has a shadow (runtime/text/shadow_registers.c) */
    uint64_t spills_far;         /* 1: spills are SPILL_FAR below $30, until the runtime changes that */
    uint64_t cells, cell_count;  /* the counters' cells, 8 bytes each */
    uint64_t cell_ranges, cell_range_count; /* struct atomc_cell_range[] */
    uint64_t fork_ranges, fork_range_count; /* struct atomc_fork_range[] */
    uint64_t settled, settled_count;        /* struct atomc_cells[]: only settling changes them, */
    uint64_t unsettled, unsettled_count;    /* ... except for these: uint32_t[] */
    uint64_t forked, forked_count;   /* struct atomc_program_call[]: made first of all in a child of fork */
    uint64_t reports, report_count;  /* struct atomc_report[] */
    uint64_t tools, tool_count;      /* struct atomc_tool_header[] */
    uint64_t places, place_count;    /* struct atomc_analysis_place[], by address */
    uint64_t counted, counted_count; /* struct atomc_counted[]; 0: no count is derived */
    uint64_t effects, ranges;
    uint64_t stops;       /* counts are derived, or shown while the program runs, and there may be threads */
    uint64_t ranges_size; /* bytes */
    uint64_t first_value; /* the cell of the first counted value */
    /* the number of values that each thread counts in its own cells: all counted ones, or 0 */
    uint64_t thread_values;
    /* their addresses, known since the program's start; sizes in bytes */
    uint64_t thread_areas, thread_area_count, thread_area_size;
    uint64_t promoted, promoted_count,
        promoted_sets; /* struct atomc_promoted[], by address; struct atomc_promoted_set[] */
    uint64_t early_blocks, early_block_count, early_sums; /* struct atomc_early_block[], atomc_early_sum[] */
    uint64_t records, record_count;                       /* their address: int64_t[], or ATOMC_RECORDS */
    uint64_t insides, inside_count;                       /* struct atomc_inside[] */
    uint64_t shortcuts, shortcut_count;                   /* struct atomc_shortcut[] */
    uint64_t waiting, waiting_count;                      /* struct atomc_waiting[] */
    uint64_t moved,
        /* uint32_t[]: instructions in the copies that execute with the stack pointer lowered */
        moved_count;
    uint64_t moved_by;                 /* by this many bytes; ascending */
    uint64_t sums, sum_count;          /* struct atomc_sum[] */
    uint64_t kinds, kind_count;        /* struct atomc_kind[] */
    uint64_t patched, patched_count;   /* struct atomc_patched[] */
    uint64_t retained, retained_count; /* struct atomc_retained[] */
    uint64_t procedures,
        procedure_count; /* uint32_t[]: the first instruction of each of the program's own procedures */
    uint64_t traps, trap_count, trapped_words; /* struct atomc_traps[], by .first; uint32_t[] */
    /* the original text is executable: not all of it is copied */
    uint64_t text_runs;
    uint64_t text_writable;                      /* from the start */
    uint64_t heap;                               /* the address of the analysis side's heap */
    uint64_t libraries, library_count;           /* struct atomc_library[] */
    uint64_t library_calls, library_calls_count; /* struct atomc_library_calls[] */
    uint64_t unthreaded;                         /* the runtime is not prepared for threads */
    uint64_t inlined, inlined_count;             /* struct atomc_inlined[], by address */
    uint64_t quiet;                              /* the names of written files are not announced */
    uint64_t interpreter;                        /* path of the program's dynamic linker; 0 if it has none */
    /* struct atomc_shown_name[], sorted by the text of the symbols */
    uint64_t names, name_count;
    /* uint32_t[], ascending: strings, names of procedures without a source file, if others have one */
    uint64_t sourceless, sourceless_count;
    /* for names of addresses, empty if the tool uses none: struct atomc_named_range[],
       struct atomc_source_line[] */
    uint64_t symbols, symbol_count;
    uint64_t objects, object_count;
    uint64_t lines, line_count;
    uint64_t run; /* 1: `atomc run` starts it */
    /* pages of the loader, which are no longer needed; 0 if there are none */
    uint64_t loader, loader_size;
    struct atomc_own_range {
        uint64_t begin, end;
    } own[ATOMC_OWN_RANGES]; /* address ranges that atomc has added to the file; the rest is 0 */
    struct atomc_addresses layout;
};

#endif
