/* passed.c: a procedure called with 0 to 9, which returns one more. */
__attribute__((noinline)) long f(long x) {
    __asm__ volatile("");
    return x + 1;
}
int main(void) {
    long sum = 0;
    for (long i = 0; i < 10; i++)
        sum += f(i);
    return sum != 55;
}
