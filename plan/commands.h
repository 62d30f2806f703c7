/* commands.h: what a statement does on the analysis side, where keys, texts and calls of threads are known:
   from the compiler to the runtime, in memory of the instrumented program (struct plan_buffer). 64-bit
   little-endian fields; no addresses of its own: what it needs of the site are the arguments of its call.
   Requires nothing. */
#ifndef ATOMC_PLAN_COMMANDS_H
#define ATOMC_PLAN_COMMANDS_H

#include <stdint.h>

enum {
    COMMAND_MOST_ARGUMENTS = 64, /* of one command: what it needs of the site */
    COMMAND_MOST_KEYS = 8,       /* of a keyed counter, its thread included */
    COMMAND_MOST_DEPTH = 64,     /* of the stack that its expressions need */
    COMMAND_MOST_TEXTS = 16,     /* `$string` in one statement */
    COMMAND_TEXT = 4096,         /* bytes of a text of the program's, with its end: the rest is cut off */
};
#define COMMAND_READ_COUNT (UINT64_C(1) << 32)
#define COMMAND_MOST_CELLS (UINT64_C(1) << 24) /* that a tool can give as a limit */
#define COMMAND_CELLS      (UINT64_C(1000000)) /* the limit, if it gives none */

/* Expressions are postfix code on a stack of integers and addresses of texts. */
enum command_operator {
    COMMAND_CONSTANT,   /* .operand */
    COMMAND_ARGUMENT,   /* argument number .operand */
    COMMAND_LITERAL,    /* the text .operand bytes from the command's beginning */
    COMMAND_STRING,     /* the program's text at the address below; .operand: at most so many bytes, that are
                           on top */
    COMMAND_THREAD,     /* the kernel's number of the thread whose pointer is on top */
    COMMAND_THREAD_KEY, /* the number that atomc gives it, from 1 */
    COMMAND_PROCESS,    /* ... of the process */
    COMMAND_STACK, /* the calling context: of a procedure's number, its stack pointer, the thread's pointer */
    COMMAND_CELL,  /* what the keyed counter, argument number .operand, has for the keys on the stack */
    COMMAND_READ, /* the cell of a counter with cells whose number is on top: their address is argument number
                     .operand % COMMAND_READ_COUNT, how many there are argument number
                     .operand / COMMAND_READ_COUNT; 0 if there is none of that number */
    COMMAND_UNSET,       /* what is on top, or 0 if that is .operand */
    COMMAND_CONDITIONAL, /* three */
    COMMAND_EQUAL,       /* two texts */
    COMMAND_LIKE,        /* a text and a pattern */
    COMMAND_OPERATOR     /* and, added to it, an operator on integers, enum plan_operator */
};
struct command_instruction {
    uint64_t op, operand;
};
struct command_code {
    uint64_t begin, count; /* of the command's instructions */
};

enum command_effect_kind {
    COMMAND_UPDATE_KEYED, /* of keyed counter .counter, an argument: keys, and the amount, are on the stack;
                             of a histogram the value before the amount */
    COMMAND_UPDATE_CELL,  /* of a counter with cells: those at argument .counter; on the stack the number of
                             the cell, of a histogram the value, the amount */
    COMMAND_PRINT,        /* a line: its values are on the stack */
};
/* A format is pieces, one after the other: bytes as they are, then a conversion. */
struct command_piece {
    uint64_t text, length;    /* offset */
    uint64_t conversion;      /* 'd', 'u', 'x', 's', 'f' ..., 0: none */
    int64_t width, precision; /* precision -1: none is given */
    uint64_t flags;           /* enum command_flag */
};
enum command_flag {
    COMMAND_FLAG_LEFT = 1,
    COMMAND_FLAG_ZERO = 2,
    COMMAND_FLAG_PLUS = 4,
    COMMAND_FLAG_BLANK = 8,
    COMMAND_FLAG_FORM = 16, /* '#' */
};
struct command_buckets {
    uint64_t count; /* 0: no histogram */
    uint64_t logarithmic;
    int64_t low, high, step;
};
struct command_effect {
    uint64_t kind; /* enum command_effect_kind */
    struct command_code code;
    uint64_t counter; /* argument */
    /* Of a sum of what a block executes: the values on the stack after this code are what the amount depends
       on, for the command's records from this one on. */
    struct command_code noted;
    uint64_t first_noted, is_length;
    uint64_t update; /* COMMAND_UPDATE_CELL: enum plan_update */
    uint64_t cells;  /* ... how many, each with its buckets: argument */
    struct command_buckets buckets;
    /* COMMAND_PRINT */
    uint64_t file;                   /* offset of its name */
    uint64_t pieces, piece_count;    /* offset */
    uint64_t limit, per_second;      /* at most so many lines, of all or of a second; 0: all */
    uint64_t done, left_out, second; /* written by the runtime */
    uint64_t where;                  /* offset of a text: FILE:LINE */
};
struct command {
    uint64_t argument_count;
    uint64_t sample, sampled; /* done at every n-th time that the guard holds, 0: each; the runtime counts */
    struct command_code guard;
    uint64_t instructions, effects; /* offsets */
    uint64_t effect_count;
    uint64_t records, thread; /* arguments: the number from 1 of its first record at the site, 0: it has none;
                                 the thread's pointer. 0: it has no such arguments */
    uint64_t next; /* the runtime's: the address of the last command before it that printed something */
};

/* The table of a keyed counter. */
enum command_key { COMMAND_KEY_INTEGER, COMMAND_KEY_TEXT };
struct keyed_table {
    uint64_t key_count; /* the thread is the first, if it has one */
    uint64_t per_thread;
    uint64_t forks;                  /* it begins anew in a child of fork */
    uint8_t keys[COMMAND_MOST_KEYS]; /* enum command_key */
    uint64_t update;                 /* enum plan_update */
    uint64_t limit;                  /* of keys */
    struct command_buckets buckets;
    /* the runtime's: */
    uint64_t entries, count, capacity; /* addresses of the entries, in the order in which they came */
    uint64_t hash, hash_size;          /* numbers of entries from 1 on; 0: free */
    uint64_t other;                    /* the entry of all keys beyond the limit, 0: there are none */
    uint64_t other_updates;            /* of it */
    uint64_t last;                     /* the entry found last */
    uint64_t next;                     /* the table that was used first before this one */
    char name[64];                     /* of the counter; a longer one is cut off */
};

#endif
