/* data.c: the program's data objects, by the symbols that name them. Requires that objects are open, and
   their libraries joined; source positions are read on first use.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/object/internal.h"
#include "support/search.h"

static bool is_data(const GElf_Sym *symbol) {
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    return (type == STT_OBJECT || type == STT_COMMON || type == STT_TLS) && symbol->st_shndx != SHN_ABS;
}

static void read_names_of(struct program *program, size_t *capacity, uint32_t number, uint32_t type) {
    const struct program *object = object_number(program, number);
    for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != type || header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        const char *unit = "";
        GElf_Sym symbol;
        for (int i = 1; data && gelf_getsym(data, i, &symbol); i++) {
            const char *name = elf_strptr(object->elf, header.sh_link, symbol.st_name);
            if (name && GELF_ST_TYPE(symbol.st_info) == STT_FILE)
                unit = shown_text(program->arena, name);
            if (!name || !name[0] || !is_data(&symbol))
                continue;
            const char *version = strchr(name, '@');
            if (version)
                name = arena_string(program->arena, name, (size_t)(version - name));
            bool is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
            ARENA_RESERVE(program->arena, program->data_names, program->data_name_count, *capacity);
            program->data_names[program->data_name_count++] =
                (struct datum){.address = symbol.st_value + object->base,
                               .size = symbol.st_size,
                               .name = shown_text(program->arena, name),
                               .unit = is_local ? unit : "",
                               .object = number,
                               .binding = GELF_ST_BIND(symbol.st_info),
                               .is_elsewhere = symbol.st_shndx == SHN_UNDEF,
                               .is_of_threads = GELF_ST_TYPE(symbol.st_info) == STT_TLS};
        }
    }
}

/* The name that users know is the first: `environ` before `__environ`. Marks without a size are last. */
static int compare_same_address(const struct datum *a, const struct datum *b) {
    size_t left = strspn(a->name, "_"), right = strspn(b->name, "_");
    if ((a->size == 0) != (b->size == 0))
        return a->size == 0 ? 1 : -1;
    if ((a->binding == STB_LOCAL) != (b->binding == STB_LOCAL))
        return a->binding == STB_LOCAL ? 1 : -1;
    if (left != right)
        return left < right ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int compare_data(const void *left, const void *right) {
    const struct datum *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return compare_same_address(a, b);
}

/* Equal names of the program are before those of the libraries; defined names are before undefined ones. */
static int compare_data_names(const void *left, const void *right) {
    const struct datum *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (order != 0)
        return order;
    if (a->is_elsewhere != b->is_elsewhere)
        return a->is_elsewhere ? 1 : -1;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    return compare_data(left, right);
}

/* A symbol table also has the dynamic symbols, except those that other objects define; a stripped object
   has only dynamic symbols. */
void data_find(struct program *program) {
    size_t capacity = 0;
    for (uint32_t k = 0; k <= program->library_count; k++) {
        uint32_t before = program->data_name_count;
        read_names_of(program, &capacity, k, SHT_SYMTAB);
        if (program->data_name_count == before)
            read_names_of(program, &capacity, k, SHT_DYNSYM);
    }
    uint32_t count = program->data_name_count;
    program->data = arena_allocate(program->arena, ((size_t)count + 1) * sizeof *program->data);
    for (uint32_t i = 0; i < count; i++)
        if (!program->data_names[i].is_elsewhere && !program->data_names[i].is_of_threads)
            program->data[program->datum_count++] = program->data_names[i];
    if (count == 0)
        return;
    qsort(program->data_names, count, sizeof *program->data_names, compare_data_names);
    qsort(program->data, program->datum_count, sizeof *program->data, compare_data);
    uint32_t kept = 0; /* the best of the names at one address, with the largest size */
    for (uint32_t i = 0; i < program->datum_count; i++) {
        if (kept > 0 && program->data[kept - 1].address == program->data[i].address) {
            if (program->data[i].size > program->data[kept - 1].size)
                program->data[kept - 1].size = program->data[i].size;
        } else {
            program->data[kept++] = program->data[i];
        }
    }
    program->datum_count = kept;
}

void data_position(struct program *program, const struct datum *datum, const char **file, uint32_t *line) {
    struct program *object = datum->object == 0 ? program : program->libraries[datum->object - 1];
    variable_line(object, datum->address - object->base, datum->binding == STB_LOCAL ? "" : datum->name, file,
                  line);
    if (!**file)
        *file = datum->unit;
}

uint32_t data_named(const struct program *program, const char *name, uint32_t *count) {
    uint32_t low = FIRST_NOT(0, program->data_name_count, at, strcmp(program->data_names[at].name, name) < 0);
    for (*count = 0; low + *count < program->data_name_count &&
                     strcmp(program->data_names[low + *count].name, name) == 0;)
        ++*count;
    return low;
}
