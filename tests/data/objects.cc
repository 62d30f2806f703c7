/* objects.cc: a dynamic program and other objects: threads, exceptions, signals, plug-ins. Its argument says which. */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static int compared;
extern "C" int compare(const void *a, const void *b) {
    if (++compared == 7)
        throw std::runtime_error("seven comparisons");
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}
/* Thrown in the program, through the C library's qsort, caught in the program. */
static void exceptions() {
    for (int round = 0; round < 5; round++) {
        int numbers[20];
        compared = 0;
        for (int i = 0; i < 20; i++)
            numbers[i] = (i * 7 + round) % 20;
        try {
            qsort(numbers, 20, sizeof numbers[0], compare);
            puts("sorted");
        } catch (const std::exception &error) {
            printf("caught: %s\n", error.what());
        }
    }
}

static void count_to(long n, volatile long *sum) {
    for (long i = 0; i < n; i++)
        *sum += i;
}
static void *work(void *sum) {
    count_to(20000, static_cast<long *>(sum));
    return sum;
}
static void threads() {
    pthread_t made[4];
    long sums[4] = {0, 0, 0, 0}, all = 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&made[i], nullptr, work, &sums[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(made[i], nullptr), all += sums[i];
    printf("%ld\n", all);
}

static int ends[2];
static void clean(void *text) { puts(static_cast<const char *>(text)); }
static void *wait_forever(void *) {
    char byte;
    pthread_cleanup_push(clean, const_cast<char *>("cleaned up"));
    if (read(ends[0], &byte, 1) != 1)
        puts("read failed");
    pthread_cleanup_pop(0);
    return nullptr;
}
/* Unwinds from a signal's frame in the middle of a system call. */
static void cancel() {
    pthread_t made;
    void *result;
    if (pipe(ends) != 0)
        return;
    pthread_create(&made, nullptr, wait_forever, nullptr);
    usleep(100000);
    pthread_cancel(made);
    pthread_join(made, &result);
    puts(result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
}

static volatile int arrived;
static char where[100];
static void handler(int, siginfo_t *, void *context) {
    Dl_info info;
    const ucontext_t *state = static_cast<ucontext_t *>(context);
    void *pc = reinterpret_cast<void *>(state->uc_mcontext.sc_pc);
    if (dladdr(pc, &info) && info.dli_fname)
        snprintf(where, sizeof where, "%s", strrchr(info.dli_fname, '/') + 1);
    arrived++;
}
/* A signal in a system call: the handler sees where. */
static void signals() {
    struct sigaction action = {};
    char byte;
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGALRM, &action, nullptr);
    if (pipe(ends) != 0)
        return;
    ualarm(400000, 0);
    long got = read(ends[0], &byte, 1);
    printf("%ld, %d in %s\n", got, arrived, where);
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    pid_t child = fork();
    if (child == 0) {
        usleep(1000000);
        if (write(ends[1], "x", 1) != 1)
            _exit(1);
        _exit(0);
    }
    ualarm(400000, 0);
    got = read(ends[0], &byte, 1);
    waitpid(child, nullptr, 0);
    printf("%ld, %d in %s\n", got, arrived, where);
}

extern "C" int host_adds(int a, int b) { return a + b; }
static void plugins(const char *path) {
    int sum = 0;
    for (int i = 0; i < 50; i++) {
        void *plugin = dlopen(path, i % 2 ? RTLD_NOW : RTLD_LAZY);
        if (!plugin) {
            puts(dlerror());
            return;
        }
        auto run = reinterpret_cast<int (*)(int, int (*)(int, int))>(dlsym(plugin, "plugin_run"));
        try {
            sum += run(i, host_adds);
        } catch (int thrown) {
            sum += thrown;
        }
        dlclose(plugin);
    }
    printf("%d\n", sum);
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
    if (!strcmp(way, "exceptions"))
        exceptions();
    else if (!strcmp(way, "threads"))
        threads();
    else if (!strcmp(way, "cancel"))
        cancel();
    else if (!strcmp(way, "signals"))
        signals();
    else if (!strcmp(way, "plugins"))
        plugins(words[2]);
    return 7;
}
