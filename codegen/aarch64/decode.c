/* decode.c: the encoding of a word, by the table that make_tables.cpp has written. */
#include <stddef.h>

#include "codegen/aarch64/aarch64.h"

const struct aarch64_encoding *aarch64_decode(uint32_t word) {
    uint32_t slot = word >> AARCH64_SLOT_SHIFT;
    for (uint32_t i = aarch64_slot_starts[slot]; i < aarch64_slot_starts[slot + 1]; i++) {
        const struct aarch64_encoding *encoding = &aarch64_encodings[aarch64_slots[i]];
        if ((word & encoding->mask) == encoding->match)
            return encoding;
    }
    return NULL;
}
