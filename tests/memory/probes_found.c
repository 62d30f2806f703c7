/* probes_found.c: what $memory gives against what the program says. */
#include <stdio.h>

static long found, wrong, strange;

void Found(unsigned long at, unsigned char one, unsigned short two, unsigned four, unsigned long eight, unsigned long is_one,
           unsigned long is_two, unsigned long is_four, unsigned long is_eight) {
    found++;
    if (one != is_one || two != is_two || four != (unsigned)is_four || eight != is_eight) {
        if (wrong++ < 10)
            fprintf(stderr, "at %lx: %x %x %x %lx, and there is %lx %lx %lx %lx\n", at, one, two, four, eight, is_one,
                    is_two, is_four, is_eight);
    }
}

void Strange(unsigned long at) {
    (void)at;
    strange++;
}

void Print(void) {
    printf("%ld looks, %ld wrong, %ld strange\n", found, wrong, strange);
}
