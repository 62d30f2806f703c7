/* run_addresses.c: addresses of libraries in a run's tables, and in the list of procedures. atomc assigns a
   range to each library that it instruments, in their order (driver/objects.c). The list has all libraries, a
   run perhaps only some. */
#include <inttypes.h>
#include <string.h>

#include "workbench/project/programs.h"

enum { RANGE_BITS = 32, MOST_OBJECTS = 256 };
static const int64_t first_range = INT64_C(1) << 42;

/* True if the word of --objects= names the library. */
static bool word_names(const char *word, size_t length, const char *name) {
    const char *suffix = strstr(name, ".so"), *rest = name + length;
    if (length == 3 && strncmp(word, "all", 3) == 0)
        return true;
    if (length == 0 || strlen(name) < length || strncmp(word, name, length) != 0)
        return false;
    return *rest == '\0' || *rest == '-' || rest == suffix || (*rest == '.' && suffix && rest > suffix);
}

static bool is_chosen(const char *list, const char *name) {
    while (*list) {
        size_t length = strcspn(list, ",");
        if (word_names(list, length, name))
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

/* The numbers of the libraries that the run instrumented, by range; -1 after an error. */
static int chosen_ranges(sqlite3 *database, int64_t program, int64_t run, int64_t *bases) {
    sqlite3_stmt *row =
        statement(database,
                  "SELECT o.name, o.base, r.objects FROM program_object o, run r WHERE o.program = ?1 AND "
                  "o.number > 0 AND r.id = ?2 ORDER BY o.number",
                  "ii", program, run);
    int count = row ? 0 : -1;
    while (row && count < MOST_OBJECTS && next_row(row))
        if (is_chosen((const char *)sqlite3_column_text(row, 2), (const char *)sqlite3_column_text(row, 0)))
            bases[count++] = sqlite3_column_int64(row, 1);
    sqlite3_finalize(row);
    return count;
}

const char *listed_address(struct request *request, int64_t program, int64_t run, const char *address) {
    int64_t bases[MOST_OBJECTS];
    int count = chosen_ranges(request->database, program, run, bases);
    const char *sql =
        arena_format(request->arena, "CASE WHEN %s < %" PRId64 " THEN %s ", address, first_range, address);
    for (int i = 0; i < count; i++) {
        int64_t begin = first_range + ((int64_t)i << RANGE_BITS);
        sql = arena_format(request->arena, "%sWHEN %s < %" PRId64 " THEN %s - %" PRId64 " + %" PRId64 " ",
                           sql, address, begin + (INT64_C(1) << RANGE_BITS), address, begin, bases[i]);
    }
    return arena_format(request->arena, "%sEND", sql);
}

bool run_address(sqlite3 *database, int64_t program, int64_t run, int64_t address, int64_t *distance) {
    int64_t bases[MOST_OBJECTS];
    int count = address < first_range ? 0 : chosen_ranges(database, program, run, bases);
    *distance = 0;
    for (int i = 0; i < count; i++)
        if (address >= bases[i] && address - bases[i] < INT64_C(1) << RANGE_BITS) {
            *distance = first_range + ((int64_t)i << RANGE_BITS) - bases[i];
            return true;
        }
    return address < first_range;
}
