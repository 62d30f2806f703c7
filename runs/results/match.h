/* match.h: two builds of a program: the files of one as the other names them, and lines as it numbers them.
 */
#ifndef ATOMC_RESULTS_MATCH_H
#define ATOMC_RESULTS_MATCH_H

#include "runs/results/select.h"

/* For each line of the second text, from 1, the line of the first that it is; 0: it is not there. [0] is how
   many lines there are. The caller frees it. */
uint32_t *match_lines(const char *first, const char *second);
/* How sources are read; .read NULL: by their paths. The text is malloc'd; NULL: it cannot be read. */
struct source_reader {
    char *(*read)(void *context, const char *path);
    void *context;
};
/* Sets .values of the second selection: files are those of the first that have most of their paths' ends in
   common; with `lines`, lines are numbered as there where both files can be read, and those that are not
   there have negative numbers. *unread: so many files were not compared. False after an error. The values can
   be asked for until match_end(). */
bool match_sources(struct store *store, const struct selection *first, struct selection *second, bool lines,
                   const struct source_reader *reader, uint32_t *unread);
void match_end(struct store *store);
/* How many names at the ends of the paths are equal. */
uint32_t common_path_end(const char *a, const char *b);

/* ---- match_names.c ---- */

/* The name of the procedure of which this one is a clone or a part (`step.constprop.0`, `step.cold`), else
   the name itself; of a stack, such names. The caller frees it. */
char *name_of_clones(const char *text);
/* The column has names of procedures, or stacks of them. */
bool has_names(const struct row_column *column);
/* Sets .values of both selections: names of procedures are those without what compilers add to those of
   clones. *clones: how many such names only one side has. Behind match_sources(), before match_code(); the
   values can be asked for until match_end(). False after an error. */
bool match_names(struct store *store, struct selection *sides, uint32_t *clones);

/* ---- match_code.c ---- */

/* A procedure of a build, as `atomc --dump=procedures --json` has it. */
struct code_procedure {
    uint64_t pc, size;  /* in bytes; addresses are those of the rows */
    const char *object; /* the library's file name; "": the program itself */
    const char *name, *file, *shape;
};
struct code {
    struct code_procedure *list;
    uint32_t count, capacity;
};
/* The procedures of A, 0, or B, 1, whose file has that digest. False: they are not known. */
struct code_reader {
    bool (*read)(void *context, int side, const char *digest, struct code *code);
    void *context;
};
bool has_places(const struct shape *shape);
bool is_place_key(const struct row_column *column); /* an address that is a key */
/* Sets .values of both selections: addresses in procedures that have the same object, name, file (but for the
   beginning of its path) and instructions in both builds become those of A. All that is known of other
   places, but for texts, becomes NULL. *pairs: how many such procedures there are. False after an error. The
   values can be asked for until match_end(). `sides`, `codes`: two of each. */
bool match_code(struct store *store, struct selection *sides, const struct code *codes, uint32_t *pairs);

#endif
