/* internal.h: shared by the sources of object/. */
#ifndef ATOMC_OBJECT_INTERNAL_H
#define ATOMC_OBJECT_INTERNAL_H

#include <elfutils/libdw.h>

#include "engine/object/object.h"

/* ---- dynamic.c ---- */

/* Reads the dynamic section and the relocations. Returns false after an error: they contain something that
   the engine does not support. */
bool dynamic_read(struct program *program, struct diagnostics *diagnostics);
/* The first value of the tag in the section, unchanged from the file. Returns false if the section has no
   such tag. */
bool dynamic_tag(const struct program *program, int64_t tag, uint64_t *value);
enum { LINKAGE_HEAD = 36 }; /* bytes of the linkage table before its first entry */

/* ---- text.c ---- */

/* Searches the parts of the segment that no section covers for code. *low and *high are the range of the
   text by its sections, both 0 if unknown; they become the range of all code. Returns true if that is
   larger. */
bool text_complete(struct program *program, const struct segment *executable, uint64_t entry, uint64_t *low,
                   uint64_t *high);

/* ---- relaxed.c ---- */

void relaxed_warn(const struct program *program, struct diagnostics *diagnostics);

/* ---- lines.c ---- */

/* Frees the data of program_line(); called by program_close(). */
void program_lines_close(struct program *program);
/* The object that contains the address. */
struct program *object_at(struct program *program, uint64_t address);
/* The object's debug information, open until program_close(); NULL if it has none. */
Dwarf *object_debug(struct program *object);
/* The source position of the variable with that symbol at an address of the object's file; file "" and line
   0 if unknown. */
void variable_line(struct program *object, uint64_t address, const char *name, const char **file,
                   uint32_t *line);

/* ---- types.c ---- */

/* The type of a parameter, a member or a procedure's result, as in struct program_type. */
uint64_t type_entry(Dwarf_Die *die);

/* ---- bytes.c ---- */

/* The segment that contains all of the bytes, or NULL. */
const struct segment *segment_holding(const struct program *program, uint64_t address, uint64_t size);

#endif
