/* shadow.h: the state of each byte of memory, for third. */
#ifndef ATOMC_SHADOW_H
#define ATOMC_SHADOW_H

/* GOOD: not known to have any other state. */
enum state { GOOD, UNSET_HEAP, UNSET_STACK, OUTSIDE, FREED };

unsigned char *
shadow_of(unsigned long address); /* of this byte; the states up to the next multiple of 4096 follow */
void shadow_set(unsigned long address, long size, enum state state);
/* The bytes get a value: unset ones become GOOD, others keep their state. */
void shadow_define(unsigned long address, long size);
void shadow_forget(unsigned long address, unsigned long size); /* all of it is GOOD; the range may be large */
void shadow_copy(unsigned char *states, unsigned long address, long size,
                 int put); /* to or from the states */

/* The use of a loaded value (fate.c), from the code after the load. */
enum fate { UNUSED, USED, STORED, MASKED }; /* MASKED: one byte is replaced, and the rest stored again */
struct load_fate {
    enum fate fate;
    unsigned long store; /* STORED: the address of the store */
    int added;           /* after an addition: not a part that is stored back beside a new one */
    int exact;           /* the bytes are stored as they were loaded */
    int width;           /* bytes extracted by extql and the like, from the address on; 0: none */
    int inserted;        /* insql and the like have moved them to the address */
};
struct load_fate fate_of_load(unsigned long pc);
/* The bytes that an stq_u at pc with this unmasked address changes: the part of a short or unaligned store.
 */
long part_of_store(unsigned long pc, unsigned long address, unsigned long *first);

#endif
