/* bbv.c: analysis routines of bbv.atd: they write the lines. */
#include <limits.h>
#include <stdlib.h>

#include "atomc.h"
#include "bbv.h"
#include "bbv_text.h"
#include "table.h"

/* The blocks that an interval has executed are searched among the groups of recent intervals, then among all
   others, until all of the interval's instructions have been found. */
enum { RECENT = 2, USUAL = 1000 }; /* intervals; most numbers of a line are below */
static FILE *file;
static long left;            /* instructions up to the end of the interval */
static struct group *recent; /* in order */
static long recent_count, now;
static long more; /* executed, and not in a line yet */

static void begin(void) {
    left = interval;
    more = recent_count = now = 0;
    if (!(file = atomc_begin_file(out)) &&
        !(file = fopen("/dev/null", "w"))) /* an error has been reported; the program continues */
        exit(1);
}

/* ---- text ---------------------------------------------------------------------------------------------- */

static struct text *numbers;     /* numbers of blocks, in the output format */
static struct text usual[USUAL]; /* each followed by a blank */
static unsigned long line[1024];
enum { MOST_OF_GROUP = 2 * GROUP * (1 + 20) / sizeof(long) + 2 }; /* words, with a newline */

static inline void add_number(struct writing *at, long block) {
    if (block >= SHORT)
        *at = add_long(*at, block, "");
    else
        add_text(at, numbers[block].bits ? numbers[block] : make_text(&numbers[block], block, ""));
}

/* Most counts are frequent ones; in long intervals few blocks have other counts. */
static __attribute__((noinline)) struct writing add_unusual(struct writing at, long count) {
    if ((unsigned long)count >= SHORT)
        return add_long(at, count, " ");
    add_text(&at, text_of(count, ""));
    add_text(&at, (struct text){' ', 8});
    return at;
}

static inline void add_count(struct writing *at, long count) {
    if ((unsigned long)count >= USUAL)
        *at = add_unusual(*at, count);
    else
        add_text(at, usual[count].bits ? usual[count] : make_text(&usual[count], count, " "));
}

static struct writing write_words(struct writing at) {
    fwrite(line, sizeof *line, at.to - line, file);
    return (struct writing){line, at.rest};
}

/* ---- intervals ----------------------------------------------------------------------------------------- */

void Open(void) {
    recent = for_blocks(sizeof *recent / GROUP);
    numbers = for_blocks(sizeof *numbers);
    begin_groups();
    begin();
}

/* A child starts an interval, in its own file. */
void Fork(void) {
    begin_child();
    begin();
}

/* Groups that are not recent have executed this many instructions. They become recent. */
static void add_others(long instructions) {
    long count;
    const struct group *add = find_groups(instructions, &count, &more);
    const struct group *at = recent + recent_count;
    struct group *to = recent + recent_count + count;
    recent_count += count;
    while (count > 0)
        *--to = at > recent && at[-1].first > add[count - 1].first ? *--at : add[--count];
}

/* The part of the group's counts that is in no line yet. */
static inline struct writing add_group(struct writing at, struct group *group) {
    const volatile long *cells = group->cells;
    long *before = written + group->first, sum = 0;
    if (at.to > line + sizeof line / sizeof *line - MOST_OF_GROUP)
        at = write_words(at);
#pragma GCC unroll 8
    for (int i = 0; i < GROUP; i++) {
        long count = cells[i], here = count - before[i];
        if (here == 0)
            continue;
        before[i] = count;
        sum += here;
        group->last = now;
        add_number(&at, group->first + i + 1);
        add_count(&at, here);
    }
    group->written += sum;
    return at;
}

/* Threads may have counted more instructions than the interval has. The next interval does not search for
   this group. */
static void end_interval(void) {
    look_at_cells();
    more -= interval - left;
    for (const struct group *at = recent, *end = recent + recent_count; at < end; at++)
        more += sum_of(at->cells) - at->written;
    if (more < 0)
        add_others(-more);
    now++;
    left = interval;
    struct writing to = {line, {'T', 8}};
    struct group *kept = recent;
    for (struct group *at = recent, *end = recent + recent_count; at < end; at++) {
        to = add_group(to, at);
        if (now - at->last > RECENT)
            keep_group(*at);
        else if (kept++ < at)
            kept[-1] = *at;
    }
    recent_count = kept - recent;
    add_text(&to, (struct text){'\n', 8});
    to = write_words(to);
    fwrite(&to.rest.bytes, 1, to.rest.bits / 8, file);
}

/* Instructions have been executed, and counted. */
void Pass(int instructions) {
    left -= instructions;
    if (left <= 0)
        end_interval();
}

void Close(void) {
    for (long i = 0; i < recent_count; i++)
        rebase_group(&recent[i]);
    end_child();
    look_at_cells();
    add_others(LONG_MAX);
    if (left < interval)
        end_interval();
    atomc_end_file();
}
