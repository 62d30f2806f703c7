/* sharing.c: derives the number of entries of a procedure from its callers' counts. A transfer with a known
   target skips the count of entries from outside and goes to the procedure's first instruction. It is
   executed once for each complete execution of its block. All other entries (through the map, by
   springboards, from code that is not copied) are counted in the procedure. Requires the facts of blocks, and
   procedures placed callers first. If procedures call each other, no such order exists, and the transfers to
   the later procedure are counted. */
#include <string.h>

#include "engine/count/internal.h"
#include "support/search.h"

enum {
    ONCE = 256, /* weight of a procedure without known callers */
    /* if a procedure's address is passed on, unknown callers are estimated at this fraction (1/n) of its
       known entries, and so is each caller that has not been placed */
    SHARE_UNKNOWN = 8,
    SHARE_LEAST = 1024, /* the same if it is not passed on */
};
static const uint64_t heaviest = UINT64_C(1) << 40;

/* ---- transfers ------------------------------------------------------------------------------------------ */

/* True if control that reaches the block's end leaves it only by its transfer. */
static bool ends_in_transfer(const struct counting *counting, uint32_t block) {
    return !(counting->facts[block] & (CALLS | LOCKED | LOCKED_HEAD | LOCKED_BRANCH));
}

/* The block that the transfer at the block's end enters; NO_INDEX if it cannot be distinguished from other
   entries. */
static uint32_t entered_block(const struct counting *counting, const struct program *program,
                              uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    uint32_t offset = 0;
    if ((block->end != END_CALL && block->end != END_TAIL_BRANCH && block->end != END_JUMP_UNKNOWN) ||
        !ends_in_transfer(counting, index))
        return NO_INDEX;
    uint32_t procedure = call_target(program, block_last(block), &offset);
    if (procedure == NO_INDEX || !counting->procedures[procedure])
        return NO_INDEX;
    uint32_t first = program->procedures[procedure].first, target = block_at(program, first + offset);
    bool is_entry = program->blocks[target].first == first + offset &&
                    (offset == 0 || !outside_in_line(program, target)) &&
                    entered_from_outside(program, target) && can_count_outside(program, counting, target);
    return is_entry ? target : NO_INDEX;
}

static void find_transfers(struct sharing *sharing, const struct counting *counting,
                           const struct program *program) {
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        const struct procedure *procedure = &program->procedures[p];
        uint32_t end = procedure->first_block + procedure->block_count;
        sharing->first[p] = sharing->count;
        for (uint32_t b = procedure->first_block; counting->procedures[p] && b < end; b++) {
            uint32_t target = entered_block(counting, program, b);
            if (target == NO_INDEX)
                continue;
            uint32_t *incoming = &sharing->incoming[program->blocks[target].procedure];
            ARENA_RESERVE(program->scratch, sharing->transfers, sharing->count, sharing->capacity);
            sharing->transfers[sharing->count] = (struct shared_transfer){
                .block = b, .target = target, .value = NO_INDEX, .effect = NO_INDEX, .next = *incoming};
            *incoming = sharing->count++;
        }
    }
    sharing->first[program->procedure_count] = sharing->count;
}

/* ---- the order ------------------------------------------------------------------------------------------ */

/* Puts the procedures that this one enters, and then itself, in front of the order. */
static void visit_procedure(struct sharing *sharing, const struct program *program, uint32_t root,
                            uint32_t *stack, uint32_t *next, uint32_t *left) {
    uint32_t depth = 0;
    if (next[root] != NO_INDEX)
        return;
    next[root] = sharing->first[root];
    stack[depth++] = root;
    while (depth > 0) {
        uint32_t at = stack[depth - 1];
        if (next[at] == sharing->first[at + 1]) {
            sharing->order[--*left] = at;
            depth--;
            continue;
        }
        uint32_t target = program->blocks[sharing->transfers[next[at]++].target].procedure;
        if (next[target] == NO_INDEX) {
            next[target] = sharing->first[target];
            stack[depth++] = target;
        }
    }
}

static void order_shared_procedures(struct sharing *sharing, const struct program *program) {
    uint32_t count = program->procedure_count, left = count;
    struct arena_mark mark = arena_mark(program->scratch);
    uint32_t *stack = arena_allocate(program->scratch, (count + 1) * sizeof *stack);
    uint32_t *next = arena_allocate(program->scratch, (count + 1) * sizeof *next);
    memset(next, 0xff, (count + 1) * sizeof *next);
    for (int called = 0; called < 2;
         called++) /* in a cycle, procedures that code outside of the cycle enters are placed first */
        for (uint32_t p = count; p-- > 0;)
            if ((sharing->incoming[p] != NO_INDEX) == called)
                visit_procedure(sharing, program, p, stack, next, &left);
    arena_release(program->scratch, mark);
}

void sharing_find(struct sharing *sharing, const struct counting *counting, const struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    struct arena *scratch = program->scratch;
    uint32_t count = program->procedure_count;
    *sharing = (struct sharing){.arena = counting->deriving,
                                .first = arena_allocate(scratch, (count + 1) * sizeof(uint32_t)),
                                .incoming = arena_allocate(scratch, (count + 1) * sizeof(uint32_t)),
                                .order = arena_allocate(scratch, (count + 1) * sizeof(uint32_t)),
                                .weight = arena_allocate(scratch, (count + 1) * sizeof(uint64_t)),
                                .placed = arena_allocate(scratch, count + 1)};
    memset(sharing->incoming, 0xff, (count + 1) * sizeof *sharing->incoming);
    if (!rewrite->options->without[WITHOUT_SHARING])
        find_transfers(sharing, counting, program);
    order_shared_procedures(sharing, program);
}

/* ---- the flow of the one who is entered ----------------------------------------------------------------- */

uint32_t sharing_enters_again(const struct flow *flow, uint32_t block) {
    const struct sharing *sharing = flow->sharing;
    const struct program *program = flow->rewrite->program;
    uint32_t procedure = program->blocks[block].procedure;
    uint32_t low = FIRST_NOT(sharing->first[procedure], sharing->first[procedure + 1], at,
                             sharing->transfers[at].block < block);
    if (low == sharing->first[procedure + 1] || sharing->transfers[low].block != block)
        return NO_INDEX;
    uint32_t target = sharing->transfers[low].target;
    return program->blocks[target].procedure == procedure ? target : NO_INDEX;
}

static uint64_t saturated_sum(uint64_t left, uint64_t right) {
    return left + right < heaviest ? left + right : heaviest;
}

static struct flow_edge *edge_from_outside(struct flow *flow, uint32_t local) {
    for (uint32_t i = 0; i < flow->edge_count; i++)
        if (flow->edges[i].kind == FLOW_OUTSIDE && flow->edges[i].block == local)
            return &flow->edges[i];
    return NULL;
}

/* Entries of one block: the number of times that callers' counts include them, and the number of times that
   they are counted there. */
struct entries {
    uint64_t shared, counted;
};

static struct entries weigh_entries(const struct sharing *sharing, const struct program *program,
                                    uint32_t target) {
    uint32_t index = program->blocks[target].procedure, unknown = 0;
    const struct procedure *procedure = &program->procedures[index];
    struct entries entries = {0};
    for (uint32_t i = sharing->incoming[index]; i != NO_INDEX; i = sharing->transfers[i].next) {
        const struct shared_transfer *transfer = &sharing->transfers[i];
        uint32_t from = program->blocks[transfer->block].procedure;
        if (transfer->target != target || from == index)
            continue;
        if (transfer->value != NO_INDEX)
            entries.shared = saturated_sum(entries.shared, transfer->weight);
        else if (sharing->placed[from])
            entries.counted = saturated_sum(entries.counted, transfer->weight);
        else
            unknown++;
    }
    uint64_t elsewhere = entries.shared / (procedure->escapes ? SHARE_UNKNOWN : SHARE_LEAST);
    elsewhere += unknown * (entries.shared / SHARE_UNKNOWN) + 1;
    entries.counted = saturated_sum(entries.counted, elsewhere);
    return entries;
}

uint32_t sharing_enter(struct flow *flow, uint32_t index, uint32_t *called) {
    uint32_t called_count = 0;
    struct sharing *sharing = flow->sharing;
    const struct program *program = flow->rewrite->program;
    uint64_t weight = ONCE;
    for (uint32_t i = sharing->incoming[index]; i != NO_INDEX; i = sharing->transfers[i].next) {
        uint32_t target = sharing->transfers[i].target, local = target - flow->procedure->first_block;
        if (flow->entered[local])
            continue;
        flow->entered[local] = true;
        struct entries entries = weigh_entries(sharing, program, target);
        struct flow_edge *outside = edge_from_outside(flow, local);
        weight = saturated_sum(weight, saturated_sum(entries.shared, entries.counted));
        if (entries.shared == 0 || !outside)
            continue;
        double part = (double)entries.counted / (double)(entries.shared + entries.counted);
        outside->cost = (uint64_t)((double)outside->cost * part) + 1;
        called[called_count++] = local;
    }
    for (uint32_t i = sharing->incoming[index]; i != NO_INDEX; i = sharing->transfers[i].next)
        flow->entered[sharing->transfers[i].target - flow->procedure->first_block] = false;
    uint64_t entries = flow->frequencies.entries;
    sharing->weight[index] = entries == NOT_MEASURED     ? weight
                             : entries < heaviest / ONCE ? entries * ONCE + 1
                                                         : heaviest;
    return called_count;
}

/* ---- what becomes of it --------------------------------------------------------------------------------- */

uint32_t sharing_next(const struct sharing *sharing, const struct flow *flow, uint32_t target,
                      uint32_t transfer) {
    uint32_t procedure = flow->rewrite->program->blocks[target].procedure;
    uint32_t i = transfer == NO_INDEX ? sharing->incoming[procedure] : sharing->transfers[transfer].next;
    while (i != NO_INDEX &&
           (sharing->transfers[i].target != target || sharing->transfers[i].value == NO_INDEX))
        i = sharing->transfers[i].next;
    return i;
}

static uint64_t weight_of(const struct sharing *sharing, const struct flow *flow, uint32_t index,
                          uint32_t local) {
    double often = (double)sharing->weight[index] * (double)flow->frequencies.block[local] /
                   (double)flow->frequencies.entered;
    return often < (double)heaviest ? (uint64_t)often + 1 : heaviest;
}

/* The edge of the block that the transfer ends, or NULL. Both lists are in the order of the blocks: the
   search continues at `*next`. */
static struct flow_edge *edge_of(const struct flow *flow, const struct shared_transfer *transfer,
                                 uint32_t *next) {
    uint32_t local = transfer->block - flow->procedure->first_block;
    while (*next < flow->edge_count &&
           (flow->edges[*next].kind != FLOW_EXECUTED || flow->edges[*next].block < local))
        ++*next;
    return *next < flow->edge_count && flow->edges[*next].block == local ? &flow->edges[*next] : NULL;
}

/* True if the procedure that it enters is still to be placed. */
static bool comes_later(const struct flow *flow, const struct shared_transfer *transfer) {
    const struct program *program = flow->rewrite->program;
    uint32_t own = program->blocks[transfer->block].procedure;
    uint32_t other = program->blocks[transfer->target].procedure;
    return other != own && !flow->sharing->placed[other];
}

static uint32_t procedure_index(const struct flow *flow) {
    return flow->rewrite->program->blocks[flow->procedure->first_block].procedure;
}

void sharing_want(const struct flow *flow) {
    const struct sharing *sharing = flow->sharing;
    uint32_t index = procedure_index(flow), next = 0;
    for (uint32_t i = sharing->first[index]; i < sharing->first[index + 1]; i++) {
        struct flow_edge *edge = edge_of(flow, &sharing->transfers[i], &next);
        if (edge && edge->known && comes_later(flow, &sharing->transfers[i]))
            edge->needed = true;
    }
}

void sharing_leave(const struct flow *flow) {
    struct sharing *sharing = flow->sharing;
    uint32_t index = procedure_index(flow), next = 0;
    sharing->placed[index] = 1;
    for (uint32_t i = sharing->first[index]; i < sharing->first[index + 1]; i++) {
        struct shared_transfer *transfer = &sharing->transfers[i];
        const struct flow_edge *edge = edge_of(flow, transfer, &next);
        transfer->weight = weight_of(sharing, flow, index, transfer->block - flow->procedure->first_block);
        if (edge && edge->value != NO_INDEX && comes_later(flow, transfer))
            transfer->value = edge->value;
    }
}
