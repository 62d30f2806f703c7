/* starts.c: a program of the host that executes a program in each way there is: starts PROGRAM. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char *program;

static void wait_for(const char *way, pid_t process) {
    int status;
    waitpid(process, &status, 0);
    printf("%s %x\n", way, (unsigned)status);
}

static void *in_thread(void *nothing) {
    char *words[] = {"spawned", "exit", "2", NULL};
    pid_t process;
    (void)nothing;
    posix_spawn(&process, program, NULL, NULL, words, environ);
    wait_for("posix_spawn", process);
    return NULL;
}

int main(int count, char **words) {
    char *arguments[] = {"looks", "exit", "3", NULL}, *empty[] = {NULL};
    pthread_t thread;
    pid_t process;
    program = words[count - 1];
    setvbuf(stdout, NULL, _IONBF, 0);
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
    if ((process = vfork()) == 0) {
        execl(program, program, "exit", "1", NULL);
        _exit(99);
    }
    wait_for("vfork", process);
    if ((process = fork()) == 0) {
        int file = open(program, O_RDONLY | O_CLOEXEC);
        execveat(file, "", arguments, environ, AT_EMPTY_PATH);
        _exit(99);
    }
    wait_for("execveat", process);
    if ((process = fork()) == 0) {
        execve(program, empty, empty);
        _exit(99);
    }
    wait_for("nothing given", process);
    if ((process = fork()) == 0) {
        execl("/nowhere/at/all", "", NULL);
        _exit(98);
    }
    wait_for("nowhere", process);
    execv(program, arguments);
    return 99;
}
