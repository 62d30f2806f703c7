/* internal.h: shared by the sources of image/. */
#ifndef ATOMC_IMAGE_INTERNAL_H
#define ATOMC_IMAGE_INTERNAL_H

#include "engine/image/image.h"

/* ---- symbols.c ---- */

/* True if an object file defines a global symbol of this name. */
bool object_defines(const char *object, const char *name);
/* True if it walks the stack by the frames that the start-up code registers (backtrace,
   _Unwind_Backtrace). */
bool object_unwinds(const char *object);
/* Writes lines `NAME PREFIX.NAME` for the global symbols that the object defines, in objcopy's format.
   Returns false and sets errno if it cannot be written. */
bool object_write_renames(const char *object, const char *prefix, const char *path);

/* ---- sections.c ---- */

struct wide_section {
    const char *name;
    uint64_t alignment; /* bytes */
};
/* True if an object file, or an object of an archive, has a section that is aligned to more than `most`
   bytes. Reports the first. */
bool object_find_wider(const char *object, uint64_t most, struct arena *arena, struct wide_section *found);

/* ---- image.c ---- */

/* Prepares analysis_summary() for all procedures of .program; analysis_open() calls it. */
void analysis_summarise(struct analysis_image *analysis);

#endif
