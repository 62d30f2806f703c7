#include <stdio.h>

void Open(const char *path, const char *mode) {
    fprintf(stderr, "fopen(\"%s\", \"%s\")\n", path, mode);
}
