/* coverage_page.c: the page of coverage.atd, from its counters. */
#include <stdlib.h>
#include <string.h>

#include "page_made.h"
#include "texts.h"

/* A source line, as compiled into a procedure. */
struct piece {
    const char *file;
    int line, procedure;
    long count;     /* executions of its most frequent instruction */
    int ways, gone; /* outcomes of its branches, and the number that occurred */
};
static const long *executed, *calls, *taken; /* numbers of instructions, functions, choices */
static struct piece *pieces;
static int piece_count;
static struct sum {
    const char *name;
    int lines, executed, ways, gone, procedures, called;
    long calls;
    int is_function;
} * by_procedure, *by_file, all;
static int file_count;

void Counts(const long *of_instructions, const long *of_functions, const long *of_choices) {
    executed = of_instructions;
    calls = of_functions;
    taken = of_choices;
}

static struct piece *new_piece(int procedure, const char *file, int line) {
    static int room;
    if (piece_count == room && !(pieces = realloc(pieces, (room = 2 * room + 1024) * sizeof *pieces)))
        abort();
    pieces[piece_count] = (struct piece){.file = file, .line = line, .procedure = procedure};
    return &pieces[piece_count++];
}

void Line(int procedure, const char *file, int line, int instruction) {
    new_piece(procedure, file, line)->count = executed[instruction];
}

void Choice(int procedure, const char *file, int line, int instruction, int choice) {
    struct piece *piece = new_piece(procedure, file, line);
    piece->count = executed[instruction];
    piece->ways = 2;
    piece->gone = (taken[choice] > 0) + (executed[instruction] > taken[choice]);
}

void Function(int procedure, int function) {
    if (!by_procedure)
        by_procedure = page_memory(made_procedure_count, sizeof *by_procedure);
    by_procedure[procedure].is_function = 1;
    by_procedure[procedure].calls = calls[function];
}

static int by_line(const void *left, const void *right) {
    const struct piece *a = left, *b = right;
    int files = compare_texts(a->file, b->file);
    return files ? files : a->line - b->line;
}
static int by_procedure_and_line(const void *left, const void *right) {
    const struct piece *a = left, *b = right;
    return a->procedure != b->procedure ? a->procedure - b->procedure : by_line(left, right);
}

/* Merges elements that compare equal; returns the number that remains. */
static int merge(struct piece *list, int count, int (*order)(const void *, const void *)) {
    int merged = 0;
    qsort(list, count, sizeof *list, order);
    for (int i = 0; i < count; i++) {
        if (merged == 0 || order(&list[merged - 1], &list[i]) != 0) {
            list[merged++] = list[i];
            continue;
        }
        struct piece *piece = &list[merged - 1];
        piece->count = list[i].count > piece->count ? list[i].count : piece->count;
        piece->ways += list[i].ways;
        piece->gone += list[i].gone;
    }
    return merged;
}

static void add(struct sum *sum, const struct piece *piece) {
    sum->lines++;
    sum->executed += piece->count > 0;
    sum->ways += piece->ways;
    sum->gone += piece->gone;
}

static void list_line(struct page_line *line, const struct piece *piece) {
    char digits[PAGE_DIGITS], ways[24] = "";
    *line = (struct page_line){.file = piece->file, .line = piece->line};
    line->shade = piece->count == 0 ? 'u' : piece->gone < piece->ways ? 'p' : 'x';
    if (piece->ways)
        snprintf(ways, sizeof ways, "%d/%d", piece->gone, piece->ways);
    snprintf(line->counts, sizeof line->counts, "%16s %9s", page_digits(piece->count, digits), ways);
}

/* Sums of procedures, then of files, for which the pieces are sorted then. */
static void add_sums(struct page *page) {
    piece_count = merge(pieces, piece_count, by_procedure_and_line);
    for (int i = 0; i < piece_count; i++)
        add(&by_procedure[pieces[i].procedure], &pieces[i]);
    piece_count = merge(pieces, piece_count, by_line);
    by_file = page_memory(piece_count, sizeof *by_file);
    page->lines = page_memory(piece_count, sizeof *page->lines);
    for (int i = 0; i < piece_count; i++) {
        if (file_count == 0 || compare_texts(by_file[file_count - 1].name, pieces[i].file) != 0)
            by_file[file_count++].name = pieces[i].file;
        add(&by_file[file_count - 1], &pieces[i]);
        add(&all, &pieces[i]);
        list_line(&page->lines[i], &pieces[i]);
    }
    page->line_count = piece_count;
    for (int p = 0; p < made_procedure_count; p++) {
        made_procedures[p].shown |= by_procedure[p].is_function;
        all.procedures += by_procedure[p].is_function;
        all.called += by_procedure[p].calls > 0;
        for (int f = 0; f < file_count && by_procedure[p].is_function; f++)
            if (compare_texts(by_file[f].name, made_procedures[p].file) == 0) {
                by_file[f].procedures++;
                by_file[f].called += by_procedure[p].calls > 0;
            }
    }
}

static void write_sums(const struct sum *sum) {
    page_ratio(sum->executed, sum->lines);
    page_number(sum->executed);
    page_number(sum->lines);
    page_number(sum->gone);
    page_number(sum->ways);
}

static void write_tables(void) {
    page_table("files", "Files", "#Lines %|#Executed|#Lines|#Ways taken|#Ways|#Called|#Procedures|'File");
    for (int i = 0; i < file_count; i++) {
        page_row();
        write_sums(&by_file[i]);
        page_number(by_file[i].called);
        page_number(by_file[i].procedures);
        page_place(by_file[i].name, 0);
    }
    page_table_end();
    page_table("procedures", "Procedures",
               "#Calls|#Lines %|#Executed|#Lines|#Ways taken|#Ways|'Procedure|'Source");
    for (int p = 0; p < made_procedure_count; p++) {
        if (!by_procedure[p].is_function)
            continue;
        page_row();
        page_number(by_procedure[p].calls);
        write_sums(&by_procedure[p]);
        page_procedure(p);
        page_place(made_procedures[p].file, made_procedures[p].line);
    }
    page_table_end();
}

void PrintPage(const char *out, const char *program) {
    char about[300];
    struct page page = {.out = out,
                        .tool = "coverage",
                        .program = program,
                        .about = about,
                        .around = 20,
                        .line_titles = "executions, and how many of its branches' ways were taken"};
    if (!by_procedure)
        by_procedure = page_memory(made_procedure_count, sizeof *by_procedure);
    add_sums(&page);
    page.procedures = made_procedures, page.procedure_count = made_procedure_count;
    page.calls = made_calls, page.call_count = made_call_count;
    snprintf(about, sizeof about,
             "%d of %d lines were executed, %d of %d procedures called, %d of %d ways of branches taken. "
             "What was compiled "
             "without -g is not counted. Calls are those that call instructions made.",
             all.executed, all.lines, all.called, all.procedures, all.gone, all.ways);
    if (page_begin(&page)) {
        write_tables();
        page_end();
    }
}
