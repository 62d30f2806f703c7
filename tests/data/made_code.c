/* made_code.c: a jump that the program makes at run time, on the heap just after its data, or at an address. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int function(void *, int);

static int twice(void *self, int number) {
    (void)self;
    return 2 * number;
}

int main(int count, char **arguments) {
    uintptr_t wanted = count > 1 ? strtoul(arguments[1], 0, 16) : 0;
    uint32_t *code;
    if (wanted) {
        code = mmap((void *)wanted, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    } else {
        code = (uint32_t *)(((uintptr_t)sbrk(0x20000) + 0x1fff) & -(uintptr_t)0x2000);
        mprotect(code, 0x2000, PROT_READ | PROT_WRITE | PROT_EXEC);
    }
    if (code == MAP_FAILED)
        return 1;
    code[0] = 0x6bf00000; /* jmp $31,($16) */
    __asm__ volatile("call_pal 0x86" ::: "memory");
    function *volatile made = (function *)code;
    printf("%d\n", made((void *)twice, 21));
    return 0;
}
