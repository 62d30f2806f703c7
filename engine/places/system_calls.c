/* system_calls.c: Linux/Alpha's system calls: their names, and which one an instruction makes. */
#include "engine/places/internal.h"
#include "engine/cfg/cfg.h"

#include <stddef.h>

const char *system_call_name(int64_t number) {
    static const char *const names[] = {
#define SYSTEM_CALL(number, name, gate, private) [number] = #name,
#include "plan/system_calls.def"
#undef SYSTEM_CALL
    };
    const int64_t count = sizeof names / sizeof names[0];
    return number >= 0 && number < count ? names[number] : NULL;
}

int64_t system_call_number(const struct program *program, uint32_t instruction) {
    const struct basic_block *block = &program->blocks[block_at(program, instruction)];
    uint32_t i = instruction, word = program->text[i];
    if (alpha_decode(word)->format != ALPHA_FORMAT_PAL || alpha_pal_function(word) != ALPHA_PAL_CALLSYS)
        return -1;
    do {
        if (i == block->first)
            return -1;
        word = program->text[--i];
    } while (!(alpha_registers_written(word) >> ALPHA_V0 & 1));
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    if (descriptor->opcode_id == ALPHA_BISi && alpha_ra(word) == ALPHA_ZERO)
        return word >> 13 & 255;
    if (descriptor->opcode_id != ALPHA_LDA || alpha_rb(word) != ALPHA_ZERO)
        return -1;
    return alpha_memory_displacement(word);
}
