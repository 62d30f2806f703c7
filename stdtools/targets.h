/* targets.h: targets of transfers to an address in a register, counted while the program runs
   (targets.c). */
#ifndef ATOMC_TARGETS_H
#define ATOMC_TARGETS_H

/* For sites 0 to `sites` - 1. A site is its number, or the negative of its address. A pair of site and
   target may occur more than once. */
void each_target(int sites, void (*found)(long site, long pc, long count));
/* The number of the procedure at the address; -1: there is none. Requires procedures (calls.h) in the order
   of addresses. */
int procedure_of(long pc);

#endif
