/* raises.c: sends the calling thread a signal that is queued, and waits for the routine to return. With
   BLOCKS, while the routine blocks other signals, and once more when it does not any more. */
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static long raised;

static void send(void) {
    raised += syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGRTMIN + 1) == 0;
}

void Raise(void) {
#ifdef BLOCKS
    sigset_t others, before;
    sigemptyset(&others);
    sigaddset(&others, SIGPIPE);
    sigaddset(&others, SIGUSR2);
    sigprocmask(SIG_BLOCK, &others, &before);
    send();
    sigprocmask(SIG_SETMASK, &before, NULL);
#endif
    send();
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
