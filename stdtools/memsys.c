/* memsys.c: analysis routines of memsys.atd. References to the most recently used lines of their sets, and to
   the most recently used page, need no change: the sites test for these cases. */
#include "atomc.h"
#include "configuration.h"

#include "buffer.h"

enum { ICACHE, ITB, DCACHE, DTB, MEMORIES };
enum {
    IWAYS = iways ? iways : isize / iline,
    ISETS = isize / iline / IWAYS,
    DWAYS = dways ? dways : dsize / dline,
    DSETS = dsize / dline / DWAYS,
    GRAIN = dline <= 64 && (long)DSETS * dline <= 1 << 19 ? 8 : dline
};
static unsigned long recent_code[ISETS], recent_data[DSETS * (dline / GRAIN)]; /* the latter by quadword */
static unsigned long *code_sets, *data_sets;
static struct buffer code_pages, data_pages;
static struct profile {
    long misses[MEMORIES], cycles, instructions, loads, stores;
    const char *name, *file;
} * profiles;
static int profile_count;

static void set_recent_data(unsigned long address, unsigned long number) {
    unsigned long first = address % (DSETS * dline) / dline * (dline / GRAIN);
    for (int i = 0; i < dline / GRAIN; i++)
        recent_data[first + i] = number;
}

void Init(int procedures) {
    profile_count = procedures;
    profiles = zeroed(procedures + 1, sizeof *profiles);
    code_sets = zeroed(ISETS * IWAYS, sizeof *code_sets);
    data_sets = zeroed(DSETS * DWAYS, sizeof *data_sets);
    recent_code[0] = ~0ul;
    set_recent_data(0, ~0ul);
    make_buffer(&code_pages, itb, 0);
    make_buffer(&data_pages, dtb, 0);
}

static void fetch_line(int procedure, unsigned long number) {
    unsigned long gone;
    profiles[procedure].misses[ICACHE] +=
        !use_line(code_sets + number % ISETS * IWAYS, IWAYS, number, 0, 1, &gone);
    recent_code[number % ISETS] = number;
}

/* Called where the line may differ from that of the previous instruction, unless sets have one line.
 */
void FetchLine(int procedure, unsigned long pc) {
    if (recent_code[pc / iline % ISETS] != pc / iline)
        fetch_line(procedure, pc / iline);
}

/* Called where the page may differ. */
void FetchPage(int procedure, unsigned long pc) {
    unsigned long number = pc / page;
    if (number != code_pages.last && !use_first(&code_pages, number))
        profiles[procedure].misses[ITB] += !use_page(&code_pages, number);
}

/* The lines of a direct-mapped cache are the most recently used ones of their sets. */
static void access_line(int procedure, unsigned long address) {
    unsigned long number = address / dline, gone;
    profiles[procedure].misses[DCACHE] +=
        DWAYS == 1 || !use_line(data_sets + number % DSETS * DWAYS, DWAYS, number, 0, 1, &gone);
    set_recent_data(address, number);
}

void AccessLine(int procedure, unsigned long address) {
    if (recent_data[address % (DSETS * dline) / GRAIN] != address / dline)
        access_line(procedure, address);
}

void AccessPage(int procedure, unsigned long address) {
    unsigned long number = address / page;
    if (number != data_pages.last && !use_first(&data_pages, number))
        profiles[procedure].misses[DTB] += !use_page(&data_pages, number);
}

void Forget(void) {
    memset(profiles, 0, profile_count * sizeof *profiles);
}

static int most_first(const void *left, const void *right) {
    const struct profile *a = left, *b = right;
    return a->cycles != b->cycles ? (a->cycles < b->cycles ? 1 : -1) : strcmp(a->name, b->name);
}

void Print(const char *out_file, int count, const char *const *names, const char *const *files,
           const long *instructions, const long *loads, const long *stores, const long *code_misses) {
    long all = 0;
    int shown = 0;
    for (int i = 0; i < count; i++) {
        struct profile *p = &profiles[i];
        if (!(instructions[i] | code_misses[i] | p->misses[ICACHE] | p->misses[DCACHE] | p->misses[ITB] |
              p->misses[DTB]))
            continue; /* as most */
        p->name = names[i];
        p->file = files[i];
        p->instructions = instructions[i];
        p->loads = loads[i];
        p->stores = stores[i];
        p->misses[ICACHE] += code_misses[i];
        p->cycles = p->instructions + penalty * (p->misses[ICACHE] + p->misses[DCACHE]) +
                    fill * (p->misses[ITB] + p->misses[DTB]);
        all += p->cycles;
        if (p->cycles > 0)
            profiles[shown++] = *p;
    }
    qsort(profiles, shown, sizeof *profiles, most_first);
    atomc_begin_table(
        "memsys", out_file,
        "'Procedure|'Source|#Cycles|.Percent|#Instructions|#Loads|#Stores|#I misses|#ITB misses|"
        "#D misses|#DTB misses");
    for (const struct profile *p = profiles; p < profiles + shown; p++)
        atomc_add_row((long)p->name, p->file, p->cycles, (20000 * p->cycles + all) / (2 * all),
                      p->instructions, p->loads, p->stores, p->misses[ICACHE], p->misses[ITB],
                      p->misses[DCACHE], p->misses[DTB]);
    atomc_end_table();
    struct configuration of = {.length = 0};
    configure(&of, "I ");
    configure_cache(&of, isize, iline, iways);
    configure(&of, "; D ");
    configure_cache(&of, dsize, dline, dways);
    configure(&of, "; ITB %d, DTB %d pages; a miss %d cycles, of a buffer %d", itb, dtb, penalty, fill);
    atomc_announce("memsys: %s", of.text);
}
