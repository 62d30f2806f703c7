/* text.h: the code of the process: copies, the program's own text and its changes, libraries, jumps that
   were not resolved, spills and shadow registers of inserted code. */
#ifndef ATOMC_RUNTIME_TEXT_H
#define ATOMC_RUNTIME_TEXT_H

#include "runtime/kernel/kernel.h"

/* ---- changed_text.c: procedures that the program has changed run as they are now, not as copies ---- */

/* As map_word(), of an instrumented library that is loaded. */
uint32_t atomc_library_map_word(uint64_t address);

/* The map's word for an original instruction; 0 if the address is none. */
static inline uint32_t map_word(uint64_t address) {
    uint64_t offset = address - atomc_image.text_address;
    if (offset < atomc_image.text_size && !(offset & 3))
        return ((uint32_t *)atomc_image.text_map)[offset / 4];
    return atomc_image.library_count ? atomc_library_map_word(address) : 0;
}

/* Address of the copy of an original instruction; 0 if the address is none. */
static inline uint64_t copy_of(uint64_t address) {
    return map_word(address) & ~MAP_UNFORESEEN;
}

/* Before the program, whose text may be writable from the beginning. */
void atomc_prepare_text(void);
/* mprotect of the program. True if the call has been made. */
int atomc_protect_text(long *registers);
/* mmap of the program with MAP_FIXED. True if the call has been made, over a part of a text. */
int atomc_map_over_text(long *registers);
/* An instrumented library has been mapped, with its branches to copies; it is about to go. */
void atomc_enter_text(long number);
void atomc_leave_text(long number);
/* SIGSEGV: control has come to a procedure that was changed, or goes from there to where it runs as it is, or
   the text may have changed. True if the context is where control goes on; *unforeseen: an instruction of
   the copies that nothing foresaw control to come to, and 0 else. */
int atomc_follow_text(struct saved_context *context, long *unforeseen);
/* The address in the program's text of an instruction that is executed elsewhere as it is; 0: none is there.
 */
long atomc_text_address(unsigned long pc);
/* Traps for jumps that were not foreseen are written into the text of an instrumented library, which is
   writable; before the branches to copies, which stand among them. */
void atomc_set_traps(const struct atomc_library *library, uint32_t *text);
/* True if it is an instruction of the program, or of an instrumented library that is loaded. */
int atomc_is_in_text(unsigned long address);
/* What was in the text where there is a trap for jumps that were not foreseen. False: there is none. */
int atomc_trapped_word(unsigned long address, uint32_t *word);
/* The program's own instruction at an address of its text, or of an instrumented library's. */
uint32_t atomc_original_word(long address);
/* A handler is about to run that may look at the instruction which has made its signal: the program's own
   word is there from now on, and not a trap. A jump that nothing foresaw would execute it there, and go on at
   the trap after it. Branches to copies stay: control comes to them. */
void atomc_show_word(unsigned long address);
/* When the program has ended: says what was not instrumented. */
void atomc_report_text(void);

/* ---- unresolved_jumps.c: control arrives at instructions that no analysis expected ---- */

/* zapnot target,15,scratch: looks up a copy's address. */
int atomc_is_lookup(uint32_t word, unsigned scratch);
/* The original address that a jump to the pc meant, if nothing foresaw one there, and the pc is that then;
   else 0. A register that the jump has put on the stack is taken back. */
/* Has a jump whose target has low bits looked up what is no address? Then it goes to that target. */
void atomc_straighten(struct saved_context *context);
long atomc_unforeseen_target(struct saved_context *context);
/* A jump has come there: control goes on in the copy, or where it goes after some instructions that are
   executed here. The map has MAP_UNFORESEEN of the target. */
void atomc_enter_unforeseen(struct saved_context *context, long target);
/* The same of a handler that returns there, to the pc; records may be kept. */
void atomc_go_on_unforeseen(struct saved_context *context);
/* In a child: what came before the fork was the parent's. */
void atomc_forget_unforeseen(void);
/* When the program has ended: says how often, and where. */
void atomc_report_unforeseen(void);

/* ---- copies.c ---- */

/* True if a system call is at the address, in the copies, and atomc_call_ends is called after it. */
int atomc_call_waits(unsigned long address);
/* The original instruction whose copy, with the code inserted before it, has `address`; 0 if there is none.
 *copy, unless copy is NULL, becomes the address at which this begins. */
long atomc_original_of(unsigned long address, long *copy);
/* Does the copy of an instruction, with what is inserted before it, begin there? */
int atomc_begins_copy(unsigned long address);
/* True if it is in a locked sequence, where something waits for the end of that. */
int atomc_end_is_waited_for(unsigned long address);
/* From a shortcut to the same instruction's first copy. 0: the context is in none. */
int atomc_leave_shortcut(struct saved_context *context);
/* True if it is ATOMC_TRANSFER_TRAP of a copy. */
int atomc_at_transfer_trap(unsigned long address);
void atomc_copies_after_fork(void);

/* ---- shadow_registers.c ---- */

/* Control comes from there, and goes on in the context: registers that are set aside are where it goes. */
void atomc_carry_aside(unsigned long from, struct saved_context *context);
/* The registers become those of the context, which the program has made. */
void atomc_set_aside(struct saved_context *context);
/* At vfork, and where its child, which may use the same memory, ends or becomes another program. */
void atomc_keep_aside(void);
void atomc_give_back_aside(void);

/* ---- far_spills.c ---- */

extern long atomc_spill_distance; /* how far below the program's $30 spills are */
void atomc_map_spills(long stack);
/* The program goes to another stack than its first. */
void atomc_leave_first_stack(void);
void atomc_check_stack(long stack_pointer); /* if it does */
/* A load of inserted code says so by its fault: execution goes on after it. */
int atomc_finds_switch(struct saved_context *context);
/* Code with spills, if the program has left its first stack. */
void atomc_patch_spills(uint32_t *word, const uint32_t *end);
void atomc_patch_stubs(void);        /* in objects.c */
void atomc_patch_springboards(void); /* in changed_text.c */
/* As such a word has to be now. */
uint32_t atomc_spill_word(uint32_t word);

/* ---- objects.c ---- */

/* Maps the program's dynamic linker; returns its entry, *base is where it is. */
long atomc_load_interpreter(long *base);
/* mmap, munmap, mprotect in a dynamic program: made here. */
void atomc_object_call(long *registers);
/* Where the system call at the pc, or after it, in one of the pages for those of libraries is in the library
   itself; `link`: what $28 is. 0: the pc is elsewhere. */
unsigned long atomc_object_pc(unsigned long pc, unsigned long link);
int atomc_in_stub(unsigned long pc);
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

/* ---- code_places.c ---- */

/* Whether the stacks of threads are code. */
void atomc_prepare_code(void);
void atomc_stacks_are_code(void);
/* True if the arguments of an mmap are of memory that is code, or may become code later. */
int atomc_may_become_code(const long *a);
/* The mmap of the program. Memory that may become code goes to where lookups of its addresses fault. */
long atomc_map_program(const long *a);
/* A range of the analysis side at which lookups of code in this range would end; *conflict: the address of
   such code. Returns where code may be again; 0: it may be in all of the range. */
long atomc_find_conflict(long begin, long length, struct atomc_own_range *taken, long *conflict);

#endif
