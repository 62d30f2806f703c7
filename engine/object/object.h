/* object.h: ELF objects in memory: a program and the libraries that are instrumented with it, their
   instructions numbered as one text. Requires nothing of the engine; strings live as long as the program. */
#ifndef ATOMC_OBJECT_H
#define ATOMC_OBJECT_H

#include "engine/program.h"

/* A 64-bit word that is filled in when the program is loaded. */
struct relocation {
    uint64_t address, value; /* of the word; what will be in it if it is known, or may be until then */
    const char *symbol;      /* what is looked up for it; NULL: nothing */
    uint32_t symbol_index;   /* in the object's dynamic symbols */
    bool known;
};

/* ---- dynamic.c ---- */

/* The relocation of the word at the address, NULL if it stays as it is in the file. */
const struct relocation *relocation_at(const struct program *program, uint64_t address);
/* The name of the library of this number that the object needs, NULL if there are fewer. */
const char *dynamic_needed(const struct program *program, uint32_t number);
/* The library of the first name that it needs will be the other one. False: it needs none of that name. */
bool dynamic_rename_need(struct program *program, const char *old, const char *name);
/* The address of its strings, by which libraries are named. */
uint64_t dynamic_strings(const struct program *program);
/* The directories of libraries that the dynamic section names, separated by colons. */
const char *dynamic_path(const struct program *program);
/* True if it is the name of a routine that makes a thread. */
bool makes_threads(const char *name);

/* ---- library_calls.c ---- */

/* Adds the library to those of the program whose system calls are known; until the next, what was found.
   NULL: it cannot be read, or is nothing to be sure of. */
const struct library_calls *library_calls_add(struct program *program, const char *path);
/* By which the runtime knows a file again. */
uint64_t hash_of_file(const uint8_t *bytes, size_t size);

/* ---- libraries.c ---- */

const struct program *library_with(const struct program *program, uint32_t instruction);
uint32_t library_instruction_at(const struct program *program, uint64_t address);
/* Makes them the program's. False after an error. */
bool libraries_join(struct program *program, struct program *const *libraries, uint32_t count,
                    struct diagnostics *diagnostics);
/* The object's file name, without its directory. */
const char *object_file_name(const struct program *program, uint32_t number);
/* The number of the object that the instruction is in, as object_number has them. */
uint32_t object_number_of(const struct program *program, uint32_t instruction);
/* Name of the file that the instruction is from. */
const char *program_object(const struct program *program, uint32_t instruction);

/* ---- elf_input.c ---- */

/* Opens and validates; every defect of the input is diagnosed with the file's name (not an ELF file, not
   Alpha, relocatable object, shared library, truncated,
   inconsistent headers, already instrumented by atomc, ...). NULL after an error. */
struct program *program_open(const char *path, struct diagnostics *diagnostics);
/* The same of a library, as if it were loaded at `base`. */
struct program *library_open(const char *path, uint64_t base, struct diagnostics *diagnostics);
void program_close(struct program *program);
/* Frees blocks, edges and loops; all that is left is what is needed to write the program. */
void program_finish(struct program *program);

/* ---- bytes.c ---- */

/* Bytes [address, address+size) of the loaded file image, or NULL if not all from the file. */
const void *program_bytes(const struct program *program, uint64_t address, uint64_t size);
/* Name of the section that an address is in, "" where it is in none. */
const char *program_section(const struct program *program, uint64_t address);

/* ---- contents.c ---- */

/* Does the object's file have a section of that name, with bytes in it? */
bool object_has_section(const struct program *object, const char *name);
/* The build id that its linker gave it, *size bytes; NULL: it has none. */
const uint8_t *object_build_id(const struct program *object, size_t *size);

/* ---- lines.c ---- */

/* Source position from the debug information; file "" and line 0 where unknown. */
void program_line(struct program *program, uint64_t address, const char **file, uint32_t *line);
/* A call that was inlined. */
struct inlined_call {
    uint64_t address; /* where its code is entered */
    const char *file; /* the source line that the call is on */
    uint32_t line;
    uint64_t entry; /* in the debug information: offset of its DIE */
};
/* Those of the program or a library, in no order, of calls in it too. */
struct inlined_call *program_inlined_calls(struct program *object, size_t *count, struct arena *arena);
/* Does the address belong to the call's code? */
bool call_has_address(struct program *object, const struct inlined_call *call, uint64_t address);
/* The folder in which the code there was compiled: relative names of files are below it. "": not known. */
const char *program_compile_folder(struct program *program, uint64_t address);

/* ---- parameters.c ---- */

enum { PARAMETER_REGISTERS = 6 };
/* How many argument registers, and 8 bytes of stack after them, the procedure that begins there has
   parameters in, from the debug information; -1: unknown. Those of a variable number do not count. */
int32_t program_parameter_count(struct program *program, uint64_t address);
/* The name of the parameter in an argument register, an integer or a floating-point one, "" where there is
   none. Of a result in memory, whose address it is: "(result)". */
const char *program_parameter(struct program *program, uint64_t address, uint32_t number, bool is_float);
/* A structure or a union, passed by value, or a part of one. */
bool program_parameter_is_structure(struct program *program, uint64_t address, uint32_t number);

/* ---- data.c ---- */

/* Reads the symbols of data of the program and its libraries. */
void data_find(struct program *program);
/* Source position of its definition; file "" and line 0 where unknown. */
void data_position(struct program *program, const struct datum *datum, const char **file, uint32_t *line);
/* The first of the `*count` data_names that are called so. */
uint32_t data_named(const struct program *program, const char *name, uint32_t *count);

/* ---- print.c ---- */

void program_print(const struct program *program, FILE *stream); /* --dump=program */

/* The object that the instruction is in: the program itself, or one of its libraries. */
static inline const struct program *object_holding(const struct program *program, uint32_t instruction) {
    return instruction < program->own_count ? program : library_with(program, instruction);
}

/* Object 0 is the program, the others are its libraries. */
static inline const struct program *object_number(const struct program *program, uint32_t number) {
    return number == 0 ? program : program->libraries[number - 1];
}

static inline uint64_t instruction_address(const struct program *program, uint32_t instruction) {
    const struct program *object = object_holding(program, instruction);
    return object->text_address + 4 * (uint64_t)(instruction - object->first_instruction);
}

/* NO_INDEX if the address is outside the text or not a multiple of 4. */
static inline uint32_t instruction_at(const struct program *program, uint64_t address) {
    uint64_t offset = address - program->text_address;
    if (!(offset & 3) && offset / 4 < program->own_count)
        return (uint32_t)(offset / 4);
    return program->library_count ? library_instruction_at(program, address) : NO_INDEX;
}

/* Is the instruction one of a procedure linkage table? */
static inline bool linkage_at(const struct program *program, uint32_t instruction) {
    const struct program *object = object_holding(program, instruction);
    return instruction_address(program, instruction) - object->linkage_begin <
           object->linkage_end - object->linkage_begin;
}

#endif
