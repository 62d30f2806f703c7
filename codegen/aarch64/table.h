/* table.h: the encodings of AArch64, as make_tables.cpp finds them in LLVM's target when atomc is built. */
#ifndef ATOMC_AARCH64_TABLE_H
#define ATOMC_AARCH64_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "codegen/isa.h"

/* The meaning of a field's numbers. */
enum aarch64_field_kind {
    AARCH64_FIELD_NONE,
    AARCH64_FIELD_ZERO,      /* integer registers; 31 is always 0 */
    AARCH64_FIELD_STACK,     /* integer registers; 31 is the stack pointer */
    AARCH64_FIELD_VECTOR,    /* v, and the z whose low part it is */
    AARCH64_FIELD_OTHER = 5, /* registers that no set holds: predicates */
};

enum { AARCH64_FIELDS = 6 };

struct aarch64_encoding {
    uint32_t match, mask;       /* the bits that make the instruction */
    uint32_t constants;         /* bits that are neither pattern nor numbers of registers */
    register_set read, written; /* registers that no field numbers */
    uint32_t name;              /* LLVM's: where it begins in aarch64_encoding_names */
    bool vague;                 /* it uses registers that no set holds */
    uint8_t class;              /* enum instruction_class */
    uint8_t transfer;           /* enum transfer */
    uint32_t flags;             /* enum fact_flag */
    uint8_t size, count;        /* of an access to memory: bytes of an element, elements; 0: not known */
    int8_t index, data; /* ... and the shifts of the fields of its index and of the first register that is
                           loaded or stored; -1: none */
    uint8_t writeback;  /* enum writeback */
    struct aarch64_field {
        uint8_t shift, width;
        uint8_t kind;  /* enum aarch64_field_kind */
        uint8_t count; /* of consecutive registers */
        uint8_t step;  /* from the field's number to the register's: 1, or 2 for pairs */
        bool read, written;
    } fields[AARCH64_FIELDS];
};

extern const struct aarch64_encoding aarch64_encodings[];
extern const unsigned aarch64_encoding_count;
extern const char aarch64_encoding_names[]; /* pointers would be relocated each time that atomc starts */

/* For bits 31 to 21 of a word: which of aarch64_slots have the encodings that it may be of; the first that
   matches is the right one. */
enum { AARCH64_SLOT_SHIFT = 21 };
extern const uint16_t aarch64_slot_starts[];
extern const uint16_t aarch64_slots[];

#endif
