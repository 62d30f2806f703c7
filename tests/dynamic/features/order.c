/* order.c: what runs before main and after it, in the program and two libraries of which one needs the other. */
#include <stdio.h>
#include <stdlib.h>
void order_used(void);
__attribute__((constructor(200))) static void first(void) { puts("program: constructor 200"); }
__attribute__((constructor)) static void second(void) { puts("program: constructor"); }
__attribute__((destructor)) static void last(void) { puts("program: destructor"); }
static void before(int count, char **words) { printf("program: preinit %d %d\n", count, words[count] == NULL); }
__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **) = before;
static void at_exit(void) { puts("program: atexit"); }
int main(void) {
    atexit(at_exit);
    order_used();
    puts("main");
    return 3;
}
