/* drafts.h: unsaved files of tools, in a folder named by a digest of their contents. Equal files are in the
   same folder, so their C is compiled only one time. Old folders are removed. */
#ifndef ATOMC_WORKBENCH_DRAFTS_H
#define ATOMC_WORKBENCH_DRAFTS_H

#include "workbench/api/api.h"

/* {NAME: text, ...}, and the page if its name is not NULL. The folder, in the request's arena; NULL: the
 * request has been answered. */
const char *draft_folder(struct request *request, struct answer *answer, const char *page, const char *text,
                         json_t *files);
/* Checks the page and the files, which would be in one folder. They must name only files that may be read,
   and contain no C that would run inside of atomc. False: the request is answered. */
bool draft_is_allowed(struct request *request, struct answer *answer, const char *page, const char *text,
                      json_t *files);
/* A file of a tool beside its page: a plain name that ends as C, headers, pages and parts of pages do. */
bool is_tool_file(const char *name);
/* For a page; false: the request has been answered. */
bool is_page_name(struct answer *answer, const char *name);
/* Writes a new file. */
bool write_new_file(const char *path, const char *text, size_t length);

#endif
