/* isa.c: the architectures by number. */
#include "codegen/isa.h"

#include "codegen/aarch64/aarch64.h"
#include "codegen/alpha/architecture.h"

static const struct architecture *const architectures[] = {&alpha_architecture, &aarch64_architecture};

const struct architecture *architecture_number(unsigned number) {
    return number < sizeof architectures / sizeof architectures[0] ? architectures[number] : NULL;
}

const struct architecture *architecture_of(uint16_t machine) {
    for (size_t i = 0; i < sizeof architectures / sizeof architectures[0]; i++)
        if (architectures[i]->machine == machine)
            return architectures[i];
    return NULL;
}
