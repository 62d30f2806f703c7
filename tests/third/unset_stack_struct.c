/* unset_stack_struct: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct pair {
    long a, b;
};
int main(void) {
    struct pair pair, *p = &pair;
    p->a = 1;
    return p->b == 12345; //! unset stack read
}
