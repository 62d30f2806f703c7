/* types.c: types of the program, and the members of its structures, from the debug information. Requires an
   open program; the names of an object's types are read on the first query for one. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/object/internal.h"
#include "support/search.h"

enum { DEEPEST = 100 };

/* A structure, union, class, enumeration, typedef or basic type that is defined. */
struct named_type {
    const char *name; /* with the names of its namespaces and classes: "space::list" */
    int tag;
    uint64_t entry;
};
struct named_types {
    struct named_type *list; /* sorted by name */
    size_t count, capacity;
};

static bool is_aggregate_tag(int tag) {
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

/* ---- entries ------------------------------------------------------------------------------------------------ */

/* The lowest bit of an entry is set in .debug_types, where DWARF 4 has types of their own. */
static uint64_t entry_of(Dwarf_Die *die) {
    Dwarf_Half version = 0;
    uint8_t kind = DW_UT_compile;
    dwarf_cu_info(die->cu, &version, &kind, NULL, NULL, NULL, NULL, NULL);
    return (uint64_t)dwarf_dieoffset(die) << 1 | (version < 5 && kind == DW_UT_type);
}

static bool die_of(struct program_type type, Dwarf_Die *die) {
    Dwarf *dwarf = type.entry == NO_TYPE ? NULL : object_debug(type.object);
    if (!dwarf)
        return false;
    return type.entry & 1 ? dwarf_offdie_types(dwarf, type.entry >> 1, die) != NULL
                          : dwarf_offdie(dwarf, type.entry >> 1, die) != NULL;
}

uint64_t type_entry(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, &type)
               ? entry_of(&type)
               : NO_TYPE;
}

static bool attribute_number(Dwarf_Die *die, unsigned name, uint64_t *number) {
    Dwarf_Attribute attribute;
    Dwarf_Word word = 0;
    if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &word) != 0)
        return false;
    *number = word;
    return true;
}

/* The type's DIE without typedef, const and volatile; the definition, where a unit of its own has it. */
static bool peeled(struct program_type type, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Die written;
    if (!die_of(type, &written) || dwarf_peel_type(&written, die) != 0)
        return false;
    if (dwarf_attr(die, DW_AT_signature, &attribute) && dwarf_formref_die(&attribute, &written))
        *die = written;
    return true;
}

/* ---- types by name ------------------------------------------------------------------------------------------ */

static void note_types(struct program *object, struct named_types *types, Dwarf_Die *parent,
                       const char *prefix, unsigned depth) {
    Dwarf_Die die;
    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        const char *name = dwarf_diename(&die), *whole = prefix;
        bool is_scope = tag == DW_TAG_namespace || is_aggregate_tag(tag);
        if (name)
            whole = *prefix ? arena_format(object->arena, "%s::%s", prefix, name) : name;
        if (name && !dwarf_hasattr(&die, DW_AT_declaration) &&
            (is_aggregate_tag(tag) || tag == DW_TAG_typedef || tag == DW_TAG_base_type ||
             tag == DW_TAG_enumeration_type)) {
            ARENA_RESERVE(object->arena, types->list, types->count, types->capacity);
            types->list[types->count++] = (struct named_type){whole, tag, entry_of(&die)};
        }
        if (is_scope)
            note_types(object, types, &die, whole, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int compare_names(const void *left, const void *right) {
    const struct named_type *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->entry > b->entry) - (a->entry < b->entry);
}

static const struct named_types *types_of(struct program *object) {
    if (object->types)
        return object->types;
    struct named_types *types = arena_allocate(object->arena, sizeof *types);
    Dwarf *dwarf = object_debug(object);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, type;
    uint8_t kind;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, &kind, &die, &type) == 0)
        note_types(object, types, &die, "", 0);
    if (types->count)
        qsort(types->list, types->count, sizeof *types->list, compare_names);
    return object->types = types;
}

/* True for definitions of one type in several files. */
static bool are_same(Dwarf_Die *a, Dwarf_Die *b) {
    uint64_t sizes[2] = {0, 0};
    int lines[2] = {0, 0};
    const char *files[2] = {dwarf_decl_file(a), dwarf_decl_file(b)};
    attribute_number(a, DW_AT_byte_size, &sizes[0]);
    attribute_number(b, DW_AT_byte_size, &sizes[1]);
    dwarf_decl_line(a, &lines[0]);
    dwarf_decl_line(b, &lines[1]);
    return dwarf_tag(a) == dwarf_tag(b) && sizes[0] == sizes[1] && lines[0] == lines[1] &&
           strcmp(files[0] ? files[0] : "", files[1] ? files[1] : "") == 0;
}

/* The definition by that name with a tag that is allowed; `unit`: where one is taken if there are different
   ones, 0: nowhere. Returns NO_TYPE if there is none; *several if there are different ones. */
static uint64_t find_type(struct program *object, const char *name, bool (*allows)(int tag), Dwarf_Off unit,
                          bool *several) {
    const struct named_types *types = types_of(object);
    uint64_t found = NO_TYPE;
    Dwarf_Die first, other, of;
    *several = false;
    size_t low = FIRST_NOT(0, types->count, at, strcmp(types->list[at].name, name) < 0);
    for (; low < types->count && strcmp(types->list[low].name, name) == 0; low++) {
        struct program_type type = {object, types->list[low].entry};
        if (!allows(types->list[low].tag) || !die_of(type, &other))
            continue;
        if (unit && dwarf_diecu(&other, &of, NULL, NULL) && dwarf_dieoffset(&of) == unit) {
            *several = false;
            return type.entry;
        }
        if (found == NO_TYPE) {
            found = type.entry;
            first = other;
        } else if (!are_same(&first, &other)) {
            *several = true;
        }
    }
    return *several ? NO_TYPE : found;
}

static bool is_any_tag(int tag) {
    (void)tag;
    return true;
}

static bool is_enumeration_tag(int tag) {
    return tag == DW_TAG_enumeration_type;
}

static bool is_union_tag(int tag) {
    return tag == DW_TAG_union_type;
}

static bool is_structure_tag(int tag) { /* C++ allows either word */
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

struct program_type program_type_named(struct program *program, uint64_t address, const char *name,
                                       bool *several) {
    static const struct {
        const char *word;
        bool (*allows)(int tag);
    } words[] = {{"struct ", is_structure_tag},
                 {"class ", is_structure_tag},
                 {"union ", is_union_tag},
                 {"enum ", is_enumeration_tag}};
    struct program *object = object_at(program, address);
    bool (*allows)(int tag) = is_any_tag;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(name, words[i].word, strlen(words[i].word)) == 0) {
            name += strlen(words[i].word);
            allows = words[i].allows;
            break;
        }
    Dwarf *dwarf = object_debug(object);
    Dwarf_Die unit;
    Dwarf_Off own = dwarf && dwarf_addrdie(dwarf, address - object->base, &unit) ? dwarf_dieoffset(&unit) : 0;
    return (struct program_type){object, find_type(object, name, allows, own, several)};
}

/* The name with those of its namespaces and classes. */
static const char *whole_name(struct program *object, Dwarf_Die *die) {
    const char *name = dwarf_diename(die);
    Dwarf_Die *scopes = NULL;
    int count = name ? dwarf_getscopes_die(die, &scopes) : 0;
    for (int i = 1; i < count; i++) {
        int tag = dwarf_tag(&scopes[i]);
        const char *outer = dwarf_diename(&scopes[i]);
        if (outer && (tag == DW_TAG_namespace || is_aggregate_tag(tag)))
            name = arena_format(object->arena, "%s::%s", outer, name);
    }
    free(scopes);
    return name;
}

/* Finds the definition of a structure that is only declared here. */
static enum member_search complete(struct program *object, Dwarf_Die *die) {
    if (!dwarf_hasattr(die, DW_AT_declaration))
        return MEMBER_FOUND;
    const char *name = whole_name(object, die);
    bool several = false;
    struct program_type found = {object,
                                 name ? find_type(object, name, is_aggregate_tag, 0, &several) : NO_TYPE};
    return several ? TYPE_SEVERAL : die_of(found, die) ? MEMBER_FOUND : TYPE_INCOMPLETE;
}

/* ---- facts -------------------------------------------------------------------------------------------------- */

/* The number of dimensions of an array; *count becomes the number of elements of the last, 0: not known. */
static uint32_t dimensions_of(Dwarf_Die *array, uint64_t *count) {
    Dwarf_Die part;
    uint64_t bound;
    uint32_t dimensions = 0;
    if (dwarf_child(array, &part) != 0)
        return 0;
    do {
        if (dwarf_tag(&part) != DW_TAG_subrange_type)
            continue;
        dimensions++;
        *count = 0;
        if (attribute_number(&part, DW_AT_count, &bound))
            *count = bound;
        else if (attribute_number(&part, DW_AT_upper_bound, &bound) && bound < UINT64_MAX / 2)
            *count = bound + 1;
    } while (dwarf_siblingof(&part, &part) == 0);
    return dimensions;
}

static enum type_kind kind_of_base(Dwarf_Die *die, bool *is_signed) {
    uint64_t encoding = 0;
    attribute_number(die, DW_AT_encoding, &encoding);
    switch (encoding) {
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        *is_signed = true;
        return TYPE_INTEGER;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_boolean:
    case DW_ATE_UTF:
    case DW_ATE_address:
        return TYPE_INTEGER;
    case DW_ATE_float:
        return TYPE_REAL;
    default:
        return TYPE_UNKNOWN;
    }
}

/* By its underlying type, or its own encoding. */
static bool is_signed_enumeration(struct program *object, Dwarf_Die *die) {
    struct program_type of = {object, type_entry(die)};
    Dwarf_Die base;
    bool is_signed = false;
    kind_of_base(peeled(of, &base) ? &base : die, &is_signed);
    return is_signed;
}

struct type_facts program_type_facts(struct program_type type) {
    struct type_facts facts = {.of = {type.object, NO_TYPE}};
    Dwarf_Die die;
    Dwarf_Word size;
    if (!peeled(type, &die))
        return facts;
    if (is_aggregate_tag(dwarf_tag(&die)))
        complete(type.object, &die);
    if (dwarf_aggregate_size(&die, &size) == 0)
        facts.size = size;
    switch (dwarf_tag(&die)) {
    case DW_TAG_base_type:
        facts.kind = kind_of_base(&die, &facts.is_signed);
        break;
    case DW_TAG_enumeration_type:
        facts.kind = TYPE_INTEGER;
        facts.is_signed = is_signed_enumeration(type.object, &die);
        break;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        facts.kind = TYPE_POINTER;
        facts.of.entry = type_entry(&die);
        facts.size = 8;
        break;
    case DW_TAG_array_type:
        facts.kind = dimensions_of(&die, &facts.count) == 1 ? TYPE_ARRAY : TYPE_UNKNOWN;
        facts.of.entry = type_entry(&die);
        break;
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_class_type:
        facts.kind = TYPE_STRUCTURE;
        break;
    default:
        break;
    }
    return facts;
}

const char *program_type_name(struct program_type type, struct arena *arena) {
    Dwarf_Die die;
    if (!die_of(type, &die))
        return "void";
    const char *name = dwarf_diename(&die);
    struct program_type of = {type.object, type_entry(&die)};
    switch (dwarf_tag(&die)) {
    case DW_TAG_structure_type:
        return name ? arena_format(arena, "struct %s", name) : "struct without a name";
    case DW_TAG_union_type:
        return name ? arena_format(arena, "union %s", name) : "union without a name";
    case DW_TAG_class_type:
        return name ? arena_format(arena, "class %s", name) : "class without a name";
    case DW_TAG_enumeration_type:
        return name ? arena_format(arena, "enum %s", name) : "enum without a name";
    case DW_TAG_pointer_type:
        return arena_format(arena, "%s *", program_type_name(of, arena));
    case DW_TAG_reference_type:
        return arena_format(arena, "%s &", program_type_name(of, arena));
    case DW_TAG_rvalue_reference_type:
        return arena_format(arena, "%s &&", program_type_name(of, arena));
    case DW_TAG_array_type:
        return arena_format(arena, "%s []", program_type_name(of, arena));
    case DW_TAG_const_type:
        return arena_format(arena, "const %s", program_type_name(of, arena));
    case DW_TAG_volatile_type:
        return arena_format(arena, "volatile %s", program_type_name(of, arena));
    case DW_TAG_subroutine_type:
        return "a function";
    default:
        return name ? arena_string(arena, name, strlen(name)) : program_type_name(of, arena);
    }
}

bool program_has_types(struct program *program, uint64_t address) {
    return types_of(object_at(program, address))->count > 0;
}

/* ---- members ------------------------------------------------------------------------------------------------ */

/* The offset of a member or base; false if it depends on the object. */
static bool offset_of(Dwarf_Die *member, uint64_t *offset) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    *offset = 0;
    if (!dwarf_attr_integrate(member, DW_AT_data_member_location, &attribute))
        return true; /* a union's, or a bit field's */
    if (attribute_number(member, DW_AT_data_member_location, offset))
        return true;
    if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1 ||
        operations->atom != DW_OP_plus_uconst)
        return false;
    *offset = operations->number;
    return true;
}

/* Chooses the bytes that contain a bit field, so that no other bytes than the structure's are read. */
static void place_bits(struct type_member *member, uint64_t bit, uint64_t bits, uint64_t size) {
    member->bit_count = (uint32_t)bits;
    for (uint64_t bytes = 1; bytes <= 8 && !member->size; bytes *= 2) {
        uint64_t from = bit / (8 * bytes) * bytes;
        if (from + bytes <= size && bit + bits <= 8 * (from + bytes)) {
            member->size = (uint32_t)bytes;
            member->offset = from;
        }
    }
    for (uint64_t bytes = 1; bytes <= 8 && !member->size; bytes *= 2) { /* it is not aligned: packed */
        uint64_t from = bit / 8;
        if (from + bytes > size && bytes <= size)
            from = size - bytes;
        if (from + bytes <= size && bit + bits <= 8 * (from + bytes)) {
            member->size = (uint32_t)bytes;
            member->offset = from;
        }
    }
    member->first_bit = (uint32_t)(bit - 8 * member->offset);
}

static enum member_search fill_member(struct program *object, Dwarf_Die *structure, Dwarf_Die *die,
                                      struct type_member *member) {
    uint64_t bits, bit, size = 0, unit = 0;
    *member = (struct type_member){.type = {object, type_entry(die)}};
    if (!offset_of(die, &member->offset))
        return MEMBER_VIRTUAL;
    if (!attribute_number(die, DW_AT_bit_size, &bits))
        return MEMBER_FOUND;
    attribute_number(structure, DW_AT_byte_size, &size);
    if (attribute_number(die, DW_AT_data_bit_offset, &bit)) {
        place_bits(member, bit, bits, size);
    } else if (attribute_number(die, DW_AT_bit_offset,
                                &bit)) { /* before DWARF 4: from the highest bit of its unit */
        if (!attribute_number(die, DW_AT_byte_size, &unit))
            unit = program_type_facts(member->type).size;
        place_bits(member, 8 * (member->offset + unit) - bit - bits, bits, size);
    } else {
        place_bits(member, 8 * member->offset, bits, size);
    }
    return MEMBER_FOUND;
}

static enum member_search find_member(struct program *object, Dwarf_Die *structure, const char *name,
                                      unsigned depth, struct type_member *member);

/* Looks into a base, or into a structure without a name. */
static enum member_search find_inside(struct program *object, Dwarf_Die *part, const char *name,
                                      unsigned depth, struct type_member *member) {
    struct program_type type = {object, type_entry(part)};
    uint64_t offset = 0;
    Dwarf_Die die;
    if (!peeled(type, &die))
        return MEMBER_NONE;
    enum member_search result = complete(object, &die);
    if (result == MEMBER_FOUND)
        result = find_member(object, &die, name, depth + 1, member);
    if (result != MEMBER_FOUND)
        return result;
    if (dwarf_hasattr(part, DW_AT_virtuality) || !offset_of(part, &offset))
        return MEMBER_VIRTUAL;
    member->offset += offset;
    return MEMBER_FOUND;
}

/* A class's own member hides those of its bases. */
static enum member_search find_member(struct program *object, Dwarf_Die *structure, const char *name,
                                      unsigned depth, struct type_member *member) {
    Dwarf_Die part;
    enum member_search result = MEMBER_NONE;
    if (depth == DEEPEST || dwarf_child(structure, &part) != 0)
        return MEMBER_NONE;
    Dwarf_Die first = part;
    do {
        const char *own = dwarf_diename(&part);
        if (dwarf_tag(&part) != DW_TAG_member || dwarf_hasattr(&part, DW_AT_declaration) ||
            dwarf_hasattr(&part, DW_AT_external))
            continue;
        if (own && strcmp(own, name) == 0)
            return fill_member(object, structure, &part, member);
        if (!own)
            result = find_inside(object, &part, name, depth, member);
        if (result != MEMBER_NONE)
            return result;
    } while (dwarf_siblingof(&part, &part) == 0);
    part = first;
    do {
        struct type_member found;
        if (dwarf_tag(&part) != DW_TAG_inheritance)
            continue;
        enum member_search inside = find_inside(object, &part, name, depth, &found);
        if (inside == MEMBER_FOUND && result == MEMBER_FOUND)
            return MEMBER_SEVERAL;
        if (inside == MEMBER_NONE)
            continue;
        if (inside != MEMBER_FOUND)
            return inside;
        result = inside;
        *member = found;
    } while (dwarf_siblingof(&part, &part) == 0);
    return result;
}

enum member_search program_type_member(struct program_type structure, const char *name,
                                       struct type_member *member) {
    Dwarf_Die die;
    if (!peeled(structure, &die))
        return TYPE_INCOMPLETE;
    enum member_search result = complete(structure.object, &die);
    return result == MEMBER_FOUND ? find_member(structure.object, &die, name, 0, member) : result;
}

struct member_names {
    const char **list;
    size_t count, capacity;
};

static void note_members(struct program *object, Dwarf_Die *structure, unsigned depth,
                         struct member_names *names) {
    Dwarf_Die part, of;
    if (depth == DEEPEST || dwarf_child(structure, &part) != 0)
        return;
    do {
        int tag = dwarf_tag(&part);
        const char *name = dwarf_diename(&part);
        struct program_type type = {object, type_entry(&part)};
        if (tag == DW_TAG_member && name) {
            ARENA_RESERVE(object->arena, names->list, names->count, names->capacity);
            names->list[names->count++] = name;
        } else if ((tag == DW_TAG_member || tag == DW_TAG_inheritance) && peeled(type, &of) &&
                   complete(object, &of) == MEMBER_FOUND) {
            note_members(object, &of, depth + 1, names);
        }
    } while (dwarf_siblingof(&part, &part) == 0);
}

const char *program_nearest_member(struct program_type structure, const char *name) {
    struct member_names names = {NULL, 0, 0};
    Dwarf_Die die;
    if (!peeled(structure, &die) || complete(structure.object, &die) != MEMBER_FOUND)
        return NULL;
    note_members(structure.object, &die, 0, &names);
    return nearest_name(name, names.list, names.count);
}
