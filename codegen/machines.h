/* machines.h: machines by their number in ELF headers: what they and their tools are called. For programs
   that do not instrument, too: requires nothing of an instruction set. */
#ifndef ATOMC_MACHINES_H
#define ATOMC_MACHINES_H

#include <stdint.h>

struct machine_names {
    uint16_t number;    /* e_machine */
    const char *name;   /* as people write it */
    const char *triple; /* of its compilers and folders; NULL, as the next three, if atomc does not know the
                           machine's tools */
    const char *emulator, *static_emulator; /* of its programs; the one that needs no libraries */
    const char *sysroot;                    /* where Debian has its libraries and headers */
};

/* NULL: a machine without a name. */
const struct machine_names *machine_called(uint16_t number);
/* The machine whose programs atomc instruments. */
const struct machine_names *usual_machine(void);

#endif
