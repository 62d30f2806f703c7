/* cache_page.c: the counts of cache.c as an HTML page: levels, procedures, lines, source. */
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "page_made.h"
#include "places.h"
#include "texts.h"

#define LINES 1000 /* lines in the table; the source has all lines */

#define COLUMNS                                                                                              \
    "#Percent|#Misses|#References|#Misses %|#Loads|#Load misses|#Stores|#Store misses|#Level 2 misses"

static long all_misses;

static long sum_of(const long *kinds) {
    return kinds[LOAD] + kinds[STORE];
}

static void write_levels(void) {
    page_table("levels", "Levels",
               "'Cache|#Bytes|#Line|#Ways|#References|#Misses|#Misses %|#Loads|#Load misses|#Stores|#Store "
               "misses|#Compulsory|#Written back");
    for (int i = 0; i < 2 && levels[i].line; i++) {
        const struct level *level = &levels[i];
        const long numbers[] = {level->references[LOAD], level->misses[LOAD], level->references[STORE],
                                level->misses[STORE],    level->compulsory,   level->written_back};
        page_row();
        page_cell_text(i ? "L2" : first_level_name);
        page_number(level->sets * level->ways * level->line);
        page_number(level->line);
        page_number(level->ways);
        page_number(sum_of(level->references));
        page_number(sum_of(level->misses));
        page_ratio(sum_of(level->misses), sum_of(level->references));
        for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
            page_number(numbers[k]);
    }
    page_table_end();
}

static void write_counts(const struct place *sum) {
    page_row();
    page_ratio(sum_of(sum->misses), all_misses);
    page_number(sum_of(sum->misses));
    page_number(sum_of(sum->references));
    page_ratio(sum_of(sum->misses), sum_of(sum->references));
    page_number(sum->references[LOAD]);
    page_number(sum->misses[LOAD]);
    page_number(sum->references[STORE]);
    page_number(sum->misses[STORE]);
    page_number(sum_of(sum->misses2));
    page_procedure(sum->id);
}

static void write_procedures(const struct place_sums *all) {
    page_table("procedures", "Procedures", COLUMNS "|'Procedure|'Source");
    for (int i = 0; i < all->count; i++) {
        const struct page_procedure *procedure = &made_procedures[all->order[i]->id];
        write_counts(all->order[i]);
        page_place(procedure->file, procedure->line);
    }
    page_table_end();
}

static void write_lines(const struct place_sums *all) {
    char heading[100];
    int count = all->count, shown = count < LINES ? count : LINES;
    snprintf(heading, sizeof heading, count > shown ? "Lines: the %d of %d with the most misses" : "Lines",
             shown, count);
    page_table("lines", heading, COLUMNS "|'Procedure|'Line");
    for (int i = 0; i < shown; i++) {
        write_counts(all->order[i]);
        page_place(all->order[i]->file, all->order[i]->line);
    }
    page_table_end();
}

static int by_place(const void *left, const void *right) {
    const struct place *a = *(struct place *const *)left, *b = *(struct place *const *)right;
    int files = compare_texts(a->file, b->file);
    return files ? files : a->line - b->line;
}

/* Right-aligned in `width` characters from `to` on, which are blanks. */
static void put_digits(char *to, int width, long number) {
    char buffer[PAGE_DIGITS];
    const char *digits = page_digits(number, buffer);
    int length = (int)strlen(digits);
    memcpy(to + width - length, digits, length);
}

enum { WIDE = 18, LESS_WIDE = 14, WIDTH = WIDE + 1 + LESS_WIDE };
_Static_assert(WIDTH < sizeof((struct page_line *)0)->counts, "it ends with a zero");

/* A source line shows the counts of all procedures that it was compiled into. First lines of procedures are
 * always included. */
static int list_lines(struct page_line *lines, const struct place_sums *all) {
    int count = all->count, listed = 0;
    struct place **order = page_memory(count, sizeof *order);
    for (int i = 0; i < count; i++)
        order[i] = &all->sums[i];
    qsort(order, count, sizeof *order, by_place);
    for (int i = 0, end; i < count; i = end) {
        long sum[2] = {0, 0};
        for (end = i; end < count && by_place(&order[i], &order[end]) == 0; end++) {
            sum[0] += sum_of(order[end]->references);
            sum[1] += sum_of(order[end]->misses);
        }
        if (!order[i]->line)
            continue;
        struct page_line *line = &lines[listed++];
        *line = (struct page_line){.file = order[i]->file, .line = order[i]->line};
        line->shade = sum[1] && sum[1] * 100.0 >= all_misses ? 'h' : 0;
        memset(line->counts, ' ', WIDTH);
        put_digits(line->counts, WIDE, sum[0]);
        put_digits(line->counts + WIDE + 1, LESS_WIDE, sum[1]);
    }
    for (int p = 0; p < made_procedure_count; p++) {
        struct place *first =
            &(struct place){.file = made_procedures[p].file, .line = made_procedures[p].line};
        if (!made_procedures[p].shown || !first->line ||
            bsearch(&first, order, count, sizeof *order, by_place))
            continue;
        lines[listed] = (struct page_line){.file = first->file, .line = first->line};
        memset(lines[listed++].counts, ' ', WIDTH);
    }
    free(order);
    return listed;
}

/* If the name is empty, no page is written. */
void PrintPage(const char *out, const char *program) {
    char about[300], references[PAGE_DIGITS], misses[PAGE_DIGITS];
    struct page page = {
        .out = out,
        .tool = "cache",
        .program = program,
        .about = about,
        .around = 20,
        .procedures = made_procedures,
        .procedure_count = made_procedure_count,
        .calls = made_calls,
        .call_count = made_call_count,
        .line_titles = "references, and misses of level 1; lines with a hundredth of all misses are marked"};
    struct place_sums by_procedure = place_sums(0), by_line = place_sums(1);
    all_misses = sum_of(levels[0].misses);
    for (int i = 0; i < by_procedure.count; i++)
        made_procedures[by_procedure.sums[i].id].shown = 1;
    page.lines = page_memory(by_line.count + made_procedure_count, sizeof *page.lines);
    page.line_count = list_lines(page.lines, &by_line);
    snprintf(
        about, sizeof about,
        "%s references, %s misses of level 1. Percent is of all its misses, Misses %% of the references. "
        "Calls are those "
        "that call instructions made.",
        page_digits(sum_of(levels[0].references), references), page_digits(all_misses, misses));
    if (page_begin(&page)) {
        write_levels();
        write_procedures(&by_procedure);
        write_lines(&by_line);
        page_end();
    }
    free(page.lines);
    free_sums(&by_procedure);
    free_sums(&by_line);
}
