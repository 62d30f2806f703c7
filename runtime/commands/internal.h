/* internal.h: the execution of a command, which commands.c, prints.c and calls.c each compile with their own
   handling of texts and of calls. */
#ifndef ATOMC_RUNTIME_COMMANDS_INTERNAL_H
#define ATOMC_RUNTIME_COMMANDS_INTERNAL_H

#include <stdarg.h>
#include <string.h>

#include "runtime/commands/commands.h"
#include "stdtools/addresses.h"

static inline const void *in_command(const struct command *command, uint64_t offset) {
    return (const char *)command + offset;
}

/* Handling of texts, and the functions that only one of the two implementations has. */
typedef int64_t compare_texts(uint64_t op, int64_t left, int64_t right);
typedef void print_values(struct command *command, struct command_effect *effect, const int64_t *values);
/* Calls a C routine of the tool. */
typedef void call_routine(long address, const int64_t *values, uint64_t count);

static inline __attribute__((always_inline)) int64_t *run_code(const struct command *command,
                                                               const struct command_code *code,
                                                               const long *arguments, int64_t *top,
                                                               compare_texts *compare) {
    const struct command_instruction *at =
        (const struct command_instruction *)in_command(command, command->instructions) + code->begin;
    for (const struct command_instruction *end = at + code->count; at < end; at++) {
        int64_t a, b;
        switch (at->op) {
        case COMMAND_CONSTANT:
            *top++ = (int64_t)at->operand;
            break;
        case COMMAND_ARGUMENT:
            *top++ = arguments[at->operand];
            break;
        case COMMAND_LITERAL:
            *top++ = (int64_t)in_command(command, at->operand);
            break;
        case COMMAND_STRING:
            b = at->operand ? *--top : COMMAND_TEXT;
            top[-1] = (int64_t)atomc_read_text((unsigned long)top[-1], b < 0 ? 0 : (unsigned long)b);
            break;
        case COMMAND_THREAD:
            top[-1] = atomc_thread_number(top[-1]);
            break;
        case COMMAND_THREAD_KEY:
            top[-1] = atomc_thread_key(top[-1]);
            break;
        case COMMAND_PROCESS:
            *top++ = atomc_process_number();
            break;
        case COMMAND_STACK:
            top -= 2;
            top[-1] = (int64_t)atomc_stack_text(top[-1], top[0], top[1]);
            break;
        case COMMAND_DEPTH:
            top -= 2;
            top[-1] = atomc_stack_depth(top[-1], top[0], top[1]);
            break;
        case COMMAND_ADDRESS_NAME:
            top[-1] = (int64_t)atomc_address_name(at->operand, top[-1]);
            break;
        case COMMAND_STATIC:
            top[-1] = atomc_static(top[-1]);
            break;
        case COMMAND_NANOSECONDS:
            *top++ = atomc_nanoseconds();
            break;
        case COMMAND_THREAD_NAME:
            top[-1] = (int64_t)atomc_thread_name((const char *)top[-1]);
            break;
        case COMMAND_CELL: {
            const struct keyed_table *table = (const struct keyed_table *)arguments[at->operand];
            top -= table->key_count;
            *top = atomc_keyed_value(table, top, 0);
            if (table->texts && !*top)
                *top = (int64_t) "";
            top++;
            break;
        }
        case COMMAND_READ: {
            const volatile long *cells = (const long *)arguments[at->operand % COMMAND_READ_COUNT];
            uint64_t number = (uint64_t)top[-1];
            top[-1] =
                number < (uint64_t)arguments[at->operand / COMMAND_READ_COUNT] ? (int64_t)cells[number] : 0;
            break;
        }
        case COMMAND_EVENT:
            *top++ = atomc_event_value(at->operand);
            break;
        case COMMAND_UNSET:
            if (top[-1] == (int64_t)at->operand)
                top[-1] = 0;
            break;
        case COMMAND_CONDITIONAL:
            top -= 2;
            top[-1] = top[-1] ? top[0] : top[1];
            break;
        case COMMAND_EQUAL:
            top--;
            top[-1] = strcmp((const char *)top[-1], (const char *)top[0]) == 0;
            break;
        case COMMAND_LIKE:
            top--;
            if (compare)
                top[-1] = compare(at->op, top[-1], top[0]);
            break;
#define OPERATOR(id, word, level, operands, kind, limit, value)                                              \
    case COMMAND_OPERATOR + PLAN_OP_##id: {                                                                  \
        b = (operands) == 2 ? *--top : 0;                                                                    \
        a = top[-1];                                                                                         \
        uint64_t x = (uint64_t)a, y = (uint64_t)b;                                                           \
        (void)x, (void)y;                                                                                    \
        top[-1] = (int64_t)(value);                                                                          \
        break;                                                                                               \
    }
#include "plan/operators.def"
#undef OPERATOR
        default: /* a wrong value would be worse */
            __builtin_trap();
        }
    }
    return top;
}

/* The records of the command's sums over a block; NULL if the command has none at this site. The records are
   set to this value: no sum has been made yet. */
static inline int64_t *records_at_site(const struct command *command, const long *arguments) {
    if (!command->records || !arguments[command->records])
        return NULL;
    int64_t *records = atomc_image.records == ATOMC_RECORDS
                           ? atomc_records_of((unsigned long)arguments[command->thread])
                           : atomc_records();
    records += arguments[command->records] - 1;
    for (uint64_t i = 0; i < command->effect_count; i++)
        records[i] = ATOMC_NO_RECORD;
    return records;
}

/* `arguments`: from number 1 on. */
static inline __attribute__((always_inline)) void execute_effects(struct command *command,
                                                                  const long *arguments,
                                                                  compare_texts *compare, print_values *print,
                                                                  call_routine *call) {
    int64_t stack[COMMAND_MOST_DEPTH];
    int64_t *records = records_at_site(command, arguments);
    atomc_texts_used = 0;
    if (command->guard.count && !run_code(command, &command->guard, arguments, stack, compare)[-1])
        return;
    if (command->sample && ++command->sampled < command->sample)
        return;
    command->sampled = 0;
    struct command_effect *effect = (struct command_effect *)in_command(command, command->effects);
    for (uint64_t i = 0; i < command->effect_count; i++, effect++) {
        const int64_t *cell = NULL;
        if (records && effect->noted.count) {
            const int64_t *end = run_code(command, &effect->noted, arguments, stack, compare);
            for (const int64_t *value = stack; value < end; value++)
                records[effect->first_noted + (uint64_t)(value - stack)] = *value;
        }
        const int64_t *top = run_code(command, &effect->code, arguments, stack, compare);
        switch (effect->kind) {
        case COMMAND_UPDATE_KEYED: {
            struct keyed_table *table = (struct keyed_table *)arguments[effect->counter];
            cell = atomc_update_keyed(table, stack, top[-2], top[-1]);
            break;
        }
        case COMMAND_UPDATE_CELL:
            cell = atomc_update_command_cell(effect, arguments, stack);
            break;
        case COMMAND_PRINT:
            if (print)
                print(command, effect, stack);
            break;
        case COMMAND_DELETE:
            atomc_delete_keyed((struct keyed_table *)arguments[effect->counter], stack);
            break;
        case COMMAND_CLEAR:
            atomc_clear_keyed((struct keyed_table *)arguments[effect->counter], top > stack ? stack : NULL);
            break;
        case COMMAND_EXIT:
            atomc_upcalls.exit_later(top[-1]);
            break;
        case COMMAND_CALL:
            if (call)
                call(arguments[effect->counter], stack, (uint64_t)(top - stack));
            break;
        }
        if (records && cell && effect->is_length)
            records[i] = (int64_t)cell;
    }
}

static inline __attribute__((always_inline)) void execute_command(struct command *command, va_list list,
                                                                  compare_texts *compare, print_values *print,
                                                                  call_routine *call) {
    long arguments[COMMAND_MOST_ARGUMENTS];
    for (uint64_t i = 1; i < command->argument_count; i++) /* the first argument is the command */
        arguments[i] = va_arg(list, long);
    execute_effects(command, arguments, compare, print, call);
}

#endif
