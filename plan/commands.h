/* commands.h: statements that the runtime executes because their keys, texts or thread numbers are known only
   on the analysis side. This is the form in which the compiler passes them to the runtime, in memory of the
   instrumented program (struct plan_buffer): 64-bit little-endian fields without addresses. The arguments of
   the call have all values of the site. Requires nothing. */
#ifndef ATOMC_PLAN_COMMANDS_H
#define ATOMC_PLAN_COMMANDS_H

#include <stdint.h>

enum {
    COMMAND_MOST_ARGUMENTS = 64, /* arguments of one command: values of the site */
    COMMAND_MOST_PASSED = 16,    /* arguments of a C routine that a command calls */
    COMMAND_MOST_KEYS = 8,       /* keys of a keyed counter, including its thread */
    COMMAND_MOST_DEPTH = 64,     /* depth of the evaluation stack */
    COMMAND_MOST_TEXTS = 16,     /* `$string` in one statement */
    /* bytes of a text of the program, including its end: longer texts are cut off */
    COMMAND_TEXT = 4096,
};
#define COMMAND_READ_COUNT (UINT64_C(1) << 32)
#define COMMAND_MOST_CELLS (UINT64_C(1) << 24) /* the highest limit that a tool can give */
#define COMMAND_CELLS      (UINT64_C(1000000)) /* the limit if the tool gives none */

/* Expressions are postfix code on a stack of integers and addresses of texts. */
enum command_operator {
    COMMAND_CONSTANT, /* .operand */
    COMMAND_ARGUMENT, /* argument number .operand */
    COMMAND_LITERAL,  /* the text .operand bytes from the command's beginning */
    /* the program's text at the address below the top of the stack; .operand: the maximum number of bytes, a
       number on the top */
    COMMAND_STRING,
    COMMAND_THREAD,     /* the kernel's number of the thread whose pointer is on the top */
    COMMAND_THREAD_KEY, /* atomc's number of that thread, from 1 */
    COMMAND_PROCESS,    /* the number of the process */
    /* the calling context: for a procedure's number, its stack pointer, the thread's pointer */
    COMMAND_STACK,
    COMMAND_DEPTH, /* the number of active procedures, for the same three */
    /* the value of the keyed counter that is argument number .operand for the keys on the stack */
    COMMAND_CELL,
    /* the cell of a counter with cells whose number is on the top: the address of the cells is argument
       number .operand % COMMAND_READ_COUNT, their number is argument number .operand / COMMAND_READ_COUNT;
       0 if there is no such cell */
    COMMAND_READ,
    COMMAND_ADDRESS_NAME, /* the name of the address on the top; .operand: enum command_address_name */
    COMMAND_STATIC,       /* the static address of the address on the top */
    COMMAND_NANOSECONDS,  /* the clock */
    COMMAND_THREAD_NAME,  /* the thread's name, or the program's, which is on the top */
    COMMAND_EVENT,        /* .operand: enum command_event_value, of the event that is executed */
    COMMAND_UNSET,        /* the value on the top, or 0 if that is .operand */
    COMMAND_CONDITIONAL,  /* three */
    COMMAND_EQUAL,        /* two texts */
    COMMAND_LIKE,         /* a text and a pattern */
    COMMAND_OPERATOR      /* plus an operator on integers, enum plan_operator */
};
/* Names of addresses, in commands and reports. */
enum command_address_name { COMMAND_SYMBOL, COMMAND_OBJECT, COMMAND_LINE };
struct command_instruction {
    uint64_t op, operand;
};
struct command_code {
    uint64_t begin, count; /* instructions of the command */
};

/* Events that the runtime finds, at no instruction of the program. The command is given to the runtime before
   the program starts. */
enum command_event {
    COMMAND_UNWIND,        /* a procedure has been left otherwise than by a return or a branch */
    COMMAND_SIGNAL_BEFORE, /* a handler of the program is about to be called for a signal */
    COMMAND_SIGNAL_AFTER,  /* it has returned */
    COMMAND_SIGNAL_UNWIND, /* it has been left otherwise */
    COMMAND_EVENTS
};
enum command_event_value {
    COMMAND_EVENT_THREAD, /* the thread's pointer */
    COMMAND_EVENT_DEPTH,  /* the number of active procedures */
    COMMAND_EVENT_STACK,  /* their names */
    /* of a signal: its number, the static addresses of the handler and of the interrupted instruction */
    COMMAND_EVENT_SIGNAL,
    COMMAND_EVENT_HANDLER,
    COMMAND_EVENT_PC,
};

enum command_effect_kind {
    /* updates keyed counter .counter, an argument: the keys and the amount are on the stack; for a
       histogram the value before the amount */
    COMMAND_UPDATE_KEYED,
    /* updates a counter with cells, at argument .counter: on the stack are the number of the cell, for a
       histogram the value, and the amount */
    COMMAND_UPDATE_CELL,
    COMMAND_PRINT, /* prints a line: its values are on the stack */
    COMMAND_EXIT,  /* ends the program: the status is on the stack */
    COMMAND_CALL, /* calls the C routine whose address is argument .counter: its arguments are on the stack */
    /* removes the value of the keys on the stack from keyed counter .counter; all values, or those of the
       thread whose key is on the stack */
    COMMAND_DELETE,
    COMMAND_CLEAR,
};
/* A format is a sequence of pieces: literal bytes, then a conversion. */
struct command_piece {
    uint64_t text, length;    /* offset */
    uint64_t conversion;      /* 'd', 'u', 'x', 's', 'f' ...; 0: none */
    int64_t width, precision; /* precision -1: not given */
    uint64_t flags;           /* enum command_flag */
};
enum { COMMAND_MOST_WIDTH = 1000 }; /* of a value that is shown */
enum command_flag {
    COMMAND_FLAG_LEFT = 1,
    COMMAND_FLAG_ZERO = 2,
    COMMAND_FLAG_PLUS = 4,
    COMMAND_FLAG_BLANK = 8,
    COMMAND_FLAG_FORM = 16, /* '#' */
    /* '*': the width, the precision is a value of its own, before the value that is shown */
    COMMAND_FLAG_WIDTH = 32,
    COMMAND_FLAG_PRECISION = 64,
};
struct command_buckets {
    uint64_t count; /* 0 if it is not a histogram */
    uint64_t logarithmic;
    int64_t low, high, step;
};
struct command_effect {
    uint64_t kind; /* enum command_effect_kind */
    struct command_code code;
    uint64_t counter; /* argument */
    /* For a sum over a block's execution: this code leaves the values on which the amount depends on the
       stack. They are stored in the command's records from this record on. */
    struct command_code noted;
    uint64_t first_noted, is_length;
    uint64_t update; /* COMMAND_UPDATE_CELL: enum plan_update */
    uint64_t cells;  /* ... the argument with the number of cells, each with its buckets */
    struct command_buckets buckets;
    /* COMMAND_PRINT */
    uint64_t file;                   /* offset of its name, as in a report */
    uint64_t pieces, piece_count;    /* offset */
    uint64_t limit, per_second;      /* the maximum number of lines, in total or per second; 0: no limit */
    uint64_t done, left_out, second; /* written by the runtime */
    uint64_t where;                  /* offset of a text: FILE:LINE */
};
struct command {
    uint64_t argument_count;
    /* executed every n-th time that the guard holds; 0: each time; the runtime counts */
    uint64_t sample, sampled;
    struct command_code guard;
    uint64_t instructions, effects; /* offsets */
    uint64_t effect_count;
    /* numbers of arguments: the number, from 1, of its first record at the site (0 if it has none); the
       thread's pointer. 0: there are no such arguments */
    uint64_t records, thread;
    uint64_t next; /* written by the runtime: the address of the previous command that printed */
};

/* The table of a keyed counter. */
enum command_key { COMMAND_KEY_INTEGER, COMMAND_KEY_TEXT };
struct keyed_table {
    uint64_t key_count; /* if the thread is a key, it is the first */
    uint64_t per_thread;
    uint64_t forks;                  /* it restarts in a child of fork */
    uint8_t keys[COMMAND_MOST_KEYS]; /* enum command_key */
    uint64_t update;                 /* enum plan_update */
    uint64_t texts;                  /* its values are addresses of texts, which keyed.c keeps; 0: none yet */
    uint64_t keeps; /* the memory of removed entries is not used again: their cells may still be changed */
    uint64_t limit; /* the most keys */
    struct command_buckets buckets;
    /* for the runtime: */
    uint64_t entries, count, capacity; /* addresses of the entries, in order of creation */
    uint64_t hash, hash_size;          /* numbers of entries, from 1; 0: free */
    uint64_t other;                    /* the entry for all keys beyond the limit; 0 if there are none */
    uint64_t other_updates;            /* the number of its updates */
    uint64_t last;                     /* the entry found most recently */
    uint64_t free;                     /* a removed entry, whose first word has the next one */
    uint64_t next;                     /* the table whose first use preceded this one's */
    char name[64];                     /* name of the counter; a longer name is cut */
};

#endif
