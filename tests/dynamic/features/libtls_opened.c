/* libtls_opened.c: opened by dlopen: its thread-local data are made when they are asked for. */
__thread long opened_shared = 3;
static __thread long counts[100];
long opened_next(long n) {
    counts[n]++;
    opened_shared += counts[n];
    return opened_shared;
}
