/* trace.c: analysis routines of trace.atd: the text formats. */
#include <stdlib.h>

#include "atomc.h"
#include "trace.h"

static FILE *file;
static int din;
static long records;
static unsigned long next_pc,
    end_pc; /* for the current block: the part that is not written yet, in Dinero's format */

void tell_trace(void) {
    atomc_announce("trace: atomc --help trace says how to read it");
}

FILE *trace_file(const char *name) {
    FILE *opened = atomc_begin_file(name);
    if (!opened &&
        !(opened = fopen("/dev/null", "w"))) /* an error has been reported; the program continues */
        exit(1);
    return opened;
}

void BeginText(int dinero) {
    din = dinero;
    records = 0;
    next_pc = end_pc = 0; /* a block begun by the parent is complete in the parent's file */
    file = trace_file(out);
}

static int full(void) {
    return limit > 0 && records++ >= limit;
}

static void write_instructions(unsigned long end) {
    for (; next_pc < end; next_pc += 4)
        if (!full())
            fprintf(file, "2 %lx\n", next_pc);
}

void WriteBlock(unsigned long pc, int instructions) {
    if (din) {
        write_instructions(end_pc);
        next_pc = pc;
        end_pc = pc + 4 * instructions;
    } else if (!full()) {
        fprintf(file, "block 0x%lx %d\n", pc, instructions);
    }
}

void WriteAccess(unsigned long pc, unsigned long address, int size, int store) {
    if (din)
        write_instructions(pc >= next_pc && pc < end_pc ? pc + 4 : next_pc);
    if (full())
        return;
    if (din)
        fprintf(file, "%d %lx\n", store, address);
    else
        fprintf(file, "%s 0x%lx 0x%lx %d\n", store ? "store" : "load", pc, address, size);
}

void EndText(void) {
    if (din)
        write_instructions(end_pc);
    atomc_end_file();
    tell_trace();
}
