/* count_code.c: emits counts into the copies, each at a point where two registers are free; and a table from
   which the runtime determines the counts that have been made at each address. Requires counting_plan();
   called while a procedure is copied. */
#include <stdlib.h>

#include "engine/copy/internal.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"
#include "engine/count/counting.h"

/* ---- ranges ------------------------------------------------------------------------------------------ */

static const uint32_t no_node = NO_INDEX;

static uint32_t global_head(uint32_t block) {
    return 2 * block;
}
static uint32_t global_end(uint32_t block) {
    return 2 * block + 1;
}

/* Starts a range at this address. `cell`: the cell of the block's count that is still to be made, or
   NO_INDEX. */
static void add_count_range(struct rewrite *rewrite, uint32_t address, uint32_t node, uint32_t cell,
                            unsigned flags) {
    struct counting *counting = rewrite->counting;
    struct byte_stream *stream = &counting->ranges;
    flags |= (node != no_node ? ATOMC_RANGE_NODE : 0) | (cell != NO_INDEX ? ATOMC_RANGE_COUNT : 0);
    stream_unsigned(stream, ((uint64_t)(address - counting->last_address) / 4) << ATOMC_RANGE_FLAGS | flags);
    counting->last_address = address;
    if (node != no_node) {
        stream_signed(stream, (int64_t)node - counting->last_node);
        counting->last_node = node;
    }
    if (cell != NO_INDEX) {
        stream_signed(stream, (int64_t)cell - counting->last_cell);
        counting->last_cell = cell;
    }
    if (flags & ATOMC_RANGE_BLOCK) {
        const struct basic_block *block = &rewrite->program->blocks[node / 2];
        stream_signed(stream, (int64_t)block->first - counting->last_instruction);
        stream_unsigned(stream, block->count);
        counting->last_instruction = block->first;
    }
}

static bool is_counted(const struct rewrite *rewrite, uint32_t block) {
    return rewrite->counting->blocks &&
           rewrite->counting->procedures[rewrite->program->blocks[block].procedure];
}

void range_start(struct rewrite *rewrite) {
    struct counting *counting = rewrite->counting;
    counting->ranges.count = 0;
    counting->last_address = rewrite->code->copies.address;
    counting->open = false;
    counting->last_node = counting->last_cell = counting->last_instruction = 0;
}

void range_procedure(struct rewrite *rewrite, uint32_t procedure) {
    struct counting *counting = rewrite->counting;
    bool counted = counting->procedures && counting->procedures[procedure];
    if (counted || counting->open)
        add_count_range(rewrite, code_address(&rewrite->code->copies), no_node, NO_INDEX, 0);
    counting->open = counted;
}

/* The block's own instructions begin here. A signal that arrives exactly here finds the block not entered
   yet, unless it is counted already; a fault of the first instruction arrives later. */
void range_body(struct rewrite *rewrite, uint32_t block, uint32_t slot) {
    if (!is_counted(rewrite, block) || slot == rewrite->program->blocks[block].first)
        return;
    add_count_range(rewrite, code_address(&rewrite->code->copies), global_end(block),
                    slot == NO_INDEX ? NO_INDEX : rewrite->counting->blocks[block].executed,
                    ATOMC_RANGE_BLOCK | ATOMC_RANGE_BOUNDARY);
}

void range_untaken(struct rewrite *rewrite, uint32_t block) {
    add_count_range(rewrite, code_address(&rewrite->code->copies), global_end(block), NO_INDEX, 0);
    promoted_note(rewrite, block);
}

void range_landing(struct rewrite *rewrite, uint32_t block, bool inside) {
    if (is_counted(rewrite, block))
        add_count_range(rewrite, code_address(&rewrite->code->copies), inside ? global_head(block) : no_node,
                        NO_INDEX, 0);
}

void range_behind(struct rewrite *rewrite, uint32_t block) {
    uint32_t address = code_address(&rewrite->code->copies);
    promoted_note(rewrite, block);
    if (block == NO_INDEX && rewrite->counting->open)
        add_count_range(rewrite, address, no_node, NO_INDEX, 0);
    else if (block != NO_INDEX && is_counted(rewrite, block))
        add_count_range(rewrite, address, global_end(block), NO_INDEX, ATOMC_RANGE_BLOCK);
}

/* ---- counts --------------------------------------------------------------------------------------------- */

/* Adds 1 to the cell, or to the register that holds its count in the block. Returns the address after the
   addition. */
static uint32_t emit_count(struct rewrite *rewrite, uint32_t block, uint32_t cell, uint32_t instruction,
                           register_set live) {
    static const struct site_expression one = {.op = PLAN_OP_INTEGER,
                                               .leaf = {.kind = SITE_CONSTANT, .constant = 1}};
    static const struct site_action by_one = {.cell_count = 1, .amount = &one};
    const struct site site = {.instruction = instruction,
                              .kind = PLAN_ACTION_UPDATE,
                              .action = &by_one,
                              .cell_base = cell,
                              .update = PLAN_UPDATE_ADD};
    const struct site *sites[] = {&site};
    const struct call_context context = {.instruction = instruction, .live = live, .taken = -1};
    struct code *code = &rewrite->code->copies;
    unsigned promoted = promoted_register(rewrite, block, cell);
    if (promoted != NO_INDEX) {
        machine_add_constant(code, promoted, 1, promoted);
        return code_address(code);
    }
    unsigned found[2];
    if (registers_of_thread_count(rewrite, live, found)) {
        rewrite->code->statistics.updates_made++;
        rewrite->code->statistics.updates_by_thread++;
        return emit_thread_add(rewrite, cell, (struct cell_amount){NO_REGISTER, 1}, found[1], found[0]);
    }
    uint32_t begin = code_position(code);
    calls_emit(rewrite, sites, 1, &context);
    return machine_after_update(code, begin);
}

uint32_t count_slot(const struct rewrite *rewrite, uint32_t block, const register_set *before,
                    uint32_t limit) {
    const struct basic_block *here = &rewrite->program->blocks[block];
    uint32_t best = NO_INDEX;
    const int enough = counts_by_thread(rewrite) ? 3 : 2;
    int most = -1;
    if (!rewrite->counting->blocks || rewrite->counting->blocks[block].executed == NO_INDEX)
        return NO_INDEX;
    bool promoted = promoted_register(rewrite, block, rewrite->counting->blocks[block].executed) != NO_INDEX;
    for (uint32_t k = 0; k < here->count && here->first + k <= limit && most < enough; k++) {
        int free_registers =
            __builtin_popcountll(count_registers(machine_registers(rewrite), before[k] | rewrite->observed));
        if (free_registers > 2)
            free_registers = 2;
        if (free_registers == 2 &&
            !((before[k] | rewrite->observed) & REGISTER_BIT(rewrite->machine->registers->result)))
            free_registers = enough;
        if (is_locked(rewrite->counting, here->first + k) || (free_registers <= most && best != NO_INDEX))
            continue;
        best = here->first + k;
        most = rewrite->options->without[WITHOUT_LIVENESS] || promoted ? enough : free_registers;
    }
    return best;
}

void count_arrivals(struct rewrite *rewrite, uint32_t block, register_set live) {
    if (!is_counted(rewrite, block))
        return;
    const struct block_counts *counts = &rewrite->counting->blocks[block];
    uint32_t first = rewrite->program->blocks[block].first;
    struct code *code = &rewrite->code->copies;
    bool outside = counts->outside != NO_INDEX && outside_in_line(rewrite->program, block);
    bool falls = block > 0 && falls_through(rewrite->program, block - 1);
    if (falls)
        live |= promoted_registers(rewrite, block - 1);
    promoted_note(rewrite, falls ? block - 1 : block);
    uint32_t begin = code_address(code), after = begin;
    if (outside) { /* control is outside until it is counted */
        add_count_range(rewrite, begin, no_node, NO_INDEX, 0);
        after = emit_count(rewrite, block, counts->outside, first, live);
    } else if (counts->through != NO_INDEX) {
        add_count_range(rewrite, begin, global_head(block), counts->through, 0);
        after = emit_count(rewrite, block, counts->through, first, live);
    }
    uint32_t passing = code_address(code);
    if (falls)
        promoted_pass(rewrite, block - 1, block, live);
    promoted_note(rewrite, block);
    rewrite->code->layout.map[first] = outside ? begin : code_address(code);
    rewrite->code->layout.inside[block] = code_position(code);
    if (after > passing)
        after = passing;
    add_count_range(rewrite, after, global_head(block), NO_INDEX, 0);
}

void count_executed(struct rewrite *rewrite, uint32_t block, register_set live) {
    uint32_t after = emit_count(rewrite, block, rewrite->counting->blocks[block].executed,
                                rewrite->program->blocks[block].first, live);
    add_count_range(rewrite, after, global_end(block), NO_INDEX, ATOMC_RANGE_BLOCK);
}

bool counts_taken(const struct rewrite *rewrite, uint32_t block) {
    const struct program *program = rewrite->program;
    if (!rewrite->counting->blocks)
        return false;
    uint32_t target = branch_target(program, block_last(&program->blocks[block]));
    return rewrite->counting->blocks[block].taken != NO_INDEX ||
           (target != NO_INDEX && promoted_changes(rewrite, block, block_at(program, target)));
}

void count_taken(struct rewrite *rewrite, uint32_t block, uint32_t target) {
    const struct program *program = rewrite->program;
    uint32_t to = block_at(program, target), cell = rewrite->counting->blocks[block].taken;
    register_set promoted = promoted_registers(rewrite, block) | promoted_registers(rewrite, to);
    bool inside = program->blocks[to].procedure == program->blocks[block].procedure;
    uint32_t node = inside ? global_head(to) : no_node;
    add_count_range(rewrite, code_address(&rewrite->code->copies), node, cell, 0);
    if (cell != NO_INDEX) {
        uint32_t after = emit_count(rewrite, block, cell, target, program->blocks[to].live_in | promoted);
        add_count_range(rewrite, after, node, NO_INDEX, 0);
    }
    promoted_pass(rewrite, block, to, program->blocks[to].live_in);
}

void count_leaving(struct rewrite *rewrite, uint32_t block, uint32_t target) {
    const struct program *program = rewrite->program;
    uint32_t to = block_at(program, target);
    if (promoted_changes(rewrite, block, to))
        promoted_pass(rewrite, block, to, program->blocks[to].live_in);
}

enum fixup_kind entry_kind(const struct rewrite *rewrite, uint32_t from_block) {
    const struct counting *counting = rewrite->counting;
    return counting->blocks && counting->facts[from_block] & SHARES ? FIXUP_INSIDE : FIXUP_OUTSIDE;
}

bool is_shared(const struct rewrite *rewrite, uint32_t block) {
    const struct counting *counting = rewrite->counting;
    return counting->blocks && counting->facts[block] & SHARED;
}

bool counts_entries(const struct rewrite *rewrite, uint32_t procedure) {
    return rewrite->counting->blocks && rewrite->counting->procedures[procedure];
}

void count_entries(struct rewrite *rewrite, uint32_t index) {
    const struct program *program = rewrite->program;
    const struct procedure *procedure = &program->procedures[index];
    struct code *code = &rewrite->code->copies;
    if (!counts_entries(rewrite, index))
        return;
    add_count_range(rewrite, code_address(code), no_node, NO_INDEX, 0);
    for (uint32_t b = procedure->first_block; b < procedure->first_block + procedure->block_count; b++) {
        const struct basic_block *block = &program->blocks[b];
        uint32_t cell = rewrite->counting->blocks[b].outside;
        if (cell == NO_INDEX || outside_in_line(program, b))
            continue;
        rewrite->code->layout.map[block->first] = code_address(code);
        uint32_t after = emit_count(rewrite, b, cell, block->first, block->live_in);
        add_count_range(rewrite, after, global_head(b), NO_INDEX, 0);
        emit_jump(rewrite, block->first, FIXUP_INSIDE);
        add_count_range(rewrite, code_address(code), no_node, NO_INDEX, 0);
    }
}
