/* same: copies its input, or, asked for its size, says that of its file, which instrumentation changes. */
#include <stdio.h>

int main(int count, char **words) {
    FILE *file = fopen("program", "r");
    (void)words;
    if (count > 1 && file) {
        fseek(file, 0, SEEK_END);
        printf("%ld\n", ftell(file));
        return 0;
    }
    for (int c; (c = getchar()) != EOF;)
        putchar(c);
    return 0;
}
