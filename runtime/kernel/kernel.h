/* kernel.h: the state of the process that all rooms share, the memory and the descriptors of the analysis
   side, and calls of its routines. The runtime is linked with the analysis routines into one static image
   that has only the process in common with the program. */
#ifndef ATOMC_RUNTIME_KERNEL_H
#define ATOMC_RUNTIME_KERNEL_H

#include "runtime/interface.h"
#include "runtime/kernel/queries.h"
#include "runtime/machine/machine.h"

/* The signals that an instruction can cause. */
#define FAULT_SIGNALS                                                                                        \
    (SIGNAL_BIT(SIGNAL_ILL) | SIGNAL_BIT(SIGNAL_TRAP) | SIGNAL_BIT(SIGNAL_FPE) | SIGNAL_BIT(SIGNAL_BUS) |    \
     SIGNAL_BIT(SIGNAL_SEGV))

/* The handler of a system call is a function atomc_call_NAME (process/gate.c): it receives the registers at
   the call, and returns 0 if the copy must make the call, 1 if it has been made. This macro uses the handler
   of another call for a call.
 */
#define SAME_CALL(name, other)                                                                               \
    long atomc_call_##name(long *registers) __attribute__((alias("atomc_call_" #other)))

typedef uint64_t __attribute__((may_alias)) pair; /* two instructions in memory */

static inline long process_id(void) {
    return RAW(CALL_process_id, 0, 0, 0, 0, 0, 0);
}

/* True if the address is in the analysis image as it was linked. */
static inline int is_in_image(unsigned long address) {
    extern char __executable_start[], _end[];
    return address >= (unsigned long)__executable_start && address < (unsigned long)_end;
}

/* ---- process_state.c ---- */

extern struct atomc_image atomc_image; /* atomc fills it in, in the executable file */

/* The kernel's page size in bytes, and its log2. Alpha's page size until the kernel's vector is read. */
extern long atomc_page_size;
extern int atomc_page_shift;
#define PAGE atomc_page_size

/* argc, argv..., 0, environment..., 0, auxiliary vector: on the program's stack */
extern long *atomc_program_vector;
long *atomc_program_auxiliary(void); /* the auxiliary vector in it */
extern int atomc_threaded;           /* the program has, or had, more than one thread: wrappers lock */
extern long atomc_live_threads;      /* the number of the program's threads that have not ended */
extern int atomc_is_ending;          /* the program has ended */
extern long atomc_after_stack;       /* the stack for after-program calls */
/* the program's registers, for calls before and after it: ATOMC_REGISTERS */
extern long atomc_registers[];

/* vfork: this process waits for its child, which may use the same memory but is not the program. */
void atomc_begin_vfork(void);
int atomc_is_vfork_child(void);
void atomc_forget_vfork(void); /* this process is a vfork child, or has no vfork child */

int atomc_is_in_copies(unsigned long address);
/* True if the analysis side is active at the address: in routines, wrappers, or the runtime. */
int atomc_is_private(unsigned long pc);
/* Reports an error and ends the process: otherwise the counts would be wrong. */
void atomc_give_up(const char *what, const char *name);

/* Functions of higher rooms that lower rooms call: process/start.c sets them first of all. */
struct atomc_upcalls {
    void (*end_program)(long status);                   /* process/end.c */
    void (*exit_program)(long status);                  /* process/end.c; does not return */
    void (*exit_later)(long status);                    /* signals/fatal_signals.c */
    void (*stay)(void);                                 /* process/exec.c */
    int (*is_executing)(void);                          /* process/exec.c */
    void (*set_registers)(const long *registers);       /* signals/program_registers.c */
    int (*sender_is_known)(long signal);                /* signals/actions.c */
    unsigned long (*spilled_at)(unsigned long address); /* signals/stack_room.c */
};
extern struct atomc_upcalls atomc_upcalls;

/* The places of entry.S, which is above all rooms: set with them. */
struct atomc_entries {
    /* The kernel enters at the first for signals. All signals are blocked from the second on. */
    const uint32_t *signal, *signal_blocked, *signal_known;
    /* Routines of the analysis side return to these while a signal waits for that (signals/deferral.c). */
    const uint32_t *returns, *returns_end;
    void (*object_gate)(void), (*call_failed)(void), (*call_ends)(void); /* called by libraries' stubs */
    MACHINE_ENTRIES
};
extern struct atomc_entries atomc_entries;

/* ---- addresses.c ---- */

/* By the upper bits of an address, a leaf: the distance of each page (stdtools/addresses.h: atomc_static()).
 */
enum { DISTANCES_LEAF_PAGES = 1 << (DISTANCES_LEAF_SHIFT - DISTANCES_PAGE_SHIFT) };
extern long *atomc_distances[];

/* ---- routine_calls.c ---- */

/* Takes or releases the lock of analysis routines (atomc_lock, atomc_unlock) for the current thread
   pointer.
 */
void atomc_call_lock(void (*routine)(void));
void atomc_make_calls(uint64_t table, uint64_t count); /* of struct atomc_program_call[] */
/* Updates a counter before or after the program or a library: enum plan_update. Other threads may update it
   as well. */
void atomc_update_cell(long *cell, long update, long amount);

/* ---- own_memory.c ---- */

/* The memory calls of the analysis side's C library, in separate regions; `a`: the arguments. */
long atomc_private_brk(long *a);
long atomc_private_mmap(long *a);
long atomc_private_munmap(long *a);
long atomc_private_mremap(long *a);
void atomc_map_call_stack(void);

extern struct atomc_own_range atomc_spills; /* mapped for spills far below the program's $30 */

/* Finds the next range, in pages, of the analysis side that ends after the address. *in_hole: the program has
   a hole there, in which no memory is mapped. Returns false if there is no further range. */
typedef int atomc_find_own(unsigned long at, struct atomc_own_range *next, int *in_hole);
atomc_find_own atomc_next_own;
/* Ranges of higher rooms: pages of the table by thread pointer, pages in objects. NULL if these rooms have no
   ranges. */
extern atomc_find_own *atomc_next_thread_page, *atomc_next_object_page;
/* True if the range is between segments that atomc has added below the program's. */
int atomc_is_before_text(unsigned long begin, unsigned long end);
/* Finds a range of the analysis side that the program is about to map over. Returns false if there is no such
   range. */
int atomc_find_taken(long begin, long end, struct atomc_own_range *taken);

/* ---- descriptors.c ---- */

extern int atomc_moved_descriptors; /* the gate has to translate numbers of descriptors */
void atomc_prepare_descriptors(void);
/* Moves a new descriptor of the analysis side out of the program's range; returns its number. */
long atomc_own_descriptor(long descriptor);
/* Makes a system call of the analysis side that opens a descriptor, or the two ends of a pipe, even if the
   program has used up its own. */
long atomc_open_own(long number, long a0, long a1, long a2, long a3, long a4, long a5);
/* The kernel's descriptor for a number of the analysis side; -1 for a standard stream that is closed. */
long atomc_real_descriptor(long number);
void atomc_forget_descriptor(long number);
/* The analysis side's standard output becomes this descriptor of the analysis side. `is_alone`: true while no
   other process writes to the descriptor. */
void atomc_redirect_standard_output(long number, int (*is_alone)(void));
/* Closes the standard streams for the analysis side. */
void atomc_no_streams(void);
/* Another process is about to write to files of the analysis side on behalf of this process. Marks files
   whose present state can be restored. Files that a parent or child may be writing to, including all that are
   open for appending, are not marked, nor are pipes and the like. */
void atomc_mark_files(void);
int atomc_is_marked(long number);
void atomc_return_files(void);
void atomc_descriptors_after_fork(void);

#endif
