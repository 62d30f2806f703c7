/* memsys.c: analysis routines of memsys.atd. */
#include "lru.h"
#include "table.h"

enum memory { ICACHE, ITB, DCACHE, DTB, MEMORIES };
static struct lru memories[MEMORIES];
static unsigned long last_unit[2]; /* the last line fetched from, and the last page, plus one */
static long penalty, fill;
static int count;
static struct procedure {
    long instructions, loads, stores, misses[MEMORIES], cycles;
    const char *name, *file;
} * procedures;

void Init(int procedure_count, int miss_cycles, int fill_cycles) {
    count = procedure_count;
    penalty = miss_cycles;
    fill = fill_cycles;
    procedures = zeroed(count + 1, sizeof *procedures);
}

void Memory(int number, long size, long line, long ways) {
    lru_init(&memories[number], size, line, ways);
}

void Execute(int procedure, int instructions) {
    procedures[procedure].instructions += instructions;
}

static void refer(int procedure, enum memory number, unsigned long address) {
    unsigned long gone;
    if (lru_hit(&memories[number], address, 0))
        return;
    lru_bring(&memories[number], address, 0, &gone);
    procedures[procedure].misses[number]++;
}

void Fetch(int procedure, unsigned long pc) {
    for (int number = ICACHE; number <= ITB; number++) {
        unsigned long unit = pc / memories[number].line + 1;
        if (unit != last_unit[number])
            refer(procedure, number, pc);
        last_unit[number] = unit;
    }
}

void Access(int procedure, unsigned long address, int store) {
    procedures[procedure].loads += !store;
    procedures[procedure].stores += store;
    refer(procedure, DCACHE, address);
    refer(procedure, DTB, address);
}

void Procedure(int number, const char *name, const char *file) {
    struct procedure *procedure = &procedures[number];
    procedure->name = name;
    procedure->file = file;
    procedure->cycles = procedure->instructions +
                        penalty * (procedure->misses[ICACHE] + procedure->misses[DCACHE]) +
                        fill * (procedure->misses[ITB] + procedure->misses[DTB]);
}

static int most_first(const void *left, const void *right) {
    const struct procedure *a = left, *b = right;
    return a->cycles != b->cycles ? (a->cycles < b->cycles ? 1 : -1) : strcmp(a->name, b->name);
}

void Print(const char *out) {
    long all = 0;
    for (int i = 0; i < count; i++)
        all += procedures[i].cycles;
    qsort(procedures, count, sizeof *procedures, most_first);
    atomc_begin_table("memsys", out,
                      "'Procedure|'Source|#Cycles|.Share|#Instructions|#Loads|#Stores|#I misses|#ITB misses|"
                      "#D misses|#DTB misses");
    for (const struct procedure *p = procedures; p < procedures + count && p->cycles > 0; p++)
        atomc_add_row((long)p->name, p->file, p->cycles, (20000 * p->cycles + all) / (2 * all),
                      p->instructions, p->loads, p->stores, p->misses[ICACHE], p->misses[ITB],
                      p->misses[DCACHE], p->misses[DTB]);
    atomc_end_table();
}
