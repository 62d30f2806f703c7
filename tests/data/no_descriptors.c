/* no_descriptors.c: takes all descriptors that it may have, says how many, and ends in the way that is asked for.
   Use: no_descriptors exit|abort|execve|maps */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
    const char *way = count > 1 ? arguments[1] : "exit";
    int taken = 0, last = -1, copy;
    while ((copy = dup(1)) >= 0)
        taken++, last = copy;
    printf("%d descriptors, the last is %d, then %s\n", taken, last, strerror(errno));
    if (!strcmp(way, "maps")) { /* it may have one again */
        char text[16384] = "";
        int maps, lines = 0;
        close(last);
        maps = open("/proc/self/maps", O_RDONLY);
        for (long bytes; (bytes = read(maps, text, sizeof text)) > 0;)
            for (long i = 0; i < bytes; i++)
                lines += text[i] == '\n';
        printf("descriptor %d, %d mappings\n", maps, lines);
    }
    fflush(stdout);
    if (!strcmp(way, "abort"))
        abort();
    if (!strcmp(way, "execve"))
        execl("/bin/true", "true", NULL);
    return 3;
}
