/* read.anal.c: the routines of read.inst.c. */
#include <stdio.h>

static long calls, failed, bytes;

void RecordRead(long result) {
    calls++;
    if (result < 0)
        failed++;
    else
        bytes += result;
}

void Print(void) {
    FILE *file = fopen("read.out", "w");
    if (!file) {
        perror("read.out");
        return;
    }
    fprintf(file, "calls %ld\nfailed %ld\nbytes %ld\n", calls, failed, bytes);
    fclose(file);
}
