/* order.c: the order of the sites of all the plan's actions. */
#include <string.h>

#include "engine/select/internal.h"

/* Before the program, outer scopes are first; after the program, they are last. */
void sort_program_sites(struct site_list *sites, bool after, struct arena *scratch) {
    struct arena_mark mark = arena_mark(scratch);
    struct site *sorted = arena_allocate(scratch, sites->count * sizeof *sorted);
    uint32_t next = 0;
    for (int i = PLAN_PROGRAM; i <= PLAN_OBJECT; i++)
        for (uint32_t k = 0; k < sites->count; k++)
            if (sites->list[k].scope == (after ? PLAN_OBJECT - i : i))
                sorted[next++] = sites->list[k];
    if (sites->count)
        memcpy(sites->list, sorted, sites->count * sizeof *sorted);
    arena_release(scratch, mark);
}

static bool goes_before(const struct site *a, const struct site *b) {
    if (a->instruction != b->instruction)
        return a->instruction < b->instruction;
    if (a->point != b->point)
        return a->point < b->point;
    if (a->skips != b->skips)
        return b->skips;
    if (a->scope != b->scope)
        return a->scope < b->scope;
    return a->action->statement < b->action->statement;
}

/* Merges [begin, middle) and [middle, end) of `from`, both sorted, stably. */
static void merge_sites(const struct site *from, struct site *to, size_t begin, size_t middle, size_t end) {
    size_t left = begin, right = middle;
    for (size_t i = begin; i < end; i++)
        to[i] = left < middle && (right >= end || !goes_before(&from[right], &from[left])) ? from[left++]
                                                                                           : from[right++];
}

/* A stable merge sort of natural runs: an action adds its sites almost in order. */
void sort_sites(struct site *sites, size_t count, struct arena *scratch) {
    struct arena_mark mark = arena_mark(scratch);
    size_t *runs = NULL, run_count = 0, capacity = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || goes_before(&sites[i], &sites[i - 1])) {
            ARENA_RESERVE(scratch, runs, run_count + 1, capacity);
            runs[run_count++] = i;
        }
    if (run_count > 1) {
        struct site *other = arena_allocate_unset(scratch, count * sizeof *other), *from = sites, *to = other;
        while (run_count > 1) {
            size_t kept = 0;
            for (size_t i = 0; i < run_count; i += 2) {
                size_t middle = i + 1 < run_count ? runs[i + 1] : count,
                       end = i + 2 < run_count ? runs[i + 2] : count;
                merge_sites(from, to, runs[i], middle, end);
                runs[kept++] = runs[i];
            }
            run_count = kept;
            struct site *swap = from;
            from = to;
            to = swap;
        }
        if (from != sites)
            memcpy(sites, from, count * sizeof *sites);
    }
    arena_release(scratch, mark);
}
