/* code.c: words, constants and addresses into new text.
   Requires codegen's encoder; addresses below 2 GB. */
#include <stdlib.h>
#include <string.h>

#include "engine/rewrite.h"

void emit_move(struct code *code, unsigned from, unsigned to) {
    if (from != to)
        emit(code, alpha_operate(ALPHA_BISr, ALPHA_ZERO, from, to));
}

void emit_address(struct code *code, uint32_t address, unsigned to) {
    int low = (int16_t)(address & 0xffff);
    emit(code, alpha_memory(ALPHA_LDAH, to, (int)((address - (uint32_t)low) >> 16), ALPHA_ZERO));
    if (low != 0)
        emit(code, alpha_memory(ALPHA_LDA, to, low, to));
}

void emit_address_pair(struct code *code, uint32_t address, unsigned to) {
    int low = (int16_t)(address & 0xffff);
    emit(code, alpha_memory(ALPHA_LDAH, to, (int)((address - (uint32_t)low) >> 16), ALPHA_ZERO));
    emit(code, alpha_memory(ALPHA_LDA, to, low, to));
}

static uint32_t pool_word(struct rewrite *rewrite, uint64_t value, uint8_t object) {
    /* Return addresses, the bulk, differ all; consecutive uses of one constant are the case worth sharing. */
    uint32_t last = rewrite->pool_count - 1;
    if (rewrite->pool_count > 0 && rewrite->pool[last] == value && rewrite->pool_objects[last] == object)
        return LAYOUT_POOL + 8 * last;
    VECTOR_RESERVE(rewrite->pool, rewrite->pool_count, rewrite->pool_capacity);
    VECTOR_RESERVE(rewrite->pool_objects, rewrite->pool_count, rewrite->pool_object_capacity);
    rewrite->pool[rewrite->pool_count] = value;
    rewrite->pool_objects[rewrite->pool_count] = object;
    return LAYOUT_POOL + 8 * rewrite->pool_count++;
}

static void emit_pool_load(struct code *code, uint32_t address, unsigned to) {
    int low = (int16_t)(address & 0xffff);
    emit(code, alpha_memory(ALPHA_LDAH, to, (int)((address - (uint32_t)low) >> 16), ALPHA_ZERO));
    emit(code, alpha_memory(ALPHA_LDQ, to, low, to));
}

void emit_constant(struct rewrite *rewrite, struct code *code, int64_t value, unsigned to) {
    if (value == (int16_t)value) {
        emit(code, alpha_memory(ALPHA_LDA, to, (int)value, ALPHA_ZERO));
        return;
    }
    int64_t low = (int16_t)value, high = (value - low) >> 16;
    if (high == (int16_t)high && value == (high << 16) + low) {
        emit(code, alpha_memory(ALPHA_LDAH, to, (int)high, ALPHA_ZERO));
        if (low != 0)
            emit(code, alpha_memory(ALPHA_LDA, to, (int)low, to));
        return;
    }
    emit_pool_load(code, pool_constant(rewrite, (uint64_t)value), to);
}

void emit_original(struct rewrite *rewrite, struct code *code, uint32_t instruction, uint64_t address,
                   unsigned to) {
    uint32_t object = object_number_of(rewrite->program, instruction);
    if (object == 0)
        emit_constant(rewrite, code, (int64_t)address, to);
    else
        emit_pool_load(code, pool_word(rewrite, address, (uint8_t)object), to);
}

uint32_t pool_constant(struct rewrite *rewrite, uint64_t value) {
    return pool_word(rewrite, value, 0);
}

uint32_t table_bytes(struct rewrite *rewrite, const void *bytes, size_t size) {
    struct code *tables = &rewrite->tables;
    size_t words = (size + 7) / 8 * 2;
    uint32_t address = code_address(tables);
    for (size_t i = 0; i < words; i++)
        emit(tables, 0);
    if (size > 0)
        memcpy(tables->words + (address - tables->address) / 4, bytes, size);
    return address;
}

static uint32_t hash_string(const char *string) {
    uint32_t hash = 2166136261u;
    for (; *string; string++)
        hash = (hash ^ (uint8_t)*string) * 16777619u;
    return hash;
}

static void grow_strings(struct rewrite *rewrite) {
    uint32_t old_size = rewrite->string_table_size;
    struct table_string *old = rewrite->strings;
    rewrite->string_table_size = old_size ? 2 * old_size : 256;
    rewrite->strings = allocate_zeroed(rewrite->string_table_size, sizeof *rewrite->strings);
    for (uint32_t i = 0; i < old_size; i++) {
        if (!old[i].string)
            continue;
        uint32_t at = hash_string(old[i].string) & (rewrite->string_table_size - 1);
        while (rewrite->strings[at].string)
            at = (at + 1) & (rewrite->string_table_size - 1);
        rewrite->strings[at] = old[i];
    }
    free(old);
}

uint32_t table_string(struct rewrite *rewrite, const char *string) {
    if (2 * rewrite->string_count >= rewrite->string_table_size)
        grow_strings(rewrite);
    uint32_t at = hash_string(string) & (rewrite->string_table_size - 1);
    while (rewrite->strings[at].string) {
        if (strcmp(rewrite->strings[at].string, string) == 0)
            return rewrite->strings[at].address;
        at = (at + 1) & (rewrite->string_table_size - 1);
    }
    rewrite->strings[at].string = string;
    rewrite->strings[at].address = table_bytes(rewrite, string, strlen(string) + 1);
    rewrite->string_count++;
    return rewrite->strings[at].address;
}

/* In both, $30 never stands above what is stored, so that signal handlers do no harm. */
void emit_enter_stack(const struct rewrite *rewrite, struct code *code, uint32_t bytes) {
    if (rewrite->shadow)
        emit(code, alpha_memory(ALPHA_LDAH, ALPHA_SP, -rewrite->shadow, ALPHA_SP));
    if (bytes)
        emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, -(int)bytes, ALPHA_SP));
}

void emit_leave_stack(const struct rewrite *rewrite, struct code *code, uint32_t bytes) {
    if (rewrite->shadow)
        emit(code, alpha_memory(ALPHA_LDAH, ALPHA_SP, rewrite->shadow, ALPHA_SP));
    if (bytes)
        emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, (int)bytes, ALPHA_SP));
}
