/* match.c: see match.h. */
#include "runs/results/match.h"

#include <stdlib.h>
#include <string.h>

#include "runs/results/export.h"

/* ---- lines: the shortest edit, after Myers' "An O(ND) difference algorithm" -------------------------------- */

enum { MOST_CHANGES = 3000 }; /* if there are more changes, only the equal parts at both ends are matched */
struct lines {
    const char **begins; /* .count + 1 of them */
    uint32_t count;
};

static struct lines split_lines(const char *text) {
    struct lines lines = {NULL, 0};
    size_t capacity = 0;
    for (;;) {
        VECTOR_RESERVE(lines.begins, lines.count, capacity);
        lines.begins[lines.count] = text;
        if (!*text)
            return lines;
        lines.count++;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

static bool same_line(const struct lines *a, uint32_t i, const struct lines *b, uint32_t k) {
    size_t length = (size_t)(a->begins[i + 1] - a->begins[i]);
    return length == (size_t)(b->begins[k + 1] - b->begins[k]) &&
           memcmp(a->begins[i], b->begins[k], length) == 0;
}

/* The part between the equal parts at both ends. */
struct part {
    const struct lines *a, *b;
    uint32_t from; /* of both */
    int32_t a_count, b_count;
    uint32_t *matched;  /* indexed by B's lines, from 1 */
    int32_t **furthest; /* indexed by the number of changes d: for each diagonal -d .. d, the line of A that
                           is reached */
};

static bool is_down(const int32_t *before, int32_t d, int32_t k) {
    return k == -d || (k != d && before[k - 1] < before[k + 1]);
}

/* The number of changes; -1: there are too many. */
static int32_t find_line_changes(struct part *part) {
    for (int32_t d = 0; d <= MOST_CHANGES; d++) {
        int32_t *reached = (int32_t *)allocate((2 * (size_t)d + 3) * sizeof *reached) + d + 1;
        const int32_t *before = d > 0 ? part->furthest[d - 1] : NULL;
        part->furthest[d] = reached;
        reached[-d - 1] = reached[d + 1] = -1;
        for (int32_t k = -d; k <= d; k += 2) {
            int32_t x = d == 0 ? 0 : is_down(before, d, k) ? before[k + 1] : before[k - 1] + 1;
            while (x < part->a_count && x - k < part->b_count &&
                   same_line(part->a, part->from + (uint32_t)x, part->b, part->from + (uint32_t)(x - k)))
                x++;
            reached[k] = x;
            if (x >= part->a_count && x - k >= part->b_count)
                return d;
        }
    }
    return -1;
}

/* Matches the unchanged lines, from the end to the beginning. Line numbers in .matched start at 1, line
   numbers here at 0. */
static void match_back(struct part *part, int32_t changes) {
    int32_t x = part->a_count, y = part->b_count;
    for (int32_t d = changes; d >= 0; d--) {
        int32_t k = x - y, before = 0, begin = 0, diagonal = 0;
        if (d > 0) {
            bool down = is_down(part->furthest[d - 1], d, k);
            diagonal = down ? k + 1 : k - 1;
            before = part->furthest[d - 1][diagonal];
            begin = down ? before : before + 1; /* after the change */
        }
        while (x > begin) {
            x--;
            y--;
            part->matched[part->from + (uint32_t)y + 1] = part->from + (uint32_t)x + 1;
        }
        x = before;
        y = before - diagonal;
    }
}

uint32_t *match_lines(const char *first, const char *second) {
    struct lines a = split_lines(first), b = split_lines(second);
    uint32_t *matched = allocate_zeroed((size_t)b.count + 1, sizeof *matched);
    uint32_t least = a.count < b.count ? a.count : b.count, from = 0, after = 0;
    matched[0] = b.count;
    while (from < least && same_line(&a, from, &b, from)) {
        matched[from + 1] = from + 1;
        from++;
    }
    while (after < least - from && same_line(&a, a.count - 1 - after, &b, b.count - 1 - after)) {
        matched[b.count - after] = a.count - after;
        after++;
    }
    struct part part = {.a = &a,
                        .b = &b,
                        .from = from,
                        .a_count = (int32_t)(a.count - from - after),
                        .b_count = (int32_t)(b.count - from - after),
                        .matched = matched,
                        .furthest = allocate_zeroed(MOST_CHANGES + 1, sizeof *part.furthest)};
    int32_t changes = find_line_changes(&part);
    if (changes >= 0)
        match_back(&part, changes);
    for (int32_t d = 0; d <= MOST_CHANGES && part.furthest[d]; d++)
        free(part.furthest[d] - d - 1);
    free(part.furthest);
    free(a.begins);
    free(b.begins);
    return matched;
}

/* ---- files -------------------------------------------------------------------------------------------- */

struct file {
    int64_t text; /* its number in the store */
    const char *path;
    int64_t other; /* the file of the first build, a text */
    uint32_t *lines;
};
struct files {
    struct file *list;
    size_t count, capacity;
};

static bool find_files(struct store *store, const struct selection *selection, uint32_t column,
                       struct files *files) {
    for (uint32_t i = 0; i < selection->report_count; i++) {
        char *sql = format_string("SELECT DISTINCT c%u FROM data_%u WHERE report = %lld AND c%u IS NOT NULL",
                                  column, selection->shapes[i], (long long)selection->reports[i], column);
        sqlite3_stmt *ask = store_prepare(store, sql);
        free(sql);
        if (!ask)
            return false;
        while (sqlite3_step(ask) == SQLITE_ROW) {
            int64_t text = sqlite3_column_int64(ask, 0);
            ARENA_RESERVE(store->arena, files->list, files->count, files->capacity);
            files->list[files->count++] =
                (struct file){text, arena_format(store->arena, "%s", store_text(store, text)), text, NULL};
        }
        sqlite3_finalize(ask);
    }
    return true;
}

uint32_t common_path_end(const char *a, const char *b) {
    const char *end = a + strlen(a), *other = b + strlen(b);
    uint32_t names = 0;
    for (;;) {
        if (end == a || other == b)
            return names + (end == a && other == b ? *a != 0 : end == a ? other[-1] == '/' : end[-1] == '/');
        if (*--end != *--other)
            return names;
        names += *end == '/';
    }
}

/* The unique file with the longest common end; NULL: there is none. */
static const struct file *nearest_file(const struct files *files, const char *path) {
    const struct file *nearest = NULL;
    uint32_t most = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->list[i].path, path) == 0)
            return &files->list[i];
        uint32_t names = common_path_end(files->list[i].path, path);
        if (names == 0 || names < most)
            continue;
        nearest = names > most ? &files->list[i] : NULL;
        most = names;
    }
    return nearest;
}

static char *read_source_file(const struct source_reader *reader, const char *path) {
    size_t length;
    return reader->read ? reader->read(reader->context, path) : read_file(path, &length);
}

static bool match_file(const struct files *firsts, struct file *second, bool lines,
                       const struct source_reader *reader) {
    const struct file *first = nearest_file(firsts, second->path);
    if (!first || !*second->path)
        return true;
    second->other = first->text;
    if (!lines || strcmp(first->path, second->path) == 0)
        return true;
    char *before = read_source_file(reader, first->path), *after = read_source_file(reader, second->path);
    if (before && after)
        second->lines = match_lines(before, after);
    free(before);
    free(after);
    return second->lines != NULL;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static const char tables[] =
    "DROP TABLE IF EXISTS temp.match_file; DROP TABLE IF EXISTS temp.match_line;"
    "CREATE TEMP TABLE match_file(file INTEGER PRIMARY KEY, other INTEGER NOT NULL, lines INTEGER NOT NULL);"
    "CREATE TEMP TABLE match_line(file INTEGER NOT NULL, line INTEGER NOT NULL, other INTEGER NOT NULL, "
    "PRIMARY KEY(file, line)) WITHOUT ROWID;";

void match_end(struct store *store) {
    store_execute(store, "DROP TABLE IF EXISTS temp.match_file; DROP TABLE IF EXISTS temp.match_line; DROP "
                         "TABLE IF EXISTS temp.match_code; DROP TABLE IF EXISTS temp.match_name");
}

static bool add_matched(struct store *store, sqlite3_stmt *insert, int64_t first, int64_t second,
                        int64_t third) {
    sqlite3_bind_int64(insert, 1, first);
    sqlite3_bind_int64(insert, 2, second);
    sqlite3_bind_int64(insert, 3, third);
    return store_step(store, insert);
}

static bool keep_matches(struct store *store, const struct files *files) {
    if (!store_execute(store, tables))
        return false;
    sqlite3_stmt *add_file = store_prepare(store, "INSERT OR IGNORE INTO temp.match_file VALUES(?1, ?2, ?3)");
    sqlite3_stmt *add_line = store_prepare(store, "INSERT OR IGNORE INTO temp.match_line VALUES(?1, ?2, ?3)");
    bool good = add_file && add_line;
    for (size_t i = 0; i < files->count && good; i++) {
        const struct file *file = &files->list[i];
        good = add_matched(store, add_file, file->text, file->other, file->lines != NULL);
        for (uint32_t line = 1; good && file->lines && line <= file->lines[0]; line++)
            if (file->lines[line])
                good = add_matched(store, add_line, file->text, line, file->lines[line]);
    }
    sqlite3_finalize(add_file);
    sqlite3_finalize(add_line);
    return good;
}

/* Sets the expressions that replace the columns. */
static void replace_columns(struct store *store, struct selection *selection, struct source_columns source,
                            bool lines) {
    uint32_t file = source.file, line = source.line;
    selection->values =
        arena_allocate(store->arena, selection->shape->column_count * sizeof *selection->values);
    selection->values[file] = arena_format(
        store->arena, "ifnull((SELECT other FROM temp.match_file WHERE file = c%u), c%u)", file, file);
    if (lines)
        selection->values[line] = arena_format(
            store->arena,
            "iif(c%u > 0 AND (SELECT lines FROM temp.match_file WHERE file = c%u), ifnull((SELECT other FROM "
            "temp.match_line AS m WHERE m.file = c%u AND m.line = c%u), -c%u), c%u)",
            line, file, file, line, line, line);
}

bool match_sources(struct store *store, const struct selection *first, struct selection *second, bool lines,
                   const struct source_reader *reader, uint32_t *unread) {
    struct source_columns source = source_columns(first->shape);
    struct files firsts = {NULL, 0, 0}, seconds = {NULL, 0, 0};
    uint32_t columns = first->shape->column_count;
    *unread = 0;
    if (source.file == columns)
        return true;
    lines = lines && source.line < columns;
    bool good =
        find_files(store, first, source.file, &firsts) && find_files(store, second, source.file, &seconds);
    for (size_t i = 0; i < seconds.count; i++)
        *unread += !match_file(&firsts, &seconds.list[i], lines, reader);
    good = good && keep_matches(store, &seconds);
    replace_columns(store, second, source, lines);
    for (size_t i = 0; i < seconds.count; i++)
        free(seconds.list[i].lines);
    return good;
}
