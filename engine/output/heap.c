/* heap.c: chooses the address of the analysis code's heap: an address that neither atomc nor the program
   uses, and that the kernel does not allocate. Requires the options. */
#include "engine/output/internal.h"

/* The room left for the program's own heap by -heapbase progend. */
#define PROGRAM_HEAP (UINT64_C(1) << 32)

uint64_t heap_base(const struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    uint64_t end = 0;
    for (uint32_t s = 0; s < program->segment_count; s++)
        if (program->segments[s].address + program->segments[s].memory_size > end)
            end = program->segments[s].address + program->segments[s].memory_size;
    if (rewrite->options->heap_at_end)
        return align_up(end + PROGRAM_HEAP, largest_page(rewrite));
    return rewrite->options->heap ? rewrite->options->heap : ATOMC_PRIVATE_HEAP;
}

bool heap_check(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    uint64_t heap = heap_base(rewrite), end = heap + ATOMC_PRIVATE_HEAP_SIZE;
    bool room = heap > rewrite->machine->layout->end && end > heap && end <= KERNEL_MAPPINGS &&
                (end <= ATOMC_PRIVATE_MMAP || heap >= ATOMC_PRIVATE_MMAP_END);
    for (uint32_t s = 0; s < program->segment_count; s++)
        room = room && (heap >= program->segments[s].address + program->segments[s].memory_size ||
                        end <= program->segments[s].address);
    bool good = room && heap % largest_page(rewrite) == 0;
    if (!good)
        diagnose(rewrite->diagnostics, NULL, MESSAGE_HEAP_TAKEN, program->path, (unsigned long long)heap,
                 room ? "it has to be a multiple of 0x10000" : "32 GB from there are not free");
    return good;
}

void heap_print(const struct rewrite *rewrite, FILE *stream) {
    fprintf(stream, "heap 0x%llx\n", (unsigned long long)heap_base(rewrite));
}
