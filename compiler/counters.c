/* counters.c: counters, their cells, and their updates. Requires the sets defined so far. All updates of a
   counter in the tool must be of the same kind. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

/* `counter owner[int] as string`. False after reporting. */
static bool check_held_type(struct compilation *compilation, const struct statement *statement,
                            struct plan_counter *counter) {
    if (strcmp(statement->type.text, "int") == 0)
        return true;
    if (strcmp(statement->type.text, "string") != 0) {
        diagnose(compilation->diagnostics, &statement->type.where, MESSAGE_HELD_TYPE, statement->type.text);
        return false;
    }
    counter->holds_text = true;
    counter->update = PLAN_UPDATE_SET;
    if (plan_is_keyed(counter))
        return true;
    diagnose(compilation->diagnostics, &statement->type.where, MESSAGE_TEXT_UNKEYED, counter->name);
    diagnose_hint(compilation->diagnostics, "counter %s[int] as string, or thread counter %s as string",
                  counter->name, counter->name);
    return false;
}

uint32_t check_counter_statement(struct compilation *compilation, const struct statement *statement) {
    bool new = check_new_name(compilation, statement->kind, &statement->name);
    struct counter_entry entry = {.counter = {.name = copy_text(compilation, statement->name.text),
                                              .where = statement->name.where,
                                              .set = PLAN_SINGLE_CELL}};
    entry.broken = !check_key_declaration(compilation, statement, &entry.counter);
    if (statement->set && !plan_is_keyed(&entry.counter) && !entry.broken)
        entry.broken = !check_cells(compilation, statement, &entry.counter);
    if (statement->type.text && !entry.broken)
        entry.broken = !check_held_type(compilation, statement, &entry.counter);
    entry.used = !new; /* reported already */
    VECTOR_RESERVE(compilation->counters, compilation->counter_count, compilation->counter_capacity);
    if (new)
        find_declaration(compilation, statement->name.text)->index = compilation->counter_count;
    compilation->counters[compilation->counter_count] = entry;
    return compilation->counter_count++;
}

uint32_t add_counter(struct compilation *compilation, struct plan_counter counter) {
    VECTOR_RESERVE(compilation->counters, compilation->counter_count, compilation->counter_capacity);
    compilation->counters[compilation->counter_count] =
        (struct counter_entry){.counter = counter, .used = true, .read = true};
    return compilation->counter_count++;
}

/* True if the tool names C files, also ones that are not used here. */
static bool has_c(const struct tool *tool) {
    for (const struct statement *at = tool->statements; at; at = at->next)
        if (at->kind == STATEMENT_ANALYSIS)
            return true;
    return tool->analysis_count > 0;
}

/* True if the counters are for the page's own reports and actions: no C may read them. Warns about a page
 * without reports, prints and C that only counts: its counts are never shown. */
static bool warn_never_shown(struct compilation *compilation) {
    size_t functions = 0;
    if (compilation->prototypes)
        prototypes_names(compilation->prototypes, &functions);
    if (compilation->report_count || compilation->has_effect || compilation->tool->analysis_count ||
        functions)
        return !has_c(compilation->tool) && !functions;
    for (uint32_t i = 0; i < compilation->counter_count; i++) {
        const struct plan_counter *counter = &compilation->counters[i].counter;
        if (counter->kind != PLAN_COUNTER || !compilation->counters[i].used)
            continue;
        diagnose(compilation->diagnostics, &counter->where, MESSAGE_NEVER_SHOWN, counter->name);
        diagnose_hint(compilation->diagnostics,
                      plan_has_cells(counter) ? "a table at the end, of counter n[procs]: "
                                                "report \"-\" for p in procs \"Name\" p.name, \"Count\" n[p]"
                                              : "a table at the end: report \"-\" \"Count\" %s",
                      counter->name);
        return false;
    }
    return false;
}

void warn_unused_counters(struct compilation *compilation) {
    if (diagnostics_errors(compilation->diagnostics) > compilation->errors_before)
        return; /* the update may be among the errors */
    bool shown = warn_never_shown(compilation);
    for (uint32_t i = 0; i < compilation->counter_count; i++) {
        const struct plan_counter *counter = &compilation->counters[i].counter;
        if (!compilation->counters[i].used && counter->kind == PLAN_SWITCH)
            diagnose(compilation->diagnostics, &counter->where, MESSAGE_UNUSED_SWITCH, counter->name);
        else if (!compilation->counters[i].used)
            diagnose(compilation->diagnostics, &counter->where, MESSAGE_UNUSED_COUNTER,
                     counter->kind == PLAN_HISTOGRAM ? "histogram" : "counter", counter->name);
        else if (shown && !compilation->counters[i].read && counter->kind != PLAN_SWITCH) {
            diagnose(compilation->diagnostics, &counter->where, MESSAGE_UNREAD_COUNTER,
                     counter->kind == PLAN_HISTOGRAM ? "histogram" : "counter", counter->name);
            diagnose_hint(compilation->diagnostics,
                          "a column of a report shows it, and $%s in an action reads it", counter->name);
        }
    }
}

/* ---- finding a counter ---------------------------------------------------------------------- */

static const char *kind_word(enum statement_kind kind) {
    return kind == STATEMENT_HISTOGRAM ? "histogram" : "counter";
}

/* `n = n + 1`: the name precedes the `=`, and its own value follows it. */
static bool updates_before(const struct source_span *where, const char *name) {
    const char *text = where->source->text;
    size_t end = where->begin, length = strlen(name);
    while (end > 0 && text[end - 1] == ' ')
        end--;
    if (end == 0 || text[end - 1] != '=')
        return false;
    for (end--; end > 0 && text[end - 1] == ' ';)
        end--;
    return end > length && strncmp(text + end - length, name, length) == 0 &&
           strchr(" \t\n,{", text[end - length - 1]);
}

static void report_unknown_counter(struct compilation *compilation, const struct name *name,
                                   enum statement_kind kind) {
    enum plan_counter_kind wanted = kind == STATEMENT_HISTOGRAM ? PLAN_HISTOGRAM : PLAN_COUNTER;
    const char *word = kind_word(kind);
    const char **words = allocate((compilation->counter_count + 1) * sizeof *words);
    size_t count = 0;
    for (uint32_t i = 0; i < compilation->counter_count; i++)
        if (compilation->counters[i].counter.kind == wanted)
            words[count++] = compilation->counters[i].counter.name;
    const char *nearest = nearest_name(name->text, words, count);
    free(words);
    diagnose(compilation->diagnostics, &name->where, MESSAGE_UNKNOWN_COUNTER, word, name->text);
    if (nearest)
        diagnose_hint(compilation->diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(compilation->diagnostics, "define it above: %s %s, or %s %s[SET]", word, name->text,
                      word, name->text);
}

static void hint_other_kind(struct compilation *compilation, const struct name *name,
                            const struct declaration *declaration) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    if (declaration->kind == STATEMENT_SWITCH)
        diagnose_hint(diagnostics, "a switch is set by: turn %s on, or: turn %s off", name->text, name->text);
    else if (declaration->kind == STATEMENT_HISTOGRAM)
        diagnose_hint(diagnostics,
                      "add a value by: %s << VALUE; in a report: for b in %s, and b.count, b.low, b.high",
                      name->text, name->text);
    else if (declaration->kind == STATEMENT_COUNTER)
        diagnose_hint(diagnostics, "a counter is updated by ++ -- += -= max= min= or =");
    else
        diagnose_hint(diagnostics, "it is defined in %s",
                      spell_line(compilation, &declaration->where, &name->where));
}

/* The counter, or histogram, of that name; NO_COUNTER after reporting. */
static uint32_t find_updated(struct compilation *compilation, const struct name *name,
                             enum statement_kind wanted) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    const struct declaration *declaration = find_declaration(compilation, name->text);
    uint32_t variable;
    if (find_scope(compilation, name->text, &variable) ||
        (!declaration && strcmp(name->text, "program") == 0)) {
        diagnose(diagnostics, &name->where, MESSAGE_NOT_A_COUNTER, name->text, "a place", kind_word(wanted));
        return NO_COUNTER;
    }
    enum plan_place kind;
    int64_t class;
    if (!declaration && (place_from_word(name->text, &kind) || class_from_word(name->text, &class))) {
        diagnose(diagnostics, &name->where, MESSAGE_NOT_A_COUNTER, name->text,
                 place_from_word(name->text, &kind) ? "a kind of place" : "an instruction class",
                 kind_word(wanted));
        return NO_COUNTER;
    }
    if (!declaration) {
        report_unknown_counter(compilation, name, wanted);
        return NO_COUNTER;
    }
    if (declaration->kind != wanted) {
        diagnose(diagnostics, &name->where, MESSAGE_NOT_A_COUNTER, name->text,
                 declaration_phrase(declaration), kind_word(wanted));
        hint_other_kind(compilation, name, declaration);
        return NO_COUNTER;
    }
    if (!declaration->reached) {
        report_used_early(compilation, declaration, kind_word(wanted), name);
        return NO_COUNTER;
    }
    return declaration->index;
}

/* The same if its value is read. */
static uint32_t find_counter(struct compilation *compilation, const struct name *name,
                             enum statement_kind wanted) {
    uint32_t counter = find_updated(compilation, name, wanted);
    if (counter != NO_COUNTER)
        compilation->counters[counter].read = true;
    return counter;
}

/* ---- cells ---------------------------------------------------------------------------------- */

static struct plan_expression *zero_expression(struct compilation *compilation,
                                               const struct source_span *where) {
    return make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, where);
}

static const char *counter_word(const struct plan_counter *counter) {
    return counter->kind == PLAN_HISTOGRAM ? "histogram" : "counter";
}

/* For a place of another kind than the counter's members: suggests the place that may be meant. */
static void report_kind(struct compilation *compilation, const struct plan_expression *place, uint32_t set) {
    const struct plan_set *wanted = &compilation->sets[set].set;
    enum plan_place kind = plan_type_place(place->type);
    diagnose(compilation->diagnostics, &place->where, MESSAGE_MEMBER_KIND, wanted->name,
             plan_place_plurals[wanted->kind], type_phrase(place->type));
    const char *name = place->op == PLAN_OP_VARIABLE ? compilation->scopes[place->variable].loop.name : "v";
    for (int i = 0; i < PLAN_ATTRIBUTE_COUNT; i++)
        if (plan_attributes[i].place == kind && plan_attributes[i].type == plan_place_type(wanted->kind)) {
            diagnose_hint(compilation->diagnostics, "did you mean %s.%s?", name, plan_attributes[i].word);
            return;
        }
}

/* A number that no cell has. */
static void report_range(struct compilation *compilation, const struct plan_counter *counter,
                         const struct name *name, const struct plan_expression *number) {
    diagnose(compilation->diagnostics, &number->where, MESSAGE_CELL_RANGE, counter_word(counter), name->text,
             (long long)number->integer);
    if (counter->set != PLAN_SINGLE_CELL)
        diagnose_hint(compilation->diagnostics, "cells are numbered from 0 to count(%s) - 1",
                      compilation->sets[counter->set].set.name);
    else if (is_constant(counter->size))
        diagnose_hint(compilation->diagnostics, "cells are numbered from 0 to %lld",
                      (long long)counter->size->integer - 1);
    else
        diagnose_hint(compilation->diagnostics, "cells are numbered from 0");
}

static bool is_in_counter_range(const struct plan_counter *counter, const struct plan_expression *number) {
    if (!is_constant(number))
        return true; /* the engine evaluates it */
    return number->integer >= 0 &&
           (!counter->size || !is_constant(counter->size) || number->integer < counter->size->integer);
}

/* Reports that the counter has several cells, but no cell was chosen. */
static void report_no_choice(struct compilation *compilation, const struct plan_counter *counter,
                             const struct name *name) {
    if (counter->size) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_COUNTER_HAS_NUMBERS, counter_word(counter),
                 name->text);
        diagnose_hint(compilation->diagnostics, "write %s[n], where n is an integer", name->text);
    } else {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_COUNTER_HAS_CELLS, counter_word(counter),
                 name->text, compilation->sets[counter->set].set.name);
        diagnose_hint(compilation->diagnostics, "write %s[v], where v is a member", name->text);
    }
}

/* The number of the cell that `cell` chooses: a member of the counter's set, or an integer. NULL: the single
   cell, or an error was reported: then *good is false. */
static const struct plan_expression *cell_number(struct compilation *compilation, const struct name *name,
                                                 uint32_t counter, const struct expression *cell,
                                                 bool *good) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    if (cell && cell->next) {
        diagnose(diagnostics, &cell->next->where, MESSAGE_ONE_CELL, name->text);
        *good = false;
        return NULL;
    }
    struct plan_expression *number = cell ? check_expression(compilation, cell) : NULL;
    const struct counter_entry *entry = &compilation->counters[counter];
    uint32_t set = entry->counter.set;
    *good = false;
    if (entry->broken || (number && number->type == PLAN_TYPE_ERROR))
        return NULL;
    if (!plan_has_cells(&entry->counter) && number) {
        diagnose(diagnostics, &number->where, MESSAGE_COUNTER_IS_SINGLE, counter_word(&entry->counter),
                 name->text);
        diagnose_hint(diagnostics, "write %s, or define it as %s[SET]", name->text, name->text);
    } else if (plan_has_cells(&entry->counter) && !number) {
        report_no_choice(compilation, &entry->counter, name);
    } else if (!number) {
        *good = true;
    } else if (number->type >= PLAN_TYPE_PROGRAM && set == PLAN_SINGLE_CELL) {
        diagnose(diagnostics, &number->where, MESSAGE_CELL_BY_NUMBER, counter_word(&entry->counter),
                 name->text, type_phrase(number->type));
    } else if (number->type >= PLAN_TYPE_PROGRAM) {
        if (number->type != plan_place_type(compilation->sets[set].set.kind)) {
            report_kind(compilation, number, set);
            return NULL;
        }
        struct plan_expression *index =
            make_operator(compilation, PLAN_OP_INDEX, PLAN_TYPE_INTEGER, &number->where, number, NULL);
        index->set = set;
        *good = true;
        return index;
    } else if (!is_number(number->type) && number->type != PLAN_TYPE_REGISTER) {
        diagnose(diagnostics, &number->where, MESSAGE_CELL_NUMBER, type_phrase(number->type));
    } else if (!is_in_counter_range(&entry->counter, number)) {
        report_range(compilation, &entry->counter, name, number);
    } else {
        *good = true;
        return number;
    }
    return NULL;
}

void report_cell_value(struct compilation *compilation, const struct declaration *declaration,
                       const struct name *name, const struct source_span *where) {
    const char *phrase = declaration_phrase(declaration);
    bool counter = declaration->kind == STATEMENT_COUNTER;
    if (compilation->context.static_role || compilation->context.place == PLAN_PROGRAM ||
        compilation->context.place == PLAN_OBJECT)
        diagnose(compilation->diagnostics, where, MESSAGE_CELL_NOT_KNOWN, name->text, phrase,
                 counter ? "in reports and " : "");
    else
        diagnose(compilation->diagnostics, where, MESSAGE_CELL_WHILE_RUNNING, name->text, phrase, name->text);
    if (counter && updates_before(where, name->text))
        diagnose_hint(compilation->diagnostics, "to count: %s++; to add: %s += 1", name->text, name->text);
}

struct plan_expression *check_cell(struct compilation *compilation, const struct expression *expression,
                                   const struct expression *cell) {
    struct plan_expression *result =
        make_expression(compilation, PLAN_OP_CELL, PLAN_TYPE_ERROR, &expression->where);
    if (!compilation->context.report) {
        const struct declaration *declaration = find_declaration(compilation, expression->name.text);
        if (declaration && declaration->kind == STATEMENT_COUNTER)
            report_cell_value(compilation, declaration, &expression->name, &expression->where);
        else
            find_counter(compilation, &expression->name, STATEMENT_COUNTER);
        return result;
    }
    struct plan_expression *of_bucket = check_other_bucket(compilation, expression, cell);
    if (of_bucket)
        return of_bucket;
    uint32_t counter = find_counter(compilation, &expression->name, STATEMENT_COUNTER);
    if (counter == NO_COUNTER)
        return result;
    if (plan_is_keyed(&compilation->counters[counter].counter))
        return check_row_cell(compilation, expression, counter, cell);
    bool good;
    const struct plan_expression *number = cell_number(compilation, &expression->name, counter, cell, &good);
    if (!good)
        return result;
    result->type = PLAN_TYPE_INTEGER;
    result->counter = counter;
    result->operand[0] = number ? number : zero_expression(compilation, &expression->where);
    return result;
}

struct plan_expression *check_passed_counter(struct compilation *compilation,
                                             const struct expression *expression) {
    struct plan_expression *passed =
        make_expression(compilation, PLAN_OP_CELLS, PLAN_TYPE_ARRAY, &expression->where);
    uint32_t index = find_counter(compilation, &expression->name, STATEMENT_COUNTER);
    if (index == NO_COUNTER) {
        passed->type = PLAN_TYPE_ERROR;
        return passed;
    }
    struct counter_entry *entry = &compilation->counters[index];
    if (!plan_is_keyed(&entry->counter)) {
        passed->counter = index;
        return passed;
    }
    entry->used = true; /* C updates it */
    passed->op = PLAN_OP_BUFFER;
    passed->buffer = entry->counter.table;
    passed->type =
        entry->counter.per_thread || entry->counter.holds_text ? PLAN_TYPE_ERROR : PLAN_TYPE_INTEGER;
    if (entry->counter.holds_text)
        diagnose(compilation->diagnostics, &expression->where, MESSAGE_TEXTS_TO_C, expression->name.text);
    else if (entry->counter.per_thread)
        diagnose(compilation->diagnostics, &expression->where, MESSAGE_KEYED_TO_C, expression->name.text);
    return passed;
}

bool check_running_cell(struct compilation *compilation, const struct expression *expression,
                        struct plan_expression *result) {
    struct name name = {expression->name.text + 1, expression->name.where};
    const struct declaration *declaration = find_declaration(compilation, name.text);
    if (!declaration || (declaration->kind != STATEMENT_COUNTER && declaration->kind != STATEMENT_SWITCH &&
                         declaration->kind != STATEMENT_HISTOGRAM))
        return false;
    if (!may_be_dynamic(compilation, expression, expression->name.text))
        return true;
    if (declaration->kind != STATEMENT_SWITCH) {
        bool good;
        result->counter = find_counter(compilation, &name, STATEMENT_COUNTER);
        if (result->counter == NO_COUNTER)
            return true;
        if (plan_is_keyed(&compilation->counters[result->counter].counter)) {
            result->op = PLAN_OP_KEYED;
            compilation->counters[result->counter].read_early |=
                compilation->context.place != PLAN_PROGRAM || compilation->context.when != PLAN_AFTER;
            result->operand[0] =
                check_keys(compilation, &name, result->counter, expression->operand[0], &good);
            result->type =
                good ? plan_held_type(&compilation->counters[result->counter].counter) : PLAN_TYPE_ERROR;
            result->dynamic = true;
            return true;
        }
        result->operand[0] = cell_number(compilation, &name, result->counter, expression->operand[0], &good);
        if (!good)
            return true;
        result->type = PLAN_TYPE_INTEGER;
    } else if (!declaration->reached) {
        report_used_early(compilation, declaration, "switch", &name);
        return true;
    } else if (expression->operand[0]) {
        diagnose(compilation->diagnostics, &expression->operand[0]->where, MESSAGE_NO_CELLS,
                 expression->name.text);
        return true;
    } else {
        result->counter = declaration->index;
        result->type = PLAN_TYPE_BOOLEAN;
    }
    if (!result->operand[0])
        result->operand[0] = zero_expression(compilation, &expression->where);
    result->op = PLAN_OP_CELL;
    result->dynamic = true;
    return true;
}

/* ---- updates -------------------------------------------------------------------------------- */

static const struct update_word {
    const char *word;
    enum plan_update update;
    int sign; /* of the amount */
} update_words[] = {
    {"++", PLAN_UPDATE_ADD, 1},  {"--", PLAN_UPDATE_ADD, -1},      {"+=", PLAN_UPDATE_ADD, 1},
    {"-=", PLAN_UPDATE_ADD, -1}, {"max=", PLAN_UPDATE_MAXIMUM, 1}, {"min=", PLAN_UPDATE_MINIMUM, 1},
    {"=", PLAN_UPDATE_SET, 1},
};

static const struct update_word *find_update_word(struct compilation *compilation,
                                                  const struct name *operator) {
    for (size_t i = 0; i < sizeof update_words / sizeof update_words[0]; i++)
        if (strcmp(update_words[i].word, operator->text) == 0)
            return &update_words[i];
    diagnose(compilation->diagnostics, &operator->where, MESSAGE_UNKNOWN_UPDATE, operator->text);
    diagnose_hint(compilation->diagnostics, "the updates are ++ -- += -= max= min= and =");
    return NULL;
}

/* All updates in the tool must be of one kind. */
static void keys_agree(struct compilation *compilation, const struct effect *effect,
                       const struct update_word *word, struct counter_entry *entry) {
    static const char *const spelled[] = {"+=", "max=", "min=", "="};
    if (!entry->has_update) {
        entry->has_update = true;
        entry->counter.update = word->update;
        entry->updated = effect->where;
    } else if (entry->counter.update != word->update) {
        diagnose(compilation->diagnostics, &effect->where, MESSAGE_UPDATE_KINDS, effect->name.text,
                 effect->operator.text, spelled[entry->counter.update],
                 spell_line(compilation, &entry->updated, &effect->where));
        diagnose_hint(compilation->diagnostics, "use two counters");
    }
}

static const struct plan_expression *
check_amount(struct compilation *compilation, const struct effect *effect, const struct update_word *word) {
    struct plan_expression *amount;
    if (effect->amount) {
        amount = check_expression(compilation, effect->amount);
    } else {
        amount = zero_expression(compilation, &effect->operator.where);
        amount->integer = 1;
    }
    if (amount->type == PLAN_TYPE_ERROR)
        return amount;
    if (!is_number(amount->type)) {
        diagnose(compilation->diagnostics, &amount->where, MESSAGE_UPDATE_AMOUNT, type_phrase(amount->type));
        if (amount->type == PLAN_TYPE_STRING)
            diagnose_hint(compilation->diagnostics,
                          "a counter with keys can hold strings: counter %s[int] as string",
                          effect->name.text);
        return amount;
    }
    if (!word || word->sign > 0)
        return amount;
    if (!is_constant(amount))
        return make_operator(compilation, PLAN_OP_NEGATE, PLAN_TYPE_INTEGER, &amount->where, amount, NULL);
    amount->type = PLAN_TYPE_INTEGER;
    amount->integer = (int64_t)(0 - (uint64_t)amount->integer);
    return amount;
}

/* True if the text is `$stack`, or was kept by a counter that holds nothing else. */
static bool is_stack_text(const struct compilation *compilation, const struct plan_expression *text) {
    if (text->op == PLAN_OP_KEYED) {
        const struct plan_counter *counter = &compilation->counters[text->counter].counter;
        return counter->holds_stacks && !counter->holds_others;
    }
    return text->op == PLAN_OP_VALUE && text->value == PLAN_VALUE_STACK;
}

/* The text of a counter that holds strings: only `=` sets it. */
static const struct plan_expression *check_text_amount(struct compilation *compilation,
                                                       const struct effect *effect,
                                                       const struct update_word *word,
                                                       struct plan_counter *counter) {
    if (!effect->amount || (word && word->update != PLAN_UPDATE_SET)) {
        diagnose(compilation->diagnostics, &effect->operator.where, MESSAGE_TEXT_UPDATE, effect->name.text,
                 effect->operator.text);
        diagnose_hint(compilation->diagnostics, "only '=' sets a string: %s[...] = $stack",
                      effect->name.text);
    }
    if (!effect->amount)
        return zero_expression(compilation, &effect->operator.where);
    const struct plan_expression *text = check_expression(compilation, effect->amount);
    if (text->type != PLAN_TYPE_STRING && text->type != PLAN_TYPE_ERROR)
        diagnose(compilation->diagnostics, &text->where, MESSAGE_TEXT_AMOUNT, effect->name.text,
                 type_phrase(text->type));
    *(is_stack_text(compilation, text) ? &counter->holds_stacks : &counter->holds_others) = true;
    return text;
}

static void note_stacks(const struct compilation *compilation, struct plan_counter *counter,
                        const struct plan_expression *keys) {
    for (uint32_t i = 0; keys && i < PLAN_MOST_KEYS; keys = keys->operand[1], i++) {
        *(is_stack_text(compilation, keys->operand[0]) ? &counter->stacks[i] : &counter->others[i]) = true;
    }
}

/* The counter, and the number of its cell. */
static void check_cell_of(struct compilation *compilation, const struct effect *effect,
                          enum statement_kind kind, struct plan_effect *action) {
    bool good;
    action->counter = find_updated(compilation, &effect->name, kind);
    if (action->counter == NO_COUNTER) {
        if (effect->cell)
            check_expression(compilation, effect->cell);
        return;
    }
    compilation->counters[action->counter].used = true;
    struct plan_counter *counter = &compilation->counters[action->counter].counter;
    if (plan_is_keyed(counter)) {
        action->keys = check_keys(compilation, &effect->name, action->counter, effect->cell, &good);
        note_stacks(compilation, counter, action->keys);
    } else {
        action->cell = cell_number(compilation, &effect->name, action->counter, effect->cell, &good);
    }
}

uint32_t find_histogram(struct compilation *compilation, const struct name *name,
                        const struct expression *cell, const struct plan_expression **number, bool *good) {
    uint32_t histogram = find_counter(compilation, name, STATEMENT_HISTOGRAM);
    *good = false;
    if (histogram != NO_COUNTER && plan_is_keyed(&compilation->counters[histogram].counter)) {
        /* for b in sizes[row]: a marker that the row has the cell */
        const struct plan_expression *row = cell ? check_expression(compilation, cell) : NULL;
        *good = row && keyed_of_row(compilation, row) == histogram;
        *number = NULL;
        if (!*good && (!row || row->type != PLAN_TYPE_ERROR)) {
            diagnose(compilation->diagnostics, &name->where, MESSAGE_KEYED_IN_REPORT, name->text);
            diagnose_hint(compilation->diagnostics, "for row in %s for b in %s[row]", name->text, name->text);
        }
        return histogram;
    }
    if (histogram != NO_COUNTER)
        *number = cell_number(compilation, name, histogram, cell, good);
    return histogram;
}

/* `depth = $depth`: the counter hides the value that was meant. */
static void warn_of_itself(struct compilation *compilation, const struct effect *effect,
                           const struct plan_effect *action) {
    const struct plan_expression *amount = action->amount;
    if (!effect->amount || effect->cell || (amount->op != PLAN_OP_CELL && amount->op != PLAN_OP_KEYED) ||
        amount->counter != action->counter || !effect->amount->name.text ||
        !is_dynamic_word(effect->amount->name.text))
        return;
    diagnose(compilation->diagnostics, &amount->where, MESSAGE_SET_TO_ITSELF, effect->name.text,
             effect->amount->name.text, effect->name.text);
    diagnose_hint(compilation->diagnostics, "give the counter another name");
}

void check_update(struct compilation *compilation, const struct effect *effect, struct plan_effect *action) {
    const struct update_word *word = find_update_word(compilation, &effect->operator);
    check_cell_of(compilation, effect, STATEMENT_COUNTER, action);
    if (action->counter != NO_COUNTER && word && !compilation->counters[action->counter].counter.holds_text)
        keys_agree(compilation, effect, word, &compilation->counters[action->counter]);
    if (action->counter != NO_COUNTER && compilation->counters[action->counter].counter.holds_text)
        action->amount =
            check_text_amount(compilation, effect, word, &compilation->counters[action->counter].counter);
    else
        action->amount = check_amount(compilation, effect, word);
    if (word && word->update == PLAN_UPDATE_SET)
        warn_of_itself(compilation, effect, action);
}

void check_put(struct compilation *compilation, const struct effect *effect, struct plan_effect *action) {
    check_cell_of(compilation, effect, STATEMENT_HISTOGRAM, action);
    action->amount = check_amount(compilation, effect, NULL);
    action->value = check_expression(compilation, effect->value);
    if (action->value->type != PLAN_TYPE_ERROR && !is_number(action->value->type))
        diagnose(compilation->diagnostics, &action->value->where, MESSAGE_HISTOGRAM_VALUE,
                 type_phrase(action->value->type));
}

void check_removal(struct compilation *compilation, const struct effect *effect, struct plan_effect *action) {
    const struct declaration *declaration = find_declaration(compilation, effect->name.text);
    bool histogram = declaration && declaration->kind == STATEMENT_HISTOGRAM, good;
    action->kind = effect->kind == EFFECT_DELETE ? PLAN_EFFECT_DELETE : PLAN_EFFECT_CLEAR;
    action->amount = zero_expression(compilation, &effect->where);
    action->counter =
        find_updated(compilation, &effect->name, histogram ? STATEMENT_HISTOGRAM : STATEMENT_COUNTER);
    if (action->counter == NO_COUNTER || compilation->counters[action->counter].broken) {
        for (const struct expression *at = effect->cell; at; at = at->next)
            check_expression(compilation, at);
    } else if (!plan_is_keyed(&compilation->counters[action->counter].counter)) {
        diagnose(compilation->diagnostics, &effect->name.where, MESSAGE_REMOVED_UNKEYED, effect->name.text,
                 effect->operator.text);
        diagnose_hint(compilation->diagnostics,
                      histogram ? "keys are types in brackets: histogram %s[int] log2"
                                : "keys are types in brackets: counter %s[int]",
                      effect->name.text);
    } else if (effect->kind == EFFECT_DELETE) {
        compilation->counters[action->counter].read_early = true;
        action->keys = check_keys(compilation, &effect->name, action->counter, effect->cell, &good);
    } else if (!effect->cell) {
        compilation->counters[action->counter].read_early = true;
    } else {
        diagnose(compilation->diagnostics, &effect->cell->where, MESSAGE_CLEARED_KEYS, effect->name.text);
        diagnose_hint(compilation->diagnostics, "one key is removed by: delete %s[...]", effect->name.text);
    }
}
