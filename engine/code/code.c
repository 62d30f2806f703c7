/* code.c: words, constants and addresses into new text.
   Requires codegen's encoder; addresses below 2 GB. */
#include <stdlib.h>
#include <string.h>

#include "engine/code/code.h"

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

void emit_near_call(struct code *code, uint32_t address) {
    int64_t distance = ((int64_t)address - (int64_t)code_address(code) - 4) / 4;
    if (alpha_branch_reaches(distance)) {
        emit(code, alpha_branch(ALPHA_BSR, ALPHA_RA, distance));
    } else {
        emit_address(code, address, ALPHA_RA);
        emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_RA, 0));
    }
}
