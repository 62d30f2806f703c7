/* transfers.c: the translation of the program's own transfers of control on AArch64. An original address with
   one bit flipped is the address of its word in the map. Requires addresses of the layout. */
#include "engine/machine/aarch64/internal.h"
#include "runtime/machine/aarch64/layout.h"
#include "runtime/machine/aarch64/marks.h"

static unsigned first_one(uint64_t bits) {
    return (unsigned)__builtin_ctzll(bits);
}

/* The word of the map at `target` with consecutive bits flipped. */
static void put_look_up_with(struct code *code, uint64_t flipped, unsigned target, unsigned to) {
    unsigned ones = (unsigned)__builtin_popcountll(flipped);
    emit(code, word_of_flip(to, target, first_one(flipped), ones));
    emit(code, word_of_access(ACCESS_LOAD, 4, to, to, 0));
}

static void put_look_up(struct code *code, unsigned target, unsigned to) {
    put_look_up_with(code, AARCH64_MAP_BITS, target, to);
}

static void put_look_up_landing(struct code *code, unsigned target, unsigned to) {
    put_look_up_with(code, AARCH64_LANDING_BITS, target, to);
}

/* No register can have the address of the jump: the runtime finds it by the target's. */
static void put_go_to_copy(struct code *code, unsigned copy, bool returns) {
    emit(code, with_two_registers((uint32_t)(returns ? ENCODED_RET : ENCODED_BR), 0, copy));
}

static void put_transfer_trap(struct code *code, unsigned target) {
    emit(code, ATOMC_TRANSFER_TRAP(target));
}

static void put_authenticate(struct code *code, uint32_t transfer, unsigned to) {
    machine_move(code, aarch64_signed_target(transfer), to);
    emit(code, aarch64_authenticate(to, transfer));
}

static void put_go_authenticated(struct code *code, uint32_t transfer) {
    emit(code, aarch64_signed_jump(transfer));
}

static uint64_t map_address(uint64_t text_address) {
    return text_address ^ AARCH64_MAP_BITS;
}

static uint32_t word_with_literal_base(uint32_t word, unsigned base) {
    return word_of_literal_at(word, base);
}

const struct transfer_verbs aarch64_transfers = {
    .look_up = put_look_up,
    .look_up_landing = put_look_up_landing,
    .go_to_copy = put_go_to_copy,
    .trap = put_transfer_trap,
    .authenticate = put_authenticate,
    .go_authenticated = put_go_authenticated,
    .map_address = map_address,
    .with_literal_base = word_with_literal_base,
};
