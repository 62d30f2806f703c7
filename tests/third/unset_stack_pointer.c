/* unset_stack_pointer: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int a = 1, *p[3], **q = p;
    q[0] = q[1] = &a;
    return q[2] == &a; //! unset stack read
}
