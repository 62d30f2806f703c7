// contexts.cc: for tools_contexts.sh: blocks that are allocated in many contexts, by recursion, in handlers, and where procedures are left
// by exceptions and by longjmp, in threads and in a child; they are freed elsewhere. The program follows its own calls, line by line, and
// prints for each context: blocks, bytes, freed bytes, and bytes when there were most. No size is near another one's, so that what the
// libraries allocate does not change when that was.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread char path[1000];
static __thread size_t length;
struct call { // the call in this line, as long as it lasts
    size_t before;
    call(const char *procedure, int line) : before(length) {
        length += static_cast<size_t>(std::sprintf(path + length, "%s%s:%d", length ? "/" : "", procedure, line));
    }
    ~call() {
        path[length = before] = 0;
    }
};
#define CALL(what) \
    do { \
        call here(__func__, __LINE__); \
        what; \
    } while (0)

static struct account {
    char path[1000];
    long blocks, bytes, freed, at_peak;
} accounts[2000];
static int account_count;
static long live, most;
static struct block {
    char *start;
    long size;
    account *by;
} blocks[300];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(block *block) {
    int i = 0;
    while (i < account_count && std::strcmp(accounts[i].path, path) != 0)
        i++;
    if (i == account_count)
        std::strcpy(accounts[account_count++].path, path);
    block->by = &accounts[i];
    accounts[i].blocks++;
    accounts[i].bytes += block->size;
    live += block->size;
    for (int k = 0; live > most && k < account_count; k++)
        accounts[k].at_peak = accounts[k].bytes - accounts[k].freed;
    most = live > most ? live : most;
}
static void forget(block *block) {
    if (block->by) {
        block->by->freed += block->size;
        live -= block->size;
    }
    block->by = nullptr;
}

static long random_number() {
    static unsigned long state = 88172645463325252;
    return static_cast<long>((state = state * 6364136223846793005 + 1442695040888963407) >> 33);
}

extern "C" {
// Another block in its place is freed by the one that comes.
__attribute__((noipa)) void make(long scale) {
    pthread_mutex_lock(&lock);
    block *block = &blocks[random_number() % 300];
    forget(block);
    block->size = (random_number() % 50 + 1) * 1000 * scale;
    size_t size = static_cast<size_t>(block->size);
    if (size / 1000 % 2) {
        CALL(block->start = static_cast<char *>(std::realloc(block->start, size)); note(block));
    } else {
        std::free(block->start);
        CALL(block->start = static_cast<char *>(operator new(size)); note(block));
    }
    pthread_mutex_unlock(&lock);
}
__attribute__((noipa)) void drop() {
    pthread_mutex_lock(&lock);
    block *block = &blocks[random_number() % 300];
    forget(block);
    std::free(block->start);
    block->start = nullptr;
    pthread_mutex_unlock(&lock);
}
__attribute__((noipa)) void recurse(int depth, long scale) {
    if (depth == 0)
        CALL(make(scale));
    else if (depth % 3 == 0)
        CALL(recurse(depth - 1, scale));
    else
        CALL(recurse(depth - 1, scale));
    drop();
}
__attribute__((noipa)) void throws(int depth, long scale) {
    CALL(make(scale));
    if (depth == 0)
        throw depth;
    CALL(throws(depth - 1, scale));
}
static __thread jmp_buf place;
__attribute__((noipa)) void jumps(int depth, long scale) {
    CALL(make(scale));
    if (depth == 0)
        longjmp(place, 1);
    CALL(jumps(depth - 1, scale));
}
void handler(int) {
    CALL(recurse(1, 1));
}
__attribute__((noipa)) void one_round(int depth, long scale) {
    CALL(recurse(depth, scale));
    size_t before = length;
    try {
        CALL(throws(depth / 2, scale));
    } catch (int) {
        CALL(make(scale));
    }
    if (setjmp(place) == 0) {
        CALL(jumps(depth / 2, scale));
    } else {
        path[length = before] = 0;
        CALL(make(scale));
    }
    CALL(raise(SIGUSR1));
    CALL(make(scale));
}
void *work(void *argument) {
    for (int i = 0; i < ROUNDS; i++)
        CALL(one_round(i % 8, 1));
    return argument;
}
}

static void print(const char *process) {
    for (account *one = accounts; one < accounts + account_count; one++)
        if (one->blocks)
            std::printf("%s %s %ld %ld %ld %ld\n", process, one->path, one->blocks, one->bytes, one->freed, one->at_peak);
    std::fflush(stdout);
}

int main() {
    static char room[1 << 16];
    pthread_t threads[3];
    std::setvbuf(stdout, room, _IOFBF, sizeof room);
    std::signal(SIGUSR1, handler);
    for (pthread_t &thread : threads)
        pthread_create(&thread, nullptr, work, nullptr);
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
    for (int i = 0; i < ROUNDS; i++)
        CALL(one_round(i % 10, i % 7 + 1));
    for (int i = 0; i < 400; i++)
        drop();
    if (fork() == 0) { // what is there is allocated in the child
        for (account *one = accounts; one < accounts + account_count; one++) {
            int kept = 0;
            for (block &block : blocks)
                kept += block.by == one;
            one->at_peak = one->bytes -= one->freed;
            one->freed = 0;
            one->blocks = kept;
        }
        most = live;
        for (int i = 0; i < ROUNDS; i++)
            CALL(one_round(i % 5, 2));
        print("child");
        exit(0);
    }
    wait(nullptr);
    print("parent");
    return 0;
}
