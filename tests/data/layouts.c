/* layouts.c: uses memory wherever the kernel or the emulator gives it: the heap, large blocks, mappings that
   grow and go, a deep stack, a handler on a stack of its own, a library's data. Prints no address. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int caught;
static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
static int deep(int n) {
    volatile char room[300];
    room[n % 300] = (char)n;
    return n ? deep(n - 1) + room[n % 300] : 0;
}
static void handle(int number) {
    caught += deep(10) + number;
}

int main(void) {
    long sum = 0, size = sysconf(_SC_PAGESIZE);
    char *blocks[200], *alternate = malloc(65536);
    stack_t stack = {.ss_sp = alternate, .ss_size = 65536};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 200; i++) {
        blocks[i] = calloc(1, (size_t)i * 3000 + 1); /* some by mmap */
        memset(blocks[i], i, (size_t)i * 3000 + 1);
    }
    for (int i = 0; i < 200; i += 2)
        free(blocks[i]);
    for (int i = 1; i < 200; i += 2) {
        blocks[i] = realloc(blocks[i], (size_t)i * 5000 + 1);
        sum += blocks[i][i * 3000];
        free(blocks[i]);
    }
    for (int i = 1; i < 30; i++) {
        char *pages =
            mmap(NULL, (size_t)(i * size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        pages[i * size - 1] = (char)i;
        mprotect(pages, (size_t)size, PROT_READ);
        mprotect(pages, (size_t)size, PROT_READ | PROT_WRITE);
        pages = mremap(pages, (size_t)(i * size), (size_t)((i + 40) * size), MREMAP_MAYMOVE);
        sum += pages[i * size - 1] + pages[(i + 40) * size - 1];
        munmap(pages, (size_t)((i + 40) * size));
    }
    int *numbers = malloc(2000 * sizeof *numbers);
    for (int i = 0; i < 2000; i++)
        numbers[i] = (int)(i * 7919L % 20011);
    qsort(numbers, 2000, sizeof *numbers, compare);
    raise(SIGUSR1);
    printf("%ld %d %d %d\n", sum, numbers[1000], deep(1000), caught);
    free(numbers);
    free(alternate);
    return 0;
}
