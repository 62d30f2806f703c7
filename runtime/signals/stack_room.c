/* stack_room.c: in programs that may have threads, inserted code uses the program's stacks. If a stack has no
   room left for it, the runtime lends memory: the memory below the stack, which is a guard of the program or
   unmapped, can be used until control is back at an instruction of the program. So a stack overflow happens
   at the program's own instruction, with its usual effect. If $30 is not a stack pointer at all, as in
   assembly that needs one more register, the runtime has no memory to lend below it. Then inserted code is
   executed step by step up to the program's instruction, and values that it spills below $30 are stored in
   memory of the runtime. Compiled without floating-point registers. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/signals/signals.h"
#include "runtime/text/text.h"

enum {
    LENT = 64,       /* pieces, of all threads */
    MOST_PAGES = 16, /* bytes lent to each thread: more than frames of wrappers need, and a limit for endless
                        recursion of routines */
    NEAR = 1 << 16,  /* bytes: an address at this distance from the stack pointer is on the stack */
};

static struct lent {
    long thread; /* 0: free */
    long page;
    int is_guard; /* the memory was mapped, without access */
} lent[LENT + 1];
static long contents[LENT][FILE_PAGE / sizeof(long)]; /* saved contents of guards */
static int are_lent;

enum { THREADS = 8, SPILLED = 1024 }; /* bytes: inserted code uses less */
static struct instead {
    long thread; /* 0: free */
    unsigned long begin;
    long words[SPILLED / sizeof(long)];
} instead[THREADS + 1];
static int are_instead;

static long thread_with_room(void) {
    return RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
}

static int lent_pages(long thread) {
    int pages = 0;
    for (int i = 0; i < LENT; i++)
        pages += lent[i].thread == thread;
    return pages;
}

/* Makes the page usable. Returns false if the memory has another use. */
static int open_page(struct lent *piece, long *kept) {
    const long access = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    long result = RAW(CALL_mprotect, piece->page, PAGE, access, 0, 0, 0);
    piece->is_guard = result >= 0;
    if (piece->is_guard)
        memcpy(kept, (const void *)piece->page, (size_t)PAGE);
    return piece->is_guard ||
           (result == -ENOMEM && RAW(CALL_mmap, piece->page, PAGE, access, kind, -1, 0) == piece->page);
}

static void close_page(const struct lent *piece, const long *kept) {
    if (piece->is_guard) {
        memcpy((void *)piece->page, kept, (size_t)PAGE);
        RAW(CALL_mprotect, piece->page, PAGE, PROT_NONE, 0, 0, 0);
    } else {
        RAW(CALL_munmap, piece->page, PAGE, 0, 0, 0, 0);
    }
}

/* The address at which the instruction at the pc stores; 0: the instruction stores nothing, or not near the
   stack pointer. */
static long stored_at(const struct saved_context *saved) {
    const uint32_t *pc = (const uint32_t *)saved->pc;
    unsigned base = access_base(*pc);
    long address = REGISTER_VALUE(saved->registers, base) + access_displacement(*pc);
    long distance = address - saved->registers[STACK_REGISTER];
    int is_own = pc >= atomc_tries && pc < atomc_tries_end; /* the instruction tests whether memory can be
                                                               stored to */
    return is_store_word(*pc) && !is_own && base != NO_REGISTER && distance > -NEAR && distance < NEAR
               ? address
               : 0;
}

/* Code inserted before the program's instruction may store the same register at the same offset, but relative
   to a lower stack pointer. */
int atomc_is_programs(unsigned long pc) {
    long begin = 0, original = atomc_original_of(pc, &begin), lowered = 0;
    uint32_t word = *(const uint32_t *)pc;
    if (!original || word != atomc_original_word(original))
        return 0;
    for (const uint32_t *at = (const uint32_t *)begin; at < (const uint32_t *)pc; at++)
        lowered += stack_change(*at);
    return lowered == 0;
}

/* ---- where $30 is no stack ----------------------------------------------------------------------------------- */

unsigned long atomc_spilled_at(unsigned long address) {
    long thread = are_instead ? thread_with_room() : 0;
    for (int i = 0; i < THREADS && thread; i++)
        if (instead[i].thread == thread && address - instead[i].begin < sizeof instead[i].words)
            return (unsigned long)instead[i].words + (address - instead[i].begin);
    return address;
}

int atomc_spills_nowhere(const struct saved_context *saved) {
    unsigned long pc = (unsigned long)saved->pc;
    long thread = thread_with_room();
    uint32_t word = *(const uint32_t *)pc;
    if (atomc_is_ending || !atomc_is_in_copies(pc) || !is_spill_store(word) || atomc_is_programs(pc))
        return 0;
    for (int i = 0; i < THREADS; i++)
        if (instead[i].thread == thread || __sync_bool_compare_and_swap(&instead[i].thread, 0, thread)) {
            instead[i].begin = (unsigned long)saved->registers[STACK_REGISTER];
            are_instead = 1;
            return 1;
        }
    return 0;
}

void atomc_forget_spills(void) {
    long thread = are_instead ? thread_with_room() : 0;
    for (int i = 0; i < THREADS && thread; i++)
        if (instead[i].thread == thread)
            instead[i].thread = 0;
}

/* ---- pages ----------------------------------------------------------------------------------------------------- */

int atomc_lend_room(const struct saved_context *saved) {
    long thread = thread_with_room(), address = stored_at(saved), word;
    /* Stacks of the analysis side are below 4 GB. */
    if (address >> 32 == 0 || atomc_image.own_frames || atomc_is_ending ||
        atomc_is_programs((unsigned long)saved->pc) || PAGE > FILE_PAGE ||
        atomc_try_load((unsigned long)address & ~7UL, &word) || lent_pages(thread) == MOST_PAGES)
        return 0;
    for (int i = 0; i < LENT; i++) {
        if (!__sync_bool_compare_and_swap(&lent[i].thread, 0, thread))
            continue;
        lent[i].page = address & -PAGE;
        are_lent = 1;
        if (open_page(&lent[i], contents[i]))
            return 1;
        lent[i].thread = 0;
        return 0;
    }
    return 0;
}

void atomc_return_room(void) {
    long thread = are_lent ? thread_with_room() : 0;
    for (int i = 0; i < LENT && thread; i++)
        if (lent[i].thread == thread) {
            close_page(&lent[i], contents[i]);
            lent[i].thread = 0;
        }
}

void atomc_return_room_at(unsigned long pc) {
    if (are_lent && atomc_is_programs(pc))
        atomc_return_room();
}
