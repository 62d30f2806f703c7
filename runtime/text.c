/* text.c: text that the program changes. When it makes a page of its text writable, what is there is kept.
   At an `imb`, and when the page is protected again, the text is compared with that. A procedure in which a
   word has changed runs as it is from then on: in its place, if the original text is executable, else in a
   twin of the text, at a fixed distance, since in its place nothing tells when control leaves it. Its copies
   become traps that lead there. In the twin, all words but the procedure's are traps, and so are those
   instructions that store the pc. Traps are stores to addresses that nothing is mapped at; SIGSEGV is never
   blocked (masks.c). Requires atomc_image.procedures. Compiled without floating-point registers. */
#include <string.h>
#include <sys/mman.h>

#include "counting.h"
#include "line.h"
#include "text.h"

enum { REACH = 4 << 20 /* of a branch */ };
static const uint32_t trap = ALPHA_MEMORY_WORD(STQ, ALPHA_ZERO, 8, ALPHA_ZERO); /* control leaves the copy */
static const uint32_t barrier = ALPHA_MEMORY_WORD(STQ, ALPHA_ZERO, 16, ALPHA_ZERO); /* an imb */

static unsigned char *kept;  /* per page of the text: what was there is in the third copy */
static unsigned char *left;  /* per procedure: it was changed */
static unsigned char *twins; /* per page: it is there */
static int is_watched;

static unsigned long text_begin(void) {
    return atomc_image.text_address & -PAGE;
}
static unsigned long text_end(void) {
    return (atomc_image.text_address + atomc_image.text_size + PAGE - 1) & -PAGE;
}
static long before(unsigned long address) {
    return (long)(address - text_begin() + ATOMC_TEXT_BEFORE);
}
static long twin(unsigned long address) {
    return (long)(address - text_begin() + ATOMC_TEXT_TWIN);
}
static int is_text(unsigned long address) {
    return address - atomc_image.text_address < atomc_image.text_size;
}

static long map_private(long address, unsigned long size) {
    return RAW(CALL_mmap, address, (size + PAGE - 1) & -PAGE, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

static void flush_instructions(void) {
    __asm__ volatile("call_pal %0" : : "i"(ALPHA_PAL_IMB) : "memory");
}

/* ---- procedures --------------------------------------------------------------------------------------------- */

static const uint32_t *procedures(void) { /* the first instruction of each */
    return (const uint32_t *)atomc_image.procedures;
}

static unsigned long procedure_of(unsigned long address) {
    uint32_t instruction = (uint32_t)((address - atomc_image.text_address) / 4);
    unsigned long low = 0, high = atomc_image.procedure_count;
    while (high - low > 1) {
        unsigned long middle = low + (high - low) / 2;
        if (procedures()[middle] <= instruction)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static unsigned long procedure_end(unsigned long procedure) { /* its first instruction behind it */
    return procedure + 1 < atomc_image.procedure_count ? procedures()[procedure + 1]
                                                       : atomc_image.text_size / 4;
}

static int is_left(unsigned long address) {
    return is_watched && is_text(address) && left[procedure_of(address)];
}

/* ---- traps in the text ------------------------------------------------------------------------------------------ */

static unsigned long unforeseen_count, first_unforeseen;

/* Those that the instruction is among, 0: none. */
static const struct atomc_traps *traps_at(unsigned long instruction) {
    const struct atomc_traps *traps = (const struct atomc_traps *)atomc_image.traps;
    unsigned long low = 0, high = atomc_image.trap_count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (traps[middle].first <= instruction)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && instruction - traps[low - 1].first < traps[low - 1].count ? &traps[low - 1] : 0;
}

int atomc_trapped_word(unsigned long address, uint32_t *word) {
    unsigned long instruction = (address - atomc_image.text_address) / 4;
    const struct atomc_traps *traps = is_text(address) ? traps_at(instruction) : 0;
    if (traps)
        *word = ((const uint32_t *)atomc_image.trapped_words)[traps->words + instruction - traps->first];
    return traps != 0;
}

/* A jump has come to where nothing foresaw one: the copy goes on there, from the middle of its block. */
static int follow_unforeseen(struct saved_context *context) {
    unsigned long pc = (unsigned long)context->pc;
    uint32_t word;
    if (!atomc_image.trap_count || !is_text(pc) || *(const uint32_t *)pc != ATOMC_TRAP ||
        !atomc_trapped_word(pc, &word) || !copy_of(pc))
        return 0;
    if (__sync_fetch_and_add(&unforeseen_count, 1) == 0)
        first_unforeseen = pc;
    context->pc = (long)copy_of(pc);
    atomc_note_stop(&atomc_image, (uint64_t)context->pc, 0, -1, context->registers);
    return 1;
}

/* ---- copies become traps -------------------------------------------------------------------------------------- */

static void set_writable(unsigned long begin, unsigned long end, int more) {
    RAW(CALL_mprotect, begin & -PAGE, ((end + PAGE - 1) & -PAGE) - (begin & -PAGE),
        PROT_READ | PROT_EXEC | more, 0, 0, 0);
}

/* Not where the procedure behind begins too, because the last instruction, a branch there, is copied to
 * nothing. */
static void trap_copies(unsigned long first, unsigned long end) {
    const struct atomc_inside *insides = (const struct atomc_inside *)atomc_image.insides;
    const uint32_t *map = (const uint32_t *)atomc_image.text_map;
    uint32_t copy, next[2] = {end < atomc_image.text_size / 4 ? map[end] & ~MAP_UNFORESEEN : 0, 0};
    for (unsigned long i = 0; i < atomc_image.inside_count; i++)
        if (insides[i].instruction == end)
            next[1] = insides[i].copy;
    for (unsigned long i = 0; i < end - first + atomc_image.inside_count; i++) {
        if (i < end - first)
            copy = map[first + i] & ~MAP_UNFORESEEN;
        else if (insides[i - (end - first)].instruction - first < end - first)
            copy = insides[i - (end - first)].copy;
        else
            continue;
        if (copy != next[0] && copy != next[1] && atomc_is_in_copies(copy))
            *(uint32_t *)(unsigned long)copy = trap;
    }
}

/* From now on the runtime sees each imb. */
static void trap_barriers(void) {
    for (uint32_t *word = (uint32_t *)atomc_image.copies; word < (uint32_t *)atomc_image.copies_end; word++)
        if (*word == ALPHA_PAL_IMB)
            *word = barrier;
}

/* ---- a procedure as it is --------------------------------------------------------------------------------------- */

/* Does it store the pc, or is it the runtime's matter? Then it is executed by follow_trap(). */
static int is_special(uint32_t word) {
    int transfers = ALPHA_IS_LIKE(word, JMP) || ALPHA_IS(word, BR) || ALPHA_IS(word, BSR);
    return word == ALPHA_PAL_CALLSYS || word == ALPHA_PAL_IMB || (transfers && alpha_ra(word) != ALPHA_ZERO);
}

static void write_twin(unsigned long address, uint32_t word) {
    unsigned long page = (address - text_begin()) / PAGE;
    uint32_t *words = (uint32_t *)twin(address & -PAGE);
    if (!twins[page]) {
        map_private((long)words, PAGE);
        for (long i = 0; i < PAGE / 4; i++)
            words[i] = trap;
        set_writable((unsigned long)words, (unsigned long)words + PAGE, PROT_WRITE);
        twins[page] = 1;
    }
    *(uint32_t *)twin(address) = is_special(word) ? trap : word;
}

/* What atomc has put into the text is what control would run into. */
static void restore_text(unsigned long first, unsigned long end) {
    const struct atomc_patched *patched = (const struct atomc_patched *)atomc_image.patched;
    unsigned long base = atomc_image.text_address, from = (base + 4 * first) & -PAGE, to = base + 4 * end;
    set_writable(from, to, PROT_WRITE);
    for (uint32_t *word = (uint32_t *)(base + 4 * first); word < (uint32_t *)to; word++)
        if (*word == ALPHA_PAL_IMB)
            *word = barrier;
    for (unsigned long i = 0; i < atomc_image.patched_count; i++) {
        uint32_t *word = (uint32_t *)(base + 4ul * patched[i].instruction);
        if (patched[i].instruction >= first && patched[i].instruction < end && *word == patched[i].now)
            *word = patched[i].word;
    }
    for (unsigned long i = first; i < end && atomc_image.trap_count; i++) {
        uint32_t *word = (uint32_t *)(base + 4 * i), was;
        if (*word == ATOMC_TRAP && atomc_trapped_word((unsigned long)word, &was))
            *word = was == ALPHA_PAL_IMB ? barrier : was;
    }
    for (unsigned long page = from; page < to; page += PAGE)
        if (!kept[(page - text_begin()) / PAGE])
            set_writable(page, page + PAGE, 0);
}

static void leave_procedure(unsigned long procedure) {
    unsigned long first = procedures()[procedure], end = procedure_end(procedure);
    left[procedure] = 1;
    trap_copies(first, end);
    if (atomc_image.text_runs)
        restore_text(first, end);
    for (unsigned long i = first; i < end && !atomc_image.text_runs; i++) {
        unsigned long address = atomc_image.text_address + 4 * i;
        write_twin(address, *(const uint32_t *)address);
    }
}

/* ---- what has changed ------------------------------------------------------------------------------------------- */

static void compare_page(unsigned long page) {
    unsigned long end = page + PAGE;
    if (memcmp((const void *)page, (const void *)before(page), PAGE) == 0)
        return;
    for (unsigned long address = page; address < end; address += 4) {
        uint32_t now = *(const uint32_t *)address, *then = (uint32_t *)before(address);
        if (now == *then)
            continue;
        *then = now;
        if (!is_text(address))
            continue;
        if (!left[procedure_of(address)])
            leave_procedure(procedure_of(address));
        else if (!atomc_image.text_runs)
            write_twin(address, now);
    }
}

static void compare_text(void) {
    for (unsigned long page = text_begin(); page < text_end(); page += PAGE)
        if (kept[(page - text_begin()) / PAGE])
            compare_page(page);
    flush_instructions();
}

static void keep_pages(unsigned long begin, unsigned long end) {
    for (unsigned long page = begin; page < end; page += PAGE) {
        unsigned char *is_kept = &kept[(page - text_begin()) / PAGE];
        if (*is_kept || !atomc_is_readable((long)page))
            continue;
        map_private(before(page), PAGE);
        memcpy((void *)before(page), (const void *)page, PAGE);
        *is_kept = 1;
    }
}

static void watch(void) {
    unsigned long pages = (text_end() - text_begin()) / PAGE;
    if (is_watched)
        return;
    kept = (unsigned char *)(ATOMC_TEXT_NOTES);
    map_private(ATOMC_TEXT_NOTES, 2 * pages + atomc_image.procedure_count);
    twins = kept + pages;
    left = twins + pages;
    set_writable(atomc_image.copies, atomc_image.copies_end, PROT_WRITE);
    trap_barriers();
    flush_instructions();
    is_watched = 1;
}

void atomc_prepare_text(void) {
    if (!atomc_image.text_writable)
        return;
    watch();
    keep_pages(text_begin(), text_end());
}

static long protect(unsigned long begin, unsigned long end, long protection) {
    return begin < end ? RAW(CALL_mprotect, begin, end - begin, protection, 0, 0, 0) : 0;
}

int atomc_protect_text(long *registers) {
    unsigned long begin = (unsigned long)registers[16];
    unsigned long end = begin + (((unsigned long)registers[17] + PAGE - 1) & -PAGE);
    long protection = registers[18];
    if (begin & (PAGE - 1) || begin >= text_end() || end <= text_begin() || end <= begin)
        return 0;
    unsigned long from = begin > text_begin() ? begin : text_begin(),
                  to = end < text_end() ? end : text_end();
    if (is_watched)
        compare_text();
    if (protection & PROT_WRITE) {
        watch();
        keep_pages(from, to);
    }
    if (atomc_image.text_runs) /* it is executed in its place, as far as it is not copied */
        return 0;
    long result = protect(begin, from, protection);
    if (result >= 0)
        result = protect(from, to, protection & ~(long)PROT_EXEC);
    if (result >= 0)
        result = protect(to, end, protection);
    set_result(registers, result);
    return 1;
}

/* ---- control comes and goes -------------------------------------------------------------------------------------- */

long atomc_text_address(unsigned long pc) {
    unsigned long offset = pc - ATOMC_TEXT_TWIN + REACH;
    if (atomc_image.text_runs)
        return is_left(pc) ? (long)pc : 0;
    return is_watched && offset < text_end() - text_begin() + 2 * REACH
               ? (long)(pc - ATOMC_TEXT_TWIN + text_begin())
               : 0;
}

/* Control goes to an address of the program's. */
static void go_to(struct saved_context *context, long target, long *unforeseen) {
    uint32_t word = map_word((uint64_t)target);
    if (is_left((unsigned long)target))
        context->pc = atomc_image.text_runs ? target : twin((unsigned long)target);
    else if (atomc_image.text_runs || !word)
        context->pc = target;
    else if (word & MAP_UNFORESEEN)
        *unforeseen = target;
    else
        context->pc = word;
}

/* A trap in the twin: does what the instruction at this address of the text does. False: it does that itself.
 */
static int follow_special(struct saved_context *context, long address, long *unforeseen) {
    uint32_t word = *(const uint32_t *)address;
    unsigned link = alpha_ra(word);
    long target = address + 4;
    if (!is_special(word))
        return 0;
    if (word == ALPHA_PAL_CALLSYS) {
        context->registers[28] = twin((unsigned long)address) + 4; /* which a system call need not keep */
        context->pc = atomc_system_call_stub();
        return 1;
    }
    if (word == ALPHA_PAL_IMB) {
        compare_text();
    } else {
        if (ALPHA_IS_LIKE(word, JMP))
            target = alpha_rb(word) == ALPHA_ZERO ? 0 : context->registers[alpha_rb(word)] & ~3L;
        else
            target += 4 * (long)alpha_branch_displacement(word);
        context->registers[link] = address + 4;
    }
    go_to(context, target, unforeseen);
    return 1;
}

int atomc_follow_text(struct saved_context *context, long *unforeseen) {
    unsigned long pc = (unsigned long)context->pc;
    long address = atomc_text_address(pc);
    *unforeseen = 0;
    if (follow_unforeseen(context))
        return 1;
    if (!is_watched)
        return 0;
    if (address && atomc_image.text_runs) {
        int is_barrier = *(const uint32_t *)pc == barrier;
        if (is_barrier)
            compare_text();
        context->pc += is_barrier ? 4 : 0;
        return is_barrier;
    }
    if (address && is_left((unsigned long)address))
        return follow_special(context, address, unforeseen);
    if (address || is_left(pc)) { /* it has left the procedure, or comes */
        go_to(context, address ? address : (long)pc, unforeseen);
        return 1;
    }
    if (!atomc_is_in_copies(pc)) {
        address = atomc_unforeseen_target(pc);
        if (!address || !is_left((unsigned long)address))
            return 0;
        go_to(context, address, unforeseen);
        return 1;
    }
    if (*(const uint32_t *)pc == barrier) {
        compare_text();
        context->pc += 4;
        return 1;
    }
    if (*(const uint32_t *)pc != trap || !atomc_begins_copy(pc))
        return 0;
    address = atomc_original_of(pc, 0);
    if (!is_left((unsigned long)address))
        return 0;
    atomc_note_stop(&atomc_image, pc, 0, 1, context->registers); /* the copy does not go on */
    go_to(context, address, unforeseen);
    return 1;
}

void atomc_report_text(void) {
    if (unforeseen_count) {
        struct line line = {.length = 0};
        add_text(&line, "atomc: jumps came to places that were not foreseen, ");
        add_number(&line, unforeseen_count, 10);
        add_text(&line, " in all, the first to 0x");
        add_number(&line, first_unforeseen, 16);
        add_text(&line, ": what is done at the beginning of a block was not done there\n");
        write_line(&line);
    }
    for (unsigned long p = 0; is_watched && p < atomc_image.procedure_count; p++) {
        struct line line = {.length = 0};
        if (!left[p])
            continue;
        add_text(&line, "atomc: the program has changed the procedure at 0x");
        add_number(&line, atomc_image.text_address + 4ul * procedures()[p], 16);
        add_text(&line, ": from then on it was not instrumented\n");
        write_line(&line);
    }
}
