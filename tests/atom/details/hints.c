/* hints.c: instructions that only name an address, which the program prints. */
#include <stdio.h>
static char memory[1024] __attribute__((aligned(64)));
int main(void) {
    printf("%lx\n%lx\n%lx\n%lx\n", (long)memory, (long)memory + 72, (long)memory + 128, (long)memory + 192);
    __asm__ volatile(".arch ev67\n\tfetch (%0)\n\tfetch_m (%1)\n\tecb (%2)\n\twh64 (%3)"
                     : : "r"(memory), "r"(memory + 72), "r"(memory + 128), "r"(memory + 192) : "memory");
    return 0;
}
