/* unset_stack_struct: what third must say of a line stands at its end. */
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
