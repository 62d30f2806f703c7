/* ends.anal.c: routines that crash, or end in other ways, in the sixth call. */
#include <stdio.h>
#include <stdlib.h>
static long calls;
static volatile long *nowhere = (long *)8;
volatile long always = 1;
void Store(long n) { calls++; if (n == 5) *nowhere = n; }
void Load(long n) { if (n == 5) calls += *nowhere; }
void Abort(long n) { calls++; if (n == 5) abort(); }
static int deeper(long n) { volatile char room[1000]; room[n % 1000] = n; return deeper(n + 1) + room[0]; }
void Recursion(long n) { if (n == 5) calls += deeper(n); }
void Exit(long n) { calls++; if (n == 5) exit(7); }
void Loop(long n) { if (n == 5) while (always) calls++; }
void Count(long n) { calls++; }
void Print() { printf("after the program: %ld\n", calls); }
