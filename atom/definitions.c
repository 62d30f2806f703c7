/* definitions.c: finds the definition of a symbol by its version, as the dynamic linker does: in the first
   object that has it, searching the program, its libraries, their libraries, and so on (System V ABI,
   "Dynamic Linking"). Requires a session; finds only objects that are instrumented. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "atom/internal.h"

enum { VERSION_HIDDEN = 0x8000, VERSION_LOCAL = 0, VERSION_GLOBAL = 1 };

/* The sections of symbols and their versions; NULL: there are none. */
struct symbols {
    const struct program *object;
    Elf_Data *names, *versions, *defined, *needed;
    size_t strings, count;
    GElf_Word defined_strings, needed_strings;
};

static struct symbols symbols_of(const struct program *object) {
    struct symbols symbols = {.object = object};
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(object->elf, section))) {
        GElf_Shdr header;
        Elf_Data *data = gelf_getshdr(section, &header) ? elf_getdata(section, NULL) : NULL;
        if (!data)
            continue;
        if (header.sh_type == SHT_DYNSYM && header.sh_entsize) {
            symbols.names = data;
            symbols.strings = header.sh_link;
            symbols.count = header.sh_size / header.sh_entsize;
        } else if (header.sh_type == SHT_GNU_versym) {
            symbols.versions = data;
        } else if (header.sh_type == SHT_GNU_verdef) {
            symbols.defined = data;
            symbols.defined_strings = header.sh_link;
        } else if (header.sh_type == SHT_GNU_verneed) {
            symbols.needed = data;
            symbols.needed_strings = header.sh_link;
        }
    }
    return symbols;
}

static unsigned version_number(const struct symbols *symbols, uint32_t index) {
    GElf_Versym version;
    return symbols->versions && gelf_getversym(symbols->versions, (int)index, &version) ? version
                                                                                        : VERSION_GLOBAL;
}

/* For a record that has the distance to the next record; -1, which libelf rejects, after the last record. */
static int next_offset(int at, GElf_Word distance) {
    return distance == 0 || distance > (GElf_Word)(INT32_MAX - at) ? -1 : at + (int)distance;
}

static const char *defined_version(const struct symbols *symbols, unsigned number) {
    GElf_Verdef version;
    GElf_Verdaux name;
    for (int at = 0; symbols->defined && gelf_getverdef(symbols->defined, at, &version);
         at = next_offset(at, version.vd_next))
        if (version.vd_ndx == number &&
            gelf_getverdaux(symbols->defined, next_offset(at, version.vd_aux), &name))
            return elf_strptr(symbols->object->elf, symbols->defined_strings, name.vda_name);
    return NULL;
}

static const char *needed_version(const struct symbols *symbols, unsigned number) {
    GElf_Verneed file;
    GElf_Vernaux version;
    for (int at = 0; symbols->needed && gelf_getverneed(symbols->needed, at, &file);
         at = next_offset(at, file.vn_next)) {
        int one = next_offset(at, file.vn_aux);
        for (unsigned k = 0; k < file.vn_cnt && gelf_getvernaux(symbols->needed, one, &version); k++) {
            if (version.vna_other == number)
                return elf_strptr(symbols->object->elf, symbols->needed_strings, version.vna_name);
            one = next_offset(one, version.vna_next);
        }
    }
    return NULL;
}

/* The required version of the symbol; NULL: any. */
static const char *wanted_version(const struct symbols *symbols, uint32_t index) {
    unsigned number = version_number(symbols, index) & ~(unsigned)VERSION_HIDDEN;
    const char *version = number <= VERSION_GLOBAL ? NULL : needed_version(symbols, number);
    return version || number <= VERSION_GLOBAL ? version : defined_version(symbols, number);
}

/* A reference with a version matches that version, or a symbol of an object without versions; a reference
   without one matches the default. */
static bool has_version(const struct symbols *symbols, uint32_t index, const char *version) {
    unsigned number = version_number(symbols, index);
    if ((number & ~(unsigned)VERSION_HIDDEN) == VERSION_LOCAL && symbols->versions)
        return false;
    if (!version || !symbols->defined)
        return !(number & VERSION_HIDDEN);
    const char *own = defined_version(symbols, number & ~(unsigned)VERSION_HIDDEN);
    return own && strcmp(own, version) == 0;
}

/* The instruction at the object's own definition of the symbol; NO_INDEX if it has none. */
static uint32_t defined_in(const struct symbols *symbols, const char *name, const char *version) {
    for (uint32_t i = 1; i < symbols->count; i++) {
        GElf_Sym symbol;
        if (!symbols->names || !gelf_getsym(symbols->names, (int)i, &symbol) ||
            symbol.st_shndx == SHN_UNDEF || GELF_ST_BIND(symbol.st_info) == STB_LOCAL)
            continue;
        const char *found = elf_strptr(symbols->object->elf, symbols->strings, symbol.st_name);
        if (found && strcmp(found, name) == 0 && has_version(symbols, i, version))
            return instruction_at(session.program, symbol.st_value + symbols->object->base);
    }
    return NO_INDEX;
}

/* ---- the order of objects ------------------------------------------------------------------------------ */

static bool is_file(uint32_t object, const char *name) {
    const char *slash = strrchr(name, '/');
    return strcmp(object_file_name(session.program, object), slash ? slash + 1 : name) == 0;
}

/* Sorts each object after the objects that need it, plug-ins last. */
static void order_objects(void) {
    uint32_t count = 1, *order = arena_allocate(session.arena, session.object_count * sizeof *order);
    bool *listed = allocate_zeroed(session.object_count, sizeof *listed);
    const char *needed;
    order[0] = 0;
    listed[0] = true;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t n = 0; (needed = dynamic_needed(object_number(session.program, order[k]), n)); n++)
            for (uint32_t o = 1; o < session.object_count; o++)
                if (!listed[o] && is_file(o, needed)) {
                    listed[o] = true;
                    order[count++] = o;
                }
    for (uint32_t o = 1; o < session.object_count; o++)
        if (!listed[o])
            order[count++] = o;
    free(listed);
    session.search_order = order;
}

uint32_t find_exported(const char *name, const char *version) {
    if (!session.search_order)
        order_objects();
    for (uint32_t k = 0; k < session.object_count; k++) {
        struct symbols symbols = symbols_of(object_number(session.program, session.search_order[k]));
        uint32_t found = defined_in(&symbols, name, version);
        if (found != NO_INDEX)
            return found;
    }
    return NO_INDEX;
}

/* ---- what relocations ask for ---------------------------------------------------------------------------- */

static uint32_t look_up(uint32_t object, const struct relocation *relocation) {
    struct symbols own = symbols_of(object_number(session.program, object));
    const char *version = wanted_version(&own, relocation->symbol_index);
    uint32_t found = NO_INDEX;
    if (own.object->is_symbolic)
        found = defined_in(&own, relocation->symbol, version);
    return found == NO_INDEX ? find_exported(relocation->symbol, version) : found;
}

/* A cache of the definition of each symbol, because a program has many calls of malloc and the like. */
uint32_t find_definition(uint32_t object, const struct relocation *relocation) {
    enum { UNKNOWN = NO_INDEX - 1 };
    if (!session.definitions)
        session.definitions =
            arena_allocate(session.arena, session.object_count * sizeof *session.definitions);
    if (!session.definitions[object].instructions) {
        size_t count = symbols_of(object_number(session.program, object)).count;
        session.definitions[object].count = (uint32_t)count;
        session.definitions[object].instructions =
            arena_allocate(session.arena, (count + 1) * sizeof(uint32_t));
        for (size_t i = 0; i <= count; i++)
            session.definitions[object].instructions[i] = UNKNOWN;
    }
    if (relocation->symbol_index >= session.definitions[object].count)
        return look_up(object, relocation);
    uint32_t *known = &session.definitions[object].instructions[relocation->symbol_index];
    if (*known == UNKNOWN)
        *known = look_up(object, relocation);
    return *known;
}
