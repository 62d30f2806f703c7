/* thread_counts.c: cells for each thread, found by its thread pointer: threads count without atomic updates,
   and no cache line moves between processors. The cells are added up where counts are derived (counting.c).
   Compiled without floating-point registers.

   A thread pointer gets its cells before the clone that makes its thread, or when the first count with it
   faults. The pointer keeps its cells when the thread ends: a later thread with the same pointer continues
   with them. If two threads would run with one pointer, or there is no room for the pointer in the table, all
   counts permanently become atomic updates of the common cells. */
#define _GNU_SOURCE
#include <elf.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <sys/mman.h>

#include "runtime/counts/counts.h"
#include "runtime/kernel/kernel.h"
#include "runtime/threads/threads.h"

enum { MOST_POINTERS = 4096 };

static unsigned long pointers[MOST_POINTERS]; /* one for each area */
static int is_in_use[MOST_POINTERS];          /* a thread that has not ended uses it */
static int is_shared;                         /* counts are atomic */
static long busy;                             /* 0, or the process in which a thread changes these */

/* After a fork, a thread that does not exist in this process may have held the lock. */
static void lock_areas(void) {
    long process = process_id(), other = 0;
    while (!__sync_bool_compare_and_swap(&busy, other, process)) {
        other = *(volatile long *)&busy == process ? 0 : *(volatile long *)&busy;
        RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
    }
}

static void unlock_areas(void) {
    __sync_synchronize();
    busy = 0;
}

/* ---- the table ------------------------------------------------------------------------------------------ */

static unsigned long word_of_pointer(unsigned long pointer) {
    return ((pointer >> ATOMC_THREAD_TABLE_SHIFT) + 65536UL * ATOMC_THREAD_TABLE_HIGH) & ~7UL;
}

static unsigned long page_of(unsigned long pointer) {
    return word_of_pointer(pointer) & (unsigned long)-PAGE;
}

static int is_page_mapped(unsigned long page) {
    for (uint64_t i = 0; i < atomc_image.thread_area_count; i++)
        if (page_of(pointers[i]) == page)
            return 1;
    return 0;
}

/* True if the page is below the program, and the program, the analysis side and the kernel (for stacks) do
   not use its range. An emulator that has loaded the file may have mapped that range without access. */
static int is_in_hole(unsigned long page) {
    const Elf64_Phdr *header = (const Elf64_Phdr *)atomc_image.program_headers;
    for (uint64_t i = 0; i < atomc_image.program_header_count; i++)
        if (header[i].p_type == PT_LOAD && page < header[i].p_vaddr + header[i].p_memsz &&
            page + PAGE > header[i].p_vaddr)
            return 0;
    struct atomc_own_range own;
    int in_hole;
    return page >= atomc_image.layout.end && page < atomc_image.layout.far_end &&
           atomc_is_before_text(page, page + PAGE) &&
           !(atomc_next_own(page, &own, &in_hole) && own.begin < page + PAGE);
}

/* The page is filled first, and then moved to its address, because another thread may be reading there.
   Returns false if another mapping has the address. */
static int map_table(unsigned long page) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    long there = RAW(CALL_mmap, page, PAGE, PROT_NONE, flags | (is_in_hole(page) ? MAP_FIXED : 0), -1, 0);
    if (there != (long)page) {
        if (there >= 0 || there < -4096)
            RAW(CALL_munmap, there, PAGE, 0, 0, 0, 0);
        return 0;
    }
    unsigned long *words = (unsigned long *)ATOMC_THREAD_COUNTS_END;
    if (RAW(CALL_mmap, words, PAGE, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0) != (long)words)
        return 0;
    for (long i = 0; i < PAGE / 8; i++)
        words[i] = ATOMC_THREAD_NOWHERE;
    return RAW(CALL_mremap, words, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page, 0) == (long)page;
}

/* The number of the pointer's area; -1 if it has none. */
static long find_area(unsigned long pointer) {
    for (uint64_t i = 0; i < atomc_image.thread_area_count; i++)
        if (word_of_pointer(pointers[i]) == word_of_pointer(pointer))
            return (long)i;
    return -1;
}

/* The same; assigns an area if possible. */
static long give_area(unsigned long pointer) {
    uint64_t number = atomc_image.thread_area_count, size = atomc_image.thread_area_size;
    unsigned long area = ATOMC_THREAD_COUNTS + number * size;
    long found = find_area(pointer);
    if (found >= 0)
        return found;
    if (number == MOST_POINTERS || area + size > ATOMC_THREAD_COUNTS_END ||
        RAW(CALL_mmap, area, size, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != (long)area ||
        (!is_page_mapped(page_of(pointer)) && !map_table(page_of(pointer))))
        return -1;
    pointers[number] = pointer;
    *(volatile unsigned long *)word_of_pointer(pointer) = area + ATOMC_THREAD_VALUES;
    __sync_synchronize();
    atomc_image.thread_area_count = number + 1;
    return (long)number;
}

/* Returns false if there is no room for the cells. */
static int use_area(unsigned long pointer) {
    lock_areas();
    long number = give_area(pointer);
    if (number >= 0)
        is_in_use[number] = 1;
    unlock_areas();
    return number >= 0;
}

/* As atomc_next_own. */
static int next_table_page(unsigned long at, struct atomc_own_range *next, int *in_hole) {
    *in_hole = 0;
    *next = (struct atomc_own_range){UINT64_MAX, UINT64_MAX};
    for (uint64_t i = 0; i < atomc_image.thread_area_count; i++) {
        unsigned long page = page_of(pointers[i]);
        if (page + PAGE > at && page < next->begin)
            *next = (struct atomc_own_range){page, page + PAGE};
    }
    return next->begin != UINT64_MAX;
}

void atomc_prepare_thread_counts(void) {
    if (!atomc_image.thread_values)
        return;
    atomc_next_thread_page = next_table_page;
    atomc_image.thread_areas = ATOMC_THREAD_COUNTS;
    atomc_image.thread_area_size = (8 * atomc_image.thread_values + PAGE - 1) & (uint64_t)-PAGE;
}

/* ---- counts in the copies ------------------------------------------------------------------------------- */

/* The count that contains the address, after its first words. */
static int find_count(unsigned long pc, struct atomc_count *count) {
    if (!atomc_is_in_copies(pc))
        return 0;
    for (uint32_t *code = (uint32_t *)pc;
         code > (uint32_t *)pc - LONGEST_COUNT && (unsigned long)code >= atomc_image.copies; code--)
        if (atomc_begins_count(code[0]))
            return atomc_is_count(code, (const uint32_t *)atomc_image.copies_end, count) &&
                   (uint32_t *)pc < count->end;
    return 0;
}

/* The number of its cell among all cells. */
static uint64_t cell_of(const struct atomc_count *count) {
    return atomc_image.first_value + (uint64_t)(count->offset + ATOMC_THREAD_VALUES) / 8;
}

/* ---- common counts -------------------------------------------------------------------------------------- */

/* Requires that no other thread is in a count. */
static void make_all_atomic(void) {
    long begin = (long)atomc_image.copies & -PAGE, end = ((long)atomc_image.copies_end + PAGE - 1) & -PAGE;
    uint32_t *last = (uint32_t *)atomc_image.copies_end;
    struct atomc_count count;
    RAW(CALL_mprotect, begin, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC, 0, 0, 0);
    for (uint32_t *code = (uint32_t *)atomc_image.copies; code < last; code++)
        if (atomc_begins_count(code[0]) && atomc_is_count(code, last, &count))
            atomc_make_atomic(&count, atomc_image.cells + 8 * cell_of(&count));
    RAW(CALL_mprotect, begin, end - begin, PROT_READ | PROT_EXEC, 0, 0, 0);
    flush_instructions();
    is_shared = 1;
}

int atomc_takes_count(struct saved_context *context) {
    struct atomc_count count;
    uint64_t *cells = (uint64_t *)atomc_image.cells;
    if (!atomc_image.thread_values || !find_count((unsigned long)context->pc, &count))
        return 0;
    if (use_area((unsigned long)thread_pointer())) {
        context->pc = (long)count.begin;
    } else if (!atomc_threaded) {
        make_all_atomic();
        context->pc = (long)count.begin;
    } else {
        __sync_fetch_and_add(&cells[cell_of(&count)], atomc_amount_of(&count, context->registers));
        context->pc = (long)count.end;
    }
    return 1;
}

/* During this the other threads are stopped at instructions of the program: none is in a count. */
static void share_counts(void) {
    if (is_shared)
        return;
    if (atomc_threaded)
        atomc_hold_threads(HOLD_RUNNING);
    if (!is_shared)
        make_all_atomic();
    if (atomc_threaded)
        atomc_free_threads();
}

/* ---- threads -------------------------------------------------------------------------------------------- */

void atomc_thread_counts_at_clone(const long *registers) {
    if (!atomc_image.thread_values || is_shared)
        return;
    int is_new = (registers[FIRST_ARGUMENT] & CLONE_SETTLS) != 0;
    lock_areas();
    long number = is_new ? give_area((unsigned long)registers[THREAD_ARGUMENT]) : -1;
    int is_taken = number < 0 || is_in_use[number];
    if (number >= 0)
        is_in_use[number] = 1;
    unlock_areas();
    if (is_taken)
        share_counts();
}

void atomc_thread_counts_not_cloned(const long *registers) {
    long number =
        registers[FIRST_ARGUMENT] & CLONE_SETTLS ? find_area((unsigned long)registers[THREAD_ARGUMENT]) : -1;
    if (number >= 0)
        is_in_use[number] = 0;
}

void atomc_thread_counts_end(void) {
    if (atomc_is_vfork_child()) /* its parent has the pointer */
        return;
    long number = find_area((unsigned long)thread_pointer());
    if (number >= 0)
        is_in_use[number] = 0;
}

void atomc_thread_counts_after_fork(void) {
    for (int i = 0; i < MOST_POINTERS; i++)
        is_in_use[i] = 0;
    long number = find_area((unsigned long)thread_pointer());
    if (number >= 0)
        is_in_use[number] = 1;
}
