/* start.c: starts the private C library, makes the calls before the program, and enters the program.
   Requires atomc_image. Runs on a private stack until the program is entered. */
#define _GNU_SOURCE
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/commands/commands.h"
#include "runtime/counts/counts.h"
#include "runtime/kernel/kernel.h"
#include "runtime/process/process.h"
#include "runtime/report/report.h"
#include "runtime/signals/signals.h"
#include "runtime/text/text.h"
#include "runtime/threads/threads.h"

_Static_assert(__builtin_offsetof(struct atomc_image, own_frames) == IMAGE_OWN_FRAMES, "entry.S looks there");
#define LOADED(member) __builtin_offsetof(struct atomc_loaded, member)
_Static_assert(LOADED(address) == LOADED_ADDRESS && LOADED(length) == LOADED_LENGTH &&
                   LOADED(protection) == LOADED_PROTECTION && LOADED(offset) == LOADED_OFFSET &&
                   LOADED(zeroed) == LOADED_ZEROED && LOADED(zeroed_end) == LOADED_ZEROED_END &&
                   sizeof(struct atomc_loaded) == LOADED_BYTES,
               "entry.S reads it");
_Static_assert(KERNEL_MAP_PRIVATE == MAP_PRIVATE && KERNEL_MAP_ANONYMOUS == MAP_ANONYMOUS &&
                   KERNEL_MAP_FIXED_NOREPLACE == MAP_FIXED_NOREPLACE && KERNEL_AT_EXECFN == AT_EXECFN,
               "entry.S says it to the kernel");

#define PRIVATE_STACK (8 << 20)
char atomc_private_stack[PRIVATE_STACK] __attribute__((aligned(64)));

static long program_thread_pointer;
static struct saved_context first; /* the program's initial context */
static long entered;               /* the address at which the kernel entered this process */

/* Its entry in an auxiliary vector; NULL if there is none. */
static long *auxiliary_of(long *entry, long type) {
    while (entry[0] != AT_NULL && entry[0] != type)
        entry += 2;
    return entry[0] == type ? &entry[1] : NULL;
}

static void change_auxiliary(long *entry, long entry_point, long headers, long header_count) {
    for (; entry[0] != AT_NULL; entry += 2) {
        if (entry[0] == AT_PHDR)
            entry[1] = headers;
        else if (entry[0] == AT_PHNUM)
            entry[1] = header_count;
        else if (entry[0] == AT_ENTRY)
            entry[1] = entry_point;
    }
}

/* The C library of the analysis side calls the kernel's code in the process (the vDSO) for the time. A signal
   that arrives there would look like one that arrives in the program (deferral.c). So it makes system calls.
 */
static void hide_kernel_code(long *entry) {
    for (; entry[0] != AT_NULL; entry += 2)
        if (entry[0] == AT_SYSINFO_EHDR)
            entry[0] = AT_IGNORE;
}

/* The address of the program's dynamic linker. */
static void set_interpreter(long base) {
    long *entry = auxiliary_of(atomc_program_auxiliary(), AT_BASE);
    if (entry)
        *entry = base;
}

static void set_page_size(long *auxiliary) {
    const long *size = auxiliary_of(auxiliary, AT_PAGESZ);
    if (!size || *size < SMALLEST_PAGE || *size & (*size - 1))
        return;
    atomc_page_size = *size;
    for (atomc_page_shift = 0; 1L << atomc_page_shift < *size;)
        atomc_page_shift++;
}

static char **environment;

/* The private C library starts without the environment, because variables there are meant for the program's C
   library. Constructors see the environment. */
static void set_environment(void) {
    environ = environment;
}
static void (*const before_constructors)(void)
    __attribute__((section(".preinit_array"), used)) = set_environment;

static long *copy_words(long *to, const long *from, const long *end) {
    while (from < end)
        *to++ = *from++;
    return to;
}

static void set_upcalls(void) {
    atomc_upcalls = (struct atomc_upcalls){.end_program = atomc_end_program,
                                           .exit_program = atomc_exit_program,
                                           .exit_later = atomc_exit_later,
                                           .stay = atomc_stay,
                                           .is_executing = atomc_is_executing,
                                           .set_registers = atomc_set_registers,
                                           .sender_is_known = atomc_sender_is_known,
                                           .spilled_at = atomc_spilled_at};
    atomc_entries = (struct atomc_entries){.signal = atomc_signal_entry,
                                           .signal_blocked = atomc_entry_blocked,
                                           .signal_known = atomc_entry_known,
                                           .returns = atomc_returns,
                                           .returns_end = atomc_returns_end,
                                           .object_gate = atomc_object_gate,
                                           .call_failed = atomc_call_failed,
                                           .call_ends = atomc_call_ends,
                                           MACHINE_ENTRY_VALUES};
}

/* Copies the kernel's vector to the top of the private stack, with an auxiliary vector that describes the
   analysis image. Corrects the program's own vector in place. Clears the context below it, of the kernel's
   registers. Runs before any C library. */
long atomc_prepare(long *vector, struct saved_context *context) {
    set_upcalls();
    long *end = vector, *copy, *auxiliary, *strings, *to;
    atomc_program_vector = vector;
    program_thread_pointer = thread_pointer();
    copy_words((long *)&first, (long *)context, (long *)(context + 1));
    for (long *word = (long *)context; word < vector; word++)
        *word = 0;
    end += 1 + vector[0] + 1;
    strings = end;
    while (*end++)
        ;
    auxiliary = end;
    while (end[0] != AT_NULL)
        end += 2;
    end += 2;
    copy = (long *)(atomc_private_stack + PRIVATE_STACK) - ((end - vector + 2) & ~1L) - 2;
    copy = (long *)((long)copy & ~15L);
    to = copy_words(copy, vector, strings);
    *to++ = 0;
    environment = (char **)copy_words(to, auxiliary, end);
    copy_words((long *)environment, strings, auxiliary);
    set_page_size(auxiliary);
    NOTE_FEATURES(auxiliary_of(auxiliary, AT_HWCAP));
    entered = auxiliary_of(auxiliary, AT_ENTRY) ? *auxiliary_of(auxiliary, AT_ENTRY) : 0;
    change_auxiliary(auxiliary, atomc_image.program_entry, atomc_image.program_headers,
                     atomc_image.program_header_count);
    change_auxiliary(to, (long)atomc_prepare, atomc_image.analysis_headers,
                     atomc_image.analysis_header_count);
    hide_kernel_code(to);
    return (long)copy;
}

/* QEMU passes it in a register. */
static void set_entry(long entry) {
    for (int i = 0; i < 30; i++)
        if (entered && first.registers[i] == entered)
            first.registers[i] = entry;
}

/* The kernel does the same when it starts a program. */
static void set_first_registers(void) {
    if (!atomc_image.interpreter)
        set_entry((long)atomc_image.program_entry);
    for (int i = 0; i < 31; i++) {
        atomc_registers[i] = first.registers[i];
        atomc_registers[FIRST_FLOATING + i] = context_floating(&first, i);
    }
    atomc_registers[ATOMC_REGISTER_PC] = atomc_image.program_entry;
    atomc_registers[ATOMC_REGISTER_INSTRUMENTED_PC] = atomc_image.entry_copy;
}

/* An analysis routine has called exit, which ends the program. */
static void end_on_exit(int status, void *nothing) {
    (void)nothing;
    if (!atomc_is_ending)
        atomc_end_program(status & 255);
}

/* Its pages become a hole of the program again. QEMU maps holes between segments without access, so these
   are mapped the same way. */
static void leave_loader(void) {
    enum { HOLE = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
    unsigned long begin = atomc_image.loader, end = begin + atomc_image.loader_size;
    if (!begin)
        return;
    RAW(CALL_munmap, begin, end - begin, 0, 0, 0, 0);
    long next = RAW(CALL_mmap, end, PAGE, PROT_NONE, HOLE | MAP_FIXED_NOREPLACE, -1, 0);
    if (next > 0) /* at any address: QEMU 7.2 does not know the flag */
        RAW(CALL_munmap, next, PAGE, 0, 0, 0, 0);
    if (next != (long)end)
        RAW(CALL_mmap, begin, end - begin, PROT_NONE, HOLE | MAP_FIXED, -1, 0);
}

int main(void) {
    long here, entry = (long)atomc_image.entry_copy, base;
    atomc_private_thread_pointer = thread_pointer();
    atomc_prepare_descriptors();
    atomc_prepare_run();
    atomc_prepare_counts(&atomc_image);
    atomc_prepare_stops();
    atomc_prepare_thread_counts();
    atomc_prepare_masks();
    leave_loader();
    atomc_prepare_code();
    atomc_prepare_text();
    atomc_prepare_reports(&atomc_image);
    set_first_registers();
    atomc_set_signal_stack();
    atomc_prepare_shown_contexts();
    atomc_install_fault_handler(); /* a crash in these is reported too */
    PREPARE_HANDLERS();
    atomc_make_calls(atomc_image.before, atomc_image.before_count);
    if (atomc_image.own_stack)
        atomc_map_call_stack();
    if (atomc_image.spills_far)
        atomc_map_spills((long)atomc_program_vector);
    if (atomc_image.interpreter) {
        entry = atomc_load_interpreter(&base);
        set_interpreter(base);
        set_entry(entry);
    }
    on_exit(end_on_exit, NULL);
    here = (long)&here;
    atomc_after_stack = (here - 4096) & ~15L;
    first.pc = entry;
    RAW(CALL_rt_sigprocmask, 0, 0, &first.mask, 8, 0, 0);
    if (atomc_image.aside)
        atomc_set_aside(&first);
    set_thread_pointer(program_thread_pointer);
    atomc_enter_program(&first);
}
