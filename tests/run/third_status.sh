# third_status: with -D status=N the exit status shows whether third has found an error, in each process; else it is the
# program's.
cat >program.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
    int status = 0;
    volatile char *block = malloc(100);
    if (strcmp(way, "child") == 0) { /* the error is the child's */
        if (fork() == 0)
            return block[100] = 1, free((char *)block), 3;
        wait(&status);
        free((char *)block);
        return WEXITSTATUS(status) == 3 ? 3 : WEXITSTATUS(status) + 1;
    }
    if (strcmp(way, "error") == 0)
        block[100] = 1;
    if (strcmp(way, "leak") == 0)
        return block = malloc(80), block[0] = 1, block = NULL, 3;
    if (strcmp(way, "vfork") == 0 && vfork() == 0)
        _exit(5);
    free((char *)block);
    if (strcmp(way, "signal") == 0)
        block[0] = 1, abort();
    return 3;
}
END
alpha program program.c -g -O1
status_of() { # WORD
    ATOMC_QUIET=1 "$QEMU" ./tool $1 >/dev/null 2>&1 || status=$?
}
instrument tool -t third -D status=42 program
for each in clean:3 error:42 leak:42 child:43 vfork:3 signal:134; do
    status_of "${each%:*}"
    check "${each%:*}" "[ $status = ${each#*:} ]"
done
instrument tool -t third program
status_of error
check default "[ $status = 3 ]"
