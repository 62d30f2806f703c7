/* maps.c: maps a page at a fixed address, writes to it; or locks all memory, and prints how much is resident.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void lock(void) {
    char line[200];
    long resident = 0;
    FILE *status = fopen("/proc/self/status", "r");
    printf("%d\n", mlockall(MCL_CURRENT | MCL_FUTURE));
    free(malloc(1 << 20));
    while (status && fgets(line, sizeof line, status))
        sscanf(line, "VmRSS: %ld", &resident);
    fprintf(stderr, "%ld\n", resident);
}

int main(int count, char **arguments) {
    if (count < 2 || !strcmp(arguments[1], "lock")) {
        lock();
        return 0;
    }
    void *where = (void *)strtol(arguments[1], NULL, 0);
    int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    long *place = mmap(where, 8192, protection, flags, -1, 0);
    place[0] = 42;
    printf("%p %ld\n", (void *)place, place[0]);
    return 3;
}
