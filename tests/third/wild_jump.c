/* wild_jump: a call of what is no code. */
#include <stdlib.h>

int main(void) {
    void (*volatile nowhere)(void) = (void (*)(void))0x5000;
    nowhere(); //! jump to no memory
    return 0;
}
