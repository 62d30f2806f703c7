/* entries.h: sizes that entry.S and the C of the runtime share. */
#ifndef ATOMC_RUNTIME_ENTRIES_H
#define ATOMC_RUNTIME_ENTRIES_H

#ifdef ATOMC_AARCH64
#define CONTEXT_BYTES      4560 /* bytes of struct ucontext */
#define SIGNAL_STACK_SHIFT 16   /* stacks of 64 KB each, for contexts of that size */
#define SIGNAL_FAR_DOWN    4080 /* one instruction; more than frames of inserted code take */
#else
#define CONTEXT_BYTES      656  /* bytes of struct sigcontext, a multiple of 16 */
#define SIGNAL_STACK_SHIFT 13   /* stacks of 8 KB each */
#define SIGNAL_FAR_DOWN    2048 /* more than frames of inserted code take */
#endif
#define ATOMC_DEFERRALS 512 /* the most threads in which a signal is deferred at a time */
#define SIGNAL_STACKS   512 /* stacks for the signals of this many threads: a power of 2 */

/* SITE_FRAME is the memory of inserted code, and the stack of analysis routines. Neither uses the program's
   stack, not even its unused part. All threads share one SITE_FRAME: they use it by turns, under the lock. A
   signal's handler is entered only after inserted code has run to its end. The low half of its address is 0,
   so that one ldah makes the address. The stack of routines is below it; at fixed offsets above it are: */
#define SITE_FRAME               0x3fdf0000
#define SITE_FRAME_STACK_POINTER 0x1000 /* the program's $30 */
#define SITE_FRAME_GATE          0x1008 /* $30 where a system call's gate was called */
#define SITE_FRAME_KEPT          0x1010 /* SITE_FRAME_KEPT_WORDS words, unchanged by instructions: */
#define SITE_FRAME_OLD           0x1010 /* the old value that an instruction overwrites, */
#define SITE_FRAME_SCAVENGED     0x1018 /* and scavenged registers */
#define SITE_FRAME_ASIDE         0x1038 /* shadow registers, by number (engine/copy/aside.c) */
#define SITE_FRAME_ASIDE_WORDS   5
#define SITE_FRAME_KEPT_WORDS    10
#define SITE_FRAME_SPILLED       0x1060 /* 2 registers for a count */
#define SITE_FRAME_BYTES         0x2000
#define SITE_FRAME_MAIN          0x1070    /* the beginning of the program's first stack, and its size */
#define SITE_FRAME_NOTHING       0x4000    /* no memory is mapped there */
#define ROUTINE_STACK_BYTES      0x4000000 /* 64 MB */
/* If no register is free, inserted code spills a register below the program's $30. On its first stack the
   distance is large (SPILL_FAR, in units of 65536: one ldah), and the runtime has mapped memory there. So
   even the unused part of the stack is unchanged. When the program switches to another stack, the runtime
   changes each such ldah into an lda of SPILL_NEAR (runtime/text/first_stack.c). This distance leaves some
   hundred bytes free for code that uses the memory below $30 without a frame.
 */
#define SPILL_FAR        0x3000
#define SPILL_NEAR       1040
#define IMAGE_OWN_FRAMES 128 /* offset in struct atomc_image */

/* atomc_distances: an array of pointers to arrays, by parts of an address. */
#define DISTANCES_ADDRESS_BITS 48
#define DISTANCES_LEAF_SHIFT   32
#define DISTANCES_PAGE_SHIFT   12

/* Numbers of Linux that entry.S needs: the kernel's headers are C, from version 6.9 on. start.c compares them
   with <sys/mman.h> and <elf.h>. */
#define KERNEL_MAP_PRIVATE 0x2
#define KERNEL_AT_EXECFN   31
#ifdef ATOMC_AARCH64
#define KERNEL_MAP_ANONYMOUS       0x20
#define KERNEL_MAP_FIXED_NOREPLACE 0x100000
#else
#define KERNEL_MAP_ANONYMOUS       0x10
#define KERNEL_MAP_FIXED_NOREPLACE 0x200000
#endif

/* The stack of atomc_prepare: the first bytes of atomc_private_stack. */
#define FIRST_STACK_BYTES 0x4000

/* struct atomc_loaded: the offsets of its members, and its size. */
#define LOADED_ADDRESS    0
#define LOADED_LENGTH     8
#define LOADED_PROTECTION 16
#define LOADED_OFFSET     24
#define LOADED_ZEROED     32
#define LOADED_ZEROED_END 40
#define LOADED_BYTES      48

#endif
