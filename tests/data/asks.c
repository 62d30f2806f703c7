#include <stdlib.h>
int main(void) {
    char *kept = malloc(5007), *given = malloc(1000);
    free(given);
    free(malloc(234));
    return kept == 0;
}
