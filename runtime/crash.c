/* crash.c: reports a crash of the analysis code: the routine, and its caller in the user's code. The table of
   places is made by engine/output/crash_places.c. Compiled without floating-point registers. */
#include "line.h"

enum { STACK_WORDS = 512 }; /* searched for a caller */

/* The row for an address, 0 if it is not in the analysis code. */
static const struct atomc_analysis_place *find_place(unsigned long address) {
    const struct atomc_analysis_place *places = (const struct atomc_analysis_place *)atomc_image.places;
    unsigned long low = 0, high = atomc_image.place_count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (places[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    int here = is_in_image(address) ||
               (address >= LAYOUT_WRAPPERS && address < LAYOUT_COPIES); /* copies of routines */
    return low > 0 && here && places[low - 1].procedure ? &places[low - 1] : 0;
}

/* Where an inlined access comes from, 0 if there is none at the address. */
static unsigned long inlined_from(unsigned long pc) {
    const struct atomc_inlined *inlined = (const struct atomc_inlined *)atomc_image.inlined;
    unsigned long low = 0, high = atomc_image.inlined_count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (inlined[middle].address < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < atomc_image.inlined_count && inlined[low].address == pc ? inlined[low].origin : 0;
}

/* How many bytes must be there; 0: it does not load, or store. */
static unsigned bytes_loaded(uint32_t word) {
    if (ALPHA_IS(word, LDBU) || ALPHA_IS(word, LDQ_U))
        return 1;
    if (ALPHA_IS(word, LDWU))
        return 2;
    if (ALPHA_IS(word, LDL) || ALPHA_IS(word, LDL_L) || ALPHA_IS(word, LDF) || ALPHA_IS(word, LDS))
        return 4;
    return ALPHA_IS(word, LDQ) || ALPHA_IS(word, LDQ_L) || ALPHA_IS(word, LDG) || ALPHA_IS(word, LDT) ? 8 : 0;
}
static unsigned bytes_stored(uint32_t word) {
    if (ALPHA_IS(word, STB) || ALPHA_IS(word, STQ_U))
        return 1;
    if (ALPHA_IS(word, STW))
        return 2;
    if (ALPHA_IS(word, STL) || ALPHA_IS(word, STL_C) || ALPHA_IS(word, STF) || ALPHA_IS(word, STS))
        return 4;
    return ALPHA_IS(word, STQ) || ALPHA_IS(word, STQ_C) || ALPHA_IS(word, STG) || ALPHA_IS(word, STT) ? 8 : 0;
}

/* An access of the word's, in memory that is there? */
static int access_is_good(uint32_t word, const long *registers) {
    const unsigned loads = bytes_loaded(word), stores = bytes_stored(word);
    unsigned base = alpha_rb(word);
    unsigned long address = (base == ALPHA_ZERO ? 0 : (unsigned long)registers[base]) +
                            (unsigned long)alpha_memory_displacement(word);
    long value;
    if (!loads && !stores)
        return 1;
    if (address & ((loads | stores) - 1u))
        return 0;
    return stores ? atomc_try_touch(address & ~7UL) : atomc_try_load(address & ~7UL, &value);
}

/* Elsewhere than in what atomc has added, code that is executed is not told from other memory, but behind a
 * system call. */
static int is_executed(unsigned long pc) {
    long quad;
    if (atomc_is_private(pc) || atomc_is_in_copies(pc) || atomc_in_stub(pc))
        return 1;
    return atomc_try_load((pc - 4) & ~7UL, &quad) &&
           (uint32_t)((uint64_t)quad >> 8 * ((pc - 4) & 4)) == ALPHA_PAL_CALLSYS &&
           atomc_try_load(pc & ~7UL, &quad);
}

int atomc_may_fault(long signal, const struct saved_context *saved) {
    const uint32_t *pc = (const uint32_t *)saved->pc;
    if ((signal != 10 && signal != 11) || (pc >= atomc_tries && pc < atomc_tries_end) ||
        !is_executed((unsigned long)pc))
        return 1;
    return !access_is_good(*pc, saved->registers);
}

int atomc_is_inlined_access(unsigned long pc) {
    return inlined_from(pc) != 0;
}

static void add_place(struct line *line, const struct atomc_analysis_place *place) {
    add_text(line, (const char *)(unsigned long)place->procedure);
    if (place->line == 0)
        return;
    add_text(line, " (");
    add_text(line, (const char *)(unsigned long)place->file);
    add_text(line, ":");
    add_number(line, place->line, 10);
    add_text(line, ")");
}

/* The place in the user's sources before a return address: a jsr or bsr with link $26. */
static const struct atomc_analysis_place *users_call(unsigned long address) {
    const struct atomc_analysis_place *place = address & 3 ? 0 : find_place(address - 4);
    if (!place || place->line == 0)
        return 0;
    uint32_t word = ((const uint32_t *)address)[-1];
    int call = (ALPHA_IS(word, BSR) || ALPHA_IS(word, JSR)) && alpha_ra(word) == ALPHA_RA;
    return call ? place : 0;
}

/* The kernel is asked before a page is read. */
static int can_read(const long *address) {
    return RAW(CALL_access, address, 0, 0, 0, 0, 0) != -14 /* EFAULT */;
}

static const struct atomc_analysis_place *find_caller(const long *registers) {
    const long *stack = (const long *)(registers[30] & ~7L);
    const struct atomc_analysis_place *place = users_call((unsigned long)registers[26]);
    for (unsigned i = 0; i < STACK_WORDS && !place; i++) {
        if ((i == 0 || ((unsigned long)(stack + i) & (PAGE - 1)) == 0) && !can_read(stack + i))
            break;
        place = users_call((unsigned long)stack[i]);
    }
    return place;
}

/* Where the analysis code is. */
static void add_where(struct line *line, unsigned long pc, const long *registers) {
    unsigned long origin = inlined_from(pc);
    const struct atomc_analysis_place *place = find_place(origin ? origin : pc);
    add_text(line, " in ");
    if (place)
        add_place(line, place);
    else
        add_text(line, "a call's wrapper");
    if (!origin && (!place || place->line == 0)) {
        place = find_caller(registers);
        if (place) {
            add_text(line, ", called by ");
            add_place(line, place);
        }
    }
    add_text(line, ", pc 0x");
    add_number(line, pc, 16);
    add_text(line, "\n");
}

void atomc_report_crash(long signal, unsigned long pc, const long *registers) {
    struct line line = {.length = 0};
    add_text(&line, "atomc: the analysis code crashed with signal ");
    add_number(&line, (unsigned long)signal, 10);
    add_where(&line, pc, registers);
    write_line(&line);
}

void atomc_report_full_stack(unsigned long pc, const long *registers) {
    struct line line = {.length = 0};
    add_text(&line, "atomc: the analysis code has no stack left: too many calls or too large variables,");
    add_where(&line, pc, registers);
    write_line(&line);
}

void atomc_report_abort(unsigned long pc, const long *registers) {
    struct line line = {.length = 0};
    add_text(&line, "atomc: the analysis code called abort");
    add_where(&line, pc, registers);
    write_line(&line);
}

void atomc_report_stuck(long signal, unsigned long pc, const long *registers) {
    struct line line = {.length = 0};
    add_text(&line, "atomc: signal ");
    add_number(&line, (unsigned long)signal, 10);
    add_text(&line, " has waited 5 seconds for the analysis code, and ends the program:");
    add_where(&line, pc, registers);
    write_line(&line);
}

void atomc_report_crash_at(long signal, unsigned long original) {
    struct line line = {.length = 0};
    add_text(&line, "atomc: the analysis code crashed with signal ");
    add_number(&line, (unsigned long)signal, 10);
    add_text(&line, ", called at 0x");
    add_number(&line, original, 16);
    add_text(&line, "; --call=wrapper tells the routine\n");
    write_line(&line);
}
