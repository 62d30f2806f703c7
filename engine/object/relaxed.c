/* relaxed.c: recognises static programs that may crash at the start because the linker relaxed them.
   Requires an open program. GNU ld relaxes before it defines __ehdr_start. A load of that address then
   becomes a load of 0, and the C library finds neither the program headers nor the initial thread-local
   data. */
#define _GNU_SOURCE /* memmem */
#include <elf.h>
#include <string.h>

#include <gelf.h>

#include "engine/object/internal.h"

static bool has_thread_data(const struct program *program) {
    for (uint32_t i = 0; i < program->program_header_count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(program->elf, (int)i, &header) && header.p_type == PT_TLS)
            return true;
    }
    return false;
}

/* The C library's start-up code has this symbol. A program without symbols may be a C program. */
static bool may_use_headers(const struct program *program) {
    bool any = false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(program->elf, section));) {
        GElf_Shdr header;
        Elf_Data *data = gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB
                             ? elf_getdata(section, NULL)
                             : NULL;
        GElf_Sym symbol;
        for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
            const char *name = elf_strptr(program->elf, header.sh_link, symbol.st_name);
            if (name && strcmp(name, "__ehdr_start") == 0)
                return true;
            any = true;
        }
    }
    return !any;
}

/* Without relaxation, the global offset table has the address of the ELF header. */
static bool has_address_in_data(const struct program *program, uint64_t wanted) {
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const struct segment *segment = &program->segments[i];
        if (!(segment->flags & PF_W))
            continue;
        uint64_t begin = (segment->address + 7) & ~UINT64_C(7);
        for (uint64_t at = begin; segment->file_size >= 8 && at <= segment->address + segment->file_size - 8;
             at += 8) {
            uint64_t word;
            memcpy(&word, program->image + segment->file_offset + (at - segment->address), sizeof word);
            if (word == wanted)
                return true;
        }
    }
    return false;
}

/* C libraries before glibc 2.25, which have no tunables, take the program headers from the kernel, and run.
   Among later versions, 2.36 crashes. The program does not show the version. */
static bool has_tunables(const struct program *program) {
    static const char name[] = "GLIBC_TUNABLES";
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const struct segment *segment = &program->segments[i];
        if (memmem(program->image + segment->file_offset, segment->file_size, name, sizeof name))
            return true;
    }
    return false;
}

void relaxed_warn(const struct program *program, struct diagnostics *diagnostics) {
    uint64_t start = 0;
    if (program->architecture->registers.data_base == REGISTER_NONE)
        return; /* it loads no address by such a register */
    for (uint32_t i = 0; i < program->segment_count; i++)
        if (program->segments[i].file_offset == 0)
            start = program->segments[i].address;
    if (program->is_dynamic || !start || !has_thread_data(program) || !may_use_headers(program) ||
        has_address_in_data(program, start) || !has_tunables(program))
        return;
    diagnose(diagnostics, NULL, MESSAGE_PROGRAM_RELAXED, program->path);
    diagnose_hint(diagnostics, "link it with -static -Wl,--no-relax, or without -static");
}
