/* symbols.c: the global symbols that an object file of the analysis code defines, and the symbols to which it
   refers. Requires libelf. Archives count as files without symbols, since the linker takes only undefined
   symbols from them. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "engine/image/internal.h"

enum symbols { SYMBOLS_DEFINED, SYMBOLS_REFERRED_TO };
/* Called for each symbol until it returns false. */
typedef bool symbol_visitor(void *context, const char *name);

static void visit_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, enum symbols which,
                        symbol_visitor *visit, void *context) {
    Elf_Data *data = elf_getdata(section, NULL);
    bool more = true;
    for (int i = 0; data && more && i < (int)(header->sh_size / header->sh_entsize); i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, i, &symbol) || GELF_ST_BIND(symbol.st_info) == STB_LOCAL ||
            (symbol.st_shndx == SHN_UNDEF) != (which == SYMBOLS_REFERRED_TO))
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        more = !name || visit(context, name);
    }
}

static void each_symbol(const char *object, enum symbols which, symbol_visitor *visit, void *context) {
    int descriptor = open(object, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = descriptor >= 0 ? elf_begin(descriptor, ELF_C_READ, NULL) : NULL;
    Elf_Scn *section = NULL;
    while (elf && elf_kind(elf) == ELF_K_ELF && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_entsize != 0)
            visit_table(elf, section, &header, which, visit, context);
    }
    elf_end(elf);
    if (descriptor >= 0)
        close(descriptor);
}

struct search {
    const char *name;
    bool found;
};

static bool is_searched(void *context, const char *name) {
    struct search *search = context;
    search->found = strcmp(name, search->name) == 0;
    return !search->found;
}

bool object_defines(const char *object, const char *name) {
    struct search search = {name, false};
    each_symbol(object, SYMBOLS_DEFINED, is_searched, &search);
    return search.found;
}

static bool is_of_unwinder(void *context, const char *name) {
    bool *found = context;
    *found = strcmp(name, "backtrace") == 0 || strncmp(name, "_Unwind_", strlen("_Unwind_")) == 0;
    return !*found;
}

bool object_unwinds(const char *object) {
    bool found = false;
    each_symbol(object, SYMBOLS_REFERRED_TO, is_of_unwinder, &found);
    return found;
}

struct renames {
    FILE *stream;
    const char *prefix;
};

static bool write_rename(void *context, const char *name) {
    struct renames *renames = context;
    fprintf(renames->stream, "%s %s.%s\n", name, renames->prefix, name);
    return true;
}

bool object_write_renames(const char *object, const char *prefix, const char *path) {
    struct renames renames = {fopen(path, "w"), prefix};
    if (!renames.stream)
        return false;
    each_symbol(object, SYMBOLS_DEFINED, write_rename, &renames);
    bool written = !ferror(renames.stream);
    return fclose(renames.stream) == 0 && written;
}
