/* main.c: executes program.lua with coroutines of one kind. Use: coroutines contexts|jumps. */
#include <string.h>

int run_UCONTEXT(void);
int run_SJLJ(void);

int main(int argc, char **argv) {
    return argc > 1 && !strcmp(argv[1], "jumps") ? run_SJLJ() : run_UCONTEXT();
}
