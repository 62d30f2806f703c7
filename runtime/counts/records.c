/* records.c: records of each thread on which sums made at the beginning of a block depend (interface.h). A
   signal's handler may execute other blocks: while it runs, the records of the interrupted block are saved.
   Compiled without floating-point registers. */
#include <sys/mman.h>

#include "runtime/counts/counts.h"
#include "runtime/kernel/kernel.h"

static int64_t *kept; /* the records of each context */

void atomc_prepare_records(unsigned long contexts) {
    const struct atomc_image *image = &atomc_image;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (!image->record_count)
        return;
    unsigned long size = contexts * image->record_count * sizeof *kept;
    void *pages = mmap(0, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    kept = pages == MAP_FAILED ? 0 : pages;
    if (image->records == ATOMC_RECORDS)
        RAW(CALL_mmap, ATOMC_RECORDS, ATOMC_RECORDS_SCALED_END(image->record_count) - ATOMC_RECORDS,
            PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0);
}

int64_t *atomc_records_of(unsigned long thread) {
    const struct atomc_image *image = &atomc_image;
    return (int64_t *)(image->records + ((unsigned long)(uint32_t)(thread + (thread >> ATOMC_RECORDS_SHIFT))
                                         << ATOMC_RECORDS_SCALE(image->record_count)));
}

int64_t *atomc_records(void) {
    const struct atomc_image *image = &atomc_image;
    if (!image->record_count || image->records != ATOMC_RECORDS)
        return (int64_t *)image->records;
    return atomc_records_of((unsigned long)thread_pointer());
}

static void copy_record(int64_t *to, const int64_t *from) {
    for (unsigned long i = 0; i < atomc_image.record_count; i++)
        to[i] = from[i];
}

void atomc_keep_records(unsigned long context) {
    if (kept)
        copy_record(kept + context * atomc_image.record_count, atomc_records());
}

void atomc_restore_records(unsigned long context) {
    if (kept)
        copy_record(atomc_records(), kept + context * atomc_image.record_count);
}

void atomc_clear_records(void) {
    int64_t *records = atomc_records();
    for (unsigned long i = 0; i < atomc_image.record_count; i++)
        records[i] = ATOMC_NO_RECORD;
}
