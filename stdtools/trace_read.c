/* trace_read.c: prints a trace that the stock tool trace has written with form=binary, as text, or with -d as
   Dinero's input. Requires nothing: cc trace_read.c -o trace_read && ./trace_read [-d] <trace.out

   The file begins with the line "atomctrace1". Numbers are written seven bits in a byte, the low ones first,
   with the top bit set in all bytes but the last; a number d of either sign as 2 * d, or -2 * d - 1 if it is
   negative. A record begins with the number 16 * n + 4 * s + kind: kind 0  a block of n instructions begins;
   then the difference of its address / 4 from the last one. kind 1  a load, kind 2 a store, of 2 to the s
   bytes; n is the difference of the instruction's address / 4 from the last one; then that of the data's
   address from the last load's or store's. The first differences are from 0. */
#include <stdio.h>
#include <string.h>

static int get_number(unsigned long *number) {
    int byte, shift = 0;
    *number = 0;
    do {
        if ((byte = getchar()) == EOF || shift > 63)
            return 0;
        *number |= (unsigned long)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128);
    return 1;
}

static long difference(unsigned long number) {
    return (long)(number >> 1) ^ -(long)(number & 1);
}

int main(int argc, char **argv) {
    char line[16];
    unsigned long head, number, pc = 0, address[2] = {0, 0}, next = 0, end = 0;
    int din = argc > 1 && strcmp(argv[1], "-d") == 0;
    if (!fgets(line, sizeof line, stdin) || strcmp(line, "atomctrace1\n") != 0) {
        fprintf(stderr, "trace_read: this is no binary trace\n");
        return 1;
    }
    while (get_number(&head) && get_number(&number)) {
        int kind = head & 3, store = kind == 2;
        if (kind == 0) {
            for (; din && next < end; next += 4)
                printf("2 %lx\n", next);
            pc += 4 * difference(number);
            next = pc;
            end = pc + 4 * (head >> 4);
            if (!din)
                printf("block 0x%lx %lu\n", pc, head >> 4);
            continue;
        }
        pc += 4 * difference(head >> 4);
        address[store] += difference(number);
        for (; din && pc < end && next <= pc; next += 4)
            printf("2 %lx\n", next);
        if (din)
            printf("%d %lx\n", store, address[store]);
        else
            printf("%s 0x%lx 0x%lx %d\n", store ? "store" : "load", pc, address[store], 1 << (head >> 2 & 3));
    }
    for (; din && next < end; next += 4)
        printf("2 %lx\n", next);
    return ferror(stdin) || fflush(stdout) != 0;
}
