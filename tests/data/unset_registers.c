/* Variadic procedures store all registers that arguments are passed in, also those that no caller has set: they hold what anybody left there. */
#include <stdarg.h>
#include <stdio.h>

static long total;

__attribute__((noipa)) static long sum(int count, ...) {
    va_list arguments;
    long result = 0;
    va_start(arguments, count);
    for (int i = 0; i < count; i++)
        result += va_arg(arguments, long);
    va_end(arguments);
    return result;
}

__attribute__((noipa)) static double real_sum(int count, ...) {
    va_list arguments;
    double result = 0;
    va_start(arguments, count);
    for (int i = 0; i < count; i++)
        result += va_arg(arguments, double);
    va_end(arguments);
    return result;
}

__attribute__((noipa)) static int leaf(int x) {
    return x * 3 + 1;
}

int main(void) {
    for (int i = 0; i < 50; i++) {
        total += sum(1, (long)leaf(i)) + (long)real_sum(2, 0.5, (double)i);
        printf("%ld\n", total);
    }
    return 0;
}
