/* keys.c: counters and histograms by keys that are known only when the program runs, and by thread: their
   declarations, the keys in actions, and their rows in reports. Requires the counters defined so far. */
#include "compiler/internal.h"

#include <string.h>

/* ---- declarations --------------------------------------------------------------------------- */

static bool key_type(const struct compilation *compilation, const struct expression *expression,
                     enum plan_type *type) {
    if (expression->kind != EXPRESSION_NAME || find_declaration(compilation, expression->name.text))
        return false;
    bool string = strcmp(expression->name.text, "string") == 0;
    *type = string ? PLAN_TYPE_STRING : PLAN_TYPE_INTEGER;
    return string || strcmp(expression->name.text, "int") == 0;
}

bool has_keys(const struct compilation *compilation, const struct statement *statement) {
    enum plan_type type;
    return statement->set && (statement->set->next || key_type(compilation, statement->set, &type));
}

static bool check_key_types(struct compilation *compilation, const struct statement *statement,
                            struct plan_counter *counter) {
    for (const struct expression *at = statement->set; at; at = at->next) {
        if (counter->key_count == PLAN_MOST_KEYS) {
            diagnose(compilation->diagnostics, &at->where, MESSAGE_KEYS_MANY, PLAN_MOST_KEYS);
            return false;
        }
        if (!key_type(compilation, at, &counter->keys[counter->key_count++])) {
            diagnose(compilation->diagnostics, &at->where, MESSAGE_KEY_TYPE);
            diagnose_hint(compilation->diagnostics, "for a place use one of its attributes, as p.name, or "
                                                    "p.pc, whose name is $symbol(row.key) in a report");
            return false;
        }
    }
    return true;
}

/* A static number after `limit`, 0 after reporting. */
uint64_t check_limit_number(struct compilation *compilation, const struct expression *expression,
                            uint64_t most) {
    struct expression_context saved = compilation->context;
    compilation->context.static_role = "a limit";
    const struct plan_expression *limit = check_expression(compilation, expression);
    compilation->context = saved;
    if (limit->type == PLAN_TYPE_ERROR)
        return 0;
    if (is_constant(limit) && limit->type == PLAN_TYPE_INTEGER && limit->integer > 0 &&
        (uint64_t)limit->integer <= most)
        return (uint64_t)limit->integer;
    diagnose(compilation->diagnostics, &limit->where, MESSAGE_LIMIT_NUMBER, (unsigned long long)most);
    return 0;
}

bool check_key_declaration(struct compilation *compilation, const struct statement *statement,
                           struct plan_counter *counter) {
    bool good = true;
    if (has_keys(compilation, statement)) {
        good = check_key_types(compilation, statement, counter);
    } else if (statement->per_thread && statement->set) {
        diagnose(compilation->diagnostics, &statement->set->where, MESSAGE_KEY_TYPE);
        diagnose_hint(compilation->diagnostics, "for a place use one of its attributes, as p.name, or p.pc, "
                                                "whose name is $symbol(row.key) in a report");
        return false;
    }
    counter->per_thread = statement->per_thread;
    counter->limit = COMMAND_CELLS;
    if (!plan_is_keyed(counter)) {
        if (statement->limit) {
            diagnose(compilation->diagnostics, &statement->limit->where, MESSAGE_LIMIT_UNKEYED,
                     counter->name);
            diagnose_hint(compilation->diagnostics, "keys are types in brackets: counter %s[string]",
                          counter->name);
        }
        return true;
    }
    if (statement->limit) {
        counter->limit = (uint32_t)check_limit_number(compilation, statement->limit, COMMAND_MOST_CELLS);
        good &= counter->limit > 0;
    }
    VECTOR_RESERVE(compilation->buffers, compilation->buffer_count, compilation->buffer_capacity);
    counter->table = compilation->buffer_count; /* filled in at the end: fill_tables() */
    compilation->buffers[compilation->buffer_count++] = (struct plan_buffer){.writable = true, .own = true};
    return good;
}

struct command_buckets command_buckets(const struct plan_counter *counter) {
    struct command_buckets made = {0};
    if (counter->kind != PLAN_HISTOGRAM)
        return made;
    made.count = counter->buckets.count;
    made.logarithmic = counter->buckets.logarithmic;
    made.low = counter->buckets.low;
    made.high = counter->buckets.high;
    made.step = counter->buckets.step;
    return made;
}

/* True if the tool has C, which may count as well. */
bool calls_routines(const struct compilation *compilation) {
    for (uint32_t i = 0; i < compilation->routine_count; i++)
        if (!compilation->routines[i].routine.own)
            return true;
    return false;
}

/* True if a child's counts start at the fork. False if the tool has C that counts while the program runs,
   as that continues unchanged. */
bool begins_at_forks(const struct compilation *compilation) {
    bool calls = false;
    for (uint32_t i = 0; i < compilation->action_count; i++) {
        const struct plan_action *action = &compilation->actions[i];
        if (action->place == PLAN_PROGRAM && action->when == PLAN_ON)
            return true;
        calls |= action->place != PLAN_PROGRAM &&
                 (action->kind == PLAN_ACTION_CALL || action->kind == PLAN_ACTION_REPLACE) &&
                 !compilation->routines[action->routine].routine.own;
    }
    return !calls;
}

void fill_tables(struct compilation *compilation) {
    for (uint32_t i = 0; i < compilation->counter_count; i++) {
        const struct plan_counter *counter = &compilation->counters[i].counter;
        if (!plan_is_keyed(counter))
            continue;
        struct keyed_table *table = arena_allocate(compilation->arena, sizeof *table);
        *table = (struct keyed_table){
            .per_thread = counter->per_thread,
            .forks = begins_at_forks(compilation) &&
                     (counter->kind == PLAN_HISTOGRAM || counter->update != PLAN_UPDATE_SET),
            .update = counter->update,
            .keeps = counter->sums_lengths,
            .texts = counter->holds_text,
            .limit = counter->limit,
            .buckets = command_buckets(counter)};
        if (counter->per_thread)
            table->keys[table->key_count++] = COMMAND_KEY_INTEGER;
        for (uint32_t k = 0; k < counter->key_count; k++)
            table->keys[table->key_count++] =
                counter->keys[k] == PLAN_TYPE_STRING ? COMMAND_KEY_TEXT : COMMAND_KEY_INTEGER;
        snprintf(table->name, sizeof table->name, "%s", counter->name);
        compilation->buffers[counter->table].bytes = table;
        compilation->buffers[counter->table].size = sizeof *table;
    }
}

/* ---- keys ----------------------------------------------------------------------------------- */

static bool fits_key_type(enum plan_type wanted, enum plan_type given) {
    return wanted == PLAN_TYPE_STRING ? given == PLAN_TYPE_STRING
                                      : is_number(given) || given == PLAN_TYPE_REGISTER;
}

const struct plan_expression *check_keys(struct compilation *compilation, const struct name *name,
                                         uint32_t counter, const struct expression *list, bool *good) {
    struct plan_expression *first = NULL, **last = &first;
    uint32_t count = 0;
    *good = !compilation->counters[counter].broken;
    for (const struct expression *at = list; at; at = at->next, count++) {
        const struct plan_expression *key = check_expression(compilation, at);
        const struct plan_counter *keyed = &compilation->counters[counter].counter;
        struct plan_expression *argument =
            make_expression(compilation, PLAN_OP_ARGUMENT, key->type, &key->where);
        argument->operand[0] = key;
        argument->dynamic = key->dynamic;
        *last = argument;
        last = (struct plan_expression **)&argument->operand[1];
        if (key->type == PLAN_TYPE_ERROR) {
            *good = false;
        } else if (count < keyed->key_count && !fits_key_type(keyed->keys[count], key->type)) {
            diagnose(compilation->diagnostics, &key->where, MESSAGE_KEY_VALUE, name->text, count + 1,
                     type_phrase(keyed->keys[count]), type_phrase(key->type));
            if (keyed->keys[count] == PLAN_TYPE_STRING && is_number(key->type))
                diagnose_hint(compilation->diagnostics,
                              "the text at an address is $string(address), the name of what is there "
                              "$symbol(address)");
            *good = false;
        }
    }
    const struct plan_counter *keyed = &compilation->counters[counter].counter;
    if (count == keyed->key_count)
        return first;
    if (*good && keyed->key_count == 0)
        diagnose(compilation->diagnostics, &list->where, MESSAGE_KEYS_NONE, name->text);
    else if (*good)
        diagnose(compilation->diagnostics, count > keyed->key_count ? &list->where : &name->where,
                 MESSAGE_KEYS_COUNT, name->text, keyed->key_count, keyed->key_count == 1 ? "" : "s", count,
                 count == 1 ? "is" : "are");
    *good = false;
    return NULL;
}

bool needs_command(const struct plan_expression *expression) {
    if (!expression || !expression->dynamic)
        return false;
    if (expression->op == PLAN_OP_KEYED || expression->op == PLAN_OP_TEXT ||
        expression->op == PLAN_OP_NAMED ||
        (expression->op == PLAN_OP_VALUE &&
         (expression->value == PLAN_VALUE_THREAD_NUMBER || expression->value == PLAN_VALUE_PROCESS_NUMBER ||
          expression->value == PLAN_VALUE_STACK || expression->value == PLAN_VALUE_DEPTH ||
          expression->value == PLAN_VALUE_NANOSECONDS || expression->value == PLAN_VALUE_THREAD_NAME)))
        return true;
    return needs_command(expression->operand[0]) || needs_command(expression->operand[1]) ||
           needs_command(expression->operand[2]);
}

/* ---- reports -------------------------------------------------------------------------------- */

/* The keyed counter of the loop whose variable the place is; NO_COUNTER if there is none. */
uint32_t keyed_of_row(const struct compilation *compilation, const struct plan_expression *place) {
    if (place->op != PLAN_OP_VARIABLE || place->type != PLAN_TYPE_BUCKET)
        return NO_COUNTER;
    const struct plan_loop *loop = &compilation->scopes[place->variable].loop;
    return loop->domain == PLAN_DOMAIN_KEYS ? loop->histogram : NO_COUNTER;
}

void check_key_loop(struct compilation *compilation, const struct name *name, uint32_t counter,
                    struct scope *scope) {
    scope->loop.domain = PLAN_DOMAIN_KEYS;
    scope->loop.histogram = counter;
    scope->broken = compilation->counters[counter].broken;
    if (compilation->scope_count == 0)
        return;
    diagnose(compilation->diagnostics, &name->where, MESSAGE_KEYS_INSIDE, name->text);
    scope->broken = true;
}

static bool have_same_keys(const struct plan_counter *left, const struct plan_counter *right) {
    if (left->key_count != right->key_count || left->per_thread != right->per_thread)
        return false;
    for (uint32_t i = 0; i < left->key_count; i++)
        if (left->keys[i] != right->keys[i])
            return false;
    return true;
}

struct plan_expression *check_row_cell(struct compilation *compilation, const struct expression *expression,
                                       uint32_t counter, const struct expression *cell) {
    const struct name *name = &expression->name;
    struct plan_expression *result =
        make_expression(compilation, PLAN_OP_ROW_CELL, PLAN_TYPE_ERROR, &expression->where);
    const struct plan_expression *place = cell ? check_expression(compilation, cell) : NULL;
    if ((place && place->type == PLAN_TYPE_ERROR) || compilation->counters[counter].broken)
        return result;
    uint32_t other = place && !cell->next ? keyed_of_row(compilation, place) : NO_COUNTER;
    if (other == NO_COUNTER ||
        !have_same_keys(&compilation->counters[counter].counter, &compilation->counters[other].counter)) {
        diagnose(compilation->diagnostics, place ? &place->where : &expression->where,
                 MESSAGE_KEYED_IN_REPORT, name->text);
        diagnose_hint(compilation->diagnostics,
                      "for row in %s, and row.count; or %s[row] for the row of another counter with keys of "
                      "the same types",
                      name->text, name->text);
        return result;
    }
    result->type = plan_held_type(&compilation->counters[counter].counter);
    result->counter = counter;
    return result;
}

/* row.key, row.key(n) */
static struct plan_expression *check_key_attribute(struct compilation *compilation,
                                                   const struct expression *expression,
                                                   const struct plan_counter *counter) {
    struct plan_expression *result =
        make_expression(compilation, PLAN_OP_ROW_KEY, PLAN_TYPE_ERROR, &expression->where);
    int64_t number = 0;
    if (expression->argument_count > 1) {
        diagnose(compilation->diagnostics, &expression->where, MESSAGE_KEY_NUMBER, counter->name,
                 counter->key_count);
        return result;
    }
    if (expression->argument_count == 1) {
        const struct plan_expression *given = check_expression(compilation, expression->arguments);
        if (given->type == PLAN_TYPE_ERROR)
            return result;
        number = is_constant(given) && given->type == PLAN_TYPE_INTEGER ? given->integer : -1;
    }
    if (number < 0 || number >= counter->key_count) {
        diagnose(compilation->diagnostics, &expression->where, MESSAGE_KEY_NUMBER, counter->name,
                 counter->key_count);
        if (counter->per_thread)
            diagnose_hint(compilation->diagnostics, "the thread is .thread");
        return result;
    }
    result->type = counter->keys[number];
    result->integer = number;
    return result;
}

struct plan_expression *key_row_attribute(struct compilation *compilation, uint32_t index,
                                          enum plan_attribute attribute,
                                          const struct expression *expression) {
    const struct plan_counter *counter = &compilation->counters[index].counter;
    if (attribute == PLAN_ATTRIBUTE_BUCKET_KEY)
        return check_key_attribute(compilation, expression, counter);
    struct plan_expression *result =
        make_expression(compilation, PLAN_OP_ROW_CELL, PLAN_TYPE_INTEGER, &expression->where);
    result->counter = index;
    if (attribute == PLAN_ATTRIBUTE_BUCKET_COUNT) {
        result->type = plan_held_type(counter);
        return result;
    }
    if (attribute == PLAN_ATTRIBUTE_BUCKET_THREAD && counter->per_thread) {
        result->op = PLAN_OP_ROW_KEY;
        result->integer = -1;
        return result;
    }
    result->type = PLAN_TYPE_ERROR;
    diagnose(compilation->diagnostics, &expression->name.where, MESSAGE_KEY_ROW_ATTRIBUTE,
             expression->name.text, counter->name);
    diagnose_hint(compilation->diagnostics, "it has key, key(n) and count%s",
                  counter->per_thread ? ", and thread" : "");
    return result;
}
