/* dynamic.c: the dynamic section (System V ABI, "Dynamic Linking"; Alpha's relocations as in <elf.h>):
   words that are filled in on loading, the procedure linkage table, whether libraries may make threads.
   Requires segments and text that have been checked. */
#include "engine/object/internal.h"
#include "support/search.h"

#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_RELR = 36 };

/* The values of the section, by tag. */
struct tags {
    uint64_t rela, rela_size, rela_entry, linkage, linkage_size;
    uint64_t symbols, strings, string_size;
    bool text_relocations, read_only_linkage, symbolic, others;
};

static bool refuse_program(const struct program *program, struct diagnostics *diagnostics, const char *what) {
    diagnose(diagnostics, NULL, MESSAGE_PROGRAM_NOT_DYNAMIC, program->path, what);
    return false;
}

static bool changes_linkage(const struct program *program, struct diagnostics *diagnostics) {
    refuse_program(program, diagnostics,
                   "the dynamic linker changes its procedure linkage table (no DT_ALPHA_PLTRO)");
    diagnose_hint(diagnostics, "-Wl,--secureplt links it with one that stays as it is");
    return false;
}

static void read_tag(const struct program *program, struct tags *tags, const Elf64_Dyn *entry) {
    uint64_t value = entry->d_un.d_val, address = value + program->base;
    switch (entry->d_tag) {
    case DT_RELA:
        tags->rela = address;
        break;
    case DT_RELASZ:
        tags->rela_size = value;
        break;
    case DT_RELAENT:
        tags->rela_entry = value;
        break;
    case DT_JMPREL:
        tags->linkage = address;
        break;
    case DT_PLTRELSZ:
        tags->linkage_size = value;
        break;
    case DT_SYMTAB:
        tags->symbols = address;
        break;
    case DT_STRTAB:
        tags->strings = address;
        break;
    case DT_STRSZ:
        tags->string_size = value;
        break;
    case DT_TEXTREL:
        tags->text_relocations = true;
        break;
    case DT_FLAGS:
        tags->text_relocations |= (value & DF_TEXTREL) != 0;
        tags->symbolic |= (value & DF_SYMBOLIC) != 0;
        break;
    case DT_SYMBOLIC:
        tags->symbolic = true;
        break;
    case DT_REL:
    case TAG_RELR:
        tags->others = true;
        break;
    default:
        if ((uint64_t)entry->d_tag == program->architecture->objects.read_only_linkage)
            tags->read_only_linkage = value != 0;
        break;
    }
}

static const char *string_at(const struct program *program, const struct tags *tags, uint64_t offset) {
    const char *strings = program_bytes(program, tags->strings, tags->string_size);
    return strings && offset < tags->string_size && memchr(strings + offset, 0, tags->string_size - offset)
               ? strings + offset
               : "";
}

static bool symbol_at_index(const struct program *program, const struct tags *tags, uint64_t index,
                            Elf64_Sym *symbol) {
    const void *bytes = program_bytes(program, tags->symbols + index * sizeof *symbol, sizeof *symbol);
    if (bytes)
        memcpy(symbol, bytes, sizeof *symbol);
    return bytes;
}

/* ---- relocations ----------------------------------------------------------------------------------------- */

struct relocations {
    struct program *program;
    const struct tags *tags;
    size_t capacity;
};

static void add_relocation(struct relocations *relocations, const Elf64_Rela *entry) {
    struct program *program = relocations->program;
    const struct object_conventions *objects = &program->architecture->objects;
    struct relocation relocation = {.address = entry->r_offset + program->base};
    uint64_t type = ELF64_R_TYPE(entry->r_info), present = 0;
    const void *bytes = program_bytes(program, relocation.address, sizeof present);
    Elf64_Sym symbol = {0};
    if (bytes)
        memcpy(&present, bytes, sizeof present);
    if (type == objects->none || type == objects->copy)
        return;
    bool named = symbol_at_index(program, relocations->tags, ELF64_R_SYM(entry->r_info), &symbol);
    if (type == objects->relative) {
        relocation.value = (objects->addend_in_word ? present : (uint64_t)entry->r_addend) + program->base;
        relocation.known = true;
    } else if (objects->indirect && type == objects->indirect) {
        relocation.value = (uint64_t)entry->r_addend + program->base;
    } else if (type == objects->jump_slot) { /* an entry of the linkage table, until its first call */
        relocation.value = present + program->base;
        if (instruction_at(program, relocation.value) != NO_INDEX) {
            if (!program->linkage_end || relocation.value < program->linkage_begin)
                program->linkage_begin = relocation.value;
            if (relocation.value + program->architecture->instruction_bytes > program->linkage_end)
                program->linkage_end = relocation.value + program->architecture->instruction_bytes;
        }
    } else if (named && symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) != STT_TLS) {
        relocation.value = symbol.st_value + (uint64_t)entry->r_addend + program->base;
    }
    if (named && symbol.st_name && entry->r_addend == 0 && type != objects->relative &&
        ELF64_ST_TYPE(symbol.st_info) != STT_TLS) {
        relocation.symbol_index = (uint32_t)ELF64_R_SYM(entry->r_info);
        relocation.symbol = string_at(program, relocations->tags, symbol.st_name);
    }
    ARENA_RESERVE(program->arena, program->relocations, program->relocation_count, relocations->capacity);
    program->relocations[program->relocation_count++] = relocation;
}

static bool add_relocations(struct relocations *relocations, uint64_t address, uint64_t size) {
    const uint8_t *bytes = program_bytes(relocations->program, address, size);
    Elf64_Rela entry;
    for (uint64_t at = 0; bytes && at + sizeof entry <= size; at += sizeof entry) {
        memcpy(&entry, bytes + at, sizeof entry);
        add_relocation(relocations, &entry);
    }
    return bytes || size == 0;
}

static int compare_relocations(const void *left, const void *right) {
    const struct relocation *a = left, *b = right;
    return (a->address > b->address) - (a->address < b->address);
}

const struct relocation *relocation_at(const struct program *program, uint64_t address) {
    for (uint32_t k = 0; k < program->library_count; k++)
        if (address - program->libraries[k]->base < LIBRARY_ROOM)
            return relocation_at(program->libraries[k], address);
    uint32_t low = FIRST_NOT(0, program->relocation_count, at, program->relocations[at].address < address);
    return low < program->relocation_count && program->relocations[low].address == address
               ? &program->relocations[low]
               : NULL;
}

/* ---- threads --------------------------------------------------------------------------------------------- */

bool makes_threads(const char *name) {
    static const char *const makers[] = {"pthread_create", "__pthread_create_2_1", "__pthread_create",
                                         "thrd_create"};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        if (strcmp(name, makers[i]) == 0)
            return true;
    return false;
}

/* True for libraries that make threads only if a caller uses a thread function by name. */
static bool is_harmless_library(const char *library) {
    static const char *const names[] = {"libc.so.",     "libm.so.",        "libgcc_s.so.", "libstdc++.so.",
                                        "ld-linux.so.", "libgfortran.so.", "libz.so.",     "libbz2.so."};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(library, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* True for library functions that make threads, or load unknown code. */
static bool asks_for_threads(const char *name) {
    static const char *const names[] = {"dlopen",     "dlmopen",    "timer_create", "mq_notify",
                                        "aio_read",   "aio_write",  "lio_listio",   "getaddrinfo_a",
                                        "aio_read64", "aio_write64"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return makes_threads(name) || strncmp(name, "_ZNSt6thread15_M_start_thread", 29) == 0;
}

/* Every symbol that the program imports from libraries is in some relocation. */
static void find_thread_symbols(struct program *program, const struct tags *tags) {
    const uint64_t tables[][2] = {{tags->rela, tags->rela_size}, {tags->linkage, tags->linkage_size}};
    for (int t = 0; t < 2; t++) {
        const uint8_t *bytes = program_bytes(program, tables[t][0], tables[t][1]);
        Elf64_Rela entry;
        Elf64_Sym symbol;
        for (uint64_t at = 0; bytes && at + sizeof entry <= tables[t][1]; at += sizeof entry) {
            memcpy(&entry, bytes + at, sizeof entry);
            if (symbol_at_index(program, tags, ELF64_R_SYM(entry.r_info), &symbol))
                program->asks_for_threads |= asks_for_threads(string_at(program, tags, symbol.st_name));
        }
    }
}

/* ---- libraries ------------------------------------------------------------------------------------------- */

bool dynamic_tag(const struct program *program, int64_t tag, uint64_t *value) {
    Elf64_Dyn entry;
    for (uint64_t at = 0; at + sizeof entry <= program->dynamic_size; at += sizeof entry) {
        memcpy(&entry, program->image + program->dynamic_offset + at, sizeof entry);
        if (entry.d_tag == DT_NULL)
            break;
        *value = entry.d_un.d_val;
        if (entry.d_tag == tag)
            return true;
    }
    return false;
}

/* The string of the n-th entry with this tag; NULL if there are fewer entries. */
static const char *nth_string(const struct program *program, int64_t tag, uint32_t number) {
    const uint8_t *bytes = program->image + program->dynamic_offset;
    struct tags tags = {0};
    Elf64_Dyn entry;
    uint64_t found = UINT64_MAX;
    for (uint64_t at = 0; at + sizeof entry <= program->dynamic_size; at += sizeof entry) {
        memcpy(&entry, bytes + at, sizeof entry);
        if (entry.d_tag == DT_NULL)
            break;
        read_tag(program, &tags, &entry);
        if (entry.d_tag == tag && number-- == 0)
            found = entry.d_un.d_val;
    }
    return found == UINT64_MAX ? NULL : string_at(program, &tags, found);
}

const char *dynamic_needed(const struct program *program, uint32_t number) {
    return nth_string(program, DT_NEEDED, number);
}

const char *dynamic_path(const struct program *program) {
    const char *path = nth_string(program, DT_RUNPATH, 0);
    if (!path)
        path = nth_string(program, DT_RPATH, 0);
    return path ? path : "";
}

/* The address of an entry of the dynamic section in memory. */
static uint64_t address_of_entry(const struct program *program, uint64_t at) {
    uint64_t offset = program->dynamic_offset + at;
    for (uint32_t s = 0; s < program->segment_count; s++)
        if (offset - program->segments[s].file_offset < program->segments[s].file_size)
            return program->segments[s].address + offset - program->segments[s].file_offset;
    return 0;
}

bool dynamic_rename_need(struct program *program, const char *old, const char *name) {
    const uint8_t *bytes = program->image + program->dynamic_offset;
    const char *needed;
    Elf64_Dyn entry;
    uint32_t number = 0;
    for (uint64_t at = 0; at + sizeof entry <= program->dynamic_size; at += sizeof entry) {
        memcpy(&entry, bytes + at, sizeof entry);
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag != DT_NEEDED || !(needed = dynamic_needed(program, number++)) ||
            strcmp(needed, old) != 0)
            continue;
        struct renamed_need *renamed =
            arena_allocate(program->arena, (program->renamed_count + 1) * sizeof *renamed);
        if (program->renamed_count)
            memcpy(renamed, program->renamed, program->renamed_count * sizeof *renamed);
        renamed[program->renamed_count++] =
            (struct renamed_need){address_of_entry(program, at) + offsetof(Elf64_Dyn, d_un),
                                  arena_string(program->arena, name, strlen(name))};
        program->renamed = renamed;
        return true;
    }
    return false;
}

uint64_t dynamic_strings(const struct program *program) {
    const uint8_t *bytes = program->image + program->dynamic_offset;
    struct tags tags = {0};
    Elf64_Dyn entry;
    for (uint64_t at = 0; at + sizeof entry <= program->dynamic_size; at += sizeof entry) {
        memcpy(&entry, bytes + at, sizeof entry);
        if (entry.d_tag == DT_NULL)
            break;
        read_tag(program, &tags, &entry);
    }
    return tags.strings;
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

bool dynamic_read(struct program *program, struct diagnostics *diagnostics) {
    const uint8_t *bytes = program->image + program->dynamic_offset;
    struct tags tags = {0};
    Elf64_Dyn entry;
    bool ended = false;
    for (uint64_t at = 0; at + sizeof entry <= program->dynamic_size && !ended; at += sizeof entry) {
        memcpy(&entry, bytes + at, sizeof entry);
        read_tag(program, &tags, &entry);
        ended = entry.d_tag == DT_NULL;
    }
    for (uint64_t at = 0; at + sizeof entry <= program->dynamic_size; at += sizeof entry) {
        memcpy(&entry, bytes + at, sizeof entry);
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_NEEDED)
            program->asks_for_threads |= !is_harmless_library(string_at(program, &tags, entry.d_un.d_val));
    }
    program->is_symbolic = tags.symbolic;
    if (tags.text_relocations)
        return refuse_program(program, diagnostics, "the dynamic linker changes its text (DT_TEXTREL)");
    if (tags.others || (tags.rela_size && tags.rela_entry != sizeof(Elf64_Rela)))
        return refuse_program(program, diagnostics,
                              "it has relocations of a kind that atomc does not read (DT_REL, DT_RELR)");
    struct relocations relocations = {program, &tags, 0};
    if (!add_relocations(&relocations, tags.rela, tags.rela_size) ||
        !add_relocations(&relocations, tags.linkage, tags.linkage_size))
        return refuse_program(program, diagnostics, "its relocations are not in the file");
    /* A linkage table in the data is not instrumented, because the dynamic linker writes code to it, which is
       executed there. */
    if (tags.linkage_size && !tags.read_only_linkage && program->linkage_end)
        return changes_linkage(program, diagnostics);
    if (program->relocation_count)
        qsort(program->relocations, program->relocation_count, sizeof *program->relocations,
              compare_relocations);
    if (program->linkage_end)
        program->linkage_begin -= LINKAGE_HEAD;
    find_thread_symbols(program, &tags);
    return true;
}
