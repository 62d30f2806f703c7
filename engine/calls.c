/* calls.c: the code at a site: a frame, the arguments, a bsr to the routine's wrapper for each call.
   Requires the sites' dynamic values to be valid at the instruction (select.c has checked). */
#include "engine/rewrite.h"

#define BIT(r)             (UINT64_C(1) << (r))
#define REGISTER_ARGUMENTS 6

/* The frame of a site: [stack arguments][a floating-point scratch slot][saved registers]. */
struct frame {
    uint32_t outgoing; /* bytes of stack arguments */
    uint32_t scratch;  /* offset of the scratch slot */
    uint32_t size;     /* bytes, a multiple of 16 */
    int shadow;        /* rewrite.shadow */
    alpha_register_set saved;
    alpha_register_set gone; /* registers that no longer hold the program's value */
    uint8_t slot[32];        /* of saved registers: offset / 8 */
};

static uint32_t word_at(const struct rewrite *rewrite, uint32_t instruction) {
    return rewrite->program->text[instruction];
}

static unsigned argument_source(uint32_t word, const struct site_argument *argument) {
    switch (argument->value) {
    case PLAN_VALUE_ADDRESS:
        return alpha_rb(word);
    case PLAN_VALUE_TARGET:
        return alpha_decode(word)->flags & ALPHA_INDIRECT ? alpha_rb(word) : ALPHA_ZERO;
    case PLAN_VALUE_TAKEN:
        return alpha_decode(word)->flags & ALPHA_FLOATING ? 32 + alpha_ra(word) : alpha_ra(word);
    case PLAN_VALUE_RETURN:
        return ALPHA_V0;
    case PLAN_VALUE_REGISTER:
        return argument->operand;
    default:
        return ALPHA_ZERO;
    }
}

alpha_register_set site_sources(const struct rewrite *rewrite, const struct site *site,
                                uint32_t instruction) {
    alpha_register_set sources = 0;
    for (uint32_t i = 0; i < site->argument_count; i++)
        if (site->arguments[i].kind == SITE_VALUE)
            sources |= BIT(argument_source(word_at(rewrite, instruction), &site->arguments[i]));
    return sources & ~(BIT(ALPHA_ZERO) | BIT(63));
}

/* Loads the program's value of an integer or floating-point register into an integer register. */
static void fetch(struct code *code, struct frame *frame, unsigned source, unsigned to) {
    if (source >= 32) {
        emit(code, alpha_memory(ALPHA_STT, source - 32, (int)frame->scratch, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_LDQ, to, (int)frame->scratch, ALPHA_SP));
    } else if (source == ALPHA_SP) {
        emit(code, alpha_memory(ALPHA_LDA, to, (int)frame->size, ALPHA_SP));
        if (frame->shadow)
            emit(code, alpha_memory(ALPHA_LDAH, to, frame->shadow, to));
    } else if (frame->gone & BIT(source)) {
        emit(code, alpha_memory(ALPHA_LDQ, to, 8 * frame->slot[source], ALPHA_SP));
    } else {
        emit_move(code, source, to);
    }
}

/* 1 in `to` if the conditional branch at hand will be taken, else 0. Floating-point branches test the bits:
   the sign, and whether all others are zero (Alpha Architecture Reference Manual, 4.9.1). */
static void emit_taken(struct code *code, struct frame *frame, uint32_t word, unsigned to) {
    unsigned source = alpha_ra(word);
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    bool floating = descriptor->flags & ALPHA_FLOATING;
    unsigned helper = to == ALPHA_RA ? ALPHA_A0 : ALPHA_RA;
    fetch(code, frame, floating ? 32 + source : source, to);
    switch (descriptor->opcode_id) {
    case ALPHA_FBEQ:
    case ALPHA_FBNE:
        emit(code, alpha_operate(ALPHA_ADDQr, to, to, to)); /* the sign goes: -0 is 0 */
        /* fall through */
    default:
        break;
    }
    switch (descriptor->opcode_id) {
    case ALPHA_BEQ:
    case ALPHA_FBEQ:
        emit(code, alpha_literal(ALPHA_CMPEQi, to, 0, to));
        break;
    case ALPHA_BNE:
    case ALPHA_FBNE:
        emit(code, alpha_operate(ALPHA_CMPULTr, ALPHA_ZERO, to, to));
        break;
    case ALPHA_BLT:
        emit(code, alpha_literal(ALPHA_SRLi, to, 63, to));
        break;
    case ALPHA_BGE:
        emit(code, alpha_operate(ALPHA_CMPLEr, ALPHA_ZERO, to, to));
        break;
    case ALPHA_BLE:
    case ALPHA_FBLE: /* as integers too: -0 is the most negative, NaNs sort by sign */
        emit(code, alpha_literal(ALPHA_CMPLEi, to, 0, to));
        break;
    case ALPHA_BGT:
    case ALPHA_FBGT:
        emit(code, alpha_operate(ALPHA_CMPLTr, ALPHA_ZERO, to, to));
        break;
    case ALPHA_BLBS:
        emit(code, alpha_literal(ALPHA_ANDi, to, 1, to));
        break;
    case ALPHA_BLBC:
        emit(code, alpha_literal(ALPHA_ANDi, to, 1, to));
        emit(code, alpha_literal(ALPHA_XORi, to, 1, to));
        break;
    case ALPHA_FBLT:
    case ALPHA_FBGE: /* (v - 1) & v is negative for negative v but -0 */
        emit(code, alpha_literal(ALPHA_SUBQi, to, 1, helper));
        emit(code, alpha_operate(ALPHA_ANDr, to, helper, to));
        emit(code, alpha_literal(ALPHA_SRLi, to, 63, to));
        if (descriptor->opcode_id == ALPHA_FBGE)
            emit(code, alpha_literal(ALPHA_XORi, to, 1, to));
        frame->gone |= BIT(helper);
        break;
    default:
        break;
    }
}

static void emit_value(struct rewrite *rewrite, struct frame *frame, const struct call_context *context,
                       const struct site_argument *argument, unsigned to) {
    struct code *code = &rewrite->copies;
    uint32_t word = word_at(rewrite, context->instruction);
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    switch (argument->value) {
    case PLAN_VALUE_ADDRESS:
        fetch(code, frame, alpha_rb(word), to);
        if (alpha_memory_displacement(word) != 0)
            emit(code, alpha_memory(ALPHA_LDA, to, alpha_memory_displacement(word), to));
        if (descriptor->flags & ALPHA_UNALIGNED)
            emit(code, alpha_literal(ALPHA_BICi, to, 7, to));
        break;
    case PLAN_VALUE_TAKEN:
        if (context->taken >= 0)
            emit_constant(rewrite, code, context->taken, to);
        else
            emit_taken(code, frame, word, to);
        break;
    case PLAN_VALUE_PC:
        emit_constant(rewrite, code, (int64_t)instruction_address(rewrite->program, context->instruction),
                      to);
        break;
    case PLAN_VALUE_TARGET:
        if (descriptor->flags & ALPHA_INDIRECT) {
            fetch(code, frame, alpha_rb(word), to);
            emit(code, alpha_literal(ALPHA_BICi, to, 3, to));
        } else {
            emit_constant(rewrite, code,
                          (int64_t)instruction_address(rewrite->program, context->instruction + 1) +
                              4 * (int64_t)alpha_branch_displacement(word),
                          to);
        }
        break;
    case PLAN_VALUE_THREAD:
        emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
        frame->gone |= BIT(ALPHA_V0);
        emit_move(code, ALPHA_V0, to);
        break;
    default:
        fetch(code, frame, argument_source(word, argument), to);
        break;
    }
}

/* The calling standard wants narrow arguments extended to 64 bits; unsigned int sign-extended like int. */
static void emit_narrowing(struct code *code, const struct plan_parameter *parameter, unsigned to) {
    unsigned shift = parameter->type == PLAN_C_CHAR ? 56 : 48;
    switch (parameter->type) {
    case PLAN_C_INT:
        emit(code, alpha_literal(ALPHA_ADDLi, to, 0, to));
        break;
    case PLAN_C_CHAR:
    case PLAN_C_SHORT:
        emit(code, alpha_literal(ALPHA_SLLi, to, shift, to));
        emit(code, alpha_literal(parameter->is_unsigned ? ALPHA_SRLi : ALPHA_SRAi, to, shift, to));
        break;
    default:
        break;
    }
}

static void emit_argument(struct rewrite *rewrite, struct frame *frame, const struct call_context *context,
                          const struct site *site, uint32_t number, unsigned to) {
    struct code *code = &rewrite->copies;
    const struct site_argument *argument = &site->arguments[number];
    const struct plan_routine *routine = &rewrite->plan->routines[site->routine];
    switch (argument->kind) {
    case SITE_CONSTANT:
        emit_constant(rewrite, code, argument->constant, to);
        break;
    case SITE_STRING:
        emit_address(code, table_string(rewrite, argument->string), to);
        break;
    default:
        emit_value(rewrite, frame, context, argument, to);
        if (number < routine->parameter_count)
            emit_narrowing(code, &routine->parameters[number], to);
        break;
    }
    frame->gone |= BIT(to);
}

static void emit_call(struct rewrite *rewrite, struct frame *frame, const struct call_context *context,
                      const struct site *site, alpha_register_set needed) {
    struct code *code = &rewrite->copies;
    for (uint32_t i = REGISTER_ARGUMENTS; i < site->argument_count; i++) {
        emit_argument(rewrite, frame, context, site, i, ALPHA_RA);
        emit(code, alpha_memory(ALPHA_STQ, ALPHA_RA, 8 * (int)(i - REGISTER_ARGUMENTS), ALPHA_SP));
    }
    for (uint32_t i = 0; i < site->argument_count && i < REGISTER_ARGUMENTS; i++)
        emit_argument(rewrite, frame, context, site, i, ALPHA_A0 + i);
    alpha_register_set saves = wrapper_clobbers(rewrite, site->routine) & needed & ~frame->saved;
    uint32_t wrapper = wrapper_address(rewrite, site->routine, saves);
    int64_t distance = ((int64_t)wrapper - (int64_t)code_address(code) - 4) / 4;
    if (alpha_branch_reaches(distance)) {
        emit(code, alpha_branch(ALPHA_BSR, ALPHA_RA, distance));
    } else {
        emit_address(code, wrapper, ALPHA_RA);
        emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_RA, 0));
    }
    frame->gone |= frame->saved; /* the link and argument registers */
    rewrite->statistics.calls_made++;
}

static bool wants_thread(const struct site *site) {
    for (uint32_t i = 0; i < site->argument_count; i++)
        if (site->arguments[i].kind == SITE_VALUE && site->arguments[i].value == PLAN_VALUE_THREAD)
            return true;
    return false;
}

void calls_emit(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                const struct call_context *context) {
    struct code *code = &rewrite->copies;
    struct frame frame = {.shadow = rewrite->shadow};
    alpha_register_set live = context->live | rewrite->observed;
    alpha_register_set needed = rewrite->options->no_liveness ? ~UINT64_C(0) : live;
    alpha_register_set used = BIT(ALPHA_RA);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t arguments = sites[i]->argument_count;
        alpha_register_set sources = site_sources(rewrite, sites[i], context->instruction);
        needed |= sources;
        rewrite->observed |= sources & ~live;
        for (uint32_t j = 0; j < arguments && j < REGISTER_ARGUMENTS; j++)
            used |= BIT(ALPHA_A0 + j);
        if (wants_thread(sites[i]))
            used |= BIT(ALPHA_V0);
        if (arguments > REGISTER_ARGUMENTS && 8 * (arguments - REGISTER_ARGUMENTS) > frame.outgoing)
            frame.outgoing = 8 * (arguments - REGISTER_ARGUMENTS);
    }
    frame.scratch = frame.outgoing;
    frame.saved = used & needed;
    uint32_t next = frame.scratch / 8 + 1;
    for (unsigned r = 0; r < 32; r++)
        if (frame.saved & BIT(r))
            frame.slot[r] = (uint8_t)next++;
    frame.size = (8 * next + 15) & ~15u;

    emit_enter_stack(rewrite, code, frame.size);
    for (unsigned r = 0; r < 32; r++)
        if (frame.saved & BIT(r))
            emit(code, alpha_memory(ALPHA_STQ, r, 8 * frame.slot[r], ALPHA_SP));
    for (uint32_t i = 0; i < count; i++)
        emit_call(rewrite, &frame, context, sites[i], needed);
    for (unsigned r = 0; r < 32; r++)
        if (frame.saved & BIT(r))
            emit(code, alpha_memory(ALPHA_LDQ, r, 8 * frame.slot[r], ALPHA_SP));
    emit_leave_stack(rewrite, code, frame.size);
    rewrite->statistics.registers_saved += (uint64_t)__builtin_popcountll(frame.saved);
}
