/* orders.c: see orders.h. An order is made on its first use: one sort of the rows, whose numbers are
   written to an unnamed file. A page then consists of some numbers of that file, and the rows with these
   numbers. Rows of several combined processes have no numbers: their texts are stored, with the end of
   each. */
#define _GNU_SOURCE
#include "workbench/project/orders.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workbench/server/server.h"

enum { MANY_ROWS = 100000, KEPT_ORDERS = 16 };
static const uint64_t kept_bytes = UINT64_C(512) << 20; /* on the disk, of all orders */

/* Entries are 64-bit numbers: of rows, or where a row's text ends. */
struct order {
    char *key; /* from malloc; NULL: there is none */
    int entries, texts;
    uint64_t count, bytes, used; /* used: the greatest was used last */
};

static struct {
    pthread_mutex_t lock;
    struct order list[KEPT_ORDERS];
    uint64_t uses;
} orders = {.lock = PTHREAD_MUTEX_INITIALIZER};

void page_end(struct page *page, sqlite3_stmt *statement) {
    if (statement)
        page->steps += (uint64_t)sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
    sqlite3_finalize(statement);
}

/* ---- those that are kept ------------------------------------------------------------------------------- */

static void order_close(struct order *order) {
    free(order->key);
    if (order->entries >= 0)
        close(order->entries);
    if (order->texts >= 0)
        close(order->texts);
    *order = (struct order){.entries = -1, .texts = -1};
}

/* A copy of the order with that key, with its own descriptors. */
static bool find_order(const char *key, struct order *found) {
    *found = (struct order){.entries = -1, .texts = -1};
    pthread_mutex_lock(&orders.lock);
    for (int i = 0; i < KEPT_ORDERS; i++) {
        struct order *order = &orders.list[i];
        if (!order->key || strcmp(order->key, key) != 0)
            continue;
        order->used = ++orders.uses;
        found->entries = fcntl(order->entries, F_DUPFD_CLOEXEC, 0);
        found->texts = order->texts >= 0 ? fcntl(order->texts, F_DUPFD_CLOEXEC, 0) : -1;
        found->count = order->count;
        break;
    }
    pthread_mutex_unlock(&orders.lock);
    return found->entries >= 0;
}

static uint64_t all_bytes(void) {
    uint64_t sum = 0;
    for (int i = 0; i < KEPT_ORDERS; i++)
        sum += orders.list[i].key ? orders.list[i].bytes : 0;
    return sum;
}

/* The least recently used slot; an empty one first. */
static struct order *oldest_order(void) {
    struct order *least = &orders.list[0];
    for (int i = 1; i < KEPT_ORDERS; i++)
        if (least->key && (!orders.list[i].key || orders.list[i].used < least->used))
            least = &orders.list[i];
    return least;
}

/* The function takes ownership. */
static void keep_order(struct order *order) {
    pthread_mutex_lock(&orders.lock);
    while (all_bytes() > 0 && all_bytes() + order->bytes > kept_bytes) {
        struct order *last = NULL;
        for (int i = 0; i < KEPT_ORDERS; i++)
            if (orders.list[i].key && (!last || orders.list[i].used < last->used))
                last = &orders.list[i];
        order_close(last);
    }
    struct order *place = oldest_order();
    if (place->key)
        order_close(place);
    order->used = ++orders.uses;
    *place = *order;
    pthread_mutex_unlock(&orders.lock);
}

/* ---- making one ---------------------------------------------------------------------------------------- */

/* In the project; if the project is not writable, in the system's temporary directory. */
static FILE *nameless_file(struct request *request) {
    int file = open(project_folder(request->project), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    FILE *stream = file >= 0 ? fdopen(file, "w+") : tmpfile();
    if (!stream && file >= 0)
        close(file);
    return stream;
}

/* A descriptor of the written file. It is valid as long as the order is stored. -1: the disk is full. */
static int taken_descriptor(FILE *stream) {
    int file = fflush(stream) == 0 && !ferror(stream) ? fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0) : -1;
    fclose(stream);
    return file;
}

/* Rows of one process are stored in ascending order: the descending one is read from its end. */
static sqlite3_stmt *order_query(struct table *table, const struct rows_wanted *wanted) {
    struct rows_wanted rising = *wanted;
    char *sql = NULL;
    size_t size;
    FILE *words = open_memstream(&sql, &size);
    rising.descending &= table->merged;
    if (table->merged)
        table_write_rows(table, words);
    else
        fputs("SELECT t.row", words);
    table_write_from(table, words);
    table_write_where(table, wanted, words);
    table_write_order(table, &rising, words);
    fclose(words);
    return table_prepare(table, wanted, sql);
}

static bool make_order(struct request *request, struct table *table, const struct rows_wanted *wanted,
                       struct page *page, struct order *order) {
    sqlite3_stmt *query = order_query(table, wanted);
    FILE *entries = nameless_file(request), *texts = table->merged ? nameless_file(request) : NULL;
    int state = SQLITE_ERROR;
    uint64_t end = 0;
    *order = (struct order){.entries = -1, .texts = -1};
    while (query && entries && !texts == !table->merged && (state = sqlite3_step(query)) == SQLITE_ROW) {
        uint64_t entry = (uint64_t)sqlite3_column_int64(query, 0);
        if (texts) {
            const void *text = sqlite3_column_text(query, 0);
            size_t length = (size_t)sqlite3_column_bytes(query, 0);
            fwrite(text, 1, length, texts);
            fputs(",\n", texts);
            entry = end += length + 2;
        }
        fwrite(&entry, sizeof entry, 1, entries);
        order->count++;
    }
    page_end(page, query);
    order->bytes = order->count * sizeof(uint64_t) + end;
    order->entries = entries ? taken_descriptor(entries) : -1;
    order->texts = texts ? taken_descriptor(texts) : -1;
    bool good = state == SQLITE_DONE && order->entries >= 0 && (order->texts >= 0) == table->merged;
    if (!good && state == SQLITE_DONE)
        table->disk_full = true;
    if (!good)
        order_close(order);
    return good;
}

/* ---- pages --------------------------------------------------------------------------------------------- */

/* The request, and an identification of the results: a report's number may be reused when a run is
   deleted. */
static const char *order_key(struct request *request, const struct table *table,
                             const struct rows_wanted *wanted) {
    struct arena *arena = request->arena;
    sqlite3_stmt *ask = NULL;
    const char *key = "";
    sqlite3_prepare_v2(request->database,
                       "SELECT json_array(report.id, key, repeat, started, ended, rows) FROM report JOIN run "
                       "ON run.id = report.run WHERE report.id = ?1",
                       -1, &ask, NULL);
    sqlite3_bind_int64(ask, 1, table->selection.reports[0]);
    if (next_row(ask))
        key = arena_format(arena, "%s", (const char *)sqlite3_column_text(ask, 0));
    sqlite3_finalize(ask);
    key = arena_format(arena, "%s %" PRIu64 " %d %u %d", key, table->rows, table->merged, wanted->sort,
                       wanted->descending && table->merged);
    for (uint32_t i = 0; i < wanted->condition_count; i++) {
        const struct condition *condition = &wanted->conditions[i];
        key = arena_format(arena, "%s %u,%d,%zu:%s", key, condition->column, (int)condition->comparison,
                           strlen(condition->value), condition->value);
    }
    return arena_format(arena, "%s ~%s", key, wanted->find);
}

/* Writes each row with one of these numbers. */
static bool write_numbered(struct table *table, const uint64_t *numbers, uint64_t count, bool backward,
                           struct page *page, FILE *stream) {
    char *sql = NULL;
    size_t size;
    int state = SQLITE_DONE;
    FILE *words = open_memstream(&sql, &size);
    table_write_rows(table, words);
    table_write_from(table, words);
    fputs(" WHERE report = ?1 AND row = ?2", words);
    fclose(words);
    sqlite3_stmt *query = store_prepare(&table->store, sql);
    free(sql);
    for (uint64_t i = 0; query && i < count && state == SQLITE_DONE; i++) {
        sqlite3_reset(query);
        sqlite3_bind_int64(query, 1, table->selection.reports[0]);
        sqlite3_bind_int64(query, 2, (int64_t)numbers[backward ? count - 1 - i : i]);
        while ((state = sqlite3_step(query)) == SQLITE_ROW) {
            fputs(i ? ",\n" : "", stream);
            fwrite(sqlite3_column_text(query, 0), 1, (size_t)sqlite3_column_bytes(query, 0), stream);
        }
    }
    bool good = query && state == SQLITE_DONE;
    page_end(page, query);
    return good;
}

static bool write_texts(struct request *request, const struct order *order, uint64_t from, uint64_t to,
                        FILE *stream) {
    char *text = arena_allocate(request->arena, to - from + 1);
    bool good = pread(order->texts, text, to - from, (off_t)from) == (ssize_t)(to - from);
    if (good && to > from)
        fwrite(text, 1, to - from - 2, stream); /* no comma after the last */
    return good;
}

static bool write_from_order(struct request *request, struct table *table, const struct rows_wanted *wanted,
                             const struct order *order, struct page *page, FILE *stream) {
    bool backward = wanted->descending && !table->merged;
    uint64_t first = (uint64_t)page->offset < order->count ? (uint64_t)page->offset : order->count;
    uint64_t count = order->count - first;
    count = count < (uint64_t)page->limit ? count : (uint64_t)page->limit;
    if (backward)
        first = order->count - first - count;
    /* Includes the preceding entry, whose end is the beginning of the first. */
    uint64_t *entries = arena_allocate(request->arena, (count + 1) * sizeof *entries);
    uint64_t before = first > 0, bytes = (count + before) * sizeof *entries;
    uint64_t *read_to = entries + !before;
    if (pread(order->entries, read_to, bytes, (off_t)((first - before) * sizeof *entries)) != (ssize_t)bytes)
        return false;
    return table->merged ? write_texts(request, order, entries[0], entries[count], stream)
                         : write_numbered(table, entries + 1, count, backward, page, stream);
}

/* For a small table, or a table in the order of its rows, whose numbers are 1, 2, 3 ... */
static bool write_at_once(struct table *table, const struct rows_wanted *wanted, bool by_number,
                          struct page *page, FILE *stream) {
    char *sql = NULL;
    size_t size;
    int state = SQLITE_ERROR;
    FILE *words = open_memstream(&sql, &size);
    table_write_rows(table, words);
    table_write_from(table, words);
    table_write_where(table, wanted, words);
    fputs(by_number ? " AND row > ?1002" : "", words);
    table_write_order(table, wanted, words);
    fputs(by_number ? " LIMIT ?1001" : " LIMIT ?1001 OFFSET ?1002", words);
    fclose(words);
    sqlite3_stmt *query = table_prepare(table, wanted, sql);
    if (query) {
        sqlite3_bind_int64(query, 1001, page->limit);
        sqlite3_bind_int64(query, 1002, page->offset);
        for (bool any = false; (state = sqlite3_step(query)) == SQLITE_ROW; any = true) {
            fputs(any ? ",\n" : "", stream);
            fwrite(sqlite3_column_text(query, 0), 1, (size_t)sqlite3_column_bytes(query, 0), stream);
        }
    }
    page_end(page, query);
    return state == SQLITE_DONE;
}

bool orders_write_page(struct request *request, struct table *table, const struct rows_wanted *wanted,
                       struct page *page, FILE *stream) {
    bool as_written = !table->merged && wanted->sort == table->shape->column_count && !*wanted->find &&
                      wanted->condition_count == 0;
    if (as_written || table->rows <= MANY_ROWS)
        return write_at_once(table, wanted, as_written, page, stream);
    const char *key = order_key(request, table, wanted);
    struct order order;
    bool found = find_order(key, &order);
    if (!found && !make_order(request, table, wanted, page, &order))
        return false;
    bool good = write_from_order(request, table, wanted, &order, page, stream);
    if (found || !good) {
        order_close(&order);
    } else {
        order.key = duplicate_string(key);
        keep_order(&order);
    }
    return good;
}
