/* isa.c: the architectures by number. */
#include "codegen/isa.h"

#include <string.h>

#include "codegen/aarch64/aarch64.h"
#include "codegen/alpha/architecture.h"

static const struct architecture *const architectures[] = {&alpha_architecture, &aarch64_architecture};

const struct architecture *architecture_number(unsigned number) {
    return number < sizeof architectures / sizeof architectures[0] ? architectures[number] : NULL;
}

bool register_named(const struct architecture *architecture, const char *name, int64_t *number) {
    enum { REGISTERS = 64 };
    for (const struct register_alias *alias = architecture->register_aliases; alias->name[0]; alias++)
        if (strcmp(alias->name, name) == 0) {
            *number = alias->number;
            return true;
        }
    for (int64_t i = 0; i < REGISTERS; i++) {
        const char *own = architecture->register_name(i);
        if (own && strcmp(own, name) == 0) {
            *number = i;
            return true;
        }
    }
    return false;
}

const struct architecture *architecture_of(uint16_t machine) {
    for (size_t i = 0; i < sizeof architectures / sizeof architectures[0]; i++)
        if (architectures[i]->machine == machine)
            return architectures[i];
    return NULL;
}
