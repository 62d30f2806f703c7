/* wild_read: the program ends by an access to an address without memory. */
#include <stdlib.h>

int main(void) {
    volatile long *volatile nowhere = (volatile long *)0x3000;
    volatile long kept = 1;
    kept = *nowhere; //! read of no memory
    return (int)kept;
}
