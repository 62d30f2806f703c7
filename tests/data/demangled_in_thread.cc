// demangled_in_thread.cc: a thread demangles a name by libstdc++'s large procedures.
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <pthread.h>

static void *demangle(void *) {
    int status;
    char *name = abi::__cxa_demangle("_ZNSt3mapISsSt6vectorIiSaIiEESt4lessISsESaISt4pairIKSsS2_EEED1Ev", 0, 0, &status);
    std::puts(status == 0 ? name : "no name");
    std::free(name);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, demangle, 0);
    pthread_join(thread, 0);
}
