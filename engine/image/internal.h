/* internal.h: what the files of image/ share. */
#ifndef ATOMC_IMAGE_INTERNAL_H
#define ATOMC_IMAGE_INTERNAL_H

#include "engine/image/image.h"

/* ---- symbols.c ---- */

/* Does an object file define a global symbol of this name? */
bool object_defines(const char *object, const char *name);
/* Does it walk the stack by the frames that the start-up code registers (backtrace, _Unwind_Backtrace)? */
bool object_unwinds(const char *object);
/* Writes lines `NAME PREFIX.NAME` for the global symbols that the object defines, as objcopy takes them.
   False and errno if it cannot be written. */
bool object_write_renames(const char *object, const char *prefix, const char *path);

/* ---- sections.c ---- */

struct wide_section {
    const char *name;
    uint64_t alignment; /* bytes */
};
/* Has an object file, or an object of an archive, a section that is aligned to more than `most` bytes? The
 * first. */
bool object_find_wider(const char *object, uint64_t most, struct arena *arena, struct wide_section *found);

/* ---- image.c ---- */

/* Has analysis_summary() tell what each procedure of .program may change; analysis_open() does. */
void analysis_summarise(struct analysis_image *analysis);

#endif
