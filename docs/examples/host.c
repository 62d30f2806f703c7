/* host.c: opens and closes a plug-in. */
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
    long sum = 0;
    for (long i = 0; i < 3; i++) {
        void *plug = dlopen("./plug.so", RTLD_NOW);
        long (*square)(long) = (long (*)(long))dlsym(plug, "square");
        sum += square(i);
        dlclose(plug);
    }
    printf("%ld\n", sum);
}
