/* system_call_tables.c: Linux's system calls of each machine: their names and gates, and the system call that
   an instruction makes. */
#include <stddef.h>
#include <string.h>

#include "engine/cfg/cfg.h"
#include "engine/places/internal.h"
#include "plan/system_call_tables.h"

const char *system_call_name(const struct architecture *architecture, int64_t number) {
    const struct system_call *call = plan_system_call(architecture->machine, number);
    return call ? call->name : NULL;
}

unsigned system_call_gate(const struct architecture *architecture, int64_t number) {
    const struct system_call *call = plan_system_call(architecture->machine, number);
    return call ? call->gate : GATE_NONE;
}

bool is_system_call_named(const struct architecture *architecture, int64_t number, const char *name) {
    const char *known = system_call_name(architecture, number);
    return known && strcmp(known, name) == 0;
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
