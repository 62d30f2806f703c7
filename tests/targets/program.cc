/* Calls by a pointer, in threads: each callee notes the line that called it. Prints what targets.atd shows of each line: the calls,
   the targets, the most frequent target and its share in hundredths of a per cent. */
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

enum { LINES = 100, CALLEES = 5 };
static std::atomic<long> seen[LINES][CALLEES];
static const char *const names[CALLEES] = {"_ZN1A5visitEi", "_ZN1B5visitEi", "_ZN1C5visitEi", "_Z5firsti", "_Z6seconds"};

struct A {
    virtual int visit(int line) { return seen[line][0]++, line; }
};
struct B : A {
    int visit(int line) override { return seen[line][1]++, line; }
};
struct C : B {
    int visit(int line) override { return seen[line][2]++, line; }
};
int first(int line) { return seen[line][3]++, line; }
int second(short line) { return seen[line][4]++, line; }

__attribute__((noinline)) static int work(A *const *objects, int (*const *procedures)(int), unsigned seed) {
    int sum = 0;
    for (int i = 0; i < 2000; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned by = seed >> 16;
        sum += objects[by % 7 % 3]->visit(__LINE__);
        if (by % 5 == 0)
            sum += objects[by % 2 ? 2 : 1]->visit(__LINE__);
        sum += objects[by % 11 == 0 ? 1 : 2]->visit(__LINE__);
        if (i >= 1990)
            sum += procedures[i % 5 == 0]((short)__LINE__);
        if (i == 1000)
            sum += objects[0]->visit(__LINE__);
    }
    return sum;
}

int main() {
    A a;
    B b;
    C c;
    A *objects[] = {&a, &b, &c};
    int (*procedures[])(int) = {first, (int (*)(int))second};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; i++)
        threads.emplace_back([&, i] { work(objects, procedures, i); });
    for (auto &thread : threads)
        thread.join();
    for (int line = 0; line < LINES; line++) {
        long calls = 0, targets = 0, most = 0;
        for (int i = 0; i < CALLEES; i++) {
            long times = seen[line][i];
            calls += times;
            targets += times > 0;
            most = times > seen[line][most] ? i : most;
        }
        if (calls > 0)
            printf("program.cc:%d\t%ld\t%ld\t%s\t%.2f\n", line, calls, targets, names[most], 100.0 * seen[line][most] / calls);
    }
}
