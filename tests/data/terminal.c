/* terminal.c: procedures that are called 1, 1,000 and 40,000 times. */
static volatile long sum;

__attribute__((noinline)) static void third(long amount) {
    sum += amount;
}

__attribute__((noinline)) static void second(long amount) {
    for (long i = 0; i < 40; i++)
        third(i);
    sum -= amount;
}

int main(void) {
    for (long i = 0; i < 1000; i++)
        second(i);
    return 0;
}
