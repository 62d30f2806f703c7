# third_memory: third's memory for large blocks: proportional to the memory that the program uses, not to the memory
# that it allocated and freed; and its report at the end of programs whose mappings have grown.
cat >peak.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words) { /* kilobytes; at last the status */
    struct rusage usage;
    int status = 0;
    if (count < 2 || fork() == 0) {
        execvp(words[1], words + 1);
        _exit(127);
    }
    wait(&status);
    getrusage(RUSAGE_CHILDREN, &usage);
    fprintf(stderr, "%ld\n", usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
END
gcc -O1 peak.c -o peak
cat >blocks.c <<'END'
/* Blocks that are never touched, touched in part, or moved, one after the other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char **words) {
    long times = atol(words[1]), bytes = atol(words[2]), touched = atol(words[3]);
    for (long i = 0; i < times; i++) {
        char *volatile block = malloc(bytes);
        if (touched)
            memset(block, 1, touched);
        if (touched)
            block = realloc(block, bytes + 4096);
        if (touched && block[touched - 1] != 1)
            return 1;
        free(block);
    }
    puts("done");
    return 0;
}
END
alpha blocks blocks.c -g -O1
instrument instrumented -t third blocks
took() { # NAME TIMES BYTES TOUCHED: at most 100 MB more than the program itself
    ./peak "$QEMU" blocks "${@:2}" >plain 2>plain.peak
    rm -f third.out
    check "$1" "./peak '$QEMU' instrumented ${*:2} >found 2>found.peak && diff plain found && [ \$(wc -l <third.out) = 1 ]" \
        third.out
    echo "$1: $(cat found.peak) KB, plain $(cat plain.peak) KB"
    check "$1/memory" "[ $(cat found.peak) -lt $(($(cat plain.peak) + ${MOST:-100} * 1024)) ]"
}
took untouched 100 50000000 0
took small 2000 200000 0
MOST=150 took touched 40 20000000 1000000

# The end, too.
for way in 1 2; do
    cat >grown.c <<END
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
char *volatile kept;
int main(void) {
    kept = malloc(40);
    int id = shmget(IPC_PRIVATE, 16384, IPC_CREAT | 0600);
    char *at = $way == 1 ? shmat(id, 0, 0) : mmap(0, 16384, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shmctl(id, IPC_RMID, 0);
    at[0] = 'x';
    at = mremap(at, 16384, 16 * 16384, MREMAP_MAYMOVE);
    if (at == MAP_FAILED) return 3;
    printf("first byte %c\n", at[0]);
    return 0;
}
END
    alpha grown grown.c
    instrument instrumented -t third grown
    rm -f third.out
    prints grown/$way qemu instrumented <<<"first byte x"
    check grown/$way/report "qemu instrumented >log && [ \$(wc -l <third.out) = 1 ]" third.out
done
