/* pool.c: 64-bit constants at layout->pool, and the code that loads them. Requires addresses below 2 GB. */
#include "engine/code/code.h"
#include "engine/object/object.h"

static uint32_t pool_word(struct rewrite *rewrite, uint64_t value, uint8_t object) {
    /* Most constants are return addresses, which all differ; only consecutive uses of one constant are
       worth sharing. */
    uint32_t last = rewrite->code->pool.count - 1;
    if (rewrite->code->pool.count > 0 && rewrite->code->pool.values[last] == value &&
        rewrite->code->pool.objects[last] == object)
        return rewrite->machine->layout->pool + 8 * last;
    ARENA_RESERVE(rewrite->round, rewrite->code->pool.values, rewrite->code->pool.count,
                  rewrite->code->pool.capacity);
    ARENA_RESERVE(rewrite->round, rewrite->code->pool.objects, rewrite->code->pool.count,
                  rewrite->code->pool.object_capacity);
    rewrite->code->pool.values[rewrite->code->pool.count] = value;
    rewrite->code->pool.objects[rewrite->code->pool.count] = object;
    return rewrite->machine->layout->pool + 8 * rewrite->code->pool.count++;
}

static void emit_pool_load(struct code *code, uint32_t address, unsigned to) {
    int low = machine_address_base(code, address, to);
    machine_load(code, to, to, low);
}

void emit_constant(struct rewrite *rewrite, struct code *code, int64_t value, unsigned to) {
    if (!machine_constant(code, value, to))
        emit_pool_load(code, pool_constant(rewrite, (uint64_t)value), to);
}

/* One instruction, if the machine has one. */
static void emit_shortest(struct rewrite *rewrite, struct code *code, uint64_t address, unsigned to) {
    const uint32_t begin = code_position(code);
    bool is_made = machine_constant(code, (int64_t)address, to);
    if (is_made && code_position(code) - begin == 1)
        return;
    code->count = begin;
    if (!emit_literal_load(rewrite, code, address, to))
        emit_constant(rewrite, code, (int64_t)address, to);
}

void emit_original(struct rewrite *rewrite, struct code *code, uint32_t instruction, uint64_t address,
                   unsigned to) {
    uint32_t object = object_number_of(rewrite->program, instruction);
    if (object == 0)
        emit_shortest(rewrite, code, address, to);
    else
        emit_pool_load(code, pool_word(rewrite, address, (uint8_t)object), to);
}

uint32_t pool_constant(struct rewrite *rewrite, uint64_t value) {
    return pool_word(rewrite, value, 0);
}
