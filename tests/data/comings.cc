/* comings.cc: a dynamic program that opens and closes libraries; its arguments say how. It counts what it does itself. */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

static std::atomic<long> opened, closed, caught;
typedef long routine(long);
extern "C" long between(routine *inner, long n); /* in a library that is not instrumented */
extern "C" long between_left;

static void *open_it(const char *path, int how) {
    void *library = dlopen(path, how);
    if (library)
        opened++;
    else
        puts(strrchr(dlerror(), ':'));
    return library;
}
static void close_it(void *library) {
    dlclose(library);
    closed++;
}

/* From here through `between` into the library, which throws now and then; from there back here, which throws. */
extern "C" long host_throws(long n) {
    if (n % 5 == 0)
        throw std::runtime_error("host");
    return n;
}
static long use(void *library, long n) {
    auto inner = reinterpret_cast<routine *>(dlsym(library, "come_work"));
    try {
        return between(inner, n);
    } catch (const std::exception &error) {
        caught++;
        return strlen(error.what());
    } catch (long thrown) {
        caught++;
        return thrown;
    }
}
static long loop(const char *path, int rounds) {
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
        void *library = open_it(path, i % 2 ? RTLD_NOW : RTLD_LAZY), *again = open_it(path, RTLD_NOW);
        if (!library || !again)
            exit(1);
        sum += use(library, i);
        close_it(again);
        sum += use(library, i + 1);
        close_it(library);
    }
    return sum;
}
static void *thread(void *path) { return reinterpret_cast<void *>(loop(static_cast<char *>(path), 20)); }

static long in_threads(char **paths, int count) {
    pthread_t made[8];
    long sum = 0;
    for (int i = 0; i < count; i++)
        pthread_create(&made[i], nullptr, thread, paths[i]);
    for (int i = 0; i < count; i++) {
        void *result;
        pthread_join(made[i], &result);
        sum += reinterpret_cast<long>(result);
    }
    return sum;
}

int main(int count, char **words) {
    const char *way = words[1];
    long sum = 0;
    setvbuf(stdout, nullptr, _IOLBF, 0);
    if (!strcmp(way, "loop")) {
        sum = loop(words[2], 30);
    } else if (!strcmp(way, "threads")) {
        sum = in_threads(words + 2, count - 2);
    } else if (!strcmp(way, "missing")) {
        open_it(words[2], RTLD_NOW);
    } else if (!strcmp(way, "stays")) {
        use(open_it(words[2], RTLD_NOW), 1);
        if (count > 3)
            abort();
    } else if (!strcmp(way, "fork")) {
        void *library = open_it(words[2], RTLD_NOW);
        fflush(stdout);
        if (fork() == 0) {
            close_it(library);
            _exit(3);
        }
        wait(nullptr);
        close_it(library);
    }
    printf("%ld: opened %ld, closed %ld, caught %ld, left %ld\n", sum, opened.load(), closed.load(), caught.load(),
           between_left);
    return 7;
}
