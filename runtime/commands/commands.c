/* commands.c: statements of a tool that the runtime executes, because they need data that only the analysis
   side has. Requires the routines' lock, as each analysis routine does. Compiled without floating-point
   registers, so that sites save none of them. */
#include <stdlib.h>

#include "runtime/commands/internal.h"
#include "runtime/kernel/kernel.h"

/* ---- threads ------------------------------------------------------------------------------------------- */

/* One entry for each thread that has been queried. Entries are never removed: when a thread ends, its pointer
   is cleared. */
static struct thread {
    volatile long pointer;
    long key;    /* from 1 */
    long number; /* the kernel's number; 0 if unknown */
    struct thread *next;
} * threads, *latest;
static long thread_count;
enum { NO_POINTER = -1 };

static struct thread *thread_of(long pointer) {
    if (latest && latest->pointer == pointer)
        return latest;
    struct thread *thread = threads;
    while (thread && thread->pointer != pointer)
        thread = thread->next;
    if (!thread && thread_count == 1 && threads->pointer == 0) { /* before it had a pointer */
        thread = threads;
        thread->pointer = pointer;
    }
    if (!thread) {
        thread = calloc(1, sizeof *thread);
        if (!thread)
            abort();
        thread->pointer = pointer;
        thread->key = ++thread_count;
        thread->next = threads;
        __sync_synchronize();
        threads = thread;
    }
    return latest = thread;
}

long atomc_thread_key(long pointer) {
    return thread_of(pointer)->key;
}

long atomc_thread_number(long pointer) {
    struct thread *thread = thread_of(pointer);
    if (!thread->number)
        thread->number = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    return thread->number;
}

/* Needs no lock: only the thread itself uses its pointer. */
void atomc_forget_thread(void) {
    long pointer = thread_pointer();
    for (struct thread *thread = threads; thread; thread = thread->next)
        if (thread->pointer == pointer)
            thread->pointer = NO_POINTER;
}

static long process_number;

void atomc_renumber_threads(void) {
    process_number = 0;
    for (struct thread *thread = threads; thread; thread = thread->next)
        thread->number = 0;
}

long atomc_process_number(void) {
    if (!process_number)
        process_number = process_id();
    return process_number;
}

/* ---- the clock, and the name of the thread --------------------------------------------------------------- */

long atomc_nanoseconds(void) {
    enum { MONOTONIC = 1 };
    long now[2] = {0, 0};
    RAW(CALL_clock_gettime, MONOTONIC, (long)now, 0, 0, 0, 0);
    return now[0] * 1000000000 + now[1];
}

/* The kernel's names are those of the instrumented file, or of an emulator, until the program sets them. */
enum { NAME_ROOM = 16, GET_NAME = 16 };
static char first_name[NAME_ROOM];

static void read_name(char *name) {
    memset(name, 0, NAME_ROOM);
    RAW(CALL_prctl, GET_NAME, (long)name, 0, 0, 0, 0);
}

void atomc_note_name(void) {
    read_name(first_name);
}

const char *atomc_thread_name(const char *program) {
    char name[NAME_ROOM];
    read_name(name);
    if (memcmp(name, first_name, NAME_ROOM) == 0)
        strncpy(name, program, NAME_ROOM - 1);
    return atomc_same_text(name);
}

/* ---- texts --------------------------------------------------------------------------------------------- */

static char texts[COMMAND_MOST_TEXTS][COMMAND_TEXT];
unsigned atomc_texts_used;

/* Another thread may unmap the memory meanwhile: then the load fails. */
const char *atomc_read_text(unsigned long address, unsigned long most) {
    if (atomc_texts_used == COMMAND_MOST_TEXTS)
        return "(too many texts)";
    char *text = texts[atomc_texts_used++];
    unsigned long length = 0;
    long word = 0;
    if (most >= COMMAND_TEXT)
        most = COMMAND_TEXT - 1;
    for (; length < most; length++, address++) {
        int begins = length == 0 || address % 8 == 0;
        if (begins &&
            (((length == 0 || address % SMALLEST_PAGE == 0) && !atomc_is_readable((long)(address & ~7UL))) ||
             !atomc_try_load(address & ~7UL, &word))) {
            if (length == 0)
                return "(invalid)";
            break;
        }
        text[length] = (char)((unsigned long)word >> address % 8 * 8);
        if (!text[length])
            break;
    }
    text[length] = 0;
    return text;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

/* Inserted code of other threads may update it, too. */
int64_t *atomc_update_command_cell(const struct command_effect *effect, const long *arguments,
                                   const int64_t *values) {
    uint64_t cell = (uint64_t)values[0];
    if (cell >= (uint64_t)arguments[effect->cells])
        return NULL;
    int64_t amount = values[1];
    uint64_t update = effect->update;
    if (effect->buckets.count) {
        cell = cell * effect->buckets.count + atomc_bucket_of(&effect->buckets, values[1]);
        amount = values[2];
        update = 0;
    }
    long *address = (long *)arguments[effect->counter] + cell;
    atomc_update_cell(address, (long)update, amount);
    return address;
}

/* ---- the routine --------------------------------------------------------------------------------------- */

void atomc_execute(struct command *command, ...) {
    va_list list;
    va_start(list, command);
    execute_command(command, list, NULL, NULL, NULL);
    va_end(list);
}

void (*atomc_execute_events)(long thread) = atomc_stack_unwind;

static void execute_without_texts(struct command *command, const long *arguments) {
    execute_effects(command, arguments, NULL, NULL, NULL);
}

/* If a tool's commands compare texts or print, sites call the routine of prints.c. */
void atomc_stack_unwind(long thread) {
    struct event event;
    while (atomc_next_event(thread, &event))
        atomc_execute_event(&event, execute_without_texts);
}
