/* bytes.c: bytes of an object in its loaded form, by address. Requires its segments. */
#include <gelf.h>

#include "engine/object/internal.h"

const struct segment *segment_holding(const struct program *program, uint64_t address, uint64_t size) {
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const struct segment *segment = &program->segments[i];
        uint64_t offset = address - segment->address;
        if (address >= segment->address && offset <= segment->file_size &&
            size <= segment->file_size - offset)
            return segment;
    }
    return NULL;
}

const void *program_bytes(const struct program *program, uint64_t address, uint64_t size) {
    const struct segment *segment = segment_holding(program, address, size);
    for (uint32_t k = 0; !segment && k < program->library_count; k++) {
        const void *bytes = program_bytes(program->libraries[k], address, size);
        if (bytes)
            return bytes;
    }
    return segment ? program->image + segment->file_offset + (address - segment->address) : NULL;
}

bool program_is_constant(const struct program *program, uint64_t address) {
    const struct segment *segment = segment_holding(program, address, 1);
    for (uint32_t k = 0; !segment && k < program->library_count; k++)
        segment = segment_holding(program->libraries[k], address, 1);
    return segment && (!(segment->flags & PF_W) || segment->flags & PF_X);
}

/* The object with a segment at the address; the program itself if there is no such segment. */
static const struct program *object_with(const struct program *program, uint64_t address) {
    for (uint32_t k = 0; k < program->library_count; k++)
        if (address >= program->libraries[k]->base && address - program->libraries[k]->base < LIBRARY_ROOM)
            return program->libraries[k];
    return program;
}

const char *program_section(const struct program *whole, uint64_t address) {
    const struct program *program = object_with(whole, address);
    size_t names;
    if (elf_getshdrstrndx(program->elf, &names) != 0)
        return "";
    for (Elf_Scn *section = NULL; (section = elf_nextscn(program->elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC &&
            address - program->base >= header.sh_addr &&
            address - program->base - header.sh_addr < header.sh_size) {
            const char *name = elf_strptr(program->elf, names, header.sh_name);
            return name ? name : "";
        }
    }
    return "";
}
