/* records.h: what sums that were made at the beginning of the block at hand depend on (interface.h), of the
   calling thread. */
#ifndef ATOMC_RUNTIME_RECORDS_H
#define ATOMC_RUNTIME_RECORDS_H

#include "runtime/interface.h"

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

#endif
