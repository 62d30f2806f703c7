/* locked.c: sequences in which no code may be inserted: from a load-locked to its store-conditional; and
   where a program still reads a frame that $30 has left. */
#include "engine/dataflow/internal.h"
#include "engine/rewrite.h"

/* From ldx_l to the next stx_c is straight-line code; branches out of it are allowed. The architecture
   requires short sequences (Alpha Architecture Reference Manual, 4.2.4); compilers' are below 20. */
#define LONGEST_SEQUENCE 64

/* True if the address is that of a global variable, loaded in the block. */
static bool is_global(const struct program *program, uint32_t first, uint32_t load) {
    const unsigned loads_address = FACT_LOAD | FACT_WHOLE_REGISTER;
    const register_set base = set_of(facts_of(program, load)->memory[0].base);
    for (uint32_t i = load; i-- > first;) {
        const struct facts *facts = facts_of(program, i);
        if (facts->written & base)
            return (facts->flags & loads_address) == loads_address && !(facts->flags & FACT_FLOAT) &&
                   facts->memory[0].base == program->architecture->registers.data_base;
    }
    return false;
}

/* GCC still reads from a frame that $30 has left: after a goto out of a nested function, which loads $30
   from memory and $15 from the old frame; and at the end of a procedure with alloca() or variable-length
   arrays, which reads them after mov $15,$30. A frame of inserted code below $30 would be read instead. */
static uint32_t left_frame_end(const struct program *program, uint32_t instruction) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const struct facts *facts = facts_of(program, instruction);
    const struct memory_operand *memory = &facts->memory[0];
    uint32_t end = NO_INDEX;
    bool from_memory = facts->flags & FACT_LOAD && facts->flags & FACT_WHOLE_REGISTER &&
                       memory->data == registers->stack && memory->base != registers->stack &&
                       memory->base != registers->frame; /* from its own frame, which has grown */
    bool moved = facts->flags & FACT_MOVE && facts->operand[2] == registers->stack &&
                 facts->operand[1] == registers->frame;
    if (!program->frames_on_its_stack || !(from_memory || moved))
        return NO_INDEX;
    for (uint32_t i = instruction + 1; i < program->instruction_count && i - instruction < LONGEST_SEQUENCE;
         i++) {
        const struct facts *next = facts_of(program, i);
        unsigned base = next->memory[0].base;
        const struct basic_block *block = &program->blocks[block_at(program, i)];
        if (block->first == i &&
            is_entered_besides_unknown_jump(block->leaders)) /* control may arrive there from elsewhere */
            break;
        if (branches_or_jumps(next) || next->flags & (FACT_EXCLUSIVE_BEGIN | FACT_EXCLUSIVE_END) ||
            next->class == CLASS_PAL || next->class == CLASS_UNKNOWN)
            break;
        if (next->flags & FACT_LOAD &&
            (from_memory
                 ? base == registers->frame
                 : base != registers->frame && base != registers->stack && base != registers->data_base &&
                       !is_global(program,
                                  instruction < LONGEST_SEQUENCE ? 0 : instruction - LONGEST_SEQUENCE, i)))
            end = i;
        if (next->written & set_of(from_memory ? registers->frame : registers->stack))
            break;
    }
    return end;
}

uint32_t locked_sequence_end(const struct program *program, uint32_t instruction) {
    if (!(facts_of(program, instruction)->flags & FACT_EXCLUSIVE_BEGIN))
        return left_frame_end(program, instruction);
    for (uint32_t i = instruction + 1; i < program->instruction_count && i - instruction < LONGEST_SEQUENCE;
         i++) {
        const struct facts *next = facts_of(program, i);
        if (next->flags & (FACT_EXCLUSIVE_BEGIN | FACT_EXCLUSIVE_END))
            return next->flags & FACT_EXCLUSIVE_END ? i : NO_INDEX;
        if ((branches_or_jumps(next) && next->transfer != TRANSFER_COND_BRANCH) || next->class == CLASS_PAL ||
            next->class == CLASS_UNKNOWN)
            return NO_INDEX;
    }
    return NO_INDEX;
}
