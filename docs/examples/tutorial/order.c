#include <stdio.h>

static char signs[100];
static int count;

void Compared(int result) {
    if (count < 99)
        signs[count++] = result < 0 ? '<' : '>';
}

void Print(void) {
    printf("%s\n", signs);
}
