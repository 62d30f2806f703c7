/* A static position-independent program that relocates itself. */
#include <elf.h>
static long call(long number, long a, long b, long c) {
    register long v0 __asm__("$0") = number, a0 __asm__("$16") = a, a1 __asm__("$17") = b, a2 __asm__("$18") = c;
    __asm__ volatile("callsys" : "+r"(v0), "+r"(a0), "+r"(a1), "+r"(a2) : : "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$19", "$22",
                     "$23", "$24", "$25", "$27", "$28", "memory");
    return v0;
}
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
extern const Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));
__attribute__((noinline)) static long twice(long n) { return 2 * n; }
__attribute__((noinline)) static long square(long n) { return n * n; }
long (*const volatile table[])(long) = {twice, square, twice};
static const char *const volatile words[] = {"relocated\n", "by itself\n"};
static void relocate(long base) {
    const Elf64_Rela *rela = 0;
    long size = 0;
    for (const Elf64_Dyn *entry = _DYNAMIC; entry->d_tag; entry++)
        if (entry->d_tag == DT_RELA) rela = (const Elf64_Rela *)(base + entry->d_un.d_ptr);
        else if (entry->d_tag == DT_RELASZ) size = entry->d_un.d_val;
    for (; size > 0; size -= sizeof *rela, rela++)
        if (ELF64_R_TYPE(rela->r_info) == R_ALPHA_RELATIVE)
            *(long *)(base + rela->r_offset) += base;
}
__attribute__((used)) void begin(void) {
    relocate((long)&__ehdr_start);
    long sum = 0;
    for (long i = 0; i < 30; i++)
        sum += table[i % 3](i);
    for (int i = 0; i < 2; i++)
        call(4, 1, (long)words[i], 10);
    call(405, sum & 63, 0, 0);
}
__asm__(".globl _start\n.ent _start\n_start: br $27, 1f\n1: ldgp $29, 0($27)\n bsr $26, begin !samegp\n.end _start");
