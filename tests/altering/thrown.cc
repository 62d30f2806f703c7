// thrown.cc: exceptions, by whose values it is decided what is caught.
#include <cstdio>

__attribute__((noipa)) static int checked(int value) {
    if (value > 10)
        throw value;
    return value;
}

int main() {
    int sum = 0, caught = 0;
    for (int i = 0; i < 20; i++)
        try {
            sum += checked(i);
        } catch (int thrown) {
            caught += thrown;
        }
    std::printf("%d %d\n", sum, caught);
}
