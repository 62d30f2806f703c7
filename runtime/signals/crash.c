/* crash.c: reports a crash of the analysis code: the routine, and its caller in the user's code.
   engine/output/crash_places.c makes the table of places. Compiled without floating-point registers. */
#include "runtime/kernel/line.h"
#include "support/search.h"
#include "runtime/signals/internal.h"
#include "runtime/text/text.h"

enum { STACK_WORDS = 512 }; /* searched for a caller */

/* The row for an address; 0 if it is not in the analysis code. */
static const struct atomc_analysis_place *find_place(unsigned long address) {
    const struct atomc_analysis_place *places = (const struct atomc_analysis_place *)atomc_image.places;
    const unsigned long after = FIRST_NOT(0, atomc_image.place_count, at, places[at].address <= address);
    int here = is_in_image(address) || (address >= atomc_image.layout.wrappers &&
                                        address < atomc_image.layout.copies); /* copies of routines */
    return after > 0 && here && places[after - 1].procedure ? &places[after - 1] : 0;
}

/* The origin of an inlined access; 0 if there is none at the address. */
static unsigned long inlined_from(unsigned long pc) {
    const struct atomc_inlined *inlined = (const struct atomc_inlined *)atomc_image.inlined;
    const unsigned long here = FIRST_NOT(0, atomc_image.inlined_count, at, inlined[at].address < pc);
    return here < atomc_image.inlined_count && inlined[here].address == pc ? inlined[here].origin : 0;
}

/* Outside of atomc's additions, execution is certain only for code after a system call: a jump to other
   memory faults at its target. (Whether an access would fault now is no evidence: another thread may have
   mapped the memory since.) */
int atomc_may_fault(long signal, const struct saved_context *saved) {
    unsigned long pc = (unsigned long)saved->pc;
    long before, here;
    int tries = pc >= (unsigned long)atomc_tries && pc < (unsigned long)atomc_tries_end;
    if (signal == SIGNAL_FPE && atomc_try_load((pc - 4) & ~7UL, &before))
        return atomc_traps_behind((uint32_t)((uint64_t)before >> 8 * ((pc - 4) & 4)));
    if ((signal != SIGNAL_BUS && signal != SIGNAL_SEGV) || tries ||
        pc - atomc_image.text_address < atomc_image.text_size)
        return 1;
    if (atomc_try_load((pc - 4) & ~7UL, &before) && atomc_try_load(pc & ~7UL, &here) &&
        is_system_call_word((uint32_t)((uint64_t)before >> 8 * ((pc - 4) & 4))))
        return 0;
    return !(atomc_is_private(pc) || atomc_is_in_copies(pc) || atomc_in_stub(pc)) ||
           atomc_is_access(*(const uint32_t *)pc);
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

/* The place in the user's sources of the call before a return address. */
static const struct atomc_analysis_place *users_call(unsigned long address) {
    const struct atomc_analysis_place *place = address & 3 ? 0 : find_place(address - 4);
    if (!place || place->line == 0)
        return 0;
    return is_call_word(((const uint32_t *)address)[-1]) ? place : 0;
}

/* Before a page is read, a system call tests it. */
static int can_read(const long *address) {
    return CAN_ACCESS(address) != -14 /* EFAULT */;
}

static const struct atomc_analysis_place *find_caller(const long *registers) {
    const long *stack = (const long *)(registers[STACK_REGISTER] & ~7L);
    const struct atomc_analysis_place *place = users_call((unsigned long)registers[LINK_REGISTER]);
    for (unsigned i = 0; i < STACK_WORDS && !place; i++) {
        if ((i == 0 || ((unsigned long)(stack + i) & (PAGE - 1)) == 0) && !can_read(stack + i))
            break;
        place = users_call((unsigned long)stack[i]);
    }
    return place;
}

/* Describes the position in the analysis code. */
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
    add_text(&line, " has waited ");
    add_number(&line, (unsigned long)atomc_timeout(), 10);
    add_text(&line, " seconds for the analysis code, and ends the program:");
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
