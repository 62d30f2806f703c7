/* parameters.c: parameters of procedures from the debug information, and the argument registers that they
   are in. Requires an open program; an object's procedures are read on the first query for one. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "engine/object/internal.h"

/* The value in an argument register. */
struct parameter {
    const char *name; /* NULL: nothing */
    bool is_structure;
    uint64_t type; /* the entry of a struct program_type; NO_TYPE: not known, or a part after the first */
    /* the same as far as the parameters' locations tell it: also if the compiler has left out parameters */
    uint64_t located;
};

/* A procedure with debug information. */
struct parameter_list {
    uint64_t address;
    uint32_t count;  /* the number of its argument registers and 8-byte stack slots */
    uint32_t floats; /* of floating-point registers, where they are counted apart */
    struct parameter integers[PARAMETER_REGISTERS], floating[PARAMETER_REGISTERS];
    uint64_t result;
};
struct parameter_tables {
    struct parameter_list *lists; /* sorted by address */
    size_t count, capacity;
};

static bool type_of_entry(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    Dwarf_Die written;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, &written) &&
           dwarf_peel_type(&written, type) == 0;
}

static bool is_aggregate(Dwarf_Die *type) {
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static Dwarf_Word encoding_of(Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    if (dwarf_tag(type) == DW_TAG_base_type)
        dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding);
    return encoding;
}

/* True for a C++ type that is passed by its address: one with its own destructor or virtual functions, or
   with a part that has them. */
static bool has_constructor(Dwarf_Die *type, unsigned depth) {
    enum { DEEPEST = 20 };
    Dwarf_Attribute attribute;
    Dwarf_Word how = 0;
    Dwarf_Die part, of;
    if (dwarf_formudata(dwarf_attr(type, DW_AT_calling_convention, &attribute), &how) == 0)
        return how == DW_CC_pass_by_reference;
    if (depth == DEEPEST || !is_aggregate(type) || dwarf_child(type, &part) != 0)
        return false;
    do {
        int tag = dwarf_tag(&part);
        const char *name = dwarf_diename(&part);
        bool is_implicit = dwarf_hasattr(&part, DW_AT_artificial) ||
                           (dwarf_formudata(dwarf_attr(&part, DW_AT_defaulted, &attribute), &how) == 0 &&
                            how == DW_DEFAULTED_in_class);
        if (tag == DW_TAG_subprogram &&
            (dwarf_hasattr(&part, DW_AT_virtuality) || (name && name[0] == '~' && !is_implicit)))
            return true;
        bool is_part =
            tag == DW_TAG_inheritance || (tag == DW_TAG_member && !dwarf_hasattr(&part, DW_AT_external));
        if (is_part && type_of_entry(&part, &of) && has_constructor(&of, depth + 1))
            return true;
    } while (dwarf_siblingof(&part, &part) == 0);
    return false;
}

/* The number of registers that a parameter of the type takes. A long double is passed by its address; a
   complex number takes two. */
static uint32_t registers_of(Dwarf_Die *type) {
    Dwarf_Word size;
    if (encoding_of(type) == DW_ATE_complex_float)
        return 2;
    if (encoding_of(type) == DW_ATE_float || dwarf_aggregate_size(type, &size) != 0 ||
        has_constructor(type, 0))
        return 1;
    return size > 8 ? (uint32_t)((size + 7) / 8) : 1;
}

static bool is_float(Dwarf_Die *type) {
    Dwarf_Word size, encoding = encoding_of(type);
    return (encoding == DW_ATE_float && dwarf_aggregate_size(type, &size) == 0 && size <= 8) ||
           encoding == DW_ATE_complex_float;
}

/* True if the result is in memory, whose address is the first argument: any type but a number that fits in
   one register. */
static bool returns_in_memory(Dwarf_Die *type) {
    Dwarf_Word size;
    if (is_aggregate(type))
        return true;
    if (dwarf_tag(type) != DW_TAG_base_type || dwarf_aggregate_size(type, &size) != 0)
        return false;
    return size > (encoding_of(type) == DW_ATE_complex_float ? 16 : 8);
}

static void note_parameter(struct parameter *parameter, const char *name, bool is_structure, uint64_t type) {
    parameter->name = name;
    parameter->is_structure = is_structure;
    parameter->type = type;
}

/* The parameter is the same in each of its registers; its type is known by the first. */
static void add_parameter(struct parameter_list *list, const struct parameter *parameter, uint32_t registers,
                          bool is_float, uint32_t most) {
    for (uint32_t i = 0; i < registers; i++, list->count++)
        if (list->count < most) {
            struct parameter *all = is_float ? list->floating : list->integers;
            uint64_t type = i == 0 ? parameter->type : NO_TYPE;
            note_parameter(&all[list->count], parameter->name, parameter->is_structure, type);
            list->integers[list->count].type = type;
        }
}

/* The number of members of a structure whose members are all floating-point numbers of one size, of complex
   numbers and arrays too; 0: it is none. */
static unsigned equal_floats(Dwarf_Die *type, Dwarf_Word *size, unsigned depth) {
    enum { DEEPEST = 20, MOST = 4 };
    Dwarf_Word own = 0, whole = 0;
    Dwarf_Die part, of;
    unsigned count = 0;
    if (depth == DEEPEST || dwarf_aggregate_size(type, &whole) != 0)
        return 0;
    if (encoding_of(type) == DW_ATE_float || encoding_of(type) == DW_ATE_complex_float) {
        unsigned parts = encoding_of(type) == DW_ATE_float ? 1 : 2;
        own = whole / parts;
        if (*size && *size != own)
            return 0;
        *size = own;
        return parts;
    }
    if (dwarf_tag(type) == DW_TAG_array_type) {
        if (!type_of_entry(type, &of) || !equal_floats(&of, size, depth + 1) || !*size)
            return 0;
        return whole / *size <= MOST ? (unsigned)(whole / *size) : 0;
    }
    if (!is_aggregate(type) || dwarf_child(type, &part) != 0)
        return 0;
    do {
        int tag = dwarf_tag(&part);
        if (tag != DW_TAG_inheritance && (tag != DW_TAG_member || dwarf_hasattr(&part, DW_AT_external)))
            continue;
        unsigned parts = type_of_entry(&part, &of) ? equal_floats(&of, size, depth + 1) : 0;
        if (parts == 0)
            return 0;
        count = dwarf_tag(type) != DW_TAG_union_type ? count + parts : count > parts ? count : parts;
    } while (dwarf_siblingof(&part, &part) == 0);
    return count <= MOST ? count : 0;
}

/* The same where floating-point registers are counted apart: by AAPCS64 6.8.2, the Procedure Call Standard
   for the Arm 64-bit Architecture. `type` NULL: not known, an integer. */
static void add_parameter_apart(struct parameter_list *list, const struct parameter *parameter,
                                Dwarf_Die *type, uint32_t most) {
    Dwarf_Word size = 8, element = 0;
    const bool by_address = type && has_constructor(type, 0);
    if (type && !by_address)
        dwarf_aggregate_size(type, &size);
    unsigned floats = type && !by_address ? equal_floats(type, &element, 0) : 0;
    if (floats > 0) {
        bool fits = list->floats + floats <= most;
        for (unsigned i = 0; i < floats && fits; i++, list->floats++)
            note_parameter(&list->floating[list->floats], parameter->name, parameter->is_structure,
                           i == 0 ? parameter->type : NO_TYPE);
        if (!fits)
            list->floats = most;
        return;
    }
    bool is_small = size <= 16 || !is_aggregate(type);
    uint32_t registers = by_address || !is_small ? 1 : (uint32_t)((size + 7) / 8);
    Dwarf_Attribute attribute;
    Dwarf_Word alignment = 0;
    bool is_wide = type && !by_address && is_small && registers == 2 &&
                   (dwarf_tag(type) == DW_TAG_base_type ||
                    (dwarf_formudata(dwarf_attr(type, DW_AT_alignment, &attribute), &alignment) == 0 &&
                     alignment == 16));
    if (is_wide)
        list->count += list->count % 2;
    if (list->count < most && list->count + registers > most)
        list->count = most; /* all of it is on the stack */
    for (uint32_t i = 0; i < (registers ? registers : 1); i++, list->count++)
        if (list->count < most)
            note_parameter(&list->integers[list->count], parameter->name, parameter->is_structure && is_small,
                           i == 0 ? parameter->type : NO_TYPE);
}

/* Notes the type for the register that contains the parameter at the address. */
static void locate_parameter(const struct program *object, struct parameter_list *list, Dwarf_Die *die,
                             uint64_t type) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (!dwarf_attr(die, DW_AT_location, &attribute) ||
        dwarf_getlocation_addr(&attribute, list->address, &operations, &count, 1) != 1 || count != 1 ||
        operations->atom < DW_OP_reg0 || operations->atom > DW_OP_reg31)
        return;
    unsigned number = operations->atom - DW_OP_reg0 - object->architecture->registers.first_argument;
    if (number < object->architecture->registers.arguments_in_registers)
        list->integers[number].located = type;
}

static void note_procedure(struct program *object, struct parameter_tables *tables, Dwarf_Die *die) {
    Dwarf_Addr address;
    Dwarf_Die part, type;
    if (dwarf_entrypc(die, &address) != 0)
        return;
    const struct conventions_of_machine *registers = &object->architecture->registers;
    const uint32_t most = registers->arguments_in_registers;
    const struct parameter none = {.type = NO_TYPE, .located = NO_TYPE};
    struct parameter_list list = {.address = address, .result = type_entry(die)};
    for (uint32_t i = 0; i < PARAMETER_REGISTERS; i++)
        list.integers[i] = list.floating[i] = none;
    if (!registers->counts_floats_apart && type_of_entry(die, &type) && returns_in_memory(&type))
        add_parameter(&list, &(struct parameter){.name = "(result)", .type = NO_TYPE}, 1, false, most);
    bool has_parts = dwarf_child(die, &part) == 0;
    while (has_parts) {
        const char *name = dwarf_diename(&part);
        bool has_type = type_of_entry(&part, &type);
        if (dwarf_tag(&part) == DW_TAG_formal_parameter) {
            const struct parameter parameter = {
                .name = name ? arena_string(object->arena, name, strlen(name)) : "",
                .is_structure = has_type && is_aggregate(&type) && !has_constructor(&type, 0),
                .type = type_entry(&part)};
            locate_parameter(object, &list, &part, parameter.type);
            if (registers->counts_floats_apart)
                add_parameter_apart(&list, &parameter, has_type ? &type : NULL, most);
            else
                add_parameter(&list, &parameter, has_type ? registers_of(&type) : 1,
                              has_type && is_float(&type), most);
        }
        has_parts = dwarf_siblingof(&part, &part) == 0;
    }
    ARENA_RESERVE(object->arena, tables->lists, tables->count, tables->capacity);
    tables->lists[tables->count++] = list;
}

/* Includes procedures in namespaces and in other procedures. */
static void note_procedures(struct program *object, struct parameter_tables *tables, Dwarf_Die *parent,
                            unsigned depth) {
    enum { DEEPEST = 100 };
    Dwarf_Die die;
    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        if (dwarf_tag(&die) == DW_TAG_subprogram)
            note_procedure(object, tables, &die);
        if (dwarf_haschildren(&die) > 0)
            note_procedures(object, tables, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int compare_lists(const void *left, const void *right) {
    const struct parameter_list *a = left, *b = right;
    return (a->address > b->address) - (a->address < b->address);
}

static const struct parameter_tables *read_parameter_tables(struct program *object) {
    struct parameter_tables *tables = arena_allocate(object->arena, sizeof *tables);
    Dwarf *dwarf = dwarf_begin_elf(object->elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        note_procedures(object, tables, &die, 0);
    dwarf_end(dwarf);
    if (tables->count)
        qsort(tables->lists, tables->count, sizeof *tables->lists, compare_lists);
    return tables;
}

static const struct parameter_list *parameters_at(struct program *program, uint64_t address) {
    program = object_at(program, address);
    if (!program->parameters)
        program->parameters = read_parameter_tables(program);
    const struct parameter_list wanted = {.address = address - program->base};
    return program->parameters->count ? bsearch(&wanted, program->parameters->lists,
                                                program->parameters->count, sizeof wanted, compare_lists)
                                      : NULL;
}

int32_t program_parameter_count(struct program *program, uint64_t address) {
    const struct parameter_list *list = parameters_at(program, address);
    return list ? (int32_t)list->count : -1;
}

const char *program_parameter(struct program *program, uint64_t address, uint32_t number, bool is_float) {
    const struct parameter_list *list = parameters_at(program, address);
    if (!list || number >= PARAMETER_REGISTERS)
        return "";
    const char *name = (is_float ? list->floating : list->integers)[number].name;
    return name ? name : "";
}

bool program_parameter_is_structure(struct program *program, uint64_t address, uint32_t number) {
    const struct parameter_list *list = parameters_at(program, address);
    return list && number < PARAMETER_REGISTERS && list->integers[number].is_structure;
}

struct program_type program_parameter_type(struct program *program, uint64_t address, uint32_t number,
                                           bool is_changed) {
    const struct parameter_list *list = parameters_at(program, address);
    const struct parameter *parameter = list && number < PARAMETER_REGISTERS ? &list->integers[number] : NULL;
    return (struct program_type){object_at(program, address), !parameter   ? NO_TYPE
                                                              : is_changed ? parameter->located
                                                                           : parameter->type};
}

struct program_type program_result_type(struct program *program, uint64_t address) {
    const struct parameter_list *list = parameters_at(program, address);
    return (struct program_type){object_at(program, address), list ? list->result : NO_TYPE};
}
