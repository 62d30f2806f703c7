/* locked.c: sequences in which no code may be inserted: from a load-locked to its store-conditional, and
   where a program still reads a frame that $30 has left. */
#include "engine/dataflow/internal.h"
#include "engine/rewrite.h"

/* From ldx_l to the next stx_c is straight-line code; branches out of it are allowed. The architecture
   requires short sequences (Alpha Architecture Reference Manual, 4.2.4); compilers' are below 20. */
#define LONGEST_SEQUENCE 64

enum { FRAME_POINTER = 15, GLOBAL_POINTER = 29 };

/* True if the address is that of a global variable, loaded in the block. */
static bool is_global(const struct program *program, uint32_t first, uint32_t load) {
    unsigned base = alpha_rb(program->text[load]);
    for (uint32_t i = load; i-- > first;)
        if (alpha_registers_written(program->text[i]) & REGISTER_BIT(base))
            return ALPHA_IS(program->text[i], LDQ) && alpha_rb(program->text[i]) == GLOBAL_POINTER;
    return false;
}

/* GCC still reads from a frame that $30 has left: after a goto out of a nested function, which loads $30
   from memory and $15 from the old frame; and at the end of a procedure with alloca() or variable-length
   arrays, which reads them after mov $15,$30. A frame of inserted code below $30 would be read instead. */
static uint32_t left_frame_end(const struct program *program, uint32_t instruction) {
    uint32_t word = program->text[instruction], end = NO_INDEX;
    bool from_memory = ALPHA_IS(word, LDQ) && alpha_ra(word) == ALPHA_SP && alpha_rb(word) != ALPHA_SP &&
                       alpha_rb(word) != FRAME_POINTER; /* from its own frame, which has grown */
    bool moved = ALPHA_IS(word, BISr) && alpha_rc(word) == ALPHA_SP && alpha_rb(word) == FRAME_POINTER;
    if (!program->frames_on_its_stack || !(from_memory || moved))
        return NO_INDEX;
    for (uint32_t i = instruction + 1; i < program->instruction_count && i - instruction < LONGEST_SEQUENCE;
         i++) {
        const struct alpha_descriptor *next = alpha_decode(program->text[i]);
        unsigned base = alpha_rb(program->text[i]);
        const struct basic_block *block = &program->blocks[block_at(program, i)];
        if (block->first == i &&
            is_entered_besides_unknown_jump(block->leaders)) /* control may arrive there from elsewhere */
            break;
        if (next->flags &
                (ALPHA_COND_BRANCH | ALPHA_UNCOND_BRANCH | ALPHA_CALL | ALPHA_INDIRECT | ALPHA_LOCKED) ||
            next->class == CLASS_PAL || next->class == CLASS_UNKNOWN)
            break;
        if (next->flags & ALPHA_LOAD &&
            (from_memory
                 ? base == FRAME_POINTER
                 : base != FRAME_POINTER && base != ALPHA_SP && base != GLOBAL_POINTER &&
                       !is_global(program,
                                  instruction < LONGEST_SEQUENCE ? 0 : instruction - LONGEST_SEQUENCE, i)))
            end = i;
        if (alpha_registers_written(program->text[i]) & REGISTER_BIT(from_memory ? FRAME_POINTER : ALPHA_SP))
            break;
    }
    return end;
}

uint32_t locked_sequence_end(const struct program *program, uint32_t instruction) {
    const struct alpha_descriptor *first = alpha_decode(program->text[instruction]);
    if ((first->flags & (ALPHA_LOCKED | ALPHA_LOAD)) != (ALPHA_LOCKED | ALPHA_LOAD))
        return left_frame_end(program, instruction);
    for (uint32_t i = instruction + 1; i < program->instruction_count && i - instruction < LONGEST_SEQUENCE;
         i++) {
        const struct alpha_descriptor *next = alpha_decode(program->text[i]);
        if (next->flags & ALPHA_LOCKED)
            return next->flags & ALPHA_STORE ? i : NO_INDEX;
        if (next->flags & (ALPHA_UNCOND_BRANCH | ALPHA_CALL | ALPHA_INDIRECT) || next->class == CLASS_PAL ||
            next->class == CLASS_UNKNOWN)
            return NO_INDEX;
    }
    return NO_INDEX;
}
