/* measured.c: executions of blocks and branches in an earlier run, which replace estimates. Counts that the
   profile does not have are derived where possible: control leaves a block as often as it enters it.
   Requires estimates. Counts of a profile may be inconsistent: they may be from several runs, or from other
   code. */
#include "engine/dataflow/internal.h"

enum { MOST_PASSES = 64 };
static const double greatest = (double)(UINT64_C(1) << 44);

struct measures {
    const struct program *program;
    const struct procedure *procedure;
    uint64_t *executed; /* per block of the procedure; NOT_MEASURED */
    uint64_t *along;    /* per edge out of its blocks: executions of the edge */
    uint32_t first_edge;
};

static uint64_t *edge_measure(const struct measures *measures, uint32_t edge) {
    return &measures->along[edge - measures->first_edge];
}

static bool is_inside(const struct measures *measures, uint32_t block) {
    return block - measures->procedure->first_block < measures->procedure->block_count;
}

/* ---- what follows --------------------------------------------------------------------------------------- */

/* One equation: a block's executions are the sum of the executions of its edges. */
struct sum {
    uint64_t *total, *unknown; /* the only unknown edge; NULL: none */
    uint64_t known;
    unsigned unknown_count;
};

static void add_term(struct sum *sum, uint64_t *term) {
    if (*term != NOT_MEASURED) {
        sum->known += *term;
    } else {
        sum->unknown = term;
        sum->unknown_count++;
    }
}

/* Derives a value. Returns true if it is new. */
static bool conclude_sum(const struct sum *sum) {
    if (sum->unknown_count == 0 && *sum->total == NOT_MEASURED) {
        *sum->total = sum->known;
        return true;
    }
    if (sum->unknown_count != 1 || *sum->total == NOT_MEASURED)
        return false;
    *sum->unknown = *sum->total > sum->known ? *sum->total - sum->known : 0;
    return true;
}

static bool conclude_in(const struct measures *measures, uint32_t index) {
    const struct basic_block *block = &measures->program->blocks[index];
    struct sum sum = {.total = &measures->executed[index - measures->procedure->first_block]};
    if (index == measures->procedure->first_block ||
        has_unseen_predecessor(measures->program->blocks[index].leaders))
        return false;
    for (uint32_t i = block->first_predecessor; i < block->first_predecessor + block->predecessor_count;
         i++) {
        uint32_t edge = measures->program->incoming[i];
        if (!is_inside(measures, measures->program->edges[edge].from))
            return false;
        add_term(&sum, edge_measure(measures, edge));
    }
    return conclude_sum(&sum);
}

static bool conclude_out(const struct measures *measures, uint32_t index) {
    const struct basic_block *block = &measures->program->blocks[index];
    struct sum sum = {.total = &measures->executed[index - measures->procedure->first_block]};
    bool all_edges = block->end == END_FALLTHROUGH || block->end == END_BRANCH || block->end == END_CALL ||
                     block->end == END_JUMP_TABLE || block->end == END_SYSTEM_CALL ||
                     (block->end == END_COND_BRANCH && block->successor_count == 2);
    if (!all_edges || block->successor_count == 0)
        return false;
    for (uint32_t i = 0; i < block->successor_count; i++)
        add_term(&sum, edge_measure(measures, block->first_successor + i));
    return conclude_sum(&sum);
}

/* Processes the blocks forward and backward, as long as new values follow. */
static void conclude_all(const struct measures *measures) {
    uint32_t first = measures->procedure->first_block, count = measures->procedure->block_count;
    bool more = true;
    for (unsigned pass = 0; pass < MOST_PASSES && more; pass++) {
        more = false;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t block = first + (pass & 1 ? count - 1 - i : i);
            more |= conclude_in(measures, block);
            more |= conclude_out(measures, block);
        }
    }
}

/* ---- what was measured ---------------------------------------------------------------------------------- */

/* Returns true if anything is known of the procedure's blocks. */
static bool take_measures(struct measures *measures, struct arena *arena) {
    const struct program *program = measures->program;
    const struct profile *profile = program->profile;
    uint32_t first = measures->procedure->first_block, count = measures->procedure->block_count;
    const struct basic_block *last = &program->blocks[first + count - 1];
    uint32_t edges = last->first_successor + last->successor_count - program->blocks[first].first_successor;
    bool any = false;
    measures->first_edge = program->blocks[first].first_successor;
    measures->executed = arena_allocate(arena, count * sizeof *measures->executed);
    measures->along = arena_allocate(arena, (edges + 1) * sizeof *measures->along);
    for (uint32_t e = 0; e < edges; e++)
        measures->along[e] = NOT_MEASURED;
    for (uint32_t i = 0; i < count; i++) {
        const struct basic_block *block = &program->blocks[first + i];
        uint64_t executed = profile->executed[first + i], taken = profile->taken[first + i];
        measures->executed[i] = executed;
        any |= executed != NOT_MEASURED;
        if (block->end != END_COND_BRANCH || taken == NOT_MEASURED || executed == NOT_MEASURED)
            continue;
        for (uint32_t e = block->first_successor; e < block->first_successor + block->successor_count; e++)
            *edge_measure(measures, e) = program->edges[e].kind == EDGE_TAKEN ? taken
                                         : executed > taken                   ? executed - taken
                                                                              : 0;
    }
    return any;
}

/* The executions that take the block's branch; the estimate if they cannot be derived. */
static double taken_of(const struct measures *measures, uint32_t local, double estimate) {
    const struct basic_block *block = &measures->program->blocks[measures->procedure->first_block + local];
    uint64_t measured = measures->program->profile->taken[measures->procedure->first_block + local];
    if (measured != NOT_MEASURED)
        return (double)measured;
    for (uint32_t i = 0; i < block->successor_count; i++) {
        uint64_t along = *edge_measure(measures, block->first_successor + i);
        if (along == NOT_MEASURED)
            continue;
        if (measures->program->edges[block->first_successor + i].kind == EDGE_TAKEN)
            return (double)along;
        return measures->executed[local] > along ? (double)(measures->executed[local] - along) : 0;
    }
    return estimate;
}

/* The entries of the procedure: the executions of its first block minus the executions of edges to it. If the
   procedure is entered only at another block, the executions of that block. */
static uint64_t procedure_entries(const struct measures *measures) {
    const struct program *program = measures->program;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < measures->procedure->block_count; i++) {
        uint32_t index = measures->procedure->first_block + i;
        const struct basic_block *block = &program->blocks[index];
        uint64_t inside = 0;
        if (!block_is_entry(block) || measures->executed[i] == NOT_MEASURED)
            continue;
        for (uint32_t k = 0; k < block->predecessor_count; k++) {
            uint32_t edge = program->incoming[block->first_predecessor + k];
            if (is_inside(measures, program->edges[edge].from) &&
                *edge_measure(measures, edge) != NOT_MEASURED)
                inside += *edge_measure(measures, edge);
        }
        sum += measures->executed[i] > inside ? measures->executed[i] - inside : 0;
    }
    return sum;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

/* If only the number of instructions that the procedure executed is known, the relative estimates of its
   blocks are kept. */
static void measure_total(struct frequencies *frequencies, const struct program *program,
                          const struct procedure *procedure, uint64_t instructions) {
    double each = 0;
    for (uint32_t i = 0; i < procedure->block_count; i++)
        each += (double)frequencies->block[i] * program->blocks[procedure->first_block + i].count;
    frequencies->entries = (uint64_t)((double)instructions * (double)frequencies->entered / each);
}

static uint64_t scaled_count(double often, double scale) {
    return often * scale < 1 ? 1 : (uint64_t)(often * scale);
}

void frequencies_measure(struct frequencies *frequencies, const struct program *program, uint32_t index,
                         struct arena *arena) {
    const struct procedure *procedure = &program->procedures[index];
    struct measures measures = {.program = program, .procedure = procedure};
    uint64_t most = 0, entries;
    if (!take_measures(&measures, arena)) {
        if (program->profile->instructions[index] != NOT_MEASURED)
            measure_total(frequencies, program, procedure, program->profile->instructions[index]);
        return;
    }
    conclude_all(&measures);
    for (uint32_t i = 0; i < procedure->block_count; i++)
        if (measures.executed[i] != NOT_MEASURED && measures.executed[i] > most)
            most = measures.executed[i];
    if (most == 0) { /* the procedure was not executed */
        frequencies->entries = 0;
        return;
    }
    entries = procedure_entries(&measures);
    frequencies->entries = entries;
    entries += entries == 0;
    double scale = ENTERED / (double)entries;
    if ((double)most * scale > greatest)
        scale = greatest / (double)most;
    for (uint32_t i = 0; i < procedure->block_count; i++) {
        double estimate = (double)frequencies->block[i] / ENTERED * (double)entries;
        double estimate_taken = (double)frequencies->taken[i] / (double)frequencies->block[i];
        double often = measures.executed[i] == NOT_MEASURED ? estimate : (double)measures.executed[i];
        frequencies->taken[i] = (uint64_t)(taken_of(&measures, i, often * estimate_taken) * scale);
        frequencies->block[i] = scaled_count(often, scale);
        if (frequencies->taken[i] > frequencies->block[i])
            frequencies->taken[i] = frequencies->block[i];
    }
    frequencies->entered = scaled_count((double)entries, scale);
}
