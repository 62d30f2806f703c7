/* fate.c: reads the program's code after a load, to tell whether the value is used or only copied, and before
   a store of a part of a quadword, to tell which part. The code is the original text, which stays where it
   was. */
#include "shadow.h"

enum { FP = 32, ZERO = 31, REACH = 64 };
static unsigned word_at(unsigned long pc) {
    return *(const unsigned *)pc;
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

struct load_fate fate_of_load(unsigned long pc) {
    unsigned load = word_at(pc);
    int reg = ra_of(load), added = 0, straight = 1;
    for (unsigned long at = pc + 4, end = pc + 4 * REACH; at < end; at += 4) {
        unsigned word = word_at(at), opcode = opcode_of(word);
        int ra = ra_of(word), rb = rb_of(word), rc = (int)(word & 31), literal = word >> 12 & 1;
        if (opcode == 0x1a || opcode == 0x30 || opcode == 0x34) { /* jumps and calls */
            int returns = opcode == 0x1a && (word >> 14 & 3) == 2, calls = (word >> 21 & 31) != ZERO;
            if ((returns || calls) && is_passed(reg, returns))
                return (struct load_fate){USED, 0, 0};
            if (opcode == 0x1a && rb == reg)
                return (struct load_fate){USED, 0, 0};
            if (!calls || !survives_call(reg))
                return (struct load_fate){UNUSED, 0, 0};
            straight = 0;
        } else if (opcode > 0x30) {
            if (ra == reg)
                return (struct load_fate){USED, 0, 0};
            straight = 0;
        } else if (is_memory(word)) {
            if (rb == reg && (opcode == 0x08 || opcode == 0x09)) {
                reg = ra; /* lda: an addition */
                added = 1;
            } else if (rb == reg) {
                return (struct load_fate){USED, 0, 0};
            } else if (is_store(word) && ra == reg) {
                return straight ? (struct load_fate){STORED, at, added} : (struct load_fate){UNUSED, 0, 0};
            } else if (!is_store(word) && ra == reg) {
                return (struct load_fate){UNUSED, 0, 0};
            }
        } else if (opcode >= 0x14 &&
                   opcode <= 0x17) { /* floating-point operations; copies of the sign are moves */
            int move = opcode == 0x17 && (word >> 5 & 0x7ff) >= 0x20 && (word >> 5 & 0x7ff) <= 0x22;
            if (move && (rb + FP == reg || ra == reg))
                reg = rc + FP;
            else if (ra == reg || rb + FP == reg)
                return (struct load_fate){USED, 0, 0};
            else if (rc + FP == reg)
                return (struct load_fate){UNUSED, 0, 0};
        } else if (opcode >= 0x10 && opcode <= 0x1c) {
            int reads = ra == reg || (!literal && rb == reg);
            if (reads && is_mask(word) && ra == reg)
                return (struct load_fate){MASKED, 0, 0};
            if (reads && is_selection(word) && ra != reg)
                return (struct load_fate){UNUSED, 0, 0};
            if (reads && passes_on(word)) {
                added |= opcode == 0x10;
                reg = rc;
            } else if (reads) {
                return (struct load_fate){USED, 0, 0};
            } else if (rc == reg) {
                return (struct load_fate){UNUSED, 0, 0};
            }
        }
    }
    return (struct load_fate){UNUSED, 0, 0};
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
