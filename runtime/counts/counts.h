/* counts.h: counts while the program runs: the ones that are derived, counters by keys, records of sums,
   the cells of each thread. counting.c and keyed.c require nothing of Alpha: they are tested on the host. */
#ifndef ATOMC_RUNTIME_COUNTS_H
#define ATOMC_RUNTIME_COUNTS_H

#include "plan/commands.h"
#include "plan/operators.h"
#include "runtime/interface.h"

/* ---- counting.c: counts that are derived when the program ends, from the ones made (engine/count/counting.h) ---- */

/* Before the program. */
void atomc_prepare_counts(const struct atomc_image *image);
/* How the program is interrupted at an instruction: before it, by its fault, or when it has been executed. */
enum atomc_stop { ATOMC_STOP_BEFORE, ATOMC_STOP_FAULT, ATOMC_STOP_BEHIND, ATOMC_STOPS };
/* The program is interrupted at this address of the copies, and what it was doing may never go on: times = 1.
   It goes on there after all: times = -1. `registers`: its, in which counts may be; `records`: the thread's
   (records.h). Takes no memory and no locks. */
void atomc_note_stop(const struct atomc_image *image, uint64_t pc, enum atomc_stop stop, int times,
                     const long *registers, const int64_t *records);
/* In a child, before it goes on with what its parent was interrupted in: sums of that block are in the
   child's cells from now on (keyed.h). */
void atomc_renew_cells(const struct atomc_image *image, uint64_t pc, int fault, int64_t *records);
/* Are both addresses of the copies in one block that has sums made at its beginning, and after one of them?
 */
int atomc_in_same_block(const struct atomc_image *image, uint64_t pc, uint64_t other);
/* The counters' cells become what they would be had each update been made. Once in each process. */
void atomc_settle_counts(const struct atomc_image *image);

/* For each so many cells of counters, not 0: settling has changed one of them. NULL: nothing has been
   settled. What else may have changed them, .settled of the image says. */
enum { ATOMC_TOUCHED_CELLS = 64 };
extern uint64_t *atomc_touched;

/* The cells as they would be if the program ended now, in memory from malloc, with those of values after
   them; the cells themselves do not change. NULL without memory. */
uint64_t *atomc_settled_copy(const struct atomc_image *image);

/* ---- keyed.c: one thread at a time: it holds the lock of routines, or the program has ended ---- */

/* The value for these keys, of a histogram that of a bucket; 0: there is none. */
int64_t atomc_keyed_value(const struct keyed_table *table, const int64_t *keys, uint64_t bucket);
/* Updates it; of a histogram the bucket that `value` is in. Returns the cell, which stays where it is. */
int64_t *atomc_update_keyed(struct keyed_table *table, const int64_t *keys, int64_t value, int64_t amount);
/* The bucket that a value is in. */
uint64_t atomc_bucket_of(const struct command_buckets *buckets, int64_t value);
/* A text with the same characters, at the same address each time. */
const char *atomc_same_text(const char *text);

/* Entries in the order of their keys; after them one of all keys beyond the limit, if there are any. */
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

/* ---- records.c: values that sums depend on, which were made at the beginning of the current block (interface.h) ---- */

/* Before the program: with room for those of so many interrupted contexts. */
void atomc_prepare_records(unsigned long contexts);
/* atomc_image.record_count of them. */
int64_t *atomc_records(void);
/* Of the thread that has this pointer. */
int64_t *atomc_records_of(unsigned long thread);
/* Of the context with this number: while its block is interrupted, and when that goes on. */
void atomc_keep_records(unsigned long context);
void atomc_restore_records(unsigned long context);
/* Control comes to the middle of another block: none of its sums has been made. */
void atomc_clear_records(void);

/* ---- thread_counts.c ---- */

struct saved_context;
void atomc_prepare_thread_counts(void);
/* Before the clone of a thread whose registers these are, and if that has failed. */
void atomc_thread_counts_at_clone(const long *registers);
void atomc_thread_counts_not_cloned(const long *registers);
/* The calling thread ends; it is the only one that a fork has left. */
void atomc_thread_counts_end(void);
void atomc_thread_counts_after_fork(void);
/* A count of the context's thread has faulted, or cannot be stepped, since the thread has no cells yet.
 * False: it is no such count. */
int atomc_takes_count(struct saved_context *context);

#endif
