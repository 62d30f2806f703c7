/* leak_register: a line with an error ends with third's message; a pointer in a register is one. */
/* options: -O2 */
#include <stdlib.h>
#include <sys/syscall.h>

int main(void) {
    register char *kept asm("$9") = malloc(20);
    register char *lost asm("$10") = malloc(30); //! leak
    asm volatile("mov $31, %0" : "=r"(lost) : "0"(lost));
    register long number asm("$0") = SYS_exit_group;
    register long status asm("$16") = lost != NULL || kept == NULL;
    asm volatile("callsys" : : "r"(number), "r"(status), "r"(kept));
    return 1;
}
