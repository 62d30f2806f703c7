/* changed_text.h: procedures that the program has changed run as they are now, not as copies. */
#ifndef ATOMC_RUNTIME_TEXT_H
#define ATOMC_RUNTIME_TEXT_H

#include "runtime/kernel/kernel.h"

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
/* Is it an instruction of the program, or of an instrumented library that is loaded? */
int atomc_is_in_text(unsigned long address);
/* What was in the text where there is a trap for jumps that were not foreseen. False: there is none. */
int atomc_trapped_word(unsigned long address, uint32_t *word);
/* The program's own instruction at an address of its text, or of an instrumented library's. */
uint32_t atomc_original_word(long address);
/* A handler is about to run that may look at the instruction which has made its signal: the program's own
   word is there from now on, and not a trap. A jump that nothing foresaw would execute it there, and go on at
   the trap behind it. Branches to copies stay: control comes to them. */
void atomc_show_word(unsigned long address);
/* When the program has ended: says what was not instrumented. */
void atomc_report_text(void);

#endif
