/* ends: a program that ends as its argument says: by itself, by a limit (of memory, time, files), by a signal. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
    static char bytes[1 << 20];
    switch (count > 1 ? words[1][0] : 0) {
    case 'm':
        for (char *block; (block = malloc(sizeof bytes)) != NULL;)
            memset(block, 1, sizeof bytes);
        return 1;
    case 'l':
        for (;;)
            ;
    case 'f':
        return 7;
    case 's':
        *(volatile int *)8 = 1;
    }
    return 0;
}
