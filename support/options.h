/* options.h: the only reader of command lines. Its table options.def has every command and option of atomc;
   the help texts are made from that table. */
#ifndef ATOMC_SUPPORT_OPTIONS_H
#define ATOMC_SUPPORT_OPTIONS_H

#include "support/support.h"

enum command_id {
#define COMMAND(id, name, program, summary, usage, about, end) COMMAND_##id,
#include "support/options.def"
    COMMAND_COUNT
};

enum option_id {
    OPTION_END,   /* there are no more words */
    OPTION_WORD,  /* no option: ->word */
    OPTION_WRONG, /* an error, which has been reported */
#define OPTION(id, commands, names, argument, value, help) OPTION_##id,
#include "support/options.def"
    OPTION_COUNT
};

/* ---- reading ---- */

struct option_reader {
    enum command_id command;
    char **words;
    int count, at;                   /* words[at] is the next */
    bool only_words;                 /* `--` has been read: no word after it is an option */
    struct diagnostics *diagnostics; /* NULL: errors are not reported */
    /* Set by next_option. */
    const char *word;  /* as written */
    const char *name;  /* name of the option, the long name if it has one */
    const char *value; /* NULL: the option takes none */
    double number;     /* the value of an option that takes a number */
    uint32_t choice;   /* the index of the value among the listed ones */
};
/* The next word, with its value. COMMAND_RUN also has the options of COMMAND_ATOMC. */
enum option_id next_option(struct option_reader *reader);
/* Reports an error in the command line, with the help of the command as its hint. Returns false. */
bool usage_error(struct diagnostics *diagnostics, enum command_id command, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- the table ---- */

/* Prints the help of the command. */
void print_help(enum command_id command, FILE *stream);
/* Prints lines with tabs: `command NAME SUMMARY`; `option NAME SECTION -x --long ARGUMENT HELP`, where -
   marks an empty field; `words NAME SPELLED HELP`: for completion of shells and the manual page. */
void print_options(FILE *stream);
/* The command of this name; COMMAND_COUNT if there is none. */
enum command_id command_named(const char *name);
/* The words after `atomc`. */
const char *command_name(enum command_id command);
/* The program atomc-... that executes the command, without `atomc-`; NULL: atomc itself. */
const char *command_program(enum command_id command);

#endif
