/* first_stack.c: maps memory for spills far below the program's first stack. When the program switches to
   another stack, all code with spills is changed, permanently. Requires atomc_image.spills_far. Compiled
   without floating-point registers. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>

#include "runtime/text/internal.h"

enum { NEAR_MAPPINGS = 256 << 20, SMALLEST_STACK = 64 << 20 };
static const long far_distance = SPILL_FAR * 65536L;

static void patch_copies(void) {
    long begin = (long)atomc_image.copies & -PAGE, end = ((long)atomc_image.copies_end + PAGE - 1) & -PAGE;
    RAW(CALL_mprotect, begin, end - begin, PROT_READ | PROT_WRITE, 0, 0, 0);
    atomc_patch_spills((uint32_t *)atomc_image.copies, (const uint32_t *)atomc_image.copies_end);
    RAW(CALL_mprotect, begin, end - begin, PROT_READ | PROT_EXEC, 0, 0, 0);
    atomc_patch_stubs();
    atomc_patch_springboards();
    flush_instructions();
}

void atomc_check_stack(long stack_pointer) {
    const long *first = (const long *)(SITE_FRAME + SITE_FRAME_MAIN);
    if (atomc_spill_distance == SPILL_NEAR)
        return;
    if (stack_pointer - first[0] < 0 || stack_pointer - first[0] >= first[1])
        atomc_leave_first_stack();
}

void atomc_leave_first_stack(void) {
    long *first = (long *)(SITE_FRAME + SITE_FRAME_MAIN);
    if (atomc_spill_distance == SPILL_NEAR)
        return;
    atomc_spill_distance = SPILL_NEAR;
    first[0] = 0;
    first[1] = -1; /* all of memory: no further checks */
    patch_copies();
}

/* If the kernel or an emulator has put the stack at a random address, any memory may be below it, even memory
   of the emulator itself. A kernel that does not know the flag treats the address as a hint. */
static int map_if_free(long address, long size) {
    long result = RAW(CALL_mmap, address, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    if (result != address && (result >= 0 || result < -4096))
        RAW(CALL_munmap, result, size, 0, 0, 0, 0);
    return result == address;
}

/* The distance down to which the stack may grow. */
void atomc_map_spills(long stack) {
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    long *first = (long *)(SITE_FRAME + SITE_FRAME_MAIN), size = SMALLEST_STACK;
    RAW(CALL_getrlimit, RLIMIT_STACK, &limit, 0, 0, 0, 0);
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur > (unsigned long)size)
        size = (long)limit.rlim_cur;
    first[0] = (stack - size) & -PAGE;
    first[1] = ((stack + NEAR_MAPPINGS) & -PAGE) - first[0];
    atomc_spill_distance = far_distance;
    if (size > far_distance / 2 || !map_if_free(first[0] - far_distance, first[1])) {
        atomc_leave_first_stack();
        return;
    }
    atomc_spills = (struct atomc_own_range){(uint64_t)(first[0] - far_distance),
                                            (uint64_t)(first[0] - far_distance + first[1])};
}

/* The first stack has grown beyond its limit, or the stack pointer is no stack: the first store of a spill
 * faults. */
static int is_beside_spills(const uint32_t *code) {
    return atomc_spill_distance != SPILL_NEAR && is_spill_store(code[0]) && atomc_lowers_far(code[-1]);
}

int atomc_finds_switch(struct saved_context *context) {
    const uint32_t *code = (const uint32_t *)context->pc;
    unsigned long pc = (unsigned long)context->pc;
    if (pc < atomc_image.copies || pc + 4 >= atomc_image.copies_end)
        return 0;
    if (code[1] == STACK_MARK(0) || code[1] == STACK_MARK(1)) {
        long lowered = code[1] == STACK_MARK(1) ? atomc_spill_distance : SPILL_NEAR;
        const long *spilled = (const long *)context->registers[STACK_REGISTER];
        atomc_leave_first_stack();
        if (lowered != atomc_spill_distance) {
            context->registers[STACK_REGISTER] += lowered - atomc_spill_distance;
            ((long *)context->registers[STACK_REGISTER])[0] = spilled[0];
            ((long *)context->registers[STACK_REGISTER])[1] = spilled[1];
        }
        context->pc = (long)(code + 2);
        return 1;
    }
    if (pc == atomc_image.copies || !is_beside_spills(code))
        return 0;
    atomc_leave_first_stack();
    context->registers[STACK_REGISTER] += far_distance - SPILL_NEAR;
    return 1;
}
