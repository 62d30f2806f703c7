/* hiprof_print.c: prints the flat profile, the trees, and the stacks for flame graphs. */
#include <stdlib.h>

#include "hiprof.h"
#include "table.h"

static FILE *file;

static int most_self_first(const void *left, const void *right) {
    const struct sum *a = left, *b = right;
    return a->self != b->self ? (a->self < b->self ? 1 : -1) : a->procedure - b->procedure;
}

/* Procedures that executed instructions are the first, in descending order; returns their number. */
static int sort_sums(struct sum *order) {
    int shown = 0;
    for (int i = 0; i < procedure_count; i++)
        if (order[i].self > 0) {
            struct sum sum = order[shown];
            order[shown++] = order[i];
            order[i] = sum;
        }
    qsort(order, shown, sizeof *order, most_self_first);
    return shown;
}

static int is_on_terminal;

/* At the end of a line with `used` characters before it. */
static void write_name(const char *symbol, const char *shown, long used) {
    if (is_on_terminal)
        atomc_write_name(file, symbol, used);
    else
        fputs(shown, file);
    putc('\n', file);
}

static void print_flat(struct sum *order, long all) {
    int shown = sort_sums(order);
    fprintf(file, "Procedures\n\n  %%         self        total    calls  procedure\n");
    for (int i = 0; i < shown; i++) {
        fprintf(file, "%5.1f %10ld %12ld %8ld  ", 100.0 * order[i].self / all, order[i].self, order[i].total,
                order[i].calls);
        write_name(procedures[order[i].procedure].name, shown_procedure(order[i].procedure), 40);
    }
}

long calls_of(const struct node *node) {
    long calls = node->calls;
    if (node->procedure == DEEPER)
        for (const struct node *child = node->children; child; child = child->next)
            calls += child->calls;
    return calls;
}

long deeper_calls(const struct node *node) {
    long calls = 0;
    for (; node; node = node->next)
        calls += node->procedure == DEEPER ? calls_of(node) : deeper_calls(node->children);
    return calls;
}

static void print_tree(const struct node *node, long all, int least) {
    if (node->total == 0 || node->total * 1000.0 < (double)all * least)
        return;
    fprintf(file, "%5.1f %12ld %10ld %8ld  %*s", 100.0 * node->total / all, node->total, node->self,
            calls_of(node), 2 * (node->depth - 1), "");
    write_name(name_of_node(node), shown_name_of_node(node), 40 + 2L * (node->depth - 1));
    for (const struct node *child = node->children; child; child = child->next)
        print_tree(child, all, least);
}

/* A line for each stack: procedures from the outermost on, separated by semicolons, and its instructions. */
static void print_path(const struct node *node) {
    if (node->depth > 1) {
        print_path(node->parent);
        putc(';', file);
    }
    fputs(shown_name_of_node(node), file);
}

static void print_folded(const struct node *node, const char *thread) {
    if (node->depth > 0 && node->self > 0) {
        fputs(thread, file);
        print_path(node);
        fprintf(file, " %ld\n", node->self);
    }
    for (const struct node *child = node->children; child; child = child->next)
        print_folded(child, thread);
}

void print_stacks(const char *out, const struct node *roots) {
    char name[64] = "";
    if (!(file = atomc_begin_file(out)))
        return;
    for (const struct node *root = roots; root; root = root->next) {
        if (roots->next)
            snprintf(name, sizeof name, "thread %d;", root->procedure);
        print_folded(root, name);
    }
    atomc_end_file();
}

void print_profile(const char *out, const struct node *roots, struct sum *sums, int least, int depth) {
    long all = 0, deeper = deeper_calls(roots);
    if (!(file = atomc_begin_text(out)))
        return;
    is_on_terminal = atomc_for_terminal(out);
    for (const struct node *root = roots; root; root = root->next)
        all += root->total;
    print_flat(sums, all);
    for (const struct node *root = roots; root; root = root->next) {
        fprintf(file, "\nThread %d\n\n  %%        total       self    calls  procedure\n", root->procedure);
        for (const struct node *child = root->children; child; child = child->next)
            print_tree(child, all, least);
    }
    if (deeper)
        fprintf(
            file,
            "\nBelow (deeper) are %ld calls that were more than %d calls deep: by procedure, not by caller. "
            "-D depth=N has trees of N calls.\n",
            deeper, depth);
    atomc_end_file();
}

/* ---- tables ---------------------------------------------------------------------------------------------- */

static void begin_table(const char *out, const char *before, const char *after) {
    char columns[128];
    snprintf(columns, sizeof columns, "%s'Procedure|'File|=Line|@PC|#%s%s", before,
             in_cycles ? "Cycles" : "Instructions", after);
    atomc_begin_table("hiprof", out, columns);
}

static void write_procedures(const char *out, struct sum *sums) {
    int shown = sort_sums(sums);
    begin_table(out, "", "|+Total|#Calls");
    for (int i = 0; i < shown; i++) {
        const struct procedure *procedure = &procedures[sums[i].procedure];
        atomc_add_row((long)procedure->name, procedure->file, (long)procedure->line, procedure->pc,
                      sums[i].self, sums[i].total, sums[i].calls);
    }
    atomc_end_table();
}

/* Nodes in the order of their numbers. */
static void write_nodes(const struct node *node, long parent, long *count) {
    for (const struct node *child = node->children; child; child = child->next) {
        static const struct procedure none = {.file = ""};
        const struct procedure *procedure =
            child->procedure == DEEPER ? &none : &procedures[child->procedure];
        long number = ++*count;
        atomc_add_row(number, parent, name_of_node(child), procedure->file, (long)procedure->line,
                      procedure->pc, child->self, child->calls);
        write_nodes(child, number, count);
    }
}

void write_tables(const char *out, const char *tree, const struct node *roots, struct sum *sums, int depth) {
    char name[64];
    long count = 0, deeper = deeper_calls(roots);
    write_procedures(out, sums);
    begin_table(tree, "&Node|<Parent|", "|#Calls");
    for (const struct node *root = roots; root; root = root->next) {
        if (!roots->next) { /* threads are nodes if there are several */
            write_nodes(root, 0, &count);
            continue;
        }
        long thread = ++count;
        snprintf(name, sizeof name, "thread %d", root->procedure);
        atomc_add_row(thread, 0L, name, "", 0L, 0L, root->self, 0L);
        write_nodes(root, thread, &count);
    }
    atomc_end_table();
    if (deeper)
        fprintf(
            stderr,
            "atomc: %s has %ld calls that were more than %d calls deep below (deeper): by procedure, not by "
            "caller. -D depth=N has trees of N calls\n",
            tree, deeper, depth);
}
