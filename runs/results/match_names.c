/* match_names.c: see match.h. Compilers make clones of procedures, and separate parts of procedures: another
   build may have different clones and parts, or none. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runs/results/match.h"

/* ---- names -------------------------------------------------------------------------------------------- */

static const char *const endings[] = {".cold",     ".constprop", ".isra",      ".llvm",
                                      ".lto_priv", ".part",      ".localalias"};

/* The length of the suffix that begins here, including its number: `.part.0`; 0: no suffix begins here. */
static size_t ending_length(const char *at, const char *end) {
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t length = strlen(endings[i]);
        if ((size_t)(end - at) < length || memcmp(at, endings[i], length) != 0)
            continue;
        if (at + length < end && at[length] == '.' && isdigit((unsigned char)at[length + 1]))
            for (length++; at + length < end && isdigit((unsigned char)at[length]);)
                length++;
        if (at + length == end || at[length] == '.')
            return length;
    }
    return 0;
}

/* `step.constprop.0.cold`: the name before its endings. Compilers write C++ names with `[clone .part.0]`. */
static size_t name_length(const char *name, size_t length) {
    const char *end = name + length, *clone;
    while (end > name && end[-1] == ']') {
        static const char word[] = " [clone ";
        clone = end - 1;
        while (clone > name && *clone != '[')
            clone--;
        if (clone == name || strncmp(clone - 1, word, sizeof word - 1) != 0 ||
            ending_length(clone + sizeof word - 2, end - 1) == 0)
            break;
        end = clone - 1;
    }
    for (const char *at = name + 1; at < end; at++) {
        const char *after = at;
        for (size_t more; after < end && (more = ending_length(after, end)) > 0;)
            after += more;
        if (after == end)
            return (size_t)(at - name);
    }
    return (size_t)(end - name);
}

char *name_of_clones(const char *text) {
    char *name = allocate(strlen(text) + 1);
    size_t length = 0;
    for (const char *at = text;; at++) { /* names of a stack are separated by `;` */
        size_t whole = strcspn(at, ";"), kept = name_length(at, whole);
        memcpy(name + length, at, kept);
        length += kept;
        at += whole;
        if (!*at)
            break;
        name[length++] = ';';
    }
    name[length] = '\0';
    return name;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static bool name_ends_with(const char *text, const char *end) {
    size_t length = strlen(text), least = strlen(end);
    return length >= least && strcmp(text + length - least, end) == 0;
}

bool has_names(const struct row_column *column) {
    static const char *const titles[] = {"Procedure", "Caller", "Callee"};
    if (column->type != ROW_TEXT)
        return false;
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (strcasecmp(column->title, titles[i]) == 0)
            return true;
    return name_ends_with(column->attribute, "proc.name") ||
           name_ends_with(column->attribute, "entry.name") || name_ends_with(column->attribute, ".callee") ||
           strcmp(column->attribute, "$stack") == 0;
}

/* The number of the procedure's name. If the database is only read, as in the workbench, and does not contain
   that text, the first clone's name stands for it. */
static int64_t whole_number(struct store *store, const char *name, int64_t clone) {
    if (!sqlite3_db_readonly(store->database, "main"))
        return store_text_number(store, name);
    sqlite3_stmt *ask = store_prepare(
        store, "INSERT INTO temp.match_whole VALUES(?1, ifnull((SELECT id FROM text WHERE value "
               "= ?1), ?2)) ON CONFLICT DO UPDATE SET name = name RETURNING name");
    sqlite3_bind_text(ask, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(ask, 2, clone);
    int64_t number = sqlite3_step(ask) == SQLITE_ROW ? sqlite3_column_int64(ask, 0) : 0;
    sqlite3_finalize(ask);
    return number;
}

static bool add_clones(struct store *store, const struct selection *selection, uint32_t column, int side,
                       sqlite3_stmt *insert) {
    bool good = true;
    for (uint32_t i = 0; i < selection->report_count && good; i++) {
        char *sql = format_string("SELECT DISTINCT c%u FROM data_%u WHERE report = %lld AND c%u IS NOT NULL",
                                  column, selection->shapes[i], (long long)selection->reports[i], column);
        sqlite3_stmt *ask = store_prepare(store, sql);
        free(sql);
        good = ask != NULL;
        while (good && sqlite3_step(ask) == SQLITE_ROW) {
            int64_t number = sqlite3_column_int64(ask, 0);
            char *text = duplicate_string(store_text(store, number)), *name = name_of_clones(text);
            int64_t whole = strcmp(text, name) != 0 ? whole_number(store, name, number) : 0;
            if (whole) {
                sqlite3_bind_int64(insert, 1, number);
                sqlite3_bind_int64(insert, 2, whole);
                sqlite3_bind_int(insert, 3, 1 << side);
                good = store_step(store, insert);
            }
            free(text);
            free(name);
        }
        sqlite3_finalize(ask);
    }
    return good;
}

bool match_names(struct store *store, struct selection *sides, uint32_t *clones) {
    const struct shape *shape = sides[0].shape;
    *clones = 0;
    if (!store_execute(store,
                       "DROP TABLE IF EXISTS temp.match_name; CREATE TEMP TABLE match_name(name INTEGER "
                       "PRIMARY KEY, whole INTEGER NOT NULL, sides INTEGER NOT NULL); CREATE TEMP TABLE "
                       "IF NOT EXISTS match_whole(value TEXT PRIMARY KEY, name INTEGER); DELETE FROM "
                       "temp.match_whole"))
        return false;
    sqlite3_stmt *insert = store_prepare(
        store,
        "INSERT INTO temp.match_name VALUES(?1, ?2, ?3) ON CONFLICT(name) DO UPDATE SET sides = sides | ?3");
    bool good = insert != NULL;
    for (int side = 0; side < 2 && good; side++)
        for (uint32_t i = 0; i < shape->column_count && good; i++) {
            if (!has_names(&shape->columns[i]))
                continue;
            if (!sides[side].values)
                sides[side].values =
                    arena_allocate(store->arena, shape->column_count * sizeof *sides[side].values);
            good = add_clones(store, &sides[side], i, side, insert);
            sides[side].values[i] = arena_format(
                store->arena, "ifnull((SELECT whole FROM temp.match_name WHERE name = c%u), c%u)", i, i);
        }
    sqlite3_finalize(insert);
    sqlite3_stmt *ask =
        good ? store_prepare(store, "SELECT count(*) FROM temp.match_name WHERE sides != 3") : NULL;
    if (ask && sqlite3_step(ask) == SQLITE_ROW)
        *clones = (uint32_t)sqlite3_column_int64(ask, 0);
    sqlite3_finalize(ask);
    return ask != NULL;
}
