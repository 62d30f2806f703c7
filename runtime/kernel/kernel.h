/* kernel.h: the state of the process that all rooms share, the memory and the descriptors of the analysis
   side, and calls of its routines. The runtime is linked with the analysis routines into one static image
   that shares nothing with the program but the process. */
#ifndef ATOMC_RUNTIME_KERNEL_H
#define ATOMC_RUNTIME_KERNEL_H

#include "runtime/interface.h"
#include "runtime/kernel/queries.h"
#include "runtime/machine/machine.h"

#define SIGNAL_BIT(signal) (1L << ((signal)-1))
/* Signals of Linux on Alpha (arch/alpha/include/uapi/asm/signal.h). */
enum { SIGNAL_ILL = 4, SIGNAL_TRAP = 5, SIGNAL_ABORT = 6, SIGNAL_FPE = 8, SIGNAL_BUS = 10, SIGNAL_SEGV = 11 };
/* The signals that an instruction can cause. */
#define FAULT_SIGNALS                                                                                        \
    (SIGNAL_BIT(SIGNAL_ILL) | SIGNAL_BIT(SIGNAL_TRAP) | SIGNAL_BIT(SIGNAL_FPE) | SIGNAL_BIT(SIGNAL_BUS) |    \
     SIGNAL_BIT(SIGNAL_SEGV))

/* struct stat64. */
struct file_status {
    uint64_t device, number, special;
    int64_t size;
    uint64_t blocks;
    uint32_t mode, user, group, block_size, links, pad;
    uint64_t accessed, accessed_nanoseconds, modified, modified_nanoseconds, changed, changed_nanoseconds;
    int64_t unused[3];
};

/* Handlers of the program's system calls are functions atomc_call_NAME (process/gate.c): given the registers
   at the call, 0 if the copy must make it, 1 if it has been made. This one has the handler of another call.
 */
#define SAME_CALL(name, other)                                                                               \
    long atomc_call_##name(long *registers) __attribute__((alias("atomc_call_" #other)))

typedef uint64_t __attribute__((may_alias)) pair; /* of instructions, in memory */

static inline long process_id(void) {
    return RAW(CALL_getxpid, 0, 0, 0, 0, 0, 0);
}

/* True if the address is in the analysis image as it was linked. */
static inline int is_in_image(unsigned long address) {
    extern char __executable_start[], _end[];
    return address >= (unsigned long)__executable_start && address < (unsigned long)_end;
}

/* ---- process_state.c ---- */

extern struct atomc_image atomc_image; /* atomc fills it in, in the file */

/* Bytes of the kernel's page, and log2 of that. Until the kernel's vector is read: Alpha's. */
extern long atomc_page_size;
extern int atomc_page_shift;
#define PAGE atomc_page_size

extern long *atomc_program_vector; /* argc, argv..., 0, environment..., 0, auxiliary vector: on its stack */
extern int atomc_threaded;         /* the program has, or had, more than one thread: wrappers lock */
extern long atomc_live_threads;    /* threads of the program that have not ended */
extern int atomc_is_ending;        /* the program has ended */
extern long atomc_after_stack;     /* where the after-program calls run */
extern long atomc_registers[];     /* the program's, for calls before and after it: ATOMC_REGISTERS */

/* vfork: this process waits in one; its child, which may use the same memory, is not the program. */
void atomc_begin_vfork(void);
int atomc_is_vfork_child(void);
void atomc_forget_vfork(void); /* this process is no such child, and has none */

int atomc_is_in_copies(unsigned long address);

/* The functions of higher rooms that lower rooms call: process/start.c sets them before anything else. */
struct atomc_upcalls {
    void (*end_program)(long status);                   /* process/end.c */
    void (*stay)(void);                                 /* process/exec.c */
    int (*is_executing)(void);                          /* process/exec.c */
    void (*set_registers)(const long *registers);       /* signals/program_registers.c */
    int (*sender_is_known)(long signal);                /* signals/signals.c */
    unsigned long (*spilled_at)(unsigned long address); /* signals/stack_room.c */
};
extern struct atomc_upcalls atomc_upcalls;

/* ---- routine_calls.c ---- */

/* Takes or releases the lock of analysis routines (atomc_lock, atomc_unlock), for the current thread pointer.
 */
void atomc_call_lock(void (*routine)(void));
void atomc_make_calls(uint64_t table, uint64_t count); /* struct atomc_program_call[] */
/* An update of a counter before or after the program or a library: enum plan_update. Other threads may update
   it as well. */
void atomc_update_cell(long *cell, long update, long amount);

/* ---- memory.c: memcpy for the analysis side ---- */
/* ---- own_memory.c ---- */

/* The memory calls of the analysis side's C library, in regions of its own; `a`: the arguments. */
long atomc_private_brk(long *a);
long atomc_private_mmap(long *a);
long atomc_private_munmap(long *a);
long atomc_private_mremap(long *a);
void atomc_map_call_stack(void);

extern struct atomc_own_range atomc_spills; /* mapped for spills far below the program's $30 */

/* Finds the next range, in pages, of the analysis side that has not ended at the address. *in_hole: the
   program has a hole there, which is mapped to nothing. False: there is none. */
typedef int atomc_find_own(unsigned long at, struct atomc_own_range *next, int *in_hole);
atomc_find_own atomc_next_own;
/* The ranges that other rooms know: pages of the table by thread pointer, pages in objects. NULL: none. */
extern atomc_find_own *atomc_next_thread_page, *atomc_next_object_page;
/* True if the range is between segments that atomc has added below the program's. */
int atomc_is_before_text(unsigned long begin, unsigned long end);
/* The range of the analysis side that the program is about to map over. False: there is none. */
int atomc_find_taken(long begin, long end, struct atomc_own_range *taken);

/* ---- descriptors.c ---- */

extern int atomc_moved_descriptors; /* the gate asks for the descriptor of a number */
void atomc_prepare_descriptors(void);
/* One that the kernel has given to the analysis side goes out of the program's way; returns its number. */
long atomc_own_descriptor(long descriptor);
/* A system call of the analysis side that opens one, or the two ends of a pipe; also where the program has
   taken all that it may have. */
long atomc_open_own(long number, long a0, long a1, long a2, long a3, long a4, long a5);
/* The kernel's descriptor of a number of the analysis side; -1: a standard stream that is no more. */
long atomc_real_descriptor(long number);
void atomc_forget_descriptor(long number);
/* The analysis side's standard output becomes that descriptor, one of its own. `is_alone`: true while no
   other process writes there. */
void atomc_redirect_standard_output(long number, int (*is_alone)(void));
/* Nothing more is written to the standard streams. */
void atomc_no_streams(void);
/* Another process is about to write to files of the analysis side, for this one. Those marked can be as they
 * are now again: not one that a parent or child may be writing to, as to each that is open for appending; nor
 * a pipe or the like. */
void atomc_mark_files(void);
int atomc_is_marked(long number);
void atomc_return_files(void);
void atomc_descriptors_after_fork(void);

#endif
