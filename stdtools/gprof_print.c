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

/* Characters are collected in a word before they are stored: a store anywhere takes many instructions. */
enum { WORD = 8, PENDING = 512, ROOM = 64 /* words */, LONGEST_TEXT = 256 };
#define BLANKS 0x2020202020202020UL
static unsigned long pending[PENDING + ROOM];
static struct writer {
    unsigned long *to;     /* the address for the word */
    unsigned long carried; /* its characters so far, the first in the lowest byte; the other bytes are 0 */
    unsigned long bits;    /* bytes that they take, less than a word's */
} output = {.to = pending};
struct __attribute__((packed, may_alias)) anywhere {
    unsigned long word;
};

static void flush(void) {
    *output.to = output.carried;
    fwrite(pending, 1, (char *)output.to - (char *)pending + output.bits / 8, file);
    output = (struct writer){.to = pending};
}

/* Ensures room for LONGEST_TEXT characters and a number. */
static inline struct writer begin(void) {
    if (output.to > pending + PENDING)
        flush();
    return output;
}

static inline void append_word(struct writer *writer, unsigned long word) {
    *writer->to++ = writer->carried | word << writer->bits;
    writer->carried = word >> 1 >> (63 - writer->bits);
}

/* Missing characters are 0. */
static inline void append(struct writer *writer, unsigned long characters, unsigned long bits) {
    const unsigned long before = writer->bits;
    writer->carried |= characters << before;
    writer->bits = before + bits;
    if (writer->bits >= 64) {
        *writer->to++ = writer->carried;
        writer->bits -= 64;
        writer->carried = characters >> 1 >> (63 - before);
    }
}

static inline void append_blanks(struct writer *writer, int count) {
    for (; count >= WORD; count -= WORD)
        append_word(writer, BLANKS);
    if (count > 0)
        append(writer, BLANKS >> (64 - 8 * count), 8 * count);
}

static void put_blanks(int count) {
    struct writer writer = begin();
    append_blanks(&writer, count);
    output = writer;
}

static void put_bytes(const char *text, int length) {
    struct writer writer = begin();
    unsigned long last = 0;
    if (length > LONGEST_TEXT) {
        flush();
        fwrite(text, 1, length, file);
        return;
    }
    for (; length >= WORD; length -= WORD, text += WORD)
        append_word(&writer, ((const struct anywhere *)(const void *)text)->word);
    for (int i = length; i-- > 0;)
        last = last << 8 | (unsigned char)text[i];
    append(&writer, last, 8 * length);
    output = writer;
}

/* For texts in the source, whose length the compiler knows. */
static inline __attribute__((always_inline)) void put_text(const char *text) {
    put_bytes(text, __builtin_strlen(text));
}

/* Both digits of 0 to 99. */
static const int two_digits[100] = {
#define TWO(tens, ones) ('0' + (tens)) | ('0' + (ones)) << 8
#define DIGITS(tens)                                                                                         \
    TWO(tens, 0), TWO(tens, 1), TWO(tens, 2), TWO(tens, 3), TWO(tens, 4), TWO(tens, 5), TWO(tens, 6),        \
        TWO(tens, 7), TWO(tens, 8), TWO(tens, 9)
    DIGITS(0), DIGITS(1), DIGITS(2), DIGITS(3), DIGITS(4),
    DIGITS(5), DIGITS(6), DIGITS(7), DIGITS(8), DIGITS(9)};

/* Numbers below 1 << 32: a product with the inverse is exact. */
static inline unsigned long tenth(unsigned long number) {
    return number * 0xcccccccd >> 35;
}
static inline unsigned long hundredth(unsigned long number) {
    return number * 0x51eb851f >> 37;
}

/* The digits of a number, the last `places` of them, at most two, after a point. */
static void put_digits(unsigned long number, int places, int width) {
    enum { SHORT = 1000000 }; /* in one word, with a decimal point */
    struct writer writer = begin();
    unsigned long word = 0, words[3];
    int count = 0;
    if (number < SHORT) {
        if (places == 1) {
            word = '.' | ('0' + number - 10 * tenth(number)) << 8;
            number = tenth(number);
            count = 2;
        } else if (places == 2) {
            word = '.' | (unsigned long)two_digits[number - 100 * hundredth(number)] << 8;
            number = hundredth(number);
            count = 3;
        }
        for (; number >= 100; number = hundredth(number), count += 2)
            word = word << 16 | (unsigned long)two_digits[number - 100 * hundredth(number)];
        if (number >= 10) {
            word = word << 16 | (unsigned long)two_digits[number];
            count += 2;
        } else {
            word = word << 8 | ('0' + number);
            count++;
        }
        append_blanks(&writer, width - count);
        append(&writer, word, 8 * count);
        output = writer;
        return;
    }
    for (int i = 0; i <= places || number; i++) {
        unsigned long rest = number >> 32 ? number / 10 : tenth(number);
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
    append_blanks(&writer, width - count);
    if (count % WORD)
        append(&writer, word & ((1UL << count % WORD * 8) - 1), count % WORD * 8);
    for (int i = count / WORD; i > 0; i--)
        append_word(&writer, words[i - 1]);
    output = writer;
}

static void put_number(long number, int width) {
    put_digits(number, 0, width);
}

/* part / whole with this number of decimal places, times `scale`: 10 for each place, and 100 for per cent. */
static void put_ratio(long part, long whole, long scale, int places, int width) {
    put_digits(whole ? ((long)scaled(2 * scale, part, whole) + 1) / 2 : 0, places, width);
}

static int digits_of(unsigned long number) {
    int count = 1;
    for (unsigned long least = 10; count < 19 && number >= least; least *= 10)
        count++;
    return count;
}

/* The width of the text after a name, without the digits of its number: in the flat profile, and among the
   calls, " [1]" and " <cycle 1>". */
enum { FLAT_WIDTH = 66, GRAPH_WIDTH = 63, NUMBER_WIDTH = 3, CYCLE_WIDTH = 9 };
static int *name_lengths; /* indexed by procedure; 0: not known yet */
static int is_on_terminal;

/* On a line with `used` other characters. */
static void put_procedure(int procedure, int used) {
    if (is_on_terminal) {
        flush();
        atomc_write_name(file, procedures[procedure].name, used);
        return;
    }
    if (!name_lengths[procedure])
        name_lengths[procedure] = strlen(shown_procedure(procedure));
    put_bytes(shown_procedure(procedure), name_lengths[procedure]);
}

static void print_flat(void) {
    long sum = 0;
    qsort(order, entry_count, sizeof *order, by_self);
    put_text("Flat profile:\n\n  %    cumulative         self                  self       total\n"
             " time  instructions instructions    calls  per call    per call  name\n");
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
            put_blanks(31);
        }
        put_blanks(2);
        put_procedure(order[i], FLAT_WIDTH);
        put_text("\n");
    }
}

static void print_name(int procedure) {
    put_procedure(procedure,
                  GRAPH_WIDTH + NUMBER_WIDTH + digits_of(nodes[procedure].index) +
                      (nodes[procedure].cycle ? CYCLE_WIDTH + digits_of(nodes[procedure].cycle) : 0));
    if (nodes[procedure].cycle) {
        put_text(" <cycle ");
        put_number(nodes[procedure].cycle, 0);
        put_text(">");
    }
    put_text(" [");
    put_number(nodes[procedure].index, 0);
    put_text("]\n");
}

/* "calls/all", in a column; `between` 0: only the calls. */
static void put_calls(long calls, char between, long all, int width) {
    put_number(calls, width - (between ? 1 + digits_of(all) : 0));
    if (between) {
        put_bytes(&between, 1);
        put_number(all, 0);
    }
}

/* A caller's or callee's line: calls of all calls, or inside of a cycle only calls. */
static void print_arc(const struct arc *arc, int shown) {
    const struct node *callee = &nodes[arc->callee];
    bool inside = arc->caller >= 0 && callee->cycle && callee->cycle == nodes[arc->caller].cycle;
    if (inside) {
        put_blanks(40);
        put_number(arc->calls, 18);
    } else {
        put_number(arc->self, 26);
        put_number(arc->total - arc->self, 14);
        put_calls(arc->calls, '/', callee->cycle ? cycles[callee->cycle].calls : callee->calls, 18);
    }
    put_blanks(5);
    if (shown < 0)
        put_text("<spontaneous>\n");
    else
        print_name(shown);
}

/* The original arcs are sorted by callee; these are sorted by caller, and each entry's lines by their cost:
   callers ascending, callees descending. */
static int *outgoing, *first_in, *first_out, *lines;

static int by_cost(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    return arcs[a].total != arcs[b].total   ? (arcs[a].total < arcs[b].total ? -1 : 1)
           : arcs[a].calls != arcs[b].calls ? (arcs[a].calls < arcs[b].calls ? -1 : 1)
                                            : a - b;
}

/* Most procedures have few. */
static void sort_lines(int count) {
    enum { FEW = 8 };
    if (count > FEW) {
        qsort(lines, count, sizeof *lines, by_cost);
        return;
    }
    for (int i = 1; i < count; i++) {
        int line = lines[i], place = i;
        for (; place > 0 && by_cost(&line, &lines[place - 1]) < 0; place--)
            lines[place] = lines[place - 1];
        lines[place] = line;
    }
}

static void index_arcs(void) {
    outgoing = allocated(arc_count, sizeof *outgoing);
    lines = allocated(arc_count, sizeof *lines);
    first_in = allocated(procedure_count + 1, sizeof *first_in);
    first_out = allocated(procedure_count + 2, sizeof *first_out);
    name_lengths = allocated(procedure_count, sizeof *name_lengths);
    for (int i = 0; i < arc_count; i++) {
        first_in[arcs[i].callee + 1]++;
        first_out[arcs[i].caller + 2]++;
    }
    for (int i = 0; i < procedure_count; i++)
        first_in[i + 1] += first_in[i];
    for (int i = 0; i <= procedure_count; i++)
        first_out[i + 1] += first_out[i];
    for (int i = 0; i < arc_count; i++) /* the number of each caller's arcs so far */
        outgoing[first_out[arcs[i].caller + 1]++] = i;
}

static void print_callers(int entry) {
    int count = 0, first = entry < 0 ? 0 : first_in[entry], end = entry < 0 ? arc_count : first_in[entry + 1];
    for (int i = first; i < end; i++) {
        const struct arc *arc = &arcs[i];
        int from = arc->caller >= 0 ? nodes[arc->caller].cycle : 0;
        if (entry < 0 ? nodes[arc->callee].cycle == -entry && from != -entry : arc->caller != entry)
            lines[count++] = i;
    }
    sort_lines(count);
    for (int i = 0; i < count; i++)
        print_arc(&arcs[lines[i]], arcs[lines[i]].caller);
}

static void print_callees(int entry) {
    int count = 0;
    for (int i = first_out[entry]; i < first_out[entry + 1]; i++)
        if (arcs[outgoing[i]].callee != entry)
            lines[count++] = outgoing[i];
    sort_lines(count);
    for (int i = count - 1; i >= 0; i--)
        print_arc(&arcs[lines[i]], arcs[lines[i]].callee);
}

static void print_members(int cycle) {
    for (int i = 0; i < procedure_count; i++)
        if (nodes[i].cycle == cycle) {
            put_number(nodes[i].self, 26);
            put_blanks(15);
            put_number(nodes[i].calls, 17);
            put_blanks(5);
            print_name(i);
        }
}

static void print_entry(int entry) {
    const struct node *node = node_of(entry);
    print_callers(entry);
    put_text("[");
    put_number(node->index, 0);
    put_text("]");
    put_blanks(node->index < 10 ? 3 : node->index < 100 ? 2 : 1);
    put_ratio(node->self + node->children, total, 1000, 1, 6);
    put_number(node->self, 13);
    put_number(node->children, 14);
    put_calls(node->calls, node->self_calls ? '+' : 0, node->self_calls, 18);
    put_text(" ");
    if (entry < 0) {
        put_text("<cycle ");
        put_number(-entry, 0);
        put_text(" as a whole> [");
        put_number(node->index, 0);
        put_text("]\n");
        print_members(-entry);
    } else {
        print_name(entry);
        print_callees(entry);
    }
    put_text("-----------------------------------------------\n");
}

/* Lists the procedures with data, with room for cycles. */
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
    is_on_terminal = atomc_for_terminal(out);
    index_arcs();
    list_entries(cycle_count);
    print_flat();
    for (int i = 1; i <= cycle_count; i++)
        order[entry_count++] = -i;
    qsort(order, entry_count, sizeof *order, by_total);
    for (int i = 0; i < entry_count; i++)
        node_of(order[i])->index = i + 1;
    put_text("\n\n\t\t\tCall graph\n\n"
             "index % time         self      children            called     name\n");
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
    atomc_begin_table("gprof", out, "'Procedure|'File|=Line|@PC|#Instructions|+Children|#Calls");
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
                      "PC|#Calls|#Instructions|+Total");
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
