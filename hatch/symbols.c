/* symbols.c: the program's symbols, for names that are not those of procedures: a place may have several.
   Requires a session. */
#include <gelf.h>
#include <string.h>

#include "hatch/internal.h"

/* Of code: names of data would be no use. */
static bool is_wanted(const GElf_Sym *symbol, const char *found, const char *name, uint64_t address) {
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    return (type == STT_FUNC || type == STT_NOTYPE) && symbol->st_shndx != SHN_UNDEF && found && *found &&
           (!name || strcmp(found, name) == 0) &&
           (address == ANY_ADDRESS || symbol->st_value + hatch.program->base == address) &&
           instruction_at(hatch.program, symbol->st_value + hatch.program->base) != NO_INDEX;
}

/* One that others can see goes before local ones. */
static void search(Elf_Scn *section, const GElf_Shdr *header, const char *name, uint64_t address,
                   struct symbol *best) {
    Elf *elf = hatch.program->elf;
    Elf_Data *data = elf_getdata(section, NULL);
    int count = data && header->sh_entsize ? (int)(header->sh_size / header->sh_entsize) : 0;
    for (int i = 0; i < count && (!best->name || best->binding == STB_LOCAL); i++) {
        GElf_Sym symbol;
        const char *found =
            gelf_getsym(data, i, &symbol) ? elf_strptr(elf, header->sh_link, symbol.st_name) : NULL;
        if (!found || !is_wanted(&symbol, found, name, address))
            continue;
        unsigned binding = GELF_ST_BIND(symbol.st_info);
        if (!best->name || binding != STB_LOCAL)
            *best = (struct symbol){found, symbol.st_value + hatch.program->base, binding};
    }
}

bool find_symbol(const char *name, uint64_t address, struct symbol *symbol) {
    Elf_Scn *section = NULL;
    *symbol = (struct symbol){0};
    while ((section = elf_nextscn(hatch.program->elf, section))) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
            search(section, &header, name, address, symbol);
    }
    return symbol->name != NULL;
}
