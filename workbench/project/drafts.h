/* drafts.h: files of tools that are not saved, in a folder that their contents name: the same files are in
   the same folder, so that C which was compiled there before is not compiled again. Old ones go. */
#ifndef ATOMC_WORKBENCH_DRAFTS_H
#define ATOMC_WORKBENCH_DRAFTS_H

#include "workbench/api/api.h"

/* {NAME: text, ...}, and the page if its name is not NULL. The folder, in the request's arena; NULL:
 * answered. */
const char *draft_folder(struct request *request, struct answer *answer, const char *page, const char *text,
                         json_t *files);
/* Do the page and the files, all of which would be in one folder, name only files that may be read, and no C
   that would run inside of atomc? False: answered. */
bool draft_is_allowed(struct request *request, struct answer *answer, const char *page, const char *text,
                      json_t *files);
/* A file of a tool beside its page: a plain name that ends as C, headers, pages and parts of pages do. */
bool is_tool_file(const char *name);
/* Of a page; false: answered. */
bool is_page_name(struct answer *answer, const char *name);
/* Writes a file that was not there. */
bool write_new_file(const char *path, const char *text, size_t length);

#endif
