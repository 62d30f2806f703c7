// leaving.cc: for tools_leaving.sh: four threads leave procedures by exceptions and by longjmp, ROUNDS
// times each, deep in recursion; blocks of 3001 bytes are freed by the destructor that an exception runs, of
// 3002 never, since longjmp runs none, of 3003 behind both.
#include <cstdlib>
#include <pthread.h>
#include <setjmp.h>

static __thread jmp_buf place;
static volatile int sink;
static char *volatile made;
struct holder {
    char *block;
    holder() : block(new char[3001]) {
        made = block;
    }
    ~holder() {
        delete[] block;
    }
};

extern "C" {
__attribute__((noipa)) int throws(int depth) {
    holder held;
    if (depth == 0)
        throw held.block[0] = 1;
    return throws(depth - 1) + held.block[0];
}
__attribute__((noipa)) int jumps(int depth) {
    char *block = static_cast<char *>(malloc(3002));
    made = block;
    block[0] = 0;
    if (depth == 0)
        longjmp(place, 1);
    int result = jumps(depth - 1) + block[0];
    free(block);
    return result;
}
__attribute__((noipa)) void after_throw() {
    sink = 1;
}
__attribute__((noipa)) void after_jump() {
    sink = 2;
}
__attribute__((noipa)) void one_round() {
    void *volatile block = malloc(3003);
    try {
        throws(4);
    } catch (char) {
        after_throw();
    }
    if (setjmp(place) == 0)
        jumps(3);
    else
        after_jump();
    free(block);
}
__attribute__((noipa)) void *work(void *argument) {
    for (int i = 0; i < ROUNDS; i++)
        one_round();
    return argument;
}
}
int main() {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    made = NULL;
}
