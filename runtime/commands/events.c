/* events.c: events that the runtime finds, at no site: the commands of each event, which are given before the
   program starts, and the events of each thread whose commands have not been executed yet. A site of the
   thread executes them as soon as the routine returns that has found the event. Requires the routines' lock.
   Compiled without floating-point registers. */
#include <stdlib.h>
#include <string.h>

#include "runtime/commands/commands.h"

/* ---- commands -------------------------------------------------------------------------------------------- */

struct reaction {
    struct command *command;
    const long *arguments;
    struct reaction *next;
};
/* In the order of the page. */
struct reactions {
    struct reaction *first, *last;
};
static struct reactions on_signals[COMMAND_EVENTS], *unwinds; /* by procedure */
static long unwind_count;

static void *checked(void *memory) {
    if (!memory)
        abort();
    return memory;
}

static struct reactions *reactions_of(long procedure) {
    if (procedure >= unwind_count) {
        long count = 2 * procedure + 16;
        unwinds = checked(realloc(unwinds, (unsigned long)count * sizeof *unwinds));
        memset(unwinds + unwind_count, 0, (unsigned long)(count - unwind_count) * sizeof *unwinds);
        unwind_count = count;
    }
    return &unwinds[procedure];
}

void atomc_add_event(struct command *command, long event, long number, va_list list) {
    long *arguments = checked(calloc(command->argument_count + 1, sizeof *arguments));
    struct reaction *reaction = checked(calloc(1, sizeof *reaction));
    struct reactions *reactions = event == COMMAND_UNWIND ? reactions_of(number) : &on_signals[event];
    for (uint64_t i = 1; i < command->argument_count; i++)
        arguments[i] = va_arg(list, long);
    *reaction = (struct reaction){.command = command, .arguments = arguments};
    if (reactions->last)
        reactions->last->next = reaction;
    else
        reactions->first = reaction;
    reactions->last = reaction;
}

void atomc_on_event(struct command *command, long event, long number, ...) {
    va_list list;
    va_start(list, number);
    atomc_add_event(command, event, number, list);
    va_end(list);
}

int atomc_has_unwind(long procedure) {
    return procedure < unwind_count && unwinds[procedure].first;
}

int atomc_has_event(long event) {
    return event == COMMAND_UNWIND ? unwind_count > 0 : on_signals[event].first != NULL;
}

int atomc_has_events(void) {
    long event = 0;
    while (event < COMMAND_EVENTS && !atomc_has_event(event))
        event++;
    return event < COMMAND_EVENTS;
}

/* ---- events ---------------------------------------------------------------------------------------------- */

static struct event *events; /* in the order in which they were found */
static unsigned long event_count, event_room;
static long **flags; /* one for each tool */
static unsigned long flag_count;

void atomc_stack_flag(long *cell) {
    flags = checked(realloc(flags, (flag_count + 1) * sizeof *flags));
    flags[flag_count++] = cell;
}

static void set_flags(long value) {
    for (unsigned long i = 0; i < flag_count; i++)
        *(volatile long *)flags[i] = value;
}

void atomc_note_event(const struct event *event) {
    if (event_count == event_room) {
        event_room = 2 * event_room + 16;
        events = checked(realloc(events, event_room * sizeof *events));
    }
    events[event_count++] = *event;
    set_flags(1);
}

int atomc_next_event(long thread, struct event *event) {
    unsigned long i = 0;
    while (i < event_count && events[i].thread != thread)
        i++;
    if (i < event_count) {
        *event = events[i];
        memmove(&events[i], &events[i + 1], (--event_count - i) * sizeof *events);
        return 1;
    }
    if (event_count == 0)
        set_flags(0);
    return 0;
}

static const struct event *executed;

long atomc_event_value(uint64_t value) {
    switch (value) {
    case COMMAND_EVENT_THREAD:
        return executed->thread;
    case COMMAND_EVENT_DEPTH:
        return executed->depth;
    case COMMAND_EVENT_SIGNAL:
        return executed->signal;
    case COMMAND_EVENT_HANDLER:
        return executed->handler;
    case COMMAND_EVENT_PC:
        return executed->pc;
    default:
        return (long)atomc_context_text(executed->context);
    }
}

void atomc_execute_event(const struct event *event, execute_at_event *execute) {
    executed = event;
    const struct reactions *reactions =
        event->event == COMMAND_UNWIND ? &unwinds[event->number] : &on_signals[event->event];
    for (const struct reaction *at = reactions->first; at; at = at->next)
        execute(at->command, at->arguments);
}
