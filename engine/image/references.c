/* references.c: all places of the analysis image that hold an address, from the relocations that the linker
   has left in it (--emit-relocs), and its variables. Requires an image with one data base; with several, it
   finds no variables. */
#include "engine/image/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The linker keeps the addends of the object files in its relocations, so values are read from the linked
   words: an address, an offset from the one data base, or half of one. */
static void add_reference(struct references *references, uint64_t target, uint64_t place) {
    ARENA_RESERVE(references->analysis->program->scratch, references->list, references->count,
                  references->capacity);
    references->list[references->count++] = (struct reference){target, place};
}

static uint64_t bytes_at(struct references *references, uint64_t address, unsigned size) {
    const uint8_t *bytes = analysis_bytes(references->analysis, address, size);
    uint64_t value = 0;
    for (unsigned i = 0; bytes && i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    references->unknown |= !bytes;
    return value;
}

static void note_reference(struct references *references, const GElf_Rela *entry) {
    const uint64_t place = entry->r_offset;
    const int64_t low = (int16_t)bytes_at(references, place, 2);
    struct half half = {(uint64_t)low, place, GELF_R_SYM(entry->r_info), entry->r_addend};
    const struct architecture *architecture = references->analysis->program->architecture;
    switch (architecture->objects.reference(GELF_R_TYPE(entry->r_info))) {
    case REFERENCE_NONE:
        return;
    case REFERENCE_BRANCH:
        add_reference(references,
                      place + (uint64_t)architecture->distance((uint32_t)bytes_at(references, place, 4)),
                      place);
        return;
    case REFERENCE_ADDRESS:
        add_reference(references, bytes_at(references, place, 8), place);
        return;
    case REFERENCE_ADDRESS_4:
        add_reference(references, bytes_at(references, place, 4), place);
        return;
    case REFERENCE_PLACE_4:
        add_reference(references, place + (uint64_t)(int32_t)bytes_at(references, place, 4), place);
        return;
    case REFERENCE_DATA_4:
        add_reference(references, references->data_base + (uint64_t)(int32_t)bytes_at(references, place, 4),
                      place);
        return;
    case REFERENCE_DATA_2:
        add_reference(references, references->data_base + (uint64_t)low, place);
        return;
    case REFERENCE_TABLE:
        add_reference(references, bytes_at(references, references->data_base + (uint64_t)low, 8), place);
        return;
    case REFERENCE_HIGH:
        ARENA_RESERVE(references->analysis->program->scratch, references->highs, references->high_count,
                      references->high_capacity);
        references->highs[references->high_count++] = half;
        return;
    case REFERENCE_LOW:
        ARENA_RESERVE(references->analysis->program->scratch, references->lows, references->low_count,
                      references->low_capacity);
        references->lows[references->low_count++] = half;
        return;
    default:
        references->unknown = true;
    }
}

static int compare_places(const void *left, const void *right) {
    const struct half *a = left, *b = right;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* The high half that the low one is added to, if that is in the same block; else NULL. */
static const struct half *high_of(const struct references *references, const struct program *image,
                                  uint32_t instruction) {
    const struct basic_block *block = &image->blocks[block_at(image, instruction)];
    const register_set base = set_of(facts_of(image, instruction)->operand[1]);
    while (instruction-- > block->first)
        if (facts_of(image, instruction)->written & base) {
            const struct half high = {.place = instruction_address(image, instruction)};
            return bsearch(&high, references->highs, references->high_count, sizeof high, compare_places);
        }
    return NULL;
}

static void add_joined_halves(struct references *references, const struct half *high,
                              const struct half *low) {
    add_reference(references, references->data_base + 65536 * high->value + low->value, low->place);
}

static bool is_same_datum(const struct half *high, const struct half *low) {
    return high->symbol == low->symbol && high->distance == low->distance;
}

/* Joins each low half with its high half. If that is unknown, joins it with all high halves of its
   procedure that name the same symbol, or else with all of its procedure: some of these pairs occur nowhere
   in the program. */
static void join_halves(struct references *references, const struct program *image) {
    for (size_t i = 0, h = 0; i < references->low_count; i++) {
        const struct half *low = &references->lows[i];
        uint32_t instruction = instruction_at(image, low->place);
        if (instruction == NO_INDEX) {
            references->unknown = true;
            return;
        }
        const struct half *known = high_of(references, image, instruction);
        if (known) {
            add_joined_halves(references, known, low);
            continue;
        }
        const struct procedure *procedure = &image->procedures[procedure_at(image, instruction)];
        uint64_t first = instruction_address(image, procedure->first),
                 end = first + 4 * (uint64_t)procedure->count;
        if (strstr(procedure->name, ".cold")) { /* a part of another procedure */
            first = 0;
            end = UINT64_MAX;
        }
        for (h = first ? h : 0; h < references->high_count && references->highs[h].place < first;)
            h++;
        if (h == references->high_count || references->highs[h].place >= end)
            references->unknown = true;
        bool found = false;
        for (size_t k = h; k < references->high_count && references->highs[k].place < end; k++)
            found |= is_same_datum(&references->highs[k], low);
        for (size_t k = h; k < references->high_count && references->highs[k].place < end; k++)
            if (!found || is_same_datum(&references->highs[k], low))
                add_joined_halves(references, &references->highs[k], low);
    }
}

static void add_section(struct references *references, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                        size_t names) {
    GElf_Shdr where;
    Elf_Scn *place = elf_getscn(elf, header->sh_info);
    Elf_Data *data = elf_getdata(section, NULL);
    if (!place || !data || !gelf_getshdr(place, &where) || !(where.sh_flags & SHF_ALLOC))
        return;
    const char *name = elf_strptr(elf, names, where.sh_name);
    if (name &&
        (strcmp(name, ".eh_frame") == 0 || where.sh_flags & SHF_TLS)) /* tables of procedures' addresses */
        return;
    for (size_t i = 0; i < header->sh_size / header->sh_entsize; i++) {
        GElf_Rela entry;
        if (gelf_getrela(data, (int)i, &entry))
            note_reference(references, &entry);
    }
}

/* The data base that all procedures share; 0 if there are several. A prologue with displacements of 0 is not
   counted: glibc 2.41's __syscall_cancel_arch begins so, and does not use it. */
static uint64_t only_data_base(const struct program *image) {
    uint64_t found = 0;
    for (uint32_t p = 0; p < image->procedure_count; p++) {
        const struct procedure *procedure = &image->procedures[p];
        uint64_t own =
            procedure->sets_data_base && procedure->data_base != instruction_address(image, procedure->first)
                ? procedure->data_base
                : 0;
        if (own != 0 && found != 0 && own != found)
            return 0;
        if (own != 0)
            found = own;
    }
    return found;
}

static void add_variables(struct references *references, Elf_Scn *section, const GElf_Shdr *header,
                          Elf *elf) {
    Elf_Data *table = elf_getdata(section, NULL);
    for (size_t i = 0; table && i < header->sh_size / header->sh_entsize; i++) {
        GElf_Sym symbol;
        GElf_Shdr where;
        if (!gelf_getsym(table, (int)i, &symbol) || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
            symbol.st_size != 8 || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE ||
            !gelf_getshdr(elf_getscn(elf, symbol.st_shndx), &where) || !(where.sh_flags & SHF_WRITE))
            continue;
        ARENA_RESERVE(references->analysis->program->scratch, references->variables,
                      references->variable_count, references->variable_capacity);
        references->variables[references->variable_count++] =
            (struct reference){symbol.st_value, symbol.st_size};
    }
}

static void read_relocations(struct references *references, const char *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = descriptor >= 0 ? elf_begin(descriptor, ELF_C_READ, NULL) : NULL;
    size_t names = 0;
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    if (elf && elf_getshdrstrndx(elf, &names) == 0)
        while ((section = elf_nextscn(elf, section)))
            if (gelf_getshdr(section, &header) && header.sh_entsize > 0) {
                if (header.sh_type == SHT_RELA)
                    add_section(references, elf, section, &header, names);
                else if (header.sh_type == SHT_SYMTAB)
                    add_variables(references, section, &header, elf);
            }
    if (elf)
        elf_end(elf);
    if (descriptor >= 0)
        close(descriptor);
}

void references_read(struct references *references, struct analysis_image *analysis) {
    analysis_follow(analysis);
    *references = (struct references){.analysis = analysis, .data_base = only_data_base(analysis->program)};
    read_relocations(references, analysis->path);
    qsort(references->highs, references->high_count, sizeof(struct half), compare_places);
    qsort(references->lows, references->low_count, sizeof(struct half), compare_places);
    join_halves(references, analysis->program);
    if (references->unknown || references->data_base == 0)
        references->variable_count = 0;
}
