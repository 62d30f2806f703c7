/* versions.c: two versions of one symbol: the default one, the old one, and both by dlvsym. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int version(int n);
int old_version(int n);
__asm__(".symver old_version, version@V_1");
int main(void) {
    printf("%d %d\n", version(3), old_version(3));
    for (int i = 1; i <= 3; i++) {
        char name[8];
        snprintf(name, sizeof name, "V_%d", i);
        int (*found)(int) = (int (*)(int))dlvsym(RTLD_DEFAULT, "version", name);
        printf("%s: %d\n", name, found ? found(i) : -1);
    }
    return 0;
}
