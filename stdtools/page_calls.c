/* page_calls.c: a section for each procedure: its place, its callers and its callees. */
#include <stdlib.h>

#include "page.h"

static int *first_in, *first_out; /* indexed by procedure: the first of its calls, and the first of the calls
                                     to it; one more entry at the end */
static struct page_call *in, *out;

static int by_callee(const void *left, const void *right) {
    const struct page_call *a = left, *b = right;
    if (a->callee != b->callee)
        return a->callee - b->callee;
    return a->total != b->total   ? (a->total < b->total ? 1 : -1)
           : a->calls != b->calls ? (a->calls < b->calls ? 1 : -1)
                                  : a->caller - b->caller;
}

static int by_caller(const void *left, const void *right) {
    const struct page_call *a = left, *b = right;
    if (a->caller != b->caller)
        return a->caller - b->caller;
    return a->total != b->total   ? (a->total < b->total ? 1 : -1)
           : a->calls != b->calls ? (a->calls < b->calls ? 1 : -1)
                                  : a->callee - b->callee;
}

void page_prepare_calls(void) {
    int procedures = page_now.procedure_count, calls = page_now.call_count;
    in = page_memory(calls, sizeof *in);
    out = page_memory(calls, sizeof *out);
    first_in = page_memory(procedures + 1, sizeof *first_in);
    first_out = page_memory(procedures + 1, sizeof *first_out);
    for (int i = 0; i < calls; i++) {
        const struct page_call *call = &page_now.calls[i];
        in[i] = out[i] = *call;
        page_now.procedures[call->callee].shown = 1;
        first_in[call->callee + 1]++;
        if (call->caller >= 0)
            page_now.procedures[call->caller].shown = 1;
        first_out[call->caller + 1]++; /* calls without a caller, -1, are first */
    }
    qsort(in, calls, sizeof *in, by_callee);
    qsort(out, calls, sizeof *out, by_caller);
    for (int i = 1; i <= procedures; i++) {
        first_in[i] += first_in[i - 1];
        first_out[i] += first_out[i - 1];
    }
}

static void write_side(const char *title, const struct page_call *calls, int count, int callers) {
    if (!count)
        return;
    page_text("<table><thead><tr><th class=n>Times");
    if (page_now.total_title)
        page_format("<th class=n>%s", page_now.total_title);
    page_format("<th>%s<tbody>", title);
    for (int i = 0; i < count; i++) {
        int other = callers ? calls[i].caller : calls[i].callee;
        page_text("\n<tr>");
        page_number(calls[i].calls);
        if (page_now.total_title)
            page_number(calls[i].total);
        if (other >= 0)
            page_procedure(other);
        else
            page_text("<td><em>no caller</em>");
    }
    page_text("</table>");
}

void page_write_calls(void) {
    page_text("<h2 id=\"calls-\">Callers and callees</h2>\n");
    for (int p = 0; p < page_now.procedure_count; p++) {
        const struct page_procedure *procedure = &page_now.procedures[p];
        if (!procedure->shown)
            continue;
        page_format("<section id=\"p%d\"><h3>", p);
        page_escaped(procedure->name);
        page_text("</h3> <small>");
        if (*procedure->file)
            page_place_link(procedure->file, procedure->line);
        else
            page_text("no source line");
        page_text("</small><div>");
        write_side("Called by", in + first_in[p], first_in[p + 1] - first_in[p], 1);
        write_side("Calls", out + first_out[p], first_out[p + 1] - first_out[p], 0);
        page_text("</div></section>\n");
    }
    free(in);
    free(out);
    free(first_in);
    free(first_out);
}
