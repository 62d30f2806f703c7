/* lookups.c: jumps of the copies, which look up their target in the map: `eor s, target, #bits; ldr s, [s];
   [the return address;] br s`, or, without a free register, `br target` to the original address
   (engine/machine/aarch64/transfers.c, engine/copy/indirect_jumps.c). Compiled without floating-point
   registers. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "runtime/kernel/kernel.h"

enum { LONGEST_TRANSFER = 8 /* words */ };

/* A jump leaves no link. */
unsigned long atomc_find_lookup(unsigned link, const long *registers, struct atomc_lookup *lookup) {
    (void)link;
    (void)registers;
    (void)lookup;
    return 0;
}

static int is_lookup(uint32_t word, unsigned scratch, uint64_t bits) {
    const unsigned exclusive_or = 2;
    return AARCH64_IS(word, LOGICAL_CONSTANT) && aarch64_is_wide(word) &&
           aarch64_bits(word, 29, 2) == exclusive_or && aarch64_rd(word) == scratch &&
           aarch64_logical_constant(word) == bits;
}

/* The kernel's trampoline, to which handlers of signals return, is outside of the text. */
static int is_trampoline(unsigned long address) {
    const uint64_t words = AARCH64_TRAMPOLINE;
    long low, high;
    if (address & 3 || !atomc_try_load(address & ~7UL, &low))
        return 0;
    if (!(address & 4))
        return (uint64_t)low == words;
    return atomc_try_load((address & ~7UL) + 8, &high) && (uint64_t)low >> 32 == (uint32_t)words &&
           (uint32_t)high == words >> 32;
}

/* The map's words for the page of the trampoline, which may be the kernel's for all programs: the
   trampoline's leads to the runtime, and others to addresses where nothing is mapped, which contain their
   distances from the page. */
static const unsigned long page_words = 0xffff0000;
static unsigned long trampoline_page; /* 0: there is no such page yet */

void atomc_note_trampoline(unsigned long address) {
    const long kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    unsigned long page = address & (unsigned long)-PAGE, place = map_place(page);
    if (trampoline_page || !is_trampoline(address))
        return;
    long result = RAW(CALL_mmap, place, PAGE, PROT_READ | PROT_WRITE, kind, -1, 0);
    if (result != (long)place) { /* mapped by the program, or by another thread here: each lookup faults, if
                                    it is not mapped */
        if (result > 0)
            RAW(CALL_munmap, result, PAGE, 0, 0, 0, 0);
        return;
    }
    for (unsigned long at = 0; at < (unsigned long)PAGE; at += 4)
        *(uint32_t *)(place + at) = (uint32_t)(page_words + at);
    *(uint32_t *)map_place(address) = (uint32_t)(unsigned long)atomc_entries.handler_returns;
    RAW(CALL_mprotect, place, PAGE, PROT_READ, 0, 0, 0);
    atomc_spills = (struct atomc_own_range){place, place + (unsigned long)PAGE}; /* spills are elsewhere */
    trampoline_page = page;
}

unsigned long atomc_finish_jump(struct saved_context *context, long *target, int *is_spilled) {
    const uint32_t *code = (const uint32_t *)context->pc;
    struct atomc_stepper stepper = {.context = context};
    if (trampoline_page && (unsigned long)code - page_words < (unsigned long)PAGE) { /* after the jump */
        *target = (long)(trampoline_page + ((unsigned long)code - page_words));
        *is_spilled = 0;
        return atomc_image.copies;
    }
    if ((unsigned long)code <= atomc_image.copies || (unsigned long)code >= atomc_image.copies_end)
        return 0;
    unsigned scratch = aarch64_rd(code[0]), from = aarch64_rn(code[-1]);
    if (code[0] != aarch64_ldr_word(scratch))
        return 0;
    *is_spilled = is_lookup(code[-1], scratch, AARCH64_LANDING_BITS);
    if ((!*is_spilled && !is_lookup(code[-1], scratch, AARCH64_MAP_BITS)) || from == scratch)
        return 0;
    *target = context->registers[from];
    for (int i = 1; i < LONGEST_TRANSFER; i++) { /* the return address up to the jump */
        if (is_jump_word(code[i])) {
            if (is_trampoline((unsigned long)*target))
                *target = (long)atomc_entries.handler_returns;
            return (unsigned long)(code + i);
        }
        context->pc = (long)(code + i);
        if (!atomc_step_as(&stepper, code[i]))
            return 0;
    }
    return 0;
}
