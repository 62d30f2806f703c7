/* unset_hoisted: a line with an error ends with third's message; a load before the branch that decides on its use. */
#include <stdlib.h>

static __attribute__((noinline)) long choose(long *from, long wanted) {
    long result = 2, value;
    asm volatile("ldq %1, 0(%2)\n\tbeq %3, 1f\n\tcmpeq %1, 5, %0\n1:" : "+&r"(result), "=&r"(value) : "r"(from), "r"(wanted));
    return result;
}
static __attribute__((noinline)) long use(long *from, long wanted) {
    long result = 2, value;
    asm volatile("ldq %1, 0(%2)\n\tbeq %3, 1f\n\tcmpeq %1, 5, %0\n\tbr 2f\n1:\tcmpeq %1, 6, %0\n2:" //! unset heap read
                 : "+&r"(result), "=&r"(value)
                 : "r"(from), "r"(wanted));
    return result;
}
int main(void) {
    long *a = malloc(8), x = choose(a, 0) + use(a, 0);
    free(a);
    return x == 100;
}
