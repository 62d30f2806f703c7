/* kernel.h: system calls as the runtime makes them itself, past both gates, and the kernel's structures for
   signals. Structures: arch/alpha/include/uapi/asm. */
#ifndef ATOMC_RUNTIME_KERNEL_H
#define ATOMC_RUNTIME_KERNEL_H

#include "runtime/entries.h"
#include "plan/system_calls.h"
#include "runtime/kernel/runtime.h"

/* The result, or -errno. */
#define RAW(number, a, b, c, d, e, f)                                                                        \
    atomc_raw_system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
/* Bytes of the kernel's page, and what shifts a number of pages by. Until the kernel's vector is read:
   Alpha's. */
extern long atomc_page_size;
extern int atomc_page_shift;
#define PAGE atomc_page_size

/* Is it in the analysis image, as it was linked? */
static inline int is_in_image(unsigned long address) {
    extern char __executable_start[], _end[];
    return address >= (unsigned long)__executable_start && address < (unsigned long)_end;
}

static inline long process_id(void) {
    return RAW(CALL_getxpid, 0, 0, 0, 0, 0, 0);
}

/* Sets $0 and $19 as the kernel leaves them. */
static inline void set_result(long *registers, long result) {
    registers[19] = result < 0 && result > -4096;
    registers[0] = registers[19] ? -result : result;
}

/* What the kernel saves for a signal handler, and goes on with (struct sigcontext), up to what it reads. */
struct saved_context {
    long onstack, mask, pc, ps, registers[32], owned, floating[32], control;
};
/* What fstat64 tells (struct stat64). */
struct file_status {
    uint64_t device, number, special;
    int64_t size;
    uint64_t blocks;
    uint32_t mode, user, group, block_size, links, pad;
    uint64_t accessed, accessed_nanoseconds, modified, modified_nanoseconds, changed, changed_nanoseconds;
    int64_t unused[3];
};
#define SIGNAL_BIT(signal) (1L << ((signal)-1))
/* Numbers of Linux on Alpha (arch/alpha/include/uapi/asm/signal.h). */
enum { SIGNAL_ILL = 4, SIGNAL_TRAP = 5, SIGNAL_ABORT = 6, SIGNAL_FPE = 8, SIGNAL_BUS = 10, SIGNAL_SEGV = 11 };
/* What an instruction can cause. */
#define FAULT_SIGNALS                                                                                        \
    (SIGNAL_BIT(SIGNAL_ILL) | SIGNAL_BIT(SIGNAL_TRAP) | SIGNAL_BIT(SIGNAL_FPE) | SIGNAL_BIT(SIGNAL_BUS) |    \
     SIGNAL_BIT(SIGNAL_SEGV))

/* changed_text.c: as map_word(), of an instrumented library that is loaded. */
uint32_t atomc_library_map_word(uint64_t address);
typedef uint64_t __attribute__((may_alias)) pair; /* of instructions, in memory */

/* The map's word for an original instruction, 0 if the address is none. */
static inline uint32_t map_word(uint64_t address) {
    uint64_t offset = address - atomc_image.text_address;
    if (offset < atomc_image.text_size && !(offset & 3))
        return ((uint32_t *)atomc_image.text_map)[offset / 4];
    return atomc_image.library_count ? atomc_library_map_word(address) : 0;
}

/* Address of the copy of an original instruction, 0 if the address is none. */
static inline uint64_t copy_of(uint64_t address) {
    return map_word(address) & ~MAP_UNFORESEEN;
}

/* ---- entry.S ---- */
/* Where atomc_read_memory reads, and where it goes on if that faults. */
extern const uint32_t atomc_read_low[], atomc_read_high[], atomc_read_failed[];

extern const uint32_t atomc_tries[], atomc_tries_end[], atomc_try_failed[];
/* False: the memory is not there. The address is a multiple of the bytes: 8, or of 1, 2, 4, 8. */
int atomc_try_load(unsigned long address, long *value);
int atomc_try_store(long address, long value, long bytes);
/* Instructions of the program's that are executed there, each followed by its return; where one that is
 * trapped goes on. */
extern const uint32_t atomc_operations[], atomc_operate_begin[], atomc_operate_end[], atomc_operate_failed[];
int atomc_operate(const uint32_t *operation, long *operands); /* seven */
/* What the kernel enters for signals, up to where all of them are blocked. */
extern const uint32_t atomc_signal_entry[], atomc_entry_blocked[], atomc_entry_known[];
/* Sets the kernel's mask and makes a system call: the result, or 1 if a signal came in between, from where it
 * is left: between the two. */
long atomc_masked_call(const long *mask, const long *call);
extern const uint32_t atomc_masked_begin[], atomc_masked_end[], atomc_masked_again[];
/* Where routines of the analysis side return to if a signal waits for that (deferral.c). */
extern const uint32_t atomc_returns[], atomc_returns_end[];

/* ---- signals.c ---- */
void atomc_change_handler(long *registers);      /* rt_sigaction, sigaction */
void atomc_leave_handler(const long *registers); /* rt_sigreturn, sigreturn; does not return */
/* Of the program's. */
int atomc_has_handler(long signal);
/* Before an execve, and when it has failed (exec.c): how many signals are ignored, and are so in the
 * program that comes. */
int atomc_show_ignored(int is_shown);
/* In a child: what has come while rows were written was the parent's, and so are the counts of what its
 * handlers have interrupted. */
void atomc_signals_after_fork(void);
/* Does the kernel say who has sent the signal? */
int atomc_sender_is_known(long signal);
/* The copy looked up an address outside of the text: does what is left of the jump. False: it is not at that.
 */
int atomc_finish_lookup(struct saved_context *context);

/* ---- shadow_registers.c ---- */

/* Control comes from there, and goes on in the context: registers that are set aside are where it goes. */
void atomc_carry_aside(unsigned long from, struct saved_context *context);
/* The registers become those of the context, which the program has made. */
void atomc_set_aside(struct saved_context *context);
/* At vfork, and where its child, which may use the same memory, ends or becomes another program. */
void atomc_keep_aside(void);
void atomc_give_back_aside(void);

/* ---- thread_counts.c ---- */
void atomc_prepare_thread_counts(void);
/* Before the clone of a thread whose registers these are, and if that has failed. */
void atomc_thread_counts_at_clone(const long *registers);
void atomc_thread_counts_not_cloned(const long *registers);
/* The calling thread ends; it is the only one that a fork has left. */
void atomc_thread_counts_end(void);
void atomc_thread_counts_after_fork(void);
/* A count of the context's thread has faulted, or cannot be stepped, since the thread has no cells yet.
 * False: it is no such count. */
int atomc_takes_count(struct saved_context *context);
/* The next page of the table, as atomc_next_own. */
int atomc_next_thread_page(unsigned long at, struct atomc_own_range *next);

/* ---- deferral.c ---- */
/* The analysis side is at work there: routines, wrappers, the runtime. */
int atomc_is_private(unsigned long pc);
/* On the way from there to the program, for a signal. */
int atomc_is_delivery(unsigned long pc);

/* ---- copies.c ---- */
/* Is it such a system call in the copies that atomc_call_ends is called behind it? */
int atomc_call_waits(unsigned long address);
/* The original instruction whose copy, or what was inserted before it, is at `address`; 0 if there is none.
 *copy, unless that is NULL: where this begins. */
long atomc_original_of(unsigned long address, long *copy);
int atomc_is_in_copies(unsigned long address);
/* Does the copy of an instruction, with what is inserted before it, begin there? */
int atomc_begins_copy(unsigned long address);
/* Is it in a locked sequence, where something waits for the end of that? */
int atomc_end_is_waited_for(unsigned long address);
/* From a shortcut to the same instruction's first copy. 0: the context is in none. */
int atomc_leave_shortcut(struct saved_context *context);
/* Is it ATOMC_TRANSFER_TRAP of a copy? */
int atomc_at_transfer_trap(unsigned long address);
void atomc_copies_after_fork(void);

/* ---- objects.c ---- */
/* Maps the program's dynamic linker; returns its entry, *base is where it is. */
long atomc_load_interpreter(long *base);
/* mmap, munmap, mprotect in a dynamic program: made here. */
void atomc_object_call(long *registers);
/* Where the system call at the pc, or behind it, in one of the pages for those of libraries is in the library
   itself; `link`: what $28 is. 0: the pc is elsewhere. */
unsigned long atomc_object_pc(unsigned long pc, unsigned long link);
int atomc_in_stub(unsigned long pc);
/* The next page in an object that is not the object's, as atomc_next_own. */
int atomc_next_object_page(unsigned long at, struct atomc_own_range *next, int *in_hole);
/* Says so, and ends the process: if it continued, the counts would be wrong. */
void atomc_give_up(const char *what, const char *name);
/* A page as near to that as possible, writable; negative: there is none. */
long atomc_map_near(unsigned long begin, unsigned long end);
/* Makes the system call in $0, and goes on at $28. */
unsigned long atomc_system_call_stub(void);

/* ---- libraries.c ---- */
/* The number of the library in this file, -1 if it is none, or one that is there already. */
long atomc_find_library(int file);
/* Where its system calls are; 0: it is no file that atomc has seen. */
const struct atomc_library_calls *atomc_find_library_calls(int file);
/* Its text, writable, is `bias` from the addresses in the file. [*springboards, *springboards_end): what has
 * been mapped. */
void atomc_enter_library(long number, long bias, unsigned long *springboards,
                         unsigned long *springboards_end);
void atomc_leave_library(long number);
/* What is to be done when it has been loaded, or before it is unloaded; registers: as the gate has stored
   them, NULL: the runtime itself loads it. */
void atomc_before_library(long number, long *registers);
void atomc_after_library(long number, long *registers);
/* After those that are there when the program has ended, the last loaded first. */
void atomc_after_libraries(void);
/* The address as atomc has it of one in memory. */
long atomc_static(long address);
/* Of an instruction, as atomc counts them. */
long atomc_address_of(unsigned long instruction);
/* Says that a thread is made which was not foreseen. */
void atomc_report_thread(void);
/* Says if the file has the name of a plug-in, but is another. */
void atomc_check_library(int file);
/* Says which of those that the program needs have never been loaded. */
void atomc_report_libraries(void);

/* ---- far_spills.c ---- */
extern long atomc_spill_distance;           /* how far below the program's $30 spills are */
extern struct atomc_own_range atomc_spills; /* mapped for that */
void atomc_map_spills(long stack);
/* The program goes to another stack than its first. */
void atomc_leave_first_stack(void);
void atomc_check_stack(long stack_pointer); /* if it does */
/* A load of inserted code says so by its fault: execution goes on behind it. */
int atomc_finds_switch(struct saved_context *context);
/* Code with spills, if the program has left its first stack. */
void atomc_patch_spills(uint32_t *word, const uint32_t *end);
void atomc_patch_stubs(void);        /* in objects.c */
void atomc_patch_springboards(void); /* in changed_text.c */
/* As such a word has to be now. */
uint32_t atomc_spill_word(uint32_t word);

/* ---- crash.c ---- */
/* Writes to standard error where in the analysis code the signal's pc is; the registers as they were then. */
void atomc_report_crash(long signal, unsigned long pc, const long *registers);
/* The signal has waited too long for it to return. */
void atomc_report_stuck(long signal, unsigned long pc, const long *registers);
/* The same of a routine that has been inlined at the original address. */
void atomc_report_crash_at(long signal, unsigned long original);
/* Does the instruction make signals whose pc is the next one's: arithmetic, bpt, bugchk, gentrap? (Alpha
   Architecture Reference Manual, 4.7.8: a trap's pc is behind the instruction.) */
int atomc_traps_behind(uint32_t word);
/* Can the instruction at the pc, or the one before, have made the signal? If that cannot be told: true. */
int atomc_may_fault(long signal, const struct saved_context *saved);
void atomc_report_full_stack(unsigned long pc, const long *registers);
void atomc_report_abort(unsigned long pc, const long *registers);
/* Is it a memory access of a routine that has been inlined among the copies? */
int atomc_is_inlined_access(unsigned long pc);

/* ---- threads.c: where counts are derived in a program that may have threads (atomc_image.stops) ---- */
/* A signal that programs hardly use: an emulator may keep the last ones to itself. Theirs get through. */
#define STOP_SIGNAL 60
#define STOP_BIT    (1L << (STOP_SIGNAL - 1))
void atomc_prepare_stops(void);
/* After a fork, in the child. */
void atomc_only_thread(void);
/* All other threads stop, each at an instruction of the program, and the calling thread gets the lock of
   routines. It is itself at one, or has noted where it is. */
enum atomc_hold {
    HOLD_RUNNING, /* not those that wait in the kernel, whose system calls go on, */
    HOLD_MOMENT,  /* ... for the rows of a report (report.h) */
    HOLD_ALL,
};
void atomc_hold_threads(enum atomc_hold hold);
/* As HOLD_MOMENT. False: no rows are due any more, and the others have not been stopped. */
int atomc_hold_for_rows(void);
/* STOP_SIGNAL has come: has the calling thread asked for it, to write rows? No more from now on. */
int atomc_writes_rows(void);
void atomc_free_threads(void);
/* The calling thread, at an instruction of the program, does nothing more. */
void atomc_stand(void);
/* Called for STOP_SIGNAL: is it from here? Then the thread's place is noted, and it waits. */
int atomc_stop_comes(void);
/* That is now no instruction of the program: it comes again, when the signal is no longer blocked, or when
 * the others look again. */
void atomc_stop_later(int when_unblocked);
void atomc_wait_stopped(void);
/* There are threads, which may be stopped: calls that may wait are said to begin and to end. Meanwhile the
   thread counts as stopped, and is sent no signal. It begins at the gate, or at the call with all signals
   blocked; it ends, or a signal has come: then the thread waits for as long as others want it to. */
extern int atomc_waits;
void atomc_begin_call(void);
void atomc_end_call(void);
/* The calling thread begins to wait for signals, the one for stops among them. */
void atomc_takes_signals(void);

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
/* What the analysis side writes to its standard output goes there: one of its own. */
void atomc_redirect_standard_output(long number);
/* Nothing more is written to the standard streams. */
void atomc_no_streams(void);
/* Another process is about to write to files of the analysis side, for this one. Those marked can be as they
 * are now again: not one that a parent or child may be writing to, as to each that is open for appending; nor
 * a pipe or the like. */
void atomc_mark_files(void);
int atomc_is_marked(long number);
void atomc_return_files(void);
void atomc_descriptors_after_fork(void);
/* close, close_range, dup, dup2, dup3, fcntl of the program. True if the call has been made. */
long atomc_descriptor_call(long *registers);

/* ---- exec.c ---- */
/* Before execve, if the kernel will make it: writes the results. Other threads stand still from then on. */
void atomc_write_before_execve(const long *registers);
/* Is the calling thread about to make one, for which results have been written? */
int atomc_is_executing(void);
/* The program's next call is one; signals that it ignores are so in the program that comes. */
void atomc_begin_showing_ignored(void);
int atomc_is_showing_ignored(void);
/* Takes both back, if they are so: the program goes on, the call has failed or is to be made again. */
void atomc_stay(void);
void atomc_execves_after_fork(void);

/* ---- atomc_run.c ---- */
/* Standard output of the analysis side is a file that `atomc run` has made, to which no other process writes.
 */
int atomc_shows_alone(void);
/* open, openat, readlink, readlinkat of the program, of /proc/self/exe. True if the call has been made. */
long atomc_own_file_call(long *registers);

/* ---- process_files.c ---- */
/* open, openat, readlink, readlinkat of the program. True if the call has been made: of a file that would say
 * where the analysis side is. */
long atomc_process_file_call(long *registers);

/* ---- report_file.c ---- */
extern long atomc_named_process; /* whose results are written, 0: the process's own */

/* ---- gate.c ---- */
void atomc_prepare_code(void);         /* whether stacks of threads are code */
long atomc_map_program(const long *a); /* the mmap of the program */
int atomc_is_vfork_child(void);
void atomc_forget_vfork(void); /* this process is not one, nor its parent */
/* Can the aligned quadword be read? */
int atomc_is_readable(long address);
extern long atomc_live_threads;
/* Runs the calls after the program, with its exit status or, if that is negative, because of a signal. For a
   status, returns only where there is nothing to do: in the child of vfork, or if it is being done already.
 */
void atomc_end_program(long status);
extern int atomc_is_ending; /* the program has ended */
/* The registers that calls may ask for are those of the program at a system call (registers: as above). */
void atomc_set_registers(const long *registers);
/* The next of its ranges, in pages, that has not ended at the address; *in_hole: the program has a hole
 * there, which is mapped to nothing. */
int atomc_next_own(unsigned long at, struct atomc_own_range *next, int *in_hole);
/* Is it between segments that atomc has added below the program's? */
int atomc_is_before_text(unsigned long begin, unsigned long end);
/* The lock that wrappers take: a thread pointer + 1, or what inlined code stores there, or 0; and how often
 * that has it. */
extern long atomc_lock_owner[2];
/* For the thread whose pointer is set. */
void atomc_call_lock(void (*routine)(void));
/* The program ends in a copy at this address. */
void atomc_set_last_pc(unsigned long address);

#endif
