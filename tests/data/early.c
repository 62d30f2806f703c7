/* early.c: a library that works before the program's entry and after its exit. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile long sum;
static __thread long own = 5;

__attribute__((noinline)) void early_work(const char *from) {
    sum += from[0] + own;
}
static void work(int times, const char *from) {
    for (int i = 0; i < times; i++)
        early_work(from);
}
void early_init(void) { /* DT_INIT, before all others */
    work(2, "init");
}
void early_fini(void) { /* DT_FINI, after all others */
    work(3, "fini");
    char text[40];
    int length = snprintf(text, sizeof text, "%ld\n", sum);
    if (write(1, text, length) != length)
        abort();
}
__attribute__((constructor(200))) static void second(void) {
    own++;
    work(5, "second");
}
__attribute__((constructor(150))) static void first(void) {
    work(7, "first");
}
static void at_exit(void) {
    work(11, "exit");
}
__attribute__((destructor)) static void last(void) {
    work(13, "last");
}
void early_call(int times) {
    if (times > 16)
        atexit(at_exit);
    work(times, "main");
}
