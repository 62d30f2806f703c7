/* shape.c: digests of procedures that identify a procedure in another build, in which it and its references
   have other addresses. They omit displacements of branches that leave the procedure, hints of jumps,
   displacements from the global pointer, and padding. Requires procedures. */
#include <sha2.h>
#include <string.h>

#include "engine/cfg/internal.h"

enum { GLOBAL_POINTER = 29 };

static bool goes_outside(const struct program *program, const struct procedure *procedure,
                         uint32_t instruction) {
    uint32_t target = branch_target(program, instruction);
    return target == NO_INDEX || target - procedure->first >= procedure->count;
}

/* The word with zeros in place of addresses; *global: the registers that hold, in text order, the global
   pointer plus a part of an address. */
static uint32_t without_addresses(const struct program *program, const struct procedure *procedure,
                                  uint32_t instruction, register_set *global) {
    uint32_t word = program->text[instruction];
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    const register_set written = alpha_registers(word, descriptor).written;
    unsigned base = alpha_rb(word), result = alpha_ra(word);
    bool is_high = descriptor->opcode_id == ALPHA_LDAH, is_global = false;
    switch (descriptor->format) {
    case ALPHA_FORMAT_BRANCH:
        if (goes_outside(program, procedure, instruction))
            word = alpha_with_branch_displacement(word, 0);
        break;
    case ALPHA_FORMAT_JUMP:
        word = alpha_without_hint(word);
        break;
    case ALPHA_FORMAT_MEMORY:
        is_global = *global >> base & 1 || (is_high && result == GLOBAL_POINTER);
        if (is_global)
            word = alpha_with_memory_displacement(word, 0);
        break;
    default:
        break;
    }
    *global = is_global && is_high ? *global | written : *global & ~written;
    *global |= UINT64_C(1) << GLOBAL_POINTER;
    return word;
}

void procedure_shape(const struct program *program, uint32_t index, uint8_t shape[SHAPE_BYTES]) {
    const struct procedure *procedure = &program->procedures[index];
    register_set global = UINT64_C(1) << GLOBAL_POINTER;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX state;
    uint32_t count = procedure->count;
    while (count > 0 && alpha_is_nop(program->text[procedure->first + count - 1]))
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
