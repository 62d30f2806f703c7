/* copies.c: the instruction of the program for an address in the copies. The first query makes a table with a
   word for each word of the copies, in memory that the program never sees. Compiled without floating-point
   registers. */
#include <sys/mman.h>

#include "support/search.h"
#include "runtime/text/text.h"

enum { MISSING, MAKING, MADE };

static uint32_t *const beginnings = (uint32_t *)ATOMC_COPY_INDEX; /* 1 + number of the instruction */
static int state;

static void note_copy(uint32_t copy, unsigned long instruction) {
    copy &= ~MAP_UNFORESEEN;
    if (copy < atomc_image.copies || copy >= atomc_image.copies_end)
        return;
    uint32_t *word = &beginnings[(copy - atomc_image.copies) / 4];
    if (*word == 0) /* if several begin at one address, only the last has a copy */
        *word = (uint32_t)instruction + 1;
}

static void note_map(uint64_t map, unsigned long first, unsigned long count) {
    for (unsigned long i = 0; i < count; i++)
        note_copy(((const uint32_t *)map)[i], first + i);
}

static void make_beginnings(void) {
    const struct atomc_inside *insides = (const struct atomc_inside *)atomc_image.insides;
    const struct atomc_library *libraries = (const struct atomc_library *)atomc_image.libraries;
    RAW(CALL_mmap, beginnings, (atomc_image.copies_end - atomc_image.copies + PAGE) & -PAGE,
        PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    note_map(atomc_image.text_map, 0, atomc_image.text_size / 4);
    for (unsigned long k = 0; k < atomc_image.library_count; k++)
        note_map(libraries[k].map, libraries[k].first, libraries[k].count);
    for (unsigned long i = 0; i < atomc_image.inside_count; i++)
        note_copy(insides[i].copy, insides[i].instruction);
}

/* Another thread may be making it. */
static void need_table(void) {
    while (*(volatile int *)&state != MADE) {
        if (__sync_bool_compare_and_swap(&state, MISSING, MAKING)) {
            make_beginnings();
            __sync_synchronize();
            state = MADE;
        } else {
            RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
        }
    }
}

void atomc_copies_after_fork(void) {
    if (state == MAKING) /* left by a thread that does not exist in this process */
        state = MISSING;
}

int atomc_begins_copy(unsigned long address) {
    need_table();
    return atomc_is_in_copies(address) && beginnings[(address - atomc_image.copies) / 4] != 0;
}

int atomc_at_transfer_trap(unsigned long address) {
    return atomc_is_in_copies(address) && ATOMC_IS_TRANSFER_TRAP(*(const uint32_t *)address);
}

long atomc_original_of(unsigned long address, long *copy) {
    if (!atomc_is_in_copies(address))
        return 0;
    need_table();
    unsigned long word = (address - atomc_image.copies) / 4;
    while (word > 0 && beginnings[word] == 0)
        word--;
    if (beginnings[word] == 0)
        return 0;
    if (copy)
        *copy = (long)(atomc_image.copies + 4 * word);
    return atomc_address_of(beginnings[word] - 1);
}

/* The shortcut that contains the address; 0: none. */
static const struct atomc_shortcut *shortcut_at(unsigned long address) {
    const struct atomc_shortcut *shortcuts = (const struct atomc_shortcut *)atomc_image.shortcuts;
    const unsigned long after = FIRST_NOT(0, atomc_image.shortcut_count, at, shortcuts[at].copy <= address);
    const struct atomc_shortcut *here = shortcuts + after - 1;
    return after > 0 && address < here->copy + 4ul * here->count ? here : 0;
}

int atomc_leave_shortcut(struct saved_context *context) {
    const struct atomc_shortcut *shortcut = shortcut_at((unsigned long)context->pc);
    if (!shortcut)
        return 0;
    need_table();
    unsigned long number = ((unsigned long)context->pc - shortcut->copy) / 4;
    const uint32_t *word = &beginnings[(shortcut->real - atomc_image.copies) / 4];
    while (*word != shortcut->instruction + number + 1)
        word++;
    context->pc = (long)(atomc_image.copies + 4ul * (unsigned long)(word - beginnings));
    return 1;
}

int atomc_end_is_waited_for(unsigned long address) {
    const struct atomc_waiting *waiting = (const struct atomc_waiting *)atomc_image.waiting;
    const unsigned long after = FIRST_NOT(0, atomc_image.waiting_count, at, waiting[at].begin <= address);
    return after > 0 && address < waiting[after - 1].end;
}

int atomc_call_waits(unsigned long address) {
    const uint32_t *code = (const uint32_t *)address;
    return atomc_is_in_copies(address) && is_system_call_word(code[0]) && code[1] == WAIT_MARK;
}
