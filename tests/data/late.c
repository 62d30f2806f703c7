/* late.c: a program whose library has worked before. */
#include <unistd.h>
void early_call(int times);
__attribute__((noinline)) void late_work(void) {
    early_call(1);
}
static void before_all(int count, char **words, char **environment) {
    (void)count, (void)words, (void)environment;
    late_work(); /* calls what is not initialised yet */
}
__attribute__((section(".preinit_array"), used)) static void (*entry)(int, char **, char **) = before_all;
__attribute__((constructor)) static void start(void) {
    late_work();
}
__attribute__((destructor)) static void end(void) {
    late_work();
}
int main(int count, char **words) {
    early_call(17);
    if (count > 1)
        _exit(words[1][0]);
    return 5;
}
