// facts: known numbers of calls, turns, blocks, bytes, system calls and errors (tests/run/default_runs.sh).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>
struct Shape {
    virtual ~Shape() = default;
    virtual long area(long) const = 0;
};
struct Square : Shape {
    long area(long n) const override;
};
__attribute__((noinline)) long Square::area(long n) const { return n * n; }
__attribute__((noinline)) static long work(long n) {
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}
int main() {
    char *kept[7], bytes[16];
    long sum = 0;
    Shape *shape = new Square;
    for (int i = 0; i < 7; i++) {
        kept[i] = static_cast<char *>(malloc(1000 + i));
        memset(kept[i], i, 1000);
    }
    for (int i = 0; i < 311; i++)
        sum += work(i & 15) + shape->area(i);
    int file = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < 13; i++)
        sum += read(file, bytes, sizeof bytes);
    close(file);
    for (int i = 0; i < 6; i++)
        free(kept[i]);
    kept[0] = kept[6] = nullptr; // one is lost
    delete shape;
    std::string text = "sum " + std::to_string(sum) + "\n";
    fwrite(text.data(), 1, text.size(), stdout);
    return 3;
}
