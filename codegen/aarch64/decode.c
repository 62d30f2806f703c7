/* decode.c: the encoding of a word, by the table that make_tables.cpp has written. */
#include <stddef.h>

#include "codegen/aarch64/aarch64.h"

/* The logical instructions with a constant: some constants are reserved (DecodeBitMasks() of the manual),
   and the table's masks don't tell them. */
static bool is_reserved(uint32_t word) {
    if (aarch64_bits(word, 23, 6) != 0x24)
        return false;
    unsigned wide = aarch64_bits(word, 22, 1), ones = aarch64_bits(word, 10, 6);
    if (wide > aarch64_bits(word, 31, 1))
        return true;
    unsigned size = wide ? 64 : 32; /* of the element: 64, or the bit of the first 0 */
    if (!wide)
        while (size > 1 && ones & size)
            size /= 2;
    return size == 1 || (ones & (size - 1)) == size - 1;
}

const struct aarch64_encoding *aarch64_decode(uint32_t word) {
    if (is_reserved(word))
        return NULL;
    uint32_t slot = word >> AARCH64_SLOT_SHIFT;
    for (uint32_t i = aarch64_slot_starts[slot]; i < aarch64_slot_starts[slot + 1]; i++) {
        const struct aarch64_encoding *encoding = &aarch64_encodings[aarch64_slots[i]];
        if ((word & encoding->mask) == encoding->match)
            return encoding;
    }
    return NULL;
}
