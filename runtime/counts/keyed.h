/* keyed.h: counters by keys, while the program runs and in reports. Nothing of Alpha, so that it is tested on
   the host. One thread at a time: the routines' lock is held, or the program has ended. */
#ifndef ATOMC_RUNTIME_KEYED_H
#define ATOMC_RUNTIME_KEYED_H

#include "plan/commands.h"
#include "plan/operators.h"

/* The value for these keys, of a histogram that of a bucket; 0: there is none. */
int64_t atomc_keyed_value(const struct keyed_table *table, const int64_t *keys, uint64_t bucket);
/* Updates it; of a histogram the bucket that `value` is in. Returns the cell, which stays where it is. */
int64_t *atomc_update_keyed(struct keyed_table *table, const int64_t *keys, int64_t value, int64_t amount);
/* The bucket that a value is in. */
uint64_t atomc_bucket_of(const struct command_buckets *buckets, int64_t value);
/* A text with the same characters, at the same address each time. */
const char *atomc_same_text(const char *text);

/* Entries in the order of their keys; behind them one of all keys beyond the limit, if there are any. */
struct keyed_rows {
    const struct keyed_table *table;
    const int64_t **entries;
    uint64_t count;
};
/* False without memory. */
int atomc_sort_keys(const struct keyed_table *table, struct keyed_rows *rows);
int atomc_is_other(const struct keyed_rows *rows, uint64_t row);
/* What another table, or this one, has for the row's keys, in a bucket or in all. */
int64_t atomc_row_value(const struct keyed_rows *rows, uint64_t row, const struct keyed_table *table,
                        int64_t bucket);
enum { KEYED_ALL_BUCKETS = -1 };
/* Says on standard error which tables had keys beyond their limits. */
void atomc_report_keys(void);
/* A child of fork begins to count, in tools without C: tables are empty. */
void atomc_forget_keys(void);
/* A cell that a table had before is now that of the same keys; any other stays. */
int64_t *atomc_cell_since_fork(int64_t *cell);

#endif
