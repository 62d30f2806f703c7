/* callers.c: the calls that are active in each thread (calls.c), as lists of return addresses. */
#include <stdlib.h>
#include <string.h>

/* A tool may have a parameter of this name. */
#define procedures parameter_procedures
#include "atomc.h"
#undef procedures

#include "callers.h"

#define Begin     follow_begin
#define Procedure follow_procedure
#define Resumes   FollowResumes
#define Enter     FollowEnter
#define Return    FollowReturn
#define Resume    FollowResume
#define Execute   follow_execute
#define Arrive    follow_arrive
#define Check     follow_check
#define Continue  follow_continue
#define end_calls follow_end
#define threads   followed_threads

enum { cycles = 0 };
#include "calls.c"

static inline void *first_item(const struct thread *thread) {
    (void)thread;
    return NULL;
}
static inline void on_push(struct thread *thread, int called) {
    (void)thread, (void)called;
}
static inline int is_known(const struct frame *top, int procedure) {
    (void)top;
    return procedures[procedure].whole == procedure;
}
static inline void push_known(struct frame *top, int procedure) {
    (void)top, (void)procedure;
}
static inline void on_cost(struct frame *frame, long cost) {
    (void)frame, (void)cost;
}
static inline void on_watched_cost(struct thread *thread, long cost) {
    (void)thread, (void)cost;
}
static inline void on_pop(struct thread *thread) {
    (void)thread;
}

void FollowProgram(int count, int is_dynamic, const long *pcs, const long *sizes, const char *const *names) {
    follow_begin(count, is_dynamic);
    for (int i = 0; i < count; i++)
        procedures[i] = (struct procedure){.pc = pcs[i], .size = sizes[i], .name = names[i], .whole = i};
}

void FollowArrival(int number, long sp, long id) {
    if (now.procedure != number || now.sp < sp || now.id != id)
        find_activation(number, sp, id);
}

enum { BUCKETS = 1 << 14 };
static struct callers *known[BUCKETS];

static struct callers *list_of(const long *ras, int count) {
    unsigned long hash = count;
    for (int i = 0; i < count; i++)
        hash = (hash ^ ras[i]) * 0x9e3779b97f4a7c15;
    struct callers **bucket = &known[hash >> 50], *list = *bucket;
    while (list && (list->count != count || memcmp(list->ras, ras, count * sizeof *ras) != 0))
        list = list->next;
    if (list)
        return list;
    list = allocated(1, sizeof *list + count * sizeof *ras);
    list->next = *bucket;
    list->count = count;
    memcpy(list->ras, ras, count * sizeof *ras);
    return *bucket = list;
}

/* The innermost activation of the procedure, which is the current activation. */
static const struct frame *activation_of(int procedure, const struct thread *thread) {
    const struct frame *frame = thread->top;
    while (frame > thread->frames && frame->procedure != procedure)
        frame--;
    return frame;
}

/* The activation that made the call which returns to `ra`, even if its procedure is unknown. In recursion
   that activation may itself return to `ra`; its callee may have returned already. */
static const struct frame *activation_before(long ra, const struct thread *thread) {
    const struct frame *frame = activation_of(whole_at(ra - 4), thread);
    if (frame > thread->frames)
        return frame;
    for (frame = thread->top; frame > thread->frames && frame->ra != ra; frame--)
        ;
    return frame > thread->frames ? frame - 1 : frame;
}

/* The calls by which the activation was reached, innermost first; returns their number. A 0 after the last
   call means that there are more. */
static int find_callers(const struct thread *thread, const struct frame *frame, long *ras) {
    int count = 0;
    for (; frame > thread->frames && count <= callers; frame--)
        if (frame->ra)
            ras[count++] = frame->ra;
    if (count > callers)
        ras[callers] = 0;
    return count;
}

static const struct thread *thread_now(long id) {
    return thread_of(now.thread->id == 0 ? 0 : id);
}

static struct callers *callers_from(const struct thread *thread, const struct frame *frame) {
    long ras[callers + 1];
    int count = find_callers(thread, frame, ras);
    return list_of(ras, count < callers ? count : callers);
}

struct callers *callers_of(long pc, long id) {
    const struct thread *thread = thread_now(id);
    return callers > 0 ? callers_from(thread, activation_of(whole_at(pc), thread)) : NULL;
}

struct callers *callers_of_call(long ra, long id) {
    const struct thread *thread = thread_now(id);
    return callers > 0 ? callers_from(thread, activation_before(ra, thread)) : NULL;
}

int procedure_at(long pc) {
    return whole_at(pc);
}

int are_callers(const struct callers *list, int procedure, long id) {
    if (callers == 0)
        return 1;
    const struct thread *thread = thread_now(id);
    int count = 0;
    for (const struct frame *frame = activation_of(procedure, thread); frame > thread->frames; frame--) {
        if (!frame->ra)
            continue;
        if (count == callers)
            break;
        if (count == list->count || list->ras[count++] != frame->ra)
            return 0;
    }
    return count == list->count;
}

static struct callers *context_from(long pc, const struct thread *thread, const struct frame *frame) {
    long ras[callers + 2];
    ras[0] = pc;
    return list_of(ras, 1 + find_callers(thread, frame, ras + 1));
}

struct callers *context_of_call(long ra, long id) {
    const struct thread *thread = thread_now(id);
    return callers > 0 ? context_from(ra, thread, activation_before(ra, thread)) : NULL;
}

struct callers *context_in(int procedure, long pc, long id) {
    const struct thread *thread = thread_now(id);
    return callers > 0 ? context_from(pc, thread, activation_of(procedures[procedure].whole, thread)) : NULL;
}

/* The activation left last is still above the others, even if it belongs to a procedure in which this
   activation has continued. */
struct callers *context_leaving(int procedure, long pc, long sp, long id) {
    const struct thread *thread = thread_now(id);
    const struct frame *top = thread->top, *left = top + 1;
    int whole = procedures[procedure].whole;
    if ((top->procedure == whole && top->sp == sp) || left == thread->end || left->sp != sp)
        return context_in(procedure, pc, id);
    return callers > 0 ? context_from(pc, thread, left) : NULL;
}
