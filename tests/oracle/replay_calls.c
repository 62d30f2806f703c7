/* replay_calls.c: activations in the oracle's record, from the instructions that call, return and jump: costs
   are added to all procedures on the stack, one by one. Requires procedure names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

struct frame {
    int procedure;
    uint64_t return_pc, sp;
    size_t arc;
};
static struct arc {
    int caller, callee;
    uint64_t calls, self, total;
} * arcs;
static size_t arc_count;
static struct path {
    char *text;
    uint64_t cost;
    size_t hash;
} * paths;
static size_t path_count;
static struct stack {
    struct frame *frames;
    int depth;
    uint64_t pending; /* instructions since the last change */
    struct record last;
    bool started;
} stacks[64];
static uint64_t depth_limit;

static size_t arc_of(int caller, int callee) {
    static size_t *first;
    static size_t first_count;
    size_t key = ((size_t)(caller + 1) * 65599 + callee) % 1000003;
    if (!first) {
        first_count = 1000003;
        first = calloc(first_count, sizeof *first);
    }
    for (;; key = (key + 1) % first_count) {
        if (!first[key])
            break;
        if (arcs[first[key] - 1].caller == caller && arcs[first[key] - 1].callee == callee)
            return first[key] - 1;
    }
    arcs = again(arcs, (arc_count + 1) * sizeof *arcs);
    arcs[arc_count] = (struct arc){.caller = caller, .callee = callee};
    first[key] = ++arc_count;
    return arc_count - 1;
}

static void add_path(const struct stack *stack) {
    static size_t *slots;
    size_t hash = 5381, at;
    char *text = NULL, *name;
    FILE *stream = open_memstream(&text, &at);
    int limit = (uint64_t)stack->depth < depth_limit ? stack->depth : (int)depth_limit;
    for (int i = 0; i < limit; i++)
        fprintf(stream, "%s%s", i ? ";" : "", procedures[stack->frames[i].procedure].name);
    if (stack->depth > limit)
        fprintf(stream, ";(deeper);%s", procedures[stack->frames[stack->depth - 1].procedure].name);
    fclose(stream);
    for (name = text; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    if (!slots)
        slots = calloc(1 << 22, sizeof *slots);
    for (at = hash % (1 << 22); slots[at]; at = (at + 1) % (1 << 22))
        if (paths[slots[at] - 1].hash == hash && strcmp(paths[slots[at] - 1].text, text) == 0) {
            paths[slots[at] - 1].cost += stack->pending;
            free(text);
            return;
        }
    paths = again(paths, (path_count + 1) * sizeof *paths);
    paths[path_count] = (struct path){text, stack->pending, hash};
    slots[at] = ++path_count;
}

/* The stack is about to change: all on it have run so long. */
static void settle(struct stack *stack) {
    static uint64_t *seen, turn;
    if (!seen)
        seen = calloc(procedure_count, sizeof *seen);
    turn++;
    if (stack->pending == 0 || stack->depth == 0)
        return;
    int running = stack->frames[stack->depth - 1].procedure;
    for (int i = 0; i < stack->depth; i++) {
        const struct frame *frame = &stack->frames[i];
        if (seen[frame->procedure] == turn)
            continue;
        seen[frame->procedure] = turn;
        arcs[frame->arc].total += stack->pending;
        if (frame->procedure == running)
            arcs[frame->arc].self += stack->pending;
    }
    procedures[running].self += stack->pending;
    if (depth_limit)
        add_path(stack);
    stack->pending = 0;
}

static void pop_to(struct stack *stack, int depth) {
    settle(stack);
    stack->depth = depth;
}

static void push(struct stack *stack, int procedure, uint64_t return_pc, uint64_t sp, bool called) {
    settle(stack);
    int caller = stack->depth ? stack->frames[stack->depth - 1].procedure : -1;
    size_t arc = arc_of(caller, procedure);
    stack->frames = again(stack->frames, (stack->depth + 1) * sizeof *stack->frames);
    stack->frames[stack->depth++] = (struct frame){procedure, return_pc, sp, arc};
    arcs[arc].calls += called;
}

static bool is_linking(const struct record *record) {
    unsigned opcode = opcode_of(record), ra = record->word >> 21 & 31;
    return (opcode == 0x1a || opcode == 0x30 || opcode == 0x34) && ra != 31;
}
static bool is_return(const struct record *record) {
    return opcode_of(record) == 0x1a && (record->word >> 14 & 3) == 2;
}
static bool is_transfer(const struct record *record) {
    return opcode_of(record) == 0x1a || opcode_of(record) >= 0x30;
}

/* From the last instruction of the thread to this one. */
static void follow(struct stack *stack, const struct record *record) {
    const struct record *last = &stack->last;
    int at = procedure_at(record->pc), now = whole_procedures[at];
    bool entry = record->pc - procedures[at].pc <= 8 && now == at;
    while (stack->depth && stack->frames[stack->depth - 1].sp < record->sp)
        pop_to(stack, stack->depth - 1);
    if (!stack->started) {
        push(stack, now, 0, record->sp, true);
    } else if (is_linking(last) && entry && record->pc != last->pc + 4 && record->sp == last->sp) {
        push(stack, now, last->pc + 4, record->sp, true);
    } else if (is_return(last)) {
        for (int i = stack->depth - 1; i >= 0 && stack->frames[i].sp == record->sp; i--)
            if (stack->frames[i].return_pc == record->pc) {
                pop_to(stack, i);
                break;
            }
    } else if (entry && whole_procedures[procedure_at(last->pc)] != now) {
        bool sent =
            record->sp != last->sp || (!is_transfer(last) && record->pc != last->pc + 4); /* by a signal */
        struct frame *top = stack->depth ? &stack->frames[stack->depth - 1] : NULL;
        uint64_t return_pc = top && !sent ? top->return_pc : 0;
        if (!sent && top && top->sp == record->sp)
            pop_to(stack, stack->depth - 1);
        push(stack, now, return_pc, record->sp, true);
    }
    /* Left by longjmp, or entered after its beginning. */
    while (stack->depth && stack->frames[stack->depth - 1].sp == record->sp &&
           stack->frames[stack->depth - 1].procedure != now)
        pop_to(stack, stack->depth - 1);
    if (!stack->depth || stack->frames[stack->depth - 1].procedure != now)
        push(stack, now, 0, record->sp, false);
}

void replay_calls(void) {
    find_whole_procedures();
    depth_limit = option("depth", 0);
    for (const struct record *record; (record = next_record());) {
        struct stack *stack = &stacks[record->thread % 64];
        /* Within a procedure, from instruction to instruction, nothing changes; longjmp's own last ones,
           which have the other stack already, are still its own. */
        if (!stack->started || record->pc != stack->last.pc + 4 || is_transfer(&stack->last) ||
            procedure_at(record->pc) != procedure_at(stack->last.pc))
            follow(stack, record);
        stack->started = true;
        stack->last = *record;
        stack->pending++;
    }
    for (int i = 0; i < 64; i++)
        settle(&stacks[i]);
    for (size_t i = 0; i < path_count; i++)
        printf("%s %" PRIu64 "\n", paths[i].text, paths[i].cost);
    for (int i = 0; !depth_limit && i < procedure_count; i++)
        if (procedures[i].self)
            printf("self\t%s\t%" PRIu64 "\n", procedures[i].name, procedures[i].self);
    for (size_t i = 0; !depth_limit && i < arc_count; i++)
        printf("arc\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\n",
               arcs[i].caller < 0 ? "-" : procedures[arcs[i].caller].name, procedures[arcs[i].callee].name,
               arcs[i].calls, arcs[i].total);
}
