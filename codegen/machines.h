/* machines.h: machines by their number in ELF headers: their names, and the names of their tools. For
   programs that do not instrument, too: does not depend on an instruction set. */
#ifndef ATOMC_MACHINES_H
#define ATOMC_MACHINES_H

#include <stdint.h>

struct machine_names {
    uint16_t number;        /* e_machine */
    const char *name;       /* readable name */
    const char *short_name; /* name in atomc's own files */
    const char *triple;     /* name in its compilers and folders; NULL, like the next three, if atomc does not
                               support the machine's tools */
    const char *emulator, *static_emulator; /* name of its emulator; the emulator that needs no libraries */
    const char *sysroot;                    /* Debian's path of its libraries and headers */
};

/* NULL: atomc has no name for the machine. */
const struct machine_names *machine_called(uint16_t number);
/* The machine whose programs atomc instruments. */
const struct machine_names *usual_machine(void);

#endif
