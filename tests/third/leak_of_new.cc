/* leak_of_new: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct thing {
    long a, b;
};
static void lose() {
    thing *volatile t = new thing; //! leak
    t->a = 1;
    t = nullptr;
}
int main() {
    lose();
    return 0;
}
