/* source_files.h: the sources of a program by name, as JSON: {"main.c": "...", "include/list.h": "..."}.
   Names have at most DEEPEST_SOURCE parts, none of which begins with '.' or '-'. */
#ifndef ATOMC_WORKBENCH_SOURCE_FILES_H
#define ATOMC_WORKBENCH_SOURCE_FILES_H

#include <jansson.h>
#include <stdbool.h>

#include "support/support.h"

enum { DEEPEST_SOURCE = 8, MOST_SOURCES = 400, MOST_SOURCE_BYTES = 900000 };

/* The front end of GCC for a name: "gcc", "g++", "gfortran"; NULL: it is not compiled. */
const char *compiler_of_source(const char *name);
bool is_header(const char *name);
/* The endings of names: {".c": "gcc", ...} and [".h", ...]. */
json_t *source_endings(void);
json_t *header_endings(void);
/* One part of a name. */
bool is_source_word(const char *word);
/* A name of a source or of a header. */
bool is_source_name(const char *name);
/* The front end that compiles and links all of them; NULL: there is no source. */
const char *compiler_of_sources(const json_t *files);
/* Folders with headers, from "" for the folder of all; NULL ends them. */
const char **header_folders(struct arena *arena, const json_t *files);

/* The sources and headers below an open folder; links are not followed. *others: the number of other files.
   NULL and a reason. */
json_t *source_files_read(struct arena *arena, int folder, json_int_t *others, const char **why);
/* Text of at most MOST_SOURCE_BYTES; NULL and a reason. Closes the descriptor. */
const char *source_text_read(struct arena *arena, int descriptor, const char **why);
/* Writes those that are not there with this text; each appears whole. A file that is there has its time,
   which is before that of programs made of it. False: errno. */
bool source_files_write(struct arena *arena, int folder, const json_t *files);

#endif
