/* left_frames.c: procedures that still read from a frame that $30 has left. Run plainly, nothing writes there. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* GCC loads room[n - 1] after mov $15,$30. */
static int __attribute__((noinline)) last(int n) {
    volatile int kept = n * 3;
    char room[n + 1];
    memset(room, n, n);
    __asm__ volatile("" : : "r"(room) : "memory");
    return kept + room[n - 1];
}

/* In deep, $30 is loaded before $15, which comes from deep's frame. */
static int __attribute__((noinline)) out_of_nested(int n) {
    __label__ out;
    volatile int kept = n * 3;
    int deep(int depth) {
        if (depth == 0)
            goto out;
        return deep(depth - 1) + 1;
    }
    char room[n + 1];
    memset(room, n, n);
    deep(n);
    return -1;
out:
    return kept + room[n - 1];
}

static void *count(void *sum) {
    for (int i = 1; i < 30; i++)
        *(long *)sum += 100 * last(i) + out_of_nested(i);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    long sums[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, count, &sums[i]) != 0)
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < 5; i++)
        printf("%d %d\n", last(7 * i), out_of_nested(7 * i));
    printf("%ld %ld\n", sums[0], sums[1]);
    return 0;
}
