/* read.anal.c: the routines of read.inst.c. */
#include <stdio.h>
static long calls, failed, bytes;
RecordRead(long n) { calls++; if (n < 0) failed++; else bytes += n; }
Print() { FILE *file = fopen("read.out", "w"); fprintf(file, "calls %ld\nfailed %ld\nbytes %ld\n", calls, failed, bytes); fclose(file); }
