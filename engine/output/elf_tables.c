/* elf_tables.c: sections of the output, and its tables of names, strings and symbols. Requires an output in
   progress (elf_output.c). */
#include <string.h>

#include "engine/output/internal.h"
#include "engine/object/object.h"

uint32_t output_name(struct output *output, const char *name) {
    size_t at = output->name_count, length = strlen(name) + 1;
    while (output->name_count + length > output->name_capacity)
        ARENA_RESERVE(output->arena, output->names, output->name_capacity, output->name_capacity);
    memcpy(output->names + at, name, length);
    output->name_count += length;
    return (uint32_t)at;
}

void output_fail(struct output *output) {
    if (!output->error)
        output->error = elf_errmsg(-1);
}

Elf_Scn *output_room(struct output *output, const GElf_Shdr *header) {
    Elf_Scn *section = elf_newscn(output->elf);
    GElf_Shdr copy = *header;
    if (!section || !gelf_update_shdr(section, &copy))
        output_fail(output);
    return section;
}

Elf_Scn *output_section(struct output *output, const GElf_Shdr *header, const void *bytes) {
    Elf_Scn *section = output_room(output, header);
    if (section && header->sh_type != SHT_NOBITS && header->sh_size > 0) {
        Elf_Data *data = elf_newdata(section);
        if (!data) {
            output_fail(output);
            return NULL;
        }
        data->d_buf = (void *)(uintptr_t)bytes;
        data->d_size = header->sh_size;
        data->d_type = ELF_T_BYTE;
        data->d_align = 1;
        data->d_version = EV_CURRENT;
    }
    return section;
}

size_t string_table(const struct program *program, size_t index) {
    GElf_Shdr header;
    if (!index || !gelf_getshdr(elf_getscn(program->elf, index), &header) || header.sh_type != SHT_STRTAB ||
        header.sh_flags & SHF_ALLOC)
        return 0;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const struct segment *segment = &program->segments[i];
        if (header.sh_offset < segment->file_offset + segment->file_size &&
            segment->file_offset < header.sh_offset + header.sh_size)
            return 0;
    }
    return index;
}

size_t section_names_index(const struct program *program) {
    size_t index = 0;
    return elf_getshdrstrndx(program->elf, &index) == 0 ? string_table(program, index) : 0;
}

void output_table(struct output *output, const char *name, uint32_t type, const void *bytes, uint64_t size,
                  GElf_Shdr *header, size_t index) {
    /* Rebuilt tables move to the end of the file; a table that the input lacks is a new section. */
    GElf_Shdr fresh = {.sh_type = type, .sh_addralign = type == SHT_SYMTAB ? 8 : 1};
    if (!header) {
        fresh.sh_name = output_name(output, name);
        header = &fresh;
    }
    header->sh_offset = align_up(output->end, 8);
    header->sh_size = size;
    header->sh_entsize = type == SHT_SYMTAB ? sizeof(Elf64_Sym) : 0;
    output->end = header->sh_offset + size;
    if (index == 0) {
        output_section(output, header, bytes);
        return;
    }
    Elf_Scn *section = elf_getscn(output->elf, index);
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data)
        data = elf_newdata(section);
    if (!data) {
        output_fail(output);
        return;
    }
    data->d_buf = (void *)(uintptr_t)bytes;
    data->d_size = size;
    data->d_type = ELF_T_BYTE;
    data->d_align = 1;
    data->d_version = EV_CURRENT;
    if (!gelf_update_shdr(section, header))
        output_fail(output);
}

/* ---- symbols ------------------------------------------------------------------------------------- */

static void add_elf_symbol(struct symbols *symbols, const char *name, uint64_t address, uint64_t size,
                           unsigned type, unsigned section) {
    size_t length = strlen(name) + 1;
    while (symbols->length + length > symbols->string_capacity)
        ARENA_RESERVE(symbols->arena, symbols->strings, symbols->string_capacity, symbols->string_capacity);
    memcpy(symbols->strings + symbols->length, name, length);
    ARENA_RESERVE(symbols->arena, symbols->table, symbols->count, symbols->capacity);
    symbols->table[symbols->count++] = (Elf64_Sym){.st_name = (uint32_t)symbols->length,
                                                   .st_info = ELF64_ST_INFO(STB_GLOBAL, type),
                                                   .st_shndx = (uint16_t)section,
                                                   .st_value = address,
                                                   .st_size = size};
    symbols->length += length;
}

static void *raw_of(Elf *elf, size_t index, size_t *size) {
    Elf_Data *data = index ? elf_rawdata(elf_getscn(elf, index), NULL) : NULL;
    *size = data && data->d_buf ? data->d_size : 0;
    return data ? data->d_buf : NULL;
}

void symbols_start(struct symbols *symbols, const struct rewrite *rewrite, const struct tables *tables) {
    size_t table_size, length;
    const void *table = raw_of(rewrite->program->elf, tables->symbols, &table_size);
    const char *strings = raw_of(rewrite->program->elf, tables->strings, &length);
    uint64_t base = rewrite->program->base;
    size_t count = table_size / sizeof(Elf64_Sym);
    symbols->capacity = 2 * count + 16;
    symbols->table = arena_allocate(symbols->arena, symbols->capacity * sizeof *symbols->table);
    if (count > 0)
        memcpy(symbols->table, table, count * sizeof(Elf64_Sym));
    for (size_t i = 0; i < count && base; i++)
        if (symbols->table[i].st_shndx != SHN_UNDEF && symbols->table[i].st_shndx < SHN_LORESERVE &&
            ELF64_ST_TYPE(symbols->table[i].st_info) != STT_TLS)
            symbols->table[i].st_value += base;
    symbols->count = count > 0 ? count : 1;
    symbols->string_capacity = 2 * length + 16;
    symbols->strings = arena_allocate(symbols->arena, symbols->string_capacity);
    if (length > 0)
        memcpy(symbols->strings, strings, length);
    symbols->length = length > 0 ? length : 1;
}

/* Appends the analysis image's functions under the name anal.NAME, because its C library has the same names
   as the program's.
 */
static void add_analysis_symbols(struct output *output, struct symbols *symbols, unsigned section) {
    const struct analysis_image *analysis = output->rewrite->analysis;
    for (uint32_t f = 0; f < analysis->function_count; f++) {
        const struct analysis_function *function = &analysis->functions[f];
        add_elf_symbol(symbols, arena_format(output->arena, "anal.%s", function->name),
                       instruction_address(analysis->program, function->first),
                       4 * (uint64_t)(function->end - function->first), STT_FUNC, section);
    }
}

void symbols_of_new_code(struct output *output, struct symbols *symbols, unsigned copies, unsigned wrappers,
                         unsigned analysis) {
    const struct rewrite *rewrite = output->rewrite;
    for (uint32_t i = 0; i < rewrite->code->symbol_count; i++) {
        const struct code_symbol *symbol = &rewrite->code->symbols[i];
        add_elf_symbol(symbols, symbol->name, symbol->address, symbol->size, STT_FUNC,
                       symbol->address >= rewrite->machine->layout->copies ? copies : wrappers);
    }
    add_analysis_symbols(output, symbols, analysis);
}

void symbols_write(struct output *output, struct symbols *symbols, const struct tables *tables) {
    GElf_Shdr header;
    GElf_Shdr *existing = NULL;
    if (tables->strings && tables->strings != tables->names) {
        existing = gelf_getshdr(elf_getscn(output->elf, tables->strings), &header);
        output_table(output, ".strtab", SHT_STRTAB, symbols->strings, symbols->length, existing,
                     tables->strings);
    } else {
        output_table(output, ".strtab", SHT_STRTAB, symbols->strings, symbols->length, NULL, 0);
    }
    size_t strings = tables->strings && tables->strings != tables->names ? tables->strings : 0;
    if (!strings)
        elf_getshdrnum(output->elf, &strings), strings--;
    GElf_Shdr symbol_header = {.sh_type = SHT_SYMTAB, .sh_addralign = 8, .sh_info = 1};
    if (tables->symbols)
        gelf_getshdr(elf_getscn(output->elf, tables->symbols), &symbol_header);
    else
        symbol_header.sh_name = output_name(output, ".symtab");
    symbol_header.sh_link = (uint32_t)strings;
    output_table(output, ".symtab", SHT_SYMTAB, symbols->table, symbols->count * sizeof(Elf64_Sym),
                 &symbol_header, tables->symbols);
}
