/* contents.c: parts of an object's file other than its code: a build id, symbols, debug information.
   Requires an open object. */
#include <gelf.h>
#include <string.h>

#include "engine/object/internal.h"

bool object_has_section(const struct program *object, const char *wanted) {
    size_t names;
    if (elf_getshdrstrndx(object->elf, &names) != 0)
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section));) {
        GElf_Shdr header;
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(object->elf, names, header.sh_name) : NULL;
        if (name && header.sh_type != SHT_NOBITS && header.sh_size > 0 && strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

const uint8_t *object_build_id(const struct program *object, size_t *size) {
    for (size_t i = 0; i < object->program_header_count; i++) {
        GElf_Phdr header;
        GElf_Nhdr note;
        size_t name, value;
        if (!gelf_getphdr(object->elf, (int)i, &header) || header.p_type != PT_NOTE)
            continue;
        Elf_Data *data =
            elf_getdata_rawchunk(object->elf, (int64_t)header.p_offset, header.p_filesz, ELF_T_NHDR);
        for (size_t at = 0; data && (at = gelf_getnote(data, at, &note, &name, &value)) > 0;)
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                memcmp((const char *)data->d_buf + name, "GNU", 4) == 0) {
                *size = note.n_descsz;
                return (const uint8_t *)data->d_buf + value;
            }
    }
    *size = 0;
    return NULL;
}
