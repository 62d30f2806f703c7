/* procedures.c: the procedures of the program, for tools that follow calls (calls.h), and memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

struct procedure *procedures;
int procedure_count;

static void *checked(void *memory) {
    if (!memory) {
        perror("calls");
        abort();
    }
    return memory;
}

void *allocated(long count, long size) {
    return checked(calloc(count + 1, size));
}

void *reserved(long count, long size) {
    return checked(malloc((count + 1) * size));
}

#ifdef __aarch64__
/* A bit for each byte that is 0: each such byte becomes 1, all others 0, then the bits are gathered. */
static unsigned long zero_bytes(unsigned long word) {
    const unsigned long low = 0x7f7f7f7f7f7f7f7fUL;
    return (~(((word & low) + low) | word | low) >> 7) * 0x0102040810204080UL >> 56;
}
#else
#define zero_bytes(word) __builtin_alpha_cmpbge(0, word)
#endif

/* NAME.cold, NAME.cold.1, NAME [clone .cold]: most names have no dot. Names are read by words, because there
   are hundreds of names, and most runs are short. */
static int may_be_part(const char *name) {
    typedef unsigned long __attribute__((may_alias)) characters;
    const characters *words = (const characters *)((unsigned long)name & ~7UL);
    /* bytes before the name must not look like a dot */
    unsigned long word = *words | ((1UL << 8 * ((unsigned long)name & 7)) - 1);
    for (;;) {
        const unsigned long ends = zero_bytes(word); /* a bit for each byte that is 0 */
        const unsigned long dots = zero_bytes(word ^ 0x2e2e2e2e2e2e2e2eUL);
        if (ends | dots)
            return (dots & ~ends & (ends - 1)) != 0;
        word = *++words;
    }
}

void find_wholes(void) {
    for (int i = 0; i < procedure_count; i++) {
        if (!may_be_part(procedures[i].name))
            continue;
        const char *end = strstr(procedures[i].name, " [clone .cold"); /* demangled */
        if (!end)
            end = strstr(procedures[i].name, ".cold");
        for (int k = 0; end && k < procedure_count; k++)
            if (strncmp(procedures[k].name, procedures[i].name, end - procedures[i].name) == 0 &&
                procedures[k].name[end - procedures[i].name] == '\0')
                procedures[i].whole = k;
    }
}
