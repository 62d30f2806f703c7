/* replay.c: what the stock tools should report, worked out again from the oracle's record of the
   uninstrumented program. Requires on standard input the execution= stream of oracle.c; simple rather than
   fast, and nothing of stdtools/. */

/* Use: replay MODE [NAME=VALUE...] <STREAM
   - cache  size= line= ways= allocate= writeback= size2= line2= ways2=: what cache and dtb say
   - fetch  size= line= ways= size2= line2= ways2=: what icache and itb say
   - heap: what dynmem says; with histogram=1: what malloc says
   - arcs: what gprof says
   - edges: what callgraph says: CALLER,CALLEE calls
   - calls: what hiprof says
   - branches  entries=: what two-bit counters make of the branches: PC executed missed
   - values  kind= entries=: what values says (replay_values.c)
   - bbv  blocks= interval=: what bbv says (replay_blocks.c)
   - din: the addresses in Dinero's form
   procedures=FILE: lines ADDRESS <tab> NAME in ascending order. cache and fetch print a line for each level,
   then one for each procedure, in the tools' columns. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

static struct record current;
struct procedure *procedures;
int procedure_count;

/* ---- arguments and input -------------------------------------------------------------------------------- */

static char **arguments;

const char *text_option(const char *name, const char *otherwise) {
    size_t length = strlen(name);
    for (char **argument = arguments; *argument; argument++)
        if (strncmp(*argument, name, length) == 0 && (*argument)[length] == '=')
            return *argument + length + 1;
    return otherwise;
}

uint64_t option(const char *name, uint64_t otherwise) {
    const char *text = text_option(name, NULL);
    return !text                        ? otherwise
           : strcmp(text, "true") == 0  ? 1
           : strcmp(text, "false") == 0 ? 0
                                        : strtoull(text, NULL, 0);
}

void *again(void *memory, size_t size) {
    memory = realloc(memory, size);
    if (!memory)
        abort();
    return memory;
}

static void read_procedures(void) {
    const char *path = text_option("procedures", NULL);
    FILE *file = path ? fopen(path, "r") : NULL;
    unsigned long pc;
    char name[65536];
    while (file && fscanf(file, "%lx %65535s", &pc, name) == 2) {
        procedures = again(procedures, (procedure_count + 1) * sizeof *procedures);
        procedures[procedure_count++] = (struct procedure){.pc = pc, .name = strdup(name)};
    }
    if (!file || procedure_count == 0) {
        fprintf(stderr, "replay: no procedures\n");
        exit(2);
    }
    fclose(file);
}

int procedure_at(uint64_t pc) {
    int low = 0, high = procedure_count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (procedures[middle].pc <= pc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int *whole_procedures;

void find_whole_procedures(void) {
    whole_procedures = again(NULL, procedure_count * sizeof *whole_procedures);
    for (int i = 0; i < procedure_count; i++) {
        char *cold = strstr(procedures[i].name, ".cold");
        whole_procedures[i] = i;
        for (int k = 0; cold && k < procedure_count; k++)
            if (strlen(procedures[k].name) == (size_t)(cold - procedures[i].name) &&
                strncmp(procedures[k].name, procedures[i].name, cold - procedures[i].name) == 0)
                whole_procedures[i] = k;
    }
}

const struct record *next_record(void) {
    return fread(&current, sizeof current, 1, stdin) == 1 ? &current : NULL;
}

unsigned opcode_of(const struct record *record) {
    return record->word >> 26;
}
bool is_store(const struct record *record) {
    unsigned opcode = opcode_of(record);
    return (opcode >= 0x0d && opcode <= 0x0f) || (opcode >= 0x24 && opcode <= 0x27) || opcode >= 0x2c;
}
bool is_memory(const struct record *record) {
    unsigned opcode = opcode_of(record);
    bool any = (opcode >= 0x0a && opcode <= 0x0f) || (opcode >= 0x20 && opcode <= 0x2f);
    return any && (is_store(record) || (record->word >> 21 & 31) != 31);
}
uint64_t data_address(const struct record *record) {
    unsigned opcode = opcode_of(record);
    return opcode == 0x0b || opcode == 0x0f ? record->address & ~UINT64_C(7) : record->address;
}

/* ---- caches: every line of a set has the time of its last use; what was ever seen is a sorted list ------- */

struct line {
    bool valid, dirty;
    uint64_t number, used;
};
static struct {
    uint64_t line, sets, ways;
    struct line *lines;
    uint64_t references[2], misses[2], compulsory, written;
    uint64_t *seen, seen_count;
} caches[2];
static uint64_t now;
static bool allocates, writes_back;

static void make_cache(int level, uint64_t size, uint64_t line, uint64_t ways) {
    if (size == 0)
        return;
    caches[level].line = line;
    caches[level].ways = ways ? ways : size / line;
    caches[level].sets = size / line / caches[level].ways;
    caches[level].lines = calloc(size / line, sizeof(struct line));
}

static bool new_line(int level, uint64_t number) {
    uint64_t *seen = caches[level].seen, low = 0, high = caches[level].seen_count;
    while (low < high)
        if (seen[(low + high) / 2] < number)
            low = (low + high) / 2 + 1;
        else
            high = (low + high) / 2;
    if (low < caches[level].seen_count && seen[low] == number)
        return false;
    caches[level].seen = seen = again(seen, (caches[level].seen_count + 1) * sizeof *seen);
    memmove(seen + low + 1, seen + low, (caches[level].seen_count++ - low) * sizeof *seen);
    seen[low] = number;
    return true;
}

/* Returns whether it missed; *below: whether the level below missed what was asked of it for this access. */
static bool reference(int level, uint64_t address, bool store, bool *below) {
    if (level > 1 || caches[level].line == 0)
        return false;
    uint64_t number = address / caches[level].line;
    struct line *set = caches[level].lines + number % caches[level].sets * caches[level].ways, *victim = set;
    bool first = new_line(level, number), ignored;
    caches[level].references[store]++;
    now++;
    for (struct line *line = set; line < set + caches[level].ways; line++) {
        if (line->valid && line->number == number) {
            line->used = now;
            line->dirty |= store && writes_back;
            if (store && !writes_back)
                *below |= reference(level + 1, address, true, &ignored);
            return false;
        }
        if (victim->valid && (!line->valid || line->used < victim->used))
            victim = line;
    }
    caches[level].misses[store]++;
    caches[level].compulsory += first;
    if (store && (!writes_back || !allocates))
        *below |= reference(level + 1, address, true, &ignored);
    if (store && !allocates)
        return true;
    *below |= reference(level + 1, address, false, &ignored);
    struct line old = *victim;
    *victim = (struct line){true, store && writes_back, number, now};
    if (old.valid && old.dirty) {
        caches[level].written++;
        reference(level + 1, old.number * caches[level].line, true, &ignored);
    }
    return true;
}

static void print_rate(uint64_t part, uint64_t whole) {
    printf("\t%.2f", whole ? (20000 * part + whole) / (2 * whole) / 100.0 : 0.0);
}

static void print_caches(const char *name) {
    for (int i = 0; i < 2 && caches[i].line; i++) {
        uint64_t references = caches[i].references[0] + caches[i].references[1];
        uint64_t misses = caches[i].misses[0] + caches[i].misses[1];
        printf("%s\t%" PRIu64 "\t%" PRIu64, i ? "L2" : name, references, misses);
        print_rate(misses, references);
        for (int store = 0; store < 2; store++)
            printf("\t%" PRIu64 "\t%" PRIu64, caches[i].references[store], caches[i].misses[store]);
        printf("\t%" PRIu64 "\t%" PRIu64 "\n", caches[i].compulsory, caches[i].written);
    }
    for (struct procedure *p = procedures; p < procedures + procedure_count; p++) {
        if (p->references[0] + p->references[1] == 0)
            continue;
        printf("%s\t%" PRIu64 "\t%" PRIu64, p->name, p->references[0] + p->references[1],
               p->misses[0] + p->misses[1]);
        print_rate(p->misses[0] + p->misses[1], p->references[0] + p->references[1]);
        for (int store = 0; store < 2; store++)
            printf("\t%" PRIu64 "\t%" PRIu64, p->references[store], p->misses[store]);
        printf("\t%" PRIu64 "\n", p->misses2);
    }
}

static void count_reference(uint64_t address, bool store, uint64_t pc) {
    struct procedure *procedure = &procedures[procedure_at(pc)];
    bool below = false, missed = reference(0, address, store, &below);
    procedure->references[store]++;
    procedure->misses[store] += missed;
    procedure->misses2 += below;
}

static void replay_caches(bool fetches) {
    uint64_t last = UINT64_MAX;
    make_cache(0, option("size", 0), option("line", 0), option("ways", 0));
    make_cache(1, option("size2", 0), option("line2", 64), option("ways2", 1));
    allocates = option("allocate", 1);
    writes_back = option("writeback", 1);
    for (const struct record *record; (record = next_record());) {
        if (!fetches && is_memory(record))
            count_reference(data_address(record), is_store(record), record->pc);
        if (fetches && record->pc / caches[0].line != last)
            count_reference(record->pc, false, record->pc);
        last = record->pc / (fetches ? caches[0].line : 1);
    }
    print_caches(text_option("name", "L1"));
}

static void replay_din(void) {
    for (const struct record *record; (record = next_record());) {
        printf("2 %" PRIx64 "\n", record->pc);
        if (is_memory(record))
            printf("%d %" PRIx64 "\n", is_store(record), data_address(record));
    }
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    arguments = argv + 1;
    if (strcmp(mode, "din") != 0 && strcmp(mode, "branches") != 0 && strcmp(mode, "values") != 0)
        read_procedures();
    if (strcmp(mode, "cache") == 0)
        replay_caches(false);
    else if (strcmp(mode, "fetch") == 0)
        replay_caches(true);
    else if (strcmp(mode, "heap") == 0)
        replay_heap();
    else if (strcmp(mode, "arcs") == 0)
        replay_arcs();
    else if (strcmp(mode, "edges") == 0)
        replay_edges();
    else if (strcmp(mode, "calls") == 0)
        replay_calls();
    else if (strcmp(mode, "branches") == 0)
        replay_branches();
    else if (strcmp(mode, "din") == 0)
        replay_din();
    else if (strcmp(mode, "bbv") == 0)
        replay_blocks();
    else if (strcmp(mode, "values") == 0)
        replay_values();
    else
        return 2;
    return ferror(stdin) || fflush(stdout) != 0;
}
