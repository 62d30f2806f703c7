/* emulate.c: qemu-alpha, or qemu-aarch64, as the tests call it (emulator.sh says what it does). It is no
   shell script: a shell would add to the environment, which programs see. Requires what emulator.sh writes
   into interface.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FOR_AARCH64
#undef EMULATOR
#undef EMULATOR_WITH_PLUGINS
#define EMULATOR              EMULATOR_AARCH64
#define EMULATOR_WITH_PLUGINS EMULATOR_AARCH64_WITH_PLUGINS
#endif

int main(int count, char **arguments) {
    static const char *const layout[] = {EMULATOR_LAYOUT};
    const size_t more = sizeof layout / sizeof *layout - 1 + 2;
    const char **words = calloc((size_t)count + more + 1, sizeof *words), *emulator = EMULATOR;
    if (!words)
        return 126;
    /* QEMU 7.2 fills 16 MB with what it knows of the pages of an instrumented program, which are 4 GB apart:
       page by page, this is half of a short run. The program itself does not see the variable. */
    if (setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1) != 0)
        return 126;
    words[1] = "-U", words[2] = "GLIBC_TUNABLES";
    memcpy(words + 3, layout, (more - 2) * sizeof *words);
    for (int i = 1; i < count; i++) {
        words[more + (size_t)i] = strcmp(arguments[i], "-singlestep") ? arguments[i] : EMULATOR_SINGLE_STEP;
        if (strcmp(arguments[i], "-plugin") == 0)
            emulator = EMULATOR_WITH_PLUGINS;
    }
    words[0] = emulator;
    execv(emulator, (char **)words);
    perror(emulator);
    return 127;
}
