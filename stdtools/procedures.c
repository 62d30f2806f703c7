/* procedures.c: the procedures of the program, for tools that follow calls (calls.h), and memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

struct procedure *procedures;
int procedure_count;

void *allocated(long count, long size) {
    void *memory = calloc(count + 1, size);
    if (!memory) {
        perror("calls");
        abort();
    }
    return memory;
}

/* NAME.cold, NAME.cold.1, NAME [clone .cold]: most names are soon known to be none. */
static int may_be_part(const char *name) {
    size_t length = strlen(name);
    char last = length > 5 ? name[length - 1] : 0;
    return last == 'd' || last == ']' || (last >= '0' && last <= '9');
}

void find_wholes(void) {
    for (int i = 0; i < procedure_count; i++) {
        if (!may_be_part(procedures[i].name))
            continue;
        const char *end = strstr(procedures[i].name, " [clone .cold"); /* demangled */
        if (!end)
            end = strstr(procedures[i].name, ".cold");
        for (int k = 0; end && k < procedure_count; k++)
            if (strncmp(procedures[k].name, procedures[i].name, end - procedures[i].name) == 0 &&
                procedures[k].name[end - procedures[i].name] == '\0')
                procedures[i].whole = k;
    }
}
