/* programs.h: programs of a project, for the functions that answer requests about them. A program's file is
   stored in objects/, so that counts can be displayed even if the original has changed. */
#ifndef ATOMC_WORKBENCH_PROGRAMS_H
#define ATOMC_WORKBENCH_PROGRAMS_H

#include "workbench/api/api.h"

/* ---- programs.c ------------------------------------------------------------------------------------- */

struct known_program {
    int64_t id;
    const char *name, *digest;
    const char *path;   /* its original path; "": it was not added by a user */
    const char *kept;   /* the copy in objects/; NULL: there is none */
    const char *folder; /* of the original: libraries may be beside it */
};
/* The program of that number. False: the request is answered. */
bool program_find(struct request *request, struct answer *answer, uint64_t id, struct known_program *program);

/* ---- dumps.c ---------------------------------------------------------------------------------------- */

/* A text of a line; NULL: it has none of that key. */
const char *dump_text(const json_t *line, const char *key);
/* The output of `atomc --json --dump=WHAT [--only=ONLY]` for the program with its libraries: an array of
   its lines. If a library is not found: for the program alone; then *missing, unless that is NULL, names
   the library. NULL: the response is the error, in atomc's own words. */
json_t *program_dump(struct request *request, struct answer *answer, const struct known_program *program,
                     const char *what, const char *only, const char **missing);
/* The same line by line as they arrive, for at most `seconds`. Diagnostics other than errors are among
   them. False: the request is answered. */
bool program_dump_lines(struct request *request, struct answer *answer, const struct known_program *program,
                        const char *what, double seconds,
                        void (*take_line)(void *context, const char *line, size_t length), void *context);
/* The command of that as a shell would be given it. */
json_t *program_dump_command(const struct known_program *program, const char *what, const char *only);

/* ---- api/procedures.c ------------------------------------------------------------------------------- */

/* SQL, after FROM: procedures p with their names: n for the linker, d in C++ form, NULL if that is the
   same. */
#define NAMED_PROCEDURES "procedure p JOIN text n ON n.id = p.name LEFT JOIN text d ON d.id = p.demangled"
/* SQL, after WHERE: the procedure of program ?1 that begins at ?2, or nearest before. */
#define PROCEDURE_BEFORE "program = ?1 AND pc <= ?2 ORDER BY pc DESC LIMIT 1"
/* Lists the program's procedures in the store, unless they are. False: the request is answered. */
bool program_list_procedures(struct request *request, struct answer *answer,
                             const struct known_program *program);

/* ---- run_addresses.c -------------------------------------------------------------------------------- */

/* SQL: converts the address, an SQL expression, from the run's tables to the list of procedures; null: it
   is in no listed object. */
const char *listed_address(struct request *request, int64_t program, int64_t run, const char *address);
/* The distance from an address of the list to the same address in the run's tables. Returns false if the
   run did not instrument its object. */
bool run_address(sqlite3 *database, int64_t program, int64_t run, int64_t address, int64_t *distance);

/* ---- statements.c ----------------------------------------------------------------------------------- */

/* A statement with its values bound: 'i' an int64_t, 's' a text or NULL, for each. NULL after an error. */
sqlite3_stmt *statement(sqlite3 *database, const char *sql, const char *types, ...);
/* A row's column; NULL stays null. */
json_t *column_text(sqlite3_stmt *row, int column);
json_t *column_integer(sqlite3_stmt *row, int column);
json_t *column_address(sqlite3_stmt *row, int column);
/* Runs it to its end. */
bool statement_run(sqlite3_stmt *statement);
/* The first column of the first row; `otherwise` if there is none. */
int64_t statement_number(sqlite3_stmt *statement, int64_t otherwise);
/* The number of the text, which is added if it does not exist; 0 after an error. */
int64_t text_number(sqlite3 *database, const char *text);

/* ---- api/sql.c -------------------------------------------------------------------------------------- */

/* Compiles one statement written by a user, if it only reads. NULL: the request is answered. */
sqlite3_stmt *reading_statement(struct request *request, struct answer *answer, const char *text);
void answer_reading_failure(struct request *request, struct answer *answer, int code);

#endif
