/* bss.c: writes and reads memory from the end of its data to the break, here and there. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern char _end[];
int main(void) {
    char *begin = _end, *end = (char *)sbrk(0);
    long sum = 0, size = 0;
    for (char *at = begin; at < end - (1L << 20); at += 1L << 26, size++)
        *at = (char)size;
    for (char *at = begin; at < end - (1L << 20); at += 1L << 26)
        sum += *at;
    printf("%p %ld %ld %p\n", (void *)begin, size, sum, malloc(1000));
    return 0;
}
