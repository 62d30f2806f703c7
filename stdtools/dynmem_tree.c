/* dynmem_tree.c: memory by calling context, for dynmem.atd: a node is a call; its parent is the call that
 * entered the procedure containing it. Nodes at the ends have allocated. */
#include <string.h>

#include "atomc.h"

#include "calls.h"
#include "callers.h"
#include "dynmem.h"
#include "table.h"

struct amounts {
    long blocks, bytes, freed_blocks, freed_bytes;
    long at_peak; /* bytes allocated when the total of all contexts was greatest */
};

/* A context's part of the peak is set when it changes for the first time after the peak. */
static struct context {
    struct amounts amounts;
    long peak; /* the number of the last peak that it has recorded */
    const struct callers *calls;
    struct context *next;
} * contexts;
static long all_bytes, most_bytes, peak;

static struct context *make_context(struct callers *calls) {
    struct context *context = allocated(1, sizeof *context);
    context->calls = calls;
    context->next = contexts;
    calls->item = context;
    return contexts = context;
}

static void note_peak(struct context *context) {
    if (context->peak < peak)
        context->amounts.at_peak = context->amounts.bytes - context->amounts.freed_bytes;
    context->peak = peak;
}

void add_to_context(struct block *block, long thread) {
    struct callers *calls = context_of_call(block->site, thread);
    struct context *context = block->item = calls->item ? calls->item : make_context(calls);
    note_peak(context);
    context->amounts.blocks++;
    context->amounts.bytes += block->size;
    all_bytes += block->size;
    if (all_bytes > most_bytes) {
        most_bytes = all_bytes;
        peak++;
    }
}

void remove_from_context(const struct block *block) {
    struct context *context = block->item;
    note_peak(context);
    context->amounts.freed_blocks++;
    context->amounts.freed_bytes += block->size;
    all_bytes -= block->size;
}

void forget_contexts(void) {
    most_bytes = all_bytes;
    peak++;
    for (struct context *context = contexts; context; context = context->next) {
        struct amounts *amounts = &context->amounts;
        amounts->blocks -= amounts->freed_blocks;
        amounts->bytes -= amounts->freed_bytes;
        amounts->freed_blocks = amounts->freed_bytes = 0;
    }
}

/* ---- the tree -------------------------------------------------------------------------------------------- */

static inline void add(struct amounts *sum, const struct amounts *more) {
    sum->blocks += more->blocks;
    sum->bytes += more->bytes;
    sum->freed_blocks += more->freed_blocks;
    sum->freed_bytes += more->freed_bytes;
    sum->at_peak += more->at_peak;
}

static inline long weight(const struct amounts *amounts) {
    return amounts->bytes;
}

#include "call_tree.c"

/* A context without blocks does not belong to this process. */
static struct node *make_tree(void) {
    struct node *root = allocated(1, sizeof *root);
    for (struct context *context = contexts; context; context = context->next) {
        struct node *node = root;
        if (context->amounts.blocks == 0)
            continue;
        note_peak(context);
        for (int i = context->calls->count; i-- > 0;)
            node = child_of(node, context->calls->ras[i]);
        add(&node->own, &context->amounts);
    }
    add_up(root);
    return root;
}

/* ---- what is written ------------------------------------------------------------------------------------- */

static void print_nodes(FILE *file, const struct node *node, long all, int depth) {
    for (const struct node *child = node->children; child; child = child->next) {
        const struct amounts *sum = &child->all;
        long place;
        const char *name = name_of(child, &place), *path = place >= 0 ? calls->files[place] : "";
        const char *slash = strrchr(path, '/');
        fprintf(file, "%5.1f %12ld %8ld %12ld %12ld %12ld  %*s%s", all ? 100.0 * sum->bytes / all : 0,
                sum->bytes, sum->blocks, sum->freed_bytes, sum->bytes - sum->freed_bytes, sum->at_peak,
                2 * depth, "", name);
        if (*path)
            fprintf(file, " %s:%d", slash ? slash + 1 : path, calls->lines[place]);
        putc('\n', file);
        print_nodes(file, child, all, depth + 1);
    }
}

static void add_rows(const struct node *node, long parent, long *count) {
    for (const struct node *child = node->children; child; child = child->next) {
        const struct amounts *own = &child->own;
        long place, number = ++*count;
        const char *name = name_of(child, &place);
        atomc_add_row(number, parent, name, place >= 0 ? calls->files[place] : "",
                      place >= 0 ? (long)calls->lines[place] : 0L, child->ra ? child->ra - 4 : 0, own->bytes,
                      own->blocks, own->freed_bytes, own->freed_blocks, own->bytes - own->freed_bytes,
                      own->blocks - own->freed_blocks, own->at_peak);
        add_rows(child, number, count);
    }
}

void write_contexts(const char *out, const struct places *places) {
    const struct node *root = make_tree();
    long count = 0;
    calls = places;
    if (atomc_for_programs()) {
        atomc_begin_table(
            "dynmem", out,
            "&Node|<Parent|'Procedure|'File|=Line|@PC|#Bytes|#Blocks|#Freed bytes|#Freed blocks|"
            "#Left bytes|#Left blocks|#At peak");
        add_rows(root, 0, &count);
        atomc_end_table();
        return;
    }
    FILE *file = atomc_begin_text(out);
    if (!file)
        return;
    fprintf(file, "%5s %12s %8s %12s %12s %12s  %s\n", "%", "bytes", "blocks", "freed", "left", "at peak",
            "call");
    print_nodes(file, root, root->all.bytes, 0);
    atomc_end_file();
}
