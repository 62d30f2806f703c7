/* libtls.c: local-dynamic (two of its own), general-dynamic (seen by others). */
__thread long library_shared = 7;
static __thread long first = 1, second;
__attribute__((noinline)) static long *place_of_first(void) { return &first; }
long library_next(long n) {
    *place_of_first() += n;
    second += first;
    return second + library_shared;
}
