/* programs.h: programs of a project, for the functions that answer requests about them. A program's file is
   kept in objects/, so that what was counted in it can be looked at when the original is another one. */
#ifndef ATOMC_WORKBENCH_PROGRAMS_H
#define ATOMC_WORKBENCH_PROGRAMS_H

#include "workbench/api/api.h"

/* ---- programs.c ------------------------------------------------------------------------------------- */

struct known_program {
    int64_t id;
    const char *name, *digest;
    const char *path;   /* where it was; "": nobody added it */
    const char *kept;   /* the copy in objects/; NULL: there is none */
    const char *folder; /* of the original: libraries may be beside it */
};
/* The program of that number. False: the request is answered. */
bool program_find(struct request *request, struct answer *answer, uint64_t id, struct known_program *program);

/* ---- dumps.c ---------------------------------------------------------------------------------------- */

/* A text of a line; NULL: it has none of that key. */
const char *dump_text(const json_t *line, const char *key);
/* What `atomc --json --dump=WHAT [--only=ONLY]` prints of the program with its libraries: an array of its
   lines. If a library is not found: of the program alone, and *missing, unless that is NULL, says so. NULL:
   the answer is the error, in atomc's own words. */
json_t *program_dump(struct request *request, struct answer *answer, const struct known_program *program,
                     const char *what, const char *only, const char **missing);
/* Likewise, each line as it comes, for at most so many seconds. Diagnostics that are no errors are among
   them. False: the request is answered. */
bool program_dump_lines(struct request *request, struct answer *answer, const struct known_program *program,
                        const char *what, double seconds,
                        void (*take_line)(void *context, const char *line, size_t length), void *context);
/* The command of that as a shell would be given it. */
json_t *program_dump_command(const struct known_program *program, const char *what, const char *only);

/* ---- api/procedures.c ------------------------------------------------------------------------------- */

/* SQL, behind FROM: procedures p with their names: n of the linker, d as C++ writes it, NULL if that is the
 * same. */
#define NAMED_PROCEDURES "procedure p JOIN text n ON n.id = p.name LEFT JOIN text d ON d.id = p.demangled"
/* SQL, behind WHERE: the procedure of program ?1 that begins at ?2, or nearest before. */
#define PROCEDURE_BEFORE "program = ?1 AND pc <= ?2 ORDER BY pc DESC LIMIT 1"
/* Lists the program's procedures in the store, unless they are. False: the request is answered. */
bool program_list_procedures(struct request *request, struct answer *answer,
                             const struct known_program *program);

/* ---- run_addresses.c -------------------------------------------------------------------------------- */

/* SQL: the address, an expression of SQL, in the run's tables as the list of procedures has it; null: it is
   in no object that is listed. */
const char *listed_address(struct request *request, int64_t program, int64_t run, const char *address);
/* What is to be added to an address of the list to have that of the run's tables. False: the run did not
   instrument its object. */
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
/* The number of the text, which is added if it is not there; 0 after an error. */
int64_t text_number(sqlite3 *database, const char *text);

/* ---- api/sql.c -------------------------------------------------------------------------------------- */

/* One statement that somebody wrote, compiled, if it does nothing but read. NULL: answered. */
sqlite3_stmt *reading_statement(struct request *request, struct answer *answer, const char *text);
void answer_reading_failure(struct request *request, struct answer *answer, int code);

#endif
