/* unset_stack_pointer: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int a = 1, *p[3], **q = p;
    q[0] = q[1] = &a;
    return q[2] == &a; //! unset stack read
}
