/* prog.c: the program of tests/cli: it prints its arguments. */
#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        puts(argv[i]);
    return 0;
}
