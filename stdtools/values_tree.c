/* values_tree.c: the values of places by calling context, for values.atd: a tree of calls whose leaves are
 * places. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "atomc.h"

#include "allocated.h"
#include "call_tree.h"
#include "callers.h"
#include "table.h"
#include "values.h"

/* A place in one of its contexts. */
static struct context {
    struct place place;
    const struct callers *calls;
    struct value *best; /* the most frequent values */
    long shown;
    struct context *next;
} * contexts;

static void count_in(struct callers *calls, long value) {
    struct context *context = calls->item;
    if (!context) {
        context = calls->item = allocated(1, sizeof *context);
        forget_values(&context->place);
        context->calls = calls;
        context->next = contexts;
        contexts = context;
    }
    count_value(&context->place, value);
}

void ValueIn(int number, long value, long pc, int procedure, long thread) {
    Value(number, value);
    count_in(context_in(procedure, together ? 0 : pc, thread), value);
}

void ValueLeaving(int number, long value, long pc, int procedure, long sp, long thread) {
    Value(number, value);
    count_in(context_leaving(procedure, together ? 0 : pc, sp, thread), value);
}

void forget_contexts(void) {
    for (struct context *context = contexts; context; context = context->next)
        forget_values(&context->place);
}

/* ---- the tree -------------------------------------------------------------------------------------------- */

struct amounts {
    long times;
    const struct context *context; /* of a place */
};

static inline void add(struct amounts *sum, const struct amounts *more) {
    sum->times += more->times;
}

static inline long weight(const struct amounts *amounts) {
    return amounts->times;
}

#include "call_tree.c"

/* A place may have the address that a call returns to. */
#define PLACE LONG_MIN

static long find_best(struct context *context) {
    const struct place *place = &context->place;
    context->shown = top < different_of(place) ? top : different_of(place);
    context->best = allocated(context->shown, sizeof *context->best);
    return find_frequent(place, context->best, context->shown);
}

/* A context without values does not belong to this process. */
static struct node *make_tree(void) {
    struct node *root = allocated(1, sizeof *root);
    for (struct context *context = contexts; context; context = context->next) {
        struct node *node = root;
        if (different_of(&context->place) == 0)
            continue;
        for (int i = context->calls->count; --i > 0;)
            node = child_of(node, context->calls->ras[i]);
        node = child_of(node, PLACE | context->calls->ras[0]);
        node->own = (struct amounts){.times = find_best(context), .context = context};
    }
    add_up(root);
    return root;
}

/* ---- what is written ------------------------------------------------------------------------------------- */

static struct places values_places;
static const char *const *mnemonics;

/* The description of a node. */
struct description {
    const char *name, *instruction, *file;
    long pc, line;
};

static struct description describe(const struct node *node) {
    const struct places *all = node->own.context ? &values_places : calls;
    struct description node_is = {"all", "", "", 0, 0};
    long place;
    if (node->own.context) {
        place = together ? -1 : place_at(node->ra & ~PLACE, all->pcs, all->count);
        if (place >= 0) {
            node_is.name = all->procedures[place];
            node_is.instruction = mnemonics ? mnemonics[place] : operand;
        }
    } else
        node_is.name = name_of(node, &place);
    node_is.pc = node->own.context ? node->ra & ~PLACE : node->ra ? node->ra - 4 : 0;
    if (place >= 0) {
        node_is.file = all->files[place];
        node_is.line = all->lines[place];
    }
    return node_is;
}

static void print_line(FILE *file, long times, long all) {
    fprintf(file, "%5.1f %12ld", all ? 100.0 * times / all : 0, times);
}

static void print_nodes(FILE *file, const struct node *node, long all, int depth) {
    for (const struct node *child = node->children; child; child = child->next) {
        const struct context *context = child->own.context;
        struct description it = describe(child);
        const char *slash = strrchr(it.file, '/');
        print_line(file, child->all.times, all);
        if (context)
            fprintf(file, " %9ld", different_of(&context->place));
        fprintf(file, "%*s  %*s%s", context ? 0 : 10, "", 2 * depth, "", atomc_shown_name(it.name));
        if (it.line)
            fprintf(file, " %s:%ld", slash ? slash + 1 : it.file, it.line);
        fprintf(file, *it.instruction ? " %s\n" : "\n", it.instruction);
        for (long i = 0; context && i < context->shown; i++) {
            print_line(file, context->best[i].times, all);
            fprintf(file, "%10s  %*s= %ld\n", "", 2 * depth + 2, "", context->best[i].value);
        }
        print_nodes(file, child, all, depth + 1);
    }
}

/* Values have rows below that of their place, which has the rest. */
static void add_rows(const struct node *node, long parent, long *count) {
    for (const struct node *child = node->children; child; child = child->next) {
        const struct context *context = child->own.context;
        struct description it = describe(child);
        long number = ++*count, rest = child->own.times;
        for (long i = 0; context && i < context->shown; i++)
            rest -= context->best[i].times;
        atomc_add_row(number, parent, it.name, it.instruction, it.file, it.line, it.pc, 0l, rest,
                      context ? different_of(&context->place) : 0l);
        for (long i = 0; context && i < context->shown; i++) {
            char name[32];
            snprintf(name, sizeof name, "= %ld", context->best[i].value);
            atomc_add_row(++*count, number, name, it.instruction, it.file, it.line, it.pc,
                          context->best[i].value, context->best[i].times, 0l);
        }
        add_rows(child, number, count);
    }
}

/* The places whose values are recorded. */
void NamePlaces(long count, const long *pcs, const char *const *instructions, const char *const *procedures,
                const char *const *files, const int *lines) {
    values_places = (struct places){count, pcs, procedures, files, lines};
    mnemonics = instructions;
}

void PrintTree(const char *out, long count, const long *pcs, const char *const *procedures,
               const char *const *files, const int *lines) {
    const struct places all_calls = {count, pcs, procedures, files, lines};
    const struct node *root = make_tree();
    calls = &all_calls;
    if (atomc_for_programs()) {
        long rows = 0;
        atomc_begin_table("values", out,
                          "&Node|<Parent|'Procedure|'Instruction|'File|=Line|@PC|=Value|#Times|^Different");
        add_rows(root, 0, &rows);
        atomc_end_table();
        return;
    }
    FILE *file = atomc_begin_text(out);
    if (!file)
        return;
    fprintf(file, "%5s %12s %9s  %s\n", "%", "times", "different", "call, place, = value");
    print_nodes(file, root, root->all.times, 0);
    atomc_end_file();
}
