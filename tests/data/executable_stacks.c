/* executable_stacks.c: much memory that is to be code, all over the addresses that the kernel gives out: stacks of 160 threads, each of
   which calls a function on its stack; then 200 pieces that are reserved, and made executable one by one. Four are wanted where
   lookups of landings end in the program's own image. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { THREADS = 160, PIECES = 200, PIECE = 16 << 20 };
static int there; /* of the threads */
static int calls[THREADS];

static void *work(void *number) {
    int list[3] = {3, 1, 2}, count = 0;
    int compare(const void *a, const void *b) {
        count++;
        return *(int *)a - *(int *)b;
    }
    void *block = malloc(1000);
    qsort(list, 3, sizeof *list, compare);
    __sync_add_and_fetch(&there, 1);
    while (*(volatile int *)&there < THREADS)
        sched_yield();
    qsort(list, 3, sizeof *list, compare);
    free(block);
    calls[(intptr_t)number] = list[2] == 3 ? count : -1;
    return NULL;
}

static void threads(void) {
    pthread_t thread[THREADS];
    int sum = 0;
    for (intptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)i) != 0)
            exit(1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        sum += calls[i];
    printf("%d calls\n", sum);
}

static void pieces(void) {
    int sum = 0;
    for (int i = 0; i < PIECES; i++) {
        void *wanted = i < 4 ? (void *)(0x41d0000000 + i * (64L << 30)) : NULL;
        uint32_t *code = mmap(wanted, PIECE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (code == MAP_FAILED || mprotect(code, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
            exit(1);
        code[0] = 0x42003400; /* addq $16,1,$0 */
        code[1] = 0x6bfa8001; /* ret */
        __asm__ volatile("call_pal 0x86" ::: "memory");
        int (*volatile made)(int) = (int (*)(int))(void *)code;
        sum = made(sum);
    }
    printf("%d pieces\n", sum);
}

int main(void) {
    threads();
    pieces();
    return 0;
}
