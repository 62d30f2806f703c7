/* Keys beyond a limit of 2; one key is dropped; with an argument all are. */
__attribute__((noinline)) void added(long key) {
    __asm__ volatile("" : : "r"(key) : "memory");
}
__attribute__((noinline)) void dropped(long key) {
    __asm__ volatile("" : : "r"(key) : "memory");
}
__attribute__((noinline)) void emptied(void) {
    __asm__ volatile("" : : : "memory");
}
int main(int count, char **arguments) {
    (void)arguments;
    for (long key = 1; key <= 4; key++)
        added(key);
    dropped(9);
    dropped(1);
    added(5);
    added(2);
    if (count > 1)
        emptied();
    added(6);
    return 0;
}
