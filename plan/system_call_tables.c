/* system_call_tables.c: Linux's system calls of each machine, by number: their names and gates. */
#include "plan/system_call_tables.h"

#include <elf.h>
#include <stddef.h>

#define SYSTEM_CALL(number, name, gate, private) [number] = {#name, GATE_##gate},
static const struct system_call alpha_calls[] = {
#include "plan/system_calls.def"
};
static const struct system_call aarch64_calls[] = {
#include "plan/system_calls_aarch64.def"
};
#undef SYSTEM_CALL

static const struct {
    uint16_t machine;
    const struct system_call *calls;
    int64_t count;
} tables[] = {
    {EM_ALPHA, alpha_calls, sizeof alpha_calls / sizeof alpha_calls[0]},
    {EM_AARCH64, aarch64_calls, sizeof aarch64_calls / sizeof aarch64_calls[0]},
};

const struct system_call *plan_system_call(uint16_t machine, int64_t number) {
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i].machine == machine)
            return number >= 0 && number < tables[i].count ? &tables[i].calls[number] : NULL;
    return NULL;
}
