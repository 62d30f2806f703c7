/* comparing_code.c: the procedures of the programs of two compared runs: the project's list, with the
   addresses of the runs' tables. */
#include <string.h>

#include "workbench/api/comparing.h"
#include "workbench/server/server.h"

/* There are few objects, and procedures are sorted by object. */
struct object_distance {
    int64_t object, distance;
    bool known;
};

static bool find_distance(struct request *request, int64_t program, int64_t run, sqlite3_stmt *row,
                          struct object_distance *last) {
    int64_t object = sqlite3_column_int64(row, 2);
    if (last->object != object) {
        last->object = object;
        last->known =
            run_address(request->database, program, run, sqlite3_column_int64(row, 0), &last->distance);
    }
    return last->known;
}

static const char *text_in(struct request *request, sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return arena_format(request->arena, "%s", text ? text : "");
}

/* Lists them first, if that was not done; an error is no error of the comparison. */
static bool is_program_listed(struct request *request, int64_t id, struct known_program *program) {
    struct answer answer;
    answer_begin(&answer);
    bool listed = program_find(request, &answer, (uint64_t)id, program) &&
                  program_list_procedures(request, &answer, program);
    answer_end(&answer);
    return listed;
}

void compared_list(struct request *request, const int64_t runs[2]) {
    int64_t programs[64];
    size_t count = 0;
    struct known_program program;
    sqlite3_stmt *row =
        statement(request->database, "SELECT DISTINCT program FROM report WHERE run IN (?1, ?2) LIMIT 64",
                  "ii", runs[0], runs[1]);
    while (count < sizeof programs / sizeof *programs && next_row(row))
        programs[count++] = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    for (size_t i = 0; i < count && count > 1; i++)
        is_program_listed(request, programs[i], &program);
}

bool compared_code(void *context, int side, const char *digest, struct code *code) {
    const struct compared_runs *compared = context;
    struct request *request = compared->request;
    struct known_program program;
    int64_t run = compared->runs[side];
    int64_t id = statement_number(statement(request->database,
                                            "SELECT program.id FROM report JOIN program ON program.id = "
                                            "report.program WHERE report.run = ?1 AND digest = ?2 LIMIT 1",
                                            "is", run, digest),
                                  0);
    if (!id || !is_program_listed(request, id, &program))
        return false;
    sqlite3_stmt *row = statement(request->database,
                                  "SELECT p.pc, p.size, p.object, iif(p.object = 0, '', o.name), n.value, "
                                  "f.value, p.shape FROM procedure "
                                  "AS p JOIN text AS n ON n.id = p.name LEFT JOIN text AS f ON f.id = p.file "
                                  "LEFT JOIN program_object AS o "
                                  "ON o.program = p.program AND o.number = p.object WHERE p.program = ?1 AND "
                                  "p.shape IS NOT NULL ORDER BY "
                                  "p.object, p.pc",
                                  "i", id);
    struct object_distance last = {.object = -1};
    int state = SQLITE_DONE;
    while (row && (state = sqlite3_step(row)) == SQLITE_ROW) {
        if (!find_distance(request, id, run, row, &last))
            continue;
        ARENA_RESERVE(request->arena, code->list, code->count, code->capacity);
        code->list[code->count++] =
            (struct code_procedure){.pc = (uint64_t)(sqlite3_column_int64(row, 0) + last.distance),
                                    .size = (uint64_t)sqlite3_column_int64(row, 1),
                                    .object = text_in(request, row, 3),
                                    .name = text_in(request, row, 4),
                                    .file = text_in(request, row, 5),
                                    .shape = text_in(request, row, 6)};
    }
    sqlite3_finalize(row);
    return row && state == SQLITE_DONE;
}
