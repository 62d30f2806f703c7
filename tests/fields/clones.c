/* clones.c: procedures that GCC copies without a parameter that is the same in all calls; pick gets a member, not the
   address of the structure. */
#include <stdio.h>
#include <stdlib.h>

struct first {
    long unused;
};
struct second {
    long before, value;
};
static long __attribute__((noinline)) sum(const struct first *first, struct second *second, long times) {
    long total = first ? 1 : 0;
    printf("%ld %ld\n", second->before, second->value);
    for (long i = 0; i < times; i++)
        total += second->value++ * (i + (long)second->before);
    return total;
}
static long __attribute__((noinline)) pick(const struct first *first, const struct second *second, long times) {
    long total = first ? 1 : 0;
    for (long i = 0; i < times; i++)
        total += second->value * (i + (long)second->before);
    fprintf(stderr, "%ld %ld\n", second->before, second->value);
    return total;
}
int main(int count, char **words) {
    struct second two = {count, (long)atoi(words[0]) + 7};
    long total = sum(NULL, &two, count + 5);
    two.value++;
    return total + sum(NULL, &two, count + 9) + pick(NULL, &two, count) + pick(NULL, &two, total) == 0;
}
