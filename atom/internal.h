/* internal.h: shared by the sources of atom/: handles of places, the state of the user's code, errors.
   Requires atom.h; no other folder includes it. */
#ifndef ATOMC_ATOM_INTERNAL_H
#define ATOMC_ATOM_INTERNAL_H

#include <elfutils/libdw.h>
#include <setjmp.h>

#include "atom/atom.h"
#include "codegen/alpha/alpha.h"
#include "atom/include/atom.inst.h"
#undef AddCallProgram /* the routines after the macros are defined here */
#undef AddCallObj
#undef AddCallProc
#undef AddCallEntry
#undef AddCallBlock
#undef AddCallInst
#undef ReplaceEntry

/* A handle points to the element with its place's number in an array of these, so invalid pointers are
   recognised.
 */
struct Obj {
    char nothing;
};
struct Proc {
    char nothing;
};
struct Entry {
    char nothing;
};
struct Block {
    char nothing;
};
struct Inst {
    char nothing;
};

/* Each object passes through these states in order. */
enum object_state { OBJECT_FOUND, OBJECT_BUILT, OBJECT_WRITTEN };

struct session {
    struct program *program;
    struct diagnostics *diagnostics;
    struct arena *arena;
    const struct atom_library *running; /* the file whose code runs; NULL: none */
    enum object_state *states;          /* per object */
    uint32_t object_count;
    struct Obj *objects; /* the program, then the libraries that are instrumented */
    struct Proc *procs;
    struct Entry *entries;
    struct Block *blocks;
    struct Inst *insts;
    const struct entry *entry_list; /* the program's */
    uint32_t entry_count;
    uint32_t *first_entry;     /* per procedure, and one more */
    const char **output_names; /* per object: "": the object has no output */
    const char *analysis_name; /* the name that the tool may use for it, or "" */
    jmp_buf *give_up;          /* used after too many errors */
    unsigned errors;
    struct misuse_place *seen; /* errors already reported: a loop makes them again and again */
    uint32_t seen_count, seen_capacity;
    struct recording *recording; /* plan of AddCall...; NULL: functions of expressions only query */
    struct definitions {         /* per object, and symbol of it: the result of find_definition() */
        uint32_t *instructions, count;
    } * definitions;
    const uint32_t
        *search_order; /* order of the objects in the dynamic linker's search; NULL: not known yet */
};
extern struct session session;

/* ---- session.c: handles ---- */

/* Each function returns the place's number by reference; it returns false after reporting misuse of the
   routine's parameter `number`. Distinguishes NULL, a pointer to a place of another kind, and an unknown
   pointer. */
bool object_of(const char *routine, int number, const Obj *handle, uint32_t *index);
bool proc_of(const char *routine, int number, const Proc *handle, uint32_t *index);
bool entry_of(const char *routine, int number, const Entry *handle, uint32_t *index);
bool block_of(const char *routine, int number, const Block *handle, uint32_t *index);
bool inst_of(const char *routine, int number, const Inst *handle, uint32_t *index);
Obj *object_handle(uint32_t index); /* NULL for NO_INDEX */
Proc *proc_handle(uint32_t index);
Entry *entry_handle(uint32_t index);
Block *block_handle(uint32_t index);
Inst *inst_handle(uint32_t index);
/* The number of the object that the procedure is in. */
uint32_t object_of_procedure(uint32_t procedure);
/* The procedures of an object: [*first, *end). */
void procedures_of(uint32_t object, uint32_t *first, uint32_t *end);
void set_states(enum object_state state);
/* The object is built; reports otherwise. */
bool require_built(const char *routine, uint32_t object);
/* The object is built, and may be instrumented; for a place: the object that contains it. */
bool require_writable(const char *routine, uint32_t object);
bool require_writable_at(const char *routine, uint32_t instruction);
/* True if no calls may be added to it. */
bool is_read_only(uint32_t object);
/* ATOM's first routines assume one object: the object that is built, or the program if none is. Reports an
   error if several are built at once. */
bool single_object(const char *routine, uint32_t *object);
/* The entry at the instruction; NO_INDEX if there is none. */
uint32_t entry_at(uint32_t instruction);

/* ---- symbols.c ---- */

#define ANY_ADDRESS UINT64_MAX
struct symbol {
    const char *name;
    uint64_t address;
    unsigned binding; /* STB_... */
};
/* A symbol of the object's code with this name (NULL: any) at this address; returns false if there is
   none. */
bool find_symbol(uint32_t object, const char *name, uint64_t address, struct symbol *symbol);
/* The same at an instruction, in its object. */
bool find_symbol_at(uint32_t instruction, const char *name, struct symbol *symbol);

/* ---- definitions.c ---- */

/* The instruction at which the first object that exports the name defines it, in this version (NULL: the
   default version); NO_INDEX if no object does. */
uint32_t find_exported(const char *name, const char *version);
/* The instruction that the word of the object's relocation will have the address of; NO_INDEX if that is in
   no object that is instrumented. */
uint32_t find_definition(uint32_t object, const struct relocation *relocation);

/* ---- errors.c ---- */

/* Reports at the line of the user's code that made the call. The same error at the same line is reported
   once; after many errors the user's code is ended. */
void misuse(enum message id, ...);
void misuse_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- information.c ---- */

IClassType class_of(uint32_t word);
bool has_type(uint32_t word, ITypeType type);
/* fetch, fetch_m, ecb and wh64, which have an address. */
bool is_memory_hint(uint32_t word);
/* A RegvType: 0-31, 32-63, or REG_NOTUSED. */
int register_of(uint32_t word, InstInfoType field);

/* ---- load.c ---- */

/* Reads a file named as in diagnostics, even if the user's code has changed the directory. */
char *read_user_file(const char *path, size_t *length);
uintptr_t library_base(const struct atom_library *library);
/* The same for an address in the file. */
bool debug_line(Dwarf *dwarf, uint64_t address, const char **file, uint32_t *line);
bool library_contains(const struct atom_library *library, const void *address);
/* The source position of an address in the user's code; returns false if it is unknown. */
bool library_line(const struct atom_library *library, const void *address, const char **file, uint32_t *line);

/* ---- crash.c ---- */
/* fetch, fetch_m, ecb and wh64, which have an address. */
bool is_memory_hint(uint32_t word);

/* Around every call of the user's code: a crash or an exit in it is then reported as the user's. */
void user_code_begin(const struct atom_library *library);
void user_code_end(void);

#endif
