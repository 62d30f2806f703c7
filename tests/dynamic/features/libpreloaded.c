/* libpreloaded.c: given by LD_PRELOAD; goes on to the function that it replaces. */
#define _GNU_SOURCE
#include <dlfcn.h>
long atol(const char *text) {
    static long (*next)(const char *);
    if (!next)
        next = (long (*)(const char *))dlsym(RTLD_NEXT, "atol");
    return next(text) + 1000;
}
int base_value(void) { return 5; }
