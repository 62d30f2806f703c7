/* frame.c: the frame for code at a site: the registers that it uses, the registers that it saves, and their
   slots. Requires the site's needs, and liveness. */
#include "engine/site/internal.h"
#include "engine/routine/routine.h"
#include "engine/dataflow/dataflow.h"

void need_at_least(struct needs *needs, const struct needs *other, unsigned held) {
    if (other->temporaries + held > needs->temporaries)
        needs->temporaries = other->temporaries + held;
    needs->clobbers |= other->clobbers;
    needs->destroyed |= other->destroyed;
    needs->frame |= other->frame;
    needs->calls |= other->calls;
}

/* Chooses a dead register as the base of SITE_FRAME, preferably one that the code does not compute in. */
static void choose_base(struct frame *frame, const struct needs *needs, register_set needed) {
    register_set changed = frame->temporary | needs->clobbers | needs->destroyed;
    const register_set stack = set_of(frame->rewrite->machine->registers->stack);
    unsigned base = free_register(machine_registers(frame->rewrite), needed | changed | stack);
    frame->base_is_kept = base != NO_INDEX;
    if (base == NO_INDEX)
        base = free_register(machine_registers(frame->rewrite), needed | stack);
    frame->base = base == NO_INDEX ? NO_REGISTER : (uint8_t)base;
}

static void lay_out_on_stack(struct frame *frame) {
    uint32_t words = frame->scratch / 8 + 1 + (uint32_t)__builtin_popcountll(frame->saved);
    frame->own = false;
    frame->moves_stack = true;
    frame->spills = frame->rewrite->code->own_frames;
    frame->lowered = frame->spills ? 0 : (8 * words + 15) & ~15u;
}

void frame_without_base(struct frame *frame) {
    if (!frame->moves_stack) {
        lay_out_on_stack(frame);
    } else {
        frame->base = NO_REGISTER;
        frame->spills = true;
    }
}

/* The register of the return address is also used if no call changes it and no register then has to be saved;
   otherwise it is the base. */
static register_set choose_temporaries(const struct rewrite *rewrite, const struct needs *needs,
                                       register_set needed, register_set sources) {
    const register_set link = REGISTER_BIT(rewrite->machine->registers->link),
                       never = frame_avoids(rewrite->machine), avoid = needs->clobbers | sources;
    register_set chosen = frame_choose(machine_registers(rewrite), needs->temporaries,
                                       avoid | (never & ~link), needed | needs->destroyed);
    return !(chosen & (needed | needs->destroyed))
               ? chosen
               : frame_choose(machine_registers(rewrite), needs->temporaries, avoid | never, needed);
}

bool frame_lay_out(struct frame *frame, const struct needs *needs, register_set needed,
                   register_set sources) {
    frame->temporary = choose_temporaries(frame->rewrite, needs, needed, sources);
    if ((unsigned)__builtin_popcountll(frame->temporary) < needs->temporaries)
        return false;
    frame->saved = (needs->clobbers | needs->destroyed | frame->temporary) & needed;
    frame->scratch = frame->outgoing;
    uint32_t next = frame->scratch / 8 + 1;
    for (unsigned r = 0; r < 64; r++)
        if (frame->saved & REGISTER_BIT(r))
            frame->slot[r] = (uint8_t)next++;
    bool is_present = needs->frame || needs->calls || frame->saved != 0;
    frame->lowered = 0;
    frame->spills = false;
    frame->own = frame->rewrite->code->own_frames;
    frame->moves_stack = frame->own && needs->calls;
    if (frame->own) {
        choose_base(frame, needs, needed | sources);
        if ((needs->calls || frame->saved) && frame->base == NO_REGISTER)
            frame_without_base(frame);
    } else if (is_present) {
        lay_out_on_stack(frame);
    }
    return true;
}

unsigned frame_effort(const struct frame *frame) {
    unsigned effort = 2 * (unsigned)__builtin_popcountll(frame->saved);
    if (!frame->own)
        return effort + (frame->spills || frame->lowered ? 2 : 0);
    return effort + (frame->saved ? frame->base_is_kept ? 1 : 2 : 0);
}

/* Saved registers have slots in the order of their numbers. */
static uint32_t first_slot(const struct frame *frame) {
    return frame->saved ? 8u * frame->slot[__builtin_ctzll(frame->saved)] : 0;
}

/* Any register but the stack pointer will do; its value is restored at the end. */
static void enter_by_spilling(const struct rewrite *rewrite, struct code *code) {
    const unsigned by = code->machine->registers->spill;
    emit_spill(rewrite, code, by);
    emit_enter_stack(code, by);
    machine_load(code, by, code->machine->registers->stack, SITE_FRAME_STACK_POINTER);
    machine_load(code, by, by, 0);
}

/* The register may be needed to find the program's stack: then it is restored there once more. */
static void leave_by_spilling(const struct rewrite *rewrite, struct code *code) {
    const unsigned by = code->machine->registers->spill;
    emit_leave_stack(code, by);
    if (set_of(code->machine->registers->stack))
        emit_raise_spill(rewrite, code);
    else
        emit_take_back(rewrite, code, by);
}

void frame_enter(struct frame *frame) {
    struct code *code = frame_code(frame);
    unsigned base = code->machine->registers->stack;
    if (!frame->own && frame->spills) {
        emit_lower_spill(frame->rewrite, code);
    } else if (!frame->own) {
        machine_lower_stack(code, frame->lowered);
    } else if (frame->moves_stack && frame->base == NO_REGISTER) {
        enter_by_spilling(frame->rewrite, code);
    } else if (frame->moves_stack) {
        emit_enter_stack(code, frame->base);
    } else if (frame->saved) {
        base = frame->base;
        emit_site_frame(code, base);
    }
    machine_save(code, frame->saved, base, first_slot(frame));
}

void frame_leave(struct frame *frame) {
    struct code *code = frame_code(frame);
    bool by_base = frame->own && !frame->moves_stack && frame->saved;
    if (by_base && !frame->base_is_kept)
        emit_site_frame(code, frame->base);
    machine_restore(code, frame->saved, by_base ? frame->base : code->machine->registers->stack,
                    first_slot(frame));
    if (frame->own && frame->moves_stack && frame->spills)
        leave_by_spilling(frame->rewrite, code);
    else if (frame->own && frame->moves_stack)
        emit_leave_stack(code, frame->base);
    else if (frame->spills)
        emit_raise_spill(frame->rewrite, code);
    else
        machine_raise_stack(code, frame->lowered);
}

unsigned frame_take(struct frame *frame) {
    register_set unsaved = frame->temporary & ~frame->saved;
    unsigned temporary = (unsigned)__builtin_ctzll(unsaved ? unsaved : frame->temporary);
    frame->temporary &= ~REGISTER_BIT(temporary);
    frame->gone |= REGISTER_BIT(temporary);
    return temporary;
}

void frame_give_back(struct frame *frame, unsigned temporary) {
    frame->temporary |= REGISTER_BIT(temporary);
}

unsigned frame_base(struct frame *frame, unsigned scratch) {
    if (frame->moves_stack)
        return frame->rewrite->machine->registers->stack;
    emit_site_frame(frame_code(frame), scratch);
    return scratch;
}

void frame_fetch(struct frame *frame, unsigned source, unsigned to) {
    struct code *code = frame_code(frame);
    const unsigned stack = code->machine->registers->stack;
    if (source == code->machine->registers->zero && !set_of(source)) {
        machine_clear(code, to);
    } else if (source >= 32 && source != stack && !(frame->gone & frame->saved & REGISTER_BIT(source))) {
        unsigned base = frame_base(frame, to);
        machine_store(code, source, base, (int)frame->scratch);
        machine_load(code, to, base, (int)frame->scratch);
    } else if (source == stack && frame->moves_stack && frame->own) {
        if (!frame->spills || !set_of(stack)) {
            machine_load(code, to, stack, SITE_FRAME_STACK_POINTER);
            if (frame->spills)
                emit_above_spill(frame->rewrite, code, to, to);
        } else {
            emit_leave_stack(code, stack);
            emit_above_spill(frame->rewrite, code, stack, to);
            emit_site_frame(code, stack);
        }
    } else if (source == stack && frame->spills) {
        emit_above_spill(frame->rewrite, code, stack, to);
    } else if (source == stack && frame->moves_stack) {
        machine_add_constant(code, stack, frame->lowered, to);
    } else if (frame->gone & frame->saved & set_of(source)) {
        machine_load(code, to, frame_base(frame, to), 8 * frame->slot[source]);
    } else {
        machine_move(code, source, to);
    }
}
