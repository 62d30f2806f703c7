/* values.c: calls put() with values at and around all bounds of buckets, in as many threads as asked for; or prints what
   histograms.atd is to find: values THREADS, values THREADS expected. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

volatile long sink;

__attribute__((noinline)) long put(long value, long weight) {
    sink = weight;
    return value;
}

struct histogram {
    const char *name;
    long low, high, step; /* step 0: log2 */
    long count[70000], weight[70000];
} histograms[] = {{"log", 0, 0, 0},          {"ones", -3, 9, 1},
                  {"pages", 0, 4096, 64},    {"odd", -1000, 1000, 7},
                  {"cut", 10, 4095, 1000},   {"wide", -4611686018427387904, 4611686018427387903, 1000000000000007},
                  {"huge", 0, LONG_MAX, 281474976710657}};
enum { HISTOGRAMS = sizeof histograms / sizeof histograms[0] };

/* The slow and obvious way. */
static long bucket(const struct histogram *h, long value) {
    if (h->step == 0) {
        long n = 1;
        if (value < 0)
            return 0;
        for (unsigned long rest = value; rest; rest >>= 1)
            n++;
        return n;
    }
    if (value < h->low)
        return 0;
    if (value >= h->high)
        return ((unsigned long)h->high - h->low - 1) / h->step + 2;
    return ((unsigned long)value - h->low) / h->step + 1;
}

static long bound(const struct histogram *h, long n, long last) {
    if (n == 0)
        return LONG_MIN;
    if (h->step == 0)
        return n == 1 ? 0 : 1L << (n - 2);
    return n == last ? h->high : h->low + (n - 1) * h->step;
}

static void (*use)(long value, long weight);

static void call(long value, long weight) {
    if (put(value, weight) != value)
        abort();
}

static void note(long value, long weight) {
    for (int i = 0; i < HISTOGRAMS; i++) {
        long n = bucket(&histograms[i], value);
        histograms[i].count[n]++;
        histograms[i].weight[n] += weight;
    }
}

static void *all(void *argument) {
    long weight = 0;
    for (int shift = 0; shift < 64; shift++)
        for (long k = -2; k <= 2; k++) {
            use((long)((1UL << shift) + k), ++weight & 7);
            use((long)(-(1UL << shift) + k), ++weight & 7);
        }
    for (int i = 1; i < HISTOGRAMS; i++)
        for (long k = -1; k <= 1; k++) {
            use(histograms[i].low + k, 1);
            use(histograms[i].high - 1 + k % 1, 1);
            for (long n = 0; n < 40; n++)
                use(histograms[i].low + n * histograms[i].step + k, n);
        }
    for (long value = -1100; value < 4200; value++)
        use(value, 2);
    return argument;
}

int main(int count, char **words) {
    long threads = count > 1 ? atol(words[1]) : 1;
    pthread_t thread[16];
    use = count > 2 ? note : call;
    for (int i = 0; i < threads; i++)
        if (use == call)
            pthread_create(&thread[i], 0, all, 0);
        else
            all(0);
    for (int i = 0; i < threads && use == call; i++)
        pthread_join(thread[i], 0);
    histograms[0].count[bucket(&histograms[0], -5)]++; /* before the program */
    histograms[1].count[bucket(&histograms[1], 3)] += 10;
    for (int i = 0; i < HISTOGRAMS && use == note; i++) {
        const struct histogram *h = &histograms[i];
        long last = h->step ? ((unsigned long)h->high - h->low - 1) / h->step + 2 : 64;
        for (long n = 0; n <= last; n++)
            if (h->count[n])
                printf("%s\t%ld\t%ld\t%ld\t%ld\n", h->name, bound(h, n, last),
                       n == last ? LONG_MAX : bound(h, n + 1, last) - 1, h->count[n], last < 80 ? h->weight[n] : 0);
    }
    return 0;
}
