/* elf_output.h: the output file while it is made. */
#ifndef ATOMC_ELF_OUTPUT_H
#define ATOMC_ELF_OUTPUT_H

#include <gelf.h>

#include "engine/rewrite.h"

struct output {
    const struct rewrite *rewrite;
    Elf *elf;
    struct arena *arena;
    uint64_t shift; /* of the original file's contents */
    uint64_t end;   /* file bytes laid out so far */
    char *names;
    size_t name_count, name_capacity;
    GElf_Phdr *headers;
    uint32_t header_count, header_capacity;
    const char *error;
    int failure; /* errno, if the file could not be written */
};

/* The symbol table and its strings, with the symbols of the new code added. */
struct symbols {
    Elf64_Sym *table;
    size_t count, capacity;
    char *strings;
    size_t length, string_capacity;
};

struct tables { /* of the input: section indices, 0 if absent */
    size_t symbols, strings, names;
};

static inline uint64_t align_up(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/* ---- elf_tables.c ---- */

/* Keeps what libelf has just complained of, the first time. */
void output_fail(struct output *output);
/* Where the name is in the table of section names. */
uint32_t output_name(struct output *output, const char *name);
/* A new section; NULL after an error. `bytes` stay the caller's. */
Elf_Scn *output_section(struct output *output, const GElf_Shdr *header, const void *bytes);
/* A table of strings or symbols, made anew: it moves to the end of the file. `header` and `index` of the one
   that the input has, NULL and 0 if it lacks one. */
void output_table(struct output *output, const char *name, uint32_t type, const void *bytes, uint64_t size,
                  GElf_Shdr *header, size_t index);
/* The index, if the section is one of strings that no segment needs where it is: then it can be made anew. */
size_t string_table(const struct program *program, size_t index);
size_t section_names_index(const struct program *program);

/* Begins with those of the program, which is loaded `base` higher. */
void symbols_start(struct symbols *symbols, const struct rewrite *rewrite, const struct tables *tables);
/* Those of the copies, the wrappers and the analysis code, with the indices of their sections. */
void symbols_of_new_code(struct output *output, struct symbols *symbols, unsigned copies, unsigned wrappers,
                         unsigned analysis);
void symbols_write(struct output *output, struct symbols *symbols, const struct tables *tables);

#endif
