/* stepped.c: the encodings that the runtime executes step by step: instructions of inserted code, and of
   programs, except for PALcode instructions. */
#include <stdlib.h>

#include "codegen/alpha/alpha.h"
#include "codegen/alpha/architecture.h"

static bool is_executed_by_runtime(const struct alpha_descriptor *descriptor) {
    const unsigned transfers = ALPHA_COND_BRANCH | ALPHA_UNCOND_BRANCH | ALPHA_CALL | ALPHA_INDIRECT;
    switch (descriptor->opcode_id) {
    case ALPHA_LDA:
    case ALPHA_LDAH:
    case ALPHA_MB:
    case ALPHA_WMB:
    case ALPHA_TRAPB:
    case ALPHA_EXCB:
    case ALPHA_CALL_PAL:
    case ALPHA_MF_FPCR:
    case ALPHA_MT_FPCR:
    case ALPHA_RPCC:
    case ALPHA_RC:
    case ALPHA_RS:
    case ALPHA_FETCH:
    case ALPHA_FETCH_M:
    case ALPHA_ECB:
    case ALPHA_WH64:
    case ALPHA_WH64EN:
        return true;
    default:
        return descriptor->flags & (ALPHA_LOAD | ALPHA_STORE | transfers) ||
               descriptor->format == ALPHA_FORMAT_OPERATE || descriptor->format == ALPHA_FORMAT_LITERAL ||
               descriptor->format == ALPHA_FORMAT_FLOAT;
    }
}

static int by_primary_opcode(const void *left, const void *right) {
    const struct stepped_encoding *a = left, *b = right;
    if (alpha_primary(a->match) != alpha_primary(b->match))
        return alpha_primary(a->match) < alpha_primary(b->match) ? -1 : 1;
    return a->match < b->match ? -1 : a->match > b->match;
}

size_t alpha_stepped(struct stepped_encoding *encodings) {
    size_t count = 0;
    for (unsigned opcode = ALPHA_INVALID + 1; opcode < ALPHA_OPCODE_COUNT; opcode++) {
        const struct alpha_descriptor *descriptor = alpha_describe((enum alpha_opcode)opcode);
        if (!is_executed_by_runtime(descriptor))
            continue;
        if (encodings)
            encodings[count] = (struct stepped_encoding){.match = descriptor->match,
                                                         .mask = descriptor->mask,
                                                         .opcode = (uint16_t)alpha_register_form(descriptor),
                                                         .format = descriptor->format};
        count++;
    }
    if (encodings)
        qsort(encodings, count, sizeof *encodings, by_primary_opcode);
    return count;
}
