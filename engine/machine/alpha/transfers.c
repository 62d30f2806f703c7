/* transfers.c: the translation of the program's own transfers of control on Alpha. The low 32 bits of an
   original address are the address of its word in the map. Requires addresses of the layout. */
#include "engine/machine/alpha/internal.h"
#include "runtime/machine/alpha/layout.h"
#include "runtime/machine/alpha/marks.h"

_Static_assert(FILE_PAGE == ALPHA_PAGE_BYTES && LARGEST_PAGE == ALPHA_LARGEST_PAGE_BYTES,
               "the runtime and the engine know the same pages");
_Static_assert(8 * (uint64_t)PLAN_MOST_CELLS < ALPHA_SCRATCH - ALPHA_CELLS, "cells must have room");

static void put_look_up(struct code *code, unsigned target, unsigned to) {
    emit(code, alpha_literal(ALPHA_ZAPNOTi, target, 15, to));
    emit(code, alpha_memory(ALPHA_LDL, to, 0, to));
}

/* The map of landings is at a fixed distance from the map. */
static void put_look_up_landing(struct code *code, unsigned target, unsigned to) {
    emit(code, alpha_literal(ALPHA_ZAPNOTi, target, 15, to));
    emit(code, alpha_memory(ALPHA_LDAH, to, ALPHA_LANDINGS >> 16, to));
    emit(code, alpha_memory(ALPHA_LDL, to, 0, to));
}

static void put_go_to_copy(struct code *code, unsigned copy, bool returns) {
    emit(code, returns ? alpha_jump(ALPHA_RET, copy, copy, 1) : alpha_jump(ALPHA_JMP, copy, copy, 0));
}

static void put_transfer_trap(struct code *code, unsigned target) {
    emit(code, ATOMC_TRANSFER_TRAP(target));
}

static uint32_t word_with_displacement(uint32_t access, int displacement) {
    return alpha_with_memory_displacement(access, displacement);
}

static uint32_t word_with_base(uint32_t access, unsigned base) {
    return alpha_with_base(access, base);
}

static uint32_t word_with_operand(uint32_t instruction, unsigned field, unsigned reg) {
    static const uint8_t shifts[FIELD_REGISTERS] = {21, 16, 0};
    return (instruction & ~(UINT32_C(31) << shifts[field])) | (uint32_t)(reg & 31) << shifts[field];
}

static int32_t access_distance(int64_t address) {
    return (int16_t)address;
}

static uint64_t map_address(uint64_t text_address) {
    return (uint32_t)text_address;
}

static uint32_t word_with_destination(uint32_t instruction, unsigned to) {
    const struct alpha_descriptor *descriptor = alpha_decode(instruction);
    if (descriptor->format == ALPHA_FORMAT_MEMORY)
        return alpha_memory(descriptor->opcode_id, to, alpha_memory_displacement(instruction),
                            alpha_rb(instruction));
    return (instruction & ~UINT32_C(31)) | to;
}

const struct transfer_verbs alpha_transfers = {
    .look_up = put_look_up,
    .look_up_landing = put_look_up_landing,
    .go_to_copy = put_go_to_copy,
    .trap = put_transfer_trap,
    .with_displacement = word_with_displacement,
    .with_destination = word_with_destination,
    .with_base = word_with_base,
    .with_operand = word_with_operand,
    .access_distance = access_distance,
    .map_address = map_address,
};
