/* fault.c: it opens a file three times, and says what went wrong. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    for (int i = 0; i < 3; i++) {
        int file = open("/dev/null", O_RDONLY);
        printf("%s\n", file < 0 ? strerror(errno) : "good");
    }
    return 0;
}
