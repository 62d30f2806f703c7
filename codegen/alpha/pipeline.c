/* pipeline.c: how the pipeline of the first Alpha, the 21064 (EV4), issues the instructions of a basic
   block: two at a time, in order.

   The rules are from DECchip 21064 and 21064A Alpha AXP Microprocessors, Hardware Reference Manual (Digital,
   EC-Q9ZUA-TE), chapter 2, "Scheduling and issuing rules": instruction classes, issue buses, the matrix of
   latencies between producers and consumers, and the multiplier's and divider's repetition. GCC's description
   of the same machine (gcc/config/alpha/ev4.md) has most of the numbers, too. According to GCC a
   floating-point result is available to the next operation after 4 cycles, according to the manual and here
   after 6. Tests compare all of this with a second implementation, tests/oracle/ev4.awk.

   At the beginning of a block all results are available and both units free; loads hit the cache, and
   branches are predicted correctly. Instructions that the 21064 lacks (bytes, square roots, moves between the
   register files, counts) take the time of the nearest class. PALcode and barriers cost only their issue. */
#include "codegen/alpha/alpha.h"
#include "codegen/alpha/architecture.h"

enum issue_class {
    LOAD,
    STORE,
    FLOAT_STORE,
    ADD_LOGICAL, /* IADDLOG */
    SHIFT_MOVE,  /* SHIFTCM */
    COMPARE,
    MULTIPLY_LONG, /* IMULL: 32 bits */
    MULTIPLY_QUAD,
    BRANCH,
    FLOAT_BRANCH,
    JUMP, /* br, bsr, and all jumps through a register */
    FLOAT,
    DIVIDE_SINGLE,
    DIVIDE_DOUBLE,
    OTHER
};
enum { BUS_0 = 1, BUS_1 = 2, BUS_ANY = BUS_0 | BUS_1 };
enum box { ABOX, BBOX, EBOX, FBOX };
#define TO(class) (1u << (class))

/* Cycles from the issue of a class to the issue of an instruction that needs its result: `latency`; 1 for the
   classes in `next`; `stored` if the result is only stored. A multiplication or division occupies its unit
   for `unit` cycles. Its result returns through the box in the `back_count` cycles before `unit` + 1, in
   which no other instruction is issued to the box. */
static const struct timing {
    uint8_t bus, box, latency, stored, unit, back_count;
    uint16_t next;
} timings[] = {
    [LOAD] = {BUS_ANY, ABOX, 3, 3, 0, 0, 0},
    [STORE] = {BUS_1, ABOX, 3, 3, 0, 0, 0}, /* the result of a store-conditional */
    [FLOAT_STORE] = {BUS_0, ABOX, 3, 3, 0, 0, 0},
    [ADD_LOGICAL] = {BUS_0, EBOX, 2, 0, 0, 0,
                     TO(BRANCH) | TO(ADD_LOGICAL) | TO(SHIFT_MOVE) | TO(COMPARE) | TO(MULTIPLY_LONG) |
                         TO(MULTIPLY_QUAD)},
    [SHIFT_MOVE] = {BUS_0, EBOX, 2, 0, 0, 0, 0},
    [COMPARE] = {BUS_0, EBOX, 2, 0, 0, 0, TO(BRANCH)},
    [MULTIPLY_LONG] = {BUS_0, EBOX, 21, 20, 19, 1, 0},
    [MULTIPLY_QUAD] = {BUS_0, EBOX, 23, 22, 21, 1, 0},
    [BRANCH] = {BUS_1, BBOX, 0, 0, 0, 0, 0},
    [FLOAT_BRANCH] = {BUS_0, BBOX, 0, 0, 0, 0, 0},
    [JUMP] = {BUS_1, BBOX, 3, 3, 0, 0, 0},
    [FLOAT] = {BUS_1, FBOX, 6, 4, 0, 0, 0},
    [DIVIDE_SINGLE] = {BUS_1, FBOX, 34, 32, 30, 2, 0},
    [DIVIDE_DOUBLE] = {BUS_1, FBOX, 63, 61, 59, 2, 0},
    [OTHER] = {BUS_1, ABOX, 3, 3, 0, 0, 0},
};

static enum issue_class class_of(uint32_t word) {
    static const uint8_t classes[] = {
        [CLASS_LOAD] = LOAD,
        [CLASS_FLOAT_LOAD] = LOAD,
        [CLASS_STORE] = STORE,
        [CLASS_FLOAT_STORE] = FLOAT_STORE,
        [CLASS_ADDRESS] = ADD_LOGICAL,
        [CLASS_COND_BRANCH] = BRANCH,
        [CLASS_UNCOND_BRANCH] = JUMP,
        [CLASS_CALL] = JUMP,
        [CLASS_JUMP] = JUMP,
        [CLASS_RETURN] = JUMP,
        [CLASS_ARITHMETIC] = ADD_LOGICAL,
        [CLASS_MULTIPLY] = MULTIPLY_LONG,
        [CLASS_LOGICAL] = ADD_LOGICAL,
        [CLASS_SHIFT] = SHIFT_MOVE,
        [CLASS_COND_MOVE] = SHIFT_MOVE,
        [CLASS_COMPARE] = COMPARE,
        [CLASS_FLOAT] = FLOAT,
        [CLASS_FLOAT_DIVIDE] = DIVIDE_SINGLE,
        [CLASS_PAL] = OTHER,
        [CLASS_MISC] = OTHER,
        [CLASS_UNKNOWN] = OTHER,
    };
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    enum issue_class class = classes[descriptor->class];
    bool wide = word >> 10 & 1; /* the function's bit 5: quadword, T_floating, G_floating */
    if (class == BRANCH && descriptor->flags & ALPHA_FLOATING)
        return FLOAT_BRANCH;
    if (class == MULTIPLY_LONG || class == DIVIDE_SINGLE)
        return wide ? class + 1 : class;
    return class;
}

/* The state of the block's issue. */
struct issue {
    int32_t now;              /* issue cycle of the last instruction; -1: none yet */
    int32_t all;              /* cycle from which all results are available */
    int32_t written[64];      /* issue cycle of the producer, for each register */
    uint8_t producer[64];     /* enum issue_class */
    alpha_register_set known; /* registers that the block has written */
    int32_t free[4];          /* cycle from which each box's multiplier or divider is free */
    int32_t back[4];          /* the first cycle in which the box accepts no other instruction, */
    uint8_t back_count[4];    /* and the number of such cycles */
};

static int32_t later_cycle(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* The cycle in which the operands of the instruction are available. */
static int32_t operands_ready(const struct issue *issue, uint32_t word, enum issue_class class) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    alpha_register_set reads = alpha_registers_read(word) & issue->known;
    bool stores = descriptor->flags & ALPHA_STORE;
    unsigned data = alpha_ra(word) + (descriptor->flags & ALPHA_FLOATING ? 32 : 0);
    int32_t ready = 0;
    for (alpha_register_set rest = reads; rest; rest &= rest - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(rest);
        const struct timing *producer = &timings[issue->producer[reg]];
        bool is_address = reg == alpha_rb(word), only_stored = stores && reg == data && !is_address;
        int32_t latency = only_stored ? producer->stored : producer->next & TO(class) ? 1 : producer->latency;
        ready = later_cycle(ready, issue->written[reg] + latency);
    }
    return ready;
}

/* Results are written in the order of the instructions. */
static int32_t order_kept(const struct issue *issue, uint32_t word, enum issue_class class) {
    int32_t ready = 0;
    for (alpha_register_set rest = alpha_registers_written(word) & issue->known; rest; rest &= rest - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(rest);
        int32_t before = issue->written[reg] + timings[issue->producer[reg]].latency;
        ready = later_cycle(ready, before - timings[class].latency + 1);
    }
    return ready;
}

static int32_t unit_ready(const struct issue *issue, enum issue_class class, int32_t when) {
    const struct timing *timing = &timings[class];
    if (timing->unit)
        return later_cycle(when, issue->free[timing->box]);
    if (when >= issue->back[timing->box] && when < issue->back[timing->box] + issue->back_count[timing->box])
        return issue->back[timing->box] + issue->back_count[timing->box];
    return when;
}

/* Both halves of an aligned pair are issued together on different buses to different boxes. */
static bool can_pair(uint64_t address, uint32_t word, uint32_t before) {
    const struct timing *a = &timings[class_of(before)], *b = &timings[class_of(word)];
    bool pal = alpha_decode(word)->class == CLASS_PAL || alpha_decode(before)->class == CLASS_PAL;
    return address % 8 == 4 && !pal && a->box != b->box && (a->bus | b->bus) == BUS_ANY;
}

/* Issues the instruction; returns the number of cycles before it without an issue. */
static int32_t issue_next(struct issue *issue, uint32_t word, bool paired) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    enum issue_class class = class_of(word);
    const struct timing *timing = &timings[class];
    bool pal = descriptor->class == CLASS_PAL;
    bool waits = pal || descriptor->opcode_id == ALPHA_TRAPB || descriptor->opcode_id == ALPHA_EXCB;
    int32_t before = issue->now, when = paired ? before : before + 1;
    when = later_cycle(when, waits ? issue->all : operands_ready(issue, word, class));
    when = unit_ready(issue, class, later_cycle(when, pal ? 0 : order_kept(issue, word, class)));
    issue->now = when;
    if (timing->unit) {
        issue->free[timing->box] = when + timing->unit;
        issue->back_count[timing->box] = timing->back_count;
        issue->back[timing->box] = when + timing->unit + 1 - timing->back_count;
    }
    alpha_register_set written = pal ? 0 : alpha_registers_written(word);
    if (written)
        issue->all = later_cycle(issue->all, when + timing->latency);
    issue->known |= written;
    for (; written; written &= written - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(written);
        issue->written[reg] = when;
        issue->producer[reg] = class;
    }
    return when > before + 1 ? when - before - 1 : 0;
}

int64_t alpha_pipeline(const uint32_t *words, uint32_t count, uint64_t address, enum pipeline_value wanted) {
    struct issue issue = {.now = -1};
    int32_t empty = 0, stalls = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool pairable = i > 0 && can_pair(address + 4 * (uint64_t)i, words[i], words[i - 1]);
        empty = issue_next(&issue, words[i], pairable);
        stalls += empty;
    }
    return wanted == PIPELINE_CYCLES ? issue.now + 1 : wanted == PIPELINE_STALLS ? stalls : empty;
}
