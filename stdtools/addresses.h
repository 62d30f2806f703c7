/* addresses.h: for analysis routines: addresses of libraries. In a tool, the address of a place (`i.pc`) is
   a static address, assigned by atomc. The dynamic linker loads a library at another address. Outside of
   libraries the two addresses are equal. The functions are in the runtime (runtime/text/libraries.c): no file
   has to be linked. */
#ifndef ATOMC_ADDRESSES_H
#define ATOMC_ADDRESSES_H

/* The static address for an address in memory, if it is in an instrumented library; else the address itself.
 */
long atomc_static(long address);
/* The address in memory for a static address; 0 if its library is not loaded. */
long atomc_address(long static_address);

/* True if the aligned quadword can be read; otherwise a load of it would fault. The query takes a system
   call. */
int atomc_is_readable(long address);

/* Bytes of the kernel's page: 8192, and under QEMU from version 9 on that of the emulator's machine. */
extern long atomc_page_size;

/* The fault that ended the program, for routines that are called after it: an invalid access or jump. The
   static address of the instruction, or 0; the address accessed; the value of $26; the thread. All are 0 if
   the program ended otherwise. */
extern long atomc_fault_pc, atomc_fault_address, atomc_fault_return, atomc_fault_thread;

/* The exit status of the process, 0 to 255, if a routine that is called after the program sets it. -1: the
   program's own. A process that a signal ends has no exit status. */
extern long atomc_exit_status;

#endif
