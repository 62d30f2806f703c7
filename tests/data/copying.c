/* copying.c: each length up to LONGEST, from and to each place in a quadword, first and last in a page
   between two that cannot be accessed. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 8192, LONGEST = 100 };

static unsigned char *alone(void) {
    unsigned char *pages = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE);
    return pages + PAGE;
}

static unsigned char first_of(int i) {
    return i * 7 + 1;
}
static unsigned char before(int i) {
    return ~i;
}

/* What is around stays. */
static int wrong(const unsigned char *page, int to, int from, int length) {
    int count = 0;
    for (int i = to > 16 ? to - 16 : 0; i < to + length + 16 && i < PAGE; i++)
        count += page[i] != (i >= to && i < to + length ? first_of(from + i - to) : before(i));
    return count;
}

void Copy(void) {
    void *(*volatile copy)(void *restrict, const void *restrict, size_t) = memcpy;
    unsigned char *source = alone(), *target = alone();
    int copies = 0, failures = 0;
    for (int i = 0; i < PAGE; i++)
        source[i] = first_of(i);
    for (int length = 0; length <= LONGEST; length++)
        for (int places = 0; places < 256; places++) {
            int from = places % 8, to = places / 8 % 8;
            from = places & 64 ? PAGE - length - from : from;
            to = places & 128 ? PAGE - length - to : to;
            for (int i = 0; i < PAGE; i++)
                target[i] = before(i);
            failures += copy(target + to, source + from, length) != target + to ||
                        wrong(target, to, from, length) != 0;
            copies++;
        }
    fprintf(stderr, "%d copies, %d wrong\n", copies, failures);
}
