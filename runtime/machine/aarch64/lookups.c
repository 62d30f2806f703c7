/* lookups.c: jumps of the copies, which look up their target in the map: `eor s, target, #bits; ldr s, [s];
   [the return address;] br s`, or, without a free register, `br target` to the original address
   (engine/machine/aarch64/transfers.c, engine/copy/indirect_jumps.c). Compiled without floating-point
   registers. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "runtime/kernel/kernel.h"

enum {
    LONGEST_TRANSFER = 8, /* words */
    /* Signals that programs hardly use. Emulators cannot send the last of them: they keep some for
       themselves. */
    LAST_LEARNING_SIGNAL = 61,
    FIRST_LEARNING_SIGNAL = 50,
};

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
    if (result != (long)place)
        atomc_give_up("the program has memory where returns of its handlers are looked up", "");
    for (unsigned long at = 0; at < (unsigned long)PAGE; at += 4)
        *(uint32_t *)(place + at) = (uint32_t)(page_words + at);
    *(uint32_t *)map_place(address) = (uint32_t)(unsigned long)atomc_entries.handler_returns;
    RAW(CALL_mprotect, place, PAGE, PROT_READ, 0, 0, 0);
    atomc_spills = (struct atomc_own_range){place, place + (unsigned long)PAGE}; /* spills are elsewhere */
    trampoline_page = page;
}

/* A handler of a signal that the process sends to itself: its return address is the trampoline. */
static volatile unsigned long learned;
static void learn_return(int signal) {
    (void)signal;
    learned = (unsigned long)__builtin_return_address(0);
}

static void learn_by(long signal) {
    const struct atomc_action own = {.handler = (long)learn_return};
    struct atomc_action before;
    if (RAW(CALL_rt_sigaction, signal, &own, &before, 8, 0, 0) < 0)
        return;
    const long others = ~SIGNAL_BIT(signal); /* their handlers may lead here, too */
    long mask;
    RAW(CALL_rt_sigprocmask, SET_MASK, &others, &mask, 8, 0, 0);
    RAW(CALL_tgkill, process_id(), RAW(CALL_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0);
    RAW(CALL_rt_sigprocmask, SET_MASK, &mask, 0, 8, 0, 0);
    RAW(CALL_rt_sigaction, signal, &before, 0, 8, 0, 0);
}

void atomc_learn_trampoline(void) {
    for (long signal = LAST_LEARNING_SIGNAL; !learned && signal >= FIRST_LEARNING_SIGNAL; signal--)
        learn_by(signal);
    if (learned)
        atomc_note_trampoline(learned);
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

/* ---- code that the program makes ---- */

/* Lookups of code in this range have to fault, so nothing may be mapped where they end: that memory is kept,
   without access. Returns false if the program, or the analysis side, has memory there. */
static int keep_place(unsigned long place, unsigned long length) {
    const long kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
    long result = RAW(CALL_mmap, place, length, PROT_NONE, kind, -1, 0);
    if (result == (long)place)
        return 1;
    if (result > 0)
        RAW(CALL_munmap, result, length, 0, 0, 0, 0);
    return 0;
}

/* The parts of ranges that have been kept: ranges are asked for more than once. */
enum { MOST_KEPT = 64 };
static struct atomc_own_range kept[MOST_KEPT];
static unsigned kept_count;

static int is_kept_place(unsigned long place, unsigned long length) {
    for (unsigned i = 0; i < kept_count && i < MOST_KEPT; i++)
        if (place >= kept[i].begin && place + length <= kept[i].end)
            return 1;
    return 0;
}

long atomc_find_lookup_conflict(long begin, long length, struct atomc_own_range *taken, long *conflict) {
    const unsigned long bits =
        AARCH64_LANDING_BITS & -AARCH64_LANDING_BITS; /* the lowest one: below it, order is kept */
    const unsigned long all[] = {AARCH64_MAP_BITS, AARCH64_LANDING_BITS};
    unsigned long end = (unsigned long)(begin + length + PAGE - 1) & (unsigned long)-PAGE, next;
    for (unsigned long at = (unsigned long)begin & (unsigned long)-PAGE; at < end; at = next) {
        next = (at & -bits) + bits < end ? (at & -bits) + bits : end;
        for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
            unsigned long place = at ^ all[i];
            if (is_kept_place(place, next - at))
                continue;
            if (!keep_place(place, next - at)) {
                *taken = (struct atomc_own_range){place, place + (next - at)};
                *conflict = (long)(at & -bits);
                return (long)((at & -bits) + bits);
            }
            unsigned number = __sync_fetch_and_add(&kept_count, 1);
            if (number < MOST_KEPT)
                kept[number] = (struct atomc_own_range){place, place + (next - at)};
        }
    }
    return 0;
}
