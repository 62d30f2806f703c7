/* wild_copy: a routine of the C library gets an address where no memory is. */
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[16], *volatile nowhere = (char *)0x3000;
    memcpy(text, nowhere, sizeof text); //! read of no memory
    return text[3];
}
