/* lines.c: counts the lines and characters of its input. */
#include <stdio.h>

int main(void) {
    int lines = 0, characters = 0;
    for (int c; (c = getchar()) != EOF; characters++)
        lines += c == '\n';
    printf("%d lines, %d characters\n", lines, characters);
    return 0;
}
