/* texts.c: the texts whose instructions have copies: the program's own text, and texts of loaded instrumented
   libraries; and the original words at addresses where atomc has written others. Compiled without
   floating-point registers. */
#include "stdtools/addresses.h"
#include "runtime/text/internal.h"
#include "support/search.h"

static unsigned long count_pages(unsigned long address, unsigned long count) {
    return (((address + 4 * count + PAGE - 1) & -PAGE) - (address & -PAGE)) >> atomc_page_shift;
}

int atomc_text_number(unsigned long number, struct program_text *text) {
    const struct atomc_library *libraries = (const struct atomc_library *)atomc_image.libraries;
    unsigned long own = atomc_image.text_size / 4;
    if (number > atomc_image.library_count)
        return 0;
    *text = (struct program_text){.address = atomc_image.text_address,
                                  .count = own,
                                  .map = (const uint32_t *)atomc_image.text_map,
                                  .runs = atomc_image.text_runs != 0};
    if (number > 0) {
        text->page = count_pages(atomc_image.text_address, own);
        for (unsigned long k = 0; k + 1 < number; k++)
            text->page += count_pages(libraries[k].text, libraries[k].count);
        const struct atomc_library *library = &libraries[number - 1];
        text->address = (unsigned long)atomc_address((long)library->text); /* 0: it is not loaded */
        text->first = library->first;
        text->count = text->address ? library->count : 0;
        text->map = (const uint32_t *)library->map;
        text->runs = text->is_library = 1;
    }
    text->begin = text->address & -PAGE;
    text->end = text->address ? text->begin + PAGE * count_pages(text->address, text->count) : 0;
    return 1;
}

int atomc_text_at(unsigned long address, struct program_text *text) {
    for (unsigned long number = 0; atomc_text_number(number, text); number++)
        if (address - text->address < 4 * text->count)
            return 1;
    return 0;
}

unsigned long atomc_instruction_at(const struct program_text *text, unsigned long address) {
    return text->first + (address - text->address) / 4;
}

int atomc_is_in_text(unsigned long address) {
    struct program_text text;
    return !(address & 3) && atomc_text_at(address, &text);
}

uint32_t atomc_library_map_word(uint64_t address) {
    struct program_text text;
    if (address & 3 || !atomc_text_at(address, &text) || !text.is_library)
        return 0;
    return text.map[atomc_instruction_at(&text, address) - text.first];
}

unsigned long atomc_text_pages(void) {
    const struct atomc_library *libraries = (const struct atomc_library *)atomc_image.libraries;
    unsigned long pages = count_pages(atomc_image.text_address, atomc_image.text_size / 4);
    for (unsigned long k = 0; k < atomc_image.library_count; k++)
        pages += count_pages(libraries[k].text, libraries[k].count);
    return pages;
}

/* ---- traps in the text ------------------------------------------------------------------------------------------ */

/* The first traps that end after the instruction; atomc_image.trap_count: there are none. */
static unsigned long traps_from(unsigned long instruction) {
    const struct atomc_traps *traps = (const struct atomc_traps *)atomc_image.traps;
    return FIRST_NOT(0, atomc_image.trap_count, at, traps[at].first + traps[at].count <= instruction);
}

int atomc_trapped_word(unsigned long address, uint32_t *word) {
    struct program_text text;
    if (!atomc_text_at(address, &text))
        return 0;
    unsigned long instruction = atomc_instruction_at(&text, address), from = traps_from(instruction);
    const struct atomc_traps *traps = (const struct atomc_traps *)atomc_image.traps + from;
    if (from == atomc_image.trap_count || traps->first > instruction)
        return 0;
    *word = ((const uint32_t *)atomc_image.trapped_words)[traps->words + instruction - traps->first];
    return 1;
}

/* A library begins with some hundred thousand. */
static void fill_with_traps(uint32_t *word, uint32_t *end) {
    enum { PAIRS = 8 };
    const uint64_t traps = (uint64_t)ATOMC_TRAP << 32 | ATOMC_TRAP;
    if (word < end && (unsigned long)word & 4)
        *word++ = ATOMC_TRAP;
    for (; end - word >= 2 * PAIRS; word += 2 * PAIRS)
#pragma GCC unroll 8
        for (int i = 0; i < PAIRS; i++)
            ((pair *)word)[i] = traps;
    for (; word < end; word++)
        *word = ATOMC_TRAP;
}

void atomc_set_traps(const struct atomc_library *library, uint32_t *text) {
    const struct atomc_traps *traps = (const struct atomc_traps *)atomc_image.traps;
    for (unsigned long i = traps_from(library->first);
         i < atomc_image.trap_count && traps[i].first - library->first < library->count; i++) {
        uint32_t *word = text + (traps[i].first - library->first);
        fill_with_traps(word, word + traps[i].count);
    }
}

uint32_t atomc_original_word(long address) {
    const struct atomc_patched *patched = (const struct atomc_patched *)atomc_image.patched;
    unsigned long low = 0, high = atomc_image.patched_count;
    uint32_t word = *(const uint32_t *)address;
    struct program_text text;
    if ((word == ATOMC_TRAP && atomc_trapped_word((unsigned long)address, &word)) ||
        !atomc_text_at((unsigned long)address, &text))
        return word;
    if (text.is_library && is_stub_branch(word) &&
        atomc_in_stub((unsigned long)(address + 4 + 4 * branch_distance(word))))
        return SYSTEM_CALL_WORD; /* objects.c */
    unsigned long instruction = atomc_instruction_at(&text, (unsigned long)address);
    while (low < high) { /* the first one that is not before it */
        unsigned long middle = low + (high - low) / 2;
        if (patched[middle].instruction < instruction)
            low = middle + 1;
        else
            high = middle;
    }
    return low < atomc_image.patched_count && patched[low].instruction == instruction ? patched[low].word
                                                                                      : word;
}
