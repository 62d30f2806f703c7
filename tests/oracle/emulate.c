/* emulate.c: qemu-alpha as the tests call it (emulator.sh says what it does). It is no shell script: a shell
   would add to the environment, which programs see. Requires what emulator.sh writes into interface.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
    static const char *const layout[] = {EMULATOR_LAYOUT};
    const size_t more = sizeof layout / sizeof *layout - 1;
    const char **words = calloc((size_t)count + more + 1, sizeof *words), *emulator = EMULATOR;
    if (!words)
        return 126;
    memcpy(words + 1, layout, more * sizeof *words);
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
