/* raises.c: sends the calling thread a signal that is queued, and waits for the routine to return. */
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static long raised;

void Raise(void) {
    raised += syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGRTMIN + 1) == 0;
}

void Raise4(long a, long b, long c, long d) {
    if (a | b | c | d)
        Raise();
}

void Raise8(long a, long b, long c, long d, long e, long f, long g, long h) {
    if (a | b | c | d | e | f | g | h)
        Raise();
}

void Print(void) {
    FILE *file = fopen("raised", "w");
    fprintf(file, "%ld\n", raised);
    fclose(file);
}
