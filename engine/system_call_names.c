/* system_call_names.c: the names of Linux/Alpha's system calls; the stock tools' C has the same table. */
#include "engine/select.h"

#include <stddef.h>

#include "stdtools/system_calls.h"

const char *system_call_name(int64_t number) {
    const int64_t count = sizeof system_call_names / sizeof system_call_names[0];
    return number >= 0 && number < count ? system_call_names[number] : NULL;
}
