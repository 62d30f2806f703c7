/* machines.c: the table of machines. */
#include "codegen/machines.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* Alpha is the first: the default. */
static const struct machine_names machines[] = {
    {EM_ALPHA, "Alpha", "alpha", "alpha-linux-gnu", "qemu-alpha", "qemu-alpha-static", "/usr/alpha-linux-gnu",
     "libc6.1-alpha-cross", "-static -Wl,--no-relax", false},
    {EM_AARCH64, "AArch64", "aarch64", "aarch64-linux-gnu", "qemu-aarch64", "qemu-aarch64-static",
     "/usr/aarch64-linux-gnu", "libc6-arm64-cross", "-static", true},
    {.number = EM_386, .name = "Intel 80386"},
    {.number = EM_X86_64, .name = "x86-64"},
    {.number = EM_ARM, .name = "ARM"},
    {.number = EM_MIPS, .name = "MIPS"},
    {.number = EM_PPC, .name = "PowerPC"},
    {.number = EM_PPC64, .name = "PowerPC64"},
    {.number = EM_SPARC, .name = "SPARC"},
    {.number = EM_SPARCV9, .name = "SPARC V9"},
    {.number = EM_RISCV, .name = "RISC-V"},
    {.number = EM_S390, .name = "S/390"},
    {.number = EM_IA_64, .name = "IA-64"},
    {.number = EM_PARISC, .name = "PA-RISC"},
    {.number = EM_68K, .name = "Motorola 68000"},
    {.number = EM_SH, .name = "SuperH"},
};

const struct machine_names *machine_called(uint16_t number) {
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (machines[i].number == number)
            return &machines[i];
    return NULL;
}

const struct machine_names *supported_machine(size_t number) {
    return number < sizeof machines / sizeof machines[0] && machines[number].triple ? &machines[number]
                                                                                    : NULL;
}

const struct machine_names *usual_machine(void) {
    return &machines[0];
}

const struct machine_names *machine_of_bytes(const void *bytes, size_t size) {
    const unsigned char *identification = bytes;
    if (size < MACHINE_BYTES || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
        identification[EI_CLASS] != ELFCLASS64 || identification[EI_DATA] != ELFDATA2LSB)
        return NULL;
    const struct machine_names *machine =
        machine_called((uint16_t)(identification[18] | identification[19] << 8));
    return machine && machine->triple ? machine : NULL;
}

const struct machine_names *machine_of_program(const char *path) {
    unsigned char bytes[MACHINE_BYTES];
    FILE *file = path ? fopen(path, "re") : NULL;
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    const struct machine_names *machine = machine_of_bytes(bytes, size);
    return machine ? machine : usual_machine();
}

bool machine_is_host(const struct machine_names *machine) {
    struct utsname name; /* Linux's names of these machines are ours */
    return machine->short_name && uname(&name) == 0 && strcmp(name.machine, machine->short_name) == 0;
}
