/* program.c: procedures with arguments that the analysis code takes for exceptions. */
int __attribute__((noinline)) step(long n) { return n * 7 % 5; }
int main(void) {
    int sum = 0;
    for (long i = 0; i < 300; i++) sum += step(i);
    return sum % 2;
}
