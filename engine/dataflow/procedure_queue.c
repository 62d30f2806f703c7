/* procedure_queue.c: the order in which procedures are visited until no result changes. In each round callees
   are visited before their callers (reverse postorder of the graph of callers), or callers before their
   callees. */
#include <string.h>

#include "engine/dataflow/internal.h"

enum { WORD_BITS = 64 };

/* Positions are assigned from the last to the first: a procedure's callers are assigned before it. */
static void order_procedures(struct procedure_queue *queue, const uint32_t *dependents,
                             const uint32_t *first_dependent, struct arena *scratch) {
    struct arena_mark mark = arena_mark(scratch);
    uint32_t *path = arena_allocate(scratch, ((size_t)queue->count + 1) * sizeof *path),
             *next = arena_allocate(scratch, ((size_t)queue->count + 1) * sizeof *next),
             free_position = queue->count;
    memset(next, 0xff, queue->count * sizeof *next);
    for (uint32_t root = queue->count; root-- > 0;) {
        uint32_t depth = 0, entered = root;
        while (true) {
            if (next[entered] == NO_INDEX) {
                next[entered] = first_dependent[entered];
                path[depth++] = entered;
            }
            if (depth == 0)
                break;
            uint32_t top = path[depth - 1];
            if (next[top] < first_dependent[top + 1]) {
                entered = dependents[next[top]++];
                continue;
            }
            queue->position_of[top] = --free_position;
            queue->at_position[free_position] = top;
            depth--;
            entered = top;
        }
    }
    arena_release(scratch, mark);
}

void procedure_queue_make(struct procedure_queue *queue, uint32_t count, const uint32_t *dependents,
                          const uint32_t *first_dependent, struct arena *scratch) {
    *queue = (struct procedure_queue){.count = count};
    queue->at_position = arena_allocate(scratch, ((size_t)count + 1) * sizeof *queue->at_position);
    queue->position_of = arena_allocate(scratch, ((size_t)count + 1) * sizeof *queue->position_of);
    queue->waiting = arena_allocate(scratch, (count / WORD_BITS + 1) * sizeof *queue->waiting);
    order_procedures(queue, dependents, first_dependent, scratch);
}

void enqueue_procedure(struct procedure_queue *queue, uint32_t procedure) {
    uint32_t position = queue->position_of[procedure];
    uint64_t bit = UINT64_C(1) << position % WORD_BITS;
    queue->waiting_count += !(queue->waiting[position / WORD_BITS] & bit);
    queue->waiting[position / WORD_BITS] |= bit;
}

void enqueue_all_procedures(struct procedure_queue *queue) {
    for (uint32_t i = 0; i < queue->count; i++)
        enqueue_procedure(queue, i);
    queue->head = queue->callers_first && queue->count ? queue->count - 1 : 0;
}

/* The next waiting position, from the head on, in the direction of the round; after the last, another round
   begins. */
static uint32_t next_position(const struct procedure_queue *queue) {
    uint32_t words = queue->count / WORD_BITS + 1, word = queue->head / WORD_BITS,
             bit = queue->head % WORD_BITS;
    uint64_t rest = queue->waiting[word] &
                    (queue->callers_first ? ~UINT64_C(0) >> (WORD_BITS - 1 - bit) : ~UINT64_C(0) << bit);
    while (!rest) {
        word = queue->callers_first ? (word + words - 1) % words : (word + 1) % words;
        rest = queue->waiting[word];
    }
    return word * WORD_BITS +
           (uint32_t)(queue->callers_first ? WORD_BITS - 1 - __builtin_clzll(rest) : __builtin_ctzll(rest));
}

bool dequeue_procedure(struct procedure_queue *queue, uint32_t *procedure) {
    if (!queue->waiting_count)
        return false;
    queue->head = next_position(queue);
    queue->waiting[queue->head / WORD_BITS] &= ~(UINT64_C(1) << queue->head % WORD_BITS);
    queue->waiting_count--;
    *procedure = queue->at_position[queue->head];
    return true;
}
