#include <stdio.h>
#include <stdlib.h>
static struct { long calls, last; } *procs;
Open(int n) { procs = calloc(n, sizeof *procs); }
Count(int n, long argument) { procs[n].calls++; procs[n].last = argument; }
Print(int n, char *name) { printf("%s: %ld calls, the last with %ld\n", name, procs[n].calls, procs[n].last); }
