/* gprof_print.c: a measured call graph in gprof's layout: the flat profile, then an entry for each procedure.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gprof.h"
#include "table.h"

static struct node *nodes, *cycles;
static const struct arc *arcs;
static int arc_count, *order, entry_count; /* entries: procedures, and -cycle */
static FILE *file;
static long total;

static struct node *node_of(int entry) {
    return entry < 0 ? &cycles[-entry] : &nodes[entry];
}

static int by_self(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    if (nodes[a].self != nodes[b].self)
        return nodes[a].self < nodes[b].self ? 1 : -1;
    return nodes[a].calls != nodes[b].calls ? (nodes[a].calls < nodes[b].calls ? 1 : -1) : a - b;
}

static int by_total(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    long x = node_of(a)->self + node_of(a)->children, y = node_of(b)->self + node_of(b)->children;
    return x != y ? (x < y ? 1 : -1) : a - b;
}

/* ---- columns: printf's conversions would cost more than all the rest ------------------------------------- */

enum { PENDING = 4096, WORD = 8 };
/* What is not in the file yet, and room for what is written behind it. */
static char pending[PENDING + WORD];
static int pending_count;
struct __attribute__((packed, may_alias)) anywhere {
    unsigned long word;
};

static void flush(void) {
    fwrite(pending, 1, pending_count, file);
    pending_count = 0;
}

/* Up to WORD characters, the first in the lowest byte. There is room. */
static void put_word(unsigned long characters, int count) {
    ((struct anywhere *)(void *)(pending + pending_count))->word = characters;
    pending_count += count;
}

/* Room for `count` characters and blanks up to a width, and these blanks. */
static void put_blanks(int count, int width) {
    int blanks = width > count ? width - count : 0;
    if (count + blanks > PENDING - pending_count)
        flush();
    for (; blanks > 0; blanks -= WORD)
        put_word(0x2020202020202020, blanks < WORD ? blanks : WORD);
}

/* There is room for the longest name of a procedure; longer ones go past. */
static void put_text(const char *text, int width) {
    int length = strlen(text);
    put_blanks(length, width);
    if (length > PENDING - pending_count) {
        flush();
        fwrite(text, 1, length, file);
        return;
    }
    for (; length >= WORD; length -= WORD, text += WORD)
        put_word(((const struct anywhere *)(const void *)text)->word, WORD);
    for (; length > 0; length--)
        pending[pending_count++] = *text++;
}

/* The digits of a number, the last `places` of them behind a point. */
static void put_digits(unsigned long number, int places, int width) {
    unsigned long word = 0, words[3];
    int count = 0;
    for (int i = 0; i <= places || number; i++) {
        unsigned long rest = number >> 32 ? number / 10 : number * 0xcccccccd >> 35;
        if (places && i == places) {
            word = word << 8 | '.';
            if (++count % WORD == 0)
                words[count / WORD - 1] = word;
        }
        word = word << 8 | ('0' + number - 10 * rest);
        if (++count % WORD == 0)
            words[count / WORD - 1] = word;
        number = rest;
    }
    put_blanks(count, width);
    if (count % WORD)
        put_word(word & ((1UL << count % WORD * 8) - 1), count % WORD);
    for (int i = count / WORD; i > 0; i--)
        put_word(words[i - 1], WORD);
}

static void put_number(long number, int width) {
    put_digits(number, 0, width);
}

/* part / whole with this number of decimal places, times `scale`: 10 for each place, and 100 for per cent. */
static void put_ratio(long part, long whole, long scale, int places, int width) {
    put_digits(whole ? ((long)scaled(2 * scale, part, whole) + 1) / 2 : 0, places, width);
}

static void print_flat(void) {
    long sum = 0;
    qsort(order, entry_count, sizeof *order, by_self);
    put_text("Flat profile:\n\n  %    cumulative         self                  self       total\n"
             " time  instructions instructions    calls  per call    per call  name\n",
             0);
    for (int i = 0; i < entry_count; i++) {
        const struct node *node = &nodes[order[i]];
        long calls = node->calls + node->self_calls;
        sum += node->self;
        put_ratio(node->self, total, 10000, 2, 6);
        put_number(sum, 14);
        put_number(node->self, 13);
        if (calls > 0) {
            put_number(calls, 9);
            put_ratio(node->self, calls, 10, 1, 10);
            put_ratio(node->self + node->children, calls, 10, 1, 12);
        } else {
            put_text("", 31);
        }
        put_text("  ", 0);
        put_text(procedures[order[i]].name, 0);
        put_text("\n", 0);
    }
}

static void print_name(int procedure) {
    put_text(procedures[procedure].name, 0);
    if (nodes[procedure].cycle) {
        put_text(" <cycle ", 0);
        put_number(nodes[procedure].cycle, 0);
        put_text(">", 0);
    }
    put_text(" [", 0);
    put_number(nodes[procedure].index, 0);
    put_text("]\n", 0);
}

static int digits_of(unsigned long number) {
    int count = 1;
    for (unsigned long least = 10; count < 19 && number >= least; least *= 10)
        count++;
    return count;
}

/* "calls/all", in a column; `between` 0: the calls alone. */
static void put_calls(long calls, char between, long all, int width) {
    put_number(calls, width - (between ? 1 + digits_of(all) : 0));
    if (between) {
        put_text((const char[]){between, '\0'}, 0);
        put_number(all, 0);
    }
}

/* A caller's or callee's line: calls of all calls, or inside of a cycle only calls. */
static void print_arc(const struct arc *arc, int shown) {
    const struct node *callee = &nodes[arc->callee];
    bool inside = arc->caller >= 0 && callee->cycle && callee->cycle == nodes[arc->caller].cycle;
    if (inside) {
        put_text("", 40);
        put_number(arc->calls, 18);
    } else {
        put_number(arc->self, 26);
        put_number(arc->total - arc->self, 14);
        put_calls(arc->calls, '/', callee->cycle ? cycles[callee->cycle].calls : callee->calls, 18);
    }
    put_text("", 5);
    if (shown < 0)
        put_text("<spontaneous>\n", 0);
    else
        print_name(shown);
}

/* Arcs by callee are in order as they come; these are by caller, and each entry's lines by their cost:
   callers from the least, callees from the greatest. */
static int *outgoing, *first_in, *first_out, *lines;

static int by_caller(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    return arcs[a].caller != arcs[b].caller ? arcs[a].caller - arcs[b].caller : a - b;
}

static int by_cost(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    return arcs[a].total != arcs[b].total   ? (arcs[a].total < arcs[b].total ? -1 : 1)
           : arcs[a].calls != arcs[b].calls ? (arcs[a].calls < arcs[b].calls ? -1 : 1)
                                            : a - b;
}

static void index_arcs(void) {
    outgoing = allocated(arc_count, sizeof *outgoing);
    lines = allocated(arc_count, sizeof *lines);
    first_in = allocated(procedure_count + 1, sizeof *first_in);
    first_out = allocated(procedure_count + 2, sizeof *first_out);
    for (int i = 0; i < arc_count; i++) {
        outgoing[i] = i;
        first_in[arcs[i].callee + 1]++;
        first_out[arcs[i].caller + 2]++;
    }
    qsort(outgoing, arc_count, sizeof *outgoing, by_caller);
    for (int i = 0; i < procedure_count; i++)
        first_in[i + 1] += first_in[i];
    for (int i = 0; i <= procedure_count; i++)
        first_out[i + 1] += first_out[i];
    first_out++; /* without those that have no caller */
}

static void print_callers(int entry) {
    int count = 0, first = entry < 0 ? 0 : first_in[entry], end = entry < 0 ? arc_count : first_in[entry + 1];
    for (int i = first; i < end; i++) {
        const struct arc *arc = &arcs[i];
        int from = arc->caller >= 0 ? nodes[arc->caller].cycle : 0;
        if (entry < 0 ? nodes[arc->callee].cycle == -entry && from != -entry : arc->caller != entry)
            lines[count++] = i;
    }
    qsort(lines, count, sizeof *lines, by_cost);
    for (int i = 0; i < count; i++)
        print_arc(&arcs[lines[i]], arcs[lines[i]].caller);
}

static void print_callees(int entry) {
    int count = 0;
    for (int i = first_out[entry]; i < first_out[entry + 1]; i++)
        if (arcs[outgoing[i]].callee != entry)
            lines[count++] = outgoing[i];
    qsort(lines, count, sizeof *lines, by_cost);
    for (int i = count - 1; i >= 0; i--)
        print_arc(&arcs[lines[i]], arcs[lines[i]].callee);
}

static void print_members(int cycle) {
    for (int i = 0; i < procedure_count; i++)
        if (nodes[i].cycle == cycle) {
            put_number(nodes[i].self, 26);
            put_text(" ", 15);
            put_number(nodes[i].calls, 17);
            put_text("", 5);
            print_name(i);
        }
}

static void print_entry(int entry) {
    const struct node *node = node_of(entry);
    print_callers(entry);
    put_text("[", 0);
    put_number(node->index, 0);
    put_text("]", 0);
    put_text("", node->index < 10 ? 3 : node->index < 100 ? 2 : 1);
    put_ratio(node->self + node->children, total, 1000, 1, 6);
    put_number(node->self, 13);
    put_number(node->children, 14);
    put_calls(node->calls, node->self_calls ? '+' : 0, node->self_calls, 18);
    put_text(" ", 0);
    if (entry < 0) {
        put_text("<cycle ", 0);
        put_number(-entry, 0);
        put_text(" as a whole> [", 0);
        put_number(node->index, 0);
        put_text("]\n", 0);
        print_members(-entry);
    } else {
        print_name(entry);
        print_callees(entry);
    }
    put_text("-----------------------------------------------\n", 0);
}

/* The procedures that there is something of, with room for cycles. */
static void list_entries(int cycle_count) {
    order = allocated(procedure_count + cycle_count, sizeof *order);
    for (int i = 0; i < procedure_count; i++) {
        total += nodes[i].self;
        if (nodes[i].self > 0 || nodes[i].calls + nodes[i].self_calls > 0)
            order[entry_count++] = i;
    }
}

void print_profile(const char *out, struct node *all_nodes, struct node *all_cycles, int cycle_count,
                   const struct arc *all_arcs, int count) {
    nodes = all_nodes;
    cycles = all_cycles;
    arcs = all_arcs;
    arc_count = count;
    if (!(file = atomc_begin_text(out)))
        return;
    index_arcs();
    list_entries(cycle_count);
    print_flat();
    for (int i = 1; i <= cycle_count; i++)
        order[entry_count++] = -i;
    qsort(order, entry_count, sizeof *order, by_total);
    for (int i = 0; i < entry_count; i++)
        node_of(order[i])->index = i + 1;
    put_text("\n\n\t\t\tCall graph\n\n"
             "index % time         self      children            called     name\n",
             0);
    for (int i = 0; i < entry_count; i++)
        print_entry(order[i]);
    flush();
    atomc_end_file();
}

/* ---- tables ---------------------------------------------------------------------------------------------- */

static const char *file_of(int procedure) {
    return procedure < 0 ? "" : procedures[procedure].file;
}

static void write_procedures(const char *out) {
    atomc_begin_table("gprof", out, "'Procedure|'File|=Line|@PC|#Instructions|#Children|#Calls");
    for (int i = 0; i < entry_count; i++) {
        const struct procedure *procedure = &procedures[order[i]];
        const struct node *node = &nodes[order[i]];
        atomc_add_row((long)procedure->name, procedure->file, (long)procedure->line, procedure->pc,
                      node->self, node->children, node->calls + node->self_calls);
    }
    atomc_end_table();
}

static void write_calls(const char *out) {
    atomc_begin_table("gprof", out,
                      "'Caller|'Caller's file|@Caller's PC|'Callee|'Callee's file|@Callee's "
                      "PC|#Calls|#Instructions|#Total");
    for (int i = 0; i < arc_count; i++) {
        const struct arc *arc = &arcs[i];
        const struct procedure *callee = &procedures[arc->callee];
        atomc_add_row((long)(arc->caller < 0 ? "<spontaneous>" : procedures[arc->caller].name),
                      file_of(arc->caller), arc->caller < 0 ? 0L : procedures[arc->caller].pc, callee->name,
                      file_of(arc->callee), callee->pc, arc->calls, arc->self, arc->total);
    }
    atomc_end_table();
}

void write_tables(const char *out, const char *calls, struct node *all_nodes, const struct arc *all_arcs,
                  int count) {
    nodes = all_nodes;
    arcs = all_arcs;
    arc_count = count;
    list_entries(0);
    qsort(order, entry_count, sizeof *order, by_self);
    write_procedures(out);
    write_calls(calls);
}
