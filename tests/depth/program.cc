// program.cc: calls leaf(depth, kind), where depth is the number of active procedures by the program's own account since
// the beginning of main, of a thread, or of a handler: in recursion deeper than 1000 calls, after longjmp, exceptions,
// in handlers on the same stack and on another one, in threads.
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <pthread.h>

#define OUT extern "C" __attribute__((noinline, noclone))
static volatile int sink;
static thread_local jmp_buf environment;

enum { MAIN, THREAD, HANDLER, OTHER_STACK };
OUT void leaf(int depth, int kind) {
    __asm__ volatile("" : : "r"(depth), "r"(kind));
    sink++;
}
OUT int recurse(int n, int depth, int kind) {
    if (n == 0)
        leaf(depth + 1, kind);
    int result = n > 0 ? recurse(n - 1, depth + 1, kind) + 1 : 0;
    if (n % 50 == 0)
        leaf(depth + 1, kind);
    return result;
}
OUT void jumps(int n, int depth, int kind) {
    if (n > 0)
        jumps(n - 1, depth + 1, kind);
    leaf(depth + 1, kind);
    if (n == 0)
        longjmp(environment, 1);
    sink++;
}
OUT void throws(int n, int depth, int kind) {
    if (n > 0)
        throws(n - 1, depth + 1, kind);
    leaf(depth + 1, kind);
    if (n == 0)
        throw n;
    sink++;
}
OUT void lower(int depth, int kind) {
    leaf(depth + 1, kind);
    sink++;
}
OUT void leaves(int n, int depth, int kind) {
    if (setjmp(environment) == 0)
        jumps(n, depth + 1, kind);
    leaf(depth + 1, kind);
    lower(depth + 1, kind);
    try {
        throws(n, depth + 1, kind);
    } catch (int) {
        leaf(depth + 1, kind);
        lower(depth + 1, kind);
    }
    sink++;
}
static jmp_buf interrupted;
OUT void on_signal(int number) {
    int kind = number == SIGUSR1 ? HANDLER : OTHER_STACK;
    leaf(1, kind);
    leaves(3, 1, kind);
    if (sink % 2)
        longjmp(interrupted, 1);
}
OUT void raises(int number, int depth) {
    if (setjmp(interrupted) == 0)
        raise(number);
    leaf(depth + 1, MAIN);
    sink++;
}
OUT void work(int depth, int kind) {
    for (int i = 0; i < 20; i++) {
        sink += recurse(i % 7, depth + 1, kind);
        leaves(i % 5, depth + 1, kind);
    }
    sink += recurse(3000, depth + 1, kind);
    leaves(2000, depth + 1, kind);
    sink++;
}
OUT void *run(void *) {
    work(1, THREAD);
    sink++;
    return nullptr;
}
int main() {
    stack_t other = {};
    other.ss_size = 1 << 20;
    other.ss_sp = std::malloc(other.ss_size);
    sigaltstack(&other, nullptr);
    signal(SIGUSR1, on_signal);
    struct sigaction action = {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(SIGUSR2, &action, nullptr);
    leaf(1, MAIN);
    pthread_t threads[3];
    for (auto &thread : threads)
        pthread_create(&thread, nullptr, run, nullptr);
    work(1, MAIN);
    for (auto &thread : threads)
        pthread_join(thread, nullptr);
    sigset_t none;
    sigemptyset(&none);
    for (int i = 0; i < 9; i++) {
        raises(SIGUSR1, 1);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        raises(SIGUSR2, 1);
        leaf(1, MAIN);
    }
    return 0;
}
