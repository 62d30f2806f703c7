/* demangle.c: names as C++ writes them. Requires nothing. */
#include <stddef.h>
#include <string.h>

#include "engine/places/places.h"

/* Of the C++ library, which its header has only for C++. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

char *demangled_name(const char *symbol) {
    int status;
    if (strncmp(symbol, "_Z", 2) != 0)
        return NULL; /* a name of C, though it may be a type's in C++ */
    return __cxa_demangle(symbol, NULL, NULL, &status);
}
