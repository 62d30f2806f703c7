/* blocks.c: leaders, basic blocks and edges.
   Requires a checked program. A superfluous leader only splits a block; a missing one would make counts at
   block heads wrong, so whatever looks like an address of text is taken for one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cfg/internal.h"

/* Bits that are never stored in a block: it follows an instruction that ends one; its address is in data
   other than the GOT, or computed. */
enum { LEADER_FOLLOWS = 256, LEADER_ESCAPES = 512 };

static uint16_t *leader(struct block_search *analysis, uint32_t instruction) {
    return &analysis->leaders[instruction];
}

void target_mark(struct block_search *analysis, const struct procedure *procedure, uint32_t target,
                 unsigned leaders) {
    bool inside = target - procedure->first < procedure->count;
    *leader(analysis, target) |= leaders | (inside ? 0 : LEADER_ALTERNATE_ENTRY);
}

void inner_symbol_mark(struct block_search *analysis, uint32_t instruction) {
    *leader(analysis, instruction) |= LEADER_ALTERNATE_ENTRY;
}

/* Branches, calls, and what ends a block. */
void direct_leaders_mark(struct block_search *analysis, const struct procedure *procedure) {
    const struct program *program = analysis->program;
    *leader(analysis, procedure->first) |= LEADER_PROCEDURE_ENTRY;
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        enum transfer transfer = transfer_of(program->text[i]);
        if (transfer == TRANSFER_NONE)
            continue;
        bool has_link = transfer == TRANSFER_CALL ||
                        (transfer == TRANSFER_BRANCH && alpha_ra(program->text[i]) != ALPHA_ZERO);
        if (i + 1 < program->instruction_count)
            *leader(analysis, i + 1) |= LEADER_FOLLOWS | (has_link ? LEADER_RETURN_POINT : 0);
        bool comes_back = has_link && transfer == TRANSFER_BRANCH && branch_target(program, i) != i + 1;
        if (comes_back && i + 1 < program->instruction_count)
            *leader(analysis, i + 1) |= LEADER_ADDRESS_TAKEN; /* no edge leads there */
        bool direct =
            transfer == TRANSFER_COND_BRANCH || transfer == TRANSFER_BRANCH ||
            (transfer == TRANSFER_CALL && alpha_decode(program->text[i])->format == ALPHA_FORMAT_BRANCH);
        uint32_t target = direct ? branch_target(program, i) : NO_INDEX;
        if (target == NO_INDEX)
            continue;
        bool inside = target - procedure->first < procedure->count;
        bool is_called = transfer == TRANSFER_CALL && inside; /* a part of the procedure, on no edge */
        target_mark(analysis, procedure, target,
                    LEADER_BRANCH_TARGET | (is_called ? LEADER_ADDRESS_TAKEN : 0));
    }
}

/* Every aligned 64-bit word of the file image outside of the text (in it too, where no section headers tell
   text from data) that holds the address of an instruction. */
void data_addresses_mark(struct block_search *analysis, const struct program *program) {
    uint64_t text_end = program->text_address + 4 * (uint64_t)program->own_count;
    uint64_t got = 0, got_size = 0;
    find_section(program, ".got", &got, &got_size);
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        const struct relocation *relocation = &program->relocations[i];
        uint32_t instruction = instruction_at(analysis->program, relocation->value);
        if (instruction != NO_INDEX)
            *leader(analysis, instruction) |=
                LEADER_ADDRESS_TAKEN | (relocation->address - got < got_size ? 0 : LEADER_ESCAPES);
    }
    if (program->base)
        return; /* no other word holds an address */
    bool skip_text = !program->text_has_more;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const struct segment *segment = &program->segments[i];
        uint64_t begin = (segment->address + 7) & ~UINT64_C(7), end = segment->address + segment->file_size;
        for (uint64_t address = begin; address < end && end - address >= 8; address += 8) {
            if (skip_text && address >= program->text_address && address < text_end) {
                address = (text_end - 8 + 7) & ~UINT64_C(7);
                continue;
            }
            uint64_t value;
            memcpy(&value, program->image + segment->file_offset + (address - segment->address), 8);
            value = le64toh(value);
            uint32_t instruction = instruction_at(program, value);
            if (instruction != NO_INDEX)
                *leader(analysis, instruction) |=
                    LEADER_ADDRESS_TAKEN | (address - got < got_size ? 0 : LEADER_ESCAPES);
        }
    }
}

/* What the user says: no jump that leads there must be found. */
void landings_mark(struct block_search *analysis) {
    const struct program *program = analysis->program;
    for (uint32_t i = 0; i < program->landing_count; i++) {
        uint32_t instruction = instruction_at(program, program->landings[i]);
        if (instruction == NO_INDEX) {
            char address[24];
            snprintf(address, sizeof address, "0x%" PRIx64, program->landings[i]);
            diagnose(analysis->diagnostics, NULL, MESSAGE_NO_LANDING, program->path, address);
        } else {
            *leader(analysis, instruction) |= LEADER_ADDRESS_TAKEN | LEADER_ESCAPES;
        }
    }
}

/* Addresses computed from $29, from $31, or from a link register: ldah/lda pairs in one line of code.
   Loosely, the last ldah of each register counts whatever else wrote the register since, for pairs that are
   apart and in any order of control; that makes some addresses up. */
static void mark_computed_with(struct block_search *analysis, const struct procedure *procedure, uint64_t gp,
                               bool loose) {
    const struct program *program = analysis->program;
    uint64_t high[32] = {0}, known = REGISTER_BIT(ALPHA_ZERO);
    if (gp) {
        high[ALPHA_GP] = gp;
        known |= REGISTER_BIT(ALPHA_GP);
    }
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        uint32_t word = program->text[i];
        bool is_high = ALPHA_IS(word, LDAH);
        unsigned ra = alpha_ra(word), rb = alpha_rb(word);
        bool is_link = (ALPHA_IS(word, BR) || ALPHA_IS(word, BSR) || ALPHA_IS_LIKE(word, JMP)) &&
                       ra != ALPHA_ZERO && ra != ALPHA_GP;
        bool is_sum =
            (ALPHA_IS(word, LDA) || is_high) && ra != ALPHA_GP && ra != ALPHA_ZERO && known >> rb & 1;
        uint64_t value = high[rb] + (int64_t)alpha_memory_displacement(word) * (is_high ? 65536 : 1);
        if (!loose && known & ~(REGISTER_BIT(ALPHA_GP) | REGISTER_BIT(ALPHA_ZERO)))
            known &= ~(alpha_registers_written(word) & INTEGER_REGISTERS) | REGISTER_BIT(ALPHA_GP) |
                     REGISTER_BIT(ALPHA_ZERO);
        if (is_link || (is_sum && is_high)) {
            high[ra] = is_link ? instruction_address(program, i + 1) : value;
            known |= REGISTER_BIT(ra);
        } else if (is_sum) {
            uint32_t instruction = instruction_at(program, value);
            bool inside = instruction != NO_INDEX && instruction - procedure->first < procedure->count;
            if (instruction != NO_INDEX && (inside || !loose))
                *leader(analysis, instruction) |= LEADER_ADDRESS_TAKEN | LEADER_ESCAPES;
        }
    }
}

void computed_addresses_mark(struct block_search *analysis, const struct procedure *procedure, bool loose) {
    if (procedure->gp || analysis->gp_count == 0)
        mark_computed_with(analysis, procedure, procedure->gp, loose);
    else
        for (size_t i = 0; i < analysis->gp_count; i++)
            mark_computed_with(analysis, procedure, analysis->gp_values[i], loose);
}

/* ---- blocks and edges -------------------------------------------------------------------------- */

static enum block_end block_end_at(const struct block_search *analysis, const struct procedure *procedure,
                                   uint32_t last, bool has_table) {
    const struct program *program = analysis->program;
    switch (transfer_of(program->text[last])) {
    case TRANSFER_COND_BRANCH:
        return END_COND_BRANCH;
    case TRANSFER_BRANCH: {
        uint32_t target = branch_target(program, last);
        bool inside = target != NO_INDEX && target - procedure->first < procedure->count;
        return inside ? END_BRANCH : END_TAIL_BRANCH;
    }
    case TRANSFER_CALL:
        return END_CALL;
    case TRANSFER_RETURN:
        return END_RETURN;
    case TRANSFER_JUMP:
        return has_table ? END_JUMP_TABLE : END_JUMP_UNKNOWN;
    case TRANSFER_SYSTEM_CALL:
        return END_SYSTEM_CALL;
    case TRANSFER_TRAP:
        return END_TRAP;
    default:
        return END_FALLTHROUGH;
    }
}

void blocks_build(struct block_search *analysis) {
    struct program *program = analysis->program;
    uint32_t count = 0, block = 0;
    size_t table = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++)
        count += analysis->leaders[i] != 0;
    program->blocks = arena_allocate(program->flow, count * sizeof *program->blocks);
    program->block_count = count;
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        struct procedure *procedure = &program->procedures[p];
        uint32_t end = procedure->first + procedure->count;
        procedure->first_block = block;
        procedure->escapes = analysis->leaders[procedure->first] & LEADER_ESCAPES;
        procedure->address_taken = analysis->leaders[procedure->first] & LEADER_ADDRESS_TAKEN;
        for (uint32_t first = procedure->first, next; first < end; first = next) {
            for (next = first + 1; next < end && !analysis->leaders[next]; next++)
                ;
            while (table < analysis->table_count && analysis->tables[table].instruction < next - 1)
                table++;
            bool has_table = table < analysis->table_count && analysis->tables[table].instruction == next - 1;
            program->blocks[block++] = (struct basic_block){
                .first = first,
                .count = next - first,
                .procedure = p,
                .leaders = analysis->leaders[first] & 255,
                .end = block_end_at(analysis, procedure, next - 1, has_table),
                .live_in = ~UINT64_C(0),
                .live_out = ~UINT64_C(0),
                .loop = NO_INDEX,
            };
            procedure->lost_jump |= analysis->leaders[first] & LEADER_UNKNOWN_JUMP;
        }
        procedure->block_count = block - procedure->first_block;
    }
    block_starts_make(program);
}

/* A procedure whose GOT slot is loaded escapes, unless a jump through $27 that call_target() resolves uses it
   up in the same block. */
static void mark_loaded(struct program *program, const struct basic_block *block) {
    const struct procedure *procedure = &program->procedures[block->procedure];
    uint32_t pending = NO_INDEX, last = block_last(block);
    for (uint32_t i = block->first; i <= last; i++) {
        uint32_t word = program->text[i];
        if (!ALPHA_IS(word, LDQ) || alpha_rb(word) != ALPHA_GP)
            continue;
        uint32_t target = got_target(program, procedure->gp, alpha_memory_displacement(word));
        uint32_t escaping = alpha_ra(word) == ALPHA_PV ? pending : target;
        if (alpha_ra(word) == ALPHA_PV)
            pending = target;
        if (escaping != NO_INDEX)
            program->procedures[procedure_at(program, escaping)].escapes = true;
    }
    bool used = (block->end == END_CALL || block->end == END_JUMP_UNKNOWN) &&
                alpha_rb(program->text[last]) == ALPHA_PV;
    if (pending != NO_INDEX &&
        !(used && indirect_target(program, procedure->gp, block->first, last) == pending))
        program->procedures[procedure_at(program, pending)].escapes = true;
}

/* Where $29 is not known, every address in the GOT may be called. */
void escapes_find(struct program *program) {
    bool all = false;
    for (uint32_t i = 0; i < program->block_count; i++) {
        all |= program->procedures[program->blocks[i].procedure].gp == 0;
        mark_loaded(program, &program->blocks[i]);
    }
    for (uint32_t i = 0; all && i < program->procedure_count; i++)
        program->procedures[i].escapes |= program->procedures[i].address_taken;
}

struct edge_list {
    struct program *program;
    size_t capacity;
};
static void add_flow_edge(struct edge_list *list, uint32_t from, uint32_t to, enum edge_kind kind) {
    struct program *program = list->program;
    ARENA_RESERVE(program->flow, program->edges, program->edge_count, list->capacity);
    program->edges[program->edge_count++] = (struct edge){from, to, kind};
    program->blocks[from].successor_count++;
    program->blocks[to].predecessor_count++;
}

static int compare_indices(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void add_table_edges(struct block_search *analysis, struct edge_list *list, uint32_t from,
                            const struct jump_table *table) {
    uint32_t *targets = analysis->targets + table->first_target;
    qsort(targets, table->target_count, sizeof *targets, compare_indices);
    for (uint32_t i = 0; i < table->target_count; i++)
        if (i == 0 || targets[i] != targets[i - 1])
            add_flow_edge(list, from, block_at(analysis->program, targets[i]), EDGE_TABLE);
}

void edges_build(struct block_search *analysis) {
    struct program *program = analysis->program;
    struct edge_list list = {program, 0};
    size_t table = 0;
    for (uint32_t i = 0; i < program->block_count; i++) {
        struct basic_block *block = &program->blocks[i];
        const struct procedure *procedure = &program->procedures[block->procedure];
        uint32_t last = block_last(block);
        block->first_successor = program->edge_count;
        bool falls = block->end != END_BRANCH && block->end != END_TAIL_BRANCH && block->end != END_RETURN &&
                     block->end != END_JUMP_TABLE && block->end != END_JUMP_UNKNOWN;
        if (falls && i + 1 < program->block_count &&
            object_holding(program, last) == object_holding(program, last + 1))
            add_flow_edge(&list, i, i + 1, EDGE_FALLTHROUGH);
        if (block->end == END_COND_BRANCH || block->end == END_BRANCH) {
            uint32_t target = branch_target(program, last);
            if (target != NO_INDEX && target - procedure->first < procedure->count)
                add_flow_edge(&list, i, block_at(program, target), EDGE_TAKEN);
        }
        if (block->end == END_JUMP_TABLE) {
            while (analysis->tables[table].instruction != last)
                table++;
            add_table_edges(analysis, &list, i, &analysis->tables[table]);
        }
    }
}

void incoming_build(struct program *program) {
    struct arena_mark mark = arena_mark(program->scratch);
    uint32_t next = 0,
             *filled = arena_allocate(program->scratch, ((size_t)program->block_count + 1) * sizeof *filled);
    program->incoming =
        arena_allocate(program->flow, ((size_t)program->edge_count + 1) * sizeof *program->incoming);
    for (uint32_t i = 0; i < program->block_count; i++) {
        program->blocks[i].first_predecessor = next;
        next += program->blocks[i].predecessor_count;
    }
    for (uint32_t i = 0; i < program->edge_count; i++) {
        uint32_t to = program->edges[i].to;
        program->incoming[program->blocks[to].first_predecessor + filled[to]++] = i;
    }
    arena_release(program->scratch, mark);
}

uint32_t call_target(const struct program *program, uint32_t instruction, uint32_t *entry_offset) {
    uint32_t word = program->text[instruction], target = NO_INDEX;
    uint32_t block = block_at(program, instruction);
    enum transfer transfer = transfer_of(word);
    if (alpha_decode(word)->format == ALPHA_FORMAT_BRANCH) {
        if (transfer == TRANSFER_CALL || transfer == TRANSFER_BRANCH)
            target = branch_target(program, instruction);
    } else if (transfer == TRANSFER_CALL || transfer == TRANSFER_JUMP) {
        uint64_t gp = program->procedures[program->blocks[block].procedure].gp;
        target = indirect_target(program, gp, program->blocks[block].first, instruction);
    }
    if (target == NO_INDEX)
        return NO_INDEX;
    uint32_t procedure = procedure_at(program, target);
    if (entry_offset)
        *entry_offset = target - program->procedures[procedure].first;
    return procedure;
}

unsigned procedure_link(const struct program *program, uint32_t procedure) {
    const struct procedure *at = &program->procedures[procedure];
    for (uint32_t b = at->first_block; b < at->first_block + at->block_count; b++) {
        uint32_t word = program->text[block_last(&program->blocks[b])];
        if (alpha_decode(word)->flags & ALPHA_RETURN && alpha_rb(word) != ALPHA_RA)
            return alpha_rb(word);
    }
    return ALPHA_RA;
}
