/* keyed.c: the tables of counters by keys (plan/commands.h). Memory is allocated in large pieces and never
   freed: entries do not move. New entries use the memory of removed ones. Compiled without floating-point
   registers, which may hold values of the program.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/counts/counts.h"
#include "runtime/counts/nonzero.h"

#define POINTER(type, address) ((type *)(uintptr_t)(address))

/* ---- memory -------------------------------------------------------------------------------------------- */

static void *fresh_pages(size_t size) {
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED)
        return pages;
    static const char text[] = "atomc: no memory for the keys of counters\n";
    fwrite(text, 1, sizeof text - 1, stderr);
    abort();
}

static void *part_of_pages(size_t size) {
    enum { PIECE = 1 << 20 };
    static char *next, *end;
    size = (size + 7) & ~(size_t)7;
    if (size > PIECE / 4)
        return fresh_pages(size);
    if ((size_t)(end - next) < size) {
        next = fresh_pages(PIECE);
        end = next + PIECE;
    }
    char *piece = next;
    next += size;
    return piece;
}

/* ---- texts --------------------------------------------------------------------------------------------- */

static struct {
    const char **texts; /* NULL if free */
    uint64_t size, count;
} known_texts;

static uint64_t mixed_bits(uint64_t value) {
    value *= UINT64_C(0x9e3779b97f4a7c15);
    return value ^ value >> 29;
}

static uint64_t hash_of_text(const char *text) {
    uint64_t hash = 0;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return mixed_bits(hash);
}

static const char **place_of_text(const char *text) {
    uint64_t at = hash_of_text(text) & (known_texts.size - 1);
    while (known_texts.texts[at] && strcmp(known_texts.texts[at], text) != 0)
        at = (at + 1) & (known_texts.size - 1);
    return &known_texts.texts[at];
}

static void grow_texts(void) {
    const char **old = known_texts.texts;
    uint64_t old_size = known_texts.size;
    known_texts.size = old_size ? 2 * old_size : 1024;
    known_texts.texts = fresh_pages(known_texts.size * sizeof *known_texts.texts);
    for (uint64_t i = 0; i < old_size; i++)
        if (old[i])
            *place_of_text(old[i]) = old[i];
    if (old)
        munmap(old, old_size * sizeof *old);
}

/* A cache of some of these texts by address. Another text never has the same address. Without the cache, each
   comparison of a long text of $stack would read all of its characters. */
enum { SETTLED = 1024 };
static const char *settled_texts[SETTLED];

static const char **settled_place(const char *text) {
    return &settled_texts[(uintptr_t)text >> 3 & (SETTLED - 1)];
}

/* Returns NULL if it is in no table. */
static const char *known_text(const char *text) {
    if (*settled_place(text) == text)
        return text;
    const char *known = known_texts.size ? *place_of_text(text) : NULL;
    if (known)
        *settled_place(known) = known;
    return known;
}

const char *atomc_same_text(const char *text) {
    if (2 * known_texts.count >= known_texts.size)
        grow_texts();
    const char **place = place_of_text(text);
    if (!*place) {
        size_t length = strlen(text) + 1;
        *place = memcpy(part_of_pages(length), text, length);
        known_texts.count++;
    }
    return *place;
}

/* ---- entries ------------------------------------------------------------------------------------------- */

/* An entry consists of its keys, followed by its cells. */
static uint64_t cells_of(const struct keyed_table *table) {
    return table->buckets.count ? table->buckets.count : 1;
}

static uint64_t hash_keys(const struct keyed_table *table, const int64_t *keys) {
    uint64_t hash = 0;
    for (uint64_t i = 0; i < table->key_count; i++)
        hash = mixed_bits(hash + (uint64_t)keys[i]);
    return hash;
}

static int entries_match(const struct keyed_table *table, const int64_t *left, const int64_t *right) {
    for (uint64_t i = 0; i < table->key_count; i++)
        if (left[i] != right[i])
            return 0;
    return 1;
}

static int64_t **entries_of_table(const struct keyed_table *table) {
    return POINTER(int64_t *, table->entries);
}

/* The slot that holds the entry's number, or is free for it. */
static uint32_t *place_of_entry(const struct keyed_table *table, const int64_t *keys) {
    uint32_t *numbers = POINTER(uint32_t, table->hash);
    uint64_t at = hash_keys(table, keys) & (table->hash_size - 1);
    while (numbers[at] && !entries_match(table, entries_of_table(table)[numbers[at] - 1], keys))
        at = (at + 1) & (table->hash_size - 1);
    return &numbers[at];
}

/* Keys in the form of the table: texts by their unique address. Returns false if a text is in no table. */
static int settle_keys(const struct keyed_table *table, const int64_t *keys, int64_t *settled) {
    for (uint64_t i = 0; i < table->key_count; i++) {
        settled[i] =
            table->keys[i] == COMMAND_KEY_TEXT ? (intptr_t)known_text(POINTER(char, keys[i])) : keys[i];
        if (table->keys[i] == COMMAND_KEY_TEXT && !settled[i])
            return 0;
    }
    return 1;
}

static int64_t *find_entry(const struct keyed_table *table, const int64_t *keys) {
    int64_t settled[COMMAND_MOST_KEYS];
    if (table->count == 0 || !settle_keys(table, keys, settled))
        return NULL;
    if (table->last && entries_match(table, POINTER(int64_t, table->last), settled))
        return POINTER(int64_t, table->last);
    uint32_t number = *place_of_entry(table, settled);
    return number ? entries_of_table(table)[number - 1] : NULL;
}

static void grow_table(struct keyed_table *table) {
    int64_t **old = entries_of_table(table);
    uint32_t *old_numbers = POINTER(uint32_t, table->hash);
    uint64_t capacity = table->capacity ? 2 * table->capacity : 512, old_size = table->hash_size;
    int64_t **entries = fresh_pages(capacity * sizeof *entries);
    if (old) {
        memcpy(entries, old, table->count * sizeof *entries);
        munmap(old, table->capacity * sizeof *entries);
        munmap(old_numbers, old_size * sizeof *old_numbers);
    }
    table->entries = (uintptr_t)entries;
    table->capacity = capacity;
    table->hash_size = 2 * capacity;
    table->hash = (uintptr_t)fresh_pages(table->hash_size * sizeof(uint32_t));
    for (uint64_t i = 0; i < table->count; i++)
        *place_of_entry(table, entries[i]) = (uint32_t)(i + 1);
}

static struct keyed_table *used_tables;

static int64_t *new_entry(const struct keyed_table *table) {
    size_t size = (table->key_count + cells_of(table)) * sizeof(int64_t);
    return memset(part_of_pages(size), 0, size);
}

static int64_t *unused_entry(struct keyed_table *table) {
    int64_t *entry = POINTER(int64_t, table->free);
    if (!entry)
        return new_entry(table);
    table->free = (uint64_t)entry[0];
    return memset(entry, 0, (table->key_count + cells_of(table)) * sizeof(int64_t));
}

/* The entry is in no list. */
static void release_entry(struct keyed_table *table, int64_t *entry) {
    if (table->keeps)
        return;
    entry[0] = (int64_t)table->free;
    table->free = (uintptr_t)entry;
}

static int64_t *other_entry(struct keyed_table *table) {
    if (!table->other)
        table->other = (uintptr_t)new_entry(table);
    return POINTER(int64_t, table->other);
}

static int64_t *add_entry(struct keyed_table *table, const int64_t *keys) {
    if (!table->entries) {
        table->next = (uintptr_t)used_tables;
        used_tables = table;
    }
    if (table->count == table->capacity)
        grow_table(table);
    int64_t *entry = unused_entry(table);
    for (uint64_t i = 0; i < table->key_count; i++)
        entry[i] =
            table->keys[i] == COMMAND_KEY_TEXT ? (intptr_t)atomc_same_text(POINTER(char, keys[i])) : keys[i];
    *place_of_entry(table, entry) = (uint32_t)(table->count + 1);
    entries_of_table(table)[table->count++] = entry;
    return entry;
}

/* ---- values -------------------------------------------------------------------------------------------- */

uint64_t atomc_bucket_of(const struct command_buckets *buckets, int64_t value) {
    if (buckets->logarithmic)
        return value < 0 ? 0 : value == 0 ? 1 : 65 - (uint64_t)__builtin_clzll((uint64_t)value);
    return value < buckets->low ? 0
           : value >= buckets->high
               ? buckets->count - 1
               : 1 + ((uint64_t)value - (uint64_t)buckets->low) / (uint64_t)buckets->step;
}

int64_t atomc_keyed_value(const struct keyed_table *table, const int64_t *keys, uint64_t bucket) {
    const int64_t *entry = find_entry(table, keys);
    return entry ? entry[table->key_count + bucket] : 0;
}

/* *is_new: no amount has been added to the entry yet. */
static int64_t *find_or_add_entry(struct keyed_table *table, const int64_t *keys, int *is_new) {
    int64_t *entry = find_entry(table, keys);
    int is_full = table->count >= table->limit;
    *is_new = !entry;
    if (*is_new && is_full) {
        entry = other_entry(table);
        *is_new = table->other_updates++ == 0;
    } else if (*is_new) {
        entry = add_entry(table, keys);
    }
    if (POINTER(int64_t, table->other) != entry)
        table->last = (uintptr_t)entry;
    return entry;
}

int64_t *atomc_update_keyed(struct keyed_table *table, const int64_t *keys, int64_t value, int64_t amount) {
    enum { ADD, MAXIMUM, MINIMUM, SET }; /* enum plan_update */
    int is_new;
    int64_t *entry = find_or_add_entry(table, keys, &is_new);
    int64_t *cell = entry + table->key_count;
    if (table->buckets.count) {
        cell += atomc_bucket_of(&table->buckets, value);
        __sync_fetch_and_add(cell, amount);
        return cell;
    }
    switch (table->update) {
    case ADD: /* after a fault, amounts that were not reached are subtracted without the lock */
        __sync_fetch_and_add(cell, amount);
        break;
    case MAXIMUM:
        *cell = is_new || amount > *cell ? amount : *cell;
        break;
    case MINIMUM:
        *cell = is_new || amount < *cell ? amount : *cell;
        break;
    default:
        *cell = table->texts ? (intptr_t)atomc_same_text(POINTER(char, amount)) : amount;
    }
    return cell;
}

void atomc_add_places(struct keyed_table *table, uint64_t count, const int64_t *cells, int64_t amount, ...) {
    const int64_t *keys[COMMAND_MOST_KEYS];
    va_list list;
    va_start(list, amount);
    for (uint64_t k = 0; k < table->key_count; k++)
        keys[k] = va_arg(list, const int64_t *);
    va_end(list);
    for (uint64_t i = 0; (i = atomc_next_nonzero((const uint64_t *)cells, i, count)) < count; i++) {
        int64_t of_place[COMMAND_MOST_KEYS];
        for (uint64_t k = 0; k < table->key_count; k++)
            of_place[k] = keys[k][i];
        const uint64_t others = table->other_updates;
        atomc_update_keyed(table, of_place, 0, cells[i]);
        if (table->other_updates != others)
            table->other_updates += (uint64_t)(cells[i] / amount) - 1;
    }
}

/* ---- removal ------------------------------------------------------------------------------------------- */

/* Frees the slot, and moves the entries that follow it without a gap to the slots where they are searched. */
static void free_slot(struct keyed_table *table, uint32_t *slot) {
    uint32_t *numbers = POINTER(uint32_t, table->hash);
    uint64_t mask = table->hash_size - 1, hole = (uint64_t)(slot - numbers);
    for (uint64_t at = (hole + 1) & mask; numbers[at]; at = (at + 1) & mask) {
        uint64_t first = hash_keys(table, entries_of_table(table)[numbers[at] - 1]) & mask;
        if (((at - first) & mask) >= ((at - hole) & mask)) {
            numbers[hole] = numbers[at];
            hole = at;
        }
    }
    numbers[hole] = 0;
}

/* The last entry gets the number of the removed one. */
static void remove_entry(struct keyed_table *table, uint32_t *slot) {
    int64_t **entries = entries_of_table(table);
    uint64_t number = *slot - 1;
    int64_t *entry = entries[number];
    *place_of_entry(table, entries[table->count - 1]) = (uint32_t)(number + 1);
    entries[number] = entries[--table->count];
    free_slot(table, slot);
    if (POINTER(int64_t, table->last) == entry)
        table->last = 0;
    release_entry(table, entry);
}

void atomc_delete_keyed(struct keyed_table *table, const int64_t *keys) {
    int64_t settled[COMMAND_MOST_KEYS];
    if (table->count == 0 || !settle_keys(table, keys, settled))
        return;
    uint32_t *slot = place_of_entry(table, settled);
    if (*slot)
        remove_entry(table, slot);
}

void atomc_clear_keyed(struct keyed_table *table, const int64_t *thread) {
    for (uint64_t i = table->count; i-- > 0;) {
        const int64_t *entry = entries_of_table(table)[i];
        if (!thread || entry[0] == *thread)
            remove_entry(table, place_of_entry(table, entry));
    }
    if (thread)
        return;
    if (table->other)
        release_entry(table, POINTER(int64_t, table->other));
    table->other = table->other_updates = 0;
}

/* ---- children ------------------------------------------------------------------------------------------- */

/* A table in its state at the start of the process. A block that a signal has interrupted may still add to
   it. */
struct forgotten {
    struct forgotten *next;
    struct keyed_table *table;
    int64_t **entries, *other;
    uint64_t count;
};
static struct forgotten *forgotten_tables;

static void forget_entries(struct keyed_table *table) {
    struct forgotten *forgotten = part_of_pages(sizeof *forgotten);
    *forgotten = (struct forgotten){.next = forgotten_tables,
                                    .table = table,
                                    .entries = entries_of_table(table),
                                    .other = POINTER(int64_t, table->other),
                                    .count = table->count};
    forgotten_tables = forgotten;
    munmap(POINTER(void, table->hash), table->hash_size * sizeof(uint32_t));
    table->entries = table->hash = table->capacity = table->hash_size = 0;
    table->count = table->other = table->other_updates = table->last = table->free = 0;
}

/* The number of the cell in the entry; -1 if it is not in the entry. */
static int64_t number_of_entry_cell(const struct keyed_table *table, const int64_t *entry,
                                    const int64_t *cell) {
    const int64_t *cells = entry + table->key_count;
    return entry && cell >= cells && cell < cells + cells_of(table) ? cell - cells : -1;
}

int64_t *atomc_cell_since_fork(int64_t *cell) {
    for (const struct forgotten *forgotten = forgotten_tables; forgotten; forgotten = forgotten->next) {
        struct keyed_table *table = forgotten->table;
        int64_t number = number_of_entry_cell(table, forgotten->other, cell);
        int is_new;
        if (number >= 0) /* its key is no longer known */
            return other_entry(table) + table->key_count + number;
        for (uint64_t i = 0; i < forgotten->count; i++) {
            number = number_of_entry_cell(table, forgotten->entries[i], cell);
            if (number >= 0)
                return find_or_add_entry(table, forgotten->entries[i], &is_new) + table->key_count + number;
        }
    }
    return cell;
}

/* ---- reports ------------------------------------------------------------------------------------------- */

static const struct keyed_table *sorted_table;

static int compare_entries(const void *left, const void *right) {
    const int64_t *a = *(const int64_t *const *)left, *b = *(const int64_t *const *)right;
    for (uint64_t i = 0; i < sorted_table->key_count; i++) {
        int order = a[i] == b[i] ? 0
                    : sorted_table->keys[i] == COMMAND_KEY_TEXT
                        ? strcmp(POINTER(char, a[i]), POINTER(char, b[i]))
                    : a[i] < b[i] ? -1
                                  : 1;
        if (order)
            return order;
    }
    return 0;
}

int atomc_sort_keys(const struct keyed_table *table, struct keyed_rows *rows) {
    *rows = (struct keyed_rows){.table = table, .count = table->count};
    rows->entries = malloc((table->count + 1) * sizeof *rows->entries);
    if (!rows->entries)
        return 0;
    for (uint64_t i = 0; i < table->count; i++)
        rows->entries[i] = entries_of_table(table)[i];
    sorted_table = table;
    qsort(rows->entries, table->count, sizeof *rows->entries, compare_entries);
    if (table->other)
        rows->entries[rows->count++] = POINTER(int64_t, table->other);
    return 1;
}

int atomc_is_other(const struct keyed_rows *rows, uint64_t row) {
    return row == rows->table->count;
}

int64_t atomc_row_value(const struct keyed_rows *rows, uint64_t row, const struct keyed_table *table,
                        int64_t bucket) {
    const int64_t *entry = rows->entries[row];
    if (table != rows->table)
        entry = atomc_is_other(rows, row) ? POINTER(int64_t, table->other) : find_entry(table, entry);
    if (!entry)
        return 0;
    entry += table->key_count;
    if (bucket != KEYED_ALL_BUCKETS)
        return (uint64_t)bucket < cells_of(table) ? entry[bucket] : 0;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < cells_of(table); i++)
        sum += (uint64_t)entry[i];
    return (int64_t)sum;
}

void atomc_report_keys(void) {
    for (const struct keyed_table *table = used_tables; table;
         table = POINTER(struct keyed_table, table->next))
        if (table->other_updates)
            fprintf(stderr,
                    "atomc: '%s' has its limit of %lu keys: %lu updates of others are in one row, (other)\n",
                    table->name, (unsigned long)table->limit, (unsigned long)table->other_updates);
}

void atomc_forget_keys(void) {
    struct keyed_table *others = NULL, *next;
    for (struct keyed_table *table = used_tables; table; table = next) {
        next = POINTER(struct keyed_table, table->next);
        if (table->forks) {
            forget_entries(table);
        } else {
            table->next = (uintptr_t)others;
            others = table;
        }
    }
    used_tables = others;
}
