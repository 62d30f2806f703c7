/* trees.c: threads build and compare trees while the collector stops them, and each other, by signals. Prints sums that do not
   depend on when. Requires: gc.h, with threads. */
#include <gc.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 6, DEPTH = 9, ROUNDS = 12 };

struct tree {
    struct tree *left, *right;
    long value;
};

static __thread long created;

static struct tree *build(int depth, long value) {
    struct tree *tree = GC_MALLOC(sizeof *tree);
    created++;
    tree->value = value;
    if (depth > 0) {
        tree->left = build(depth - 1, 2 * value);
        tree->right = build(depth - 1, 2 * value + 1);
    }
    return tree;
}

static long sum(const struct tree *tree) {
    return tree ? tree->value + sum(tree->left) + sum(tree->right) : 0;
}

static void *work(void *argument) {
    long total = 0, number = (long)argument;
    struct tree *kept = build(DEPTH, number);
    for (int i = 0; i < ROUNDS; i++) {
        struct tree *tree = build(DEPTH - 2, i + number);
        if (i % 4 == number % 4)
            GC_gcollect();
        total += sum(tree) - sum(kept);
    }
    total = total * 1000 + created % 1000;
    return (void *)total;
}

int main(void) {
    pthread_t threads[THREADS];
    GC_INIT();
    for (int round = 0; round < 2; round++) {
        for (long i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, work, (void *)(i + 1));
        for (int i = 0; i < THREADS; i++) {
            void *result;
            pthread_join(threads[i], &result);
            printf("thread %c: %ld\n", 'a' + i, (long)result);
        }
    }
    return GC_get_gc_no() > 0 ? 0 : 1;
}
