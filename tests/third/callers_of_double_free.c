/* callers_of_double_free: the C library finds it too, and ends the program: the report is whole, leaks
 * included. */
#include <stdlib.h>
#include <string.h>

static void release(void *block) {
    free(block); //! double free
}
// callers: double free < main:18 / main
// callers: leak < main

int main(void) {
    char *lost = malloc(40); //! leak
    void *volatile block = malloc(3000), *volatile behind = malloc(10);
    memset(lost, 1, 40);
    lost = NULL;
    release(block);
    release(block);
    free(behind); // where the C library does not end the program
    return 0;
}
