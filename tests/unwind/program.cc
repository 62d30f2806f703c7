// program.cc: procedures that are left by returns, longjmp, exceptions, siglongjmp out of handlers on both stacks, and the
// end of a thread. Each counts its own entries and returns; the difference must be its unwindings. `forks`: a child does
// the same; `exits`: the program ends inside of calls, which is no unwinding.
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUT extern "C" __attribute__((noinline, noclone))
enum { CALLS, JUMPS, THROWS, CLEANS, CATCHES, RETHROWS, HANDLES, NESTS, ENDS, AGAIN, COUNT };
static const char *const names[COUNT] = {"calls", "jumps", "throws", "cleans", "catches", "rethrows", "handles", "nests", "ends", "again"};
static std::atomic<long> entered[COUNT], left[COUNT];
static volatile int sink;
static thread_local jmp_buf environment;
static thread_local sigjmp_buf interrupted, outer;

struct cleaner {
    ~cleaner() { sink = sink + 1; }
};
OUT int calls(int n) {
    entered[CALLS]++;
    int result = n > 0 ? calls(n - 1) + 1 : 0;
    left[CALLS]++;
    return result;
}
OUT int jumps(int n) {
    entered[JUMPS]++;
    calls(n % 3);
    int result = n > 0 ? jumps(n - 1) + 1 : 0;
    if (n == 0)
        longjmp(environment, 1);
    left[JUMPS]++;
    return result;
}
OUT int throws(int n) {
    entered[THROWS]++;
    int result = n > 0 ? throws(n - 1) + 1 : 0;
    if (n == 0)
        throw n;
    left[THROWS]++;
    return result;
}
OUT int cleans(int n) {
    entered[CLEANS]++;
    cleaner object;
    int result = n > 0 ? cleans(n - 1) + 1 : throws(2);
    calls(1);
    left[CLEANS]++;
    return result;
}
OUT int rethrows(int n) {
    entered[RETHROWS]++;
    try {
        sink = sink + cleans(n);
    } catch (int) {
        calls(2);
        throw;
    }
    left[RETHROWS]++;
    return n;
}
OUT void catches(int n) {
    entered[CATCHES]++;
    try {
        sink = sink + rethrows(n);
    } catch (int) {
        calls(1);
    }
    if (setjmp(environment) == 0)
        jumps(n);
    calls(1);
    left[CATCHES]++;
}
OUT void nests(int number) {
    entered[NESTS]++;
    calls(1);
    if (sink % 3 == 0)
        siglongjmp(outer, number); // leaves two handlers
    if (sink % 3 == 1)
        siglongjmp(interrupted, number);
    left[NESTS]++;
}
OUT void handles(int number) {
    entered[HANDLES]++;
    catches(2);
    if (sigsetjmp(interrupted, 1) == 0)
        raise(SIGUSR2);
    if (sink % 2)
        siglongjmp(outer, number);
    left[HANDLES]++;
}
OUT void ends(int n) {
    entered[ENDS]++;
    if (n > 0)
        ends(n - 1);
    else
        pthread_exit(nullptr);
    left[ENDS]++;
}
// Which procedure is called is unknown: nothing shows that `again` has been left until it is called with the same stack
// pointer and return address, or another procedure is.
static int (*volatile sets)(jmp_buf) = _setjmp;
OUT void again(int n) {
    entered[AGAIN]++;
    if (n != 2)
        longjmp(environment, 1);
    left[AGAIN]++;
}
static void *run(void *how) {
    for (int i = 0; i < 20; i++)
        catches(i % 5);
    if (how)
        ends(3);
    return nullptr;
}
static void work() {
    for (int i = 0; i < 12; i++) {
        sink = i;
        if (sigsetjmp(outer, 1) == 0)
            raise(SIGUSR1);
        calls(2);
    }
    for (int i = 0; i < 10; i++)
        catches(i);
    for (volatile int i = 0; i < 5; i = i + 1)
        if (sets(environment) == 0)
            again(i);
    calls(1);
}
OUT void leaves(int n) {
    if (n > 0)
        leaves(n - 1);
    std::fflush(stdout);
    std::exit(3);
}
int main(int count, char **words) {
    stack_t other = {};
    other.ss_size = 1 << 17;
    char *room = static_cast<char *>(std::malloc(1 << 18));
    other.ss_sp = room;
    sigaltstack(&other, nullptr);
    struct sigaction action = {};
    action.sa_handler = handles;
    action.sa_flags = count > 1 && std::strcmp(words[1], "other") == 0 ? SA_ONSTACK : 0;
    sigaction(SIGUSR1, &action, nullptr);
    action.sa_handler = nests;
    sigaction(SIGUSR2, &action, nullptr);
    if (count > 1 && std::strcmp(words[1], "forks") == 0) {
        pid_t child = fork();
        int status;
        if (child)
            waitpid(child, &status, 0);
        if (child)
            return 0;
    }
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], nullptr, run, reinterpret_cast<void *>(i % 2));
    work();
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
    std::puts("Procedure\tEntered\tLeft\tUnwound");
    for (int i = 0; i < COUNT; i++)
        std::printf("%s\t%ld\t%ld\t%ld\n", names[i], entered[i].load(), left[i].load(), entered[i] - left[i]);
    if (count > 1 && std::strcmp(words[1], "exits") == 0)
        leaves(2);
    return 0;
}
