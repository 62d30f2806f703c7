/* reader.c: for tools_system.sh: reads that fetch less than asked, that fail, that the C library makes, and
 * at the end. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char bytes[100];
    if (read(0, bytes, 7) != 7 || read(99, bytes, 7) != -1)
        return 2;
    while (getchar() != EOF)
        ;
    return read(0, bytes, sizeof bytes) != 0;
}
