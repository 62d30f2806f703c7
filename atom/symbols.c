/* symbols.c: the program's symbols, for names that are not procedure names: a place may have several.
   Requires a session. */
#include <gelf.h>
#include <string.h>

#include "atom/internal.h"

/* Only symbols of code are useful. */
static bool is_wanted(const struct program *object, const GElf_Sym *symbol, const char *found,
                      const char *name, uint64_t address) {
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    uint64_t value = symbol->st_value + object->base;
    return (type == STT_FUNC || type == STT_NOTYPE) && symbol->st_shndx != SHN_UNDEF && found && *found &&
           (!name || strcmp(found, name) == 0) && (address == ANY_ADDRESS || value == address) &&
           value - object->text_address < 4 * (uint64_t)object->own_count && value % 4 == 0;
}

/* Exported symbols have priority over local ones. */
static void search(const struct program *object, Elf_Scn *section, const GElf_Shdr *header, const char *name,
                   uint64_t address, struct symbol *best) {
    Elf_Data *data = elf_getdata(section, NULL);
    int count = data && header->sh_entsize ? (int)(header->sh_size / header->sh_entsize) : 0;
    for (int i = 0; i < count && (!best->name || best->binding == STB_LOCAL); i++) {
        GElf_Sym symbol;
        const char *found =
            gelf_getsym(data, i, &symbol) ? elf_strptr(object->elf, header->sh_link, symbol.st_name) : NULL;
        if (!found || !is_wanted(object, &symbol, found, name, address))
            continue;
        unsigned binding = GELF_ST_BIND(symbol.st_info);
        if (!best->name || binding != STB_LOCAL)
            *best = (struct symbol){found, symbol.st_value + object->base, binding};
    }
}

static bool search_table(const struct program *object, unsigned type, const char *name, uint64_t address,
                         struct symbol *symbol) {
    Elf_Scn *section = NULL;
    *symbol = (struct symbol){0};
    while ((section = elf_nextscn(object->elf, section))) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == type)
            search(object, section, &header, name, address, symbol);
    }
    return symbol->name != NULL;
}

/* A stripped file still has the symbols that other objects use. */
bool find_symbol(uint32_t object, const char *name, uint64_t address, struct symbol *symbol) {
    const struct program *searched = object_number(session.program, object);
    return search_table(searched, SHT_SYMTAB, name, address, symbol) ||
           search_table(searched, SHT_DYNSYM, name, address, symbol);
}

bool find_symbol_at(uint32_t instruction, const char *name, struct symbol *symbol) {
    return find_symbol(object_number_of(session.program, instruction), name,
                       instruction_address(session.program, instruction), symbol);
}
