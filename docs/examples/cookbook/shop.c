/* shop.c: the program of the cookbook's chapter on threads: three sellers take goods from one store. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

long stock = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void sale_begins(long seller) {
    __asm__ volatile("" ::"r"(seller));
}
__attribute__((noinline)) static void sale_ends(long seller) {
    __asm__ volatile("" ::"r"(seller));
}

__attribute__((noinline)) static long price(long n) {
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i % 3 ? i : 1;
    return sum;
}

__attribute__((noinline)) static void take(long n) {
    pthread_mutex_lock(&lock);
    stock -= n;
    pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static void give_back(long n) {
    pthread_mutex_lock(&lock);
    stock += n;
    pthread_mutex_unlock(&lock);
}

static void *sell(void *argument) {
    long seller = (long)argument, sum = 0;
    for (long i = 1; i <= 4 * seller; i++) {
        sale_begins(seller);
        sum += price(10 * seller);
        sale_ends(seller);
        take(2);
        if (i % 4 == 0)
            give_back(1);
    }
    return (void *)sum;
}

/* A label, indented by that number of blanks; "?" if there is no memory. */
__attribute__((noinline)) static char *label(const char *text, int blanks) {
    size_t length = strlen(text) + 1;
    char *copy = malloc(length + blanks);
    if (!copy)
        return strdup("?");
    memset(copy, ' ', blanks);
    memcpy(copy + blanks, text, length);
    return copy;
}

__attribute__((noinline)) static void look(const char *name) {
    int file = open(name, O_RDONLY);
    if (file >= 0)
        close(file);
}

__attribute__((noinline)) static void look_twice(void) {
    look("/etc/passwd");
    look("/none");
}

int main(void) {
    pthread_t sellers[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&sellers[i], NULL, sell, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(sellers[i], NULL);
    look("/none");
    look_twice();
    printf("%ld left:", stock);
    for (int i = 0; i < 4; i++) {
        char *text = label("apples and pears", i);
        printf("%s", i < 3 ? " " : text);
        free(text);
    }
    puts("");
    return 0;
}
