/* moments.h: rows of a report have counts of one moment (threads.c, in tests a stand-in). Nothing of Alpha:
   reports are tested on the host. */
#ifndef ATOMC_RUNTIME_MOMENTS_H
#define ATOMC_RUNTIME_MOMENTS_H

/* Before cells are copied, and after that: are they of one moment? True: the others go on. Else they are
 * copied again. */
void atomc_watch(void);
int atomc_was_moment(void);
/* Do other threads count? */
int atomc_others_count(void);
/* The calling thread, in a routine, has rows written at its next instruction of the program. False: it can't
 * be asked. */
int atomc_write_rows_later(void);

#endif
