/* trace.anal.c: the routines of trace.inst.c; arrays that are not const can be written. */
#include <stdio.h>
static unsigned long references, sum, places;
traceinst(int n, long m, unsigned long address, long pc) { if (n != -1 || m != -1) references += 1000000000; references++; sum = sum * 31 + address; places ^= pc; }
static long entered[5];
main_entered(long a, long sp, long zero, long ra, long pc) { entered[0] = a; entered[1] = sp & 15; entered[2] = zero; entered[3] = ra & 3; entered[4] = pc; }
traceend(char *word, long *numbers, int c) {
    FILE *file = fopen("trace.out", "w");
    word[4] = c + 1; numbers[0] += 4;
    fprintf(file, "%s %ld references %lu\n", word, numbers[0], references);
    fprintf(file, "main %ld %ld %ld %ld %d\n", entered[0], entered[1], entered[2], entered[3], entered[4] - numbers[1]);
    fclose(file);
}
