/* library_calls.c: the addresses of system calls in the libraries of a dynamic program. If the runtime
   finds the same library files, it redirects these calls through its gate; it searches other files. A
   library need not be instrumented. A library that cannot be read is omitted. */
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/object/object.h"
#include "runtime/interface.h" /* ATOMC_HASHED */

/* The object of the library's file; only the data that it refers to is kept. */
struct file {
    struct program *program;
    struct library_calls *calls;
    uint32_t calls_capacity, needed_capacity;
    Elf *elf;
    const uint8_t *image;
    size_t size;
};

/* The executable segment that contains the section, as the runtime will find it in memory. Returns false if
   there is no such segment.
 */
static bool find_segment(const struct file *file, const GElf_Shdr *section, GElf_Phdr *segment) {
    size_t count;
    if (section->sh_type != SHT_PROGBITS || !(section->sh_flags & SHF_ALLOC) ||
        elf_getphdrnum(file->elf, &count) < 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(file->elf, (int)i, segment) && segment->p_type == PT_LOAD &&
            segment->p_flags & PF_X && section->sh_addr >= segment->p_vaddr &&
            section->sh_size <= segment->p_filesz &&
            section->sh_addr - segment->p_vaddr <= segment->p_filesz - section->sh_size)
            return true;
    return false;
}

/* True if its bytes in the file are where the segment expects them. */
static bool is_consistent(const struct file *file, const GElf_Shdr *section, const GElf_Phdr *segment) {
    return section->sh_addr + section->sh_size <= UINT32_MAX && section->sh_addr % 4 == 0 &&
           section->sh_offset % 4 == 0 &&
           section->sh_offset - segment->p_offset == section->sh_addr - segment->p_vaddr &&
           segment->p_offset <= file->size && segment->p_filesz <= file->size - segment->p_offset;
}

static void find_section_calls(struct file *file, const GElf_Shdr *section) {
    const uint32_t *words = (const uint32_t *)(const void *)(file->image + section->sh_offset);
    size_t count = section->sh_size / sizeof *words;
    const struct architecture *architecture = file->program->architecture;
    for (size_t i = 0; i < count; i++) {
        if (words[i] != architecture->system_call || !architecture->words.is_system_call(words, count, i))
            continue;
        ARENA_RESERVE(file->program->arena, file->calls->addresses, file->calls->count, file->calls_capacity);
        file->calls->addresses[file->calls->count++] = (uint32_t)(section->sh_addr + sizeof *words * i);
    }
}

static void find_needed_libraries(struct file *file, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    struct arena *arena = file->program->arena;
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
        bool directories =
            entry.d_tag == DT_RUNPATH || (entry.d_tag == DT_RPATH && !*file->calls->directories);
        const char *name = entry.d_tag == DT_NEEDED || directories
                               ? elf_strptr(file->elf, header->sh_link, entry.d_un.d_val)
                               : NULL;
        if (!name)
            continue;
        if (directories) {
            file->calls->directories = arena_string(arena, name, strlen(name));
            continue;
        }
        ARENA_RESERVE(arena, file->calls->needed, file->calls->needed_count, file->needed_capacity);
        file->calls->needed[file->calls->needed_count++] = arena_string(arena, name, strlen(name));
    }
}

/* Returns false if the runtime has to search the library. */
static bool read_library_sections(struct file *file) {
    GElf_Ehdr header;
    bool complete = true;
    file->image = (const uint8_t *)elf_rawfile(file->elf, &file->size);
    if (!file->image || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &header) ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != file->program->architecture->machine ||
        header.e_shoff == 0)
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section)) != NULL;) {
        GElf_Shdr found;
        GElf_Phdr segment;
        if (!gelf_getshdr(section, &found))
            return false;
        if (found.sh_type == SHT_DYNAMIC)
            find_needed_libraries(file, section, &found);
        if (!(found.sh_flags & SHF_EXECINSTR) || !find_segment(file, &found, &segment))
            continue;
        complete &= is_consistent(file, &found, &segment);
        if (complete)
            find_section_calls(file, &found);
    }
    return complete;
}

const struct library_calls *library_calls_add(struct program *program, const char *path) {
    struct stat status;
    struct file file = {.program = program};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    ARENA_RESERVE(program->arena, program->calls, program->calls_count, program->calls_capacity);
    file.calls = &program->calls[program->calls_count];
    *file.calls = (struct library_calls){.directories = ""};
    bool good = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    elf_version(EV_CURRENT);
    file.elf = good ? elf_begin(descriptor, ELF_C_READ_MMAP, NULL) : NULL;
    if (file.elf && read_library_sections(&file)) {
        file.calls->size = file.size;
        file.calls->hash = hash_of_file(file.image, file.size);
        file.calls->modified = (uint64_t)status.st_mtim.tv_sec;
        file.calls->modified_nanoseconds = (uint64_t)status.st_mtim.tv_nsec;
        program->calls_count++;
    } else {
        file.calls = NULL;
    }
    elf_end(file.elf);
    close(descriptor);
    return file.calls;
}

uint64_t hash_of_file(const uint8_t *bytes, size_t size) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t at = 0; at < ATOMC_HASHED && at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * UINT64_C(1099511628211);
    }
    return hash;
}
