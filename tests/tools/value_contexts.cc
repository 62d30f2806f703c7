// value_contexts.cc: for tools_value_contexts.sh: arguments, results and stores in many contexts: by
// recursion, in handlers, and where procedures are left by exceptions and by longjmp, in threads and in a
// child. The program follows its own calls, line by line, and prints for each value: the process, what it is
// of, the calls above, and the value.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread char path[1000];
static __thread size_t length;
struct call { // the call in this line, as long as it lasts
    size_t before;
    call(const char *procedure, int line) : before(length) {
        length +=
            static_cast<size_t>(std::sprintf(path + length, "%s%s:%d", length ? "/" : "", procedure, line));
    }
    ~call() {
        path[length = before] = 0;
    }
};
#define CALL(what)                                                                                           \
    do {                                                                                                     \
        call here(__func__, __LINE__);                                                                       \
        what;                                                                                                \
    } while (0)

static const char *process = "parent";
static void say(const char *of, long value) {
    std::printf("%s %s %s %ld\n", process, of, path, value);
}

extern "C" {
static volatile int cell;
__attribute__((noipa)) void put(long value) {
    cell = static_cast<int>(value);
}
__attribute__((noipa)) long weigh(long value, int depth) {
    long sum = value % 3;
    say("argument", value);
    if (depth > 0 && value % 2)
        CALL(sum += weigh(value / 2, depth - 1));
    else if (depth > 0)
        CALL(sum += weigh(value / 2 + 1, depth - 1));
    CALL(say("stores", sum - 2); put(sum - 2));
    say("result", sum);
    return sum;
}
// Its last instruction may be a jump to weigh.
__attribute__((noipa)) void throws(long value, int depth) {
    CALL(weigh(value, 1));
    if (depth == 0)
        throw depth;
    CALL(throws(value + 1, depth - 1));
}
static __thread jmp_buf place;
__attribute__((noipa)) void jumps(long value, int depth) {
    CALL(weigh(value, 2));
    if (depth == 0)
        longjmp(place, 1);
    CALL(jumps(value + 1, depth - 1));
}
void handler(int) {
    CALL(weigh(7, 1));
}
__attribute__((noipa)) void one_round(long value, int depth) {
    CALL(weigh(value, depth));
    size_t before = length;
    try {
        CALL(throws(value, depth / 2));
    } catch (int) {
        CALL(weigh(value, 0));
    }
    if (setjmp(place) == 0) {
        CALL(jumps(value, depth / 2));
    } else {
        path[length = before] = 0;
        CALL(weigh(value, 1));
    }
    CALL(raise(SIGUSR1));
    CALL(weigh(-value, 1));
}
void *work(void *argument) {
    for (int i = 0; i < ROUNDS; i++)
        CALL(one_round(i % 3, i % 4));
    return argument;
}
// Loads the number again where the call of itself returns to: number 1 by the innermost one that does.
long again(long number);
__asm__(".text\n.align 4\n.globl again\n.type again,@function\n.ent again\nagain:\n"
        "lda $30,-16($30)\nstq $26,0($30)\nstq $16,8($30)\nbeq $16,1f\n"
        "subq $16,1,$16\nbsr $26,again\nldl $16,8($30)\n"
        "1: ldq $26,0($30)\nlda $30,16($30)\nret $31,($26),1\n.end again\n.size again,.-again\n");
}

int main() {
    static char room[1 << 20];
    pthread_t threads[2];
    std::setvbuf(stdout, room, _IOFBF, sizeof room);
    std::signal(SIGUSR1, handler);
    for (pthread_t &thread : threads)
        pthread_create(&thread, nullptr, work, nullptr);
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
    for (int i = 0; i < ROUNDS; i++)
        CALL(one_round(i % 5, i % 6));
    again(4);
    std::fflush(stdout);
    if (fork() == 0) { // it counts from here on
        process = "child";
        for (int i = 0; i < ROUNDS; i++)
            CALL(one_round(i % 4 - 1, i % 3));
        exit(0);
    }
    wait(nullptr);
    return 0;
}
