/* unresolved_jumps.c: an unresolved jump reaches an instruction in the middle of a block that was not known
   to be a target. Execution continues in the copy from there. Code inserted at the block's beginning is not
   executed. Counts and sums that are made there are corrected, as if the program had been interrupted just
   before the instruction, and resumed (counting.h). The copy may rely on the execution of earlier
   instructions of the block: a register that they set is used by the jump at the block's end, or a locked
   sequence begins at the block's beginning. If they were not executed, the program's own instructions are
   executed step by step instead, until the copy no longer depends on earlier instructions. Compiled without
   floating-point registers. */
#include "runtime/counts/counts.h"
#include "runtime/kernel/line.h"
#include "runtime/machine/machine.h"
#include "runtime/text/text.h"

enum {
    LONGEST_SEQUENCE = 64, /* instructions, of a locked sequence */
    LONGEST_BLOCK = 4096,  /* distance up to which earlier instructions are searched */
    MOST_NAMED = 8,        /* targets in the final message */
};

/* Data for the message when the program has ended. */
static unsigned long entries, stepped;
static long named[MOST_NAMED], first_jump;
static int are_more;

/* ---- who jumped where ------------------------------------------------------------------------------------------ */

/* The jump to that target; 0: unknown. Its target may have been in its link register. */
static unsigned long jump_to(long target, const long *registers) {
    for (unsigned r = 0; r < GENERAL_REGISTERS; r++) {
        struct atomc_lookup lookup;
        unsigned long jump = atomc_find_lookup(r, registers, &lookup);
        long value = jump ? registers[lookup.target] & ~3L : 0;
        if (jump && (value == target || value == atomc_original_of(jump, 0) + 4))
            return jump;
    }
    return 0;
}

/* A register that the copy has spilled for a lookup, because none was free. */
static void take_back_spilled(struct saved_context *context) {
    context->registers[SCRATCH_REGISTER] = *(const long *)context->registers[STACK_REGISTER];
    context->registers[STACK_REGISTER] += atomc_spill_distance;
}

/* The copy looked up an address outside of the text (code on the stack or of a JIT). Executes the rest of the
   sequence with the real target. Code at the target does not reload a spilled register, so it is reloaded
   here. */
int atomc_finish_lookup(struct saved_context *context) {
    long target;
    int is_spilled;
    unsigned long jump = atomc_finish_jump(context, &target, &is_spilled);
    if (!jump)
        return 0;
    if (is_spilled)
        take_back_spilled(context);
    context->pc = target;
    atomc_carry_aside(jump, context);
    return 1;
}

/* The machine ignores the two lowest bits of a jump's target. A lookup in the map includes them: then the
   result spans two map words, and is not an executable address. */
void atomc_straighten(struct saved_context *context) {
    for (unsigned r = 0; r < GENERAL_REGISTERS; r++) {
        struct atomc_lookup lookup;
        if (!atomc_find_lookup(r, context->registers, &lookup))
            continue;
        long target = context->registers[lookup.target];
        const unsigned char *at = (const unsigned char *)(unsigned long)(uint32_t)target + lookup.map;
        if (!(target & 3) || !atomc_is_in_text((unsigned long)target & ~3ul))
            continue;
        uint32_t found = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        if ((int32_t)(found & ~3u) != context->pc)
            continue;
        context->pc = target & ~3L;
        if (lookup.is_spilled)
            take_back_spilled(context);
        return;
    }
}

/* If several copies begin at one address, only the last is not empty: determines which was the target. */
static long choose_target(long first, const long *registers) {
    for (long target = first; copy_of((uint64_t)target) == copy_of((uint64_t)first); target += 4)
        for (unsigned r = 0; r < GENERAL_REGISTERS; r++)
            if ((registers[r] & ~3L) == target)
                return target;
    return first;
}

long atomc_unforeseen_target(struct saved_context *context) {
    unsigned long pc = (unsigned long)context->pc;
    if (atomc_is_in_text(pc))
        return map_word(pc) & MAP_UNFORESEEN ? (long)pc : 0;
    if (!is_unforeseen_address(pc))
        return 0;
    int is_landing = (pc & MAP_LANDING) == 0;
    unsigned long copy = (uint32_t)(pc | MAP_LANDING) & ~MAP_UNFORESEEN;
    long target = atomc_begins_copy(copy) ? atomc_original_of(copy, 0) : 0;
    if (!target || !atomc_is_in_text((unsigned long)target) || !(map_word((uint64_t)target) & MAP_UNFORESEEN))
        return 0;
    if (!entries)
        first_jump = atomc_original_of(jump_to(target, context->registers), 0);
    if (is_landing) /* the code would reload the register */
        take_back_spilled(context);
    return context->pc = choose_target(target, context->registers); /* another query has the same result */
}

/* ---- what the copy takes for granted ---------------------------------------------------------------------------- */

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
        if (atomc_ends_block(word))
            return found;
        if (!atomc_sets_register(word, now))
            continue;
        unsigned moved = atomc_moved_register(word, now);
        if (moved == NO_REGISTER) {
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
    struct origin origin = origin_of(jump_register(word), from, jump);
    unsigned long at;
    long loaded;
    if (origin.is_unknown)
        return 1;
    if (!origin.address || origin.address >= from ||
        !atomc_loads_from_table(origin.word, context->registers, &at))
        return 0;
    return at & 7 || !atomc_try_load(at, &loaded) || loaded != context->registers[origin.reg];
}

/* The address after a call is computed from the block's, if that first computes the table of addresses from
   the return address. */
static int link_differs(const struct saved_context *context, long from) {
    long address = from - 4;
    for (int i = 0; i < LONGEST_BLOCK; i++, address -= 4) {
        uint32_t word = atomc_is_in_text((unsigned long)address) ? atomc_original_word(address) : 0;
        if (atomc_ends_block(word) || atomc_sets_register(word, LINK_REGISTER))
            return 0;
        if (atomc_computes_table(word))
            return context->registers[LINK_REGISTER] != address;
    }
    return 1;
}

/* A system call whose number the block sets may be one that the runtime does not handle. */
static int number_differs(const struct saved_context *context, long from, long call) {
    struct origin origin = origin_of(NUMBER_REGISTER, from, call);
    long number;
    if (origin.is_unknown)
        return 1;
    return origin.address && origin.address < from && atomc_loads_constant(origin.word, &number) &&
           context->registers[origin.reg] != number;
}

/* Set by the last instruction of the block. */
static int leaves_otherwise(const struct saved_context *context, long from, long last, uint32_t word) {
    if (is_system_call_word(word))
        return number_differs(context, from, last);
    return (is_jump_word(word) && target_differs(context, from, last, word)) ||
           (link_of(word) != NO_REGISTER && link_differs(context, from));
}

/* The end of the instructions that are executed here, from the target on. If no instructions are, returns the
   target. */
static long granted_until(const struct saved_context *context, long target) {
    long until = target;
    int in_block = 1, is_locked = 0;
    for (long i = 0, at = target; i < LONGEST_BLOCK && atomc_is_in_text((unsigned long)at); i++, at += 4) {
        uint32_t word = atomc_original_word(at);
        if (is_locked_load(word))
            is_locked = 1;
        if (is_conditional_store(word) && !is_locked && i < LONGEST_SEQUENCE) {
            until = at + 4;
            is_locked = 1;
        }
        if (!atomc_ends_block(word))
            continue;
        if (atomc_is_conditional_branch(word)) { /* control may fall through, within a locked sequence */
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
        if (is_system_call_word(word)) {
            context->registers[SCRATCH_REGISTER] = address + 4; /* a system call need not preserve it */
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
    unsigned base = NO_REGISTER;
    long last = atomc_original_of((unsigned long)context->pc, 0);
    while (atomc_is_in_text((unsigned long)last) && !atomc_ends_block(atomc_original_word(last)))
        last += 4;
    for (const uint32_t *end = (const uint32_t *)copy_of((uint64_t)last); code < end; code++) {
        long offset = access_displacement(*code);
        if (makes_address(*code, SITE_FRAME))
            base = access_register(*code);
        if (base == NO_REGISTER || access_base(*code) != base || offset < SITE_FRAME_SCAVENGED ||
            offset >= SITE_FRAME_ASIDE)
            continue;
        if (is_whole_store(*code)) /* values of another range */
            return;
        if (is_whole_load(*code))
            *(long *)(SITE_FRAME + offset) = REGISTER_VALUE(context->registers, access_register(*code));
        if (is_whole_load(*code) && access_register(*code) == base) /* the last of them */
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
