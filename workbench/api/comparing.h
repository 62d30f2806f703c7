/* comparing.h: shared by the parts that compare runs: compare.c, comparing_code.c, comparing_tree.c,
   sources.c. */
#ifndef ATOMC_WORKBENCH_COMPARING_H
#define ATOMC_WORKBENCH_COMPARING_H

#include "runs/results/compare.h"
#include "workbench/project/programs.h"

/* The trees of both as one: as GET /tables/#/tree, with values "a" and "b". */
void compared_tree_write(struct compared_table *comparison, FILE *stream);
/* A struct code_reader's read(): context is this. */
struct compared_runs {
    struct request *request;
    int64_t runs[2];
};
/* Lists the procedures of both runs' programs, if these differ. The function is called before any data are
   read, since a read transaction does not see data that are added during it. */
void compared_list(struct request *request, const int64_t runs[2]);
bool compared_code(void *context, int side, const char *digest, struct code *code);
/* The text of a source that the page may read, from malloc; NULL: the page may not read it, or the file does
   not exist. */
char *source_read(struct request *request, const char *path);

#endif
