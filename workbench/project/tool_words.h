/* tool_words.h: tools that a request names, and a program, as the words of an atomc command. */
#ifndef ATOMC_WORKBENCH_TOOL_WORDS_H
#define ATOMC_WORKBENCH_TOOL_WORDS_H

#include "workbench/api/api.h"

enum { MOST_WORDS = 256 };

/* The words of a command, in the request's arena. */
struct words {
    const char *list[MOST_WORDS + 1];
    size_t count;
    const char *folder; /* folder in which the command runs; NULL: the project */
};

/* A name of a tool, a package or a file; options and paths are refused. */
bool is_name(const char *text);
/* NAME or PACKAGE/NAME */
bool is_tool_name(const char *text);

/* Each is false, or NULL, if the request is answered. */
bool add_word(struct words *words, struct answer *answer, const char *word);
/* -D NAME=VALUE for each parameter of the preceding tool. */
bool add_parameters(struct request *request, struct answer *answer, struct words *words, json_t *parameters);
/* {"name" or "path", "parameters"} */
bool add_tool(struct request *request, struct answer *answer, struct words *words, json_t *tool);
/* The program of that number; null: no program, unless it is required. */
bool add_program(struct request *request, struct answer *answer, struct words *words, json_t *program,
                 bool required);
/* A file that may be read, by its absolute path. */
const char *readable(struct request *request, struct answer *answer, const char *path);

#endif
