/* leak_mapped: a line with an error ends with third's message; pointers in mapped memory count until it is unmapped. */
#include <stdlib.h>
#include <sys/mman.h>

static char **map(void) {
    return mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void fill(void) {
    char **kept = map(), **gone = map(), **closed = map();
    kept[100] = malloc(50);
    gone[100] = malloc(60); //! leak
    kept[101] = malloc(1 << 20);
    closed[100] = malloc(70); //! leak
    mprotect(closed, 1 << 16, PROT_NONE);
    munmap(gone, 1 << 16);
}
static void wipe(void) {
    volatile char a[500];
    for (int i = 0; i < 500; i++)
        a[i] = 0;
}
int main(void) {
    fill();
    wipe();
    return 0;
}
