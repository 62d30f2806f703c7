/* internal.h: the output file in progress, and tables for the runtime. */
#ifndef ATOMC_OUTPUT_INTERNAL_H
#define ATOMC_OUTPUT_INTERNAL_H

#include <gelf.h>

#include "engine/code/code.h"
#include "engine/output/output.h"
#include "engine/image/image.h"

struct selection;

/* Words that are written at the end, piece by piece: the copies and the tables. */
enum { LATER_WORDS = 3 };
struct later_words {
    const struct code *words;
    uint64_t offset; /* offset in the file */
};

struct output {
    const struct rewrite *rewrite;
    Elf *elf;
    struct arena *arena;
    uint64_t shift; /* distance by which the original file's contents are moved */
    uint64_t end;   /* size of the file so far */
    uint64_t entry; /* the address at which the kernel enters */
    char *names;
    size_t name_count, name_capacity;
    GElf_Phdr *headers;
    uint32_t header_count, header_capacity;
    const char *error;
    int failure; /* errno, if the file could not be written */
    struct later_words later[LATER_WORDS];
    uint32_t later_count;
};

/* The symbol table and its strings, including the symbols of the new code. */
struct symbols {
    struct arena *arena;
    Elf64_Sym *table;
    size_t count, capacity;
    char *strings;
    size_t length, string_capacity;
};

struct tables { /* section indices of the input, 0 if absent */
    size_t symbols, strings, names;
};

/* The groups of a report's rows. */
struct group_numbers {
    struct arena *arena;
    uint64_t *rows; /* the group number of each row */
    size_t row_count, row_capacity;
    uint32_t count;   /* the number of groups */
    uint64_t *values; /* the values of each group */
    uint32_t *slots;  /* hash table: group + 1, 0 if free */
    uint32_t slot_count;
};

/* ---- elf_tables.c ---- */

/* Records the first error of libelf. */
void output_fail(struct output *output);
/* The offset of the name in the table of section names. */
uint32_t output_name(struct output *output, const char *name);
/* A new section whose contents libelf does not write; NULL after an error. */
Elf_Scn *output_room(struct output *output, const GElf_Shdr *header);
/* A new section; NULL after an error. The caller keeps `bytes`. */
Elf_Scn *output_section(struct output *output, const GElf_Shdr *header, const void *bytes);
/* A rebuilt table of strings or symbols: it moves to the end of the file. `header` and `index` describe the
   input's table; NULL and 0 if it has none. */
void output_table(struct output *output, const char *name, uint32_t type, const void *bytes, uint64_t size,
                  GElf_Shdr *header, size_t index);
/* The index, if the section holds strings that no segment needs in place: then it can be rebuilt. */
size_t string_table(const struct program *program, size_t index);
size_t section_names_index(const struct program *program);
/* Starts with the symbols of the program, which is loaded `base` higher. */
void symbols_start(struct symbols *symbols, const struct rewrite *rewrite, const struct tables *tables);
/* Adds the symbols of the copies, the wrappers and the analysis code, with the indices of their
   sections. */
void symbols_of_new_code(struct output *output, struct symbols *symbols, unsigned copies, unsigned wrappers,
                         unsigned analysis);
void symbols_write(struct output *output, struct symbols *symbols, const struct tables *tables);

/* ---- elf_output.c ---- */

/* Adds a section in its own executable segment, at this offset of the file. */
void output_add_code(struct output *output, const char *name, uint64_t address, uint64_t offset,
                     uint64_t size, const void *bytes);

/* ---- loader.c ---- */

/* With --for=qemu: code that maps the segments after the program's segments, in place of the kernel. */
void loader_add(struct output *output);

/* ---- library_tables.c ---- */

/* Writes the tables by which the runtime handles libraries when they are loaded. */
void libraries_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- buffers.c ---- */

/* Fills in the tables of addresses, after everything is copied. */
void buffers_translate(struct rewrite *rewrite);

/* ---- reports.c ---- */

/* Writes the tables of the plan's reports, and the cells that do not start at 0. Returns false after an
   error.
 */
bool reports_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- groups.c ---- */

/* Adds the next row, with these values of its group. The caller has set `.arena`. */
void groups_add(struct group_numbers *groups, const uint64_t *values, uint32_t width);

/* ---- program_calls.c ---- */

/* Returns the address of struct atomc_program_call[]. */
uint64_t program_calls_write(struct rewrite *rewrite, const struct site_list *sites);

/* ---- heap.c ---- */

/* The address of the analysis side's heap. */
uint64_t heap_base(const struct rewrite *rewrite);

/* ---- crash_places.c ---- */

void crash_places_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- address_names.c ---- */

void address_names_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- shown_names.c ---- */

/* Writes the readable names of C++ symbols; last, after all other strings. */
void shown_names_write(struct rewrite *rewrite, struct atomc_image *image);
/* Writes the names of procedures without a source file, which terminals show as one row. */
void sourceless_names_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- image.c ---- */

/* The description of the rewrite for the runtime, in the analysis image. */
struct atomc_image *image_of(const struct rewrite *rewrite);

/* ---- kinds.c ---- */

void kinds_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- header_values.c ---- */

void header_values_write(struct rewrite *rewrite, struct selection *selection, const uint64_t *cell_bases);

static inline uint64_t largest_page(const struct rewrite *rewrite) {
    return rewrite->program->architecture->largest_page;
}
static inline uint64_t align_up(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

#endif
