/* plan.c: the tables made from the .def files, and the printed form of a plan.
   Requires a finished plan (no PLAN_TYPE_ERROR); the text depends only on the plan. */
#include "plan/commands.h"
#include "plan/plan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct plan_attribute_info plan_attributes[PLAN_ATTRIBUTE_COUNT] = {
#define ATTRIBUTE(id, place, word, type, help)          {place, word, false, type, help},
#define REGISTER_ATTRIBUTE(id, place, word, type, help) {place, word, true, type, help},
#include "plan/attributes.def"
#undef ATTRIBUTE
#undef REGISTER_ATTRIBUTE
};

const struct plan_value_info plan_values[PLAN_VALUE_COUNT] = {
#define VALUE(id, word, type, operand, help) {word, type, operand, help},
#include "plan/values.def"
#undef VALUE
};

const struct plan_register_attribute plan_register_attribute = {
    "name", PLAN_TYPE_STRING, "name of the register, as t0 or f2; of i.reads, i.writes, i.ra, sp"};

const struct plan_related plan_related[PLAN_RELATED_COUNT] = {
    {PLAN_BLOCK, "succs", PLAN_DOMAIN_SUCCESSORS, PLAN_TYPE_BLOCK},
    {PLAN_BLOCK, "preds", PLAN_DOMAIN_PREDECESSORS, PLAN_TYPE_BLOCK},
    {PLAN_INSTRUCTION, "reads", PLAN_DOMAIN_READ, PLAN_TYPE_REGISTER},
    {PLAN_INSTRUCTION, "writes", PLAN_DOMAIN_WRITTEN, PLAN_TYPE_REGISTER},
};

const char *plan_related_word(enum plan_domain domain) {
    for (int i = 0; i < PLAN_RELATED_COUNT; i++)
        if (plan_related[i].domain == domain)
            return plan_related[i].word;
    return NULL;
}

const char *const plan_class_words[CLASS_COUNT] = {
#define CLASS(id, word, help) #word,
#include "codegen/classes.def"
#undef CLASS
};

const struct plan_display_info plan_displays[PLAN_DISPLAY_COUNT] = {
#define DISPLAY(identifier, word, need0, word1, need1, word2, need2, help)                                   \
    [PLAN_DISPLAY_##identifier] = {                                                                          \
        word, help, {{"", PLAN_NEED_##need0}, {word1, PLAN_NEED_##need1}, {word2, PLAN_NEED_##need2}}},
#include "plan/displays.def"
#undef DISPLAY
};

size_t plan_display_form(enum plan_display_kind kind, char *text, size_t size) {
    const struct plan_display_info *display = &plan_displays[kind];
    size_t length = (size_t)snprintf(text, size, "%s", display->word);
    for (int i = 0; i < PLAN_DISPLAY_COLUMNS && display->columns[i].need != PLAN_NEED_NONE && length < size;
         i++)
        length += (size_t)snprintf(text + length, size - length, " %s%sCOLUMN", display->columns[i].word,
                                   *display->columns[i].word ? " " : "");
    return length;
}

const char *const plan_place_words[PLAN_PLACE_COUNT] = {
    [PLAN_PROGRAM] = "program",  [PLAN_OBJECT] = "object",     [PLAN_PROCEDURE] = "proc",
    [PLAN_ENTRY] = "entry",      [PLAN_LOOP] = "loop",         [PLAN_BLOCK] = "block",
    [PLAN_EDGE] = "edge",        [PLAN_CALLSITE] = "callsite", [PLAN_SYSTEM_CALL] = "syscall",
    [PLAN_INSTRUCTION] = "inst", [PLAN_DATA] = "data",         [PLAN_POSITION] = "position",
    [PLAN_BUCKET] = "bucket",
};
const char *const plan_place_plurals[PLAN_PLACE_COUNT] = {
    [PLAN_PROGRAM] = "program",   [PLAN_OBJECT] = "objects",     [PLAN_PROCEDURE] = "procs",
    [PLAN_ENTRY] = "entries",     [PLAN_LOOP] = "loops",         [PLAN_BLOCK] = "blocks",
    [PLAN_EDGE] = "edges",        [PLAN_CALLSITE] = "callsites", [PLAN_SYSTEM_CALL] = "syscalls",
    [PLAN_INSTRUCTION] = "insts", [PLAN_DATA] = "data",          [PLAN_POSITION] = "positions",
    [PLAN_BUCKET] = "buckets",
};
const char *const plan_edge_words[PLAN_EDGE_COUNT] = {
    [PLAN_EDGE_FALLTHROUGH] = "fallthrough", [PLAN_EDGE_TAKEN] = "taken", [PLAN_EDGE_TABLE] = "table"};

const char *plan_when_words(enum plan_place place, enum plan_when when) {
    static const char *const words[PLAN_WHEN_COUNT] = {
        [PLAN_BEFORE] = "before", [PLAN_AFTER] = "after", [PLAN_ON] = "on", [PLAN_BACK] = "on back"};
    if (place == PLAN_LOOP && when == PLAN_BEFORE)
        return "on entry";
    if (place == PLAN_PROGRAM && when == PLAN_ON)
        return "on fork";
    if (place == PLAN_PROCEDURE && when == PLAN_ON)
        return "on unwind";
    return place == PLAN_LOOP && when == PLAN_AFTER ? "on exit" : words[when];
}

static bool is_same_path(const struct plan_path *a, const struct plan_path *b) {
    return strcmp(a->text, b->text) == 0 && !a->type == !b->type &&
           (!a->type || strcmp(a->type, b->type) == 0);
}

bool plan_same_expression(const struct plan_expression *a, const struct plan_expression *b) {
    if (!a || !b)
        return a == b;
    if (a->op != b->op || a->type != b->type)
        return false;
    if (a->op == PLAN_OP_FIELD && !is_same_path(a->path, b->path))
        return false;
    if (a->op == PLAN_OP_STRING || a->op == PLAN_OP_REGISTER
            ? strcmp(a->string, b->string) != 0
            : a->op != PLAN_OP_FIELD && a->integer != b->integer)
        return false;
    for (int i = 0; i < 3; i++)
        if (!plan_same_expression(a->operand[i], b->operand[i]))
            return false;
    return true;
}

uint32_t command_address_name(enum plan_value value) {
    return value == PLAN_VALUE_SYMBOL        ? COMMAND_SYMBOL
           : value == PLAN_VALUE_OBJECT_NAME ? COMMAND_OBJECT
                                             : COMMAND_LINE;
}

bool plan_attribute_is_address(enum plan_attribute attribute) {
    const char *word = plan_attributes[attribute].word;
    size_t length = strlen(word);
    if (plan_attributes[attribute].type != PLAN_TYPE_INTEGER)
        return false;
    return (length >= 2 && strcmp(word + length - 2, "pc") == 0) || strstr(word, "address") ||
           strcmp(word, "entry") == 0 || strcmp(word, "base") == 0 || strcmp(word, "gp") == 0;
}

bool plan_contains(enum plan_place outer, enum plan_place inner) {
    enum {
        IN_ALL = 1 << PLAN_CALLSITE | 1 << PLAN_SYSTEM_CALL | 1 << PLAN_INSTRUCTION | 1 << PLAN_POSITION,
        IN_PROCEDURE = IN_ALL | 1 << PLAN_ENTRY | 1 << PLAN_LOOP | 1 << PLAN_BLOCK | 1 << PLAN_EDGE,
        IN_OBJECT = IN_PROCEDURE | 1 << PLAN_PROCEDURE | 1 << PLAN_DATA
    };
    static const uint16_t contents[PLAN_PLACE_COUNT] = {
        [PLAN_PROGRAM] = IN_OBJECT | 1 << PLAN_OBJECT,
        [PLAN_OBJECT] = IN_OBJECT,
        [PLAN_PROCEDURE] = IN_PROCEDURE,
        [PLAN_LOOP] = IN_ALL | 1 << PLAN_LOOP | 1 << PLAN_BLOCK,
        [PLAN_BLOCK] = IN_ALL | 1 << PLAN_EDGE,
    };
    return contents[outer] >> inner & 1;
}

bool plan_allows(enum plan_place place, enum plan_when when) {
    switch (place) {
    case PLAN_PROGRAM:
    case PLAN_PROCEDURE:
        return when != PLAN_BACK;
    case PLAN_DATA:
    case PLAN_POSITION:
        return false;
    case PLAN_ENTRY:
        return when == PLAN_BEFORE;
    case PLAN_EDGE:
        return when == PLAN_ON;
    case PLAN_LOOP:
        return when != PLAN_ON;
    default:
        return when == PLAN_BEFORE || when == PLAN_AFTER;
    }
}

const char *plan_type_name(enum plan_type type) {
    static const char *const names[] = {
        [PLAN_TYPE_ERROR] = "error",         [PLAN_TYPE_BOOLEAN] = "boolean",
        [PLAN_TYPE_INTEGER] = "integer",     [PLAN_TYPE_STRING] = "string",
        [PLAN_TYPE_CLASS] = "class",         [PLAN_TYPE_REGISTER] = "register",
        [PLAN_TYPE_EDGE_KIND] = "edge kind", [PLAN_TYPE_ARRAY] = "array",
        [PLAN_TYPE_DOUBLE] = "double",       [PLAN_TYPE_BUCKET] = "bucket",
    };
    return type >= PLAN_TYPE_PROGRAM ? plan_place_words[plan_type_place(type)] : names[type];
}

int64_t plan_initial(const struct plan_counter *counter) {
    return counter->update == PLAN_UPDATE_MAXIMUM   ? INT64_MIN
           : counter->update == PLAN_UPDATE_MINIMUM ? INT64_MAX
                                                    : counter->initial;
}

bool plan_initial_means_zero(const struct plan_counter *counter) {
    return counter->update == PLAN_UPDATE_MAXIMUM || counter->update == PLAN_UPDATE_MINIMUM;
}

/* ---- printing expressions ------------------------------------------------------------------- */

void plan_print_prefix(enum plan_operator op, FILE *stream) {
    const char *word = plan_operators[op].word;
    fprintf(stream, "%s%s", word, islower((unsigned char)*word) ? " " : "");
}

bool plan_operand_fits(enum plan_operator op, int64_t operand, enum message *complaint) {
    bool shift = plan_operators[op].limit == PLAN_SHIFT;
    *complaint = shift ? MESSAGE_BAD_SHIFT : MESSAGE_DIVISION_BY_ZERO;
    return shift ? operand >= 0 && operand < 64 : plan_operators[op].limit != PLAN_DIVISOR || operand != 0;
}

/* The context for the names in an expression. */
struct print_context {
    const struct plan *plan;
    const struct plan_loop *loops;
    FILE *stream;
};

static void print_string(const char *text, FILE *stream) {
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        static const char escapes[] = "\n\t\r\"\\", letters[] = "ntr\"\\";
        const char *escape = strchr(escapes, *at);
        if (escape)
            fprintf(stream, "\\%c", letters[escape - escapes]);
        else if (*at < ' ' || *at == 0x7f)
            fprintf(stream, "\\%03o", *at);
        else
            fputc(*at, stream);
    }
    fputc('"', stream);
}

static void print_constant(const struct plan_expression *expression, FILE *stream) {
    int64_t value = expression->integer;
    if (expression->type == PLAN_TYPE_PROGRAM)
        fputs(plan_place_words[PLAN_PROGRAM], stream);
    else if (expression->type == PLAN_TYPE_BOOLEAN)
        fputs(value ? "true" : "false", stream);
    else if (expression->type == PLAN_TYPE_CLASS && value >= 0 && value < CLASS_COUNT)
        fputs(plan_class_words[value], stream);
    else if (expression->type == PLAN_TYPE_EDGE_KIND && value >= 0 && value < PLAN_EDGE_COUNT)
        fputs(plan_edge_words[value], stream);
    else if (expression->type == PLAN_TYPE_REGISTER && value < 0)
        fputs("none", stream);
    else if (expression->type == PLAN_TYPE_REGISTER)
        fprintf(stream, "%c%" PRId64, value < 32 ? 'r' : 'f', value & 31);
    else if (value >= 0x10000)
        fprintf(stream, "0x%" PRIx64, value);
    else
        fprintf(stream, "%" PRId64, value);
}

static bool is_binary(enum plan_operator op) {
    return plan_operators[op].operands == 2;
}

static void print_plan_expression(const struct print_context *context,
                                  const struct plan_expression *expression, bool nested);

static void print_bracketed(const struct print_context *context, const struct plan_expression *expression) {
    fputc('[', context->stream);
    print_plan_expression(context, expression, false);
    fputc(']', context->stream);
}

/* In brackets, if there are any. */
static void print_keys(const struct print_context *context, const struct plan_expression *keys) {
    for (const struct plan_expression *at = keys; at; at = at->operand[1]) {
        fputs(at == keys ? "[" : ", ", context->stream);
        print_plan_expression(context, at->operand[0], false);
    }
    fputs(keys ? "]" : "", context->stream);
}

/* Operators inside operators are parenthesised: the tree can be read off without knowing precedence. */
static void print_plan_expression(const struct print_context *context,
                                  const struct plan_expression *expression, bool nested) {
    FILE *stream = context->stream;
    const struct plan_expression *const *operand = expression->operand;
    enum plan_operator op = expression->op;
    bool parentheses = nested && (is_binary(op) || op == PLAN_OP_CONDITIONAL || op == PLAN_OP_MEMBER ||
                                  op == PLAN_OP_LISTED);
    fputs(parentheses ? "(" : "", stream);
    if (is_binary(op)) {
        print_plan_expression(context, operand[0], true);
        fprintf(stream, " %s ", plan_operators[op].word);
        print_plan_expression(context, operand[1], true);
    } else if (plan_operators[op].word) {
        plan_print_prefix(op, stream);
        print_plan_expression(context, operand[0], true);
    } else {
        switch (op) {
        case PLAN_OP_STRING:
            print_string(expression->string, stream);
            break;
        case PLAN_OP_REGISTER:
            fputs(expression->string, stream);
            break;
        case PLAN_OP_VARIABLE:
            fputs(context->loops[expression->variable].name, stream);
            break;
        case PLAN_OP_ATTRIBUTE:
            print_plan_expression(context, operand[0], true);
            fprintf(stream, ".%s", plan_attributes[expression->attribute].word);
            if (operand[1]) {
                fputc('(', stream);
                print_plan_expression(context, operand[1], false);
                fputc(')', stream);
            }
            break;
        case PLAN_OP_INDEX:
            fputs("index(", stream);
            print_plan_expression(context, operand[0], false);
            fprintf(stream, ", %s)", context->plan->sets[expression->set].name);
            break;
        case PLAN_OP_COUNT:
            fprintf(stream, "count(%s)", context->plan->sets[expression->set].name);
            break;
        case PLAN_OP_DATA_ADDRESS:
        case PLAN_OP_DATA_SIZE:
            fputs(op == PLAN_OP_DATA_ADDRESS ? "address(" : "size(", stream);
            print_plan_expression(context, operand[0], false);
            if (operand[1]) {
                fputs(", ", stream);
                print_plan_expression(context, operand[1], false);
            }
            fputc(')', stream);
            break;
        case PLAN_OP_MEMBER:
            print_plan_expression(context, operand[0], true);
            fprintf(stream, " in %s", context->plan->sets[expression->set].name);
            break;
        case PLAN_OP_LISTED:
            print_plan_expression(context, operand[0], true);
            fputs(" in file(", stream);
            print_string(expression->list->path, stream);
            fputc(')', stream);
            break;
        case PLAN_OP_CONDITIONAL:
            print_plan_expression(context, operand[0], true);
            fputs(" ? ", stream);
            print_plan_expression(context, operand[1], true);
            fputs(" : ", stream);
            print_plan_expression(context, operand[2], true);
            break;
        case PLAN_OP_CELL:
            fputs(expression->dynamic ? "$" : "", stream);
            fputs(context->plan->counters[expression->counter].name, stream);
            if (plan_has_cells(&context->plan->counters[expression->counter]) ||
                context->plan->counters[expression->counter].kind == PLAN_HISTOGRAM)
                print_bracketed(context, operand[0]);
            break;
        case PLAN_OP_KEYED:
            fprintf(stream, "$%s", context->plan->counters[expression->counter].name);
            print_keys(context, operand[0]);
            break;
        case PLAN_OP_TEXT:
            fprintf(stream, "%s(", plan_values[PLAN_VALUE_STRING].word);
            print_plan_expression(context, operand[0], false);
            if (operand[1]) {
                fputs(", ", stream);
                print_plan_expression(context, operand[1], false);
            }
            fputc(')', stream);
            break;
        case PLAN_OP_ROW_KEY:
            if (expression->integer < 0)
                fputs("thread", stream);
            else
                fprintf(stream, "key(%" PRId64 ")", expression->integer);
            break;
        case PLAN_OP_ROW_CELL:
            fprintf(stream, "%s[the row's keys]", context->plan->counters[expression->counter].name);
            if (operand[0])
                print_bracketed(context, operand[0]);
            break;
        case PLAN_OP_BUFFER:
            fprintf(stream, "buffer %" PRIu32, expression->buffer);
            break;
        case PLAN_OP_ROUTINE:
            fputs(context->plan->routines[expression->routine].name, stream);
            break;
        case PLAN_OP_REPLACED:
            fputs(expression->integer == PLAN_REPLACED_ARGUMENTS ? "its arguments" : "its address", stream);
            break;
        case PLAN_OP_FOREIGN:
            fprintf(stream, "%s(", context->plan->functions[expression->function].name);
            for (const struct plan_expression *at = operand[0]; at; at = at->operand[1]) {
                print_plan_expression(context, at->operand[0], false);
                fputs(at->operand[1] ? ", " : "", stream);
            }
            fputc(')', stream);
            break;
        case PLAN_OP_ARRAY:
            fputs(context->plan->arrays[expression->array].name, stream);
            break;
        case PLAN_OP_CELLS:
            fputs(context->plan->counters[expression->counter].name, stream);
            break;
        case PLAN_OP_BUCKET_LOW:
        case PLAN_OP_BUCKET_HIGH:
            print_plan_expression(context, operand[0], true);
            fputs(op == PLAN_OP_BUCKET_LOW ? ".low" : ".high", stream);
            break;
        case PLAN_OP_SYSTEM_CALL:
            print_plan_expression(context, operand[0], true);
            fputs(".system_call", stream);
            break;
        case PLAN_OP_REGISTER_NAME:
            print_plan_expression(context, operand[0], true);
            fputs(operand[0]->type == PLAN_TYPE_REGISTER ? ".name" : ".register", stream);
            break;
        case PLAN_OP_PERCENT:
            fputs("percent ", stream);
            print_plan_expression(context, operand[0], true);
            break;
        case PLAN_OP_QUOTIENT:
            print_plan_expression(context, operand[0], true);
            fputs(" / ", stream);
            print_plan_expression(context, operand[1], true);
            break;
        case PLAN_OP_VALUE:
        case PLAN_OP_NAMED:
            fputs(plan_values[expression->value].word, stream);
            if (operand[0]) {
                fputc('(', stream);
                print_plan_expression(context, operand[0], false);
                fputc(')', stream);
            }
            break;
        case PLAN_OP_MEMORY:
            fprintf(stream, "%s(", plan_values[PLAN_VALUE_MEMORY].word);
            print_plan_expression(context, operand[0], false);
            fputs(", ", stream);
            print_plan_expression(context, operand[1], false);
            fputc(')', stream);
            break;
        case PLAN_OP_FIELD:
            if (expression->path->type)
                fprintf(stream, "%s(", plan_values[PLAN_VALUE_MEMORY].word);
            print_plan_expression(context, operand[0], false);
            if (expression->path->type)
                fprintf(stream, ", \"%s\")", expression->path->type);
            fputs(expression->path->text, stream);
            break;
        case PLAN_OP_STATIC:
            fprintf(stream, "%s(", plan_values[PLAN_VALUE_STATIC].word);
            print_plan_expression(context, operand[0], false);
            fputc(')', stream);
            break;
        default:
            print_constant(expression, stream);
        }
    }
    fputs(parentheses ? ")" : "", stream);
}

/* ---- printing the plan ---------------------------------------------------------------------- */

static void print_selection(const struct print_context *context, const struct plan_loop *loop) {
    FILE *stream = context->stream;
    if (loop->domain == PLAN_DOMAIN_ONE) {
        fprintf(stream, "%s %" PRIu32, plan_place_words[loop->kind], loop->set);
        fputc('\n', stream);
        return;
    }
    fprintf(stream, "%s %s in ", plan_place_words[loop->kind], loop->name);
    if (loop->domain == PLAN_DOMAIN_SET)
        fprintf(stream, "set %s", context->plan->sets[loop->set].name);
    else if (loop->domain == PLAN_DOMAIN_CONTAINED)
        fprintf(stream, "%s.%s", context->loops[loop->container].name, plan_place_plurals[loop->kind]);
    else if (plan_related_word(loop->domain))
        fprintf(stream, "%s.%s", context->loops[loop->container].name, plan_related_word(loop->domain));
    else if (loop->domain == PLAN_DOMAIN_KEYS)
        fprintf(stream, "keys of %s", context->plan->counters[loop->histogram].name);
    else if (loop->domain == PLAN_DOMAIN_BUCKETS)
        fprintf(stream, "%s %s",
                context->plan->counters[loop->histogram].kind == PLAN_HISTOGRAM ? "histogram" : "counter",
                context->plan->counters[loop->histogram].name);
    else
        fputs("all", stream);
    if (loop->condition) {
        fputs(" where ", stream);
        print_plan_expression(context, loop->condition, false);
    }
    fputc('\n', stream);
}

static void print_buffer(const struct plan *plan, uint32_t number, FILE *stream) {
    const struct plan_buffer *buffer = &plan->buffers[number];
    const uint8_t *bytes = buffer->bytes;
    if (buffer->own)
        return; /* the counter or the action shows it */
    fprintf(stream, "buffer %" PRIu32 " %s", number, buffer->writable ? "writable" : "constant");
    for (uint32_t i = 0; i < buffer->size; i++)
        fprintf(stream, "%s%02x", i % 8 ? "" : " ", bytes[i]);
    fputc('\n', stream);
}

static void print_routine(const struct plan_routine *routine, FILE *stream) {
    static const char *const results[] = {
        [PLAN_C_VOID] = "void",     [PLAN_C_CHAR] = "char",   [PLAN_C_SHORT] = "short",
        [PLAN_C_INT] = "int",       [PLAN_C_LONG] = "long",   [PLAN_C_POINTER] = "pointer",
        [PLAN_C_STRING] = "char *", [PLAN_C_FLOAT] = "float", [PLAN_C_DOUBLE] = "double",
        [PLAN_C_OTHER] = "other",
    };
    fprintf(stream, "routine %s(", routine->name);
    for (uint32_t i = 0; i < routine->parameter_count; i++)
        fprintf(stream, "%s%s", i ? ", " : "", routine->parameters[i].spelled);
    if (!routine->prototyped)
        fputs("unchecked", stream);
    else if (routine->variadic)
        fputs(routine->parameter_count ? ", ..." : "...", stream);
    else if (routine->parameter_count == 0)
        fputs("void", stream);
    fputc(')', stream);
    if (routine->prototyped)
        fprintf(stream, " -> %s", results[routine->result]);
    fputc('\n', stream);
}

static void print_call(const struct print_context *context, const struct plan_action *action) {
    fprintf(context->stream, " call %s(", context->plan->routines[action->routine].name);
    for (uint32_t i = 0; i < action->argument_count; i++) {
        fputs(i ? ", " : "", context->stream);
        print_plan_expression(context, action->arguments[i], false);
    }
    fputs(")\n", context->stream);
}

static const char *const update_words[] = {[PLAN_UPDATE_ADD] = "+=",
                                           [PLAN_UPDATE_MAXIMUM] = "max=",
                                           [PLAN_UPDATE_MINIMUM] = "min=",
                                           [PLAN_UPDATE_SET] = "="};

const char *plan_update_word(enum plan_update update) {
    return update_words[update];
}

/* The amount; for a histogram, the value whose bucket is updated. */
static void print_amount(const struct print_context *context, const struct plan_counter *counter,
                         const struct plan_expression *value, const struct plan_expression *amount) {
    if (value) {
        fputs(" << ", context->stream);
        print_plan_expression(context, value, true);
        fputs(" weight ", context->stream);
    } else {
        fprintf(context->stream, " %s ", update_words[counter->update]);
    }
    print_plan_expression(context, amount, false);
    fputc('\n', context->stream);
}

static void print_plan_update(const struct print_context *context, const struct plan_action *action) {
    const struct plan_counter *counter = &context->plan->counters[action->counter];
    fprintf(context->stream, " update %s", counter->name);
    if (action->cell)
        print_bracketed(context, action->cell);
    print_amount(context, counter, action->value, action->amount);
}

static void print_keyed_update(const struct print_context *context, const struct plan_effect *effect) {
    const struct plan_action update = {
        .counter = effect->counter, .cell = effect->cell, .amount = effect->amount, .value = effect->value};
    if (!plan_is_keyed(&context->plan->counters[effect->counter])) {
        print_plan_update(context, &update);
        return;
    }
    const struct plan_counter *counter = &context->plan->counters[effect->counter];
    fprintf(context->stream, " update %s", counter->name);
    print_keys(context, effect->keys);
    print_amount(context, counter, effect->value, effect->amount);
}

static void print_command(const struct print_context *context, const struct plan_command *command) {
    FILE *stream = context->stream;
    if (command->guard) {
        fputs(" if ", stream);
        print_plan_expression(context, command->guard, false);
    }
    if (command->sample)
        fprintf(stream, " sample %" PRId64, command->sample);
    for (uint32_t i = 0; i < command->effect_count; i++) {
        const struct plan_effect *effect = &command->effects[i];
        fputs(i ? "       " : "", stream);
        if (effect->kind == PLAN_EFFECT_UPDATE) {
            print_keyed_update(context, effect);
            continue;
        }
        if (effect->kind == PLAN_EFFECT_DELETE || effect->kind == PLAN_EFFECT_CLEAR) {
            fprintf(stream, " %s %s", effect->kind == PLAN_EFFECT_DELETE ? "delete" : "clear",
                    effect->counter == UINT32_MAX ? "" : context->plan->counters[effect->counter].name);
            if (effect->keys)
                print_keys(context, effect->keys);
            fputc('\n', stream);
            continue;
        }
        if (effect->kind == PLAN_EFFECT_EXIT) {
            fputs(" exit ", stream);
            print_plan_expression(context, effect->amount, false);
            fputc('\n', stream);
            continue;
        }
        if (effect->kind == PLAN_EFFECT_CALL) {
            fprintf(stream, " call %s(", context->plan->routines[effect->routine].name);
            for (uint32_t k = 0; k < effect->value_count; k++) {
                fputs(k ? ", " : "", stream);
                print_plan_expression(context, effect->values[k], false);
            }
            fputs(")\n", stream);
            continue;
        }
        fputs(" print to ", stream);
        print_string(effect->file, stream);
        fputc(' ', stream);
        print_string(effect->format, stream);
        for (uint32_t k = 0; k < effect->value_count; k++) {
            fputs(", ", stream);
            print_plan_expression(context, effect->values[k], false);
        }
        if (effect->limit)
            fprintf(stream, " limit %" PRIu64 "%s", effect->limit, effect->per_second ? " per second" : "");
        fputc('\n', stream);
    }
}

static void print_setting(const struct print_context *context, const struct plan_action *action) {
    fputs(" set ", context->stream);
    print_plan_expression(context, action->value, false);
    fputs(" = ", context->stream);
    print_plan_expression(context, action->amount, false);
    fputc('\n', context->stream);
}

static void print_action(const struct plan *plan, uint32_t number, FILE *stream) {
    const struct plan_action *action = &plan->actions[number];
    struct print_context context = {plan, action->loops, stream};
    if (action->kind == PLAN_ACTION_CALL && plan->routines[action->routine].own && !action->command)
        return; /* it belongs to another set */
    fprintf(stream, "\naction %" PRIu32, number);
    if (number > 0 && plan->actions[number - 1].statement == action->statement)
        fprintf(stream, ", together with %" PRIu32, number - 1);
    fputc('\n', stream);
    for (uint32_t i = 0; i < action->loop_count; i++) {
        fputs("    for ", stream);
        print_selection(&context, &action->loops[i]);
    }
    if (action->kind == PLAN_ACTION_REPLACE) {
        const char *name = action->loops[action->place_variable].name;
        fprintf(stream, "    replace %s%s%s%s with %s", action->retains ? "and retain " : "",
                plan_place_words[action->place], *name ? " " : "", name,
                plan->routines[action->routine].name);
        for (uint32_t i = 0; i < action->argument_count; i++) {
            fputs(i ? ", " : "(", stream);
            print_plan_expression(&context, action->arguments[i], false);
        }
        fputs(action->argument_count ? ")\n" : "\n", stream);
        return;
    }
    fprintf(stream, "    %s", action->event ? action->event : plan_when_words(action->place, action->when));
    if (!action->event && (action->place != PLAN_PROGRAM || action->when != PLAN_ON))
        fprintf(stream, " %s", plan_place_words[action->place]);
    if (action->place != PLAN_PROGRAM)
        fprintf(stream, " %s", action->loops[action->place_variable].name);
    if (action->guard) {
        fputs(" when ", stream);
        print_plan_expression(&context, action->guard, false);
    }
    if (action->sample)
        fprintf(stream, " sample %" PRId64, action->sample);
    if (action->command)
        print_command(&context, action->command);
    else if (action->kind == PLAN_ACTION_UPDATE)
        print_plan_update(&context, action);
    else if (action->kind == PLAN_ACTION_SET)
        print_setting(&context, action);
    else if (action->kind == PLAN_ACTION_SKIP)
        fputs(" skip\n", stream);
    else
        print_call(&context, action);
}

static void print_counter(const struct plan *plan, const struct plan_counter *counter, FILE *stream) {
    if (counter->kind == PLAN_SAMPLE)
        return; /* its action shows it */
    if (counter->kind == PLAN_SWITCH) {
        fprintf(stream, "switch %s = %s\n", counter->name, counter->initial ? "on" : "off");
        return;
    }
    bool histogram = counter->kind == PLAN_HISTOGRAM;
    fprintf(stream, "%s%s %s", counter->per_thread ? "thread " : "", histogram ? "histogram" : "counter",
            counter->name);
    for (uint32_t i = 0; i < counter->key_count; i++)
        fprintf(stream, "%s%s%s", i ? ", " : "[", plan_type_name(counter->keys[i]),
                i + 1 < counter->key_count ? "" : "]");
    if (plan_is_keyed(counter))
        fprintf(stream, "%s limit %" PRIu32, counter->holds_text ? " as string" : "", counter->limit);
    if (counter->set != PLAN_SINGLE_CELL)
        fprintf(stream, "[%s]", plan->sets[counter->set].name);
    if (counter->size)
        print_bracketed(&(struct print_context){.plan = plan, .stream = stream}, counter->size);
    if (histogram && counter->buckets.logarithmic)
        fputs(" log2\n", stream);
    else if (histogram)
        fprintf(stream, " linear %" PRId64 " .. %" PRId64 " by %" PRId64 "\n", counter->buckets.low,
                counter->buckets.high, counter->buckets.step);
    else
        fprintf(stream, " %s\n", update_words[counter->update]);
}

static void print_array(const struct plan *plan, const struct plan_array *array, FILE *stream) {
    struct print_context context = {plan, &array->loop, stream};
    fprintf(stream, "array %s = ", array->name);
    print_plan_expression(&context, array->value, false);
    fputs(" for ", stream);
    print_selection(&context, &array->loop);
}

static void print_column(const struct print_context *context, const struct plan_column *column) {
    static const char *const formats[] = {
        [PLAN_COLUMN_TEXT] = "text",         [PLAN_COLUMN_DECIMAL] = "decimal",
        [PLAN_COLUMN_HEXADECIMAL] = "hex",   [PLAN_COLUMN_PERCENT] = "percent",
        [PLAN_COLUMN_GREATEST] = "greatest", [PLAN_COLUMN_REAL] = "real"};
    const struct plan_expression *value = column->value;
    fputs(*column->title ? "    column " : "    piece", context->stream);
    if (*column->title)
        print_string(column->title, context->stream);
    fprintf(context->stream, " %s ", formats[column->format]);
    print_plan_expression(context, value->op == PLAN_OP_PERCENT ? value->operand[0] : value, false);
    if (column->unit) {
        fputs(" unit ", context->stream);
        print_string(column->unit, context->stream);
    }
    fputc('\n', context->stream);
}

static void print_display(const struct plan_report *report, FILE *stream) {
    const struct plan_display_info *kind = &plan_displays[report->display->kind];
    fprintf(stream, "    display %s", kind->word);
    for (int i = 0; i < PLAN_DISPLAY_COLUMNS && kind->columns[i].need != PLAN_NEED_NONE; i++) {
        fprintf(stream, " %s%s", kind->columns[i].word, *kind->columns[i].word ? " " : "");
        print_string(report->columns[report->display->columns[i]].title, stream);
    }
    fputc('\n', stream);
}

static void print_report(const struct plan *plan, uint32_t number, FILE *stream) {
    const struct plan_report *report = &plan->reports[number];
    struct print_context context = {plan, report->loops, stream};
    fprintf(stream, "\nreport %" PRIu32 " ", number);
    print_string(report->path, stream);
    fprintf(stream, "%s%s\n", report->joins ? " goes on" : "", report->is_text ? " as text" : "");
    if (report->every == PLAN_EVERY_MILLISECONDS)
        fprintf(stream, "    every %" PRId64 " ms\n", report->every_count);
    else if (report->every == PLAN_EVERY_EVENTS)
        fprintf(stream, "    every %" PRId64 " of %s\n", report->every_count,
                plan->counters[report->every_counter].name);
    else if (report->every == PLAN_EVERY_SIGNAL)
        fprintf(stream, "    on signal %" PRId64 "\n", report->every_count);
    for (uint32_t i = 0; i < report->loop_count; i++) {
        fputs("    for ", stream);
        print_selection(&context, &report->loops[i]);
    }
    if (report->filter) {
        fputs("    filter ", stream);
        print_plan_expression(&context, report->filter, false);
        fputc('\n', stream);
    }
    for (uint32_t i = 0; i < report->group_count; i++) {
        fputs(i ? ", " : "    grouped by ", stream);
        print_plan_expression(&context, report->groups[i], false);
        fputs(i + 1 < report->group_count ? "" : "\n", stream);
    }
    if (report->key) {
        fputs("    sorted by ", stream);
        print_plan_expression(&context, report->key, false);
        fputs(report->descending ? " descending\n" : " ascending\n", stream);
    }
    if (report->limit)
        fprintf(stream, "    top %" PRIu32 "\n", report->limit);
    for (uint32_t i = 0; i < report->column_count; i++)
        print_column(&context, &report->columns[i]);
    fputs(report->total ? "    total\n" : "", stream);
    if (report->display)
        print_display(report, stream);
}

static void print_set(const struct plan *plan, const struct plan_set *set, FILE *stream) {
    static const char *const operators[] = {
        [PLAN_SET_UNION] = "|", [PLAN_SET_INTERSECTION] = "&", [PLAN_SET_DIFFERENCE] = "-"};
    struct print_context context = {plan, set->loops, stream};
    if (set->name[0] == '(') /* such a name describes the set */
        return;
    fprintf(stream, "set %s = ", set->name);
    if (set->form != PLAN_SET_SELECTION)
        fprintf(stream, "%s %s %s\n", plan->sets[set->left].name, operators[set->form],
                plan->sets[set->right].name);
    for (uint32_t i = 0; i < set->loop_count; i++) {
        fputs(i ? "    for " : "", stream);
        print_selection(&context, &set->loops[i]);
    }
}

void plan_print(const struct plan *plan, FILE *stream) {
    fprintf(stream, "tool %s ", plan->name);
    print_string(plan->description, stream);
    fputs(plan->set_count ? "\n\n" : "\n", stream);
    for (uint32_t i = 0; i < plan->set_count; i++)
        print_set(plan, &plan->sets[i], stream);
    bool routines = false;
    for (uint32_t i = 0; i < plan->routine_count; i++)
        routines |= !plan->routines[i].own;
    if (routines)
        fputc('\n', stream);
    for (uint32_t i = 0; i < plan->routine_count; i++)
        if (!plan->routines[i].own)
            print_routine(&plan->routines[i], stream);
    bool buffers = false;
    for (uint32_t i = 0; i < plan->buffer_count; i++)
        buffers |= !plan->buffers[i].own;
    if (buffers)
        fputc('\n', stream);
    for (uint32_t i = 0; i < plan->buffer_count; i++)
        print_buffer(plan, i, stream);
    if (plan->array_count)
        fputc('\n', stream);
    for (uint32_t i = 0; i < plan->array_count; i++)
        print_array(plan, &plan->arrays[i], stream);
    if (plan->counter_count)
        fputc('\n', stream);
    for (uint32_t i = 0; i < plan->counter_count; i++)
        print_counter(plan, &plan->counters[i], stream);
    for (uint32_t i = 0; i < plan->action_count; i++)
        print_action(plan, i, stream);
    for (uint32_t i = 0; i < plan->report_count; i++)
        print_report(plan, i, stream);
}

void plan_destroy(struct plan *plan) {
    if (plan)
        arena_destroy(plan->arena); /* the arena holds the plan itself */
}

unsigned c_type_bits(enum plan_c_type type) {
    return type == PLAN_C_CHAR ? 8 : type == PLAN_C_SHORT ? 16 : type == PLAN_C_INT ? 32 : 64;
}
