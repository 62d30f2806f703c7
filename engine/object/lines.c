/* lines.c: source positions from the debug information. Requires an open program; the lines of a
   compilation unit are read on the first query for one of its addresses. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/object/internal.h"
#include "support/search.h"

/* Addresses [begin, end) of a compilation unit. */
struct unit_range {
    uint64_t begin, end;
    Dwarf_Off unit; /* offset of its DIE */
};
struct line_tables {
    Dwarf *dwarf;              /* NULL: there is no debug information */
    struct unit_range *ranges; /* sorted by begin */
    size_t count, capacity;
    struct variable *variables; /* sorted by address */
    size_t variable_count, variable_capacity;
    bool has_variables; /* variables have been read */
};
/* A variable with its own address; 0 for a library's global variable, which Alpha's linker does not fill
   in. */
struct variable {
    uint64_t address;
    const char *name; /* name of its symbol */
    const char *file;
    uint32_t line;
};

static int compare_ranges(const void *left, const void *right) {
    const struct unit_range *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static struct line_tables *open_lines(struct program *program) {
    struct line_tables *tables = arena_allocate(program->arena, sizeof *tables);
    tables->dwarf = dwarf_begin_elf(program->elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (tables->dwarf && dwarf_get_units(tables->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Addr base, begin, end;
        for (ptrdiff_t offset = 0; (offset = dwarf_ranges(&die, offset, &base, &begin, &end)) > 0;) {
            ARENA_RESERVE(program->arena, tables->ranges, tables->count, tables->capacity);
            tables->ranges[tables->count++] = (struct unit_range){begin, end, dwarf_dieoffset(&die)};
        }
    }
    if (tables->count)
        qsort(tables->ranges, tables->count, sizeof *tables->ranges, compare_ranges);
    return tables;
}

struct program *object_at(struct program *program, uint64_t address) {
    for (uint32_t k = 0; k < program->library_count; k++)
        if (address - program->libraries[k]->base < LIBRARY_ROOM)
            return program->libraries[k];
    return program;
}

Dwarf *object_debug(struct program *object) {
    if (!object->debug)
        object->debug = open_lines(object);
    return ((const struct line_tables *)object->debug)->dwarf;
}

void program_lines_close(struct program *program) {
    struct line_tables *tables = program->debug;
    if (tables)
        dwarf_end(tables->dwarf);
    program->debug = NULL;
}

/* The compilation unit of an address; *address becomes the address in its object. */
static bool find_unit(struct program *program, uint64_t *address, Dwarf_Die *die) {
    program = object_at(program, *address);
    object_debug(program);
    const struct line_tables *tables = program->debug;
    *address -= program->base;
    size_t low = FIRST_NOT(0, tables->count, at, tables->ranges[at].begin <= *address);
    return low > 0 && *address < tables->ranges[low - 1].end &&
           dwarf_offdie(tables->dwarf, tables->ranges[low - 1].unit, die);
}

const char *program_compile_folder(struct program *program, uint64_t address) {
    Dwarf_Die die;
    Dwarf_Attribute attribute;
    const char *text = find_unit(program, &address, &die) && dwarf_attr(&die, DW_AT_comp_dir, &attribute)
                           ? dwarf_formstring(&attribute)
                           : NULL;
    return text ? text : "";
}

void program_line(struct program *program, uint64_t address, const char **file, uint32_t *line) {
    Dwarf_Die die;
    *file = "";
    *line = 0;
    if (!find_unit(program, &address, &die))
        return;
    Dwarf_Line *record = dwarf_getsrc_die(&die, address);
    int number;
    const char *source = record ? dwarf_linesrc(record, NULL, NULL) : NULL;
    if (!source || dwarf_lineno(record, &number) != 0 || number <= 0)
        return;
    *file = shown_text(program->arena, source);
    *line = number;
}

/* ---- inlined calls -------------------------------------------------------------------------------------- */

struct inlined_calls {
    struct program *object;
    struct arena *arena;
    struct inlined_call *list;
    size_t count, capacity;
};

static void note_call(struct inlined_calls *calls, Dwarf_Files *files, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    Dwarf_Addr entry;
    const char *source;
    if (dwarf_attr(die, DW_AT_call_file, &attribute) && dwarf_formudata(&attribute, &file) == 0 &&
        dwarf_attr(die, DW_AT_call_line, &attribute) && dwarf_formudata(&attribute, &line) == 0 && line > 0 &&
        line <= INT_MAX && dwarf_entrypc(die, &entry) == 0 &&
        (source = dwarf_filesrc(files, file, NULL, NULL))) {
        ARENA_RESERVE(calls->arena, calls->list, calls->count, calls->capacity);
        calls->list[calls->count++] =
            (struct inlined_call){calls->object->base + entry, shown_text(calls->arena, source),
                                  (uint32_t)line, dwarf_dieoffset(die)};
    }
}

static void note_calls(struct inlined_calls *calls, Dwarf_Files *files, Dwarf_Die *parent, unsigned depth) {
    enum { DEEPEST = 1000 };
    Dwarf_Die die;
    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
            note_call(calls, files, &die);
        if (dwarf_haschildren(&die) > 0)
            note_calls(calls, files, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

struct inlined_call *program_inlined_calls(struct program *object, size_t *count, struct arena *arena) {
    struct inlined_calls calls = {.object = object, .arena = arena};
    if (!object->debug)
        object->debug = open_lines(object);
    const struct line_tables *tables = object->debug;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (tables->dwarf && dwarf_get_units(tables->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Files *files;
        size_t file_count;
        if (dwarf_getsrcfiles(&die, &files, &file_count) == 0)
            note_calls(&calls, files, &die, 0);
    }
    *count = calls.count;
    return calls.list;
}

bool call_has_address(struct program *object, const struct inlined_call *call, uint64_t address) {
    const struct line_tables *tables = object->debug;
    Dwarf_Die die;
    return dwarf_offdie(tables->dwarf, call->entry, &die) && dwarf_haspc(&die, address - object->base) > 0;
}

/* ---- variables ------------------------------------------------------------------------------------------ */

static void note_variable(struct program *object, struct line_tables *tables, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    int line = 0;
    if (!dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1 ||
        operations[0].atom != DW_OP_addr)
        return;
    const char *file = dwarf_decl_file(die);
    if (!file)
        return;
    dwarf_decl_line(die, &line);
    Dwarf_Attribute linkage;
    const char *name = dwarf_attr_integrate(die, DW_AT_linkage_name, &linkage) ? dwarf_formstring(&linkage)
                                                                               : dwarf_diename(die);
    ARENA_RESERVE(object->arena, tables->variables, tables->variable_count, tables->variable_capacity);
    tables->variables[tables->variable_count++] =
        (struct variable){operations[0].number, name ? name : "", shown_text(object->arena, file),
                          line > 0 ? (uint32_t)line : 0};
}

/* Includes procedures in namespaces and in other procedures. */
static void note_variables(struct program *object, struct line_tables *tables, Dwarf_Die *parent,
                           unsigned depth) {
    enum { DEEPEST = 100 };
    Dwarf_Die die;
    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        if (dwarf_tag(&die) == DW_TAG_variable)
            note_variable(object, tables, &die);
        else if (dwarf_haschildren(&die) > 0)
            note_variables(object, tables, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int compare_variables(const void *left, const void *right) {
    const struct variable *a = left, *b = right;
    return (a->address > b->address) - (a->address < b->address);
}

void variable_line(struct program *object, uint64_t address, const char *name, const char **file,
                   uint32_t *line) {
    *file = "";
    *line = 0;
    if (!object->debug)
        object->debug = open_lines(object);
    struct line_tables *tables = object->debug;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (!tables->has_variables && tables->dwarf &&
           dwarf_get_units(tables->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        note_variables(object, tables, &die, 0);
    if (!tables->has_variables && tables->variable_count)
        qsort(tables->variables, tables->variable_count, sizeof *tables->variables, compare_variables);
    tables->has_variables = true;
    if (tables->variable_count == 0)
        return;
    const struct variable wanted = {.address = address};
    const struct variable *found = bsearch(&wanted, tables->variables, tables->variable_count,
                                           sizeof *tables->variables, compare_variables);
    for (size_t i = 0; !found && i < tables->variable_count && tables->variables[i].address == 0; i++)
        if (strcmp(tables->variables[i].name, name) == 0)
            found = &tables->variables[i];
    if (!found)
        return;
    *file = found->file;
    *line = found->line;
}
