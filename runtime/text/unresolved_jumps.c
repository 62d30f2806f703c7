/* unresolved_jumps.c: an unresolved jump reaches an instruction in the middle of a block that was not known
   to be a target. Execution continues in the copy from there. Code inserted at the block's beginning is not
   executed. Counts and sums that are made there are corrected, as if the program had been interrupted just
   before the instruction, and resumed (counting.h). The copy may rely on the execution of earlier
   instructions of the block: a register that they set is used by the jump at the block's end, or a locked
   sequence begins at the block's beginning. If they were not executed, the program's own instructions are
   executed step by step instead, until the copy no longer depends on earlier instructions. Requires the code
   of engine/copy/indirect_jumps.c: `zapnot target,15,t; ldl t,0(t); ...; jmp t,(t)`, or, without a free
   register, `jmp $31,(target)` to the original address. Compiled without floating-point registers. */
#include "runtime/counts/counts.h"
#include "runtime/kernel/line.h"
#include "runtime/machine/machine.h"
#include "runtime/text/text.h"

enum {
    LONGEST_TRANSFER = 8,  /* words */
    LONGEST_SEQUENCE = 64, /* instructions, of a locked sequence */
    LONGEST_BLOCK = 4096,  /* distance up to which earlier instructions are searched */
    MOST_NAMED = 8,        /* targets in the final message */
};

static int is_lookup(uint32_t word, unsigned scratch) {
    return ALPHA_IS(word, ZAPNOTi) && alpha_literal_field(word) == 15 && alpha_rc(word) == scratch;
}

/* Data for the message when the program has ended. */
static unsigned long entries, stepped;
static long named[MOST_NAMED], first_jump;
static int are_more;

/* ---- who jumped where ------------------------------------------------------------------------------------------ */

/* A jump of the copies, whose link is in the register, found its target in the map: the address that it
 looked up. *lookup: the beginning of that lookup. */
static unsigned long looked_up(unsigned link, const long *registers, const uint32_t **lookup) {
    unsigned long behind = (unsigned long)registers[link];
    if (behind & 3 || behind < atomc_image.copies + 4 * LONGEST_TRANSFER || behind >= atomc_image.copies_end)
        return 0;
    const uint32_t *code = (const uint32_t *)behind;
    if (!ALPHA_IS_LIKE(code[-1], JMP) || alpha_ra(code[-1]) != link || alpha_rb(code[-1]) != link)
        return 0;
    for (int i = 2; i <= LONGEST_TRANSFER; i++) {
        *lookup = code - i;
        if (is_lookup(code[-i], link))
            return alpha_ra(code[-i]) != link ? behind - 4 : 0;
    }
    return 0;
}

/* The jump to that target; 0: unknown. Its target may have been in its link register. */
static unsigned long jump_to(long target, const long *registers) {
    for (unsigned r = 0; r < 31; r++) {
        const uint32_t *lookup;
        unsigned long jump = looked_up(r, registers, &lookup);
        long value = jump ? registers[alpha_ra(*lookup)] & ~3L : 0;
        if (jump && (value == target || value == atomc_original_of(jump, 0) + 4))
            return jump;
    }
    return 0;
}

/* The copy looked up an address outside of the text (code on the stack or of a JIT): the sequence is
   `zapnot rb,15,t; ldl t,0(t); [ldah/ldq return address;] jmp (t)`, and the ldl faulted. Executes the rest of
   the sequence with the real target. Without a free register, $28 is on the stack, and `ldah $28` precedes
   the ldl (engine/copy/indirect_jumps.c). Code at the target does not reload $28, so it is reloaded here. */
int atomc_finish_lookup(struct saved_context *context) {
    const uint32_t *code = (const uint32_t *)context->pc, *lookup = code - 1;
    if ((unsigned long)code < atomc_image.copies || (unsigned long)code >= atomc_image.copies_end)
        return 0;
    unsigned scratch = alpha_ra(code[0]);
    int spilled =
        ALPHA_IS(code[-1], LDAH) && alpha_ra(code[-1]) == ALPHA_AT && alpha_rb(code[-1]) == ALPHA_AT;
    if (spilled)
        lookup--;
    if (code[0] != ALPHA_MEMORY_WORD(LDL, scratch, 0, scratch) || !is_lookup(*lookup, scratch))
        return 0;
    unsigned target = alpha_ra(*lookup);
    if (target == scratch)
        return 0;
    long destination = context->registers[target] & ~3L;
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
    if (spilled) {
        context->registers[28] = *(const long *)context->registers[30];
        context->registers[30] += atomc_spill_distance;
    }
    context->pc = destination;
    atomc_carry_aside((unsigned long)code, context);
    return 1;
}

/* The machine ignores the two lowest bits of a jump's target. A lookup in the map includes them: then the
   result spans two map words, and is not an executable address. */
void atomc_straighten(struct saved_context *context) {
    for (unsigned r = 0; r < 31; r++) {
        const uint32_t *lookup;
        if (!looked_up(r, context->registers, &lookup))
            continue;
        long target = context->registers[alpha_ra(*lookup)];
        /* Without a free register, $28 is on the stack (engine/copy/indirect_jumps.c). */
        int is_spilled = ALPHA_IS(lookup[1], LDAH);
        const unsigned char *at =
            (const unsigned char *)(unsigned long)(uint32_t)target +
            (is_spilled ? (unsigned long)alpha_memory_displacement(lookup[1]) << 16 : 0);
        if (!(target & 3) || !atomc_is_in_text((unsigned long)target & ~3ul))
            continue;
        uint32_t found = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        if ((int32_t)(found & ~3u) != context->pc)
            continue;
        context->pc = target & ~3L;
        if (is_spilled) {
            context->registers[ALPHA_AT] = *(const long *)context->registers[ALPHA_SP];
            context->registers[ALPHA_SP] += atomc_spill_distance;
        }
        return;
    }
}

/* If several copies begin at one address, only the last is not empty: determines which was the target. */
static long choose_target(long first, const long *registers) {
    for (long target = first; copy_of((uint64_t)target) == copy_of((uint64_t)first); target += 4)
        for (unsigned r = 0; r < 31; r++)
            if ((registers[r] & ~3L) == target)
                return target;
    return first;
}

long atomc_unforeseen_target(struct saved_context *context) {
    unsigned long pc = (unsigned long)context->pc;
    if (atomc_is_in_text(pc))
        return map_word(pc) & MAP_UNFORESEEN ? (long)pc : 0;
    if (pc >> 31 != ~0ul >> 31) /* ldl extends the sign in the same way */
        return 0;
    int is_landing = (pc & MAP_LANDING) == 0;
    unsigned long copy = (uint32_t)(pc | MAP_LANDING) & ~MAP_UNFORESEEN;
    long target = atomc_begins_copy(copy) ? atomc_original_of(copy, 0) : 0;
    if (!target || !atomc_is_in_text((unsigned long)target) || !(map_word((uint64_t)target) & MAP_UNFORESEEN))
        return 0;
    if (!entries)
        first_jump = atomc_original_of(jump_to(target, context->registers), 0);
    if (is_landing) { /* the code would reload the register */
        context->registers[ALPHA_AT] = *(const long *)context->registers[ALPHA_SP];
        context->registers[ALPHA_SP] += atomc_spill_distance;
    }
    return context->pc = choose_target(target, context->registers); /* another query has the same result */
}

/* ---- what the copy takes for granted ---------------------------------------------------------------------------- */

static int is_transfer(uint32_t word) {
    unsigned format = atomc_kind_of(word)->format;
    return format == ALPHA_FORMAT_INVALID || format == ALPHA_FORMAT_PAL || format == ALPHA_FORMAT_JUMP ||
           format == ALPHA_FORMAT_BRANCH;
}

/* True if the instruction computes or loads the register's value. Some such instructions are not known
   here, which is safe.
 */
static int sets_register(uint32_t word, unsigned reg) {
    const struct atomc_kind *kind = atomc_kind_of(word);
    switch (kind->opcode) {
    case ALPHA_LDA:
    case ALPHA_LDAH:
    case ALPHA_LDQ:
    case ALPHA_LDL:
    case ALPHA_LDQ_U:
    case ALPHA_LDWU:
    case ALPHA_LDBU:
        return alpha_ra(word) == reg;
    default:
        return (kind->format == ALPHA_FORMAT_OPERATE || kind->format == ALPHA_FORMAT_LITERAL) &&
               alpha_rc(word) == reg;
    }
}

/* The source of a register move to `reg`; ALPHA_ZERO for other instructions. */
static unsigned moved_register(uint32_t word, unsigned reg) {
    if (!ALPHA_IS(word, BISr) || alpha_rc(word) != reg)
        return ALPHA_ZERO;
    return alpha_ra(word) == ALPHA_ZERO   ? alpha_rb(word)
           : alpha_rb(word) == ALPHA_ZERO ? alpha_ra(word)
                                          : ALPHA_ZERO;
}

/* The origin of the register's value before an instruction, within the block: moves are followed
   backwards. */
struct origin {
    long address; /* number of the instruction; 0: none in the block */
    unsigned reg; /* the register at `from` that becomes it, if the instruction is earlier */
    uint32_t word;
    int is_unknown; /* the block is too long */
};

/* `from`: the instruction that control has reached; `address`: the instruction that needs the value. */
static struct origin origin_of(unsigned reg, long from, long address) {
    struct origin found = {.reg = reg};
    unsigned now = reg;
    for (int i = 0; i < LONGEST_BLOCK; i++) {
        if (address == from)
            found.reg = now;
        address -= 4;
        uint32_t word = atomc_is_in_text((unsigned long)address) ? atomc_original_word(address) : 0;
        if (is_transfer(word))
            return found;
        if (!sets_register(word, now))
            continue;
        unsigned moved = moved_register(word, now);
        if (moved == ALPHA_ZERO) {
            found.address = address;
            found.word = word;
            return found;
        }
        now = moved;
    }
    found.is_unknown = 1;
    return found;
}

/* A jump through a register that the block loads from the table of addresses: its target is the address that
   atomc read there. */
static int target_differs(const struct saved_context *context, long from, long jump, uint32_t word) {
    struct origin origin = origin_of(alpha_rb(word), from, jump);
    long loaded;
    if (origin.is_unknown)
        return 1;
    if (!origin.address || origin.address >= from || !ALPHA_IS(origin.word, LDQ) ||
        alpha_rb(origin.word) != ALPHA_GP)
        return 0;
    unsigned long at = (unsigned long)(context->registers[ALPHA_GP] + alpha_memory_displacement(origin.word));
    return at & 7 || !atomc_try_load(at, &loaded) || loaded != context->registers[origin.reg];
}

/* The address after a call is computed from the block's, if that first computes $29 from $26. */
static int link_differs(const struct saved_context *context, long from) {
    long address = from - 4;
    for (int i = 0; i < LONGEST_BLOCK; i++, address -= 4) {
        uint32_t word = atomc_is_in_text((unsigned long)address) ? atomc_original_word(address) : 0;
        if (is_transfer(word) || sets_register(word, ALPHA_RA))
            return 0;
        if (ALPHA_IS(word, LDAH) && alpha_ra(word) == ALPHA_GP && alpha_rb(word) == ALPHA_RA)
            return context->registers[ALPHA_RA] != address;
    }
    return 1;
}

/* A system call whose number the block sets may be one that the runtime does not handle. */
static int number_differs(const struct saved_context *context, long from, long call) {
    struct origin origin = origin_of(ALPHA_V0, from, call);
    if (origin.is_unknown)
        return 1;
    if (!origin.address || origin.address >= from)
        return 0;
    if (ALPHA_IS(origin.word, LDA) && alpha_rb(origin.word) == ALPHA_ZERO)
        return context->registers[origin.reg] != alpha_memory_displacement(origin.word);
    if (ALPHA_IS(origin.word, BISi) && alpha_ra(origin.word) == ALPHA_ZERO)
        return context->registers[origin.reg] != (long)alpha_literal_field(origin.word);
    return 0;
}

/* Set by the last instruction of the block. */
static int leaves_otherwise(const struct saved_context *context, long from, long last, uint32_t word) {
    int transfers = ALPHA_IS_LIKE(word, JMP) || ALPHA_IS(word, BR) || ALPHA_IS(word, BSR);
    if (word == ALPHA_PAL_CALLSYS)
        return number_differs(context, from, last);
    return (ALPHA_IS_LIKE(word, JMP) && target_differs(context, from, last, word)) ||
           (transfers && alpha_ra(word) != ALPHA_ZERO && link_differs(context, from));
}

/* The end of the instructions that are executed here, from the target on. If no instructions are, returns the
   target. */
static long granted_until(const struct saved_context *context, long target) {
    long until = target;
    int in_block = 1, is_locked = 0;
    for (long i = 0, at = target; i < LONGEST_BLOCK && atomc_is_in_text((unsigned long)at); i++, at += 4) {
        uint32_t word = atomc_original_word(at);
        if (ALPHA_IS(word, LDL_L) || ALPHA_IS(word, LDQ_L))
            is_locked = 1;
        if ((ALPHA_IS(word, STL_C) || ALPHA_IS(word, STQ_C)) && !is_locked && i < LONGEST_SEQUENCE) {
            until = at + 4;
            is_locked = 1;
        }
        if (!is_transfer(word))
            continue;
        if (atomc_kind_of(word)->format == ALPHA_FORMAT_BRANCH && !ALPHA_IS(word, BR) &&
            !ALPHA_IS(word, BSR)) { /* control may fall through, within a locked sequence */
            in_block = 0;
            continue;
        }
        if (in_block && leaves_otherwise(context, target, at, word))
            until = at + 4;
        break;
    }
    return until;
}

/* ---- control goes on ---------------------------------------------------------------------------------------------- */

static void note_jump_entry(long place) {
    const long target = atomc_static(place);
    __sync_fetch_and_add(&entries, 1);
    for (int i = 0; i < MOST_NAMED; i++)
        if (named[i] == target || __sync_bool_compare_and_swap(&named[i], 0, target) || named[i] == target)
            return;
    are_more = 1;
}

void atomc_forget_unforeseen(void) {
    entries = stepped = 0;
    first_jump = 0;
    are_more = 0;
    for (int i = 0; i < MOST_NAMED; i++)
        named[i] = 0;
}

static void note_unresolved_jump(const struct saved_context *context, unsigned long copy,
                                 enum atomc_stop stop, int times) {
    atomc_note_stop(&atomc_image, copy, stop, times, context->registers, atomc_records());
}

/* Control has entered the copy of the instruction from outside, and left after it. */
static void note_stepped(const struct saved_context *context, long address) {
    unsigned long copy = copy_of((uint64_t)address);
    note_unresolved_jump(context, copy, ATOMC_STOP_BEFORE, -1);
    note_unresolved_jump(context, copy, ATOMC_STOP_BEHIND, 1);
    __sync_fetch_and_add(&stepped, 1);
}

/* Executes the instructions up to this end, or until control leaves them. Returns false at one that cannot be
   executed here. */
static int step_until(struct saved_context *context, long until) {
    struct atomc_stepper stepper = {.context = context};
    while (context->pc < until) {
        long address = context->pc;
        uint32_t word = atomc_original_word(address);
        struct saved_context before = *context;
        if (word == ALPHA_PAL_CALLSYS) {
            context->registers[ALPHA_AT] = address + 4; /* a system call need not preserve it */
            context->pc = (long)atomc_system_call_stub();
        } else if (!atomc_step_as(&stepper, word)) {
            return 0;
        }
        note_stepped(&before, address);
        if (!entries)
            note_jump_entry(address);
        if (context->pc != address + 4)
            break;
    }
    return 1;
}

static int is_unforeseen(long address) {
    return (map_word((uint64_t)address) & MAP_UNFORESEEN) != 0;
}

void atomc_go_on_unforeseen(struct saved_context *context) {
    const long target = context->pc;
    long until;
    while (is_unforeseen(context->pc) && (until = granted_until(context, context->pc)) != context->pc)
        if (!step_until(context, until))
            break;
    if (context->pc != target)
        atomc_set_aside(context);
    if (!is_unforeseen(context->pc)) /* control can enter here from outside at any time */
        return;
    context->pc = (long)copy_of((uint64_t)context->pc);
    note_unresolved_jump(context, (unsigned long)context->pc, ATOMC_STOP_BEFORE, -1);
}

/* Registers that several sites of the block share are restored from SITE_FRAME after the last of them
   (engine/copy/scavenge.c). Control that enters between these sites has not stored the registers there. */
static void keep_scavenged(const struct saved_context *context) {
    const uint32_t *code = (const uint32_t *)context->pc;
    unsigned base = ALPHA_ZERO;
    long last = atomc_original_of((unsigned long)context->pc, 0);
    while (atomc_is_in_text((unsigned long)last) && !is_transfer(atomc_original_word(last)))
        last += 4;
    for (const uint32_t *end = (const uint32_t *)copy_of((uint64_t)last); code < end; code++) {
        long offset = alpha_memory_displacement(*code);
        if (*code == ALPHA_MEMORY_WORD(LDAH, alpha_ra(*code), SITE_FRAME >> 16, ALPHA_ZERO))
            base = alpha_ra(*code);
        if (base == ALPHA_ZERO || alpha_rb(*code) != base || offset < SITE_FRAME_SCAVENGED ||
            offset >= SITE_FRAME_ASIDE)
            continue;
        if (ALPHA_IS(*code, STQ)) /* values of another range */
            return;
        if (ALPHA_IS(*code, LDQ))
            *(long *)(SITE_FRAME + offset) = context->registers[alpha_ra(*code)];
        if (ALPHA_IS(*code, LDQ) && alpha_ra(*code) == base) /* the last of them */
            return;
    }
}

void atomc_enter_unforeseen(struct saved_context *context, long target) {
    note_jump_entry(target);
    atomc_clear_records();
    context->pc = target;
    atomc_go_on_unforeseen(context);
    if (atomc_image.own_frames && atomc_is_in_copies((unsigned long)context->pc))
        keep_scavenged(context);
}

/* ---- what is said of it ------------------------------------------------------------------------------------------ */

void atomc_report_unforeseen(void) {
    struct line line = {.length = 0};
    if (!entries)
        return;
    add_text(&line, "atomc: jumps came to places that were not foreseen, ");
    add_number(&line, entries, 10);
    add_text(&line, " in all, the first to 0x");
    add_number(&line, (unsigned long)named[0], 16);
    if (first_jump) {
        add_text(&line, " by the jump at 0x");
        add_number(&line, (unsigned long)first_jump, 16);
    }
    add_text(&line, ": what is done at the beginning of a block was not done there");
    if (stepped) {
        add_text(&line, ", nor what is done at ");
        add_number(&line, stepped, 10);
        add_text(&line, stepped == 1 ? " instruction after it" : " instructions after it");
    }
    add_text(&line, are_more ? ". Some of them are foreseen by atomc" : ". They are foreseen by atomc");
    for (int i = 0; i < MOST_NAMED && named[i]; i++) {
        add_text(&line, " --landing=0x");
        add_number(&line, (unsigned long)named[i], 16);
    }
    add_text(&line, "\n");
    write_line(&line);
}
