/* terminal.c: procedures that are called 1, 1,000 and 40,000 times; with an argument, the last two go on for ever. */
static volatile long sum;

__attribute__((noinline)) static void third(long amount) {
    sum += amount;
}

__attribute__((noinline)) static void second(long amount) {
    for (long i = 0; i < 40; i++)
        third(i);
    sum -= amount;
}

int main(int argc, char **argv) {
    (void)argv;
    for (long i = 0; argc > 1 || i < 1000; i++)
        second(i);
    return 0;
}
