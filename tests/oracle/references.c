/* references.c: which instructions refer to addresses that are no multiples of their size, from the oracle's
   stream of references. Requires: a file that oracle.c has written with addresses=FILE, on a machine of the
   same byte order.

   Use: references FILE; writes a line of PC, references and unaligned ones for each instruction that refers
   to memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct record { /* as oracle.c writes them */
    uint64_t pc, address;
    uint32_t size, store;
};
struct place {
    uint64_t references, unaligned;
};

int main(int argc, char **argv) {
    enum { MOST = 1 << 22 };
    const uint64_t lowest = 0x120000000;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    struct place *places = calloc(MOST, sizeof *places);
    struct record record;
    if (!file || !places) {
        fprintf(stderr, "use: references FILE\n");
        return 2;
    }
    while (fread(&record, sizeof record, 1, file) == 1) {
        struct place *place = &places[(record.pc - lowest) / 4];
        if (record.pc < lowest || place >= places + MOST) {
            fprintf(stderr, "references: a program at another place\n");
            return 1;
        }
        place->references++;
        place->unaligned += record.address % record.size != 0;
    }
    for (uint64_t i = 0; i < MOST; i++)
        if (places[i].references > 0)
            printf("0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\n", lowest + 4 * i, places[i].references,
                   places[i].unaligned);
    return 0;
}
