/* exception_leak: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct holder {
    int *data;
    holder() {
        data = new int[10]; //! leak
        data[0] = 1;
        throw 1;
    }
};
static void wipe() {
    volatile char a[2000];
    memset((char *)a, 0, sizeof a);
}
static void lose() {
    try {
        holder h;
    } catch (int) {
    }
}
int main() {
    lose();
    wipe();
    return 0;
}
