/* bbv.c: analysis routines of bbv.atd: the lines. */
#include <limits.h>
#include <stdlib.h>

#include "atomc.h"
#include "bbv.h"
#include "decimal.h"
#include "table.h"

/* What an interval has executed is looked for among the blocks of the last intervals, then among others: no
   further than until all its instructions have been found. */
enum { RECENT = 2, USUAL = 1000 }; /* intervals; most numbers of a line are below */
struct recent {
    struct known is;
    struct decimal number; /* of length 0: too long */
    long last;             /* the number of the interval that executed it last */
};
static FILE *file;
static long left;             /* instructions up to the end of the interval */
static struct recent *recent; /* in order */
static long recent_count, now;
static long more;                   /* executed, and not in a line yet */
static struct decimal usual[USUAL]; /* of length 0: not needed yet */

static void begin(void) {
    left = interval;
    more = recent_count = now = 0;
    if (!(file = atomc_begin_file(out)))
        exit(1);
}

void Open(void) {
    recent = for_blocks(sizeof *recent);
    begin_blocks();
    begin();
}

/* A child begins an interval, in a file of its own. */
void Fork(void) {
    begin_child();
    begin();
}

/* Blocks that are not recent have executed so many instructions. They become recent. */
static void add_others(long instructions) {
    int count;
    const struct known *add = find_blocks(instructions, &count, &more);
    const struct recent *at = recent + recent_count;
    struct recent *to = recent + recent_count + count;
    recent_count += count;
    while (count > 0) {
        if (at > recent && at[-1].is.cell > add[count - 1].cell) {
            *--to = *--at;
            continue;
        }
        const struct known *here = &add[--count];
        long number = here->cell - executed + 1;
        *--to = (struct recent){.is = *here};
        if (number < DECIMAL_SHORT)
            to->number = decimal_of(number);
    }
}

/* As write_number. */
static char *write_usual(char *to, long number) {
    if (number < 0 || number >= USUAL)
        return write_number(to, number);
    if (!usual[number].length)
        usual[number] = decimal_of(number);
    return write_decimal(to, usual[number]);
}

/* Threads may have counted more than has passed. It is not looked for in the next interval. */
static void end_interval(void) {
    static char line[8192];
    char *end = line;
    more -= interval - left;
    for (const struct recent *at = recent, *last = recent + recent_count; at < last; at++)
        more += *at->is.cell - at->is.before;
    if (more < 0)
        add_others(-more);
    now++;
    left = interval;
    *end++ = 'T';
    struct recent *kept = recent;
    for (struct recent *at = recent, *last = recent + recent_count; at < last; at++) {
        long count = *at->is.cell, here = count - at->is.before;
        if (here == 0 && now - at->last > RECENT) {
            keep_block(at->is);
            continue;
        }
        if (here != 0) {
            if (end > line + sizeof line - 64) {
                fwrite(line, 1, end - line, file);
                end = line;
            }
            end = at->number.length ? write_decimal(end, at->number)
                                    : write_number(end, at->is.cell - executed + 1);
            end = write_usual(end, here);
            *end++ = ' ';
            at->is.before = count;
            at->last = now;
        }
        if (kept++ < at)
            kept[-1] = *at;
    }
    recent_count = kept - recent;
    *end++ = '\n';
    fwrite(line, 1, end - line, file);
}

/* Instructions have been executed, and counted. */
void Pass(int instructions) {
    left -= instructions;
    if (left <= 0)
        end_interval();
}

void Close(void) {
    for (long i = 0; i < recent_count; i++)
        rebase_block(&recent[i].is);
    end_child();
    add_others(LONG_MAX);
    if (left < interval)
        end_interval();
    atomc_end_file();
}
