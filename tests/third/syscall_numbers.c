/* syscall_numbers: arguments of system calls that are no addresses, though they are large. What third must say stands at a line's end. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    int *block = malloc(8 * sizeof *block);
    for (int i = 0; i < 50; i++)
        if (syscall(SYS_setsockopt, -1, 0, 0, 0x7fffffffffffff00 - 999 * i, 0x424b4c4b57447225 + 777 * i) != -1)
            return 1;
    if (block[3] == 1) //! unset heap read
        puts("yes");
    free(block);
    return 0;
}
