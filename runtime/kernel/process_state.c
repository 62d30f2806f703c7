/* process_state.c: the state of the process that all rooms share. Compiled without floating-point
   registers.
 */
#include <errno.h>

#include "runtime/kernel/kernel.h"

struct atomc_image atomc_image = {.entry_copy = 1}; /* in .data, because atomc overwrites it in the file */
struct atomc_upcalls atomc_upcalls;
struct atomc_entries atomc_entries;

long atomc_page_size = FILE_PAGE;
int atomc_page_shift = 13;
long *atomc_program_vector;
int atomc_threaded;
long atomc_live_threads = 1;
int atomc_is_ending;
long atomc_after_stack;
long atomc_registers[ATOMC_REGISTERS];
/* the program's thread pointer, if a procedure is replaced and can still be called */
long atomc_replaced_thread;

uint64_t atomc_program_stack(void) {
    return (uint64_t)atomc_program_vector;
}

long *atomc_program_auxiliary(void) {
    long *entry = atomc_program_vector + 1 + atomc_program_vector[0] + 1;
    while (*entry++)
        ;
    return entry;
}

static long vfork_parent; /* process that waits in vfork: the exit of its child is not the program's exit */

void atomc_begin_vfork(void) {
    vfork_parent = process_id();
}

int atomc_is_vfork_child(void) {
    return vfork_parent && process_id() != vfork_parent;
}

void atomc_forget_vfork(void) {
    vfork_parent = 0;
}

/* Like primitives.S: futex compares the word with 0, and wakes or requeues no thread. */
int atomc_is_readable(long address) {
    long result = address & 7 ? -EFAULT : RAW(CALL_futex, address, 132, 0, 0, address, 0);
    return result >= 0 || result == -EAGAIN;
}

int atomc_is_in_copies(unsigned long address) {
    return address >= atomc_image.copies && address < atomc_image.copies_end;
}

int atomc_is_private(unsigned long pc) {
    return is_in_image(pc) || (pc >= atomc_image.layout.wrappers && pc < atomc_image.layout.copies);
}

void atomc_give_up(const char *what, const char *name) {
    static const char start[] = "atomc: ";
    const char *parts[] = {start, what, name, "\n"};
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        unsigned length = 0;
        while (parts[i][length])
            length++;
        RAW(CALL_write, 2, parts[i], length, 0, 0, 0);
    }
    RAW(CALL_exit_group, 127, 0, 0, 0, 0, 0);
}
