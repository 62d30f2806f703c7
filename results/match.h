/* match.h: two builds of a program: the files of one as the other names them, and lines as it numbers them.
 */
#ifndef ATOMC_RESULTS_MATCH_H
#define ATOMC_RESULTS_MATCH_H

#include "results/select.h"

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

#endif
