/* own_allocator_names: a line with an error ends with third's message; the program's names are like the C library's. */
#include <stdlib.h>

static void tcache_malloc(int size, void **result) {
    *result = malloc(size);
}
static void *make(int size) {
    void *result;
    tcache_malloc(size, &result);
    return result;
}
int main(void) {
    int *a = make(8);
    a[0] = 1;
    int x = a[1] == 5; //! unset heap read
    free(a);
    return x;
}
