/* dynamic.h: what the dynamic linker will do to a program that is not static. */
#ifndef ATOMC_DYNAMIC_H
#define ATOMC_DYNAMIC_H

#include "engine/program.h"

/* A 64-bit word that is filled in when the program is loaded. */
struct relocation {
    uint64_t address, value; /* of the word; what will be in it if it is known, or may be until then */
    bool known;
};

/* Reads the dynamic section and the relocations. False after an error: there is something in them that the
   engine cannot deal with. */
bool dynamic_read(struct program *program, struct diagnostics *diagnostics);
/* The relocation of the word at the address, NULL if it stays as it is in the file. */
const struct relocation *relocation_at(const struct program *program, uint64_t address);
/* The name of the library of this number that the object needs, NULL if there are fewer. */
const char *dynamic_needed(const struct program *program, uint32_t number);
/* The directories that it says libraries are in, separated by colons. */
const char *dynamic_path(const struct program *program);
/* Is it the name of a routine that makes a thread? */
bool makes_threads(const char *name);

#endif
