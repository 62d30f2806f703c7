/* make.c: makes one site of one action: its guard, arguments and update, with all static parts folded.
   Requires a checked plan, and the place. Reports values that have no meaning at the place. */
#include <string.h>

#include "engine/select/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"
#include "runtime/interface.h"

static const char *mnemonic_at(const struct program *program, uint32_t instruction) {
    return program->architecture->mnemonic(facts_of(program, instruction)->opcode);
}

/* Converts the integer to the form in which parameter number `index`, of the C type, is passed: 64 bits of a
   register, or, for a float on the stack, memory format. */
static int64_t converted_argument(int64_t value, const struct plan_parameter *parameter, uint32_t index) {
    unsigned bits = 64;
    switch (parameter->type) {
    case PLAN_C_CHAR:
        bits = 8;
        break;
    case PLAN_C_SHORT:
        bits = 16;
        break;
    case PLAN_C_INT: /* sign-extended in registers, including unsigned int */
        return (int32_t)value;
    case PLAN_C_FLOAT:
        if (index >= REGISTER_ARGUMENTS) {
            float number = (float)value;
            value = 0;
            memcpy(&value, &number, sizeof number);
            return value;
        }
        /* fall through */
    case PLAN_C_DOUBLE: {
        double number = parameter->type == PLAN_C_FLOAT ? (float)value : (double)value;
        memcpy(&value, &number, sizeof value);
        return value;
    }
    default:
        return value;
    }
    uint64_t low = (uint64_t)value << (64 - bits);
    return parameter->is_unsigned ? (int64_t)(low >> (64 - bits)) : (int64_t)low >> (64 - bits);
}

/* Reports a dynamic value that has no meaning at the action's place; `instruction`: its position. */
static bool check_dynamic_value(struct selection *selection, const struct expansion *expansion,
                                const struct plan_expression *expression, uint32_t instruction) {
    const struct facts *facts = facts_of(selection->program, instruction);
    bool at_instruction = expansion->action->place == PLAN_INSTRUCTION;
    bool at_call = expansion->action->place == PLAN_CALLSITE;
    bool before = expansion->action->when == PLAN_BEFORE, ok = true;
    enum message id = MESSAGE_NO_ADDRESS;
    switch (expression->value) {
    case PLAN_VALUE_ADDRESS:
        ok = at_instruction && facts->flags & (FACT_LOAD | FACT_STORE);
        break;
    case PLAN_VALUE_VALUE:
        ok = at_instruction && (facts->flags & FACT_STORE ? before || !(facts->flags & FACT_EXCLUSIVE_END)
                                                          : !before && facts->flags & FACT_LOAD);
        id = MESSAGE_NO_VALUE;
        break;
    case PLAN_VALUE_TAKEN:
        ok = at_instruction && before && facts->transfer == TRANSFER_COND_BRANCH;
        id = MESSAGE_NO_OUTCOME;
        break;
    case PLAN_VALUE_TARGET:
        ok = (at_instruction || at_call) && before && branches_or_jumps(facts);
        id = MESSAGE_NO_TARGET;
        break;
    case PLAN_VALUE_ARGUMENT:
    case PLAN_VALUE_FLOAT_ARGUMENT:
        ok = !at_instruction || before || facts->class != CLASS_CALL;
        id = MESSAGE_ARGUMENT_GONE;
        break;
    case PLAN_VALUE_OLD: {
        ok = at_instruction && !before &&
             (facts->transfer == TRANSFER_NONE || facts->transfer == TRANSFER_COND_BRANCH) &&
             facts->class != CLASS_PAL;
        id = MESSAGE_NO_OLD;
        break;
    }
    default:
        break;
    }
    if (ok)
        return true;
    diagnose(selection->diagnostics, &expression->where, id, plan_values[expression->value].word,
             (unsigned long long)instruction_address(selection->program, instruction),
             mnemonic_at(selection->program, instruction));
    selection->failed = true;
    return false;
}

/* The argument of a procedure: in a register, or, on entry, on the stack. */
static void fill_argument_value(struct selection *selection, const struct expansion *expansion,
                                const struct plan_expression *expression, struct site_argument *argument) {
    const struct conventions_of_machine *registers = &selection->program->architecture->registers;
    int64_t number = fold(selection, expression->operand[0]).integer;
    bool entry = (expansion->action->place == PLAN_PROCEDURE && expansion->action->when == PLAN_BEFORE) ||
                 expansion->action->kind == PLAN_ACTION_REPLACE;
    if (number < 0 || number > (entry ? 255 : registers->arguments_in_registers - 1)) {
        diagnose(selection->diagnostics, &expression->where, MESSAGE_NO_SUCH_ARGUMENT, (long long)number);
        selection->failed = true;
        return;
    }
    argument->operand = (uint8_t)number;
    argument->value = PLAN_VALUE_ARGUMENT;
    if (number >= registers->arguments_in_registers)
        return;
    argument->value = PLAN_VALUE_REGISTER;
    argument->operand += argument->floating || expression->value == PLAN_VALUE_FLOAT_ARGUMENT
                             ? registers->first_float_argument
                             : registers->first_argument;
}

static void check_floating(struct selection *selection, const struct plan_expression *expression,
                           uint32_t instruction, const struct site_argument *argument) {
    bool good = argument->value == PLAN_VALUE_REGISTER ? argument->operand >= 32
                : argument->value == PLAN_VALUE_VALUE
                    ? facts_of(selection->program, instruction)->flags & FACT_FLOAT
                    : argument->value == PLAN_VALUE_ARGUMENT;
    if (!argument->floating || good || selection->failed)
        return;
    diagnose(selection->diagnostics, &expression->where, MESSAGE_NOT_FLOATING,
             expression->value == PLAN_VALUE_REGISTER ? "$(register)" : plan_values[expression->value].word,
             (unsigned long long)instruction_address(selection->program, instruction));
    selection->failed = true;
}

/* Values that code for a machine which only counts would not find: they are refused by name (refused.c). */
static const char *unfound_value(struct selection *selection, const struct expansion *expansion,
                                 const struct plan_expression *expression, uint32_t instruction) {
    const struct facts *facts = facts_of(selection->program, instruction);
    const struct memory_operand *memory = &facts->memory[0];
    const unsigned kept = kept_register(facts);
    if (!machine_for(selection->program->architecture)->only_counts)
        return NULL;
    if (expression->value == PLAN_VALUE_OLD) {
        register_set asked = set_of((unsigned)fold(selection, expression->operand[0]).integer);
        return facts->written & asked && asked != set_of(kept)
                   ? "old values at an instruction that changes several registers"
                   : NULL;
    }
    bool adds_register = memory->writeback == WRITEBACK_AFTER && facts->operand[2] != REGISTER_NONE;
    bool is_lost = adds_register || (address_is_overwritten(facts) && kept == REGISTER_NONE);
    if (expression->value == PLAN_VALUE_ADDRESS && expansion->action->when == PLAN_AFTER && is_lost)
        return "addresses after an instruction that changes several registers, or adds one to its base,";
    return NULL;
}

static void fill_value(struct selection *selection, const struct expansion *expansion,
                       const struct plan_expression *expression, uint32_t instruction,
                       struct site_argument *argument) {
    argument->kind = SITE_VALUE;
    argument->value = expression->value;
    argument->floating |= expression->type == PLAN_TYPE_DOUBLE;
    if (expression->value == PLAN_VALUE_BASE && expansion->object == 0) { /* the value is in one place only */
        argument->kind = SITE_CONSTANT;
        argument->constant = (int64_t)selection->program->base;
        return;
    }
    if (!check_dynamic_value(selection, expansion, expression, instruction))
        return;
    const char *unfound = unfound_value(selection, expansion, expression, instruction);
    if (unfound)
        selection->program->unknown_attribute = unfound;
    bool result = expression->value == PLAN_VALUE_RETURN || expression->value == PLAN_VALUE_FLOAT_RETURN;
    if (result && argument->floating) {
        argument->value = PLAN_VALUE_REGISTER;
        argument->operand = 32;
    } else if (expression->value == PLAN_VALUE_ARGUMENT || expression->value == PLAN_VALUE_FLOAT_ARGUMENT) {
        fill_argument_value(selection, expansion, expression, argument);
    } else if (expression->value == PLAN_VALUE_REGISTER || expression->value == PLAN_VALUE_OLD) {
        int64_t number = fold(selection, expression->operand[0]).integer;
        const struct conventions_of_machine *registers = &selection->program->architecture->registers;
        const bool is_stack = number == registers->stack;
        if (number == registers->zero && !set_of(registers->zero)) {
            argument->kind = SITE_CONSTANT;
            argument->constant = 0;
            return;
        }
        if (is_stack && number > 63 && expression->value == PLAN_VALUE_OLD)
            selection->program->unknown_attribute = "old values of the stack pointer";
        if (is_flags(registers, (unsigned)number))
            selection->program->unknown_attribute = "values of the flags";
        if ((number < 0 || number > 63) && !is_stack && !selection->failed) {
            diagnose(selection->diagnostics, &expression->where, MESSAGE_NO_SUCH_REGISTER,
                     (unsigned long long)instruction_address(selection->program, instruction),
                     mnemonic_at(selection->program, instruction));
            selection->failed = true;
        }
        argument->operand = (uint8_t)number;
        /* A register that the instruction does not write keeps its old value. */
        if (!(facts_of(selection->program, instruction)->written & set_of((unsigned)number)))
            argument->value = PLAN_VALUE_REGISTER;
    }
    check_floating(selection, expression, instruction, argument);
}

/* The operand of $memory, at an instruction. */
static int64_t memory_size(struct selection *selection, const struct plan_expression *size,
                           uint32_t instruction) {
    int64_t bytes = fold(selection, size).integer;
    if (selection->failed || bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
        return bytes;
    diagnose(selection->diagnostics, &size->where, MESSAGE_NO_MEMORY_SIZE,
             (unsigned long long)instruction_address(selection->program, instruction), (long long)bytes);
    selection->failed = true;
    return bytes;
}

const struct plan_expression *resolved_expression(struct selection *selection,
                                                  const struct plan_expression *expression) {
    while (expression->dynamic && expression->op == PLAN_OP_CONDITIONAL && !expression->operand[0]->dynamic)
        expression = expression->operand[fold(selection, expression->operand[0]).integer ? 1 : 2];
    return expression;
}

/* A condition's truth here: 0 or 1, or -1 if only the running program has it. As in C, the second side is not
   evaluated if the first decides: it may be an error here. */
static int truth_here(struct selection *selection, const struct plan_expression *condition) {
    condition = resolved_expression(selection, condition);
    if (!condition->dynamic)
        return fold(selection, condition).integer != 0;
    if (condition->op == PLAN_OP_NOT) {
        int truth = truth_here(selection, condition->operand[0]);
        return truth < 0 ? truth : !truth;
    }
    if (condition->op != PLAN_OP_AND && condition->op != PLAN_OP_OR)
        return -1;
    const int deciding = condition->op == PLAN_OP_OR;
    int first = truth_here(selection, condition->operand[0]);
    if (first == deciding)
        return first;
    int second = truth_here(selection, condition->operand[1]);
    return second == deciding || first >= 0 ? second : -1;
}

/* Constants are shared, because there are few different constants, each used often. */
const struct site_expression *make_constant(struct expansion *expansion, int64_t value) {
    struct site_expression made = {.op = PLAN_OP_INTEGER, .leaf = {.kind = SITE_CONSTANT, .constant = value}};
    return sites_share(expansion->sites, &made, sizeof made);
}

const struct site_expression *make_static(const struct program *program, struct expansion *expansion,
                                          const struct site_expression *address) {
    if (program->library_count == 0)
        return address;
    struct site_expression made = {.op = PLAN_OP_STATIC, .operand = {address}};
    return sites_share(expansion->sites, &made, sizeof made);
}

/* True if the target of an indirect transfer is not given by its static address. */
static bool is_moved(const struct program *program, const struct site_argument *value, uint32_t instruction) {
    return value->kind == SITE_VALUE && value->value == PLAN_VALUE_TARGET && program->library_count > 0 &&
           facts_of(program, instruction)->flags & FACT_INDIRECT;
}

const struct site_expression *make_site_expression(struct selection *selection, struct expansion *expansion,
                                                   const struct plan_expression *expression,
                                                   uint32_t instruction) {
    expression = resolved_expression(selection, expression);
    if (expression->op == PLAN_OP_FIELD)
        return make_site_expression(selection, expansion,
                                    field_value(selection, expansion, expression, instruction), instruction);
    if (!expression->dynamic)
        return make_constant(expansion, fold(selection, expression).integer);
    int truth = plan_operators[expression->op].kind == PLAN_LOGIC ? truth_here(selection, expression) : -1;
    if (truth >= 0)
        return make_constant(expansion, truth);
    struct site_expression made = {.op = expression->op};
    if (expression->op == PLAN_OP_VALUE) {
        fill_value(selection, expansion, expression, instruction, &made.leaf);
        if (made.leaf.kind == SITE_CONSTANT)
            return make_constant(expansion, made.leaf.constant);
        const struct site_expression *value = sites_share(expansion->sites, &made, sizeof made);
        return is_moved(selection->program, &made.leaf, instruction)
                   ? make_static(selection->program, expansion, value)
                   : value;
    }
    if (expression->op == PLAN_OP_STATIC)
        return make_static(selection->program, expansion,
                           make_site_expression(selection, expansion, expression->operand[0], instruction));
    if (expression->op == PLAN_OP_MEMORY) {
        made.operand[0] = make_site_expression(selection, expansion, expression->operand[0], instruction);
        made.leaf.constant = memory_size(selection, expression->operand[1], instruction);
    } else {
        if (expression->op == PLAN_OP_CELL)
            made.cell = make_cell(selection, expansion, expression->counter);
        for (int i = 0; i < 3; i++)
            if (expression->operand[i])
                made.operand[i] =
                    make_site_expression(selection, expansion, expression->operand[i], instruction);
        if (expression->op == PLAN_OP_CELL)
            check_read(selection, expression, &made);
    }
    if (plan_operators[made.op].kind == PLAN_LOGIC && made.operand[1])
        return settled_logic(expansion, &made);
    return sites_share(expansion->sites, &made, sizeof made);
}

static void fill_argument(struct selection *selection, struct expansion *expansion, uint32_t index,
                          uint32_t instruction, struct site_argument *argument) {
    const struct plan_expression *expression =
        resolved_expression(selection, expansion->action->arguments[index]);
    const struct plan_routine *routine = &selection->plan->routines[expansion->action->routine];
    enum plan_c_type type = index < routine->parameter_count ? routine->parameters[index].type : PLAN_C_OTHER;
    argument->floating = type == PLAN_C_DOUBLE || type == PLAN_C_FLOAT;
    if (expression->op == PLAN_OP_VALUE) {
        fill_value(selection, expansion, expression, instruction, argument);
        argument->single = type == PLAN_C_FLOAT;
        if (is_moved(selection->program, argument, instruction)) {
            argument->kind = SITE_COMPUTED;
            argument->computed = make_site_expression(selection, expansion, expression, instruction);
        }
    } else if (expression->op == PLAN_OP_REPLACED) {
        argument->kind = SITE_REPLACED;
        argument->constant = expression->integer;
    } else if (expression->op == PLAN_OP_BUFFER) {
        argument->kind = SITE_BUFFER;
        argument->constant = expression->buffer;
    } else if (expression->op == PLAN_OP_ROUTINE) {
        argument->kind = SITE_ROUTINE;
        argument->constant = expression->routine;
    } else if (expression->op == PLAN_OP_ARRAY) {
        argument->kind = SITE_ARRAY;
        argument->array = fill_array(selection, expansion->sites, expression->array,
                                     index < routine->parameter_count ? &routine->parameters[index] : NULL);
    } else if (expression->op == PLAN_OP_CELLS) {
        argument->kind = SITE_CONSTANT;
        argument->constant = (int64_t)cell_address(machine_for(selection->program->architecture),
                                                   expansion->cell_bases[expression->counter]);
    } else if (expression->dynamic) {
        argument->kind = SITE_COMPUTED;
        argument->computed = make_site_expression(selection, expansion, expression, instruction);
    } else {
        struct attribute_value value = fold_shown(selection, expression);
        argument->kind = value.string ? SITE_STRING : SITE_CONSTANT;
        if (value.string)
            argument->string = value.string;
        else
            argument->constant = index < routine->parameter_count
                                     ? converted_argument(value.integer, &routine->parameters[index], index)
                                     : value.integer;
    }
}

/* The action's arguments at the current places of the loops. */
const struct site_argument *fill_arguments(struct selection *selection, struct expansion *expansion,
                                           uint32_t instruction) {
    uint32_t count = expansion->action->argument_count;
    struct site_argument few[8] = {{0}}, *filled = few;
    if (count == 0)
        return NULL;
    struct arena *scratch = selection->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    if (count > 8)
        filled = arena_allocate(scratch, count * sizeof *filled);
    for (uint32_t i = 0; i < count && !selection->failed; i++)
        fill_argument(selection, expansion, i, instruction, &filled[i]);
    const struct site_argument *arguments = sites_share(expansion->sites, filled, count * sizeof *filled);
    arena_release(scratch, mark);
    return arguments;
}

static void fill_update(struct selection *selection, struct expansion *expansion, struct site *site,
                        struct site_action *made) {
    const struct plan_action *action = expansion->action;
    const struct plan_counter *counter = &selection->plan->counters[action->counter];
    made->counter = action->counter;
    site->cell_base = expansion->cell_bases[action->counter];
    made->cell_count = (uint32_t)(expansion->cell_bases[action->counter + 1] - site->cell_base);
    if (counter->kind == PLAN_HISTOGRAM) {
        made->buckets = &counter->buckets;
        made->cell_count /= counter->buckets.count;
        made->value = make_site_expression(selection, expansion, action->value, site->instruction);
    }
    site->update = counter->update;
    const struct plan_expression *cell = action->cell ? resolved_expression(selection, action->cell) : NULL;
    if (cell && cell->dynamic)
        made->cell = make_site_expression(selection, expansion, cell, site->instruction);
    else if (cell)
        site->cell_base += settled_cell(selection, made, &action->cell->where, fold(selection, cell).integer);
    made->amount = make_site_expression(selection, expansion, action->amount, site->instruction);
    if (site->update == PLAN_UPDATE_ADD)
        made->lengths = lengths_of(selection, expansion, action->amount, site->instruction, true);
}

const struct site_expression *make_guard(struct selection *selection, struct expansion *expansion,
                                         uint32_t instruction) {
    const struct plan_expression *guard = expansion->action->guard;
    return guard && guard->dynamic ? make_site_expression(selection, expansion, guard, instruction) : NULL;
}

static void fill_set(struct selection *selection, struct expansion *expansion, uint32_t instruction,
                     struct site_action *made) {
    const struct plan_action *action = expansion->action;
    const struct plan_expression *target = action->value;
    const struct conventions_of_machine *registers = &selection->program->architecture->registers;
    int64_t number = 0;
    if (target->value == PLAN_VALUE_REGISTER)
        number = fold(selection, target->operand[0]).integer;
    else if (target->value == PLAN_VALUE_ARGUMENT)
        number = registers->first_argument + fold(selection, target->operand[0]).integer;
    if ((register_is_fixed(selection->program, number) || number < 0 || number >= 63 ||
         number == registers->zero) &&
        !selection->failed) {
        diagnose(selection->diagnostics, &target->where, MESSAGE_SET_REGISTER,
                 (unsigned long long)instruction_address(selection->program, instruction));
        diagnose_hint(selection->diagnostics, "r0 to r25 and f0 to f30 can be");
        selection->failed = true;
    }
    struct site_expression set = {
        .op = PLAN_OP_VALUE,
        .leaf = {.kind = SITE_VALUE, .value = PLAN_VALUE_REGISTER, .operand = (uint8_t)(number & 63)}};
    made->value = sites_share(expansion->sites, &set, sizeof set);
    made->amount = make_site_expression(selection, expansion, action->amount, instruction);
}

static void check_skippable(struct selection *selection, const struct plan_action *action,
                            uint32_t instruction) {
    const char *obstacle = skip_obstacle(selection->program, instruction);
    if (!obstacle || selection->failed)
        return;
    diagnose(selection->diagnostics, &action->where, MESSAGE_SKIP_INSTRUCTION,
             (unsigned long long)instruction_address(selection->program, instruction), obstacle);
    diagnose_hint(selection->diagnostics, "where i.can_skip selects those that can be");
    selection->failed = true;
}

/* True if the statement skips the instruction. */
static bool skips_instruction(const struct expansion *expansion) {
    for (uint32_t i = 0; i < expansion->together; i++)
        if (expansion->first[i].kind == PLAN_ACTION_SKIP)
            return true;
    return false;
}

/* True if the statement changes registers. */
static bool changes_registers(const struct expansion *expansion) {
    for (uint32_t i = 0; i < expansion->together; i++)
        if (expansion->first[i].kind == PLAN_ACTION_SET)
            return true;
    return false;
}

void skip_statement(struct expansion *expansion, uint32_t instruction, enum skip_reason reason) {
    struct sites *sites = expansion->sites;
    ARENA_RESERVE(sites->arena, sites->skips, sites->skip_count, expansion->skip_capacity);
    sites->skips[sites->skip_count++] =
        (struct site_skip){expansion->first->statement, instruction, expansion->together, reason};
}

/* Fills in effects executed by the runtime that are sums over a block. */
static void fill_sums(struct selection *selection, struct expansion *expansion, uint32_t instruction,
                      struct site_action *made) {
    const struct plan_command *command = expansion->action->command;
    struct arena *scratch = selection->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    const struct site_lengths **sums = arena_allocate(scratch, command->effect_count * sizeof *sums);
    for (uint32_t i = 0; i < command->effect_count; i++) {
        if (command->effects[i].is_length)
            sums[i] = lengths_of(selection, expansion, command->effects[i].amount, instruction,
                                 !command->effects[i].notes);
        if (sums[i])
            made->command = command;
    }
    if (made->command)
        made->sums = sites_share(expansion->sites, sums, command->effect_count * sizeof *sums);
    arena_release(scratch, mark);
}

static struct site make_site(struct selection *selection, struct expansion *expansion, uint32_t instruction,
                             enum site_point point, const struct site_expression *guard) {
    const struct plan_action *action = expansion->action;
    struct site_action made = {
        .statement = action->statement,
        .guard = guard,
        .sample = action->sample,
        .sample_cell = action->sample ? expansion->cell_bases[action->sample_counter] : 0,
    };
    struct site site = {
        .kind = action->kind,
        .instruction = instruction,
        .point = point,
        .scope = action->place,
        .group = expansion->group,
        .skips = skips_instruction(expansion),
    };
    if (action->kind == PLAN_ACTION_SKIP) {
        check_skippable(selection, action, instruction);
    } else if (action->kind == PLAN_ACTION_SET) {
        fill_set(selection, expansion, instruction, &made);
    } else if (action->kind == PLAN_ACTION_UPDATE) {
        fill_update(selection, expansion, &site, &made);
    } else {
        made.routine = action->routine;
        made.argument_count = action->argument_count;
        site.arguments = fill_arguments(selection, expansion, instruction);
        if (action->command && action->command->record_count)
            fill_sums(selection, expansion, instruction, &made);
    }
    site.action = sites_share(expansion->sites, &made, sizeof made);
    return site;
}

static bool asks_for_address(const struct site_expression *expression, void *context) {
    (void)context;
    return expression->op == PLAN_OP_VALUE && expression->leaf.value == PLAN_VALUE_ADDRESS;
}

/* Drops the sites that were added last, if they ask for an address that is not known. */
static void drop_without_address(struct selection *selection, struct expansion *expansion,
                                 uint32_t instruction) {
    struct sites *sites = expansion->sites;
    const uint32_t first = sites->count - expansion->together;
    bool asks = false;
    for (uint32_t i = first; i < sites->count; i++)
        asks |= site_any(&sites->sites[i], asks_for_address, NULL);
    if (!asks || address_is_known(facts_of(selection->program, instruction)))
        return;
    sites->count = first;
    skip_statement(expansion, instruction, SKIP_VECTOR_ADDRESS);
}

/* Adds the statement's sites at one point. */
void add_guarded_sites(struct selection *selection, struct expansion *expansion, uint32_t instruction,
                       enum site_point point, const struct site_expression *guard) {
    struct sites *sites = expansion->sites;
    if (changes_registers(expansion) && in_locked_sequence(selection->program, instruction)) {
        skip_statement(expansion, instruction, SKIP_LOCKED_CHANGE);
        return;
    }
    expansion->group++;
    for (uint32_t i = 0; i < expansion->together; i++) {
        expansion->action = &expansion->first[i];
        ARENA_RESERVE(sites->arena, sites->sites, sites->count, sites->capacity);
        sites->sites[sites->count++] = make_site(selection, expansion, instruction, point, guard);
    }
    drop_without_address(selection, expansion, instruction);
}

void add_sites(struct selection *selection, struct expansion *expansion, uint32_t instruction,
               enum site_point point) {
    const struct site_expression *guard = make_guard(selection, expansion, instruction);
    bool settled = guard && guard->op == PLAN_OP_INTEGER; /* guarded by a condition that is static here */
    if (!settled || guard->leaf.constant)
        add_guarded_sites(selection, expansion, instruction, point, settled ? NULL : guard);
}

void add_object_event(struct selection *selection, struct expansion *expansion, uint32_t object) {
    struct sites *sites = expansion->sites;
    struct object_events *events = object == 0 ? &sites->program : &sites->libraries[object - 1];
    struct site_list *list = expansion->first->when == PLAN_BEFORE  ? &events->before
                             : expansion->first->when == PLAN_AFTER ? &events->after
                                                                    : &events->forked;
    expansion->object = object;
    for (uint32_t i = 0; i < expansion->together; i++) {
        expansion->action = &expansion->first[i];
        struct site site = make_site(selection, expansion, 0, SITE_BEFORE, NULL);
        ARENA_RESERVE(sites->arena, list->list, list->count, list->capacity);
        list->list[list->count++] = site;
    }
}

/* ---- conditions of which a part is known: `when stores and ...`  ---- */

static bool is_truth(const struct site_expression *expression) {
    return plan_gives_truth(expression->op) ||
           (expression->op == PLAN_OP_VALUE && expression->leaf.value == PLAN_VALUE_TAKEN);
}

/* The result of the expression with one side known: for a condition as other side, the result if it holds,
   and the result if it does not. */
static bool logic_gives(enum plan_operator op, int known_side, int64_t known, bool other) {
    return plan_operate(op, known_side == 0 ? known : other, known_side == 0 ? other : known) != 0;
}

/* `and`, `or` with one side known here: becomes the other side, or a constant. */
const struct site_expression *settled_logic(struct expansion *expansion,
                                            const struct site_expression *logic) {
    for (int i = 0; i < 2; i++) {
        const struct site_expression *side = logic->operand[i], *other = logic->operand[1 - i];
        if (side->op != PLAN_OP_INTEGER)
            continue;
        bool if_not = logic_gives(logic->op, i, side->leaf.constant, false);
        bool if_so = logic_gives(logic->op, i, side->leaf.constant, true);
        if (if_not == if_so)
            return make_constant(expansion, if_so);
        if (if_so && is_truth(other))
            return other;
    }
    return sites_share(expansion->sites, logic, sizeof *logic);
}
