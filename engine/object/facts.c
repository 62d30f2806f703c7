/* facts.c: the facts of a program's instructions. Instructions that differ in constants only share them:
   programs have 7 to 13 instructions for each record. */
#include <string.h>

#include "engine/object/object.h"

/* The words found so far, without their constants, and a hash table of their numbers + 1; 0: a free slot.
 */
struct words {
    uint32_t *words, count;
    uint32_t *table;
    unsigned bits;
};

static uint32_t place_of(const struct words *words, uint32_t word) {
    uint32_t mask = (UINT32_C(1) << words->bits) - 1,
             place = word * UINT32_C(2654435769) >> (32 - words->bits);
    while (words->table[place] && words->words[words->table[place] - 1] != word)
        place = (place + 1) & mask;
    return place;
}

static void double_table(struct words *words, struct arena *arena) {
    uint32_t size = UINT32_C(1) << ++words->bits;
    uint32_t *known = arena_allocate(arena, size / 2 * sizeof *known);
    if (words->count)
        memcpy(known, words->words, words->count * sizeof *known);
    words->words = known;
    words->table = arena_allocate(arena, size * sizeof *words->table);
    for (uint32_t i = 0; i < words->count; i++)
        words->table[place_of(words, words->words[i])] = i + 1;
}

/* The same numbers in the first half of their memory; the rest is freed. */
static const uint16_t *shortened(struct program *program, uint32_t *numbers) {
    size_t count = program->instruction_count;
    unsigned char *bytes = (unsigned char *)numbers;
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        memcpy(&number, bytes + i * sizeof number, sizeof number);
        uint16_t half = (uint16_t)number;
        memcpy(bytes + i * sizeof half, &half, sizeof half);
    }
    return arena_resize(program->flow, numbers, count * sizeof *numbers, count * sizeof(uint16_t));
}

void facts_find(struct program *program) {
    enum { FIRST_BITS = 12 };
    if (program->fact_pool)
        return;
    const struct architecture *architecture = program->architecture;
    struct arena_mark mark = arena_mark(program->scratch);
    struct words words = {.bits = FIRST_BITS - 1};
    uint32_t *numbers = arena_allocate_unset(program->flow, program->instruction_count * sizeof *numbers);
    double_table(&words, program->scratch);
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        uint32_t word = program->text[i] & ~architecture->constant_bits(program->text[i]);
        uint32_t place = place_of(&words, word);
        if (!words.table[place]) {
            if (words.count == UINT32_C(1) << words.bits >> 1) {
                double_table(&words, program->scratch);
                place = place_of(&words, word);
            }
            words.words[words.count++] = word;
            words.table[place] = words.count;
        }
        numbers[i] = words.table[place] - 1;
    }
    struct facts *pool = arena_allocate_unset(program->flow, words.count * sizeof *pool);
    for (uint32_t i = 0; i < words.count; i++)
        architecture->decode(words.words[i], &pool[i]);
    if (words.count <= UINT16_MAX)
        program->short_facts = shortened(program, numbers);
    else
        program->facts = numbers;
    program->fact_pool = pool;
    arena_release(program->scratch, mark);
}
