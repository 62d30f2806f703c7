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

void find_wholes(void) {
    for (int i = 0; i < procedure_count; i++) {
        const char *end = strstr(procedures[i].name, " [clone .cold"); /* demangled */
        if (!end)
            end = strstr(procedures[i].name, ".cold");
        for (int k = 0; end && k < procedure_count; k++)
            if (strncmp(procedures[k].name, procedures[i].name, end - procedures[i].name) == 0 &&
                procedures[k].name[end - procedures[i].name] == '\0')
                procedures[i].whole = k;
    }
}
