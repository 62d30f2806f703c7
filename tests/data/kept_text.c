/* kept_text.c: a program that reads its own instructions: by loads of its own, by the C library, by the
   kernel, in a thread; and executes a copy of some. Control comes from libraries by calls back, longjmp and
   signals. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char __executable_start[], etext[];
static volatile sig_atomic_t handled;
static jmp_buf place;

static uint64_t checksum(const void *from, size_t size) {
    uint64_t sum = 1;
    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + ((const unsigned char *)from)[i];
    return sum;
}

static int order(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

static void handle(int number) {
    handled += number == SIGALRM;
}

static void *in_thread(void *argument) {
    return (void *)checksum(__executable_start, (size_t)argument);
}

/* Some instructions that may be anywhere, and their end. */
__asm__(".align 4\n.globl leaf\n.ent leaf\nleaf: .frame $30, 0, $26, 0\n.prologue 0\n"
        "s4addq $16, 2, $0\nret\n.end leaf\n");
long leaf(long);

int main(void) {
    const size_t size = (size_t)(etext - __executable_start);
    int numbers[] = {5, 3, 8, 1, 9, 2}, pipes[2];
    char *copy = malloc(size);
    void *sum = NULL;
    pthread_t thread;
    volatile int jumps = 0;
    memcpy(copy, __executable_start, size);
    printf("%lx %lx %d\n", checksum(__executable_start, size), checksum(copy, size),
           memcmp(copy, __executable_start, size));
    if (pipe(pipes) < 0)
        return 1;
    for (size_t at = 0, part; at < size; at += part) {
        part = size - at < 4096 ? size - at : 4096;
        if (write(pipes[1], __executable_start + at, part) != (ssize_t)part ||
            read(pipes[0], copy + at, part) != (ssize_t)part)
            return 1;
    }
    printf("%lx\n", checksum(copy, size));
    pthread_create(&thread, NULL, in_thread, (void *)size);
    pthread_join(thread, &sum);
    printf("%lx\n", (unsigned long)sum);
    qsort(numbers, 6, sizeof *numbers, order);
    signal(SIGALRM, handle);
    for (int i = 0; i < 50; i++)
        raise(SIGALRM);
    if (setjmp(place) < 10)
        longjmp(place, ++jumps);
    void *code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code, (const void *)leaf, 8);
    __asm__ volatile("call_pal 0x86" : : : "memory");
    printf("%d %d %d %d %ld %ld\n", numbers[0], numbers[5], (int)handled, jumps, leaf(10),
           ((long (*)(long))code)(10));
    return 7;
}
