/* new_calls.c: makes system calls that are newer than most C libraries, or that there are not, and prints what
   the kernel says. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    static const long numbers[] = {545, 546, 561, 562, 563, 564, 565, 566, 567, 568,
                                   569, 570, 571, 572, 573, 600, 2000, 30000};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        errno = 0;
        long result = syscall(numbers[i], -1L, 0L, 0L, 0L, 0L, 0L);
        printf("%ld: %ld %d\n", numbers[i], result, errno);
    }
    return 0;
}
