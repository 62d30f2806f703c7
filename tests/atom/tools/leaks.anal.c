/* leaks.anal.c: the routines of leaks.inst.c; blocks are in a table by address, twice as large when it is half full. */
#include <stdio.h>
#include <stdlib.h>
static struct block { long at, size; } *table;
static long room, kept, depth, blocks, bytes, left, left_bytes, size, old, result;
static int what;

static struct block *find(long at)
{
    long k = at / 16 % room;
    while (table[k].at && table[k].at != at) k = (k + 1) % room;
    return &table[k];
}

static grow()
{
    struct block *before = table; long n = room, k;
    room = room ? 2 * room : 1024;
    table = (struct block *)calloc(room, sizeof *table);
    for (kept = k = 0; k < n; k++) if (before[k].at) { *find(before[k].at) = before[k]; kept++; }
    if (before) free(before);
}

static release(long at)
{
    struct block *block = at && room ? find(at) : 0;
    if (block && block->at && block->size >= 0) { left--; left_bytes -= block->size; block->size = -1; }
}

Enter(int k, long first, long second)
{
    if (depth++) return;
    what = k;
    size = k == 0 ? first : k == 1 ? first * second : second;
    old = k >= 2 ? first : 0;
    result = 0;
}

Result(long value) { if (depth == 1) result = value; }

Leave()
{
    struct block *block;
    if (--depth) return;
    if (what == 3) { release(old); return; }
    if (!result) return; /* or it goes on in another, which counts */
    blocks++;
    bytes += size;
    release(old);
    if (2 * kept >= room) grow();
    block = find(result);
    if (!block->at) kept++;
    block->at = result;
    block->size = size;
    left++;
    left_bytes += size;
}

Print()
{
    FILE *file = fopen("leaks.out", "w");
    fprintf(file, "%ld %ld %ld %ld\n", blocks, bytes, left, left_bytes);
    fclose(file);
}
