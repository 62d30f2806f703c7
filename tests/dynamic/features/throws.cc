// throws.cc: exceptions from the program through a library into another and back: each may be instrumented or not.
#include <cstdio>
#include <stdexcept>
#include <string>
struct leaf_error : std::runtime_error { using std::runtime_error::runtime_error; };
int outer(int n, int (*callback)(int));
static int callback(int n) {
    if (n % 5 == 4)
        throw leaf_error("program " + std::to_string(n));
    return n;
}
struct counted { int *count; ~counted() { ++*count; } };
int main() {
    int caught = 0, left = 0;
    for (int i = 0; i < 40; i++) {
        counted here = {&left};
        try {
            caught += outer(i, callback);
        } catch (const leaf_error &error) {
            printf("%s\n", error.what());
        } catch (int thrown) {
            printf("int %d\n", thrown);
        }
    }
    printf("%d %d\n", caught, left);
    return 0;
}
