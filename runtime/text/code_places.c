/* code_places.c: the addresses at which the program may have code that it generates. The copies look
   addresses up by their low 32 bits. So code must not be at an address for which the lookup would find memory
   of the analysis side, or the program's segments. Compiled without floating-point registers. */
#define _GNU_SOURCE
#include <elf.h>
#include <sys/mman.h>

#include "runtime/text/text.h"

/* The program's segments, and its heap, which may grow up to any address after them. Lookups of landings may
   end there, too: they add up to 4 GB and the distance of the map of landings. */
static struct atomc_own_range image;

static void find_image(const Elf64_Phdr *header, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (header[i].p_type == PT_LOAD && (!image.end || header[i].p_vaddr < image.begin))
            image = (struct atomc_own_range){header[i].p_vaddr, INT64_MAX};
}

static int ends_in_image(long end, struct atomc_own_range *taken) {
    const uint64_t four_gigabytes = UINT64_C(1) << 32, last = four_gigabytes + atomc_image.layout.landings;
    if (image.begin < four_gigabytes || image.begin >= last || end <= (long)image.begin)
        return 0;
    *taken = (struct atomc_own_range){image.begin, last};
    return 1;
}

/* For addresses beyond 32 bits in this range: the mapping at which lookups of such code would end, in the map
   of the text, or in the map of landings. For code outside of the text, the address of the lookup must be
   unmapped: then the lookup faults, and the runtime makes the jump unchanged. Returns the next possible
   address for code; 0 if code may be anywhere in the range. */
long atomc_find_conflict(long begin, long length, struct atomc_own_range *taken, long *conflict) {
    if (!LOOKS_UP_BY_LOW_HALF)
        return atomc_find_lookup_conflict(begin, length, taken, conflict);
    const uint64_t landings = atomc_image.text_map + atomc_image.layout.landings;
    const long four_gigabytes = 1L << 32;
    int has_landings = 0;
    for (int i = 0; i < ATOMC_OWN_RANGES; i++)
        has_landings |= atomc_image.own[i].begin == landings;
    for (long high = begin & -four_gigabytes; high < begin + length; high += four_gigabytes) {
        long first = begin > high ? begin - high : 0;
        long last = begin + length - high < four_gigabytes ? begin + length - high : four_gigabytes;
        for (int i = 0; i < 1 + has_landings; i++) {
            long added = i * (long)atomc_image.layout.landings;
            if (!atomc_find_taken(first + added, last + added, taken) && !ends_in_image(last + added, taken))
                continue;
            *conflict = high + (long)taken->begin - added;
            return high + (long)taken->end - added;
        }
    }
    return 0;
}

static int are_stacks_code; /* stacks of threads that the program will make */

void atomc_prepare_code(void) {
    const Elf64_Phdr *header = (const Elf64_Phdr *)atomc_image.program_headers;
    find_image(header, atomc_image.program_header_count);
    are_stacks_code = 1; /* the default on Alpha */
    for (uint64_t i = 0; i < atomc_image.program_header_count; i++)
        if (header[i].p_type == PT_GNU_STACK)
            are_stacks_code = (header[i].p_flags & PF_X) != 0;
}

void atomc_stacks_are_code(void) {
    are_stacks_code = 1;
}

/* Memory that is code from the start, or reserved memory whose use is determined later: a stack after its
   guard, or code that is compiled at run time. */
int atomc_may_become_code(const long *a) {
    return !atomc_image.text_runs && a[1] > 0 && !(a[3] & MAP_FIXED) &&
           (a[2] & PROT_EXEC || (a[2] == PROT_NONE && (are_stacks_code || !(a[3] & MAP_STACK))));
}

static int is_mapping_result(long result) {
    return result >= 0 || result < -4095;
}

/* The next address for code above or below; 0 if there is none. */
static long next_place(long place, long length, int is_above) {
    enum { STEPS = 64 };
    struct atomc_own_range taken;
    long begin = 0, end;
    for (int i = 0; i < STEPS && place > 0; i++) {
        if (!(end = atomc_find_conflict(place, length, &taken, &begin)))
            return place;
        place = is_above ? (end + FILE_PAGE - 1) & -FILE_PAGE : (begin - length) & -FILE_PAGE;
    }
    return 0;
}

/* The program's mmap. If memory that may become code cannot be at the address that the kernel has chosen,
   it is moved to a possible address nearby, or, if much is in use there, farther and farther away. Kernels
   allocate upwards or downwards: the following addresses may be in use. Each search also looks beside the
   place that the last one has found: the kernel may choose the same address again and again. */
long atomc_map_program(const long *a) {
    enum { TRIES = 96, NEAR_TRIES = 16, WAYS = 3 };
    static long last;
    long result = RAW(CALL_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (!atomc_may_become_code(a))
        return result;
    for (int i = 0; i < TRIES && is_mapping_result(result) && next_place(result, a[1], 0) != result; i++) {
        int step = i / WAYS;
        long distance = step < NEAR_TRIES ? step * a[1] : (long)NEAR_TRIES * a[1] << (step - NEAR_TRIES);
        long place = i % WAYS == 0   ? next_place(result - distance, a[1], 0)
                     : i % WAYS == 1 ? next_place(result + distance, a[1], 1)
                                     : next_place(last - a[1] - distance, a[1], 0);
        if (!place)
            continue;
        RAW(CALL_munmap, result, a[1], 0, 0, 0, 0);
        result = RAW(CALL_mmap, place, a[1], a[2], a[3], a[4], a[5]);
        if (result == place)
            last = place;
    }
    return is_mapping_result(result) ? result : RAW(CALL_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
}
