/* interrupted.c: preloaded into atomc, sends it the signal INTERRUPT_SIGNAL at the call number INTERRUPT_AT of the
 * functions below, so that a test interrupts it at a chosen moment of its work and not after a time. At the end of a
 * process that was not interrupted, the number of its calls is written to the file INTERRUPT_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static long calls, at;
static int number;

__attribute__((constructor)) static void begin(void) {
    number = atoi(getenv("INTERRUPT_SIGNAL"));
    at = atol(getenv("INTERRUPT_AT"));
}

__attribute__((destructor)) static void end(void) {
    long made = calls; /* opening the file makes calls too */
    const char *path = getenv("INTERRUPT_COUNT");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out) {
        fprintf(out, "%ld\n", made);
        fclose(out);
    }
}

static void call(void) {
    if (++calls == at)
        raise(number);
}

void *malloc(size_t size) {
    call();
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    call();
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    call();
    return __libc_realloc(old, size);
}
void free(void *old) {
    call();
    __libc_free(old);
}

#define PASSED_ON(result, name, parameters, arguments)                                                                 \
    result name parameters {                                                                                           \
        call();                                                                                                        \
        return ((result(*) parameters)dlsym(RTLD_NEXT, #name))arguments;                                               \
    }
PASSED_ON(ssize_t, write, (int file, const void *data, size_t bytes), (file, data, bytes))
PASSED_ON(int, close, (int file), (file))
PASSED_ON(int, rename, (const char *from, const char *to), (from, to))
PASSED_ON(int, unlink, (const char *path), (path))
