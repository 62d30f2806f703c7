/* children.c: counts and files of a child of fork: its counts start at the fork, and its files have its
   number. Requires that counts can be settled at the fork: no routine is active. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/counts/counts.h"
#include "runtime/report/report.h"

static uint64_t *at_fork;         /* the settled cells; NULL: this process is not a child */
static unsigned long child_count; /* the number of children that this process has made */
static long *children;            /* their processes, as far as they are known */
static unsigned long known_children, children_capacity;
static char *number; /* ".1.2": the second child of the first child; NULL: this is the first
                        process */

const char *atomc_child_number(void) {
    return number ? number : "";
}

void atomc_have_child(long process) {
    child_count++;
    if (process <= 0)
        return;
    if (known_children == children_capacity) {
        unsigned long capacity = 2 * children_capacity + 8;
        long *longer = realloc(children, capacity * sizeof *children);
        if (!longer)
            return;
        children = longer;
        children_capacity = capacity;
    }
    children[known_children++] = process;
}

unsigned long atomc_children(const long **processes) {
    *processes = children;
    return known_children;
}

int atomc_has_children(void) {
    return child_count > 0;
}

/* Adds sums of routines to their variables, because a routine that is called on forks may read and reset
   these variables. */
static void add_sums_so_far(const struct atomc_image *image, const uint64_t *before) {
    const struct atomc_sum *sums = (const struct atomc_sum *)(uintptr_t)image->sums;
    for (uint64_t i = 0; i < image->sum_count; i++)
        *(uint64_t *)(uintptr_t)sums[i].address +=
            at_fork[sums[i].cell] - (before ? before[sums[i].cell] : 0);
}

void atomc_begin_child(const struct atomc_image *image) {
    const struct atomc_fork_range *ranges = (const struct atomc_fork_range *)(uintptr_t)image->fork_ranges;
    char *longer;
    if (asprintf(&longer, "%s.%lu", atomc_child_number(), child_count + 1) < 0)
        abort();
    free(number);
    number = longer;
    child_count = known_children = 0;
    if (!image->fork_range_count && !image->forked_count)
        return;
    uint64_t *before = at_fork;
    if (!(at_fork = atomc_settled_copy(image)))
        abort();
    add_sums_so_far(image, before);
    free(before);
    for (uint64_t i = 0; i < image->fork_range_count; i++)
        for (uint64_t k = 0; !ranges[i].sums && k < ranges[i].count; k++)
            ((uint64_t *)(uintptr_t)image->cells)[ranges[i].first + k] = ranges[i].initial;
}

static void subtract_cells(const struct atomc_image *image, uint64_t *cells) {
    const struct atomc_fork_range *ranges = (const struct atomc_fork_range *)(uintptr_t)image->fork_ranges;
    for (uint64_t i = 0; at_fork && i < image->fork_range_count; i++)
        for (uint64_t k = ranges[i].first; ranges[i].sums && k < ranges[i].first + ranges[i].count; k++)
            cells[k] -= at_fork[k];
}

uint64_t *atomc_cells_since_fork(const struct atomc_image *image) {
    uint64_t *cells = malloc(image->cell_count * sizeof *cells);
    if (!cells)
        return NULL;
    memcpy(cells, (const void *)(uintptr_t)image->cells, image->cell_count * sizeof *cells);
    subtract_cells(image, cells);
    return cells;
}

uint64_t *atomc_settled_since_fork(const struct atomc_image *image) {
    uint64_t *cells = atomc_settled_copy(image);
    if (cells)
        subtract_cells(image, cells);
    return cells;
}

int64_t atomc_count_at_fork(const struct atomc_image *image, uint64_t cell) {
    const struct atomc_fork_range *ranges = (const struct atomc_fork_range *)(uintptr_t)image->fork_ranges;
    for (uint64_t i = 0; at_fork && i < image->fork_range_count; i++)
        if (ranges[i].sums && cell - ranges[i].first < ranges[i].count)
            return (int64_t)at_fork[cell];
    return 0;
}

void atomc_subtract_before_fork(const struct atomc_image *image) {
    const struct atomc_sum *sums = (const struct atomc_sum *)(uintptr_t)image->sums;
    uint64_t *cells = (uint64_t *)(uintptr_t)image->cells;
    subtract_cells(image, cells);
    for (uint64_t i = 0; at_fork && i < image->sum_count; i++)
        cells[sums[i].cell] -= at_fork[sums[i].cell];
    free(at_fork);
    at_fork = NULL;
}
