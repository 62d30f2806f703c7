/* unforeseen.c: reports an indirect jump with an unforeseen target: the target, and the jump's address.
   Requires the code that engine/copy/instruction.c makes of indirect jumps: `zapnot target,15,t; ldl t,0(t);
   ...; jmp t,(t)`, or, where no register is free, `jmp $31,(target)` to the original address. Compiled
   without floating-point registers. */
#include "line.h"

enum { LONGEST_TRANSFER = 8 /* words */ };

int atomc_is_lookup(uint32_t word, unsigned scratch) {
    return ALPHA_IS(word, ZAPNOTi) && alpha_literal_field(word) == 15 && alpha_rc(word) == scratch;
}

long atomc_unforeseen_target(unsigned long pc) {
    const uint32_t *map = (const uint32_t *)atomc_image.text_map;
    if (pc - atomc_image.text_address < atomc_image.text_size)
        return map_word(pc) & MAP_UNFORESEEN ? (long)pc : 0;
    if (pc >> 31 != ~0ul >> 31) /* as ldl extends the sign */
        return 0;
    for (unsigned long i = 0; i < atomc_image.text_size / 4; i++)
        if (map[i] == (uint32_t)pc)
            return (long)(atomc_image.text_address + 4 * i);
    return 0;
}

/* Whether this register holds the address after a jump that found the target in the map. */
static unsigned long looked_up(unsigned link, long target, const long *registers) {
    unsigned long behind = (unsigned long)registers[link];
    if (behind & 3 || behind < atomc_image.copies + 4 * LONGEST_TRANSFER || behind >= atomc_image.copies_end)
        return 0;
    const uint32_t *code = (const uint32_t *)behind;
    if (!ALPHA_IS_LIKE(code[-1], JMP) || alpha_ra(code[-1]) != link || alpha_rb(code[-1]) != link)
        return 0;
    for (int i = 2; i <= LONGEST_TRANSFER; i++) {
        unsigned from = alpha_ra(code[-i]);
        if (!atomc_is_lookup(code[-i], link))
            continue;
        long value = registers[from] & ~3L; /* it may be the return address of a call */
        if (from == link || value == target || value == atomc_original_of(behind - 4, 0) + 4)
            return behind - 4;
    }
    return 0;
}

/* The next jump of the copies that goes to the target's original address, from this word on. */
static unsigned long jumps_directly(unsigned long from, long target, const long *registers) {
    for (; from < atomc_image.copies_end; from += 4) {
        uint32_t word = *(const uint32_t *)from;
        if (ALPHA_IS_LIKE(word, JMP) && alpha_ra(word) == ALPHA_ZERO &&
            (registers[alpha_rb(word)] & ~3L) == target)
            return from;
    }
    return 0;
}

static void add_jump(struct line *line, unsigned long jump, long *first) {
    add_text(line, *first ? " or at 0x" : " at 0x");
    add_number(line, (unsigned long)atomc_original_of(jump, 0), 16);
    if (!*first)
        *first = (long)jump;
}

long atomc_report_unforeseen(long target, const long *registers) {
    struct line line = {.length = 0};
    long first = 0;
    add_text(&line, "atomc: the indirect jump");
    for (unsigned r = 0; r < 31; r++) {
        unsigned long jump = looked_up(r, target, registers);
        if (jump)
            add_jump(&line, jump, &first);
    }
    unsigned long next = first ? 0 : jumps_directly(atomc_image.copies, target, registers);
    for (int i = 0; next && i < 4; i++) {
        add_jump(&line, next, &first);
        next = jumps_directly(next + 4, target, registers);
    }
    if (!first)
        add_text(&line, " of code outside of the program's text");
    add_text(&line, " goes to 0x");
    add_number(&line, (unsigned long)target, 16);
    add_text(&line, ", which was not foreseen: stopped. With atomc --landing=0x");
    add_number(&line, (unsigned long)target, 16);
    add_text(&line, " it is\n");
    write_line(&line);
    return first;
}
