#include <stdio.h>
static long counts[20];
Count(int n) { counts[n]++; }
Print(int n, char *name) { printf("%s %ld\n", name, counts[n]); }
