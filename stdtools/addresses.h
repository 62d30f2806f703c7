/* addresses.h: for analysis routines: addresses of libraries. What a tool knows of a place, `i.pc` and the
   like, is its static address, which atomc has given it; the dynamic linker puts a library elsewhere. Of all
   else the two are the same. The runtime has them (runtime/libraries.c): there is nothing to link. */
#ifndef ATOMC_ADDRESSES_H
#define ATOMC_ADDRESSES_H

/* The static address of what is at this address now, if that is in an instrumented library; else the address.
 */
long atomc_static(long address);
/* Where the static address is in memory; 0 if its library is not there now. */
long atomc_address(long static_address);

#endif
