/* hiprof_page.c: the profile as a page: procedures, trees of calls, callers and callees, source. */
#include <stdlib.h>

#include "hiprof.h"
#include "page.h"

static long all;

static void write_procedures(const struct sum *sums) {
    page_table("procedures", "Procedures", "#%|#Self|#Total|#Calls|'Procedure|'Source");
    for (int i = 0; i < procedure_count; i++) {
        const struct procedure *procedure = &procedures[sums[i].procedure];
        if (sums[i].self == 0)
            continue;
        page_row();
        page_ratio(sums[i].self, all);
        page_number(sums[i].self);
        page_number(sums[i].total);
        page_number(sums[i].calls);
        page_procedure(sums[i].procedure);
        page_place(procedure->file, procedure->line);
    }
    page_table_end();
}

static void write_tree(const struct node *node, int least) {
    if (node->total == 0 || node->total * 1000.0 < (double)all * least)
        return;
    page_row();
    page_ratio(node->total, all);
    page_number(node->total);
    page_number(node->self);
    page_number(calls_of(node));
    page_format("<td class=\"t\" style=\"--d:%d\">", node->depth);
    if (node->procedure == DEEPER)
        page_text(name_of_node(node));
    else
        page_procedure_link(node->procedure);
    for (const struct node *child = node->children; child; child = child->next)
        write_tree(child, least);
}

static void write_trees(const struct node *roots, int least) {
    for (const struct node *root = roots; root; root = root->next) {
        page_format("<h2 id=\"thread%d-\">Thread %d</h2>\n<table id=\"thread%d\" class=\"tree\">\n<thead><tr>"
                    "<th class=\"n\">%%</th><th class=\"n\">Total</th><th class=\"n\">Self</th><th "
                    "class=\"n\">Calls</th>"
                    "<th>Procedure</th></tr></thead>\n<tbody>",
                    root->procedure, root->procedure, root->procedure);
        for (const struct node *child = root->children; child; child = child->next)
            write_tree(child, least);
        page_table_end();
    }
}

void write_page(const char *out, const char *program, const struct node *roots, const struct sum *sums,
                const struct arc *arcs, int arc_count, int least, int depth) {
    const char *unit = in_cycles ? "cycles" : "instructions";
    char about[400], below[200] = "", titles[100], digits[PAGE_DIGITS];
    struct page page = {.out = out,
                        .tool = "hiprof",
                        .program = program,
                        .about = about,
                        .around = 40,
                        .total_title = "Total",
                        .line_titles = titles,
                        .procedure_count = procedure_count,
                        .call_count = arc_count};
    int executed = 0;
    page.procedures = page_memory(procedure_count, sizeof *page.procedures);
    page.calls = page_memory(arc_count, sizeof *page.calls);
    page.lines = page_memory(procedure_count, sizeof *page.lines);
    all = 0;
    for (const struct node *root = roots; root; root = root->next)
        all += root->total;
    for (int i = 0; i < procedure_count; i++)
        page.procedures[i] =
            (struct page_procedure){shown_procedure(i), procedures[i].file, procedures[i].line, 0};
    for (int i = 0; i < arc_count; i++)
        page.calls[i] = (struct page_call){arcs[i].caller, arcs[i].callee, arcs[i].calls, arcs[i].total};
    for (int i = 0; i < procedure_count; i++) {
        const struct procedure *procedure = &procedures[sums[i].procedure];
        if (sums[i].self == 0)
            continue;
        executed++;
        page.procedures[sums[i].procedure].shown = 1;
        if (procedure->line) {
            struct page_line *line = &page.lines[page.line_count++];
            *line = (struct page_line){.file = procedure->file, .line = procedure->line};
            line->shade = sums[i].self * 100.0 >= all ? 'h' : 0;
            snprintf(line->counts, sizeof line->counts, "%20s", page_digits(sums[i].self, digits));
        }
    }
    if (deeper_calls(roots))
        snprintf(
            below, sizeof below,
            " Below (deeper) are %s calls that were more than %d calls deep, by procedure, not by caller.",
            page_digits(deeper_calls(roots), digits), depth);
    snprintf(about, sizeof about,
             "%s %s in %d procedures. Total is with all that is called; what recurs is in it once. Subtrees "
             "of less than %d "
             "thousandths are left out of the trees.%s",
             page_digits(all, digits), unit, executed, least, below);
    snprintf(titles, sizeof titles, "at a procedure's first, the %s that the procedure itself took", unit);
    if (page_begin(&page)) {
        write_procedures(sums);
        write_trees(roots, least);
        page_end();
    }
    free(page.procedures);
    free(page.calls);
    free(page.lines);
}
