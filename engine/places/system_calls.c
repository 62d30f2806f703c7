/* system_calls.c: Linux/Alpha's system calls: their names, and the system call that an instruction makes. */
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
    const struct facts *facts = facts_of(program, instruction);
    uint32_t i = instruction;
    if (facts->transfer != TRANSFER_SYSTEM_CALL)
        return -1;
    do {
        if (i == block->first)
            return -1;
        facts = facts_of(program, --i);
    } while (!(facts->written & set_of(program->architecture->registers.system_call_number)));
    int64_t value = constants_of(program, i).value;
    bool is_small = value >= INT16_MIN && value <= INT16_MAX;
    return facts->flags & FACT_CONSTANT && is_small ? value : -1;
}
