/* places.c: the counts of caches and translation buffers in all, and at each place (places.h), by procedure,
   by line, and in cachegrind's format. */
#include "places.h"
#include "cache.h"
#include "nonzero.h"
#include "table.h"
#include "decimal.h"
#include "texts.h"

struct level levels[2];
const char *first_level_name;
struct place_misses *place_misses;
static struct place *places;
static int place_count, kept_places; /* kept: the number of places that remain */

void make_places(int count) {
    place_count = count;
    place_misses = zeroed(count + 1, sizeof *place_misses);
    places = zeroed(count + 1, sizeof *places);
}

void forget_levels(void) {
    for (struct level *level = levels; level < levels + 2; level++) {
        forget_seen(&level->seen);
        memset(level->references, 0, sizeof level->references);
        memset(level->misses, 0, sizeof level->misses);
        level->compulsory = level->written_back = 0;
    }
    memset(place_misses, 0, place_count * sizeof *place_misses);
}

static void add_counts(struct place *sum, const struct place *place) {
    for (int kind = LOAD; kind <= STORE; kind++) {
        sum->references[kind] += place->references[kind];
        sum->misses[kind] += place->misses[kind];
        sum->misses2[kind] += place->misses2[kind];
    }
}

/* Places of one line of a procedure that follow each other are one from here on. */
static void keep_place(const struct place *place) {
    struct place *last = places + (kept_places > 0 ? kept_places - 1 : 0);
    if (kept_places > 0 && last->line == place->line && last->file == place->file && last->id == place->id)
        add_counts(last, place);
    else
        places[kept_places++] = *place;
}

/* The data of each place; kinds are 1 for stores. Places that were not executed are dropped. */
void Places(const long *executed, const short *kinds, const char *const *procedures, const int *ids,
            const char *const *files, const int *lines) {
    kept_places = 0;
    for (int i = 0; (i = next_nonzero(executed, i, place_count)) < place_count; i++) {
        struct place place = {.procedure = procedures[i], .file = files[i], .id = ids[i], .line = lines[i]};
        place.references[kinds[i]] = executed[i];
        place.misses[kinds[i]] = place_misses[i].first;
        place.misses2[kinds[i]] = place_misses[i].second;
        keep_place(&place);
    }
    place_count = kept_places;
}

/* The same for places whose references, all of them loads, have been counted together with their misses. */
void Fetches(const char *const *procedures, const int *ids, const char *const *files, const int *lines) {
    kept_places = 0;
    for (int i = 0; i < place_count; i++) {
        const struct place_misses *counts = &place_misses[i];
        if (counts->references == 0)
            continue;
        keep_place(&(struct place){.references = {counts->references},
                                   .misses = {counts->first},
                                   .misses2 = {counts->second},
                                   .procedure = procedures[i],
                                   .file = files[i],
                                   .id = ids[i],
                                   .line = lines[i]});
    }
    place_count = kept_places;
}

void print_fetch_levels(const char *tool, const char *out, long fetches) {
    levels[0].references[LOAD] = fetches;
    atomc_begin_table(tool, out, "*Cache|#References|#Misses|%Misses %:Misses/References|#Compulsory");
    for (int i = 0; i < 2 && levels[i].line; i++)
        atomc_add_row((long)(i ? "L2" : first_level_name), levels[i].references[LOAD], levels[i].misses[LOAD],
                      levels[i].compulsory);
    atomc_end_table();
}

void print_levels(const char *tool, const char *out, long loads, long stores) {
    levels[0].references[LOAD] = loads;
    levels[0].references[STORE] = stores;
    atomc_begin_table(
        tool, out,
        "*Cache|#References|#Misses|%Misses %:Misses/References|#Loads|#Load misses|#Stores|#Store "
        "misses|#Compulsory|"
        "#Written back");
    for (int i = 0; i < 2 && levels[i].line; i++) {
        const struct level *level = &levels[i];
        long references = level->references[LOAD] + level->references[STORE];
        long misses = level->misses[LOAD] + level->misses[STORE];
        atomc_add_row((long)(i ? "L2" : first_level_name), references, misses, level->references[LOAD],
                      level->misses[LOAD], level->references[STORE], level->misses[STORE], level->compulsory,
                      level->written_back);
    }
    atomc_end_table();
}

/* Pointers are sorted, because places are large. */
static int by_procedure(const void *left, const void *right) {
    const struct place *a = *(struct place *const *)left, *b = *(struct place *const *)right;
    return a->id - b->id;
}

/* Lines of one procedure are adjacent, and so are lines of one file in the procedure. */
static int by_line(const void *left, const void *right) {
    const struct place *a = *(struct place *const *)left, *b = *(struct place *const *)right;
    int files = a->id != b->id ? a->id - b->id : compare_texts(a->file, b->file);
    return files ? files : a->line - b->line;
}

static long misses_of(const struct place *place) {
    return place->misses[LOAD] + place->misses[STORE];
}
static long references_of(const struct place *place) {
    return place->references[LOAD] + place->references[STORE];
}

static int most_first(const void *left, const void *right) {
    const struct place *a = *(struct place *const *)left, *b = *(struct place *const *)right;
    long x = misses_of(a), y = misses_of(b), u = references_of(a), v = references_of(b);
    return x != y ? (x < y ? 1 : -1) : u != v ? (u < v ? 1 : -1) : by_line(left, right);
}

/* The places in sorted order. Procedures usually arrive in the order of their numbers. Then only their places
   are sorted, if they are not sorted already. */
static struct place **sorted_places(int (*order)(const void *, const void *)) {
    struct place **sorted = zeroed(place_count + 1, sizeof *sorted);
    int begin = 0, in_order = 1;
    for (int i = 0; i < place_count; i++)
        sorted[i] = &places[i];
    for (int i = 1; i < place_count; i++)
        if (places[i - 1].id > places[i].id) {
            qsort(sorted, place_count, sizeof *sorted, order);
            return sorted;
        }
    for (int i = 1; i <= place_count; i++) {
        if (i == place_count || places[i].id != places[begin].id) {
            if (!in_order)
                qsort(sorted + begin, i - begin, sizeof *sorted, order);
            begin = i;
            in_order = 1;
        } else if (order(&sorted[i - 1], &sorted[i]) > 0) {
            in_order = 0;
        }
    }
    return sorted;
}

/* Sums over places that compare equal, if they have references. The caller frees the sums. */
static struct place *sums_of(int (*order)(const void *, const void *), int *count) {
    struct place *sums = zeroed(place_count + 1, sizeof *sums), *sum = sums - 1;
    struct place **sorted = sorted_places(order);
    for (int i = 0; i < place_count; i++)
        if (sum < sums || order(&sum, &sorted[i]) != 0)
            *++sum = *sorted[i];
        else
            add_counts(sum, sorted[i]);
    *count = sum + 1 - sums;
    free(sorted);
    return sums;
}

struct place_sums place_sums(int lines) {
    struct place_sums all;
    all.sums = sums_of(lines ? by_line : by_procedure, &all.count);
    all.order = zeroed(all.count + 1, sizeof *all.order);
    for (int i = 0; i < all.count; i++)
        all.order[i] = &all.sums[i];
    qsort(all.order, all.count, sizeof *all.order, most_first);
    return all;
}

void free_sums(struct place_sums *all) {
    free(all->order);
    free(all->sums);
}

/* The names of accesses: for instructions all are loads, and a translation buffer has one level. */
enum referred { REFERRED_DATA, REFERRED_CODE, REFERRED_PAGES };

/* A column for each kind of data; of lines, also their places. */
static void begin_sums(const char *tool, const char *out, int lines, enum referred referred) {
    static const char *const columns[] = {
        [REFERRED_DATA] = "'Procedure|'Source|#References|#Misses|%Misses %:Misses/References|#Loads|#Load "
                          "misses|#Stores|#Store misses|#Level 2 misses",
        [REFERRED_CODE] =
            "'Procedure|'Source|#References|#Misses|%Misses %:Misses/References|#Level 2 misses",
        [REFERRED_PAGES] = "'Procedure|'Source|#References|#Misses|%Misses %:Misses/References"};
    char all[512];
    snprintf(all, sizeof all, "%s%s", columns[referred], lines ? "|!inst.file|!inst.line" : "");
    atomc_begin_table(tool, out, all);
}

static void add_sum_row(const char *source, const struct place *sum, enum referred referred) {
    long misses2 = sum->misses2[LOAD] + sum->misses2[STORE];
    if (referred == REFERRED_DATA)
        atomc_add_row((long)sum->procedure, source, references_of(sum), misses_of(sum), sum->references[LOAD],
                      sum->misses[LOAD], sum->references[STORE], sum->misses[STORE], misses2, sum->file,
                      (long)sum->line);
    else if (referred == REFERRED_CODE)
        atomc_add_row((long)sum->procedure, source, references_of(sum), misses_of(sum), misses2, sum->file,
                      (long)sum->line);
    else
        atomc_add_row((long)sum->procedure, source, references_of(sum), misses_of(sum), sum->file,
                      (long)sum->line);
}

static void print_sums(const char *tool, const char *out, int lines, enum referred referred) {
    char source[4096 + 32];
    struct place_sums all = place_sums(lines);
    begin_sums(tool, out, lines, referred);
    for (int i = 0; i < all.count; i++) {
        const struct place *sum = all.order[i];
        size_t length = strnlen(sum->file, 4096);
        memcpy(source, sum->file, length);
        *(lines && length ? write_number(source + length, sum->line) : source + length) = '\0';
        add_sum_row(source, sum, referred);
    }
    atomc_end_table();
    free_sums(&all);
}

static void print_counts(FILE *file, const char *label, long line, const struct place *sum) {
    if (label)
        fprintf(file, "%s", label);
    else
        fprintf(file, "%ld", line);
    for (int kind = LOAD; kind <= STORE; kind++)
        fprintf(file, " %ld %ld %ld", sum->references[kind], sum->misses[kind], sum->misses2[kind]);
    fprintf(file, "\n");
}

/* Cachegrind's output file; its level "LL" is level 2. */
static void print_cachegrind(const char *out, const char *program) {
    struct place total = {0};
    int count;
    FILE *file = atomc_begin_file(out);
    struct place *sums = sums_of(by_line, &count);
    if (!file)
        return;
    fprintf(file, "desc: data cache simulated by atomc\ncmd: %s\nevents: Dr D1mr DLmr Dw D1mw DLmw\n",
            program);
    for (int i = 0; i < count; i++) {
        const struct place *sum = &sums[i], *last = i ? &sums[i - 1] : NULL;
        if (!last || compare_texts(last->file, sum->file) != 0 || last->id != sum->id)
            fprintf(file, "fl=%s\nfn=%s\n", *sum->file ? sum->file : "???", sum->procedure);
        print_counts(file, NULL, sum->line, sum);
        for (int kind = LOAD; kind <= STORE; kind++) {
            total.references[kind] += sum->references[kind];
            total.misses[kind] += sum->misses[kind];
            total.misses2[kind] += sum->misses2[kind];
        }
    }
    print_counts(file, "summary:", 0, &total);
    atomc_end_file();
    free(sums);
}

/* A file with an empty name is not written. */
void PrintPlaces(const char *tool, const char *procedures, const char *lines, const char *cachegrind,
                 const char *program) {
    if (*procedures)
        print_sums(tool, procedures, 0, REFERRED_DATA);
    if (*lines)
        print_sums(tool, lines, 1, REFERRED_DATA);
    if (*cachegrind)
        print_cachegrind(cachegrind, program);
}

/* Likewise, of instructions. */
void PrintFetches(const char *tool, const char *procedures, const char *lines, int has_levels) {
    enum referred referred = has_levels ? REFERRED_CODE : REFERRED_PAGES;
    if (*procedures)
        print_sums(tool, procedures, 0, referred);
    if (*lines)
        print_sums(tool, lines, 1, referred);
}
