/* machines.c: the machines that code can be inserted for, by their architecture. */
#include "engine/machine/machine.h"

const struct machine *machine_for(const struct architecture *architecture) {
    static const struct machine *const machines[] = {&alpha_machine, &aarch64_machine};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (machines[i]->architecture == architecture)
            return machines[i];
    return NULL;
}
