/* fate.c: reads the program's code after a load, to tell whether the value is used or only copied, and before
   a store of a part of a quadword, to tell which part. The code is what atomc has read: in memory there may
   be ways into copies in it, and libraries are elsewhere. */
#include <stdlib.h>

#include "shadow.h"

enum { FP = 32, ZERO = 31, REACH = 64 };

/* Procedures in the order of their addresses, the words of all one after the other. */
static int procedure_count;
static const long *starts, *lengths;
static const unsigned *words;
static long *firsts; /* of each procedure: the number of its first word */

void Text(int count, const long *pcs, const long *sizes, const unsigned *text) {
    procedure_count = count;
    starts = pcs;
    lengths = sizes;
    words = text;
    firsts = calloc((size_t)count + 1, sizeof *firsts);
    if (!firsts)
        abort();
    for (int p = 0; p < count; p++)
        firsts[p + 1] = firsts[p] + sizes[p] / 4;
}

static unsigned word_at(unsigned long pc) {
    static int last;
    if (pc - (unsigned long)starts[last] >= (unsigned long)lengths[last]) {
        int low = 0, high = procedure_count;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if ((unsigned long)starts[middle] <= pc)
                low = middle;
            else
                high = middle;
        }
        if (pc - (unsigned long)starts[low] >= (unsigned long)lengths[low])
            return 0; /* call_pal halt: the value counts as used */
        last = low;
    }
    return words[firsts[last] + (long)(pc - (unsigned long)starts[last]) / 4];
}
static unsigned opcode_of(unsigned word) {
    return word >> 26;
}
static unsigned function_of(unsigned word) {
    return word >> 5 & 127;
}
static int is_memory(unsigned word) {
    unsigned opcode = opcode_of(word);
    return opcode >= 0x08 && opcode != 0x10 && opcode < 0x30 && (opcode <= 0x0f || opcode >= 0x20);
}
static int is_store(unsigned word) {
    unsigned opcode = opcode_of(word);
    return (opcode >= 0x0d && opcode <= 0x0f) || (opcode >= 0x24 && opcode <= 0x27) ||
           (opcode >= 0x2c && opcode < 0x30);
}
static int is_floating_memory(unsigned word) {
    return opcode_of(word) >= 0x20 && opcode_of(word) <= 0x27;
}
static int ra_of(unsigned word) {
    int floating = is_floating_memory(word) || (opcode_of(word) >= 0x14 && opcode_of(word) <= 0x17) ||
                   (opcode_of(word) >= 0x31 && opcode_of(word) <= 0x37 && opcode_of(word) != 0x34);
    return (int)(word >> 21 & 31) + (floating ? FP : 0);
}
static int rb_of(unsigned word) {
    return (int)(word >> 16 & 31);
}

/* Integer operations through which a value only passes: logic, shifts, bytes, additions; not comparisons, not
   moves that depend on it. Multiplications use it. */
static int passes_on(unsigned word) {
    unsigned function = function_of(word);
    switch (opcode_of(word)) {
    case 0x10: /* additions and subtractions; comparisons have functions that end in d, but subq's neighbours
                */
        return function != 0x0f && function != 0x1d && function != 0x2d && function != 0x3d &&
               function != 0x4d && function != 0x6d;
    case 0x11:
        return function == 0x00 || function == 0x08 || function == 0x20 || function == 0x28 ||
               function == 0x40 || function == 0x48;
    case 0x12:
        return 1;
    case 0x1c:
        return function < 2; /* sextb, sextw */
    }
    return 0;
}

static int is_mask(unsigned word) {
    return opcode_of(word) == 0x12 && (function_of(word) & 15) == 2;
}
static int is_selection(unsigned word) { /* cmov: which of its values it takes is not known here */
    unsigned function = function_of(word);
    return opcode_of(word) == 0x11 &&
           (function == 0x14 || function == 0x16 || function == 0x24 || function == 0x26 ||
            function == 0x44 || function == 0x46 || function == 0x64 || function == 0x66);
}

/* At a call or return: is the register one that the other side sees? */
static int is_passed(int number, int returns) {
    if (returns)
        return number == 0 || number == FP;
    return (number >= 16 && number <= 21) || (number >= FP + 16 && number <= FP + 21);
}
static int survives_call(int number) {
    return (number >= 9 && number <= 15) || (number >= FP + 2 && number <= FP + 9);
}

/* Integer operations that move bytes as they are: the value, or its bytes from an address on, or to one. */
static int keeps_bytes(unsigned word) {
    unsigned function = function_of(word);
    return (opcode_of(word) == 0x11 && function == 0x20) ||
           (opcode_of(word) == 0x10 && function == 0 && ra_of(word) == ZERO) ||
           (opcode_of(word) == 0x12 && ((function & 15) == 0x06 || (function & 15) == 0x0b));
}
/* extqh and insqh and their like take what is beyond a quadword. The value is judged by what extql and insql
 * take. */
static int is_high_part(unsigned word) {
    unsigned function = function_of(word);
    return opcode_of(word) == 0x12 && ((function & 15) == 0x07 || (function & 15) == 0x0a);
}

/* Signed bytes and shorts come through extqh to the high end and are shifted down from there. */
static int brings_signed(unsigned long at) {
    unsigned function = function_of(word_at(at));
    int reg = (int)(word_at(at) & 31);
    for (int i = 0; i < 8 && function == 0x7a; i++) {
        unsigned word = word_at(at += 4);
        if (opcode_of(word) == 0x12 && function_of(word) == 0x3c && ra_of(word) == reg)
            return word >> 12 & 1;
        if (ra_of(word) == reg || rb_of(word) == reg)
            return 0;
    }
    return 0;
}

/* A value on its way from the load, in a register. */
struct way {
    unsigned long at;
    int reg, straight; /* no branch behind it */
    int in_part;       /* a part of it has been taken: what calls get is something else */
    struct load_fate fate;
};
static int left_steps; /* over all branches */

static struct load_fate ends(const struct way *way, enum fate fate) {
    struct load_fate result = way->fate;
    result.fate = fate;
    result.store = way->at;
    return result;
}

/* These follow the value through the instruction there; UNUSED: it goes on. */
static enum fate through_memory(struct way *way, unsigned word) {
    unsigned opcode = opcode_of(word);
    if (!is_store(word) && opcode != 0x08 && opcode != 0x09 && rb_of(word) == way->reg)
        return USED;
    if (is_store(word) && rb_of(word) == way->reg)
        return USED;
    if (rb_of(word) == way->reg) { /* lda: an addition */
        way->reg = ra_of(word);
        way->fate.added = 1;
        way->fate.exact = 0;
    } else if (ra_of(word) == way->reg) {
        if (is_store(word) && way->straight)
            return STORED;
        way->reg = -1;
    }
    return UNUSED;
}

static enum fate through_floating(struct way *way, unsigned word) {
    int ra = ra_of(word), rb = rb_of(word) + FP, rc = (int)(word & 31) + FP;
    unsigned function = word >> 5 & 0x7ff;
    int move = opcode_of(word) == 0x17 && function >= 0x20 && function <= 0x22; /* copies of the sign */
    int selection = opcode_of(word) == 0x17 && function >= 0x2a && function <= 0x2f;
    if (move && (rb == way->reg || ra == way->reg))
        way->reg = rc;
    else if (ra == way->reg || (rb == way->reg && !selection))
        return USED;
    else if (rc == way->reg || rb == way->reg)
        way->reg = -1;
    return UNUSED;
}

static enum fate through_integer(struct way *way, unsigned word) {
    int ra = ra_of(word), rb = rb_of(word), rc = (int)(word & 31), literal = word >> 12 & 1;
    int reads = ra == way->reg || (!literal && rb == way->reg);
    if (reads && is_mask(word) && ra == way->reg)
        return MASKED;
    if (reads && is_high_part(word) && !brings_signed(way->at)) {
        way->in_part = 1;
        if (rc == way->reg)
            way->reg = -1;
    } else if (reads && is_selection(word) && ra != way->reg) {
        way->reg = -1;
    } else if (reads && passes_on(word)) {
        way->fate.exact &= keeps_bytes(word);
        if (opcode_of(word) == 0x12 && (function_of(word) & 15) == 0x06)
            way->fate.width = 1 << (function_of(word) >> 4 & 3);
        way->fate.inserted |= opcode_of(word) == 0x12 && (function_of(word) & 15) == 0x0b;
        way->fate.added |= opcode_of(word) == 0x10;
        way->in_part = 0;
        way->reg = rc;
    } else if (reads) {
        return USED;
    } else if (rc == way->reg) {
        way->reg = -1;
    }
    return UNUSED;
}

static unsigned long target_of(unsigned long at, unsigned word) {
    return at + 4 + (((long)(word & 0x1fffff) ^ 0x100000) - 0x100000) * 4;
}

/* Behind a branch that does not depend on the value it is used if it is used on both ways: compilers load
 * before they branch.
 */
static struct load_fate follow(struct way way) {
    for (; left_steps-- > 0 && way.reg >= 0; way.at += 4) {
        unsigned word = word_at(way.at), opcode = opcode_of(word);
        enum fate fate = UNUSED;
        if (opcode == 0x30 && (word >> 21 & 31) == ZERO) {
            way.at = target_of(way.at, word) - 4;
        } else if (opcode == 0x1a || opcode == 0x30 || opcode == 0x34) { /* jumps and calls */
            int returns = opcode == 0x1a && (word >> 14 & 3) == 2, calls = (word >> 21 & 31) != ZERO;
            if ((returns || calls) && is_passed(way.reg, returns) && !way.in_part)
                return ends(&way, USED);
            if (opcode == 0x1a && rb_of(word) == way.reg)
                return ends(&way, USED);
            if (!calls || !survives_call(way.reg))
                break;
            way.straight = 0;
        } else if (opcode > 0x30) {
            if (ra_of(word) == way.reg)
                return ends(&way, USED);
            way.straight = 0;
            struct way taken = way;
            taken.at = target_of(way.at, word);
            if (follow(taken).fate != USED)
                break;
        } else if (is_memory(word)) {
            fate = through_memory(&way, word);
        } else if (opcode >= 0x14 && opcode <= 0x17) {
            fate = through_floating(&way, word);
        } else if (opcode >= 0x10 && opcode <= 0x1c) {
            fate = through_integer(&way, word);
        }
        if (fate != UNUSED)
            return ends(&way, fate);
    }
    return ends(&way, UNUSED);
}

struct load_fate fate_of_load(unsigned long pc) {
    left_steps = REACH;
    return follow((struct way){.at = pc + 4, .reg = ra_of(word_at(pc)), .straight = 1, .fate.exact = 1});
}

/* The last instruction before pc that writes the integer register, as far as the code is straight. */
static unsigned writer(unsigned long *pc, int reg) {
    for (unsigned long at = *pc - 4, end = *pc - 4 * 32; at > end; at -= 4) {
        unsigned word = word_at(at), opcode = opcode_of(word);
        if (opcode >= 0x10 && opcode <= 0x13 && (int)(word & 31) == reg) {
            *pc = at;
            return word;
        }
        if (is_memory(word) && !is_store(word) && ra_of(word) == reg)
            break;
    }
    return 0;
}

long part_of_store(unsigned long pc, unsigned long address, unsigned long *first) {
    unsigned long quad = address & ~7UL, at = pc;
    unsigned value = writer(&at, ra_of(word_at(pc))), mask = value;
    if (value && opcode_of(value) == 0x11 && function_of(value) == 0x20) { /* bis of the old and the new */
        unsigned long left = at, right = at;
        mask = writer(&left, ra_of(value));
        if (!mask || !is_mask(mask))
            mask = writer(&right, rb_of(value));
    }
    *first = quad;
    if (!mask || !is_mask(mask))
        return 8;
    long width = 1L << (function_of(mask) >> 4 & 3);
    if (function_of(mask) & 0x40) { /* the high part: the address is that of the last byte */
        *first = address - quad < (unsigned long)width ? quad : address - width + 1;
        return (long)(address - *first) + 1;
    }
    *first = address;
    return address - quad + width > 8 ? 8 - (long)(address - quad) : width;
}
