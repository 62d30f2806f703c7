/* frame.c: the frame that code at a site computes in: which registers it uses, which of them it saves, and
   where. Requires the site's needs, and liveness. */
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
static void choose_base(struct frame *frame, const struct needs *needs, alpha_register_set needed) {
    alpha_register_set changed = frame->temporary | needs->clobbers | needs->destroyed;
    unsigned base = free_register(needed | changed | REGISTER_BIT(ALPHA_SP));
    frame->base_is_kept = base != NO_INDEX;
    if (base == NO_INDEX)
        base = free_register(needed | REGISTER_BIT(ALPHA_SP));
    frame->base = base == NO_INDEX ? ALPHA_ZERO : (uint8_t)base;
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
        frame->base = ALPHA_ZERO;
        frame->spills = true;
    }
}

/* The return address's register is also used if no call changes it and no register then has to be saved;
   else it is the base. */
static alpha_register_set choose_temporaries(const struct needs *needs, alpha_register_set needed,
                                             alpha_register_set sources) {
    const alpha_register_set link = REGISTER_BIT(ALPHA_RA), avoid = needs->clobbers | sources;
    alpha_register_set chosen =
        frame_choose(needs->temporaries, avoid | (FRAME_AVOIDS & ~link), needed | needs->destroyed);
    return !(chosen & (needed | needs->destroyed))
               ? chosen
               : frame_choose(needs->temporaries, avoid | FRAME_AVOIDS, needed);
}

bool frame_lay_out(struct frame *frame, const struct needs *needs, alpha_register_set needed,
                   alpha_register_set sources) {
    frame->temporary = choose_temporaries(needs, needed, sources);
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
        if ((needs->calls || frame->saved) && frame->base == ALPHA_ZERO)
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

/* Any register but $30 will do; its value is restored at the end. */
static void enter_by_spilling(const struct rewrite *rewrite, struct code *code) {
    emit_spill(rewrite, code, ALPHA_AT);
    emit_enter_stack(code, ALPHA_AT);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_AT, SITE_FRAME_STACK_POINTER, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_AT, 0, ALPHA_AT));
}

void frame_enter(struct frame *frame) {
    struct code *code = frame_code(frame);
    unsigned base = ALPHA_SP;
    if (!frame->own && frame->spills) {
        emit_lower_spill(frame->rewrite, code);
    } else if (!frame->own) {
        emit_lower_stack(code, frame->lowered);
    } else if (frame->moves_stack && frame->base == ALPHA_ZERO) {
        enter_by_spilling(frame->rewrite, code);
    } else if (frame->moves_stack) {
        emit_enter_stack(code, frame->base);
    } else if (frame->saved) {
        base = frame->base;
        emit_site_frame(code, base);
    }
    save_registers(code, frame->saved, base, first_slot(frame));
}

void frame_leave(struct frame *frame) {
    struct code *code = frame_code(frame);
    bool by_base = frame->own && !frame->moves_stack && frame->saved;
    if (by_base && !frame->base_is_kept)
        emit_site_frame(code, frame->base);
    restore_registers(code, frame->saved, by_base ? frame->base : ALPHA_SP, first_slot(frame));
    if (frame->own && frame->moves_stack)
        emit_leave_stack(code);
    if (frame->spills)
        emit_raise_spill(frame->rewrite, code);
    else
        emit_raise_stack(code, frame->lowered);
}

unsigned frame_take(struct frame *frame) {
    alpha_register_set unsaved = frame->temporary & ~frame->saved;
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
        return ALPHA_SP;
    emit_site_frame(frame_code(frame), scratch);
    return scratch;
}

void frame_fetch(struct frame *frame, unsigned source, unsigned to) {
    struct code *code = frame_code(frame);
    if (source >= 32 && !(frame->gone & frame->saved & REGISTER_BIT(source))) {
        unsigned base = frame_base(frame, to);
        emit(code, alpha_memory(ALPHA_STT, source - 32, (int)frame->scratch, base));
        emit(code, alpha_memory(ALPHA_LDQ, to, (int)frame->scratch, base));
    } else if (source == ALPHA_SP && frame->moves_stack && frame->own) {
        if (!frame->spills) {
            emit(code, alpha_memory(ALPHA_LDQ, to, SITE_FRAME_STACK_POINTER, ALPHA_SP));
        } else {
            emit_leave_stack(code);
            emit_above_spill(frame->rewrite, code, to);
            emit_site_frame(code, ALPHA_SP);
        }
    } else if (source == ALPHA_SP && frame->spills) {
        emit_above_spill(frame->rewrite, code, to);
    } else if (source == ALPHA_SP && frame->moves_stack) {
        emit(code, alpha_memory(ALPHA_LDA, to, (int)frame->lowered, ALPHA_SP));
    } else if (frame->gone & frame->saved & REGISTER_BIT(source)) {
        emit(code, alpha_memory(ALPHA_LDQ, to, 8 * frame->slot[source], frame_base(frame, to)));
    } else {
        emit_move(code, source, to);
    }
}
