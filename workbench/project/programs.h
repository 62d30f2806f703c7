/* programs.h: programs of a project, for the functions that answer requests about them. A program's file is
   stored in objects/, so that counts can be displayed even if the original has changed. */
#ifndef ATOMC_WORKBENCH_PROGRAMS_H
#define ATOMC_WORKBENCH_PROGRAMS_H

#include "workbench/api/api.h"

/* ---- programs.c ------------------------------------------------------------------------------------- */

struct known_program {
    int64_t id;
    const char *name, *digest;
    const char *path;   /* its original path; "": no user added it */
    const char *kept;   /* the copy in objects/; NULL: there is none */
    const char *folder; /* folder of the original, which may contain libraries, too */
};
/* The program of that number. False: the request is answered. */
bool program_find(struct request *request, struct answer *answer, uint64_t id, struct known_program *program);

/* ---- dumps.c ---------------------------------------------------------------------------------------- */

/* The text for a key of a line; NULL: the line does not have the key. */
const char *dump_text(const json_t *line, const char *key);
/* Runs `atomc --json --dump=WHAT [--only=ONLY]` for the program with its libraries. Returns an array of the
   output's lines. If a library is not found, runs it for the program alone; then *missing, unless `missing`
   is NULL, names the library. NULL: the response is the error, in atomc's own words. */
json_t *program_dump(struct request *request, struct answer *answer, const struct known_program *program,
                     const char *what, const char *only, const char **missing);
/* The same, but passes on lines as they arrive, for at most `seconds`. Diagnostics other than errors are
   among them. False: the request is answered. */
bool program_dump_lines(struct request *request, struct answer *answer, const struct known_program *program,
                        const char *what, double seconds,
                        void (*take_line)(void *context, const char *line, size_t length), void *context);
/* The command of that as a shell would be given it. */
json_t *program_dump_command(const struct known_program *program, const char *what, const char *only);

/* ---- api/procedures.c ------------------------------------------------------------------------------- */

/* SQL, after FROM: procedures p with their names: n is the linker's, d the C++ form, or NULL if both are the
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

/* A statement with its values bound. For each value: 'i' for an int64_t, 's' for a text or NULL. NULL after
   an error. */
sqlite3_stmt *statement(sqlite3 *database, const char *sql, const char *types, ...);
/* A column of a row; NULL is converted to null. */
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
