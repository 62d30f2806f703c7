/* shape.c: digests of procedures that identify a procedure in another build, in which it and its references
   have other addresses. They omit displacements of branches that leave the procedure, hints of jumps,
   distances from the data base, and padding. Requires procedures. */
#include <sha2.h>
#include <string.h>

#include "engine/cfg/internal.h"

static bool goes_outside(const struct program *program, const struct procedure *procedure,
                         uint32_t instruction) {
    uint32_t target = branch_target(program, instruction);
    return target == NO_INDEX || target - procedure->first >= procedure->count;
}

/* The word with zeros in place of addresses; *global: the registers that hold, in text order, the data base
   plus a part of an address. */
static uint32_t without_addresses(const struct program *program, const struct procedure *procedure,
                                  uint32_t instruction, register_set *global) {
    const unsigned data_base = program->architecture->registers.data_base;
    const struct facts *facts = facts_of(program, instruction);
    uint32_t word = program->text[instruction];
    bool is_high = facts->flags & FACT_HIGH_PART, is_global = false, is_address = false;
    if (facts->flags & FACT_INDIRECT) {
        is_address = true; /* a hint */
    } else if (branches_or_jumps(facts)) {
        is_address = goes_outside(program, procedure, instruction);
    } else if (facts->flags & FACT_PC_RELATIVE) {
        is_global = is_address = true;
    } else if (facts->memory_count || adds_constant(facts)) {
        unsigned base = facts->memory_count ? facts->memory[0].base : facts->operand[1];
        is_global = *global & set_of(base) || (is_high && facts->operand[0] == data_base);
        is_address = is_global;
    }
    *global = is_global && is_high ? *global | facts->written : *global & ~facts->written;
    *global |= set_of(data_base);
    return is_address ? word & ~program->architecture->constant_bits(word) : word;
}

void procedure_shape(const struct program *program, uint32_t index, uint8_t shape[SHAPE_BYTES]) {
    const struct procedure *procedure = &program->procedures[index];
    register_set global = set_of(program->architecture->registers.data_base);
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX state;
    uint32_t count = procedure->count;
    while (count > 0 && facts_of(program, procedure->first + count - 1)->flags & FACT_NOP)
        count--;
    SHA256Init(&state);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = without_addresses(program, procedure, procedure->first + i, &global);
        uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
        SHA256Update(&state, bytes, sizeof bytes);
    }
    SHA256Final(digest, &state);
    memcpy(shape, digest, SHAPE_BYTES);
}
