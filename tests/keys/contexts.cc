// contexts.cc: notes for each call of `leaf` the active procedures itself: with recursion, longjmp, exceptions, a handler and threads.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <map>
#include <mutex>
#include <pthread.h>
#include <string>
#include <sys/time.h>

static std::mutex lock;
static std::map<std::string, long> noted;
static thread_local const char *active[64];
static thread_local int depth;
static volatile int sink;

struct Active { // its destructor is what an exception calls, too
    int before;
    explicit Active(const char *name) : before(depth) { active[depth++] = name; }
    ~Active() { depth = before; }
};

#define OUT extern "C" __attribute__((noinline, noclone))
OUT void leaf() {
    Active here("leaf");
    std::string text;
    for (int i = 0; i < depth; i++)
        text += (i ? ";" : "") + std::string(active[i]);
    std::lock_guard<std::mutex> held(lock);
    noted[text]++;
}
OUT int recurse(int n) {
    Active here("recurse");
    if (n == 0)
        leaf();
    int result = n > 0 ? recurse(n - 1) + n : 0;
    if (n == 2)
        leaf();
    return result;
}
static thread_local jmp_buf environment;
OUT void jumps(int n) {
    Active here("jumps");
    if (n > 0)
        jumps(n - 1);
    leaf();
    if (n == 0)
        longjmp(environment, 1);
    sink++;
}
OUT void catches(int n) {
    Active here("catches");
    int before = depth;
    if (setjmp(environment) == 0)
        jumps(n);
    depth = before;
    leaf();
}
OUT void throws(int n) {
    Active here("throws");
    if (n > 0)
        throws(n - 1);
    leaf();
    if (n == 0)
        throw n;
    sink++;
}
OUT void handles() {
    Active here("handles");
    for (int i = 0; i < 3; i++)
        try {
            throws(i);
        } catch (int) {
            leaf();
        }
    leaf();
}
OUT void on_signal(int) {
    Active here("on_signal");
    leaf();
    sink++;
}
OUT void raises() {
    Active here("raises");
    leaf();
    raise(SIGUSR1);
    leaf();
}
OUT void *run(void *) {
    Active here("run");
    for (int i = 0; i < 20; i++) {
        sink += recurse(i % 5);
        catches(i % 3);
        handles();
    }
    return nullptr;
}
int main() {
    signal(SIGUSR1, on_signal);
    for (int round = 0; round < 3; round++) {
        pthread_t threads[3];
        for (auto &thread : threads)
            pthread_create(&thread, nullptr, run, nullptr);
        run(nullptr);
        raises();
        for (auto &thread : threads)
            pthread_join(thread, nullptr);
    }
    for (const auto &[text, count] : noted)
        std::printf("%s\t%ld\n", text.c_str(), count);
    return 0;
}
