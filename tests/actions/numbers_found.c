/* numbers_found.c: sums of what the calls of numbers.atd pass. */
#include <stdio.h>

static double sums[9], again;
static long wrong;

void Start(double three, int minus_four, double ten, double a, long b, double c, double moves, double seven) {
    if (three != 3 || minus_four != -4 || ten != 10 || a != 1 || b != 1 || c != 1 || moves != 8 || seven != 7)
        wrong = 1;
}

void Mix(long n, double x, double y, double unused, double z, double on_the_way, long seventh, double eighth, double ninth) {
    sums[0] += x, sums[1] += y, sums[2] += z, sums[3] += eighth, sums[4] += ninth, sums[7] += n, sums[8] += seventh;
    again += y - x + seventh;
    if (on_the_way != z)
        wrong++;
    (void)unused;
}

/* In other registers, which the program's values must survive. */
void Again(double z, double y, double x, double seventh_as_double, double zero, double thousand, double minus_three) {
    (void)z, (void)seventh_as_double;
    again -= y - x;
    if (zero != 0 || thousand != 1000 || minus_three != -3)
        wrong++;
}

void Mixed(double result) {
    sums[5] += result;
}

void Halved(double result, unsigned long stack) {
    sums[6] += result;
    if (stack < 0x10000 || stack & 15)
        wrong++;
}

void Finish(double limit) {
    if (limit != 1023 || again != sums[8])
        wrong++;
    for (int i = 0; i < 9; i++)
        printf("%.17g\n", sums[i]);
    if (wrong)
        printf("%ld wrong\n", wrong);
}
