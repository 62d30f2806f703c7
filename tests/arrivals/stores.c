/* stores.c: counts, in a routine that is not inlined, and in one that takes long. */
#include <stdio.h>
#include <string.h>

static volatile long before, after;
static char text[256];

void Begin(void) {
    memset(text, 'a', sizeof text - 1);
}
void Before(void) {
    before++;
}
__attribute__((noinline)) void After(long address) {
    char copy[sizeof text];
    snprintf(copy, sizeof copy, "%.50s %lx", text, address);
    after += strlen(copy) > 50;
}
void Print(void) {
    FILE *file = fopen("counted_in_c", "w");
    fprintf(file, "%ld\n%ld\n", before, after);
    fclose(file);
}
