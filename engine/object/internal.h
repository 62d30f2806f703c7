/* internal.h: what the files of object/ share. */
#ifndef ATOMC_OBJECT_INTERNAL_H
#define ATOMC_OBJECT_INTERNAL_H

#include "engine/object/object.h"

/* ---- dynamic.c ---- */

/* Reads the dynamic section and the relocations. False after an error: there is something in them that the
   engine cannot deal with. */
bool dynamic_read(struct program *program, struct diagnostics *diagnostics);
/* The first value that the section has for the tag, as it is in the file. False: it has none. */
bool dynamic_tag(const struct program *program, int64_t tag, uint64_t *value);
enum { LINKAGE_HEAD = 36 }; /* bytes of the linkage table before its first entry */

/* ---- text.c ---- */

/* Searches what no section covers for code. *low and *high, the text as its sections have it, both 0 if none
   is known, become those of all of it. True if that is more. */
bool text_complete(struct program *program, const struct segment *executable, uint64_t entry, uint64_t *low,
                   uint64_t *high);

/* ---- relaxed.c ---- */

void relaxed_warn(const struct program *program, struct diagnostics *diagnostics);

/* ---- lines.c ---- */

/* Releases what program_line() keeps; called by program_close(). */
void program_lines_close(struct program *program);
/* Where the variable of that symbol, at an address of the object's file, is defined; file "" and line 0 where
   unknown. */
void variable_line(struct program *object, uint64_t address, const char *name, const char **file,
                   uint32_t *line);

/* ---- bytes.c ---- */

/* The segment that all of the bytes are in, NULL if there is none. */
const struct segment *segment_holding(const struct program *program, uint64_t address, uint64_t size);

#endif
