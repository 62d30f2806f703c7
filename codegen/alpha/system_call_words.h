/* system_call_words.h: decides if a word of a text with the value of `callsys` is executed, or is a constant.
   For the engine, and for the runtime, which has only the text. */
#ifndef ATOMC_SYSTEM_CALL_WORDS_H
#define ATOMC_SYSTEM_CALL_WORDS_H

#include <stddef.h>

#include "codegen/alpha/words.h"

/* True if execution does not continue after it: a jump, or a word that is no instruction of a program.
   After an instruction with a link, control may return.
 */
static inline int alpha_ends_path(uint32_t word) {
    const uint32_t reserved = 0xea0000fe; /* primary opcodes: undefined, and PALcode's own */
    switch (alpha_primary(word)) {
    case 0: /* call_pal: functions of privileged mode, and undefined ones */
        return word < ALPHA_PAL_BPT || word > ALPHA_PAL_GENTRAP;
    case ALPHA_MATCH_BR >> 26:
    case ALPHA_MATCH_JMP >> 26:
        return alpha_ra(word) == ALPHA_ZERO;
    default:
        return alpha_primary(word) < 32 && reserved >> alpha_primary(word) & 1;
    }
}

/* True for instructions that may set $0 to the number of a call. */
static inline int alpha_sets_call_number(uint32_t word) {
    int loads = ALPHA_IS(word, LDA) || ALPHA_IS(word, LDAH) || ALPHA_IS(word, LDL) || ALPHA_IS(word, LDQ);
    int moves = ALPHA_IS(word, BISr) || ALPHA_IS(word, BISi);
    return (loads && alpha_ra(word) == ALPHA_V0) || (moves && alpha_rc(word) == ALPHA_V0);
}

/* A branch or bsr: instructions with a displacement in words. */
static inline int alpha_is_branch(uint32_t word) {
    return alpha_primary(word) >= ALPHA_MATCH_BR >> 26;
}

static inline int alpha_is_conditional(uint32_t word) {
    return alpha_primary(word) > ALPHA_MATCH_BR >> 26 && !ALPHA_IS(word, BSR);
}

/* True if the instructions before the word set $0 or call; or the instructions after it test for a failed
   call, or return; or a branch leads to it. Otherwise a constant is more likely than code that is reached
   only by its address. */
static inline int alpha_is_system_call(const uint32_t *words, size_t count, size_t at) {
    enum { BEFORE = 64, BEHIND = 6 };
    size_t first = at;
    for (; first > 0 && !alpha_ends_path(words[first - 1]); first--)
        if (at - first == BEFORE || alpha_sets_call_number(words[first - 1]) ||
            ALPHA_IS(words[first - 1], BSR) || ALPHA_IS_LIKE(words[first - 1], JMP))
            return 1;
    for (size_t i = at + 1; i < count && i <= at + BEHIND; i++) {
        if ((alpha_is_conditional(words[i]) && alpha_ra(words[i]) == ALPHA_A3) ||
            (i <= at + 2 && ALPHA_IS(words[i], RET)))
            return 1;
        if (alpha_ends_path(words[i]))
            break;
    }
    for (size_t i = 0; i < count; i++) {
        size_t target = i + 1 + (size_t)(ptrdiff_t)alpha_branch_displacement(words[i]);
        if (alpha_is_branch(words[i]) && target - first <= at - first && i - first > at - first)
            return 1;
    }
    return 0;
}

#endif
