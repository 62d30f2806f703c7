/* output.h: the tables for the runtime, and the instrumented ELF file. Requires the finished copies. */
#ifndef ATOMC_OUTPUT_H
#define ATOMC_OUTPUT_H

#include "engine/rewrite.h"

/* ---- library_tables.c ---- */

/* Removes the sites in the program itself if only its libraries are instrumented. */
void libraries_leave_out(const struct program *program, struct sites *sites);

/* ---- buffers.c ---- */

/* Places the plan's buffers in tables and data; their addresses are the same in every round. */
void buffers_place(struct rewrite *rewrite);
void buffers_print(const struct rewrite *rewrite, FILE *stream); /* --dump=buffers */
/* Checks that each is in tables or data. Returns a description of the error, or NULL. */
const char *buffers_verify(const struct rewrite *rewrite);

/* ---- heap.c ---- */

/* Reports an error if the heap cannot begin there. */
bool heap_check(struct rewrite *rewrite);
void heap_print(const struct rewrite *rewrite, FILE *stream); /* --dump=heap */

/* ---- elf_output.c ---- */

/* Writes the instrumented program to `path`: completely or not at all. Returns false after an error. */
bool output_write(const struct rewrite *rewrite, const char *path, struct diagnostics *diagnostics);

/* ---- image.c ---- */

/* Fills in struct atomc_image. Returns false after an error. */
bool fill_image(struct rewrite *rewrite);
void image_print(const struct rewrite *rewrite, FILE *stream); /* --dump=image */
/* Checks that its addresses of tables are in the range of tables. Returns a description of the error, or
   NULL. */
const char *image_verify(const struct rewrite *rewrite);

#endif
