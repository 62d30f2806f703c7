/* observe.c: which registers an instruction reads and writes, found by executing it: for AArch64, under its
   emulator. From standard input, lines: WORD BASE INDEX, in hexadecimal: registers that are addresses (fe:
   sp, ff: none). Prints for each WORD the sets READ and WRITTEN, as codegen/register_set.h numbers registers,
   or "fault". A register is written if it ever changes; it is read if another value of it alone changes
   anything else: another register, the flags, memory.
   With the argument "values", lines: WORD A B RESULT: prints for each WORD what A and B held before it, and
   RESULT after it, some times (fd: the register that is always 0). */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    ROUNDS = 16, /* with memory, which is compared */
    MANY_ROUNDS = 160,
    SINGLE_ROUNDS = 2, /* in the first rounds, each register is changed alone */
    REGISTERS = 64,
    FLAGS = 31,
    ZERO = 0xfd,
    STACK = 0xfe,
    NONE = 0xff,
    MEMORY = 1 << 12,
    MIDDLE = MEMORY / 2
};

struct state {
    uint64_t x[31], sp, flags;
    struct {
        uint64_t low, high;
    } v[32];
};

extern void observe(struct state *state);
extern uint32_t place[];

static unsigned char memory[MEMORY] __attribute__((aligned(65536))), before[MEMORY], after[MEMORY];
static sigjmp_buf fault;
static uint64_t seed = 88172645463325252u;

static uint64_t random_number(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static void faulted(int signal) {
    siglongjmp(fault, signal);
}

/* Numbers near 1 of both signs, as doubles and as singles; any; small ones: so comparisons, conversions,
   shifts and divisions come out in more than one way. None is a NaN, whose payload would be lost. */
static uint64_t number(unsigned round) {
    uint64_t value = random_number();
    switch (round % 4) {
    case 0:
        return (value & 0x807fffff807fffff) | 0x3f8000003f800000;
    case 1:
        return (value & 0x803fffff803fffff) | 0x4020000041000000;
    case 2:
        return value & 0xbfdfffffbf7fffff;
    default:
        return value % 40;
    }
}

static void fill(struct state *state, unsigned round, unsigned base, unsigned index) {
    for (int r = 0; r < 31; r++)
        state->x[r] = number(round);
    for (int r = 0; r < 32; r++) {
        state->v[r].low = number(round);
        state->v[r].high = number(round);
    }
    state->flags = (random_number() & 15) << 28;
    state->sp = (uint64_t)(memory + MIDDLE);
    if (base < 31)
        state->x[base] = (uint64_t)(memory + MIDDLE);
    if (index < 31)
        state->x[index] = random_number() % 16 * 16;
}

static int has_memory; /* it accesses memory, which is compared, too */

static void run(struct state *state) {
    if (has_memory)
        memcpy(memory, before, MEMORY);
    observe(state);
}

static uint64_t *word_of(struct state *state, int reg, int half) {
    if (reg == FLAGS)
        return &state->flags;
    return reg < 31 ? &state->x[reg] : half ? &state->v[reg - 32].high : &state->v[reg - 32].low;
}

/* Changes a part of a register. */
static void change(struct state *state, int reg, int half, unsigned base, unsigned index, unsigned round) {
    uint64_t *changed = word_of(state, reg, half);
    if (reg == FLAGS)
        *changed ^= (random_number() % 15 + 1) << 28;
    else if ((unsigned)reg == base)
        *changed += 64;
    else if ((unsigned)reg == index)
        *changed = (*changed + 16) % 256;
    else
        *changed = number(round + 1);
}

/* True if the word did the same from both states: what differs was changed before, and is not written. */
static int did_the_same(struct state *from, struct state *changed, struct state *first, struct state *other,
                        uint64_t written) {
    int same = (!has_memory || memcmp(memory, after, MEMORY) == 0) && other->sp == first->sp;
    for (int r = 0; r < REGISTERS && same; r++)
        for (int h = 0; h < (r < 32 ? 1 : 2); h++) {
            uint64_t value = *word_of(other, r, h), was = *word_of(first, r, h);
            uint64_t set = *word_of(changed, r, h);
            int kept = set != *word_of(from, r, h) && value == set && !(written >> r & 1);
            same &= value == was || kept;
        }
    return same;
}

static void observe_word(uint32_t word, unsigned base, unsigned index) {
    static struct state given, first, changed, other;
    uint64_t read = 0, written = 0;
    place[0] = word;
    __builtin___clear_cache((char *)place, (char *)(place + 2));
    has_memory = base != NONE;
    for (unsigned round = 0; round < (has_memory ? ROUNDS : MANY_ROUNDS); round++) {
        for (int i = 0; has_memory && i < MEMORY; i += 8) {
            uint64_t value = number(round);
            memcpy(before + i, &value, 8);
        }
        fill(&given, round, base, index);
        first = given;
        run(&first);
        if (has_memory)
            memcpy(after, memory, MEMORY);
        for (int reg = 0; reg < REGISTERS; reg++)
            for (int half = 0; half < (reg < 32 ? 1 : 2); half++)
                if (*word_of(&first, reg, half) != *word_of(&given, reg, half))
                    written |= UINT64_C(1) << reg;
        /* All registers that nobody has seen it read at once: if nothing else differs, it reads none of them.
         */
        changed = given;
        for (int reg = 0; reg < REGISTERS; reg++)
            for (int half = 0; half < (reg < 32 ? 1 : 2); half++)
                if (!(read >> reg & 1))
                    change(&changed, reg, half, base, index, round);
        other = changed;
        run(&other);
        if (round >= SINGLE_ROUNDS && did_the_same(&given, &changed, &first, &other, written))
            continue;
        for (int reg = 0; reg < REGISTERS; reg++)
            for (int half = 0; half < (reg < 32 ? 1 : 2); half++) {
                changed = given;
                change(&changed, reg, half, base, index, round);
                other = changed;
                run(&other);
                read |= (uint64_t)!did_the_same(&given, &changed, &first, &other, written) << reg;
            }
    }
    printf("%08x %llx %llx\n", word, (unsigned long long)read, (unsigned long long)written);
}

static uint64_t value_in(const struct state *state, unsigned reg) {
    return reg < 31 ? state->x[reg] : reg == STACK ? state->sp : 0;
}

static void print_values(uint32_t word, unsigned a, unsigned b, unsigned result) {
    static struct state given, first;
    place[0] = word;
    __builtin___clear_cache((char *)place, (char *)(place + 2));
    has_memory = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&given, round, NONE, NONE);
        first = given;
        run(&first);
        printf("%08x %llx %llx %llx\n", word, (unsigned long long)value_in(&given, a),
               (unsigned long long)value_in(&given, b), (unsigned long long)value_in(&first, result));
    }
}

int main(int count, char **words) {
    static char stack[65536];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = faulted, .sa_flags = SA_ONSTACK | SA_NODEFER};
    unsigned word, base, index, result;
    sigaltstack(&other, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    while (count > 1 && strcmp(words[1], "values") == 0 &&
           scanf("%x %x %x %x", &word, &base, &index, &result) == 4) {
        if (!sigsetjmp(fault, 1))
            print_values(word, base, index, result);
    }
    while (scanf("%x %x %x", &word, &base, &index) == 3) {
        if (sigsetjmp(fault, 1))
            printf("%08x fault\n", word);
        else
            observe_word(word, base, index);
        fflush(stdout);
    }
    return 0;
}
