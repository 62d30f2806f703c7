/* machines.h: machines by their number in ELF headers: their names, and the names of their tools. For
   programs that do not instrument, too: does not depend on an instruction set. */
#ifndef ATOMC_MACHINES_H
#define ATOMC_MACHINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine_names {
    uint16_t number;        /* e_machine */
    const char *name;       /* readable name */
    const char *short_name; /* name in atomc's own files */
    const char *triple;     /* name in its compilers and folders; NULL, like the next four, if atomc does not
                               support the machine's tools */
    const char *emulator, *static_emulator; /* name of its emulator; the emulator that needs no libraries */
    const char *sysroot;                    /* Debian's path of its libraries and headers */
    const char *library_package;            /* Debian's package of its C library */
    const char *static_options;             /* its compiler's options for a static program */
    bool only_static;                       /* dynamically linked programs are refused */
};

/* NULL: atomc has no name for the machine. */
const struct machine_names *machine_called(uint16_t number);
/* Machines whose tools atomc supports, from 0; NULL: there are no more. The usual one is the first. */
const struct machine_names *supported_machine(size_t number);
/* The default, for code that is compiled before the program is known. */
const struct machine_names *usual_machine(void);
/* The machine of a file of which these are the first bytes (MACHINE_BYTES suffice); NULL: it is no ELF file,
   or atomc does not instrument programs of its machine. */
enum { MACHINE_BYTES = 20 };
const struct machine_names *machine_of_bytes(const void *bytes, size_t size);
/* The machine of a program that can be read; otherwise usual_machine(). */
const struct machine_names *machine_of_program(const char *path);
/* True if this host executes programs of the machine without an emulator. */
bool machine_is_host(const struct machine_names *machine);

#endif
