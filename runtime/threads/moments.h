/* moments.h: the counts in a report's rows are all of one moment (threads.c; a stand-in in tests). Does not
   depend on Alpha: reports are tested on the host. */
#ifndef ATOMC_RUNTIME_MOMENTS_H
#define ATOMC_RUNTIME_MOMENTS_H

/* Called before and after cells are copied. The second function returns true if all copied cells are of one
   moment. Then the other threads continue. Otherwise the cells have to be copied again. */
void atomc_watch(void);
int atomc_was_moment(void);
/* True if other threads count. */
int atomc_others_count(void);
/* The calling thread is in a routine: its rows will be written at its next instruction of the program.
   Returns false if it cannot be sent the signal. */
int atomc_write_rows_later(void);

#endif
