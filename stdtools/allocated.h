/* allocated.h: memory for analysis routines that follow calls (procedures.c). */
#ifndef ATOMC_ALLOCATED_H
#define ATOMC_ALLOCATED_H

void *allocated(long count, long size); /* zeroed; without memory, the process ends */
void *reserved(long count, long size);  /* not zeroed */

#endif
