/* counts.h: counts while the program runs: derived counts, counters by keys, records of sums, the cells of
   each thread. counting.c and keyed.c are independent of Alpha: tests compile them for the host. */
#ifndef ATOMC_RUNTIME_COUNTS_H
#define ATOMC_RUNTIME_COUNTS_H

#include "plan/commands.h"
#include "plan/operators.h"
#include "runtime/interface.h"

/* ---- counting.c: counts that are derived when the program ends, from the ones made (engine/count/counting.h) ---- */

/* Before the program starts. */
void atomc_prepare_counts(const struct atomc_image *image);
/* The point at which the program is interrupted: before an instruction, at its fault, or after it. */
enum atomc_stop { ATOMC_STOP_BEFORE, ATOMC_STOP_FAULT, ATOMC_STOP_BEHIND, ATOMC_STOPS };
/* times = 1: the program is interrupted at this address of the copies, and may never continue there. times =
   -1: the program continues there. `registers`: the program's registers, which may hold counts; `records`:
   the thread's records (records.h). Allocates no memory and takes no locks. */
void atomc_note_stop(const struct atomc_image *image, uint64_t pc, enum atomc_stop stop, int times,
                     const long *registers, const int64_t *records);
/* A child calls it before it continues at the point where its parent was interrupted: from then on the sums
   of that block are in the child's cells (keyed.h). */
void atomc_renew_cells(const struct atomc_image *image, uint64_t pc, int fault, int64_t *records);
/* True if both addresses of the copies are in one block with sums made at its beginning, and after one of
   these.
 */
int atomc_in_same_block(const struct atomc_image *image, uint64_t pc, uint64_t other);
/* Sets the counters' cells to the values that they would have if each update had been made. Called at most
   once in each process. */
void atomc_settle_counts(const struct atomc_image *image);

/* A word for each group of this many counters' cells: not 0 if settling has changed a cell of the group. NULL
   if no cell has been settled. Cells that other code may have changed are listed in .settled of the image. */
enum { ATOMC_TOUCHED_CELLS = 64 };
extern uint64_t *atomc_touched;

/* A copy of the cells with the values that they would have if the program ended now, in memory from malloc,
   followed by the values' cells. The cells themselves do not change. Returns NULL if memory is exhausted. */
uint64_t *atomc_settled_copy(const struct atomc_image *image);

/* ---- keyed.c: one thread at a time: it holds the lock of routines, or the program has ended ---- */

/* The value for these keys; for a histogram, the value of the bucket; 0 if the table has no such keys. */
int64_t atomc_keyed_value(const struct keyed_table *table, const int64_t *keys, uint64_t bucket);
/* Updates the value for these keys; for a histogram, the bucket of `value`. Returns the cell, whose address
   does not change. */
int64_t *atomc_update_keyed(struct keyed_table *table, const int64_t *keys, int64_t value, int64_t amount);
/* After the program: adds the cells of `count` places, in which each update has added the amount, to the
   table. For each key an array follows with its value for each place. */
void atomc_add_places(struct keyed_table *table, uint64_t count, const int64_t *cells, int64_t amount, ...);
/* Removes the keys: no row has them, and the next update begins at 0. */
void atomc_delete_keyed(struct keyed_table *table, const int64_t *keys);
/* Removes all keys, and the entry for keys beyond the limit; or the keys of the thread with this key. */
void atomc_clear_keyed(struct keyed_table *table, const int64_t *thread);
/* The bucket of a value. */
uint64_t atomc_bucket_of(const struct command_buckets *buckets, int64_t value);
/* A text with the same characters, always at the same address. */
const char *atomc_same_text(const char *text);

/* ---- address_names.c: the same ---- */

/* The name of an address in memory, or of a static one, of kind enum command_address_name; "(unknown)" if it
   has none. */
const char *atomc_address_name(uint64_t kind, int64_t address);

/* ---- keyed.c: rows ---- */

/* Entries in the order of their keys; if some keys were beyond the limit, an entry for all of them
   follows. */
struct keyed_rows {
    const struct keyed_table *table;
    const int64_t **entries;
    uint64_t count;
};
/* Returns false if memory is exhausted. */
int atomc_sort_keys(const struct keyed_table *table, struct keyed_rows *rows);
int atomc_is_other(const struct keyed_rows *rows, uint64_t row);
/* The value of this or another table for the row's keys, in one bucket or in all. */
int64_t atomc_row_value(const struct keyed_rows *rows, uint64_t row, const struct keyed_table *table,
                        int64_t bucket);
enum { KEYED_ALL_BUCKETS = -1 };
/* Warns on standard error about tables with keys beyond their limits. */
void atomc_report_keys(void);
/* A child of fork begins to count, in tools without C: tables become empty. */
void atomc_forget_keys(void);
/* If the cell belonged to a table before the fork, returns the new cell of the same keys; otherwise the
   cell itself. */
int64_t *atomc_cell_since_fork(int64_t *cell);

/* ---- records.c: values that sums depend on, which were made at the beginning of the current block (interface.h) ---- */

/* Called before the program starts. Makes room for the records of this many interrupted contexts. */
void atomc_prepare_records(unsigned long contexts);
/* The thread's atomc_image.record_count records. */
int64_t *atomc_records(void);
/* The records of the thread with this thread pointer. */
int64_t *atomc_records_of(unsigned long thread);
/* Save and restore the records of the context with this number, while its block is interrupted. */
void atomc_keep_records(unsigned long context);
void atomc_restore_records(unsigned long context);
/* Control enters the middle of another block, whose sums have not been made. */
void atomc_clear_records(void);

/* ---- thread_counts.c ---- */

struct saved_context;
void atomc_prepare_thread_counts(void);
/* Called before the clone of a thread with these registers, and if the clone has failed. */
void atomc_thread_counts_at_clone(const long *registers);
void atomc_thread_counts_not_cloned(const long *registers);
/* The calling thread ends; it is the only thread after a fork. */
void atomc_thread_counts_end(void);
void atomc_thread_counts_after_fork(void);
/* A count of the context's thread has faulted, or cannot be stepped, because the thread has no cells yet.
   Returns false if it is not such a count. */
int atomc_takes_count(struct saved_context *context);

#endif
