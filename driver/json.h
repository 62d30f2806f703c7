/* json.h: the output of atomc with --json (docs/json.md): one document, or a line for each place of a
   program. Addresses are strings, "0x120000460". */
#ifndef ATOMC_JSON_H
#define ATOMC_JSON_H

#include "driver/driver.h"
#include "support/json.h"

/* ---- json_language.c: tools, and the tables of the language ---- */

json_t *tool_json(struct applied_tool *applied);
/* The stock tool in that file, with the fields of --list; NULL if it cannot be read. */
json_t *listed_tool_json(const char *name, const char *package, const char *path, const char *description);
/* A table of `atomc info`; NULL if there is none of that name. */
json_t *info_json(const char *table);

/* ---- json_program.c: JSON Lines, one for each place; `wanted`, by procedure: NULL: all are ---- */

/* The program and its libraries, each a line. */
void json_print_objects(const struct program *program, FILE *stream);
void json_print_procedures(struct program *program, const bool *wanted, FILE *stream);
/* If some procedures are chosen, things outside of all procedures are omitted. */
void json_print_cfg(struct program *program, const bool *wanted, FILE *stream);
void json_print_instructions(struct program *program, const bool *wanted, FILE *stream);
void json_print_sites(const struct sites *sites, const struct plan *plan, struct program *program,
                      const bool *wanted, FILE *stream);

/* ---- statistics.c ---- */

json_t *statistics_json(const struct rewrite *rewrite, const struct sites *sites, const char *output);

#endif
