/* changed_text.c: text that the program changes. When the program makes a page of its text writable, the
   page's contents are copied. At an instruction barrier, and when the page is protected again, the text is
   compared with the copy. A procedure in which a word has changed runs uninstrumented from then on: in place,
   if the original text is executable; else in a twin of the text, at a fixed distance, since in place the
   runtime could not notice that control leaves it. Its copies become traps that lead to the text or the twin.
   In the twin, all words outside of the procedure are traps, and so are the procedure's instructions that
   store the pc. A changed procedure of an instrumented library runs in place, too. Traps are stores to
   unmapped addresses; SIGSEGV is never blocked (masks.c). Requires atomc_image.procedures. Compiled without
   floating-point registers. */
#include <string.h>
#include <sys/mman.h>

#include "runtime/counts/counts.h"
#include "runtime/kernel/line.h"
#include "stdtools/addresses.h"
#include "support/search.h"
#include "runtime/text/internal.h"

enum { REACH = 4 * BRANCH_REACH }; /* bytes */
static const uint32_t trap = ATOMC_LEAVE_TRAP, barrier = ATOMC_BARRIER_TRAP,
                      system_call = ATOMC_SYSTEM_CALL_TRAP;

static unsigned char *kept;  /* per page of the text: the third copy has its original contents */
static unsigned char *left;  /* per procedure: it was changed */
static unsigned char *twins; /* per page: its twin exists */
static int is_watched;

static long text_before_change(const struct program_text *text, unsigned long address) {
    return (long)(address - text->begin + PAGE * text->page + ATOMC_TEXT_BEFORE);
}
static unsigned char *is_kept(const struct program_text *text, unsigned long address) {
    return &kept[text->page + ((address - text->begin) >> atomc_page_shift)];
}

/* For the program's own text. */
static unsigned long text_begin(void) {
    return atomc_image.text_address & -PAGE;
}
static unsigned long text_end(void) {
    return (atomc_image.text_address + atomc_image.text_size + PAGE - 1) & -PAGE;
}
static long twin_address(unsigned long address) {
    return (long)(address - text_begin() + ATOMC_TEXT_TWIN);
}

static long map_private(long address, unsigned long size) {
    return RAW(CALL_mmap, address, (size + PAGE - 1) & -PAGE, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

/* ---- procedures --------------------------------------------------------------------------------------------- */

static const uint32_t *procedures(void) { /* the first instruction of each */
    return (const uint32_t *)atomc_image.procedures;
}

static unsigned long procedure_of_copy(unsigned long instruction) {
    return FIRST_NOT(1, atomc_image.procedure_count, at, procedures()[at] <= instruction) - 1;
}

static unsigned long procedure_end(unsigned long procedure) { /* the first instruction after it */
    struct program_text text, next;
    atomc_text_number(0, &text);
    for (unsigned long number = 1; atomc_text_number(number, &next) && procedures()[procedure] >= next.first;
         number++)
        text = next;
    unsigned long end = text.first + text.count;
    return procedure + 1 < atomc_image.procedure_count && procedures()[procedure + 1] < end
               ? procedures()[procedure + 1]
               : end;
}

/* True if the address is in changed text. */
static int is_left(unsigned long address) {
    struct program_text text;
    return is_watched && atomc_text_at(address, &text) &&
           left[procedure_of_copy(atomc_instruction_at(&text, address))];
}

/* An unresolved jump has arrived: execution continues in the copy, in the middle of its block. */
static int follow_unforeseen(struct saved_context *context) {
    unsigned long pc = (unsigned long)context->pc;
    uint32_t word;
    if (!atomc_image.trap_count || !atomc_is_in_text(pc) || *(const uint32_t *)pc != ATOMC_TRAP ||
        !atomc_trapped_word(pc, &word) || !copy_of(pc))
        return 0;
    atomc_enter_unforeseen(context, (long)pc);
    return 1;
}

/* ---- copies become traps -------------------------------------------------------------------------------------- */

static long set_writable(unsigned long begin, unsigned long end, int more) {
    return RAW(CALL_mprotect, begin & -PAGE, ((end + PAGE - 1) & -PAGE) - (begin & -PAGE),
               PROT_READ | PROT_EXEC | more, 0, 0, 0);
}

/* One thread at a time changes the text: a page is writable only until a thread has written. */
static int lock_text(void) {
    int threaded = atomc_threaded;
    if (threaded)
        atomc_call_lock(atomc_lock);
    return threaded;
}

static void unlock_text(int locked) {
    if (locked)
        atomc_call_lock(atomc_unlock);
}

/* A word at the beginning of the next procedure is excluded, because the last instruction, a branch to it,
   has no copy. */
static void trap_copies(const struct program_text *text, unsigned long first, unsigned long end) {
    const struct atomc_inside *insides = (const struct atomc_inside *)atomc_image.insides;
    const uint32_t *map = text->map - text->first;
    uint32_t copy, next[2] = {end < text->first + text->count ? map[end] & ~MAP_UNFORESEEN : 0, 0};
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

/* From now on each imb reaches the runtime. */
static void trap_barriers(void) {
    for (uint32_t *word = (uint32_t *)atomc_image.copies; word < (uint32_t *)atomc_image.copies_end; word++)
        if (is_barrier_word(*word))
            *word = barrier;
}

/* ---- a procedure as it is --------------------------------------------------------------------------------------- */

/* True if the instruction stores the pc, or needs the runtime. Then follow_trap() executes the
   instruction. */
static int is_special(uint32_t word) {
    return is_system_call_word(word) || is_barrier_word(word) || link_of(word) != NO_REGISTER;
}

static void write_twin(unsigned long address, uint32_t word) {
    unsigned long page = (address - text_begin()) >> atomc_page_shift;
    uint32_t *words = (uint32_t *)twin_address(address & -PAGE);
    if (!twins[page]) {
        map_private((long)words, PAGE);
        for (long i = 0; i < PAGE / 4; i++)
            words[i] = trap;
        set_writable((unsigned long)words, (unsigned long)words + PAGE, PROT_WRITE);
        twins[page] = 1;
    }
    *(uint32_t *)twin_address(address) = is_special(word) ? trap : word;
}

/* The runtime handles barriers and system calls. */
static uint32_t runtime_word(const struct program_text *text, const uint32_t *at, uint32_t word) {
    const uint32_t *words = (const uint32_t *)text->address;
    if (is_system_call_word(word) && atomc_is_system_call(words, text->count, (unsigned long)(at - words)))
        return system_call;
    return is_barrier_word(word) ? barrier : word;
}

/* A page that the program may write to is not changed: its protection stays, and the copy stays valid. */
static void show_word(unsigned long address) {
    struct program_text text;
    uint32_t word;
    if (!atomc_text_at(address, &text) || *(const uint32_t *)address != ATOMC_TRAP ||
        !atomc_trapped_word(address, &word) || is_special(word) ||
        (is_watched && *is_kept(&text, address & -PAGE)) ||
        set_writable(address, address + 4, PROT_WRITE) != 0)
        return;
    *(uint32_t *)address = word;
    set_writable(address, address + 4, 0);
    flush_instructions();
}

void atomc_show_word(unsigned long address) {
    if (!atomc_image.trap_count || !atomc_is_in_text(address) ||
        !atomc_is_readable((long)(address & -PAGE)) || *(const uint32_t *)address != ATOMC_TRAP)
        return;
    int locked = lock_text();
    show_word(address);
    unlock_text(locked);
}

/* atomc's changes of the text, which control could reach, are undone. */
static void restore_text(const struct program_text *text, unsigned long first, unsigned long end) {
    const struct atomc_patched *patched = (const struct atomc_patched *)atomc_image.patched;
    unsigned long base = text->address - 4 * text->first, from = (base + 4 * first) & -PAGE,
                  to = base + 4 * end;
    set_writable(from, to, PROT_WRITE);
    for (unsigned long i = 0; i < atomc_image.patched_count; i++) {
        uint32_t *word = (uint32_t *)(base + 4ul * patched[i].instruction);
        if (patched[i].instruction >= first && patched[i].instruction < end &&
            *word == atomc_spill_word(patched[i].now))
            *word = patched[i].word;
    }
    for (unsigned long i = first; i < end && atomc_image.trap_count; i++) {
        uint32_t *word = (uint32_t *)(base + 4 * i), was;
        if (*word == ATOMC_TRAP && atomc_trapped_word((unsigned long)word, &was))
            *word = was;
    }
    for (uint32_t *word = (uint32_t *)(base + 4 * first); word < (uint32_t *)to; word++)
        *word = runtime_word(text, word, *word);
    for (unsigned long page = from; page < to; page += PAGE)
        if (!*is_kept(text, page))
            set_writable(page, page + PAGE, 0);
}

/* If there is little room near a library, springboards to copies of its procedures use words of other
   procedures, which have been replaced by copies (engine/copy/springboards.c). */
static int leads_into(const struct atomc_patched *patched, unsigned long first, unsigned long end) {
    unsigned long to = patched->instruction + 1 + (unsigned long)branch_distance(patched->now);
    return is_plain_branch(patched->now) && to >= first && to < end &&
           (patched->instruction < first || patched->instruction >= end);
}

/* Moves such a springboard elsewhere. Returns false if a branch at `from` reaches no free place. */
static int move_springboard(const struct program_text *text, uint32_t *from) {
    enum { LONGEST = 8 };
    static uint32_t *room, *room_end;
    const uint32_t *words = from + 1 + branch_distance(*from);
    if (!room || room_end - room < LONGEST || room - from > REACH / 4 || from - room > REACH / 4) {
        long page = atomc_map_near(text->begin, text->end);
        if (page < 0)
            return 0;
        room = (uint32_t *)page;
        room_end = (uint32_t *)(page + PAGE);
    }
    long distance = room - (from + 1);
    if (distance >= REACH / 4 || distance < -REACH / 4)
        return 0;
    set_writable((unsigned long)room, (unsigned long)(room + LONGEST), PROT_WRITE);
    do
        *room++ = *words;
    while (!is_jump_word(*words++));
    set_writable((unsigned long)(room - 1), (unsigned long)room, 0);
    *from = plain_branch(distance);
    return 1;
}

/* The word, or the first one of the springboard that it leads to. */
static void patch_springboard(const struct program_text *text, uint32_t *word) {
    if (is_plain_branch(*word))
        word += 1 + branch_distance(*word);
    unsigned long address = (unsigned long)word;
    if (atomc_spill_word(*word) == *word)
        return;
    set_writable(address, address + 4, PROT_WRITE);
    *word = atomc_spill_word(*word);
    if (is_watched && address >= text->begin && address < text->end && *is_kept(text, address & -PAGE))
        *(uint32_t *)text_before_change(text, address) = *word;
    else
        set_writable(address, address + 4, 0);
}

void atomc_patch_springboards(void) {
    const struct atomc_patched *patched = (const struct atomc_patched *)atomc_image.patched;
    struct program_text text;
    for (unsigned long number = 0; atomc_text_number(number, &text); number++)
        for (unsigned long i = 0; text.address && i < atomc_image.patched_count; i++)
            if (patched[i].instruction - text.first < text.count)
                patch_springboard(&text,
                                  (uint32_t *)(text.address + 4 * (patched[i].instruction - text.first)));
}

static void leave_procedure(const struct program_text *text, unsigned long procedure);

/* The springboards between two instructions. */
static void move_springboards(const struct program_text *text, unsigned long first, unsigned long end) {
    const struct atomc_patched *patched = (const struct atomc_patched *)atomc_image.patched;
    for (unsigned long i = 0; i < atomc_image.patched_count; i++) {
        uint32_t *word = (uint32_t *)(text->address + 4 * (patched[i].instruction - text->first));
        unsigned long procedure = procedure_of_copy(patched[i].instruction);
        if (patched[i].instruction - text->first >= text->count || !leads_into(&patched[i], first, end) ||
            *word != atomc_spill_word(patched[i].now) || left[procedure])
            continue;
        set_writable((unsigned long)word, (unsigned long)(word + 1), PROT_WRITE);
        if (!move_springboard(text, word))
            leave_procedure(text, procedure);
        if (!*is_kept(text, (unsigned long)word & -PAGE))
            set_writable((unsigned long)word, (unsigned long)(word + 1), 0);
        else
            *(uint32_t *)text_before_change(text, (unsigned long)word) = *word;
    }
}

static void leave_procedure(const struct program_text *text, unsigned long procedure) {
    unsigned long first = procedures()[procedure], end = procedure_end(procedure);
    left[procedure] = 1;
    trap_copies(text, first, end);
    if (text->is_library)
        move_springboards(text, first, end);
    if (text->runs)
        restore_text(text, first, end);
    for (unsigned long i = first; i < end && !text->runs; i++) {
        unsigned long address = text->address + 4 * i;
        write_twin(address, *(const uint32_t *)address);
    }
}

/* ---- what has changed ------------------------------------------------------------------------------------------- */

/* Words that the program has read from its text, and writes again, may be atomc's. */
static void correct_word(const struct program_text *text, unsigned long instruction, uint32_t *word) {
    const struct atomc_patched *patched = (const struct atomc_patched *)atomc_image.patched;
    uint32_t now = *word;
    for (unsigned long i = 0; i < atomc_image.patched_count; i++)
        if (patched[i].instruction == instruction && now == atomc_spill_word(patched[i].now))
            now = patched[i].word;
    if (now == ATOMC_TRAP)
        atomc_trapped_word((unsigned long)word, &now);
    now = runtime_word(text, word, now);
    if (now == *word)
        return;
    set_writable((unsigned long)word, (unsigned long)(word + 1), PROT_WRITE);
    *word = now;
}

static void compare_page(const struct program_text *text, unsigned long page) {
    unsigned long end = page + PAGE;
    if (!atomc_is_readable((long)page) ||
        memcmp((const void *)page, (const void *)text_before_change(text, page), PAGE) == 0)
        return;
    for (unsigned long address = page; address < end; address += 4) {
        uint32_t now = *(const uint32_t *)address, *then = (uint32_t *)text_before_change(text, address);
        unsigned long instruction = atomc_instruction_at(text, address);
        if (now == *then)
            continue;
        *then = now;
        if (address - text->address >= 4 * text->count)
            continue;
        if (!left[procedure_of_copy(instruction)])
            leave_procedure(text, procedure_of_copy(instruction));
        else if (!text->runs)
            write_twin(address, now);
        if (text->runs)
            correct_word(text, instruction, (uint32_t *)address);
        *then = *(const uint32_t *)address;
    }
}

static void compare_text(void) {
    struct program_text text;
    int locked = lock_text();
    for (unsigned long number = 0; atomc_text_number(number, &text); number++)
        for (unsigned long page = text.begin; page < text.end; page += PAGE)
            if (*is_kept(&text, page))
                compare_page(&text, page);
    unlock_text(locked);
    flush_instructions();
}

static void keep_pages(const struct program_text *text, unsigned long begin, unsigned long end) {
    for (unsigned long page = begin; page < end; page += PAGE) {
        if (*is_kept(text, page) || !atomc_is_readable((long)page))
            continue;
        map_private(text_before_change(text, page), PAGE);
        memcpy((void *)text_before_change(text, page), (const void *)page, PAGE);
        *is_kept(text, page) = 1;
    }
}

static void watch_pages(void) {
    unsigned long pages = atomc_text_pages();
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
    struct program_text text;
    watch_pages();
    atomc_text_number(0, &text);
    keep_pages(&text, text.begin, text.end);
}

static long protect_range(unsigned long begin, unsigned long end, long protection) {
    return begin < end ? RAW(CALL_mprotect, begin, end - begin, protection, 0, 0, 0) : 0;
}

/* The program is about to change the mapping. */
static void keep_text(unsigned long begin, unsigned long end, int changes) {
    struct program_text text;
    int is_compared = !is_watched;
    for (unsigned long number = 0; atomc_text_number(number, &text); number++) {
        unsigned long from = begin > text.begin ? begin : text.begin, to = end < text.end ? end : text.end;
        if (from >= to)
            continue;
        if (!is_compared)
            compare_text();
        is_compared = 1;
        if (changes) {
            watch_pages();
            keep_pages(&text, from, to);
        }
    }
}

int atomc_protect_text(long *registers) {
    unsigned long begin = (unsigned long)registers[FIRST_ARGUMENT];
    unsigned long end = begin + (((unsigned long)registers[FIRST_ARGUMENT + 1] + PAGE - 1) & -PAGE);
    long protection = registers[FIRST_ARGUMENT + 2];
    if (begin & (PAGE - 1) || end <= begin)
        return 0;
    keep_text(begin, end, (protection & PROT_WRITE) != 0);
    if (begin >= text_end() || end <= text_begin())
        return 0;
    unsigned long from = begin > text_begin() ? begin : text_begin(),
                  to = end < text_end() ? end : text_end();
    if (atomc_image.text_runs) /* the procedure is executed in place, except for copied parts */
        return 0;
    long result = protect_range(begin, from, protection);
    if (result >= 0)
        result = protect_range(from, to, protection & ~(long)PROT_EXEC);
    if (result >= 0)
        result = protect_range(to, end, protection);
    set_result(registers, result);
    return 1;
}

/* True if it covers a whole instrumented library. */
static int covers_library(unsigned long begin, unsigned long end) {
    const struct atomc_library *libraries = (const struct atomc_library *)atomc_image.libraries;
    for (unsigned long k = 0; k < atomc_image.library_count; k++) {
        unsigned long address = (unsigned long)atomc_address((long)libraries[k].begin);
        if (address && address >= begin && address + (libraries[k].end - libraries[k].begin) <= end)
            return 1;
    }
    return 0;
}

int atomc_map_over_text(long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    unsigned long begin = (unsigned long)a[0], end = begin + (((unsigned long)a[1] + PAGE - 1) & -PAGE);
    struct program_text text;
    int overlaps = 0;
    for (unsigned long number = 0; atomc_text_number(number, &text); number++)
        overlaps |= begin < text.end && end > text.begin;
    if (begin & (PAGE - 1) || end <= begin || !overlaps || covers_library(begin, end))
        return 0;
    keep_text(begin, end, 1);
    long result = RAW(CALL_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
    unsigned long from = begin > text_begin() ? begin : text_begin(),
                  to = end < text_end() ? end : text_end();
    if (result == a[0] && !atomc_image.text_runs)
        protect_range(from, to, a[2] & ~(long)PROT_EXEC);
    if (result == a[0] && !(a[2] & PROT_WRITE))
        compare_text();
    set_result(registers, result);
    return 1;
}

/* ---- libraries come and go ----------------------------------------------------------------------------------------- */

void atomc_enter_text(long number) {
    struct program_text text;
    if (!is_watched || !atomc_text_number((unsigned long)number + 1, &text))
        return;
    for (unsigned long p = procedure_of_copy(text.first); p < atomc_image.procedure_count; p++)
        if (procedures()[p] >= text.first && procedures()[p] < text.first + text.count && left[p])
            leave_procedure(&text, p);
}

void atomc_leave_text(long number) {
    struct program_text text;
    if (!is_watched || !atomc_text_number((unsigned long)number + 1, &text))
        return;
    for (unsigned long page = text.begin; page < text.end; page += PAGE)
        *is_kept(&text, page) = 0;
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

/* Control continues at an address of the program. */
static void go_to(struct saved_context *context, long target, long *unforeseen) {
    uint32_t word = map_word((uint64_t)target);
    if (is_left((unsigned long)target))
        context->pc = atomc_image.text_runs ? target : twin_address((unsigned long)target);
    else if (atomc_image.text_runs || !word)
        context->pc = target;
    else if (word & MAP_UNFORESEEN)
        *unforeseen = target;
    else
        context->pc = word;
}

/* A trap in the twin: executes the instruction at this address of the text. Returns false if the
   instruction has to be executed in place.
 */
static int follow_special(struct saved_context *context, long address, long *unforeseen) {
    uint32_t word = *(const uint32_t *)address;
    long target = address + 4;
    if (!is_special(word))
        return 0;
    if (is_system_call_word(word)) {
        context->registers[SCRATCH_REGISTER] =
            twin_address((unsigned long)address) + 4; /* a system call need not preserve it */
        context->pc = atomc_system_call_stub();
        return 1;
    }
    if (is_barrier_word(word)) {
        compare_text();
    } else {
        if (is_jump_word(word))
            target = jump_target(word, context->registers) & ~3L;
        else
            target += 4 * branch_distance(word);
        context->registers[link_of(word)] = address + 4;
    }
    go_to(context, target, unforeseen);
    return 1;
}

/* `jsr reg,(reg)` without a free register. */
static int follow_transfer(struct saved_context *context, long *unforeseen) {
    unsigned long pc = (unsigned long)context->pc;
    if (!atomc_at_transfer_trap(pc))
        return 0;
    long *reg = &context->registers[ATOMC_TRAP_REGISTER(*(const uint32_t *)pc)], target = *reg & ~3L;
    *reg = atomc_original_of(pc, 0) + 4;
    go_to(context, target, unforeseen);
    return 1;
}

int atomc_follow_text(struct saved_context *context, long *unforeseen) {
    unsigned long pc = (unsigned long)context->pc;
    long address = atomc_text_address(pc);
    *unforeseen = 0;
    if (follow_unforeseen(context) || follow_transfer(context, unforeseen))
        return 1;
    if (!is_watched)
        return 0;
    if (address && atomc_image.text_runs) {
        uint32_t word = *(const uint32_t *)pc;
        if (word == barrier)
            compare_text();
        else if (word == system_call)
            context->registers[SCRATCH_REGISTER] = (long)pc + 4; /* a system call need not preserve it */
        else
            return 0;
        context->pc = word == barrier ? (long)pc + 4 : (long)atomc_system_call_stub();
        return 1;
    }
    if (address && is_left((unsigned long)address))
        return follow_special(context, address, unforeseen);
    if (address || is_left(pc)) { /* control has left the procedure, or enters it */
        go_to(context, address ? address : (long)pc, unforeseen);
        return 1;
    }
    if (!atomc_is_in_copies(pc)) {
        address = atomc_unforeseen_target(context);
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
    atomc_note_stop(&atomc_image, pc, ATOMC_STOP_BEFORE, 1, context->registers,
                    atomc_records()); /* the copy does not continue */
    go_to(context, address, unforeseen);
    return 1;
}

void atomc_report_text(void) {
    const struct atomc_library *libraries = (const struct atomc_library *)atomc_image.libraries;
    atomc_report_unforeseen();
    for (unsigned long p = 0; is_watched && p < atomc_image.procedure_count; p++) {
        const struct atomc_library *library = 0;
        struct line line = {.length = 0};
        if (!left[p])
            continue;
        for (unsigned long k = 0; k < atomc_image.library_count; k++)
            if (procedures()[p] - libraries[k].first < libraries[k].count)
                library = &libraries[k];
        add_text(&line, "atomc: the program has changed the procedure at 0x");
        add_number(&line,
                   library ? library->text + 4 * (procedures()[p] - library->first)
                           : atomc_image.text_address + 4ul * procedures()[p],
                   16);
        if (library) {
            add_text(&line, " of ");
            add_text(&line, (const char *)library->name);
        }
        add_text(&line, ": from then on it was not instrumented\n");
        write_line(&line);
    }
}
