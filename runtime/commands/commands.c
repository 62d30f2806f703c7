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
    execute_command(command, list, NULL, NULL);
    va_end(list);
}
