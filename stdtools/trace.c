/* trace.c: analysis routines of trace.atd; trace_read.c describes the binary form, and reads it. */
#include <stdlib.h>

#include "table.h"

enum form { TEXT, DIN, BINARY };
static FILE *file;
static enum form form;
static long limit, records;
static unsigned long next_pc,
    end_pc; /* of the current block: the part that is not written yet, in Dinero's form */
static unsigned long last_pc, last_address[2];

void Begin(const char *out, int wanted, long most) {
    form = wanted;
    limit = most;
    if (!(file = atomc_begin_file(out)))
        exit(1);
    if (form == BINARY)
        fputs("atomctrace1\n", file);
}

static int full(void) {
    return limit > 0 && records++ >= limit;
}

/* Seven bits in a byte, the low ones first; the top bit says that more follow. */
static void put_number(unsigned long number) {
    for (; number >= 128; number >>= 7)
        putc_unlocked((int)(number & 127) | 128, file);
    putc_unlocked((int)number, file);
}

/* Zigzag: small numbers of either sign become small unsigned ones. */
static void put_difference(unsigned long to, unsigned long from) {
    long difference = (long)(to - from);
    put_number((unsigned long)difference << 1 ^ difference >> 63);
}

static void write_instructions(unsigned long end) {
    for (; next_pc < end; next_pc += 4)
        if (!full())
            fprintf(file, "2 %lx\n", next_pc);
}

void Block(unsigned long pc, int instructions) {
    if (form == DIN) {
        write_instructions(end_pc);
        next_pc = pc;
        end_pc = pc + 4 * instructions;
    } else if (full()) {
        return;
    } else if (form == TEXT) {
        fprintf(file, "block 0x%lx %d\n", pc, instructions);
    } else {
        put_number(instructions << 4); /* kind 0, in two bits; two bits are free */
        put_difference(pc >> 2, last_pc >> 2);
        last_pc = pc;
    }
}

void Access(unsigned long pc, unsigned long address, int size, int store) {
    if (form == DIN)
        write_instructions(pc >= next_pc && pc < end_pc ? pc + 4 : next_pc);
    if (full())
        return;
    if (form == TEXT) {
        fprintf(file, "%s 0x%lx 0x%lx %d\n", store ? "store" : "load", pc, address, size);
    } else if (form == DIN) {
        fprintf(file, "%d %lx\n", store, address);
    } else {
        /* Kind 1 or 2, the size's logarithm, and the address relative to the last record's. */
        long distance = (long)(pc - last_pc) >> 2;
        put_number((unsigned long)(distance << 1 ^ distance >> 63) << 4 | __builtin_ctz(size) << 2 |
                   (1 + store));
        put_difference(address, last_address[store]);
        last_pc = pc;
        last_address[store] = address;
    }
}

void End(void) {
    if (form == DIN)
        write_instructions(end_pc);
    atomc_end_file();
}
