/* registers.c: what registers.atd reports, from the emulator's log of all registers before each instruction (-singlestep -d cpu,fpu,nochain).
   Usage: registers LOG. Prints, for each address: sums of the registers before its instruction, and before the next one that is logged.
   registers LOG LIST: for each line of LIST, an address and a register's number (32 to 63: the low halves of vectors), how often the
   instruction was followed by another, and how often the register was the same then. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 0x400000, WORDS = 0x40000, INTEGERS = 32, REGISTERS = 64 };
struct state {
    uint64_t pc, value[REGISTERS];
};
static uint64_t earlier[WORDS], later[WORDS], count[WORDS];
static uint64_t followed[WORDS], held[WORDS];
static signed char listed[WORDS]; /* 1 + the register */

static uint64_t number_after(const char *line, const char *name) {
    const char *at = strstr(line, name);
    return at ? strtoull(at + strlen(name), NULL, 16) : 0;
}

static void add(uint64_t *sum, const struct state *state) {
    for (int i = 0; i < REGISTERS; i++)
        *sum = *sum * 31 + state->value[i];
}

int main(int argc, char **argv) {
    FILE *log = argc > 1 ? fopen(argv[1], "r") : NULL;
    char line[256], name[8];
    struct state state = {0}, last = {0};
    FILE *list = argc > 2 ? fopen(argv[2], "r") : NULL;
    unsigned long address;
    for (int number; list && fscanf(list, "%lx %d", &address, &number) == 2;)
        listed[(address - TEXT) / 4] = (signed char)(1 + number);
    while (log && fgets(line, sizeof line, log)) {
        if (strstr(line, " PC="))
            state.pc = number_after(line, " PC=");
        for (int i = 0; i < REGISTERS; i++) {
            if (i < INTEGERS - 1)
                snprintf(name, sizeof name, "X%02d=", i);
            else if (i < INTEGERS)
                strcpy(name, " SP=");
            else /* the low half is after the colon */
                snprintf(name, sizeof name, "Q%02d=", i - INTEGERS);
            const char *found = strstr(line, name);
            if (found)
                state.value[i] = i < INTEGERS ? number_after(line, name) : strtoull(strchr(found, ':') + 1, NULL, 16);
        }
        if (!strstr(line, "Q31="))
            continue;
        const uint64_t before = (last.pc - TEXT) / 4;
        if (last.pc && listed[before]) {
            followed[before]++;
            held[before] += state.value[listed[before] - 1] == last.value[listed[before] - 1];
        }
        if (last.pc)
            add(&later[(last.pc - TEXT) / 4], &state);
        add(&earlier[(state.pc - TEXT) / 4], &state);
        count[(state.pc - TEXT) / 4]++;
        last = state;
    }
    for (uint64_t i = 0; i < WORDS; i++)
        if (list && followed[i])
            printf("0x%llx %llu %llu\n", (unsigned long long)(TEXT + 4 * i), (unsigned long long)followed[i], (unsigned long long)held[i]);
        else if (!list && count[i])
            printf("0x%llx\t0x%llx\t0x%llx\n", (unsigned long long)(TEXT + 4 * i), (unsigned long long)earlier[i], (unsigned long long)later[i]);
    return 0;
}
