/* text.h: the code of the process: copies, the program's own text and its changes, libraries, unresolved
   jumps, spills and shadow registers of inserted code. */
#ifndef ATOMC_RUNTIME_TEXT_H
#define ATOMC_RUNTIME_TEXT_H

#include "runtime/kernel/kernel.h"

/* ---- texts.c: the texts whose instructions have copies ---- */

/* As map_word(), for an instrumented library that is loaded. */
uint32_t atomc_library_map_word(uint64_t address);

/* The map's word for an original instruction; 0 for any other address. */
static inline uint32_t map_word(uint64_t address) {
    uint64_t offset = address - atomc_image.text_address;
    if (offset < atomc_image.text_size && !(offset & 3))
        return ((uint32_t *)atomc_image.text_map)[offset / 4];
    return atomc_image.library_count ? atomc_library_map_word(address) : 0;
}

/* The address of the copy of an original instruction; 0 for any other address. */
static inline uint64_t copy_of(uint64_t address) {
    return map_word(address) & ~MAP_UNFORESEEN;
}

/* Writes traps for unresolved jumps into the writable text of an instrumented library; before the branches
   to copies, which may be among them. */
void atomc_set_traps(const struct atomc_library *library, uint32_t *text);
/* True if it is an instruction of the program, or of an instrumented library that is loaded. */
int atomc_is_in_text(unsigned long address);
/* The original word at an address that has a trap for unresolved jumps. Returns false if there is no trap. */
int atomc_trapped_word(unsigned long address, uint32_t *word);
/* The program's own instruction at an address in its text, or in an instrumented library's. */
uint32_t atomc_original_word(long address);

/* ---- changed_text.c: procedures that the program has changed run as they are now, not as copies ---- */

/* Before the program starts, as its text may be writable from the beginning. */
void atomc_prepare_text(void);
/* mprotect by the program. True if the call has been made. */
int atomc_protect_text(long *registers);
/* mmap with MAP_FIXED by the program. True if the call has been made, over a part of a text. */
int atomc_map_over_text(long *registers);
/* An instrumented library has been mapped, with its branches to copies; it is about to be unmapped. */
void atomc_enter_text(long number);
void atomc_leave_text(long number);
/* SIGSEGV: control has reached a procedure that was changed, or leaves it, or the text may have changed.
   True if execution continues in the context. *unforeseen: an instruction of the copies that an unresolved
   jump reaches, or 0. */
int atomc_follow_text(struct saved_context *context, long *unforeseen);
/* The address in the program's text of an instruction that is executed elsewhere, uninstrumented; 0: there
   is none.
 */
long atomc_text_address(unsigned long pc);
/* A handler is about to run that may read the instruction which caused its signal: writes the program's own
   word there, in place of a trap. An unresolved jump would then execute this word, and continue at the trap
   after it. Branches to copies remain, because control passes through them. */
void atomc_show_word(unsigned long address);
void atomc_patch_springboards(void); /* the spills in them become near ones */
/* When the program has ended: reports code that was not instrumented. */
void atomc_report_text(void);

/* ---- unresolved_jumps.c: control arrives at instructions that no analysis expected ---- */

/* The copy looked up an address outside of the text: executes the rest of the jump. Returns false if the
   context is not at such a lookup. */
int atomc_finish_lookup(struct saved_context *context);
/* The original target of a jump to the pc, if the jump was unresolved, and the pc is that target; else 0. A
   register that the jump has spilled to the stack is restored. */
/* For a jump whose target has low bits, so that the lookup found no address. The pc of the context becomes
   that target. */
void atomc_straighten(struct saved_context *context);
long atomc_unforeseen_target(struct saved_context *context);
/* A jump has reached this address: execution continues in the copy, if necessary after some instructions that
   are executed here. The map has MAP_UNFORESEEN for the target. */
void atomc_enter_unforeseen(struct saved_context *context, long target);
/* The same for a handler that returns to the pc; records may remain valid. */
void atomc_go_on_unforeseen(struct saved_context *context);
/* Called in a child: earlier jumps belong to the parent. */
void atomc_forget_unforeseen(void);
/* When the program has ended: reports how often, and where. */
void atomc_report_unforeseen(void);

/* ---- copies.c ---- */

/* True if a system call is at the address in the copies, with atomc_call_ends called after it. */
int atomc_call_waits(unsigned long address);
/* The original instruction whose copy, including the code inserted before it, contains `address`; 0 if
   there is none. *copy, unless copy is NULL, becomes the beginning of that copy. */
long atomc_original_of(unsigned long address, long *copy);
/* True if the copy of an instruction, including the code inserted before it, begins at the address. */
int atomc_begins_copy(unsigned long address);
/* True if it is in a locked sequence with calls deferred to its end. */
int atomc_end_is_waited_for(unsigned long address);
/* Moves from a shortcut to the same instruction in the first copy. 0: the context is in no shortcut. */
int atomc_leave_shortcut(struct saved_context *context);
/* True if it is ATOMC_TRANSFER_TRAP of a copy. */
int atomc_at_transfer_trap(unsigned long address);
void atomc_copies_after_fork(void);

/* ---- shadow_registers.c ---- */

/* Control moves from there to the context: moves the shadow registers' values to the locations that the code
   there expects. */
void atomc_carry_aside(unsigned long from, struct saved_context *context);
/* Sets the shadow registers from the context, which the program has made. */
void atomc_set_aside(struct saved_context *context);
/* At vfork, and where its child, which may use the same memory, ends or executes another program. */
void atomc_keep_aside(void);
void atomc_give_back_aside(void);

/* ---- far_spills.c ---- */

extern long atomc_spill_distance; /* the distance of spills below the program's $30 */
/* Adjusts code with spills, if the program has left its first stack. */
void atomc_patch_spills(uint32_t *word, const uint32_t *end);
/* The present form of such a word. */
uint32_t atomc_spill_word(uint32_t word);

/* ---- first_stack.c ---- */

void atomc_map_spills(long stack);
/* The program switches from its first stack to another. */
void atomc_leave_first_stack(void);
void atomc_check_stack(long stack_pointer); /* if it does */
/* The fault of a load in inserted code reports it: execution continues after it. */
int atomc_finds_switch(struct saved_context *context);

/* ---- objects.c ---- */

/* Maps the program's dynamic linker; returns its entry; *base: its address. */
long atomc_load_interpreter(long *base);
/* mmap, munmap, mprotect in a dynamic program are made here. */
void atomc_object_call(long *registers);

/* ---- stubs.c: pages by which system calls go through the gate ---- */

void atomc_patch_stubs(void); /* the spills in them become near ones */
/* For a pc in a page for libraries' system calls: the address of the call in the library itself, or the
   address after it. `link`: the value of $28. 0: the pc is not in such a page. */
unsigned long atomc_object_pc(unsigned long pc, unsigned long link);
int atomc_in_stub(unsigned long pc);
/* A writable page as near to that address as possible; negative: there is none. */
long atomc_map_near(unsigned long begin, unsigned long end);
/* Makes the system call in $0, and continues at $28. */
unsigned long atomc_system_call_stub(void);

/* ---- library_places.c: where libraries are in memory ---- */

/* The static address for one in memory. */
long atomc_static(long address);
/* The address of an instruction, in atomc's numbering. */
long atomc_address_of(unsigned long instruction);
void atomc_leave_library(long number);

/* ---- libraries.c ---- */

/* The number of the library in this file; -1 if the file is no such library, or the library is loaded
   already. */
long atomc_find_library(int file);
/* The addresses of its system calls; 0: atomc has no data about this file. */
const struct atomc_library_calls *atomc_find_library_calls(int file);
/* Its text, writable, is at `bias` from the addresses in the file. [*springboards, *springboards_end): the
   range that has been mapped. */
void atomc_enter_library(long number, long bias, unsigned long *springboards,
                         unsigned long *springboards_end);
/* Makes the calls after the library has been loaded, or before it is unloaded. registers: as the gate has
   stored them; NULL: the runtime itself loads the library. */
void atomc_before_library(long number, long *registers);
void atomc_after_library(long number, long *registers);
/* The calls after libraries that are loaded when the program has ended, the last loaded first. */
void atomc_after_libraries(void);
/* Reports that a thread is made for which the runtime is not prepared. */
void atomc_report_thread(void);
/* Reports a file that has the name of a plug-in, but differs from it. */
void atomc_check_library(int file);
/* Reports which of the libraries that the program needs have never been loaded. */
void atomc_report_libraries(void);

/* ---- code_places.c ---- */

/* Determines whether the stacks of threads are code. */
void atomc_prepare_code(void);
void atomc_stacks_are_code(void);
/* True if the arguments of an mmap are for memory that is code, or may become code later. */
int atomc_may_become_code(const long *a);
/* The program's mmap. Memory that may become code is mapped where lookups of its addresses fault. */
long atomc_map_program(const long *a);
/* A range of the analysis side at which lookups of code in this range would end; *conflict: the address of
   such code. Returns the next possible address for code; 0: code may be anywhere in the range. */
long atomc_find_conflict(long begin, long length, struct atomc_own_range *taken, long *conflict);

#endif
