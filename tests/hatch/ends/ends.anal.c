/* ends.anal.c: routines that crash, or end in other ways, in the sixth call. */
#include <stdio.h>
#include <stdlib.h>
static long calls;
static volatile long *nowhere = (long *)8;
volatile long always = 1;
Store(long n) { calls++; if (n == 5) *nowhere = n; }
Load(long n) { if (n == 5) calls += *nowhere; }
Abort(long n) { calls++; if (n == 5) abort(); }
static int deeper(long n) { volatile char room[1000]; room[n % 1000] = n; return deeper(n + 1) + room[0]; }
Recursion(long n) { if (n == 5) calls += deeper(n); }
Exit(long n) { calls++; if (n == 5) exit(7); }
Loop(long n) { if (n == 5) while (always) calls++; }
Count(long n) { calls++; }
Print() { printf("after the program: %ld\n", calls); }
