/* routines.c: analysis routines as people write them, for calls.sh: however they are called, the results are the
   same. Each prints what it has found at the end. */
#include <stdio.h>
#include <stdlib.h>

#define PLACES 4096

/* ---- counters of every width ---- */
static unsigned char bytes[256];
static signed char signed_bytes[256];
static unsigned short shorts[256];
static short signed_shorts[256];
static int ints[256];
static unsigned unsigned_ints[256];
static long longs[256];
static unsigned long total, hash;

void Widths(int n, long addr) {
    bytes[n & 255]++;
    signed_bytes[addr >> 3 & 255] -= 3;
    shorts[n & 255] += n;
    signed_shorts[addr & 255]--;
    ints[n & 255] += addr;
    unsigned_ints[addr >> 2 & 255] += n;
    longs[n & 255] ^= addr;
    total += addr;
}

/* ---- taken or not ---- */
struct branch {
    long taken, untaken;
    const char *name;
};
static struct branch *branches;
static int branch_count;
void Prepare(int count) {
    branch_count = count;
    branches = calloc(count + 1, sizeof *branches);
}
void Outcome(int n, int taken) {
    if (taken)
        branches[n].taken++;
    else
        branches[n].untaken++;
}
void Named(int n, const char *name, long taken) {
    if (!branches[n].name)
        branches[n].name = name;
    branches[n].taken += 2 * taken;
}

/* ---- predictors ---- */
static unsigned char two_bit[256];
static int two_bit_int[256];
static long wrong, wrong_int, wrong_history;
void TwoBit(unsigned long pc, int taken) {
    unsigned i = pc >> 2 & 255;
    if ((two_bit[i] >= 2) != taken)
        wrong++;
    if (taken) {
        if (two_bit[i] < 3)
            two_bit[i]++;
    } else if (two_bit[i] > 0) {
        two_bit[i]--;
    }
}
void TwoBitInt(unsigned long pc, int taken) {
    int *state = &two_bit_int[pc / 4 % 256];
    if (taken != (*state > 1))
        wrong_int++;
    if (taken && *state < 3)
        ++*state;
    else if (!taken && *state > 0)
        --*state;
}
static unsigned history;
static signed char pattern[1024];
void Gshare(unsigned long pc, int taken) {
    unsigned i = (pc >> 2 ^ history) & 1023;
    if (taken != (pattern[i] >= 0))
        wrong_history++;
    if (taken && pattern[i] < 1)
        pattern[i]++;
    if (!taken && pattern[i] > -2)
        pattern[i]--;
    history = history << 1 | taken;
}

/* ---- caches ---- */
static unsigned long tags[256], references, misses;
void Cache(unsigned long addr) {
    unsigned long line = addr >> 5;
    references++;
    if (tags[line & 255] != line) {
        tags[line & 255] = line;
        misses++;
    }
}
static struct {
    unsigned long tag[2];
    char last;
} sets[128];
static long set_misses, reads, writes;
void TwoWays(unsigned long addr, int is_store) {
    unsigned long line = addr / 64, s = line % 128;
    if (is_store)
        writes++;
    else
        reads++;
    if (sets[s].tag[0] == line) {
        sets[s].last = 0;
        return;
    }
    if (sets[s].tag[1] == line) {
        sets[s].last = 1;
        return;
    }
    set_misses++;
    sets[s].last = !sets[s].last;
    sets[s].tag[(int)sets[s].last] = line;
}

/* ---- least and greatest, and others without a branch ---- */
static long least = 1L << 62, greatest = -1, distance, last_addr;
static unsigned low_half, high_half;
void Extremes(long addr, int size) {
    if (addr < least)
        least = addr;
    if (addr + size > greatest)
        greatest = addr + size;
    long apart = addr > last_addr ? addr - last_addr : last_addr - addr;
    distance = apart > distance ? apart : distance;
    last_addr = addr;
    low_half += (unsigned)addr;
    high_half ^= (unsigned)(addr >> 32);
}
static long early[4];
void Early(int n, long addr, int size) {
    if (size < 4)
        return;
    early[0]++;
    if (addr & 7) {
        early[1] += size;
        if (n % 2 == 0)
            return;
        early[2]++;
    }
    switch (size) {
    case 8:
        early[3] += n;
        break;
    case 4:
        early[3] -= n;
    }
}

/* ---- rare ways that call ---- */
struct entry {
    struct entry *next;
    unsigned long key;
    long count;
};
static struct entry *table[64], *recent;
static long searches;
static struct entry *find(unsigned long key) {
    struct entry *entry;
    searches++;
    for (entry = table[key % 64]; entry; entry = entry->next)
        if (entry->key == key)
            return entry;
    entry = calloc(1, sizeof *entry);
    entry->key = key;
    entry->next = table[key % 64];
    return table[key % 64] = entry;
}
void Page(unsigned long addr) {
    unsigned long key = addr >> 13;
    if (!recent || recent->key != key)
        recent = find(key);
    recent->count++;
}
static long *buffer, fill, drained;
static void drain(void) {
    for (long i = 0; i < fill; i++)
        drained = drained * 31 + buffer[i];
    fill = 0;
}
void Buffered(long addr) {
    if (!buffer)
        buffer = malloc(1024 * sizeof *buffer);
    if (fill == 1024)
        drain();
    buffer[fill++] = addr;
}
/* A slow path with a loop, where something is counted before; and a slow path after a condition. */
static unsigned long recent_line, recent_lines[4], recent_page, moved_pages[2];
static long recents, recent_misses, page_switches, page_times[16], page_clock;
static void find_recent(unsigned long line) {
    int i = 0;
    while (i < 3 && recent_lines[i] != line)
        i++;
    recent_misses += i == 3;
    for (; i > 0; i--)
        recent_lines[i] = recent_lines[i - 1];
    recent_lines[0] = recent_line = line;
}
void Recent(unsigned long addr) {
    recents++;
    if (recent_line != addr / 32)
        find_recent(addr / 32);
}
static __attribute__((noinline)) void move_page(unsigned long page) {
    moved_pages[page & 1] += page;
    recent_page = page;
}
void Switch(unsigned long addr) {
    unsigned long page = addr / 512;
    page_switches++;
    if (page == recent_page)
        return;
    if (page % 32 >= 16) {
        move_page(page);
        return;
    }
    page_times[page % 16] = ++page_clock;
    recent_page = page;
}
void Checked(long addr, int size) {
    if (size > 16) {
        fprintf(stderr, "size %d\n", size);
        abort();
    }
    hash ^= addr;
}

/* Slow paths that only call: sites call what they do, with arguments in other places, constants, and what they
   have computed themselves. Kept and Crowded are called as they are: one has stored before, the other passes
   what is on the stack. */
static struct spot {
    unsigned long key, times;
} spots[256], kept[16], crowded[16];
static long spot_sum, spot_moves, kept_sum, crowded_sum;
static void __attribute__((noipa)) move_spot(struct spot *spot, unsigned long key, int number, long weight) {
    spot_sum = spot_sum * 7 + (spot - spots) + 3 * number + weight + spot->times;
    if (++spot_moves % 512 == 0)
        printf("moved %ld %lx\n", spot_moves, spot_sum);
    *spot = (struct spot){key, 1};
}
void Spot(int number, unsigned long addr) {
    struct spot *spot = &spots[addr / 8 % 256];
    if (spot->key == addr)
        spot->times++;
    else
        move_spot(spot, addr, number, 5);
}
static void __attribute__((noipa)) move_kept(struct spot *spot, unsigned long key) {
    kept_sum = kept_sum * 3 + spot->times;
    spot->key = key;
}
void Kept(unsigned long addr) {
    struct spot *spot = &kept[addr / 64 % 16];
    spot->times += addr & 7;
    if (spot->key != addr / 64)
        move_kept(spot, addr / 64);
}
static void __attribute__((noipa)) move_crowded(struct spot *spot, long a, long b, long c, long d, long e, long f, long g) {
    crowded_sum += (spot - crowded) + a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
    spot->key = g;
}
void Crowded(unsigned long addr, int size) {
    struct spot *spot = &crowded[addr / 32 % 16];
    if (spot->key == addr / 32)
        spot->times++;
    else
        move_crowded(spot, 1, size, 2, size, 3, addr, addr / 32);
}

/* ---- many arguments, narrow ones, a loop, floating point ---- */

void Many(int a, long b, unsigned char c, short d, unsigned e, long f, long g, int h) {
    hash = hash * 5 + a + b + c + d + e + f + 3 * g + h;
}
static long bits;
void Loop(unsigned long addr) {
    for (; addr; addr &= addr - 1)
        bits++;
}
static double sum;
void Floating(long addr) {
    sum += addr & 255;
}
static long weight[256], divided;
void Divides(long addr, int size) {
    divided += addr % size;
    weight[addr / 3 & 255]++;
}

static unsigned long digest(const void *bytes, unsigned long size) {
    const unsigned char *at = bytes;
    unsigned long result = 5381;
    while (size--)
        result = result * 33 + *at++;
    return result;
}
void Print(void) {
    printf("\nwidths %lx %lx %lx %lx %lx %lx %lx %lx\n", digest(bytes, sizeof bytes),
           digest(signed_bytes, sizeof signed_bytes), digest(shorts, sizeof shorts),
           digest(signed_shorts, sizeof signed_shorts), digest(ints, sizeof ints),
           digest(unsigned_ints, sizeof unsigned_ints), digest(longs, sizeof longs), total);
    unsigned long taken = 0, untaken = 0, names = 0;
    for (int i = 0; i < branch_count; i++) {
        taken = taken * 7 + branches[i].taken;
        untaken = untaken * 7 + branches[i].untaken;
        names += branches[i].name != 0;
    }
    printf("branches %lx %lx %ld\n", taken, untaken, names);
    printf("predictors %ld %ld %ld %lx %lx %lx %x\n", wrong, wrong_int, wrong_history, digest(two_bit, sizeof two_bit),
           digest(two_bit_int, sizeof two_bit_int), digest(pattern, sizeof pattern), history);
    printf("caches %ld %ld %lx; %ld %ld %ld %lx\n", references, misses, digest(tags, sizeof tags), reads, writes,
           set_misses, digest(sets, sizeof sets));
    printf("extremes %lx %lx %lx %x %x; early %ld %ld %ld %ld\n", least, greatest, distance, low_half, high_half,
           early[0], early[1], early[2], early[3]);
    unsigned long pages = 0;
    for (int i = 0; i < 64; i++)
        for (struct entry *entry = table[i]; entry; entry = entry->next)
            pages = pages * 3 + entry->key * entry->count;
    drain();
    printf("recent %ld %ld %lx; switches %ld %ld %lx %lx\n", recents, recent_misses,
           digest(recent_lines, sizeof recent_lines), page_switches, page_clock, digest(page_times, sizeof page_times),
           digest(moved_pages, sizeof moved_pages));
    printf("spots %lx %ld %lx; kept %lx %lx; crowded %lx %lx\n", spot_sum, spot_moves, digest(spots, sizeof spots), kept_sum,
           digest(kept, sizeof kept), crowded_sum, digest(crowded, sizeof crowded));
    printf("pages %lx %ld; buffer %lx\n", pages, searches, drained);
    printf("many %lx; loop %ld; floating %.0f; divides %ld %lx\n", hash, bits, sum, divided,
           digest(weight, sizeof weight));
}
