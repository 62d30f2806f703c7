/* object.h: ELF objects in memory: a program and the libraries that are instrumented with it, with their
   instructions numbered as one text. Strings live as long as the program. */
#ifndef ATOMC_OBJECT_H
#define ATOMC_OBJECT_H

#include "engine/program.h"

/* A 64-bit word that is filled in on loading. */
struct relocation {
    /* address of the word; its final value, if that is known, or its value until then */
    uint64_t address, value;
    const char *symbol;    /* the symbol that is looked up for it; NULL: none */
    uint32_t symbol_index; /* index in the object's dynamic symbols */
    bool known;
};

/* ---- dynamic.c ---- */

/* The relocation of the word at the address; NULL if it is not relocated. */
const struct relocation *relocation_at(const struct program *program, uint64_t address);
/* The name of the n-th library that the object needs; NULL if there are fewer. */
const char *dynamic_needed(const struct program *program, uint32_t number);
/* Replaces a library that the program needs by another. Returns false if it needs no library of the old
   name. */
bool dynamic_rename_need(struct program *program, const char *old, const char *name);
/* The address of its string table, which has the names of libraries. */
uint64_t dynamic_strings(const struct program *program);
/* The directories of libraries in the dynamic section, separated by colons. */
const char *dynamic_path(const struct program *program);
/* True for the name of a routine that makes a thread. */
bool makes_threads(const char *name);

/* ---- library_calls.c ---- */

/* Adds the library to the program's libraries whose system calls are known. The result is valid until the
   next call. Returns NULL if it cannot be read or is uncertain. */
const struct library_calls *library_calls_add(struct program *program, const char *path);
/* The runtime uses it to recognise a file. */
uint64_t hash_of_file(const uint8_t *bytes, size_t size);

/* ---- libraries.c ---- */

const struct program *library_with(const struct program *program, uint32_t instruction);
uint32_t library_instruction_at(const struct program *program, uint64_t address);
/* Joins the libraries to the program. Returns false after an error. */
bool libraries_join(struct program *program, struct program *const *libraries, uint32_t count,
                    struct diagnostics *diagnostics);
/* The object's file name, without its directory. */
const char *object_file_name(const struct program *program, uint32_t number);
/* The number of the object that contains the instruction, in the numbering of object_number(). */
uint32_t object_number_of(const struct program *program, uint32_t instruction);
/* The name of the file that contains the instruction. */
const char *program_object(const struct program *program, uint32_t instruction);

/* ---- elf_input.c ---- */

/* Opens and validates a program; every defect of the input is reported with the file's name (not an ELF
   file, not Alpha, relocatable object, shared library, truncated, inconsistent headers, already
   instrumented by atomc, ...). Returns NULL after an error. */
struct program *program_open(const char *path, struct diagnostics *diagnostics);
/* The same for a library that is loaded at `base`. */
struct program *library_open(const char *path, uint64_t base, struct diagnostics *diagnostics);
void program_close(struct program *program);
/* Frees blocks, edges and loops; only the data that writing the program needs remains. */
void program_finish(struct program *program);

/* ---- facts.c ---- */

/* Decodes the text. Called after libraries have joined, before the first call of facts_of(). */
void facts_find(struct program *program);
/* The program will share the records of another one, whose facts have been found and which must live longer.
   Called before facts_find(). */
void facts_share(struct program *program, struct program *other);

/* ---- bytes.c ---- */

/* The bytes [address, address+size) of the loaded file image, or NULL if some are not from the file. */
const void *program_bytes(const struct program *program, uint64_t address, uint64_t size);
/* True for an address in a segment that the program does not write; also if its text is in it, as ld -N
 * links. */
bool program_is_constant(const struct program *program, uint64_t address);
/* The name of the section that contains an address, or "". */
const char *program_section(const struct program *program, uint64_t address);

/* ---- contents.c ---- */

/* True if the object's file has a section of that name with contents. */
bool object_has_section(const struct program *object, const char *name);
/* The build id from its linker, *size bytes; NULL if it has none. */
const uint8_t *object_build_id(const struct program *object, size_t *size);

/* ---- lines.c ---- */

/* The source position from the debug information; file "" and line 0 if unknown. */
void program_line(struct program *program, uint64_t address, const char **file, uint32_t *line);
/* An inlined call. */
struct inlined_call {
    uint64_t address; /* address at which its code is entered */
    const char *file; /* source position of the call */
    uint32_t line;
    uint64_t entry; /* offset of its DIE in the debug information */
};
/* The inlined calls of the program or a library, in no order, including nested ones. */
struct inlined_call *program_inlined_calls(struct program *object, size_t *count, struct arena *arena);
/* True if the address belongs to the call's code. */
bool call_has_address(struct program *object, const struct inlined_call *call, uint64_t address);
/* The directory in which the code at the address was compiled; its relative file names are below it. "" if
   unknown. */
const char *program_compile_folder(struct program *program, uint64_t address);

/* ---- parameters.c ---- */

enum { PARAMETER_REGISTERS = 8 }; /* the most that a machine has */
/* The number of argument registers, and of 8-byte stack slots after them, that the parameters of the
   procedure at this address occupy, from the debug information; -1 if unknown. Variable arguments are not
   counted, nor floating-point registers where they have numbers of their own. */
int32_t program_parameter_count(struct program *program, uint64_t address);
/* The name of the parameter in an argument register, integer or floating-point; "" if there is none.
   "(result)" for the address of a result in memory. */
const char *program_parameter(struct program *program, uint64_t address, uint32_t number, bool is_float);
/* True for a structure or union passed by value, or a part of one. */
bool program_parameter_is_structure(struct program *program, uint64_t address, uint32_t number);

/* ---- types.c: types of the program, from the debug information ---- */

struct program_type {
    struct program *object;
    uint64_t entry; /* the offset of its DIE, NO_TYPE: not known, or void */
};
#define NO_TYPE UINT64_MAX
enum type_kind {
    TYPE_UNKNOWN,
    TYPE_INTEGER, /* also characters, booleans and enumerations */
    TYPE_POINTER, /* also C++ references */
    TYPE_ARRAY,
    TYPE_STRUCTURE, /* also unions and classes */
    TYPE_REAL
};
/* The type without typedef, const and volatile. */
struct type_facts {
    enum type_kind kind;
    bool is_signed;
    uint64_t size;          /* in bytes, 0: not known */
    struct program_type of; /* TYPE_POINTER: the type that it points to; TYPE_ARRAY: an element's */
    uint64_t count;         /* TYPE_ARRAY: elements, 0: not known */
};
enum member_search {
    MEMBER_FOUND,
    MEMBER_NONE,
    MEMBER_VIRTUAL,  /* its place depends on the object: it is in a virtual base */
    MEMBER_SEVERAL,  /* several bases have one of that name */
    TYPE_INCOMPLETE, /* the structure is only declared */
    TYPE_SEVERAL     /* the structure is only declared here, and several files define different ones */
};
struct type_member {
    struct program_type type;
    uint64_t offset;               /* in bytes, from the beginning of the structure */
    uint32_t bit_count, first_bit; /* a bit field: in the bytes of `size` at the offset; 0: it is none */
    uint32_t size;                 /* a bit field: 1, 2, 4 or 8; 0: no such bytes contain it */
};
/* The type of the value in an argument register on entry to the procedure at this address. is_changed: the
   compiler has changed its parameters, so that only their locations tell the registers. */
struct program_type program_parameter_type(struct program *program, uint64_t address, uint32_t number,
                                           bool is_changed);
/* The type of its result. */
struct program_type program_result_type(struct program *program, uint64_t address);
/* The type of that name: "struct list", "list" (a typedef, or C++), "unsigned int", "space::list". If files
   have different ones, that of the file which contains the address; *several if it has none of them. */
struct program_type program_type_named(struct program *program, uint64_t address, const char *name,
                                       bool *several);
struct type_facts program_type_facts(struct program_type type);
/* As C writes it: "struct list *". In `arena`. */
const char *program_type_name(struct program_type type, struct arena *arena);
/* A member of the structure, of a structure or union without a name in it, or of a base. */
enum member_search program_type_member(struct program_type structure, const char *name,
                                       struct type_member *member);
/* The name of the member that is nearest to the name; NULL if none is near. */
const char *program_nearest_member(struct program_type structure, const char *name);
/* True if there is debug information for the object that contains the address. */
bool program_has_types(struct program *program, uint64_t address);

/* ---- data.c ---- */

/* Reads the data symbols of the program and its libraries. */
void data_find(struct program *program);
/* The source position of its definition; file "" and line 0 if unknown. */
void data_position(struct program *program, const struct datum *datum, const char **file, uint32_t *line);
/* The first of the `*count` data_names with this name. */
uint32_t data_named(const struct program *program, const char *name, uint32_t *count);

/* ---- print.c ---- */

void program_print(const struct program *program, FILE *stream); /* --dump=program */

/* The object that contains the instruction: the program itself, or one of its libraries. */
static inline const struct program *object_holding(const struct program *program, uint32_t instruction) {
    return instruction < program->own_count ? program : library_with(program, instruction);
}

/* Object 0 is the program; the others are its libraries. */
static inline const struct program *object_number(const struct program *program, uint32_t number) {
    return number == 0 ? program : program->libraries[number - 1];
}

static inline uint64_t instruction_address(const struct program *program, uint32_t instruction) {
    const struct program *object = object_holding(program, instruction);
    return object->text_address + 4 * (uint64_t)(instruction - object->first_instruction);
}

/* NO_INDEX if the address is outside of the text or not a multiple of 4. */
static inline uint32_t instruction_at(const struct program *program, uint64_t address) {
    uint64_t offset = address - program->text_address;
    if (!(offset & 3) && offset / 4 < program->own_count)
        return (uint32_t)(offset / 4);
    return program->library_count ? library_instruction_at(program, address) : NO_INDEX;
}

/* True if the instruction is in a procedure linkage table. */
static inline bool linkage_at(const struct program *program, uint32_t instruction) {
    const struct program *object = object_holding(program, instruction);
    return instruction_address(program, instruction) - object->linkage_begin <
           object->linkage_end - object->linkage_begin;
}

#endif
