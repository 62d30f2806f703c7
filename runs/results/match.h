/* match.h: matching two builds of a program: files of one build get the other build's names, and lines its
   numbers.
 */
#ifndef ATOMC_RESULTS_MATCH_H
#define ATOMC_RESULTS_MATCH_H

#include "runs/results/select.h"

/* For each line of the second text, from 1, the number of the equal line of the first text; 0: there is none.
   [0] is the number of lines. The caller frees it. */
uint32_t *match_lines(const char *first, const char *second);
/* How sources are read; .read NULL: they are read by their paths. Returns the text, from malloc; NULL: the
   file cannot be read. */
struct source_reader {
    char *(*read)(void *context, const char *path);
    void *context;
};
/* Sets .values of the second selection: each file name becomes the name in the first selection with the
   longest common end of the path. With `lines`, lines get the first build's numbers if both files can be
   read, and lines that the first build lacks get negative numbers. *unread: the number of files that were not
   compared. Returns false after an error. The values are valid until match_end(). */
bool match_sources(struct store *store, const struct selection *first, struct selection *second, bool lines,
                   const struct source_reader *reader, uint32_t *unread);
void match_end(struct store *store);
/* The number of equal names at the ends of the paths. */
uint32_t common_path_end(const char *a, const char *b);

/* ---- match_names.c ---- */

/* The name of the procedure of which this procedure is a clone or a part (`step.constprop.0`, `step.cold`),
   else its own name; for a stack, the names in it. The caller frees it. */
char *name_of_clones(const char *text);
/* The column has names of procedures, or stacks of them. */
bool has_names(const struct row_column *column);
/* Sets .values of both selections: names of clones without the suffixes that compilers add. *clones: the
   number of such names that only one side has. Called after match_sources() and before match_code(); the
   values are valid until match_end(). Returns false after an error. */
bool match_names(struct store *store, struct selection *sides, uint32_t *clones);

/* ---- match_code.c ---- */

/* A procedure of a build, in the form of `atomc --dump=procedures --json`. */
struct code_procedure {
    uint64_t pc, size;  /* size in bytes; addresses as in the rows */
    const char *object; /* the library's file name; "": the program itself */
    const char *name, *file, *shape;
};
struct code {
    struct code_procedure *list;
    uint32_t count, capacity;
};
/* The procedures of A, 0, or B, 1, whose file has that digest. Returns false if they are unknown. */
struct code_reader {
    bool (*read)(void *context, int side, const char *digest, struct code *code);
    void *context;
};
bool has_places(const struct shape *shape);
bool is_place_key(const struct row_column *column); /* an address that is a key */
/* Sets .values of both selections. If a procedure has the same object, name, file (except for the beginning
   of its path) and instructions in both builds, its addresses become those of A. At other places, all keys
   except texts become NULL. *pairs: the number of such procedures. Returns false after an error. The values
   are valid until match_end(). `sides`, `codes`: two of each. */
bool match_code(struct store *store, struct selection *sides, const struct code *codes, uint32_t *pairs);

#endif
