/* changing_stacks_found.c: uses the registers that routines of C may use. */
#include <stdio.h>

static long found;
static char text[100];

void Found(void) {
    found++;
    snprintf(text, sizeof text, "%ld %s %.3f", found, "found", (double)found / 3);
}

void Print(void) {
    puts(text);
}
