/* commands.c: statements that the runtime executes, because they need data that only the analysis side has:
   keyed counters, texts of the program, printing. Each statement becomes a call of one runtime routine; a
   buffer describes the work (plan/commands.h), and the arguments have the values of the site. Requires
   checked effects. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

struct command_builder {
    struct compilation *compilation;
    const struct plan_action *action;
    const struct plan_effect *done; /* effects that precede the current one */
    uint32_t done_count;
    struct command_instruction *instructions;
    uint32_t instruction_count, instruction_capacity;
    const struct plan_expression *arguments[COMMAND_MOST_ARGUMENTS + 1];
    uint32_t argument_count;
    uint32_t depth, deepest, texts;
    bool compares;  /* texts with patterns, or prints: by routines of the C library */
    bool calls;     /* C routines of the tool */
    bool event;     /* there is no site: all that is dynamic is computed by the runtime */
    char *literals; /* texts, each with its end */
    size_t literal_size, literal_capacity;
    size_t pieces;
};

/* ---- arguments ------------------------------------------------------------------------------ */

/* The first is the command. */
static uint64_t add_argument(struct command_builder *builder, const struct plan_expression *expression) {
    for (uint32_t i = 0; i < builder->argument_count; i++)
        if (builder->arguments[i] == expression ||
            (expression->op == PLAN_OP_CELLS && builder->arguments[i]->op == PLAN_OP_CELLS &&
             builder->arguments[i]->counter == expression->counter) ||
            (expression->op == PLAN_OP_BUFFER && builder->arguments[i]->op == PLAN_OP_BUFFER &&
             builder->arguments[i]->buffer == expression->buffer) ||
            (expression->op == PLAN_OP_VALUE && builder->arguments[i]->op == PLAN_OP_VALUE &&
             expression->value == PLAN_VALUE_THREAD && builder->arguments[i]->value == PLAN_VALUE_THREAD))
            return i;
    if (builder->argument_count < COMMAND_MOST_ARGUMENTS)
        builder->arguments[builder->argument_count] = expression;
    return builder->argument_count++;
}

static uint64_t add_buffer(struct command_builder *builder, uint32_t buffer) {
    struct plan_expression *address =
        make_expression(builder->compilation, PLAN_OP_BUFFER, PLAN_TYPE_INTEGER, &builder->action->where);
    address->buffer = buffer;
    return add_argument(builder, address);
}

/* Floating-point numbers are passed as their bits. */
static const struct plan_expression *as_bits(struct command_builder *builder,
                                             const struct plan_expression *expression) {
    enum { FIRST_FLOAT = 32 };
    if (expression->type != PLAN_TYPE_DOUBLE || expression->op != PLAN_OP_VALUE)
        return expression;
    struct compilation *compilation = builder->compilation;
    struct plan_expression *bits =
        make_expression(compilation, PLAN_OP_VALUE, PLAN_TYPE_INTEGER, &expression->where);
    bits->dynamic = true;
    if (expression->value == PLAN_VALUE_FLOAT_ARGUMENT) {
        bits->value = expression->value;
        bits->operand[0] = expression->operand[0];
        return bits;
    }
    struct plan_expression *number =
        make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_REGISTER, &expression->where);
    number->integer = FIRST_FLOAT;
    bits->value = PLAN_VALUE_REGISTER;
    bits->operand[0] = number;
    return bits;
}

/* ---- code ----------------------------------------------------------------------------------- */

static void add_instruction(struct command_builder *builder, uint64_t op, uint64_t operand, int growth) {
    builder->depth = (uint32_t)((int)builder->depth + growth);
    if (builder->depth > builder->deepest)
        builder->deepest = builder->depth;
    VECTOR_RESERVE(builder->instructions, builder->instruction_count, builder->instruction_capacity);
    builder->instructions[builder->instruction_count++] = (struct command_instruction){op, operand};
}

static size_t add_literal(struct command_builder *builder, const char *text) {
    size_t length = strlen(text) + 1, at = builder->literal_size;
    while (builder->literal_size + length > builder->literal_capacity) {
        builder->literal_capacity = 2 * builder->literal_capacity + 256;
        builder->literals = reallocate(builder->literals, builder->literal_capacity);
    }
    memcpy(builder->literals + at, text, length);
    builder->literal_size += length;
    return at;
}

static void add_code_piece(struct command_builder *builder, const struct plan_expression *expression);

/* The thread pointer at the place. */
static const struct plan_expression *thread_pointer_at(struct command_builder *builder,
                                                       const struct source_span *where) {
    struct plan_expression *thread =
        make_expression(builder->compilation, PLAN_OP_VALUE, PLAN_TYPE_INTEGER, where);
    thread->value = PLAN_VALUE_THREAD;
    thread->dynamic = true;
    return thread;
}

static void add_thread(struct command_builder *builder, const struct source_span *where) {
    if (builder->event)
        add_instruction(builder, COMMAND_EVENT, COMMAND_EVENT_THREAD, 1);
    else
        add_instruction(builder, COMMAND_ARGUMENT, add_argument(builder, thread_pointer_at(builder, where)),
                        1);
}

/* Adds the keys of the counter, including the thread. */
static void add_keys(struct command_builder *builder, const struct plan_counter *counter,
                     const struct plan_expression *keys, const struct source_span *where) {
    enum plan_place place = builder->action->place;
    if (counter->per_thread && place <= PLAN_OBJECT && !builder->event)
        diagnose(builder->compilation->diagnostics, where, MESSAGE_COMMAND_PLACE,
                 builder->action->when == PLAN_BEFORE ? "before" : "after", plan_place_words[place],
                 counter->name);
    if (counter->per_thread) {
        add_thread(builder, where);
        add_instruction(builder, COMMAND_THREAD_KEY, 0, 0);
    }
    for (; keys; keys = keys->operand[1])
        add_code_piece(builder, keys->operand[0]);
}

static uint32_t count_keys(const struct plan_counter *counter) {
    return counter->key_count + counter->per_thread;
}

const struct plan_expression *procedure_number(struct compilation *compilation,
                                               const struct plan_action *action,
                                               const struct source_span *where) {
    struct plan_expression *place =
        make_expression(compilation, PLAN_OP_VARIABLE, plan_place_type(action->place), where);
    place->variable = action->place_variable;
    if (action->place != PLAN_PROCEDURE) {
        struct plan_expression *of =
            make_expression(compilation, PLAN_OP_ATTRIBUTE, PLAN_TYPE_PROCEDURE, where);
        of->operand[0] = place;
        int i = 0;
        while (i < PLAN_ATTRIBUTE_COUNT &&
               (plan_attributes[i].place != action->place || plan_attributes[i].type != PLAN_TYPE_PROCEDURE))
            i++;
        if (i == PLAN_ATTRIBUTE_COUNT)
            return NULL;
        of->attribute = (enum plan_attribute)i;
        place = of;
    }
    struct plan_expression *index =
        make_operator(compilation, PLAN_OP_INDEX, PLAN_TYPE_INTEGER, where, place, NULL);
    index->set = all_places(compilation, PLAN_PROCEDURE, where);
    return index;
}

static void add_stack_piece(struct command_builder *builder, const struct plan_expression *expression) {
    bool depth = expression->value == PLAN_VALUE_DEPTH;
    if (builder->event) {
        builder->compilation->uses_stack = true;
        add_instruction(builder, COMMAND_EVENT, depth ? COMMAND_EVENT_DEPTH : COMMAND_EVENT_STACK, 1);
        return;
    }
    const struct plan_expression *procedure =
        procedure_number(builder->compilation, builder->action, &expression->where);
    if (!procedure) {
        diagnose(builder->compilation->diagnostics, &expression->where, MESSAGE_DYNAMIC_PLACE,
                 plan_values[expression->value].word,
                 plan_when_words(builder->action->place, builder->action->when),
                 type_phrase(plan_place_type(builder->action->place)));
        return;
    }
    struct plan_expression *number =
        make_expression(builder->compilation, PLAN_OP_INTEGER, PLAN_TYPE_REGISTER, &expression->where);
    struct plan_expression *sp =
        make_expression(builder->compilation, PLAN_OP_VALUE, PLAN_TYPE_INTEGER, &expression->where);
    number->integer = 30;
    sp->value = PLAN_VALUE_REGISTER;
    sp->operand[0] = number;
    sp->dynamic = true;
    builder->compilation->uses_stack = true;
    add_code_piece(builder, procedure);
    add_instruction(builder, COMMAND_ARGUMENT, add_argument(builder, sp), 1);
    add_thread(builder, &expression->where);
    add_instruction(builder, depth ? COMMAND_DEPTH : COMMAND_STACK, 0, -2);
}

/* The program's name is a static argument. */
static void add_thread_name(struct command_builder *builder, const struct source_span *where) {
    const struct plan_expression *program =
        make_expression(builder->compilation, PLAN_OP_INTEGER, PLAN_TYPE_PROGRAM, where);
    struct plan_expression *name =
        make_expression(builder->compilation, PLAN_OP_ATTRIBUTE, PLAN_TYPE_STRING, where);
    name->operand[0] = program;
    name->attribute = PLAN_ATTRIBUTE_PROGRAM_NAME;
    builder->compilation->names_threads = true;
    add_instruction(builder, COMMAND_ARGUMENT, add_argument(builder, name), 1);
    add_instruction(builder, COMMAND_THREAD_NAME, 0, 0);
}

static void add_operator(struct command_builder *builder, const struct plan_expression *expression) {
    enum plan_operator op = expression->op;
    bool texts = expression->operand[0]->type == PLAN_TYPE_STRING;
    uint32_t operands = 0;
    for (; operands < 3 && expression->operand[operands]; operands++)
        add_code_piece(builder, expression->operand[operands]);
    if (op == PLAN_OP_CONDITIONAL) {
        add_instruction(builder, COMMAND_CONDITIONAL, 0, -2);
    } else if (op == PLAN_OP_LIKE) {
        builder->compares = true;
        add_instruction(builder, COMMAND_LIKE, 0, -1);
    } else if (texts) {
        add_instruction(builder, COMMAND_EQUAL, 0, -1);
        if (op == PLAN_OP_NOT_EQUAL)
            add_instruction(builder, COMMAND_OPERATOR + PLAN_OP_NOT, 0, 0);
    } else {
        add_instruction(builder, COMMAND_OPERATOR + (uint64_t)op, 0, 1 - (int)operands);
    }
}

/* ---- counters with cells ---- */

static const struct plan_expression *number_expression(struct command_builder *builder, int64_t value) {
    struct plan_expression *made =
        make_expression(builder->compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, &builder->action->where);
    made->integer = value;
    return made;
}

/* The counter's cells. */
static uint64_t add_cells(struct command_builder *builder, uint32_t counter) {
    struct plan_expression *cells =
        make_expression(builder->compilation, PLAN_OP_CELLS, PLAN_TYPE_ARRAY, &builder->action->where);
    cells->counter = counter;
    return add_argument(builder, cells);
}

/* The number of cells, each with its buckets. */
static const struct plan_expression *count_of_cells(struct command_builder *builder,
                                                    const struct plan_counter *counter) {
    if (counter->set == PLAN_SINGLE_CELL)
        return counter->size ? counter->size : number_expression(builder, 1);
    struct plan_expression *members =
        make_expression(builder->compilation, PLAN_OP_COUNT, PLAN_TYPE_INTEGER, &builder->action->where);
    members->set = counter->set;
    return members;
}

/* True if it reads a cell of a counter that an earlier action of the statement may have changed. Values
   that the site passes were computed before the statement. */
static bool reads_changed(const struct command_builder *builder, const struct plan_expression *expression) {
    for (uint32_t i = 0; expression->op == PLAN_OP_CELL && i < builder->done_count; i++)
        if (builder->done[i].kind == PLAN_EFFECT_UPDATE && builder->done[i].counter == expression->counter)
            return true;
    for (int i = 0; i < 3; i++)
        if (expression->operand[i] && reads_changed(builder, expression->operand[i]))
            return true;
    return false;
}

static void add_read(struct command_builder *builder, const struct plan_expression *expression) {
    struct plan_counter *counter = &builder->compilation->counters[expression->counter].counter;
    const struct plan_expression *count = count_of_cells(builder, counter);
    if (counter->kind == PLAN_HISTOGRAM)
        count = make_operator(builder->compilation, PLAN_OP_MULTIPLY, PLAN_TYPE_INTEGER, &expression->where,
                              count, number_expression(builder, (int64_t)command_buckets(counter).count));
    counter->live = true;
    add_code_piece(builder, expression->operand[0]);
    uint64_t cells = add_cells(builder, expression->counter);
    add_instruction(builder, COMMAND_READ, cells + COMMAND_READ_COUNT * add_argument(builder, count), 0);
    if (plan_initial_means_zero(counter))
        add_instruction(builder, COMMAND_UNSET, (uint64_t)plan_initial(counter), 0);
}

/* A $ value that commands compute. */
static void add_value(struct command_builder *builder, const struct plan_expression *expression) {
    switch (expression->value) {
    case PLAN_VALUE_STACK:
    case PLAN_VALUE_DEPTH:
        add_stack_piece(builder, expression);
        break;
    case PLAN_VALUE_SIGNAL:
        add_instruction(builder, COMMAND_EVENT, COMMAND_EVENT_SIGNAL, 1);
        break;
    case PLAN_VALUE_HANDLER:
        add_instruction(builder, COMMAND_EVENT, COMMAND_EVENT_HANDLER, 1);
        break;
    case PLAN_VALUE_PC:
        add_instruction(builder, COMMAND_EVENT, COMMAND_EVENT_PC, 1);
        break;
    case PLAN_VALUE_PROCESS_NUMBER:
        add_instruction(builder, COMMAND_PROCESS, 0, 1);
        break;
    case PLAN_VALUE_NANOSECONDS:
        add_instruction(builder, COMMAND_NANOSECONDS, 0, 1);
        break;
    case PLAN_VALUE_THREAD_NAME:
        add_thread_name(builder, &expression->where);
        break;
    default:
        add_thread(builder, &expression->where);
        if (expression->value != PLAN_VALUE_THREAD)
            add_instruction(builder, COMMAND_THREAD, 0, 0);
    }
}

static void add_code_piece(struct command_builder *builder, const struct plan_expression *expression) {
    const struct plan_counter *counter;
    if (expression->type == PLAN_TYPE_ERROR)
        return;
    if (!needs_command(expression) && expression->op == PLAN_OP_STRING) {
        add_instruction(builder, COMMAND_LITERAL, add_literal(builder, expression->string), 1);
        return;
    }
    if (is_constant(expression)) {
        add_instruction(builder, COMMAND_CONSTANT, (uint64_t)expression->integer, 1);
        return;
    }
    bool commanded = builder->event ? expression->dynamic
                                    : needs_command(expression) || reads_changed(builder, expression);
    if (!commanded) {
        add_instruction(builder, COMMAND_ARGUMENT, add_argument(builder, as_bits(builder, expression)), 1);
        return;
    }
    switch (expression->op) {
    case PLAN_OP_CELL:
        add_read(builder, expression);
        break;
    case PLAN_OP_MEMORY:
    case PLAN_OP_FIELD:
        diagnose(builder->compilation->diagnostics, &expression->where, MESSAGE_COMMAND_MEMORY);
        diagnose_hint(builder->compilation->diagnostics,
                      "put what comes before it into a statement of its own");
        break;
    case PLAN_OP_KEYED:
        counter = &builder->compilation->counters[expression->counter].counter;
        add_keys(builder, counter, expression->operand[0], &expression->where);
        add_instruction(builder, COMMAND_CELL, add_buffer(builder, counter->table),
                        1 - (int)count_keys(counter));
        break;
    case PLAN_OP_TEXT:
        add_code_piece(builder, expression->operand[0]);
        if (expression->operand[1])
            add_code_piece(builder, expression->operand[1]);
        add_instruction(builder, COMMAND_STRING, expression->operand[1] != NULL,
                        expression->operand[1] ? -1 : 0);
        builder->texts++;
        break;
    case PLAN_OP_STATIC:
        add_code_piece(builder, expression->operand[0]);
        add_instruction(builder, COMMAND_STATIC, 0, 0);
        break;
    case PLAN_OP_NAMED:
        add_code_piece(builder, expression->operand[0]);
        add_instruction(builder, COMMAND_ADDRESS_NAME, command_address_name(expression->value), 0);
        break;
    case PLAN_OP_VALUE:
        add_value(builder, expression);
        break;
    default:
        add_operator(builder, expression);
    }
}

/* ---- effects -------------------------------------------------------------------------------- */

static void add_update(struct command_builder *builder, const struct plan_effect *effect,
                       struct command_effect *made) {
    if (effect->counter == NO_COUNTER)
        return;
    const struct plan_counter *counter = &builder->compilation->counters[effect->counter].counter;
    if (plan_is_keyed(counter)) {
        made->kind = COMMAND_UPDATE_KEYED;
        made->counter = add_buffer(builder, counter->table);
        add_keys(builder, counter, effect->keys, &effect->where);
    } else {
        made->kind = COMMAND_UPDATE_CELL;
        made->counter = add_cells(builder, effect->counter);
        made->update = counter->update;
        made->buckets = command_buckets(counter);
        made->cells = add_argument(builder, count_of_cells(builder, counter));
        add_code_piece(builder, effect->cell ? effect->cell : number_expression(builder, 0));
    }
    if (effect->value)
        add_code_piece(builder, effect->value);
    add_code_piece(builder, effect->amount);
}

static void add_removal(struct command_builder *builder, const struct plan_effect *effect,
                        struct command_effect *made) {
    if (effect->counter == NO_COUNTER)
        return;
    const struct plan_counter *counter = &builder->compilation->counters[effect->counter].counter;
    made->kind = effect->kind == PLAN_EFFECT_DELETE ? COMMAND_DELETE : COMMAND_CLEAR;
    made->counter = add_buffer(builder, counter->table);
    add_keys(builder, counter, effect->keys, &effect->where);
}

static const char *spell_place(struct compilation *compilation, const struct source_span *where) {
    uint32_t line = 1;
    for (uint32_t i = 0; i < where->begin; i++)
        line += where->source->text[i] == '\n';
    return arena_format(compilation->scratch, "%s:%u", where->source->path, line);
}

static void add_print(struct command_builder *builder, const struct plan_effect *effect,
                      struct command_effect *made) {
    made->kind = COMMAND_PRINT;
    made->file = add_literal(builder, effect->file);
    made->where = add_literal(builder, spell_place(builder->compilation, &effect->where));
    made->pieces = add_literal(builder, effect->format); /* until the command is written */
    made->piece_count = format_pieces(effect->format, NULL);
    made->limit = effect->limit;
    made->per_second = effect->per_second;
    builder->compares = true;
    for (uint32_t i = 0; i < effect->value_count; i++)
        add_code_piece(builder, effect->values[i]);
}

/* The value as the parameter's type has it in a register. */
static const struct plan_expression *narrowed(struct command_builder *builder,
                                              const struct plan_expression *value,
                                              const struct plan_parameter *parameter) {
    const int bits = parameter->type == PLAN_C_CHAR    ? 8
                     : parameter->type == PLAN_C_SHORT ? 16
                     : parameter->type == PLAN_C_INT   ? 32
                                                       : 64;
    struct compilation *compilation = builder->compilation;
    if (bits == 64 || value->type == PLAN_TYPE_ERROR)
        return value;
    if (parameter->is_unsigned && bits < 32)
        return make_operator(compilation, PLAN_OP_BIT_AND, PLAN_TYPE_INTEGER, &value->where, value,
                             number_expression(builder, (INT64_C(1) << bits) - 1));
    const struct plan_expression *left = number_expression(builder, 64 - bits);
    return make_operator(
        compilation, PLAN_OP_SHIFT_RIGHT, PLAN_TYPE_INTEGER, &value->where,
        make_operator(compilation, PLAN_OP_SHIFT_LEFT, PLAN_TYPE_INTEGER, &value->where, value, left), left);
}

static void add_call(struct command_builder *builder, const struct plan_effect *effect,
                     struct command_effect *made) {
    const struct plan_routine *routine = &builder->compilation->routines[effect->routine].routine;
    struct plan_expression *address =
        make_expression(builder->compilation, PLAN_OP_ROUTINE, PLAN_TYPE_INTEGER, &effect->where);
    address->routine = effect->routine;
    made->kind = COMMAND_CALL;
    made->counter = add_argument(builder, address);
    builder->calls = true;
    for (uint32_t i = 0; i < effect->value_count; i++)
        add_code_piece(builder, i < routine->parameter_count
                                    ? narrowed(builder, effect->values[i], &routine->parameters[i])
                                    : effect->values[i]);
    if (effect->value_count > COMMAND_MOST_PASSED) {
        diagnose(builder->compilation->diagnostics, &effect->where, MESSAGE_COMMAND_LARGE,
                 (unsigned)COMMAND_MOST_PASSED, "arguments beside a value that is passed so");
        diagnose_hint(builder->compilation->diagnostics, "make several calls of it");
    }
}

static struct command_code begin_code(const struct command_builder *builder) {
    return (struct command_code){.begin = builder->instruction_count};
}

static void end_code(struct command_builder *builder, struct command_code *code) {
    code->count = builder->instruction_count - code->begin;
    builder->depth = 0;
}

/* ---- sums of the executions of a block ---------------------------------------------------------- */

/* Finds the command's effects that are such sums, and numbers their records: engine/select/records.c. */
static void number_command_records(struct compilation *compilation, struct plan_command *command) {
    struct plan_effect *effects =
        arena_allocate(compilation->arena, (command->effect_count + 1) * sizeof *effects);
    uint32_t next = command->effect_count;
    bool any = false;
    memcpy(effects, command->effects, command->effect_count * sizeof *effects);
    for (uint32_t i = 0; i < command->effect_count; i++) {
        struct plan_effect *effect = &effects[i];
        if (effect->kind != PLAN_EFFECT_UPDATE || effect->counter == NO_COUNTER)
            continue;
        const struct plan_counter *counter = &compilation->counters[effect->counter].counter;
        effect->is_length = (counter->kind == PLAN_HISTOGRAM || counter->update == PLAN_UPDATE_ADD) &&
                            plan_counts_length(effect->amount);
        if (!effect->is_length)
            continue;
        compilation->counters[effect->counter].counter.sums_lengths = true;
        effect->notes = needs_command(effect->amount);
        effect->first_noted = next;
        next += plan_noted_values(effect->amount, NULL, NULL);
        any = true;
    }
    command->effects = effects;
    command->record_count = any ? next : 0;
}

static void add_noted_value(const struct plan_expression *value, void *context) {
    add_code_piece(context, value);
}

static void note_lengths(struct command_builder *builder, const struct plan_command *from,
                         struct command *command, struct command_effect *effects) {
    const struct source_span *where = &builder->action->where;
    for (uint32_t i = 0; i < from->effect_count; i++) {
        effects[i].is_length = from->effects[i].is_length;
        effects[i].first_noted = from->effects[i].first_noted;
        if (!from->effects[i].notes)
            continue;
        builder->done_count = i;
        effects[i].noted = begin_code(builder);
        plan_noted_values(from->effects[i].amount, add_noted_value, builder);
        end_code(builder, &effects[i].noted);
    }
    command->records = add_argument(builder, number_expression(builder, 0)); /* each site has another */
    command->thread = add_argument(builder, thread_pointer_at(builder, where));
}

/* ---- the buffer ----------------------------------------------------------------------------- */

/* The command, its effects, instructions, pieces of formats, and texts. */
static void lay_down(struct command_builder *builder, struct command *command, struct command_effect *effects,
                     const struct plan_command *from, struct plan_buffer *buffer) {
    size_t pieces = 0;
    for (uint32_t i = 0; i < from->effect_count; i++)
        pieces += effects[i].piece_count;
    command->effects = sizeof *command;
    command->instructions = command->effects + from->effect_count * sizeof *effects;
    size_t at = command->instructions + builder->instruction_count * sizeof *builder->instructions;
    size_t literals = at + pieces * sizeof(struct command_piece);
    uint8_t *bytes = arena_allocate(builder->compilation->arena, literals + builder->literal_size);
    struct command_piece *made = allocate((pieces + 1) * sizeof *made);
    for (uint32_t i = 0; i < builder->instruction_count; i++)
        if (builder->instructions[i].op == COMMAND_LITERAL)
            builder->instructions[i].operand += literals;
    for (uint32_t i = 0; i < from->effect_count; i++) {
        struct command_effect *effect = &effects[i];
        if (effect->kind != COMMAND_PRINT)
            continue;
        format_pieces(from->effects[i].format, made);
        for (uint32_t k = 0; k < effect->piece_count; k++)
            made[k].text += literals + effect->pieces;
        effect->pieces = at;
        effect->file += literals;
        effect->where += literals;
        memcpy(bytes + at, made, effect->piece_count * sizeof *made);
        at += effect->piece_count * sizeof *made;
    }
    memcpy(bytes, command, sizeof *command);
    memcpy(bytes + command->effects, effects, from->effect_count * sizeof *effects);
    if (builder->instruction_count)
        memcpy(bytes + command->instructions, builder->instructions,
               builder->instruction_count * sizeof *builder->instructions);
    if (builder->literal_size)
        memcpy(bytes + literals, builder->literals, builder->literal_size);
    free(made);
    *buffer = (struct plan_buffer){
        .bytes = bytes, .size = (uint32_t)(literals + builder->literal_size), .writable = true, .own = true};
}

/* ---- the call ------------------------------------------------------------------------------- */

uint32_t own_routine(struct compilation *compilation, const char *name) {
    uint32_t index;
    if (name_table_find(compilation->routine_names, name, &index))
        return index;
    VECTOR_RESERVE(compilation->routines, compilation->routine_count, compilation->routine_capacity);
    compilation->routines[compilation->routine_count] = (struct routine_entry){
        .routine = {.name = name, .own = true, .variadic = true, .result = PLAN_C_VOID}};
    name_table_add(compilation->routine_names, name, compilation->routine_count);
    return compilation->routine_count++;
}

static void check_sizes(struct command_builder *builder) {
    struct {
        uint32_t count, most;
        const char *what;
    } const sizes[] = {{builder->argument_count, COMMAND_MOST_ARGUMENTS, "values"},
                       {builder->deepest, COMMAND_MOST_DEPTH, "operands at a time"},
                       {builder->texts, COMMAND_MOST_TEXTS, "uses of $string"}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].count > sizes[i].most) {
            diagnose(builder->compilation->diagnostics, &builder->action->where, MESSAGE_COMMAND_LARGE,
                     sizes[i].most, sizes[i].what);
            diagnose_hint(builder->compilation->diagnostics, "make several statements of it");
            return;
        }
}

static bool prints_to_file(const struct plan_command *command) {
    for (uint32_t i = 0; command && i < command->effect_count; i++)
        if (command->effects[i].kind == PLAN_EFFECT_PRINT && strcmp(command->effects[i].file, "!") != 0 &&
            strcmp(command->effects[i].file, "-") != 0)
            return true;
    return false;
}

void open_prints(struct compilation *compilation, uint32_t first) {
    for (uint32_t i = first, count = compilation->action_count; i < count; i++) {
        const struct plan_action *print = &compilation->actions[i];
        if (print->kind != PLAN_ACTION_CALL || !prints_to_file(print->command))
            continue;
        const struct plan_action opens = {.where = print->where,
                                          .statement = compilation->action_statements++,
                                          .loops = print->loops,
                                          .place = PLAN_PROGRAM,
                                          .when = PLAN_BEFORE,
                                          .kind = PLAN_ACTION_CALL,
                                          .routine = own_routine(compilation, "atomc_open_prints"),
                                          .argument_count = 1,
                                          .arguments = print->arguments};
        VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
        compilation->actions[compilation->action_count++] = opens;
    }
}

void note_thread_name(struct compilation *compilation, const struct source_span *where) {
    const struct plan_action notes = {.where = *where,
                                      .statement = compilation->action_statements++,
                                      .place = PLAN_PROGRAM,
                                      .when = PLAN_BEFORE,
                                      .kind = PLAN_ACTION_CALL,
                                      .routine = own_routine(compilation, "atomc_note_name")};
    VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
    compilation->actions[compilation->action_count++] = notes;
}

/* Writes the command into a buffer, and refers to it from the action. */
static void build_command(struct command_builder *builder, struct plan_action *action,
                          const struct plan_command *from) {
    struct compilation *compilation = builder->compilation;
    struct plan_command *kept = arena_allocate(compilation->arena, sizeof *kept);
    *kept = *from;
    if (action->place > PLAN_OBJECT && !builder->event)
        number_command_records(compilation, kept);
    struct command command = {.sample = (uint64_t)from->sample, .effect_count = from->effect_count};
    struct command_effect *effects = allocate((from->effect_count + 1) * sizeof *effects);
    memset(effects, 0, (from->effect_count + 1) * sizeof *effects);
    VECTOR_RESERVE(compilation->buffers, compilation->buffer_count, compilation->buffer_capacity);
    uint32_t buffer = compilation->buffer_count++;
    compilation->buffers[buffer] = (struct plan_buffer){0};
    add_buffer(builder, buffer);
    if (from->guard) {
        command.guard = begin_code(builder);
        add_code_piece(builder, from->guard);
        end_code(builder, &command.guard);
    }
    builder->done = from->effects;
    for (uint32_t i = 0; i < from->effect_count; i++) {
        builder->done_count = i;
        effects[i].code = begin_code(builder);
        if (from->effects[i].kind == PLAN_EFFECT_PRINT)
            add_print(builder, &from->effects[i], &effects[i]);
        else if (from->effects[i].kind == PLAN_EFFECT_EXIT)
            effects[i].kind = COMMAND_EXIT, add_code_piece(builder, from->effects[i].amount);
        else if (from->effects[i].kind == PLAN_EFFECT_CALL)
            add_call(builder, &from->effects[i], &effects[i]);
        else if (from->effects[i].kind != PLAN_EFFECT_UPDATE)
            add_removal(builder, &from->effects[i], &effects[i]);
        else
            add_update(builder, &from->effects[i], &effects[i]);
        end_code(builder, &effects[i].code);
    }
    if (kept->record_count)
        note_lengths(builder, kept, &command, effects);
    kept->records_argument = (uint32_t)command.records;
    check_sizes(builder);
    command.argument_count = builder->argument_count;
    lay_down(builder, &command, effects, from, &compilation->buffers[buffer]);
    action->command = kept;
    action->kind = PLAN_ACTION_CALL;
    free(builder->instructions);
    free(builder->literals);
    free(effects);
}

/* Sets the action's arguments: the command, `extra` more, and the values of the site. */
static void set_arguments(const struct command_builder *builder, struct plan_action *action,
                          const struct plan_expression *const *extra, uint32_t extra_count) {
    uint32_t count =
        builder->argument_count > COMMAND_MOST_ARGUMENTS ? COMMAND_MOST_ARGUMENTS : builder->argument_count;
    const struct plan_expression **arguments =
        arena_allocate(builder->compilation->arena, (count + extra_count + 1) * sizeof *arguments);
    arguments[0] = builder->arguments[0];
    for (uint32_t i = 0; i < extra_count; i++)
        arguments[1 + i] = extra[i];
    memcpy(arguments + 1 + extra_count, builder->arguments + 1, (count - 1) * sizeof *arguments);
    action->arguments = arguments;
    action->argument_count = count + extra_count;
}

void make_command(struct compilation *compilation, struct plan_action *action,
                  const struct plan_command *from) {
    struct command_builder builder = {.compilation = compilation, .action = action};
    build_command(&builder, action, from);
    action->routine = own_routine(compilation, builder.compares ? "atomc_execute_with_texts"
                                               : builder.calls  ? "atomc_execute_calls"
                                                                : "atomc_execute");
    set_arguments(&builder, action, NULL, 0);
}

void make_event_command(struct compilation *compilation, struct plan_action *action,
                        const struct plan_command *from, enum command_event event,
                        const struct plan_expression *number) {
    struct command_builder builder = {.compilation = compilation, .action = action, .event = true};
    build_command(&builder, action, from);
    action->routine =
        own_routine(compilation, builder.compares ? "atomc_on_event_with_texts" : "atomc_on_event");
    compilation->prints_events |= builder.compares;
    const struct plan_expression *extra[] = {number_expression(&builder, event),
                                             number ? number : number_expression(&builder, 0)};
    set_arguments(&builder, action, extra, 2);
}
