/* places.c: a program's instructions in the database, for SQL queries: rows by source line, by procedure,
   by kind of instruction. Either all of the program's instructions are stored or none, so that no join
   misses rows. */
#include <stdlib.h>
#include <string.h>

#include "runs/results/store.h"
#include "support/json.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"

enum { MOST_SECONDS = 300 };

struct filling {
    struct request *request;
    struct answer *answer;
    const struct known_program *program;
    struct store store;
    sqlite3_stmt *insert;
    const char *problem; /* NULL: none yet */
    int64_t procedure, end;
    sqlite3_stmt *find_procedure;
    json_int_t count;
};

/* The procedure of an address: instructions are in the order of procedures. */
static bool find_place_procedure(struct filling *filling, int64_t pc) {
    if (pc >= filling->procedure && pc < filling->end)
        return true;
    sqlite3_reset(filling->find_procedure);
    sqlite3_bind_int64(filling->find_procedure, 2, pc);
    bool found = next_row(filling->find_procedure);
    if (found) {
        filling->procedure = sqlite3_column_int64(filling->find_procedure, 0);
        filling->end = filling->procedure + sqlite3_column_int64(filling->find_procedure, 1);
    }
    sqlite3_reset(filling->find_procedure);
    return found && pc < filling->end;
}

static void take_instruction(void *context, const char *text, size_t length) {
    struct filling *filling = context;
    json_t *line = filling->problem || length == 0 ? NULL : json_loadb(text, length, 0, NULL);
    const char *pc = json_string_value(json_object_get(line, "pc")),
               *mnemonic = json_string_value(json_object_get(line, "mnemonic")),
               *file = json_string_value(json_object_get(line, "file"));
    int64_t address = pc ? (int64_t)strtoull(pc, NULL, 16) : 0;
    if (filling->problem || length == 0 || json_object_get(line, "diagnostic")) {
        json_decref(line);
        return;
    }
    if (!pc || !mnemonic || !find_place_procedure(filling, address)) {
        filling->problem = "atomc printed what is no instruction of a procedure";
    } else {
        sqlite3_bind_int64(filling->insert, 2, address);
        sqlite3_bind_int64(filling->insert, 3, filling->procedure);
        sqlite3_bind_int64(filling->insert, 4, store_text_number(&filling->store, mnemonic));
        if (file && *file)
            sqlite3_bind_int64(filling->insert, 5, store_text_number(&filling->store, file));
        else
            sqlite3_bind_null(filling->insert, 5);
        sqlite3_bind_int64(filling->insert, 6, json_integer_value(json_object_get(line, "line")));
        if (!store_step(&filling->store, filling->insert))
            filling->problem = "";
        filling->count++;
    }
    json_decref(line);
}

static bool fill_instructions(sqlite3 *database, void *argument) {
    struct filling *filling = argument;
    struct diagnostics *diagnostics = diagnostics_create();
    store_attach(&filling->store, database, "project.sqlite", diagnostics);
    filling->insert = statement(database,
                                "INSERT INTO instruction(program, pc, procedure, mnemonic, file, line) "
                                "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                                "i", filling->program->id);
    filling->find_procedure = statement(database, "SELECT pc, size FROM procedure WHERE " PROCEDURE_BEFORE,
                                        "i", filling->program->id);
    bool good = filling->insert && filling->find_procedure &&
                program_dump_lines(filling->request, filling->answer, filling->program, "instructions",
                                   MOST_SECONDS, take_instruction, filling);
    sqlite3_finalize(filling->insert);
    sqlite3_finalize(filling->find_procedure);
    /* This form makes SQLite begin a join with the table of the run, and find each place by its key. */
    good = good && !filling->problem && !filling->store.failed &&
           store_execute(&filling->store, "ANALYZE instruction");
    store_close(&filling->store);
    diagnostics_destroy(diagnostics);
    return good;
}

static json_int_t count_instructions(struct request *request, int64_t program) {
    return statement_number(
        statement(request->database, "SELECT count(*) FROM instruction WHERE program = ?1", "i", program), 0);
}

/* POST /programs/N/places */
static void post_places(struct request *request, struct answer *answer) {
    struct known_program program;
    struct filling filling = {.request = request, .answer = answer, .program = &program};
    if (!program_find(request, answer, request->number[0], &program) ||
        !program_list_procedures(request, answer, &program))
        return;
    json_int_t count = count_instructions(request, program.id);
    int code = count ? SQLITE_OK : project_write(request->project, fill_instructions, &filling);
    if (filling.problem && *filling.problem)
        answer_error(answer, 500, NULL, "%s", filling.problem);
    else if (!answer_failed(answer))
        answer_database(answer, code);
    if (code == SQLITE_OK && !answer_failed(answer))
        answer_json(answer, json_pack("{s:I}", "instructions", count ? count : filling.count));
}

const struct route places_routes[] = {
    {"POST", "/programs/#/places", post_places},
    {NULL, NULL, NULL},
};
