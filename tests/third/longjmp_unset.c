/* longjmp_unset: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include <setjmp.h>
static jmp_buf place;
static void jump(void) {
    int a[20];
    a[0] = 1;
    longjmp(place, a[0]);
}
int main(void) {
    int *a = malloc(20);
    a[0] = 1;
    if (setjmp(place) == 0)
        jump();
    int x = a[1] == 3; //! unset heap read
    free(a);
    return x;
}
