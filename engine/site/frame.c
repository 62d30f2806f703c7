/* frame.c: the frame that code at a site computes in: which registers it takes, which it saves, and where.
   Requires what the site needs, and what is live. */
#include "engine/site/internal.h"
#include "engine/routine/routine.h"
#include "engine/dataflow/dataflow.h"

void need_at_least(struct needs *needs, const struct needs *other, unsigned held) {
    if (other->temporaries + held > needs->temporaries)
        needs->temporaries = other->temporaries + held;
    needs->clobbers |= other->clobbers;
    needs->destroyed |= other->destroyed;
    needs->frame |= other->frame;
}

bool frame_lay_out(struct frame *frame, const struct needs *needs, alpha_register_set needed,
                   alpha_register_set sources) {
    frame->temporary = frame_choose(needs->temporaries, needs->clobbers | sources | FRAME_AVOIDS, needed);
    if ((unsigned)__builtin_popcountll(frame->temporary) < needs->temporaries)
        return false;
    frame->saved = (needs->clobbers | needs->destroyed | frame->temporary) & needed;
    frame->present = needs->frame || frame->saved != 0 || frame->context->old_on_stack;
    /* On a stack of its own there is room above the pointer, unless two things have to be just there. */
    bool old = frame->context->old_on_stack,
         own = frame->rewrite->code->stack_offset && !(old && frame->outgoing > 0);
    frame->scratch = own && old ? OLD_ROOM : frame->outgoing;
    if (frame->rewrite->code->scavenged)
        frame->scratch = OLD_ROOM + 8 * frame->rewrite->code->scavenged;
    uint32_t next = frame->scratch / 8 + 1;
    for (unsigned r = 0; r < 64; r++)
        if (frame->saved & REGISTER_BIT(r))
            frame->slot[r] = (uint8_t)next++;
    frame->lowered = own ? 0 : (8 * next + 15) & ~15u;
    return true;
}

/* The saved registers have slots in the order of their numbers. */
static uint32_t first_slot(const struct frame *frame) {
    return frame->saved ? 8u * frame->slot[__builtin_ctzll(frame->saved)] : 0;
}

void frame_enter(struct frame *frame) {
    if (frame->present)
        emit_enter_stack(frame->rewrite, &frame->rewrite->code->copies, frame->lowered);
    save_registers(&frame->rewrite->code->copies, frame->saved, first_slot(frame));
}

void frame_leave(struct frame *frame) {
    restore_registers(&frame->rewrite->code->copies, frame->saved, first_slot(frame));
    if (frame->present)
        emit_leave_stack(frame->rewrite, &frame->rewrite->code->copies, frame->lowered);
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

void frame_fetch(struct frame *frame, unsigned source, unsigned to) {
    struct code *code = frame_code(frame);
    if (source >= 32 && !(frame->gone & frame->saved & REGISTER_BIT(source))) {
        emit(code, alpha_memory(ALPHA_STT, source - 32, (int)frame->scratch, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_LDQ, to, (int)frame->scratch, ALPHA_SP));
    } else if (source == ALPHA_SP && frame->present) {
        emit(code, alpha_memory(ALPHA_LDA, to, (int)frame->lowered, ALPHA_SP));
        if (frame->rewrite->code->stack_offset)
            emit(code, alpha_memory(ALPHA_LDAH, to, frame->rewrite->code->stack_offset, to));
    } else if (frame->gone & frame->saved & REGISTER_BIT(source)) {
        emit(code, alpha_memory(ALPHA_LDQ, to, 8 * frame->slot[source], ALPHA_SP));
    } else {
        emit_move(code, source, to);
    }
}
