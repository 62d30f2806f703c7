/* import.c: atomc import: converts results of other programs to files of rows: callgrind's and cachegrind's
   costs, folded stacks, lcov's tracefiles. Several values for one place are added, in a database in
   memory. */
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/results/results.h"
#include "support/json.h"

enum { MOST_EVENTS = 64, MOST_COLUMNS = MOST_EVENTS + 8, MOST_FRAMES = 10000 };

struct importer {
    const struct request *request;
    const char *path;
    FILE *source;
    char *line;
    size_t size;
    unsigned number; /* of the line */
    bool failed;     /* the file cannot be read on */
    sqlite3 *database;
    const char *program; /* "": not given */
    /* callgrind */
    const char *events[MOST_EVENTS];
    unsigned event_count, positions;
    bool has_addresses;
    sqlite3_stmt *add_cost, *add_call, *names, *find_name;
    int64_t at[2]; /* the last position: the address, the line */
};

static bool report_wrong_input(const struct importer *importer, const char *what) {
    diagnose(importer->request->diagnostics, NULL, MESSAGE_IMPORT_WRONG, importer->path, importer->number,
             what);
    return false;
}

static bool database_failed(const struct importer *importer) {
    int code = sqlite3_errcode(importer->database);
    if ((code & 0xff) == SQLITE_CONSTRAINT || (code & 0xff) == SQLITE_MISMATCH)
        return report_wrong_input(importer, "counts of one place are beyond 64 bits together");
    diagnose(importer->request->diagnostics, NULL, MESSAGE_DATABASE, importer->path,
             sqlite3_errmsg(importer->database));
    return false;
}

/* The next line without its end; false: there is no line, or it contains a NUL. */
static bool next_input_line(struct importer *importer) {
    ssize_t length = getline(&importer->line, &importer->size, importer->source);
    importer->failed |= ferror(importer->source) != 0;
    if (length < 0)
        return false;
    importer->number++;
    if (strlen(importer->line) != (size_t)length) {
        importer->failed = true;
        return report_wrong_input(importer, "it has a NUL character");
    }
    while (length > 0 && strchr("\r\n", importer->line[length - 1]))
        importer->line[--length] = '\0';
    return true;
}

/* Reads a count at *text, which moves past it. */
static bool read_count(const char **text, int64_t *count) {
    char *end;
    *count = 0;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *count = strtoll(*text, &end, strncmp(*text, "0x", 2) == 0 ? 16 : 10);
    if (errno || (*end && !isspace((unsigned char)*end) && *end != ','))
        return false;
    *text = end;
    return true;
}

static bool execute_import(struct importer *importer, const char *sql) {
    return sqlite3_exec(importer->database, sql, NULL, NULL, NULL) == SQLITE_OK || database_failed(importer);
}

static sqlite3_stmt *prepare_import(struct importer *importer, const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(importer->database, sql, -1, &statement, NULL) != SQLITE_OK)
        database_failed(importer);
    return statement;
}

/* Executes the statement one time, and prepares it for new values. */
static bool step_import(struct importer *importer, sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW || database_failed(importer);
}

/* ---- what is written ------------------------------------------------------------------------------------ */

struct out_column {
    const char *title, *type, *role, *attribute;
};

static json_t *about_column(const struct out_column *column) {
    bool is_measure = strcmp(column->role, "measure") == 0;
    json_t *about = json_object();
    json_object_set_new(about, "title", json_text(column->title));
    json_object_set_new(about, "type", json_string(column->type));
    json_object_set_new(about, "role", json_string(column->role));
    json_object_set_new(about, "merge", json_string(is_measure ? "sum" : "same"));
    if (is_measure)
        json_object_set_new(about, "unit", json_string("count"));
    if (column->attribute)
        json_object_set_new(about, "attribute", json_string(column->attribute));
    return about;
}

static json_t *json_of_cell(sqlite3_stmt *row, int at, const char *type) {
    if (sqlite3_column_type(row, at) == SQLITE_NULL)
        return json_null();
    if (strcmp(type, "address") == 0)
        return json_address((uint64_t)sqlite3_column_int64(row, at));
    return strcmp(type, "integer") == 0 ? json_integer(sqlite3_column_int64(row, at))
                                        : json_text((const char *)sqlite3_column_text(row, at));
}

static void put_line(json_t *line, FILE *stream) {
    json_dumpf(line, stream, JSON_COMPACT);
    fputc('\n', stream);
    json_decref(line);
}

/* Writes the result of the query as the file FOLDER/TOOL.NUMBER.rows. If a table has no rows, it is not
   written. */
static bool write_imported_table(struct importer *importer, const char *folder, const char *tool, int number,
                                 const char *report, const struct out_column *columns, int count,
                                 const char *sql) {
    sqlite3_stmt *rows = prepare_import(importer, sql);
    int code = rows ? sqlite3_step(rows) : SQLITE_ERROR;
    if (code == SQLITE_DONE) {
        sqlite3_finalize(rows);
        return true;
    }
    char *path = format_string("%s/%s.%d.rows", folder, tool, number);
    FILE *stream = code == SQLITE_ROW ? fopen(path, "wx") : NULL;
    json_t *list = json_array();
    uint64_t written = 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(list, about_column(&columns[i]));
    json_t *header = json_pack("{s:i, s:s, s:i, s:i, s:s, s:[], s:o, s:n, s:n, s:b, s:n, s:{}, s:o, s:s}",
                               "rows", 1, "report", report, "process", 1, "parent", 0, "tool", tool, "places",
                               "columns", list, "where", "sorted", "descending", 0, "top", "parameters",
                               "program", json_text(importer->program), "program_digest", "");
    if (stream)
        put_line(header, stream);
    else
        json_decref(header);
    for (; stream && code == SQLITE_ROW; code = sqlite3_step(rows), written++) {
        json_t *line = json_array();
        for (int i = 0; i < count; i++)
            json_array_append_new(line, json_of_cell(rows, i, columns[i].type));
        put_line(line, stream);
    }
    bool good = stream && code == SQLITE_DONE &&
                fprintf(stream, "{\"end\":true,\"rows\":%" PRIu64 "}\n", written) > 0;
    if (stream && fclose(stream) != 0)
        good = false;
    if (!good && code != SQLITE_DONE && code != SQLITE_ROW)
        database_failed(importer);
    else if (!good)
        diagnose(importer->request->diagnostics, NULL, MESSAGE_CANNOT_WRITE, path, strerror(errno));
    sqlite3_finalize(rows);
    free(path);
    return good;
}

/* ---- callgrind, cachegrind --------------------------------------------------------------------------------- */

/* A name is numbered on its first use, "(3) name". Later the number replaces it: "(3)". Files, objects and
   functions have separate numbers. Allocated in the arena; NULL after an error. */
static const char *read_callgrind_name(struct importer *importer, const char *space, const char *text) {
    const char *end = text[0] == '(' && isdigit((unsigned char)text[1]) ? strchr(text, ')') : NULL,
               *name = NULL;
    if (!end)
        return arena_format(importer->request->arena, "%s", strcmp(text, "???") == 0 ? "" : text);
    const char *key = arena_format(importer->request->arena, "%s%.*s", space, (int)(end - text), text);
    end += 1 + strspn(end + 1, " ");
    if (*end) {
        sqlite3_bind_text(importer->names, 1, key, -1, SQLITE_STATIC);
        sqlite3_bind_text(importer->names, 2, end, -1, SQLITE_STATIC);
        return step_import(importer, importer->names) ? arena_format(importer->request->arena, "%s", end)
                                                      : NULL;
    }
    sqlite3_bind_text(importer->find_name, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(importer->find_name) == SQLITE_ROW)
        name = arena_format(importer->request->arena, "%s",
                            (const char *)sqlite3_column_text(importer->find_name, 0));
    sqlite3_reset(importer->find_name);
    if (!name)
        report_wrong_input(importer, "a number that stands for a name has none");
    return name && strcmp(name, "???") == 0 ? "" : name;
}

/* "*": the previous number; "+N", "-N": relative to the previous number; otherwise the number itself. */
static bool read_position(const char **text, int64_t *position) {
    int64_t step = 0;
    char sign = **text;
    if (sign == '*' && (!(*text)[1] || isspace((unsigned char)(*text)[1]))) {
        ++*text;
        return true;
    }
    bool is_relative = sign == '+' || sign == '-';
    *text += is_relative;
    if (!read_count(text, &step))
        return false;
    if (!is_relative)
        *position = step;
    else if (__builtin_add_overflow(*position, sign == '+' ? step : -step, position))
        return false;
    return true;
}

/* A position and costs; missing ones are 0. */
static bool read_costs(struct importer *importer, int64_t *costs) {
    const char *text = importer->line;
    bool good = true;
    for (unsigned i = 0; i < 2 && good; i++)
        if (importer->positions & (1U << i)) {
            text += strspn(text, " \t");
            good = read_position(&text, &importer->at[i]);
        }
    for (unsigned i = 0; i < importer->event_count && good; i++) {
        text += strspn(text, " \t");
        costs[i] = 0;
        good = !*text || read_count(&text, &costs[i]);
    }
    text += strspn(text, " \t");
    return (good && !*text) ||
           report_wrong_input(importer,
                              "it is neither a position with its costs nor another line that is known");
}

/* CREATE TABLE NAME(KEYS ..., e0 ... INTEGER), and the statement that adds to a row of it. */
static sqlite3_stmt *make_sums(struct importer *importer, const char *name, const char *keys,
                               const char *types, unsigned key_count, unsigned counts) {
    char *columns = duplicate_string(""), *values = duplicate_string("?1"), *sums = duplicate_string("");
    for (unsigned i = 2; i <= key_count + counts; i++) {
        char *next = format_string("%s, ?%u", values, i);
        free(values);
        values = next;
    }
    for (unsigned i = 0; i < counts; i++) {
        char *next = format_string("%s, e%u INTEGER NOT NULL", columns, i),
             *more = format_string("%s%s e%u = e%u + excluded.e%u", sums, i ? "," : "", i, i, i);
        free(columns);
        free(sums);
        columns = next;
        sums = more;
    }
    char *table = format_string("CREATE TABLE %s(%s%s, PRIMARY KEY(%s)) STRICT", name, types, columns, keys),
         *add = format_string("INSERT INTO %s VALUES(%s) ON CONFLICT(%s) DO UPDATE SET%s", name, values, keys,
                              sums);
    sqlite3_stmt *statement = execute_import(importer, table) ? prepare_import(importer, add) : NULL;
    free(columns);
    free(values);
    free(sums);
    free(table);
    free(add);
    return statement;
}

static bool begin_costs(struct importer *importer) {
    if (importer->event_count == 0)
        return report_wrong_input(importer, "no line 'events:' says what is counted");
    if (!importer->positions)
        importer->positions = 2;
    importer->has_addresses = importer->positions & 1;
    importer->add_cost =
        make_sums(importer, "cost", "function, file, line, pc",
                  "function TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, pc INTEGER NOT NULL", 4,
                  importer->event_count);
    importer->add_call = make_sums(
        importer, "call", "caller, caller_file, callee, callee_file",
        "caller TEXT NOT NULL, caller_file TEXT NOT NULL, callee TEXT NOT NULL, callee_file TEXT NOT NULL", 4,
        importer->event_count + 1);
    return importer->add_cost && importer->add_call;
}

static bool add_sums(struct importer *importer, sqlite3_stmt *add, const char *first, const char *second,
                     const int64_t *numbers, unsigned count) {
    sqlite3_bind_text(add, 1, first, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 2, second, -1, SQLITE_STATIC);
    for (unsigned i = 0; i < count; i++)
        sqlite3_bind_int64(add, (int)i + 3, numbers[i]);
    return step_import(importer, add);
}

static bool read_callgrind_events(struct importer *importer, const char *text) {
    for (importer->event_count = 0; *(text += strspn(text, " \t"));) {
        size_t length = strcspn(text, " \t");
        if (importer->event_count == MOST_EVENTS)
            return report_wrong_input(importer, "it has more than 64 kinds of events");
        importer->events[importer->event_count++] = arena_string(importer->request->arena, text, length);
        text += length;
    }
    return importer->event_count > 0 || report_wrong_input(importer, "it has no kind of event");
}

/* The text after NAME= or NAME: in the line; NULL if the line does not begin like this. */
static const char *value_after_name(const char *line, const char *name, char sign) {
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || line[length] != sign)
        return NULL;
    return line + length + 1 + strspn(line + length + 1, sign == ':' ? " \t" : "");
}

struct callgrind {
    const char *file, *function, *function_file, *callee, *callee_file;
    int64_t calls; /* -1: the next line belongs to no call */
};

/* Lines KEY=VALUE and KEY: VALUE. Returns false if it is another line, or, with `*good` false, an error. */
static bool read_callgrind_word(struct importer *importer, struct callgrind *state, bool *good) {
    static const char *const heads[] = {"version", "creator", "pid",     "part", "thread",
                                        "desc",    "totals",  "summary", "cmd",  "event"};
    const char *value, *line = importer->line;
    *good = true;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if ((value = value_after_name(line, heads[i], ':'))) {
            if (strcmp(heads[i], "cmd") == 0 && !*importer->program) {
                size_t length = strcspn(value, " \t");
                const char *slash = memrchr(value, '/', length), *name = slash ? slash + 1 : value;
                importer->program =
                    arena_string(importer->request->arena, name, (size_t)(value + length - name));
            }
            return true;
        }
    if ((value = value_after_name(line, "events", ':')))
        *good = importer->add_cost ? report_wrong_input(importer, "'events:' stands after costs")
                                   : read_callgrind_events(importer, value);
    else if ((value = value_after_name(line, "positions", ':')))
        importer->positions = (strstr(value, "instr") ? 1U : 0) | (strstr(value, "line") ? 2U : 0);
    else if ((value = value_after_name(line, "fl", '=')))
        *good = (state->file = state->function_file = read_callgrind_name(importer, "f", value)) != NULL;
    else if ((value = value_after_name(line, "fi", '=')) || (value = value_after_name(line, "fe", '=')))
        *good = (state->file = read_callgrind_name(importer, "f", value)) != NULL;
    else if ((value = value_after_name(line, "fn", '='))) {
        *good = (state->function = read_callgrind_name(importer, "n", value)) != NULL;
        state->function_file = state->file;
    } else if ((value = value_after_name(line, "cfi", '=')) || (value = value_after_name(line, "cfl", '=')))
        *good = (state->callee_file = read_callgrind_name(importer, "f", value)) != NULL;
    else if ((value = value_after_name(line, "cfn", '=')))
        *good = (state->callee = read_callgrind_name(importer, "n", value)) != NULL;
    else if ((value = value_after_name(line, "ob", '=')) || (value = value_after_name(line, "cob", '=')))
        *good = read_callgrind_name(importer, "o", value) != NULL;
    else if ((value = value_after_name(line, "calls", '=')))
        *good = (state->callee && read_count(&value, &state->calls)) ||
                report_wrong_input(importer, "calls of no function, or without a number");
    else
        return value_after_name(line, "jump", '=') || value_after_name(line, "jcnd", '=');
    return true;
}

static bool read_cost_line(struct importer *importer, struct callgrind *state) {
    int64_t costs[MOST_EVENTS + 2];
    bool is_call = state->calls >= 0;
    if (!importer->add_cost && !begin_costs(importer))
        return false;
    if (!read_costs(importer, costs + 2))
        return false;
    const char *function = state->function ? state->function : "";
    if (is_call) {
        const char *callee_file = state->callee_file ? state->callee_file : state->function_file;
        sqlite3_stmt *add = importer->add_call;
        costs[1] = state->calls;
        sqlite3_bind_text(add, 3, state->callee, -1, SQLITE_STATIC);
        sqlite3_bind_text(add, 4, callee_file ? callee_file : "", -1, SQLITE_STATIC);
        for (unsigned i = 0; i <= importer->event_count; i++)
            sqlite3_bind_int64(add, (int)i + 5, costs[i + 1]);
        state->calls = -1;
        state->callee = state->callee_file = NULL;
        return add_sums(importer, add, function, state->function_file ? state->function_file : "", NULL, 0);
    }
    costs[0] = importer->positions & 2 ? importer->at[1] : 0;
    costs[1] = importer->has_addresses ? importer->at[0] : 0;
    return add_sums(importer, importer->add_cost, function, state->file ? state->file : "", costs,
                    importer->event_count + 2);
}

static bool read_callgrind(struct importer *importer) {
    struct callgrind state = {.calls = -1};
    bool good =
        execute_import(importer, "CREATE TABLE name(key TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT");
    importer->names = good ? prepare_import(importer, "INSERT OR REPLACE INTO name VALUES(?1, ?2)") : NULL;
    importer->find_name = good ? prepare_import(importer, "SELECT name FROM name WHERE key = ?1") : NULL;
    good = importer->names && importer->find_name;
    while (good && next_input_line(importer)) {
        const char *line = importer->line + strspn(importer->line, " \t");
        if (!*line || *line == '#')
            continue;
        bool is_cost = isdigit((unsigned char)*line) || strchr("+-*", *line);
        if (is_cost)
            good = read_cost_line(importer, &state);
        else if (!read_callgrind_word(importer, &state, &good))
            good = report_wrong_input(
                importer, "it is neither a position with its costs nor another line that is known");
    }
    if (good && !importer->add_cost)
        good = report_wrong_input(importer, "it has no costs");
    return good && !importer->failed;
}

static bool write_callgrind(struct importer *importer, const char *folder) {
    struct out_column columns[MOST_COLUMNS] = {{"Procedure", "text", "label", "inst.proc.name"},
                                               {"File", "text", "label", "inst.file"},
                                               {"Line", "integer", "label", "inst.line"}};
    int count = 3;
    if (importer->has_addresses)
        columns[count++] = (struct out_column){"PC", "address", "key", "inst.pc"};
    int firsts = count;
    for (unsigned i = 0; i < importer->event_count; i++)
        columns[count++] = (struct out_column){importer->events[i], "integer", "measure", NULL};
    char *events = duplicate_string("");
    for (unsigned i = 0; i < importer->event_count; i++) {
        char *next = format_string("%s, e%u", events, i);
        free(events);
        events = next;
    }
    char *sql =
        format_string("SELECT function, file, line%s%s FROM cost ORDER BY e0 DESC, function, file, line, pc",
                      importer->has_addresses ? ", pc" : "", events);
    bool good = write_imported_table(importer, folder, "callgrind", 1, "costs", columns, count, sql);
    free(sql);
    struct out_column calls[MOST_COLUMNS] = {{"Caller", "text", "label", NULL},
                                             {"Caller's file", "text", "label", NULL},
                                             {"Callee", "text", "label", NULL},
                                             {"Callee's file", "text", "label", NULL},
                                             {"Calls", "integer", "measure", NULL}};
    for (int i = firsts; i < count; i++) {
        calls[5 + i - firsts] = columns[i];
        calls[5 + i - firsts].title =
            arena_format(importer->request->arena, "%s, with what is called", columns[i].title);
    }
    sql = format_string(
        "SELECT caller, caller_file, callee, callee_file, e0%s, e%u FROM call ORDER BY e1 DESC, caller, "
        "callee, caller_file, callee_file",
        strlen(events) > 4 ? events + 4 : "", importer->event_count);
    good = good &&
           write_imported_table(importer, folder, "callgrind", 2, "calls", calls, 5 + count - firsts, sql);
    free(sql);
    free(events);
    return good;
}

/* ---- folded stacks ----------------------------------------------------------------------------------------- */

/* The tree of the names: a hash table of its nodes, at most half full. */
struct folded_node {
    const char *name;
    uint64_t hash;
    uint32_t parent; /* the number of a node; 0: it has none */
    int64_t count;
};

struct folded_tree {
    struct arena *arena;
    struct folded_node *nodes; /* by number, from 1 */
    uint32_t *slots;           /* numbers of nodes; 0: free */
    uint32_t count, capacity;
    size_t size; /* of the slots: a power of two */
};

static void grow_folded(struct folded_tree *tree) {
    tree->size = tree->size ? 2 * tree->size : 4096;
    tree->slots = arena_allocate(tree->arena, tree->size * sizeof *tree->slots);
    memset(tree->slots, 0, tree->size * sizeof *tree->slots);
    for (uint32_t number = 1; number <= tree->count; number++) {
        size_t at = tree->nodes[number].hash;
        while (tree->slots[at & (tree->size - 1)])
            at++;
        tree->slots[at & (tree->size - 1)] = number;
    }
}

/* The node of that name below a node, which is made if it is not there. */
static uint32_t folded_child(struct folded_tree *tree, uint32_t parent, const char *name) {
    uint64_t hash = (14695981039346656037U ^ parent) * 1099511628211U;
    for (const char *at = name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211U;
    hash ^= hash >> 32;
    if (2 * (size_t)tree->count >= tree->size)
        grow_folded(tree);
    size_t at = hash;
    for (uint32_t number; (number = tree->slots[at & (tree->size - 1)]) != 0; at++) {
        assert(tree->nodes); /* a slot has a number */
        const struct folded_node *node = &tree->nodes[number];
        if (node->hash == hash && node->parent == parent && strcmp(node->name, name) == 0)
            return number;
    }
    uint32_t number = ++tree->count;
    ARENA_RESERVE(tree->arena, tree->nodes, number, tree->capacity);
    tree->nodes[number] = (struct folded_node){
        .name = arena_string(tree->arena, name, strlen(name)), .hash = hash, .parent = parent};
    tree->slots[at & (tree->size - 1)] = number;
    return number;
}

static bool read_folded_line(struct importer *importer, struct folded_tree *tree) {
    char *line = importer->line, *blank = strrchr(line, ' ');
    const char *text = blank ? blank + 1 : "";
    int64_t samples;
    uint32_t node = 0;
    unsigned frames = 0;
    if (!*line)
        return true;
    if (!blank || blank == line || !read_count(&text, &samples) || *text)
        return report_wrong_input(importer, "not a stack: names with ; between them, and a count after them");
    *blank = '\0';
    for (char *name = line, *end; name; name = end) {
        end = strchr(name, ';');
        if (end)
            *end++ = '\0';
        node = folded_child(tree, node, name);
        if (++frames > MOST_FRAMES)
            return report_wrong_input(importer, "it has more than 10000 names");
    }
    if (__builtin_add_overflow(tree->nodes[node].count, samples, &tree->nodes[node].count))
        return report_wrong_input(importer, "counts of one place are beyond 64 bits together");
    return true;
}

static bool store_folded(struct importer *importer, const struct folded_tree *tree) {
    sqlite3_stmt *add = prepare_import(importer, "INSERT INTO node VALUES(?1, ?2, ?3, ?4)");
    bool good = add != NULL;
    for (uint32_t number = 1; number <= tree->count && good; number++) {
        const struct folded_node *node = &tree->nodes[number];
        sqlite3_bind_int64(add, 1, number);
        sqlite3_bind_int64(add, 2, node->parent);
        sqlite3_bind_text(add, 3, node->name, -1, SQLITE_STATIC);
        sqlite3_bind_int64(add, 4, node->count);
        good = step_import(importer, add);
    }
    sqlite3_finalize(add);
    return good;
}

static bool read_folded(struct importer *importer) {
    if (!execute_import(importer, "CREATE TABLE node(id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, name "
                                  "TEXT NOT NULL, count INTEGER NOT NULL) STRICT"))
        return false;
    struct folded_tree tree = {.arena = arena_create()};
    bool good = true;
    while (good && next_input_line(importer))
        good = read_folded_line(importer, &tree);
    good = good && !importer->failed && store_folded(importer, &tree);
    arena_destroy(tree.arena);
    return good;
}

static bool write_folded_table(struct importer *importer, const char *folder) {
    static const struct out_column columns[] = {{"Node", "integer", "node", NULL},
                                                {"Parent", "integer", "parent", NULL},
                                                {"Procedure", "text", "label", NULL},
                                                {"Count", "integer", "measure", NULL}};
    return write_imported_table(importer, folder, "folded", 1, "stacks", columns, 4,
                                "SELECT id, parent, name, count FROM node ORDER BY id");
}

/* ---- lcov's tracefiles --------------------------------------------------------------------------------------- */

static bool is_ignored(const char *line) {
    static const char *const words[] = {"TN",  "VER", "LF",  "LH",  "FNF", "FNH", "BRF",
                                        "BRH", "MRF", "MRH", "MCF", "MCH", "MCDC"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (value_after_name(line, words[i], ':'))
            return true;
    return *line == '#' || !*line;
}

struct lcov {
    sqlite3_stmt *line, *function, *function_count, *branch, *numbered;
    const char *file;
};

/* Fields with commas between them; the last one has the rest. */
static unsigned split_fields(char *text, char **fields, unsigned most) {
    unsigned count = 0;
    while (text && count < most) {
        fields[count++] = text;
        text = count < most ? strchr(text, ',') : NULL;
        if (text)
            *text++ = '\0';
    }
    return count;
}

static bool read_field(const char *text, int64_t *number) {
    return read_count(&text, number) && !*text;
}

static bool bind_and_step(struct importer *importer, sqlite3_stmt *add, const struct lcov *lcov,
                          const char *name, const int64_t *numbers, int count) {
    sqlite3_bind_text(add, 1, lcov->file, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 2, name, -1, SQLITE_STATIC);
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(add, i + 3, numbers[i]);
    return step_import(importer, add);
}

static bool read_lcov_record(struct importer *importer, struct lcov *lcov) {
    char *line = importer->line, *fields[4] = {NULL};
    const char *value;
    int64_t numbers[3] = {0};
    if (is_ignored(line))
        return true;
    if ((value = value_after_name(line, "SF", ':'))) {
        lcov->file = arena_format(importer->request->arena, "%s", value);
        return true;
    }
    if (strcmp(line, "end_of_record") == 0) {
        lcov->file = NULL;
        return true;
    }
    if (!lcov->file)
        return report_wrong_input(importer, "it belongs to no file: no line 'SF:' stands before it");
    char *rest = strchr(line, ':') ? strchr(line, ':') + 1 : line;
    if (value_after_name(line, "DA", ':')) {
        if (split_fields(rest, fields, 3) >= 2 && read_field(fields[0], &numbers[0]) &&
            read_field(fields[1], &numbers[1]))
            return bind_and_step(importer, lcov->line, lcov, "", numbers, 2);
    } else if (value_after_name(line, "FN", ':')) { /* LINE[,END],NAME */
        if (split_fields(rest, fields, 2) == 2 && read_field(fields[0], &numbers[0])) {
            char *comma = strchr(fields[1], ',');
            size_t digits = strspn(fields[1], "0123456789");
            const char *name = comma && digits > 0 && fields[1] + digits == comma ? comma + 1 : fields[1];
            return bind_and_step(importer, lcov->function, lcov, name, numbers, 1);
        }
    } else if (value_after_name(line, "FNDA", ':')) { /* COUNT,NAME */
        if (split_fields(rest, fields, 2) == 2 && read_field(fields[0], &numbers[0]))
            return bind_and_step(importer, lcov->function_count, lcov, fields[1], numbers, 1);
    } else if (value_after_name(line, "FNL", ':')) { /* NUMBER,LINE[,END] */
        if (split_fields(rest, fields, 3) >= 2 && read_field(fields[0], &numbers[0]) &&
            read_field(fields[1], &numbers[1]))
            return bind_and_step(importer, lcov->numbered, lcov, "", numbers, 2);
    } else if (value_after_name(line, "FNA", ':')) { /* NUMBER,COUNT,NAME */
        if (split_fields(rest, fields, 3) == 3 && read_field(fields[0], &numbers[0]) &&
            read_field(fields[1], &numbers[1])) {
            sqlite3_stmt *find =
                prepare_import(importer, "SELECT line FROM numbered WHERE file = ?1 AND number = ?2");
            sqlite3_bind_text(find, 1, lcov->file, -1, SQLITE_STATIC);
            sqlite3_bind_int64(find, 2, numbers[0]);
            numbers[2] = find && sqlite3_step(find) == SQLITE_ROW ? sqlite3_column_int64(find, 0) : 0;
            sqlite3_finalize(find);
            return bind_and_step(importer, lcov->function, lcov, fields[2], &numbers[2], 1) &&
                   bind_and_step(importer, lcov->function_count, lcov, fields[2], &numbers[1], 1);
        }
    } else if (value_after_name(line, "BRDA", ':')) { /* LINE,[e]BLOCK,BRANCH,TAKEN or - */
        if (split_fields(rest, fields, 4) == 4 && read_field(fields[0], &numbers[0]) &&
            (strcmp(fields[3], "-") == 0 || read_field(fields[3], &numbers[1])))
            return bind_and_step(importer, lcov->branch, lcov,
                                 arena_format(importer->request->arena, "%s,%s", fields[1], fields[2]),
                                 numbers, 2);
    }
    return report_wrong_input(importer, "it is no record that is known of lcov's, or has a wrong number");
}

static bool read_lcov(struct importer *importer) {
    struct lcov lcov = {0};
    bool good = execute_import(
        importer,
        "CREATE TABLE line(file TEXT NOT NULL, line INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY "
        "KEY(file, line)) "
        "STRICT; CREATE TABLE function(file TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, count "
        "INTEGER NOT "
        "NULL, PRIMARY KEY(file, name)) STRICT; CREATE TABLE numbered(file TEXT NOT NULL, number INTEGER NOT "
        "NULL, line "
        "INTEGER NOT NULL, PRIMARY KEY(file, number)) STRICT; CREATE TABLE branch(file TEXT NOT NULL, line "
        "INTEGER NOT "
        "NULL, branch TEXT NOT NULL, taken INTEGER NOT NULL, PRIMARY KEY(file, line, branch)) STRICT");
    if (!good)
        return false;
    lcov.line =
        prepare_import(importer, "INSERT INTO line VALUES(?1, ?3, ?4) ON CONFLICT DO UPDATE SET count = "
                                 "count + excluded.count");
    lcov.function = prepare_import(
        importer, "INSERT INTO function VALUES(?1, ?2, ?3, 0) ON CONFLICT DO UPDATE SET line = "
                  "excluded.line");
    lcov.function_count =
        prepare_import(importer, "INSERT INTO function VALUES(?1, ?2, 0, ?3) ON CONFLICT DO UPDATE SET count "
                                 "= count + excluded.count");
    lcov.branch = prepare_import(
        importer, "INSERT INTO branch VALUES(?1, ?3, ?2, ?4) ON CONFLICT DO UPDATE SET taken = taken + "
                  "excluded.taken");
    lcov.numbered = prepare_import(importer, "INSERT OR REPLACE INTO numbered VALUES(?1, ?3, ?4)");
    sqlite3_stmt *const all[] = {lcov.line, lcov.function, lcov.function_count, lcov.branch, lcov.numbered};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        good = good && all[i];
    while (good && next_input_line(importer))
        good = read_lcov_record(importer, &lcov);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sqlite3_finalize(all[i]);
    return good && !importer->failed;
}

static bool write_lcov(struct importer *importer, const char *folder) {
    static const struct out_column lines[] = {{"File", "text", "label", "inst.file"},
                                              {"Line", "integer", "label", "inst.line"},
                                              {"Executed", "integer", "measure", NULL}};
    static const struct out_column functions[] = {{"Procedure", "text", "label", "proc.name"},
                                                  {"File", "text", "label", "proc.file"},
                                                  {"Line", "integer", "label", "proc.line"},
                                                  {"Calls", "integer", "measure", NULL}};
    static const struct out_column branches[] = {{"File", "text", "label", "inst.file"},
                                                 {"Line", "integer", "label", "inst.line"},
                                                 {"Branch", "text", "label", NULL},
                                                 {"Taken", "integer", "measure", NULL}};
    return write_imported_table(importer, folder, "lcov", 1, "lines", lines, 3,
                                "SELECT file, line, count FROM line ORDER BY file, line") &&
           write_imported_table(importer, folder, "lcov", 2, "procedures", functions, 4,
                                "SELECT name, file, line, count FROM function ORDER BY file, line, name") &&
           write_imported_table(importer, folder, "lcov", 3, "branches", branches, 4,
                                "SELECT file, line, branch, taken FROM branch ORDER BY file, line, branch");
}

/* ---- any ------------------------------------------------------------------------------------------------------- */

static const struct form {
    const char *name;
    bool (*read)(struct importer *importer);
    bool (*write)(struct importer *importer, const char *folder);
} forms[] = {{"callgrind", read_callgrind, write_callgrind},
             {"folded", read_folded, write_folded_table},
             {"lcov", read_lcov, write_lcov}};
enum { FORMS = sizeof forms / sizeof forms[0] };

static const struct form *find_import_form(const char *name) {
    for (size_t i = 0; i < FORMS; i++)
        if (strcmp(forms[i].name, name) == 0)
            return &forms[i];
    return NULL;
}

bool is_import_form(const char *word) {
    return find_import_form(word) != NULL;
}

/* The format is recognized by the first line that identifies it. */
static const struct form *guess_form(struct importer *importer) {
    static const char *const heads[] = {"version", "creator", "events", "cmd", "positions", "desc", "pid"};
    static const char *const records[] = {"TN", "SF"};
    const char *name = NULL;
    while (!name && next_input_line(importer)) {
        const char *line = importer->line;
        if (!*line)
            continue;
        for (size_t i = 0; i < sizeof heads / sizeof heads[0] && !name; i++)
            name = value_after_name(line, heads[i], ':') ? "callgrind" : NULL;
        for (size_t i = 0; i < sizeof records / sizeof records[0] && !name; i++)
            name = value_after_name(line, records[i], ':') ? "lcov" : NULL;
        if (!name && *line == '#')
            continue;
        const char *blank = strrchr(line, ' ');
        if (!name && blank && blank[1] && blank[1 + strspn(blank + 1, "0123456789")] == '\0')
            name = "folded";
        break;
    }
    rewind(importer->source);
    importer->number = 0;
    if (!name && !importer->failed)
        diagnose(importer->request->diagnostics, NULL, MESSAGE_IMPORT_FORM, importer->path);
    return name ? find_import_form(name) : NULL;
}

/* Into FOLDER/1, as the results of process 1. */
static bool import_into(struct importer *importer, const char *folder) {
    const struct request *request = importer->request;
    const struct form *form =
        request->export_form ? find_import_form(request->export_form) : guess_form(importer);
    char *inner = format_string("%s/1", folder);
    bool good = form != NULL;
    if (good && sqlite3_open(":memory:", &importer->database) != SQLITE_OK)
        good = database_failed(importer);
    good = good && execute_import(importer, "PRAGMA temp_store = MEMORY; BEGIN") && form->read(importer);
    if (good && mkdir(inner, 0777) != 0) {
        diagnose(request->diagnostics, NULL, MESSAGE_CANNOT_WRITE, inner, strerror(errno));
        good = false;
    }
    good = good && form->write(importer, inner);
    if (good && rmdir(inner) == 0) { /* it was empty */
        diagnose(request->diagnostics, NULL, MESSAGE_NO_ROWS, importer->path);
        good = false;
    }
    sqlite3_finalize(importer->add_cost);
    sqlite3_finalize(importer->add_call);
    sqlite3_finalize(importer->names);
    sqlite3_finalize(importer->find_name);
    sqlite3_close(importer->database);
    free(inner);
    return good;
}

static void remove_import(const char *folder) {
    for (int tool = 0; tool < FORMS; tool++)
        for (int number = 1; number <= 3; number++) {
            char *path = format_string("%s/1/%s.%d.rows", folder, forms[tool].name, number);
            unlink(path);
            free(path);
        }
    char *inner = format_string("%s/1", folder);
    rmdir(inner);
    rmdir(folder);
    free(inner);
}

/* The folder appears whole or not at all. */
bool import_results(const struct request *request) {
    const char *path = request->inputs[0];
    struct importer importer = {.request = request, .path = path, .source = fopen(path, "r"), .program = ""};
    struct stat status;
    if (!importer.source || fstat(fileno(importer.source), &status) != 0 || S_ISDIR(status.st_mode)) {
        diagnose(request->diagnostics, NULL, MESSAGE_CANNOT_READ, path,
                 strerror(importer.source ? EISDIR : errno));
        if (importer.source)
            fclose(importer.source);
        return false;
    }
    if (request->program)
        importer.program = request->program;
    char *temporary = format_string("%s.XXXXXX", request->output);
    bool good = mkdtemp(temporary) != NULL;
    mode_t mask = umask(0);
    umask(mask);
    if (!good || chmod(temporary, 0777 & ~mask) != 0)
        diagnose(request->diagnostics, NULL, MESSAGE_CANNOT_WRITE, temporary, strerror(errno));
    bool imported = good && import_into(&importer, temporary);
    if (imported && lstat(request->output, &status) == 0) {
        errno = EEXIST;
        imported = false;
        diagnose(request->diagnostics, NULL, MESSAGE_CANNOT_WRITE, request->output, strerror(errno));
    } else if (imported && rename(temporary, request->output) != 0) {
        imported = false;
        diagnose(request->diagnostics, NULL, MESSAGE_CANNOT_WRITE, request->output, strerror(errno));
    }
    if (good && !imported)
        remove_import(temporary);
    free(temporary);
    free(importer.line);
    fclose(importer.source);
    return imported;
}
