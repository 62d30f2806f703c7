/* grown_shared: mappings that grow: of a segment and of a shared object, which do not, and of memory of its own. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

enum { SIZE = 16384, LARGE = 16 * SIZE };
char *volatile kept;
char **volatile shared, **volatile own, **volatile segment;

int main(void) {
    int id = shmget(IPC_PRIVATE, SIZE, IPC_CREAT | 0600);
    if (id >= 0) {
        segment = shmat(id, 0, 0);
        shmctl(id, IPC_RMID, 0);
        segment = mremap(segment, SIZE, LARGE, MREMAP_MAYMOVE);
    }
    shared = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    own = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    shared[0] = malloc(40);
    shared = mremap(shared, SIZE, LARGE, MREMAP_MAYMOVE);
    own = mremap(own, SIZE, LARGE, MREMAP_MAYMOVE);
    own[LARGE / 8 - 1] = malloc(50);
    kept = malloc(60); //! leak
    kept = 0;
    return shared == MAP_FAILED || own == MAP_FAILED;
}
