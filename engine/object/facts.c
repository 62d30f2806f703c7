/* facts.c: the facts of a program's instructions. Instructions that differ in constants only share them:
   programs have 7 to 13 instructions for each record. Most records of an analysis image are records of the
   program, too: both contain a C library. */
#include <string.h>

#include "engine/object/object.h"

/* As many as there are 16-bit numbers. Memory is reserved for all; the unused part is never touched. */
enum { POOL_ROOM = UINT16_MAX + 1 };
struct fact_pool {
    struct facts facts[POOL_ROOM];
    uint32_t words[POOL_ROOM]; /* of each record, without constants */
    uint32_t count;
};

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

static void make_table(struct words *words, unsigned bits, struct arena *arena) {
    words->bits = bits;
    words->table = arena_allocate(arena, (sizeof *words->table) << bits);
    for (uint32_t i = 0; i < words->count; i++)
        words->table[place_of(words, words->words[i])] = i + 1;
}

static void double_table(struct words *words, struct arena *arena) {
    uint32_t *known = arena_allocate(arena, (sizeof *known) << words->bits);
    memcpy(known, words->words, words->count * sizeof *known);
    words->words = known;
    make_table(words, words->bits + 1, arena);
}

/* The words of the pool, with room for as many again. */
static struct words words_of(const struct fact_pool *pool, struct arena *arena) {
    struct words words = {.count = pool->count};
    unsigned bits = 12;
    while (words.count > UINT32_C(1) << bits >> 2)
        bits++;
    words.words = arena_allocate(arena, (sizeof *words.words) << bits >> 1);
    memcpy(words.words, pool->words, words.count * sizeof *words.words);
    make_table(&words, bits, arena);
    return words;
}

/* The number of the instruction's word, which is added if it is new. */
static uint32_t number_of(struct words *words, const struct program *program, uint32_t instruction) {
    uint32_t text = program->text[instruction], word = text & ~program->architecture->constant_bits(text);
    uint32_t place = place_of(words, word);
    if (!words->table[place]) {
        if (words->count == UINT32_C(1) << words->bits >> 1) {
            double_table(words, program->scratch);
            place = place_of(words, word);
        }
        words->words[words->count++] = word;
        words->table[place] = words->count;
    }
    return words->table[place] - 1;
}

static void add_facts(const struct program *program, struct fact_pool *pool, const struct words *words) {
    for (; pool->count < words->count; pool->count++) {
        pool->words[pool->count] = words->words[pool->count];
        program->architecture->decode(pool->words[pool->count], &pool->facts[pool->count]);
    }
}

/* More records than a pool holds: the program has its own, and longer numbers. The first instructions have
   their numbers. */
static void find_many(struct program *program, struct words *words, const uint16_t *short_facts,
                      uint32_t first) {
    uint32_t *numbers = arena_allocate_unset(program->flow, program->instruction_count * sizeof *numbers);
    for (uint32_t i = 0; i < first; i++)
        numbers[i] = short_facts[i];
    for (uint32_t i = first; i < program->instruction_count; i++)
        numbers[i] = number_of(words, program, i);
    struct facts *facts = arena_allocate_unset(program->flow, words->count * sizeof *facts);
    for (uint32_t i = 0; i < words->count; i++)
        program->architecture->decode(words->words[i], &facts[i]);
    program->all_facts = facts;
    program->facts = numbers;
}

static void make_pool(struct program *program) {
    if (program->fact_pool)
        return;
    program->fact_pool = arena_allocate_unset(program->flow, sizeof *program->fact_pool);
    program->fact_pool->count = 0;
}

void facts_find(struct program *program) {
    if (program->all_facts)
        return;
    struct arena_mark mark = arena_mark(program->scratch);
    size_t bytes = program->instruction_count * sizeof(uint16_t);
    uint16_t *numbers = arena_allocate_unset(program->flow, bytes);
    make_pool(program);
    struct words words = words_of(program->fact_pool, program->scratch);
    uint32_t i = 0;
    for (uint32_t number; i < program->instruction_count; numbers[i++] = (uint16_t)number) {
        number = number_of(&words, program, i);
        if (number >= POOL_ROOM)
            break;
    }
    if (i < program->instruction_count) {
        find_many(program, &words, numbers, i);
        arena_resize(program->flow, numbers, bytes, 0);
    } else {
        add_facts(program, program->fact_pool, &words);
        program->all_facts = program->fact_pool->facts;
        program->short_facts = numbers;
    }
    arena_release(program->scratch, mark);
}

void facts_share(struct program *program, struct program *other) {
    if (program->architecture != other->architecture)
        return;
    make_pool(other);
    program->fact_pool = other->fact_pool;
}
