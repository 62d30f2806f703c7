/* third_ends.c: the access that has ended the program: no memory is mapped at its address, or the memory is
   not writable. */
#include <stddef.h>

#include "addresses.h"
#include "fate.h"
#include "third.h"

/* Other errors report accesses to former blocks. */
static int is_told(unsigned long address) {
    return shadow_state(address) == FREED || shadow_state(address) == OUTSIDE;
}

void Ends(void) {
    long pc = atomc_fault_pc, address = atomc_fault_address, thread = atomc_fault_thread, site;
    struct instruction instruction = instruction_at((unsigned long)pc);
    int kind = kind_of(instruction);
    if ((pc == 0 && address == 0 && thread == 0) || is_told((unsigned long)address) || in_allocator(thread))
        return;
    const char *routine = routine_of(thread, &site);
    enum error error = instruction.word == 0 ? WILD_JUMP : kind == STORE ? WILD_WRITE : WILD_READ;
    if (error == WILD_JUMP)
        report_error(error, atomc_fault_return, 0, (unsigned long)address, NULL, thread);
    else if (routine)
        report_routine_error(error, routine, site, 0, (unsigned long)address, thread);
    else if (kind == LOAD || kind == STORE)
        report_error(error, pc, 0, (unsigned long)address, NULL, thread);
}
