/* process_maps.c: prints the process's mappings under each of its names, before and after it has mapped more, and from a thread; and what is
   to be seen of the open file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void print_file(const char *name, int flags) {
    char text[700];
    int file = open(name, flags);
    printf("== %s: descriptor %d, %d, %d\n", name, file, fcntl(file, F_GETFD), fcntl(file, F_GETFL) & O_ACCMODE);
    if (flags & O_PATH || file < 0)
        return;
    for (ssize_t length; (length = read(file, text, sizeof text)) > 0;)
        fwrite(text, 1, (size_t)length, stdout);
    printf("end %ld, write %ld\n", (long)lseek(file, 0, SEEK_CUR) > 0, (long)write(file, "x", 1));
    close(file);
}

static void *thread(void *unused) {
    print_file("/proc/self/maps", O_RDONLY);
    return unused;
}

int main(void) {
    char name[40];
    char *low = mmap((void *)0x10000000000, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    print_file("/proc/self/maps", O_RDONLY);
    mprotect(low + 65536, 65536, PROT_READ | PROT_WRITE);
    memset(malloc(3000000), 1, 3000000);
    snprintf(name, sizeof name, "/proc/%d/maps", (int)getpid());
    int file = open(name, O_RDONLY | O_CLOEXEC);
    printf("%d\n", fcntl(file, F_GETFD));
    close(file);
    print_file("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    print_file("/proc/self/maps", O_RDONLY | O_PATH);
    print_file("/proc/self/mapsx", O_RDONLY);
    print_file("/proc/self/map", O_RDONLY);
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    return 0;
}
