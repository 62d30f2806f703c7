/* local.anal.c: variables of a thread: the analysis code is one, whoever calls it. */
#include <stdio.h>
static __thread long n;
__thread int m = 5;
Note(char *what) { n++, m++; }
After(int k) { n++, m++; }
Start() {}
Stop() {}
Strings() {}
Arrays() {}
Small() {}
Totals() { printf("%ld %d\n", n, m); }
