/* deleted_object: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct thing {
    long a, b;
};
int main() {
    thing *t = new thing{1, 2};
    delete t;
    return t->b == 7; //! read of freed memory
}
