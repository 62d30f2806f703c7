/* vector_beyond: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include <vector>
int main() {
    std::vector<long> v(6, 1);
    long *p = v.data();
    return p[6] == 12345; //! read outside a block
}
