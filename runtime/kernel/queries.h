/* queries.h: queries that reports make about the process and its memory (process_state.c; a stand-in in
   tests). Does not depend on Alpha: reports are tested on the host. */
#ifndef ATOMC_RUNTIME_QUERIES_H
#define ATOMC_RUNTIME_QUERIES_H

#include <stdint.h>

/* The address at which the program's first stack began. */
uint64_t atomc_program_stack(void);
/* True if the aligned quadword can be read. */
int atomc_is_readable(long address);

#endif
