/* far_room.c: constants after the text, and nothing after them within the reach of a branch: 4.5 MB. With -DLIBRARY, a library's part; with
   -DNEAR without the constants. */
#include <stdio.h>

long sum(long n);
#if !defined PROGRAM
#ifndef NEAR
static const char constants[4500000] = {1};
const char *volatile used = constants;
#endif
long __attribute__((noinline)) sum(long n) {
    long total = 0;
    for (long i = 0; i < n; i++)
        total += n % 3 ? i : i * i;
    return total;
}
#endif
#if !defined LIBRARY
static const char *const words[] = {"none", "one", "two", "three", "four", "five"};

int main(int count, char **arguments) {
    (void)arguments;
    for (int i = 0; i < 6; i++) {
        switch (i * count) {
        case 0: printf("%s\n", words[i]); break;
        case 1: printf("%ld\n", sum(i)); break;
        case 2: puts(words[i]); break;
        case 3: printf("%ld\n", sum(10 * i)); break;
        case 4: putchar('\n'); break;
        default: printf("%s %ld\n", words[i], sum(i + 100));
        }
    }
    return 3;
}
#endif
