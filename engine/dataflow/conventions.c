/* conventions.c: the call graph, and the effects of each procedure on its callers: whether it returns, which
   registers it may change, which registers it saves and restores. Requires blocks and edges; liveness.c uses
   it.
 */
#include <string.h>

#include "engine/dataflow/internal.h"

/* ---- known targets ------------------------------------------------------------------------------ */

static uint32_t far_target(const struct program *program, uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    const struct procedure *procedure = &program->procedures[block->procedure];
    uint32_t last = block_last(block), target = NO_INDEX;
    if (block->end == END_CALL || block->end == END_TAIL_BRANCH || block->end == END_JUMP_UNKNOWN) {
        uint32_t offset, callee = call_target(program, last, &offset);
        target = callee == NO_INDEX ? NO_INDEX : program->procedures[callee].first + offset;
    } else if (block->end == END_BRANCH && facts_of(program, last)->link != REGISTER_NONE) {
        target = branch_target(program, last);
        if (target == last + 1)
            target = NO_INDEX; /* the procedure reads its own address */
    } else if (block->end == END_COND_BRANCH) {
        target = branch_target(program, last);
        if (target != NO_INDEX && target - procedure->first < procedure->count)
            target = NO_INDEX; /* the transfer is an edge */
    }
    uint32_t far = target == NO_INDEX ? NO_INDEX : block_at(program, target);
    return far != NO_INDEX && program->blocks[far].first == target ? far : NO_INDEX;
}

static void add_dependent(struct conventions *conventions, uint32_t on, uint32_t procedure, uint32_t *last,
                          bool counting) {
    if (last[on] == procedure || on == procedure)
        return;
    last[on] = procedure;
    if (counting)
        conventions->first_dependent[on + 1]++;
    else
        conventions->dependents[conventions->first_dependent[on]++] = procedure;
}
static void each_dependence(struct conventions *conventions, uint32_t *last, bool counting) {
    const struct program *program = conventions->program;
    memset(last, 0xff, program->procedure_count * sizeof *last);
    for (uint32_t i = 0; i < program->block_count; i++) {
        const struct basic_block *block = &program->blocks[i];
        if (conventions->far[i] != NO_INDEX)
            add_dependent(conventions, program->blocks[conventions->far[i]].procedure, block->procedure, last,
                          counting);
        for (uint32_t e = 0; e < block->successor_count; e++)
            add_dependent(conventions,
                          program->blocks[program->edges[block->first_successor + e].to].procedure,
                          block->procedure, last, counting);
    }
}
static void find_dependents(struct conventions *conventions) {
    uint32_t count = conventions->program->procedure_count;
    struct arena *scratch = conventions->program->scratch;
    uint32_t *last = arena_allocate(scratch, count * sizeof *last);
    conventions->first_dependent =
        arena_allocate(scratch, ((size_t)count + 2) * sizeof *conventions->first_dependent);
    each_dependence(conventions, last, true);
    for (uint32_t i = 0; i < count; i++)
        conventions->first_dependent[i + 1] += conventions->first_dependent[i];
    conventions->dependents = arena_allocate(scratch, ((size_t)conventions->first_dependent[count] + 1) *
                                                          sizeof *conventions->dependents);
    each_dependence(conventions, last, false); /* moves each first_dependent to its end */
    memmove(conventions->first_dependent + 1, conventions->first_dependent,
            count * sizeof *conventions->first_dependent);
    conventions->first_dependent[0] = 0;
}

void enqueue_dependents(struct conventions *conventions, uint32_t procedure) {
    for (uint32_t i = conventions->first_dependent[procedure];
         i < conventions->first_dependent[procedure + 1]; i++)
        enqueue_procedure(&conventions->queue, conventions->dependents[i]);
}

/* ---- procedures that never return ----------------------------------------------------------------- */

static bool *may_return(const struct conventions *conventions, uint32_t procedure) {
    struct procedure_facts *facts = &conventions->facts[procedure];
    return conventions->as_compiled ? &facts->comes_back : &facts->may_return;
}

bool call_returns(const struct conventions *conventions, uint32_t block) {
    uint32_t far = conventions->far[block];
    return far == NO_INDEX || *may_return(conventions, conventions->program->blocks[far].procedure);
}

bool ends_for_good(const struct program *program, uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    const struct procedure *procedure = &program->procedures[block->procedure];
    bool is_last = block->first + block->count == procedure->first + procedure->count;
    const struct text_symbol *symbol = is_last ? symbol_at(program, procedure->first) : NULL;
    if (!symbol || !symbol->count)
        is_last = false; /* its end is a guess */
    bool is_padding = block->end == END_FALLTHROUGH;
    for (uint32_t i = block->first; is_last && is_padding && i < block->first + block->count; i++) {
        const struct facts *facts = facts_of(program, i);
        is_padding =
            !needed_written(facts) && !(needed_read(facts) & ~set_of(program->architecture->registers.stack));
    }
    return block->end == END_TRAP ? (facts_of(program, block_last(block))->flags & FACT_HALTS) != 0
                                  : is_last && (block->end == END_CALL || is_padding);
}

static bool block_returns(const struct conventions *conventions, uint32_t index) {
    const struct program *program = conventions->program;
    const struct basic_block *block = &program->blocks[index];
    uint32_t far = conventions->far[index];
    if (block->end == END_RETURN)
        return true;
    if (block->end == END_TAIL_BRANCH || block->end == END_JUMP_UNKNOWN)
        return far == NO_INDEX || *may_return(conventions, program->blocks[far].procedure);
    if (block->end == END_CALL)
        return false;
    return far != NO_INDEX && *may_return(conventions, program->blocks[far].procedure);
}

/* Follows the procedure from its entries to a return, or into another procedure that may return. */
static bool reaches_return(const struct conventions *conventions, uint32_t index, uint32_t *stack,
                           uint8_t *seen) {
    const struct program *program = conventions->program;
    const struct procedure *procedure = &program->procedures[index];
    uint32_t depth = 0;
    memset(seen + procedure->first_block, 0, procedure->block_count);
    for (uint32_t i = procedure->first_block; i < procedure->first_block + procedure->block_count; i++)
        if (has_unseen_predecessor(program->blocks[i].leaders)) {
            seen[i] = 1;
            stack[depth++] = i;
        }
    while (depth) {
        uint32_t at = stack[--depth];
        const struct basic_block *block = &program->blocks[at];
        if (block_returns(conventions, at))
            return true;
        if (conventions->as_compiled && ends_for_good(program, at))
            continue;
        if (block->end == END_CALL && !call_returns(conventions, at))
            continue;
        for (uint32_t e = 0; e < block->successor_count; e++) {
            uint32_t to = program->edges[block->first_successor + e].to;
            if (program->blocks[to].procedure != index) {
                if (*may_return(conventions, program->blocks[to].procedure))
                    return true;
            } else if (!seen[to]) {
                seen[to] = 1;
                stack[depth++] = to;
            }
        }
    }
    return false;
}

static void find_returning(struct conventions *conventions) {
    const struct program *program = conventions->program;
    uint32_t *stack = arena_allocate(program->scratch, program->block_count * sizeof *stack);
    uint8_t *seen = arena_allocate(program->scratch, program->block_count);
    enqueue_all_procedures(&conventions->queue);
    for (uint32_t procedure; dequeue_procedure(&conventions->queue, &procedure);) {
        bool *returns = may_return(conventions, procedure);
        if (*returns || !reaches_return(conventions, procedure, stack, seen))
            continue;
        *returns = true;
        enqueue_dependents(conventions, procedure);
    }
}

/* ---- registers changed ------------------------------------------------------------------------------ */

/* Stack slots in which a procedure stores a register relative to $30; a register reloaded from its slot is
   restored. */
enum { SAVE_PLACES = 4 };
struct save_places {
    int32_t offset[64][SAVE_PLACES];
    uint8_t count[64];
};

/* True if the instruction is of that kind, and moves a whole register to or from a place relative to `base`.
 */
static bool moves_whole(const struct facts *facts, unsigned kind, unsigned base) {
    kind |= FACT_WHOLE_REGISTER;
    return (facts->flags & kind) == kind && facts->memory[0].base == base;
}

register_set stored_in_frame(const struct program *program, const struct facts *facts) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    bool stores =
        moves_whole(facts, FACT_STORE, registers->stack) || moves_whole(facts, FACT_STORE, registers->frame);
    return stores ? set_of(facts->memory[0].data) : 0;
}
static register_set loaded_from_stack(const struct program *program, const struct facts *facts) {
    bool loads = moves_whole(facts, FACT_LOAD, program->architecture->registers.stack);
    return loads ? set_of(facts->memory[0].data) : 0;
}

/* True if the procedure begins by storing its last arguments consecutively, because it does not know their
   number. */
static bool stores_arguments(const struct program *program, const struct procedure *procedure) {
    const struct basic_block *block = &program->blocks[procedure->first_block];
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const unsigned before = registers->arguments_in_registers - 2u;
    int32_t integers[2] = {0, 0}, floating[2] = {0, 0};
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const struct facts *facts = facts_of(program, i);
        if (!stored_in_frame(program, facts))
            continue;
        unsigned integer = facts->memory[0].data - (registers->first_argument + before);
        unsigned floating_number = facts->memory[0].data - (registers->first_float_argument + before);
        if (integer < 2)
            integers[integer] = constants_of(program, i).displacement;
        if (floating_number < 2)
            floating[floating_number] = constants_of(program, i).displacement;
    }
    return integers[1] == integers[0] + 8 || floating[1] == floating[0] + 8;
}

/* Among the registers that the procedure restores: registers that it restores before it returns, not to
   compute with them; and arguments that it may not have. */
static register_set find_saved(const struct program *program, const struct procedure *procedure,
                               register_set restores) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    register_set computed = 0;
    for (uint32_t b = procedure->first_block; b < procedure->first_block + procedure->block_count; b++) {
        const struct basic_block *block = &program->blocks[b];
        register_set loaded = 0;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const struct facts *facts = facts_of(program, i);
            computed |= loaded & needed_read(facts);
            loaded |= loaded_from_stack(program, facts);
        }
        computed |= block->end == END_RETURN ? 0 : loaded;
    }
    return (restores & ~computed) |
           (stores_arguments(program, procedure) ? registers->arguments | registers->float_arguments : 0);
}

static void find_changed(const struct program *program, uint32_t index, const register_set *writes,
                         struct procedure_facts *facts) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const struct procedure *procedure = &program->procedures[index];
    struct save_places saves;
    memset(saves.count, 0, sizeof saves.count);
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        const struct facts *access = facts_of(program, i);
        const struct memory_operand *memory = &access->memory[0];
        if (!access->memory_count || memory->base != registers->stack || memory->size != 8 ||
            memory->data >= 64)
            continue;
        unsigned reg = memory->data;
        int32_t offset = constants_of(program, i).displacement;
        if (access->flags & FACT_STORE) {
            if (saves.count[reg] < SAVE_PLACES)
                saves.offset[reg][saves.count[reg]++] = offset;
        } else {
            for (unsigned k = 0; k < saves.count[reg]; k++)
                if (saves.offset[reg][k] == offset)
                    facts->restores |= REGISTER_BIT(reg);
        }
    }
    for (uint32_t b = procedure->first_block; b < procedure->first_block + procedure->block_count; b++)
        facts->changes |= writes[b];
    facts->changes &= ~(facts->restores | registers->callee_saved);
    facts->saves = find_saved(program, procedure, facts->restores);
}

/* Adds the effects of the block's known destinations; procedures that it continues in, unlike calls, return
   in its place. */
static void add_destinations(const struct conventions *conventions, uint32_t index,
                             struct procedure_facts *facts) {
    const struct program *program = conventions->program;
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const struct basic_block *block = &program->blocks[index];
    uint32_t far = conventions->far[index];
    if (block_is_unreached(block))
        return;
    if (block->end == END_RETURN)
        facts->links |= (uint32_t)REGISTER_BIT(facts_of(program, block_last(block))->target);
    if (far != NO_INDEX) {
        const struct procedure_facts *other = &conventions->facts[program->blocks[far].procedure];
        facts->changes |= other->changes;
        facts->roughly |= other->roughly;
        if (block->end != END_CALL)
            facts->links |= other->links;
    } else if (block->end == END_CALL || block->end == END_JUMP_UNKNOWN) {
        facts->changes |= ~(registers->callee_saved | set_of(registers->data_base));
        facts->roughly = true;
        if (block->end == END_JUMP_UNKNOWN)
            facts->links |= (uint32_t)set_of(registers->link);
    }
    for (uint32_t e = 0; e < block->successor_count; e++) {
        uint32_t to = program->blocks[program->edges[block->first_successor + e].to].procedure;
        if (to != block->procedure && (block->end != END_CALL || call_returns(conventions, index))) {
            facts->changes |= conventions->facts[to].changes;
            facts->roughly |= conventions->facts[to].roughly;
            facts->links |= conventions->facts[to].links;
        }
    }
}

static void find_changed_registers(struct conventions *conventions, const register_set *writes) {
    const struct program *program = conventions->program;
    for (uint32_t i = program->procedure_count; i-- > 0;) {
        find_changed(program, i, writes, &conventions->facts[i]);
    }
    enqueue_all_procedures(&conventions->queue);
    for (uint32_t procedure; dequeue_procedure(&conventions->queue, &procedure);) {
        const struct procedure *range = &program->procedures[procedure];
        struct procedure_facts *facts = &conventions->facts[procedure];
        register_set changes = facts->changes;
        uint32_t links = facts->links;
        bool roughly = facts->roughly;
        for (uint32_t i = range->first_block; i < range->first_block + range->block_count; i++)
            add_destinations(conventions, i, facts);
        facts->changes &= ~(facts->restores | program->architecture->registers.callee_saved);
        if (changes == facts->changes && links == facts->links && roughly == facts->roughly)
            continue;
        enqueue_dependents(conventions, procedure);
    }
}

/* ---- registers overwritten ---------------------------------------------------------------------------- */

/* Registers that are overwritten on each path from the end of the block to a return. */
static register_set overwritten_behind(const struct conventions *conventions, uint32_t index) {
    const struct program *program = conventions->program;
    const struct basic_block *block = &program->blocks[index];
    const register_set *overwritten = conventions->overwritten;
    uint32_t far = conventions->far[index];
    const register_set everything = program->architecture->registers.all;
    register_set in_callee = far == NO_INDEX ? 0 : overwritten[far], all = everything;
    if (block->end == END_RETURN)
        return 0;
    if (block->end == END_TAIL_BRANCH || block->end == END_JUMP_UNKNOWN)
        return in_callee;
    if (block->end == END_CALL && !call_returns(conventions, index))
        return everything;
    for (uint32_t e = 0; e < block->successor_count; e++)
        all &= overwritten[program->edges[block->first_successor + e].to];
    if (block->end == END_CALL)
        return (block->successor_count ? all : 0) | in_callee;
    return far == NO_INDEX ? block->successor_count ? all : 0 : all & in_callee;
}

/* Iterates downwards: a register counts as overwritten unless some path is shown to leave it unchanged. */
static void find_overwritten(struct conventions *conventions, const register_set *writes) {
    const struct program *program = conventions->program;
    memset(conventions->overwritten, 0xff, program->block_count * sizeof *conventions->overwritten);
    enqueue_all_procedures(&conventions->queue);
    for (uint32_t index; dequeue_procedure(&conventions->queue, &index);) {
        const struct procedure *procedure = &program->procedures[index];
        register_set restores = conventions->facts[index].restores;
        bool changed = false;
        for (bool again = true; again;) {
            again = false;
            for (uint32_t i = procedure->first_block + procedure->block_count;
                 i-- > procedure->first_block;) {
                register_set all = (writes[i] | overwritten_behind(conventions, i)) & ~restores;
                again |= all != conventions->overwritten[i];
                conventions->overwritten[i] = all;
            }
            changed |= again;
        }
        if (changed)
            enqueue_dependents(conventions, index);
    }
}

void conventions_find(struct conventions *conventions, struct program *program, const register_set *writes) {
    *conventions = (struct conventions){.program = program};
    size_t blocks = program->block_count, procedures = program->procedure_count;
    conventions->far = arena_allocate(program->scratch, blocks * sizeof *conventions->far);
    conventions->facts = arena_allocate(program->scratch, procedures * sizeof *conventions->facts);
    conventions->overwritten = arena_allocate(program->scratch, blocks * sizeof *conventions->overwritten);
    for (uint32_t i = 0; i < program->block_count; i++)
        conventions->far[i] = far_target(program, i);
    find_dependents(conventions);
    procedure_queue_make(&conventions->queue, program->procedure_count, conventions->dependents,
                         conventions->first_dependent, program->scratch);
    conventions->as_compiled = true;
    find_returning(conventions);
    conventions->as_compiled = false;
    find_returning(conventions);
    find_changed_registers(conventions, writes);
    find_overwritten(conventions, writes);
}
