/* output.h: what the runtime reads, and the instrumented ELF file. Requires the finished copies. */
#ifndef ATOMC_OUTPUT_H
#define ATOMC_OUTPUT_H

#include "engine/rewrite.h"

/* ---- library_tables.c ---- */

/* Takes out what is to be done in a program of which only libraries are instrumented. */
void libraries_leave_out(const struct program *program, struct sites *sites);

/* ---- buffers.c ---- */

/* Puts the plan's buffers into tables and data; their addresses are the same in every round. */
void buffers_place(struct rewrite *rewrite);
void buffers_print(const struct rewrite *rewrite, FILE *stream); /* --dump=buffers */
/* Is each in tables or data? What is wrong, or NULL. */
const char *buffers_verify(const struct rewrite *rewrite);

/* ---- heap.c ---- */

/* Reports if it cannot begin there. */
bool heap_check(struct rewrite *rewrite);
void heap_print(const struct rewrite *rewrite, FILE *stream); /* --dump=heap */

/* ---- elf_output.c ---- */

/* Writes the instrumented program to `path`: whole or not at all. False after an error. */
bool output_write(const struct rewrite *rewrite, const char *path, struct diagnostics *diagnostics);

/* ---- image.c ---- */

/* Fills in struct atomc_image. False after an error. */
bool fill_image(struct rewrite *rewrite);
void image_print(const struct rewrite *rewrite, FILE *stream); /* --dump=image */
/* Are the tables that it tells of where tables are? What is wrong, or NULL. */
const char *image_verify(const struct rewrite *rewrite);

#endif
