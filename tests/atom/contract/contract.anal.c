/* contract.anal.c: the routines of contract.inst.c; Start and Stop are the manual page's. */
#include <stdio.h>
#include <string.h>

static long counts[7];
static char *unset, *mine;

Note(char *what) { printf("%s\n", what); fflush(stdout); }
After(int k) { counts[k]++; }

long total;
long process;
int ccStart;
int ccStartProcess;
void Start(unsigned long cc) {
  ccStart = cc;
  ccStartProcess = ((cc << 32) + cc) >> 32;
}
void Stop(unsigned long cc) {
  int ccEnd = cc;
  int ccEndProcess = ((cc << 32) + cc) >> 32;
  total += (unsigned) (ccEnd - ccStart);
  process += (unsigned) (ccEndProcess - ccStartProcess);
}

Strings(char *copied, char *fixed, char *stable, char *name, char *free, char *fixed_free)
{
    copied[0] = 'F', free[0]++; /* its own to change */
    printf("%s %s %s %s %s %s\n", copied, fixed, stable, name, free, fixed_free);
}
Arrays(char *chars, int *ints, long *longs, long *stable, int *free, char *four)
{
    chars[0]++, ints[0]++, free[0] += free[1];
    printf("%.3s %d %d %d %ld %ld %ld %ld %d %.4s\n", chars, ints[0], ints[1], ints[2], longs[0], longs[1], stable[0], stable[1], free[0], four);
}
Small(char a, char b, int c, int d, long e, long f) { printf("%c %d %d %d %ld %ld\n", a, b & 255, c, d, e, f); }
Totals()
{
    printf("several returns %ld, leaves %ld of %ld, longjmp %ld and %ld, exit %ld and %ld, cycles %s\n", counts[0], counts[2], counts[1],
           counts[3], counts[4], counts[5], counts[6], total > 0 && process == total ? "go on" : "are wrong");
}
