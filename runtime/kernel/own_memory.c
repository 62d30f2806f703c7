/* own_memory.c: the memory of the analysis side: fixed regions that the program never sees. It implements
   the memory calls of the private C library. Compiled without floating-point registers. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>

#include "runtime/kernel/kernel.h"

static long private_break, private_break_mapped; /* 0: not set up yet */
static long private_mmap_next = ATOMC_PRIVATE_MMAP;
struct atomc_own_range atomc_spills;
atomc_find_own *atomc_next_thread_page, *atomc_next_object_page;

static long map_fixed(long address, long length, long protection) {
    return RAW(CALL_mmap, address, length, protection,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

/* Memory that is mapped again above the break has to be zero, because calloc expects it. */
static void clear_range(long begin, long end) {
    long page = (begin + PAGE - 1) & -PAGE;
    for (char *byte = (char *)begin; byte < (char *)(page < end ? page : end); byte++)
        *(volatile char *)byte = 0;
    if (page < end)
        map_fixed(page, ((end + PAGE - 1) & -PAGE) - page, PROT_READ | PROT_WRITE);
}

static long change_break(long wanted) {
    long heap = (long)atomc_image.heap;
    if (!private_break)
        private_break = private_break_mapped = heap;
    if (wanted >= heap && wanted < heap + (long)ATOMC_PRIVATE_HEAP_SIZE) {
        if (wanted > private_break_mapped) {
            enum { STEP = 64 * FILE_PAGE };
            long length = ((wanted - private_break_mapped + STEP - 1) & -STEP) + STEP;
            if (map_fixed(private_break_mapped, length, PROT_READ | PROT_WRITE) < 0)
                return private_break;
            private_break_mapped += length;
        }
        if (wanted < private_break)
            clear_range(wanted, private_break);
        private_break = wanted;
    }
    return private_break;
}

long atomc_private_brk(long *a) {
    return change_break(a[0]);
}

long atomc_private_mmap(long *a) {
    long length = (a[1] + PAGE - 1) & -PAGE, address = a[0], result;
    if (!(a[3] & MAP_FIXED)) {
        if (length <= 0 || length > (long)ATOMC_PRIVATE_MMAP_END - private_mmap_next)
            return -ENOMEM;
        address = private_mmap_next;
    }
    result = RAW(CALL_mmap, address, a[1], a[2], a[3] | MAP_FIXED, atomc_real_descriptor(a[4]), a[5]);
    if (result == private_mmap_next && !(a[3] & MAP_FIXED))
        private_mmap_next += length;
    return result;
}

long atomc_private_munmap(long *a) {
    long length = (a[1] + PAGE - 1) & -PAGE, result = RAW(CALL_munmap, a[0], a[1], 0, 0, 0, 0);
    if (result >= 0 && a[0] + length == private_mmap_next && a[0] >= (long)ATOMC_PRIVATE_MMAP)
        private_mmap_next = a[0];
    return result;
}

long atomc_private_mremap(long *a) {
    long result;
    if (a[3] & MREMAP_FIXED || !(a[3] & MREMAP_MAYMOVE) || a[2] <= a[1])
        return RAW(CALL_mremap, a[0], a[1], a[2], a[3], a[4], 0);
    if (((a[2] + PAGE - 1) & -PAGE) > (long)ATOMC_PRIVATE_MMAP_END - private_mmap_next)
        return -ENOMEM;
    result = RAW(CALL_mremap, a[0], a[1], a[2], MREMAP_MAYMOVE | MREMAP_FIXED, private_mmap_next, 0);
    if (result >= 0)
        private_mmap_next += (a[2] + PAGE - 1) & -PAGE;
    return result;
}

void atomc_map_call_stack(void) {
    map_fixed(SITE_FRAME - ROUTINE_STACK_BYTES, ROUTINE_STACK_BYTES + SITE_FRAME_BYTES,
              PROT_READ | PROT_WRITE);
}

/* ---- where it is ---------------------------------------------------------------------------------------------- */

static int ranges_overlap(long begin, long end, long other, long other_end) {
    return begin < other_end && other < end;
}

/* Lists all ranges of the analysis side except the pages in objects; returns their number. Some are
   empty. */
enum { OWN_RANGES = ATOMC_OWN_RANGES + 9 };
static int own_ranges(struct atomc_own_range *ranges) {
    const struct atomc_own_range others[OWN_RANGES - ATOMC_OWN_RANGES] = {
        {atomc_image.heap, (uint64_t)private_break_mapped},
        {ATOMC_PRIVATE_MMAP, (uint64_t)private_mmap_next},
        {ATOMC_COPY_INDEX, ATOMC_COPY_INDEX + (atomc_image.copies_end - atomc_image.copies)},
        {SITE_FRAME - ROUTINE_STACK_BYTES, atomc_image.own_stack ? SITE_FRAME + SITE_FRAME_BYTES : 0},
        atomc_spills,
        {ATOMC_DISTANCES, atomc_image.library_count > 0 ? ATOMC_DISTANCES_END : 0},
        {ATOMC_TEXT_TWIN, ATOMC_TEXT_END},
        {ATOMC_THREAD_COUNTS,
         ATOMC_THREAD_COUNTS + atomc_image.thread_area_count * atomc_image.thread_area_size},
        {ATOMC_RECORDS,
         atomc_image.records == ATOMC_RECORDS ? ATOMC_RECORDS_SCALED_END(atomc_image.record_count) : 0},
    };
    for (int i = 0; i < OWN_RANGES; i++)
        ranges[i] = i < ATOMC_OWN_RANGES ? atomc_image.own[i] : others[i - ATOMC_OWN_RANGES];
    return OWN_RANGES;
}

/* A page in the table by thread pointer, or in an object. */
static int next_own_page(atomc_find_own *find, unsigned long at, struct atomc_own_range *next, int *in_hole) {
    return find && find(at, next, in_hole);
}

/* Finds a range of the analysis side that the program is about to map over. */
int atomc_find_taken(long begin, long end, struct atomc_own_range *taken) {
    struct atomc_own_range ranges[OWN_RANGES];
    int count = own_ranges(ranges);
    for (int i = 0; i < count; i++) {
        *taken = ranges[i];
        if (ranges_overlap(begin, end, (long)taken->begin, (long)taken->end))
            return 1;
    }
    int in_hole;
    return next_own_page(atomc_next_thread_page, (unsigned long)begin, taken, &in_hole) &&
           (long)taken->begin < end;
}

int atomc_next_own(unsigned long at, struct atomc_own_range *next, int *in_hole) {
    struct atomc_own_range ranges[OWN_RANGES + 2];
    int count = own_ranges(ranges), in_object = 0, object = 0;
    count += next_own_page(atomc_next_thread_page, at, &ranges[count], &in_object);
    in_object = 0;
    object = count;
    count += next_own_page(atomc_next_object_page, at, &ranges[count], &in_object);
    *next = (struct atomc_own_range){UINT64_MAX, UINT64_MAX};
    for (int i = 0; i < count; i++) {
        /* Sections of the file are mapped in Alpha's pages where the loader maps them
           (engine/output/loader.c).
 */
        long page = i < ATOMC_OWN_RANGES && PAGE < FILE_PAGE ? FILE_PAGE : PAGE;
        struct atomc_own_range pages = {ranges[i].begin & (uint64_t)-page,
                                        (ranges[i].end + (uint64_t)page - 1) & (uint64_t)-page};
        if (pages.end <= at || pages.begin >= pages.end || pages.begin >= next->begin)
            continue;
        *next = pages;
        *in_hole = i == object ? in_object : i < ATOMC_OWN_RANGES && pages.begin > atomc_image.text_address;
    }
    return next->begin != UINT64_MAX;
}

int atomc_is_before_text(unsigned long begin, unsigned long end) {
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < ATOMC_OWN_RANGES; i++)
        if (atomc_image.own[i].end > 0 && atomc_image.own[i].begin < first)
            first = atomc_image.own[i].begin;
    return begin >= first && end <= atomc_image.text_address;
}
