/* malloc.c: analysis routines of malloc.atd, with heap.c. */
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "table.h"

/* Blocks of a class of sizes; kept sorted. */
static struct class { long from, to, blocks, bytes, freed; } * classes;
static int class_count, exact;

void Init(int each_size) {
    exact = each_size;
}

static struct class *class_of(long size) {
    unsigned long from = size;
    int low = 0;
    if (!exact && size > 1)
        from = 1UL << (63 - __builtin_clzl(size));
    while (low < class_count && (unsigned long)classes[low].from < from)
        low++;
    if (low < class_count && (unsigned long)classes[low].from == from)
        return &classes[low];
    classes = realloc(classes, (class_count + 1) * sizeof *classes);
    if (!classes)
        abort();
    memmove(classes + low + 1, classes + low, (class_count++ - low) * sizeof *classes);
    classes[low] = (struct class){.from = from, .to = exact || from == 0 ? from : 2 * from - 1};
    return &classes[low];
}

void on_allocate(struct block *block) {
    struct class *class = class_of(block->size);
    class->blocks++;
    class->bytes += block->size;
}

void on_free(struct block *block, long address, long site) {
    (void)address, (void)site;
    if (block)
        class_of(block->size)->freed++;
}

void Print(const char *out) {
    long blocks = 0;
    for (const struct class *class = classes; class < classes + class_count; class ++)
        blocks += class->blocks;
    atomc_begin_table("malloc", out, "#From|#To|#Blocks|.Share|#Bytes|#Freed");
    for (const struct class *class = classes; class < classes + class_count; class ++)
        atomc_add_row(class->from, class->to, class->blocks, (10000 * class->blocks + blocks / 2) / blocks,
                      class->bytes, class->freed);
    atomc_end_table();
}
