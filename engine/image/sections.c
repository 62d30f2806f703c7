/* sections.c: the sections of an object file of the analysis code, or of an archive's objects. Requires
   libelf. */
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "engine/image/internal.h"

static bool find_wider(Elf *elf, uint64_t most, struct arena *arena, struct wide_section *found) {
    Elf_Scn *section = NULL;
    size_t names;
    while (elf_getshdrstrndx(elf, &names) == 0 && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_addralign > most) {
            const char *name = elf_strptr(elf, names, header.sh_name);
            *found = (struct wide_section){arena_format(arena, "%s", name ? name : ""), header.sh_addralign};
            return true;
        }
    }
    return false;
}

bool object_find_wider(const char *object, uint64_t most, struct arena *arena, struct wide_section *found) {
    int descriptor = open(object, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *whole = descriptor >= 0 ? elf_begin(descriptor, ELF_C_READ, NULL) : NULL, *member;
    bool is_wider = whole && elf_kind(whole) == ELF_K_ELF && find_wider(whole, most, arena, found);
    Elf_Cmd command = ELF_C_READ;
    while (whole && elf_kind(whole) == ELF_K_AR && !is_wider &&
           (member = elf_begin(descriptor, command, whole))) {
        is_wider = elf_kind(member) == ELF_K_ELF && find_wider(member, most, arena, found);
        command = elf_next(member);
        elf_end(member);
    }
    elf_end(whole);
    if (descriptor >= 0)
        close(descriptor);
    return is_wider;
}
