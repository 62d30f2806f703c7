/* prototypes.c: the functions that the analysis code defines, with their C types, from its DWARF.
   Requires libdw; reads linked images, and .o files if libdwfl can relocate them (on Alpha it can). */
#include "compiler/internal.h"
#include "plan/names.h"
#include "support/search.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct function {
    struct plan_routine routine;
    bool is_static;
};

struct prototypes {
    struct arena *arena;
    struct function *functions; /* sorted by name; an external one before static ones of its name */
    size_t count, capacity;
    const char **external_names;
    size_t external_count;
};

/* ---- types ---------------------------------------------------------------------------------- */

/* The type of a DIE; false for void. */
static bool type_of_die(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

static const char *qualifier_name(int tag) {
    switch (tag) {
    case DW_TAG_const_type:
        return "const";
    case DW_TAG_volatile_type:
        return "volatile";
    case DW_TAG_restrict_type:
        return "restrict";
    case DW_TAG_atomic_type:
        return "_Atomic";
    default:
        return NULL;
    }
}

/* Removes typedefs and qualifiers; returns false if the result is void. */
static bool strip_type(Dwarf_Die *die, Dwarf_Die *stripped) {
    *stripped = *die;
    for (;;) {
        int tag = dwarf_tag(stripped);
        if (tag != DW_TAG_typedef && !qualifier_name(tag))
            return true;
        Dwarf_Die inner;
        if (!type_of_die(stripped, &inner))
            return false;
        *stripped = inner;
    }
}

/* GCC's names of base types, as people write them. */
static const char *usual_name(const char *name) {
    static const char *const names[][2] = {
        {"long int", "long"},
        {"short int", "short"},
        {"unsigned int", "unsigned"},
        {"long unsigned int", "unsigned long"},
        {"short unsigned int", "unsigned short"},
        {"long long int", "long long"},
        {"long long unsigned int", "unsigned long long"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
    return name;
}

/* The C spelling of the type that `holder` (a parameter, a pointer, a qualifier) refers to. */
static const char *spell_type(struct arena *arena, Dwarf_Die *holder) {
    Dwarf_Die type;
    if (!type_of_die(holder, &type))
        return "void";
    int tag = dwarf_tag(&type);
    const char *name = dwarf_diename(&type);
    const char *word = tag == DW_TAG_structure_type     ? "struct"
                       : tag == DW_TAG_union_type       ? "union"
                       : tag == DW_TAG_enumeration_type ? "enum"
                                                        : NULL;
    if (word)
        return arena_format(arena, "%s %s", word, name ? name : "{...}");
    if (qualifier_name(tag)) {
        const char *inner = spell_type(arena, &type);
        size_t length = strlen(inner);
        bool pointer = length && inner[length - 1] == '*';
        return pointer ? arena_format(arena, "%s%s", inner, qualifier_name(tag))
                       : arena_format(arena, "%s %s", qualifier_name(tag), inner);
    }
    if (tag == DW_TAG_pointer_type) {
        Dwarf_Die target;
        if (type_of_die(&type, &target) && dwarf_tag(&target) == DW_TAG_subroutine_type)
            return arena_format(arena, "%s (*)()", spell_type(arena, &target));
        const char *inner = spell_type(arena, &type);
        return arena_format(arena, "%s%s", inner, inner[strlen(inner) - 1] == '*' ? "*" : " *");
    }
    if (tag == DW_TAG_array_type)
        return arena_format(arena, "%s[]", spell_type(arena, &type));
    name = name ? usual_name(name) : "?";
    return arena_string(arena, name, strlen(name));
}

static bool is_character(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Word encoding;
    return dwarf_tag(die) == DW_TAG_base_type && dwarf_bytesize(die) == 1 &&
           dwarf_formudata(dwarf_attr(die, DW_AT_encoding, &attribute), &encoding) == 0 &&
           (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char);
}

static enum plan_c_type integer_of_size(int bytes) {
    return bytes == 1   ? PLAN_C_CHAR
           : bytes == 2 ? PLAN_C_SHORT
           : bytes == 4 ? PLAN_C_INT
           : bytes == 8 ? PLAN_C_LONG
                        : PLAN_C_OTHER;
}

static bool unsigned_encoding(Dwarf_Word encoding) {
    return encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char || encoding == DW_ATE_boolean ||
           encoding == DW_ATE_UTF;
}

static enum plan_c_type classify_type(Dwarf_Die *holder, bool *is_unsigned) {
    Dwarf_Die written, type, target;
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    *is_unsigned = false;
    if (!type_of_die(holder, &written) || !strip_type(&written, &type))
        return PLAN_C_VOID;
    switch (dwarf_tag(&type)) {
    case DW_TAG_pointer_type:
        if (type_of_die(&type, &written) && strip_type(&written, &target) && is_character(&target))
            return PLAN_C_STRING;
        return PLAN_C_POINTER;
    case DW_TAG_enumeration_type:
        *is_unsigned = type_of_die(&type, &target) &&
                       dwarf_formudata(dwarf_attr(&target, DW_AT_encoding, &attribute), &encoding) == 0 &&
                       unsigned_encoding(encoding);
        return integer_of_size(dwarf_bytesize(&type));
    case DW_TAG_base_type:
        if (dwarf_formudata(dwarf_attr(&type, DW_AT_encoding, &attribute), &encoding) != 0)
            return PLAN_C_OTHER;
        if (encoding == DW_ATE_float)
            return dwarf_bytesize(&type) == 8   ? PLAN_C_DOUBLE
                   : dwarf_bytesize(&type) == 4 ? PLAN_C_FLOAT
                                                : PLAN_C_OTHER;
        if (encoding == DW_ATE_complex_float)
            return PLAN_C_OTHER;
        *is_unsigned = unsigned_encoding(encoding);
        return integer_of_size(dwarf_bytesize(&type));
    default:
        return PLAN_C_OTHER;
    }
}

/* The type that a pointer points to; PLAN_C_VOID if it is not a pointer. */
static enum plan_c_type classify_element(Dwarf_Die *holder, bool *is_unsigned) {
    Dwarf_Die written, type;
    *is_unsigned = false;
    if (!type_of_die(holder, &written) || !strip_type(&written, &type) ||
        dwarf_tag(&type) != DW_TAG_pointer_type)
        return PLAN_C_VOID;
    return classify_type(&type, is_unsigned);
}

/* ---- functions ------------------------------------------------------------------------------ */

static bool has_flag(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    bool value = false;
    return dwarf_attr_integrate(die, name, &attribute) && dwarf_formflag(&attribute, &value) == 0 && value;
}

static const char *without_prefix(const char *path, const char *directory) {
    size_t length = directory ? strlen(directory) : 0;
    if (length > 1 && strncmp(path, directory, length) == 0 && path[length] == '/')
        return path + length + 1;
    return path;
}

/* The source file as the user is likely to have written it: relative to where it was compiled. */
static const char *source_file(struct prototypes *prototypes, Dwarf_Die *unit, Dwarf_Die *function) {
    const char *path = dwarf_decl_file(function);
    if (!path)
        return NULL;
    Dwarf_Attribute attribute;
    char *here = getcwd(NULL, 0);
    path = without_prefix(path, dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)));
    path = without_prefix(path, here);
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    path = arena_string(prototypes->arena, path, strlen(path));
    free(here);
    return path;
}

static void read_dwarf_parameters(struct prototypes *prototypes, Dwarf_Die *function,
                                  struct plan_routine *routine) {
    struct plan_parameter *list = NULL;
    size_t capacity = 0;
    uint32_t count = 0;
    Dwarf_Die child;
    for (int status = dwarf_child(function, &child); status == 0; status = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        routine->variadic |= tag == DW_TAG_unspecified_parameters;
        if (tag != DW_TAG_formal_parameter)
            continue;
        VECTOR_RESERVE(list, count, capacity);
        struct plan_parameter *parameter = &list[count++];
        const char *name = dwarf_diename(&child);
        parameter->name = name ? arena_string(prototypes->arena, name, strlen(name)) : NULL;
        parameter->spelled = spell_type(prototypes->arena, &child);
        parameter->type = classify_type(&child, &parameter->is_unsigned);
        parameter->element = classify_element(&child, &parameter->element_unsigned);
    }
    struct plan_parameter *kept = arena_allocate(prototypes->arena, count * sizeof *kept);
    if (count)
        memcpy(kept, list, count * sizeof *kept);
    free(list);
    routine->parameters = kept;
    routine->parameter_count = count;
}

/* The runtime, which is part of every analysis image, cannot be called by tools. */
static bool of_the_runtime(const char *name) {
    return strncmp(name, "atomc_", 6) == 0 || strcmp(name, "main") == 0 || strcmp(name, "memcpy") == 0;
}

static void read_function(struct prototypes *prototypes, Dwarf_Die *unit, Dwarf_Die *die) {
    const char *name = dwarf_diename(die);
    int line = 0;
    /* Copies of inlined functions refer to the entry with the declaration: only that is read. */
    if (!name || of_the_runtime(name) || has_flag(die, DW_AT_declaration) ||
        dwarf_hasattr(die, DW_AT_abstract_origin))
        return;
    struct function function = {.is_static = !has_flag(die, DW_AT_external)};
    struct plan_routine *routine = &function.routine;
    bool ignored;
    routine->name = arena_string(prototypes->arena, name, strlen(name));
    routine->file = source_file(prototypes, unit, die);
    routine->line = dwarf_decl_line(die, &line) == 0 && line > 0 ? (uint32_t)line : 0;
    routine->prototyped = has_flag(die, DW_AT_prototyped);
    routine->result = classify_type(die, &ignored);
    read_dwarf_parameters(prototypes, die, routine);
    VECTOR_RESERVE(prototypes->functions, prototypes->count, prototypes->capacity);
    prototypes->functions[prototypes->count++] = function;
}

static void read_unit(struct prototypes *prototypes, Dwarf_Die *unit) {
    Dwarf_Attribute attribute;
    Dwarf_Die child;
    const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    if (folder && strcmp(folder, FOLDER_OF_RUNTIME) == 0)
        return;
    for (int status = dwarf_child(unit, &child); status == 0; status = dwarf_siblingof(&child, &child))
        if (dwarf_tag(&child) == DW_TAG_subprogram)
            read_function(prototypes, unit, &child);
}

static int compare_prototypes(const void *left, const void *right) {
    const struct function *a = left, *b = right;
    int order = strcmp(a->routine.name, b->routine.name);
    if (order == 0)
        order = a->is_static - b->is_static;
    if (order == 0 && a->routine.file && b->routine.file)
        order = strcmp(a->routine.file, b->routine.file);
    return order ? order : (a->routine.line > b->routine.line) - (a->routine.line < b->routine.line);
}

static void sort_functions(struct prototypes *prototypes) {
    if (prototypes->count)
        qsort(prototypes->functions, prototypes->count, sizeof *prototypes->functions, compare_prototypes);
    prototypes->external_names =
        arena_allocate(prototypes->arena, prototypes->count * sizeof *prototypes->external_names);
    for (size_t i = 0; i < prototypes->count; i++)
        if (!prototypes->functions[i].is_static)
            prototypes->external_names[prototypes->external_count++] = prototypes->functions[i].routine.name;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Debug information is read only from the file itself, never from other paths or a network. */
static int no_separate_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                                 const char *file, const char *link, GElf_Word checksum, char **found) {
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)checksum, (void)found;
    return -1;
}

struct prototypes *prototypes_read(const char *elf_path, struct diagnostics *diagnostics) {
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = no_separate_debuginfo,
                                             .section_address = dwfl_offline_section_address};
    if (access(elf_path, R_OK) != 0) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, elf_path, strerror(errno));
        return NULL;
    }
    Dwfl *session = dwfl_begin(&callbacks);
    Dwfl_Module *module = session ? dwfl_report_offline(session, elf_path, elf_path, -1) : NULL;
    if (!module) {
        diagnose(diagnostics, NULL, MESSAGE_NO_PROTOTYPES, elf_path, dwfl_errmsg(-1));
        dwfl_end(session);
        return NULL;
    }
    dwfl_report_end(session, NULL, NULL);
    struct prototypes *prototypes = prototypes_none();
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)))
        read_unit(prototypes, unit);
    dwfl_end(session);
    sort_functions(prototypes);
    return prototypes;
}

struct prototypes *prototypes_none(void) {
    struct prototypes *prototypes = allocate_zeroed(1, sizeof *prototypes);
    prototypes->arena = arena_create();
    return prototypes;
}

void prototypes_destroy(struct prototypes *prototypes) {
    if (!prototypes)
        return;
    free(prototypes->functions);
    arena_destroy(prototypes->arena);
    free(prototypes);
}

/* The first function of that name, or NULL. */
static const struct function *find_function(const struct prototypes *prototypes, const char *name) {
    size_t low =
        FIRST_NOT(0, prototypes->count, at, strcmp(prototypes->functions[at].routine.name, name) < 0);
    if (low < prototypes->count && strcmp(prototypes->functions[low].routine.name, name) == 0)
        return &prototypes->functions[low];
    return NULL;
}

const struct plan_routine *prototypes_find(const struct prototypes *prototypes, const char *name) {
    const struct function *function = find_function(prototypes, name);
    return function && !function->is_static ? &function->routine : NULL;
}

const struct plan_routine *prototypes_find_static(const struct prototypes *prototypes, const char *name) {
    const struct function *function = find_function(prototypes, name);
    return function && function->is_static ? &function->routine : NULL;
}

const char *const *prototypes_names(const struct prototypes *prototypes, size_t *count) {
    *count = prototypes->external_count;
    return prototypes->external_names;
}
