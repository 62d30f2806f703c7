/* memory_calls.c: the program's mmap, munmap and mprotect: they must not replace the analysis side, and may
   make code. Compiled without floating-point registers. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>

#include "runtime/kernel/line.h"
#include "runtime/process/process.h"
#include "runtime/text/text.h"

static void add_range(struct line *line, unsigned long begin, unsigned long end) {
    add_text(line, "0x");
    add_number(line, begin, 16);
    add_text(line, " to 0x");
    add_number(line, end, 16);
}

/* A mapping with MAP_FIXED replaces existing ones. The program is ended before it overwrites the
   runtime. */
static void check_place(const long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    struct atomc_own_range taken;
    struct line line = {.length = 0};
    if (!atomc_find_taken(a[0], a[0] + a[1], &taken))
        return;
    add_text(&line, "atomc: the program maps ");
    add_range(&line, (unsigned long)a[0], (unsigned long)(a[0] + a[1]));
    add_text(&line, ", where the analysis side is: ");
    add_range(&line, taken.begin, taken.end);
    add_text(&line, ": stopped\n");
    write_line(&line);
    atomc_stop_program(registers);
}

static void check_code(const long *registers, long begin, long length) {
    struct atomc_own_range taken = {0, 0};
    struct line line = {.length = 0};
    long conflict;
    if (atomc_image.text_runs || length <= 0 ||
        (begin < (long)(atomc_image.text_address + atomc_image.text_size) &&
         begin + length > (long)atomc_image.text_address) || /* its own text */
        !atomc_find_conflict(begin, length, &taken, &conflict))
        return;
    add_text(&line, "atomc: the program makes code at ");
    add_range(&line, (unsigned long)begin, (unsigned long)(begin + length));
    add_text(&line, ", where look-ups end in memory that is in use: ");
    add_range(&line, taken.begin, taken.end);
    add_text(&line, ": stopped\n");
    write_line(&line);
    atomc_stop_program(registers);
}

/* Called for a static program. */
static long map_program(long *registers) {
    long result = atomc_map_program(registers + FIRST_ARGUMENT);
    if ((result >= 0 || result < -4095) && registers[FIRST_ARGUMENT + 2] & PROT_EXEC)
        check_code(registers, result, registers[FIRST_ARGUMENT + 1]);
    set_result(registers, result);
    return 1;
}

long atomc_call_mmap(long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    if (a[3] & MAP_FIXED)
        check_place(registers);
    if (a[3] & MAP_FIXED && atomc_map_over_text(registers))
        return 1;
    if (!atomc_image.interpreter)
        return atomc_may_become_code(a) || a[2] & PROT_EXEC ? map_program(registers) : 0;
    long protection = a[2], length = a[1];
    atomc_object_call(registers);
    if (protection & PROT_EXEC && !has_failed(registers))
        check_code(registers, registers[RESULT_REGISTER], length);
    return 1;
}

long atomc_call_munmap(long *registers) {
    atomc_object_call(registers);
    return 1;
}

long atomc_call_mprotect(long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    if (a[2] & PROT_EXEC && a[2] & PROT_GROWSDOWN) /* a library has code on stacks */
        atomc_stacks_are_code();
    if (a[2] & PROT_EXEC)
        check_code(registers, a[0], a[1]);
    if (atomc_protect_text(registers))
        return 1;
    if (!atomc_image.interpreter)
        return 0;
    atomc_object_call(registers);
    return 1;
}

long atomc_call_mlockall(long *registers) {
    /* The analysis side has large regions that it never touches. */
    long result = RAW(CALL_mlockall, registers[FIRST_ARGUMENT] | MCL_ONFAULT, 0, 0, 0, 0, 0);
    if (result == -EINVAL) /* an old kernel */
        return 0;
    set_result(registers, result);
    return 1;
}
