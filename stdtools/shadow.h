/* shadow.h: what third knows of each byte of memory. */
#ifndef ATOMC_SHADOW_H
#define ATOMC_SHADOW_H

/* GOOD is all that is not known to be anything else. */
enum state { GOOD, UNSET_HEAP, UNSET_STACK, OUTSIDE, FREED };

unsigned char *
shadow_of(unsigned long address); /* of this byte; those up to the next multiple of 4096 follow */
void shadow_set(unsigned long address, long size, enum state state);
/* Bytes that have a value now: unset ones become GOOD, others stay. */
void shadow_define(unsigned long address, long size);
void shadow_forget(unsigned long address, unsigned long size); /* all of it is GOOD; the range may be large */
void shadow_copy(unsigned char *states, unsigned long address, long size,
                 int put); /* to or from the states */

/* What becomes of what a load has brought (fate.c), from the code after it. */
enum fate { UNUSED, USED, STORED, MASKED }; /* MASKED: its byte is replaced, and the rest stored again */
struct load_fate {
    enum fate fate;
    unsigned long store; /* STORED: where */
    int added;           /* after an addition: not a part that is put back beside a new one */
    int exact;           /* the bytes are stored as they were loaded */
    int width;           /* of what extql and the like have taken of them, from the address on; 0: none has */
    int inserted;        /* insql and the like have brought them to the address */
};
struct load_fate fate_of_load(unsigned long pc);
/* The bytes that an stq_u at pc with this unmasked address changes: the part of a short or unaligned store.
 */
long part_of_store(unsigned long pc, unsigned long address, unsigned long *first);

#endif
