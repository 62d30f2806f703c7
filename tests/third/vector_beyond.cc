/* vector_beyond: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include <vector>
int main() {
    std::vector<long> v(6, 1);
    long *p = v.data();
    return p[6] == 12345; //! read outside a block
}
