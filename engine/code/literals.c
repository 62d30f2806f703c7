/* literals.c: addresses of the program that one instruction loads from a word behind the code, on machines
   that have such a load. Requires addresses below 4 GB. */
#include "engine/code/code.h"

bool emit_literal_load(struct rewrite *rewrite, struct code *code, uint64_t value, unsigned to) {
    struct layout *layout = &rewrite->code->layout;
    if (!code->machine->words->load_literal || code != &rewrite->code->copies || value > UINT32_MAX)
        return false;
    ARENA_RESERVE(rewrite->round, layout->literals, layout->literal_count, layout->literal_capacity);
    layout->literals[layout->literal_count++] =
        (struct literal){.position = code_position(code), .value = (uint32_t)value, .reg = (uint8_t)to};
    emit(code, code->machine->words->load_literal(to));
    return true;
}

bool literals_wait(const struct rewrite *rewrite) {
    return rewrite->code->layout.literal_count > 0;
}

void literals_emit(struct rewrite *rewrite) {
    struct layout *layout = &rewrite->code->layout;
    struct code *code = &rewrite->code->copies;
    for (uint32_t i = 0; i < layout->literal_count; i++) {
        const struct literal *literal = &layout->literals[i];
        const uint32_t load = literal->position;
        if (machine_aim(code, load, code_position(code))) {
            emit(code, literal->value);
            layout->literal_words++;
            continue;
        }
        /* It is too far for the load, which becomes a branch to here and back. */
        code->words[load] = code->machine->words->branch((int64_t)code_position(code) - load - 1);
        machine_address_fixed(code, literal->value, literal->reg);
        machine_branch(code, (int64_t)load - code_position(code));
    }
    layout->literal_count = 0;
}
