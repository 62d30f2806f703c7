/* wild_write: the program ends by an access to an address without memory. */
#include <stdlib.h>

int main(void) {
    volatile long *volatile nowhere = (volatile long *)0x3000;
    volatile long kept = 1;
    *nowhere = kept; //! write to no memory
    return (int)kept;
}
