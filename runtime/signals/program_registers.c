/* program_registers.c: the program's registers at a system call, as its gate has stored them, and at its last
   instruction. Compiled without floating-point registers. */
#include "runtime/signals/signals.h"
#include "runtime/threads/threads.h"
#include "runtime/text/text.h"

static int calls_want_pc(uint64_t table, uint64_t count) {
    const struct atomc_program_call *calls = (const struct atomc_program_call *)table;
    for (unsigned long i = 0; i < count; i++) {
        const unsigned char *registers = (const unsigned char *)calls[i].registers;
        for (int k = 0; registers && k < ATOMC_REGISTER_ARGUMENTS; k++)
            if (registers[k] == 1 + ATOMC_REGISTER_PC || registers[k] == 1 + ATOMC_REGISTER_INSTRUMENTED_PC)
                return 1;
    }
    return 0;
}

/* True if a call after the program, or before or after a library, needs the pc. Finding it takes a walk
   over the text. */
static int pc_is_wanted(void) {
    const struct atomc_library *libraries = (const struct atomc_library *)atomc_image.libraries;
    int wanted = calls_want_pc(atomc_image.after, atomc_image.after_count);
    for (unsigned long k = 0; !wanted && k < atomc_image.library_count; k++)
        wanted = calls_want_pc(libraries[k].before, libraries[k].before_count) ||
                 calls_want_pc(libraries[k].after, libraries[k].after_count);
    return wanted;
}

void atomc_set_last_pc(unsigned long address) {
    if (!pc_is_wanted())
        return;
    if (atomc_text_address(address))
        address = (unsigned long)atomc_text_address(address);
    long copy = (long)address, original = atomc_original_of(address, &copy);
    if (!original && (address - atomc_image.text_address < atomc_image.text_size || address >> 31))
        original = copy; /* code that is not copied, of the program or a library */
    atomc_registers[ATOMC_REGISTER_PC] = atomc_static(original);
    atomc_registers[ATOMC_REGISTER_INSTRUMENTED_PC] = copy;
}

/* The copy has stored two registers, the link and the scratch register, at the address that the stack pointer
   had at the gate: on the program's stack, or in SITE_FRAME. */
static const long *copy_frame(const long *registers) {
    return (const long *)registers[STACK_REGISTER];
}

/* The address of the two, also if $30 is not a stack. */
static const long *copy_stored(const long *registers) {
    return (const long *)atomc_spilled_at((unsigned long)copy_frame(registers));
}

long atomc_stack_pointer_of(const long *registers) {
    const long *frame = copy_frame(registers);
    return (long)frame == SITE_FRAME ? *(const long *)((const char *)frame + SITE_FRAME_STACK_POINTER)
                                     : (long)frame + atomc_spill_distance;
}

/* The address of the system call that a handler sees: in the library itself, or in the copies, after the
   gate. */
unsigned long atomc_place_of_call(const long *registers) {
    unsigned long at = atomc_return_address((unsigned long)registers[LINK_REGISTER]);
    if (atomc_in_stub(at))
        return (unsigned long)copy_stored(registers)[1] - 4;
    while (!is_system_call_word(*(const uint32_t *)at) || (atomc_waits && !atomc_call_waits(at)))
        at += 4;
    return at;
}

/* A child is about to start on another stack. The registers that the copy has stored for this call are
   moved to where it will read them. */
void atomc_begin_other_stack(long *registers) {
    long before = atomc_spill_distance;
    const long *frame = copy_frame(registers);
    atomc_leave_first_stack();
    if ((long)frame == SITE_FRAME || before == atomc_spill_distance)
        return;
    long *nearer = (long *)((long)frame + before - atomc_spill_distance);
    nearer[0] = frame[0];
    nearer[1] = frame[1];
    registers[STACK_REGISTER] = (long)nearer;
}

/* The gate has stored most registers (entry.S); the others have not changed since. */
void atomc_set_registers(const long *registers) {
    const long *link = copy_stored(registers);
    unsigned long back = atomc_return_address((unsigned long)registers[LINK_REGISTER]);
    for (int i = 0; i < GENERAL_REGISTERS; i++)
        atomc_registers[i] = registers[i];
    for (int i = FIRST_FLOATING; i < FIRST_FLOATING + FLOATING_REGISTERS; i++)
        atomc_registers[i] = registers[i];
    atomc_registers[LINK_REGISTER] = link[0];
    atomc_registers[SCRATCH_REGISTER] = link[1];
    atomc_registers[STACK_REGISTER] = atomc_stack_pointer_of(registers);
    store_kept_floating(atomc_registers + FIRST_FLOATING);
    atomc_set_last_pc(atomc_in_stub(back) ? (unsigned long)link[1] - 4 : back - 4);
}
