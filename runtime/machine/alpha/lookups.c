/* lookups.c: jumps of the copies, which look up their target in the map: `zapnot target,15,t; ldl t,0(t);
   [ldah or ldq: the return address;] jmp t,(t)`, or, without a free register, `jmp $31,(target)` to the
   original address. If $28 is spilled for it, `ldah $28` precedes the ldl: the map of landings
   (engine/machine/alpha/transfers.c, engine/copy/indirect_jumps.c). Compiled without floating-point
   registers. */
#include "runtime/kernel/kernel.h"

enum { LONGEST_TRANSFER = 8 /* words */ };

static int is_lookup(uint32_t word, unsigned scratch) {
    return ALPHA_IS(word, ZAPNOTi) && alpha_literal_field(word) == 15 && alpha_rc(word) == scratch;
}

unsigned long atomc_find_lookup(unsigned link, const long *registers, struct atomc_lookup *lookup) {
    unsigned long after = (unsigned long)registers[link];
    if (after & 3 || after < atomc_image.copies + 4 * LONGEST_TRANSFER || after >= atomc_image.copies_end)
        return 0;
    const uint32_t *code = (const uint32_t *)after;
    if (!ALPHA_IS_LIKE(code[-1], JMP) || alpha_ra(code[-1]) != link || alpha_rb(code[-1]) != link)
        return 0;
    for (int i = 2; i <= LONGEST_TRANSFER; i++)
        if (is_lookup(code[-i], link)) {
            int is_spilled = ALPHA_IS(code[1 - i], LDAH);
            *lookup = (struct atomc_lookup){
                .target = alpha_ra(code[-i]),
                .is_spilled = is_spilled,
                .map = is_spilled ? (long)((unsigned long)alpha_memory_displacement(code[1 - i]) << 16) : 0};
            return lookup->target != link ? after - 4 : 0;
        }
    return 0;
}

unsigned long atomc_finish_jump(struct saved_context *context, long *target, int *is_spilled) {
    const uint32_t *code = (const uint32_t *)context->pc, *lookup = code - 1;
    if ((unsigned long)code < atomc_image.copies || (unsigned long)code >= atomc_image.copies_end)
        return 0;
    unsigned scratch = alpha_ra(code[0]);
    *is_spilled =
        ALPHA_IS(code[-1], LDAH) && alpha_ra(code[-1]) == ALPHA_AT && alpha_rb(code[-1]) == ALPHA_AT;
    if (*is_spilled)
        lookup--;
    if (code[0] != ALPHA_MEMORY_WORD(LDL, scratch, 0, scratch) || !is_lookup(*lookup, scratch))
        return 0;
    if (alpha_ra(*lookup) == scratch)
        return 0;
    *target = context->registers[alpha_ra(*lookup)] & ~3L;
    for (code++; !ALPHA_IS_LIKE(code[0], JMP); code++) { /* the return address up to the jump */
        unsigned to = alpha_ra(code[0]), base = alpha_rb(code[0]);
        long displacement = alpha_memory_displacement(code[0]);
        long from = base == ALPHA_ZERO ? 0 : context->registers[base];
        if (ALPHA_IS(code[0], LDA))
            context->registers[to] = from + displacement;
        else if (ALPHA_IS(code[0], LDAH))
            context->registers[to] = from + displacement * 65536;
        else if (ALPHA_IS(code[0], LDQ))
            context->registers[to] = *(const long *)(from + displacement);
        else
            return 0;
    }
    return (unsigned long)code;
}
