/* arguments.c: the arguments of an AddCall: their kinds and validity, and copies of arguments in memory.
   Requires a prototype; arguments without a meaning at the place are reported here, at the user's line, not
   by the engine. */
#include "atom/recording.h"

#include <stdlib.h>
#include <string.h>

static const char *const wanted_names[] = {
    [PARAMETER_CHAR] = "a char",     [PARAMETER_INT] = "an int",       [PARAMETER_LONG] = "a long",
    [PARAMETER_STRING] = "a char *", [PARAMETER_CHARS] = "a char[]",   [PARAMETER_INTS] = "an int[]",
    [PARAMETER_LONGS] = "a long[]",  [PARAMETER_VALUE] = "a VALUE",    [PARAMETER_REGV] = "a REGV",
    [PARAMETER_FREGV] = "a FREGV",   [PARAMETER_XLATE] = "an XLATE *",
};
static const char *const passed_names[] = {
    [ATOM_INTEGER] = "an integer",
    [ATOM_STRING] = "a char *",
    [ATOM_INTS] = "an int *",
    [ATOM_LONGS] = "a long *",
    [ATOM_XLATE] = "an Xlate *",
    [ATOM_POINTER] = "a void *",
    [ATOM_OTHER] = "of a type that no routine takes",
};

/* The call whose arguments are made. */
struct argument_context {
    const char *routine;
    struct atom_call *call;
    int number;    /* of the parameter, of AddCall... */
    int arguments; /* for a replaced procedure: the number of its arguments used so far */
};

static struct plan_expression *make(enum plan_operator op, enum plan_type type) {
    struct plan_expression *expression = arena_allocate(session.recording->arena, sizeof *expression);
    expression->op = op;
    expression->type = type;
    return expression;
}

static const struct plan_expression *integer(int64_t value) {
    struct recording *recording = session.recording;
    bool small = value >= 0 && value < (int64_t)(sizeof recording->small / sizeof recording->small[0]);
    if (small && recording->small[value])
        return recording->small[value];
    struct plan_expression *constant = make(PLAN_OP_INTEGER, PLAN_TYPE_INTEGER);
    constant->integer = value;
    if (small)
        recording->small[value] = constant;
    return constant;
}

static const struct plan_expression *dynamic(const struct plan_expression **shared, enum plan_value value,
                                             const struct plan_expression *operand) {
    if (!*shared) {
        struct plan_expression *made = make(PLAN_OP_VALUE, plan_values[value].type);
        made->value = value;
        made->dynamic = true;
        made->operand[0] = operand;
        *shared = made;
    }
    return *shared;
}

/* ---- registers ---------------------------------------------------------------------------------------- */

static const struct plan_expression *register_value(const struct argument_context *context, int64_t number,
                                                    bool floating) {
    struct recording *recording = session.recording;
    bool good = floating ? number >= FREG_0 && number <= FREG_31
                         : (number >= REG_0 && number <= REG_31) || (number >= REG_PC && number <= REG_IPC) ||
                               (number >= FREG_0 && number <= FREG_31);
    if (!good) {
        misuse(MESSAGE_ATOM_NUMBER, context->routine, context->number, (long long)number,
               floating ? "floating-point register: FREG_0 to FREG_31"
                        : "register: REG_0 to REG_31, REG_PC, REG_CC or REG_IPC");
        return NULL;
    }
    if (number == REG_ZERO || number == FREG_ZERO)
        return integer(0);
    if (number == REG_PC)
        return dynamic(&recording->pc, PLAN_VALUE_PC, NULL);
    if (number == REG_CC)
        return dynamic(&recording->cycles, PLAN_VALUE_CYCLES, NULL);
    if (number == REG_IPC)
        return dynamic(&recording->instrumented_pc, PLAN_VALUE_INSTRUMENTED_PC, NULL);
    struct plan_expression *operand = make(PLAN_OP_INTEGER, PLAN_TYPE_REGISTER);
    operand->integer = number;
    return dynamic(&recording->registers[number], PLAN_VALUE_REGISTER, operand);
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* For a routine that replaces an entry: the n-th ArgValue is the n-th argument. */
static const struct plan_expression *replaced_value(struct argument_context *context, int64_t value) {
    if (value != ArgValue) {
        struct plan_expression *made = make(PLAN_OP_REPLACED, PLAN_TYPE_INTEGER);
        made->integer = value == ArgVectorValue ? PLAN_REPLACED_ARGUMENTS : PLAN_REPLACED_ADDRESS;
        context->call->retains |= value == ReplAddrValue;
        return made;
    }
    const struct plan_expression *ignored = NULL;
    struct plan_expression *operand = make(PLAN_OP_INTEGER, PLAN_TYPE_INTEGER);
    operand->integer = context->arguments++;
    return dynamic(&ignored, PLAN_VALUE_ARGUMENT, operand);
}

static const struct plan_expression *computed_value(struct argument_context *context, int64_t value) {
    static const char *const names[] = {"BrCondValue", "EffAddrValue", "ArgValue", "ArgVectorValue",
                                        "ReplAddrValue"};
    const struct atom_call *call = context->call;
    struct recording *recording = session.recording;
    bool address = value == EffAddrValue;
    if (value < BrCondValue || value > ReplAddrValue) {
        misuse(MESSAGE_ATOM_NUMBER, context->routine, context->number, (long long)value,
               call->replaces ? "VALUE: ArgValue, ArgVectorValue or ReplAddrValue"
                              : "VALUE: EffAddrValue or BrCondValue");
        return NULL;
    }
    const char *name = names[value];
    if (value >= ArgValue && call->replaces)
        return replaced_value(context, value);
    if (value >= ArgValue) {
        misuse(MESSAGE_ATOM_VALUE_PLACE, context->routine, context->number, name,
               "is allowed only in ReplaceEntry");
        return NULL;
    }
    if (call->replaces || call->place != PLAN_INSTRUCTION || call->where != InstBefore) {
        misuse(MESSAGE_ATOM_VALUE_PLACE, context->routine, context->number, name,
               "is allowed only in AddCallInst with InstBefore");
        return NULL;
    }
    uint32_t word = session.program->text[call->index];
    unsigned wanted = address ? ALPHA_LOAD | ALPHA_STORE : ALPHA_COND_BRANCH;
    if (address && is_memory_hint(word)) /* the address is only in the register */
        return register_value(context, alpha_rb(word), false);
    if (!(alpha_decode(word)->flags & wanted)) {
        misuse(MESSAGE_ATOM_VALUE, context->routine, context->number, name,
               address ? "loads and stores" : "conditional branches",
               (unsigned long long)instruction_address(session.program, call->index),
               alpha_decode(word)->mnemonic);
        misuse_hint(address ? "ask IsInstType(inst, InstTypeMem)" : "ask IsInstType(inst, InstTypeCondBr)");
        return NULL;
    }
    return address ? dynamic(&recording->address, PLAN_VALUE_ADDRESS, NULL)
                   : dynamic(&recording->outcome, PLAN_VALUE_TAKEN, NULL);
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static const struct plan_expression *buffer(const void *bytes, uint32_t size,
                                            const struct atom_parameter *parameter) {
    struct recording *recording = session.recording;
    struct plan_expression *expression = make(PLAN_OP_BUFFER, PLAN_TYPE_INTEGER);
    void *copy = NULL;
    if (!parameter->is_stable) {
        copy = arena_allocate(recording->arena, size);
        memcpy(copy, bytes, size);
    }
    if (parameter->is_free)
        free((void *)(uintptr_t)bytes);
    VECTOR_RESERVE(recording->buffers, recording->buffer_count, recording->buffer_capacity);
    expression->buffer = recording->buffer_count;
    recording->buffers[recording->buffer_count++] =
        (struct plan_buffer){.bytes = copy ? copy : bytes, .size = size, .writable = !parameter->is_const};
    return expression;
}

static const struct plan_expression *memory(const struct atom_parameter *parameter, const void *bytes) {
    if (!bytes)
        return integer(0);
    switch (parameter->kind) {
    case PARAMETER_STRING:
        if (!parameter->is_const)
            return buffer(bytes, (uint32_t)strlen(bytes) + 1, parameter);
        struct plan_expression *string = make(PLAN_OP_STRING, PLAN_TYPE_STRING);
        string->string =
            parameter->is_stable ? bytes : arena_string(session.recording->arena, bytes, strlen(bytes));
        if (parameter->is_free)
            free((void *)(uintptr_t)bytes);
        return string;
    case PARAMETER_CHARS:
        return buffer(bytes, parameter->length, parameter);
    case PARAMETER_INTS:
        return buffer(bytes, 4 * parameter->length, parameter);
    default:
        return buffer(bytes, 8 * parameter->length, parameter);
    }
}

static const struct plan_expression *table(const struct argument_context *context, const Xlate *table) {
    struct plan_expression *expression = make(PLAN_OP_BUFFER, PLAN_TYPE_INTEGER);
    expression->buffer = table_buffer(context->routine, context->number, table);
    return expression->buffer == NO_INDEX ? NULL : expression;
}

/* ---- all ---------------------------------------------------------------------------------------------- */

/* True if the passed value fits the parameter's kind. */
static bool fits_parameter(enum atom_kind wanted, const struct atom_argument *argument) {
    bool null = argument->value == 0 && (argument->kind == ATOM_POINTER || argument->kind == ATOM_INTEGER);
    switch (wanted) {
    case PARAMETER_STRING:
    case PARAMETER_CHARS:
        return argument->kind == ATOM_STRING || argument->kind == ATOM_POINTER || null;
    case PARAMETER_INTS:
        return argument->kind == ATOM_INTS || argument->kind == ATOM_POINTER || null;
    case PARAMETER_LONGS:
        return argument->kind == ATOM_LONGS || argument->kind == ATOM_POINTER || null;
    case PARAMETER_XLATE:
        return argument->kind == ATOM_XLATE || argument->kind == ATOM_POINTER;
    default:
        return argument->kind == ATOM_INTEGER;
    }
}

static const struct plan_expression *make_argument(struct argument_context *context,
                                                   const struct atom_parameter *parameter,
                                                   const struct atom_argument *argument) {
    if (!fits_parameter(parameter->kind, argument)) {
        misuse(MESSAGE_ATOM_ARGUMENT, context->routine, context->number, wanted_names[parameter->kind],
               passed_names[argument->kind]);
        misuse_hint("the prototype is %s", context->call->prototype->text);
        return NULL;
    }
    switch (parameter->kind) {
    case PARAMETER_CHAR:
    case PARAMETER_INT:
    case PARAMETER_LONG:
        return integer(argument->value);
    case PARAMETER_VALUE:
        return computed_value(context, argument->value);
    case PARAMETER_REGV:
    case PARAMETER_FREGV:
        return register_value(context, argument->value, parameter->kind == PARAMETER_FREGV);
    case PARAMETER_XLATE:
        return table(context, (const Xlate *)argument->value);
    default:
        return memory(parameter, (const void *)argument->value);
    }
}

const struct plan_expression **make_arguments(const char *routine, int number,
                                              const struct atom_prototype *prototype, struct atom_call *call,
                                              const struct atom_argument *arguments) {
    uint32_t given = 0;
    while (arguments[given].kind != ATOM_END)
        given++;
    if (given != prototype->parameter_count) {
        misuse(MESSAGE_ATOM_ARGUMENT_COUNT, routine, prototype->name, prototype->parameter_count, given);
        misuse_hint("the prototype is %s", prototype->text);
        return NULL;
    }
    const struct plan_expression **made =
        arena_allocate(session.recording->arena, (given + 1) * sizeof *made);
    struct argument_context context = {routine, call, number, 0};
    bool good = true;
    for (uint32_t i = 0; i < given; i++, context.number++) {
        made[i] = make_argument(&context, &prototype->parameters[i], &arguments[i]);
        good &= made[i] != NULL;
    }
    return good ? made : NULL;
}
