/* elf_input.c: opens an Alpha/Linux executable and checks every header that later passes depend on. After
   program_open() all segment, section and text ranges are inside the file. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gelf.h>

#include "codegen/machines.h"
#include "engine/object/internal.h"

/* Shared state of the checks. */
struct input {
    struct program *program;
    struct diagnostics *diagnostics;
    Elf64_Ehdr header;
    uint64_t base; /* of a library */
    bool library;
};

static bool report_inconsistent(struct input *input, const char *what) {
    diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_INCONSISTENT, input->program->path, what);
    return false;
}
static bool report_truncated(struct input *input, const char *what) {
    diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_TRUNCATED, input->program->path, what);
    diagnose_hint(input->diagnostics, "was it copied, or linked, to its end?");
    return false;
}
static bool range_in_file(const struct program *program, uint64_t offset, uint64_t size) {
    return offset <= program->image_size && size <= program->image_size - offset;
}

static bool open_image(struct input *input) {
    struct program *program = input->program;
    struct stat status;
    program->descriptor = open(program->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (program->descriptor < 0 || fstat(program->descriptor, &status) < 0) {
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_CANNOT_OPEN, program->path, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_NOT_REGULAR, program->path,
                 S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
        diagnose_hint(input->diagnostics, "a program is a file that the linker has written");
        return false;
    }
    if (status.st_size == 0) {
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_EMPTY, program->path);
        diagnose_hint(input->diagnostics, "was it copied, or linked, to its end?");
        return false;
    }
    program->mode = status.st_mode & 07777;
    char magic[SELFMAG] = {0};
    if (pread(program->descriptor, magic, SELFMAG, 0) != SELFMAG || memcmp(magic, ELFMAG, SELFMAG) != 0) {
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_NOT_ELF, program->path);
        if (memcmp(magic, "#!", 2) == 0)
            diagnose_hint(input->diagnostics, "a script: the program is what its first line names");
        return false;
    }
    elf_version(EV_CURRENT);
    program->elf = elf_begin(program->descriptor, ELF_C_READ_MMAP, NULL);
    if (program->elf)
        program->image = (const uint8_t *)elf_rawfile(program->elf, &program->image_size);
    if (!program->image || program->image_size < EI_NIDENT)
        return report_truncated(input, "the ELF header");
    return true;
}

static bool check_kind(struct input *input) {
    struct program *program = input->program;
    const uint8_t *identification = program->image;
    Elf64_Ehdr *header = &input->header;
    uint16_t type, machine;
    if (identification[EI_DATA] == ELFDATA2LSB && program->image_size >= 20) {
        memcpy(&machine, identification + 18, 2);
        program->architecture = architecture_of(machine);
        if (!program->architecture) {
            const struct machine_names *names = machine_called(machine), *usual = usual_machine();
            char number[32];
            snprintf(number, sizeof number, "ELF machine %u", machine);
            diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_NOT_ALPHA, program->path,
                     names ? names->name : number, usual->name);
            diagnose_hint(input->diagnostics, "%s-gcc compiles for %s", usual->triple, usual->name);
            return false;
        }
    }
    if (identification[EI_DATA] != ELFDATA2LSB) {
        if (identification[EI_DATA] != ELFDATA2MSB)
            return report_inconsistent(input, "no such byte order");
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_BIG_ENDIAN, program->path);
        return false;
    }
    if (identification[EI_CLASS] != ELFCLASS64) {
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_NOT_64_BIT, program->path);
        return false;
    }
    if (program->image_size < sizeof *header)
        return report_truncated(input, "the ELF header");
    memcpy(header, program->image, sizeof *header);
    if (identification[EI_VERSION] != EV_CURRENT || header->e_version != EV_CURRENT)
        return report_inconsistent(input, "unknown ELF version");
    if (header->e_ehsize != sizeof *header)
        return report_inconsistent(input, "the ELF header's size is wrong");
    type = header->e_type;
    if (type == ET_DYN)
        program->base = input->library ? input->base : program->architecture->objects.program_base;
    if ((type == ET_EXEC && !input->library) || type == ET_DYN)
        return true;
    const struct machine_names *names = machine_called(program->architecture->machine);
    if (type == ET_REL)
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_RELOCATABLE, program->path),
            diagnose_hint(input->diagnostics, "%s-gcc %s %s links it", names->triple, names->static_options,
                          program->path);
    else if (type == ET_CORE)
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_CORE, program->path);
    else
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_UNKNOWN_TYPE, program->path, type);
    return false;
}

static bool check_segment(struct input *input, const Elf64_Phdr *segment) {
    if (segment->p_filesz > segment->p_memsz)
        return report_inconsistent(input, "a segment is larger in the file than in memory");
    if (!range_in_file(input->program, segment->p_offset, segment->p_filesz))
        return report_truncated(input, "a segment");
    if (segment->p_vaddr + segment->p_memsz < segment->p_vaddr ||
        segment->p_vaddr + segment->p_memsz + input->program->base < segment->p_memsz)
        return report_inconsistent(input, "a segment wraps around the address space");
    if (segment->p_align > 1 && ((segment->p_align & (segment->p_align - 1)) ||
                                 (segment->p_vaddr - segment->p_offset) % segment->p_align))
        return report_inconsistent(input,
                                   "a segment's address and file offset do not agree with its alignment");
    return true;
}

static bool refuse_dynamic(struct input *input) {
    const struct program *program = input->program;
    const struct machine_names *names = machine_called(program->architecture->machine);
    diagnose(input->diagnostics, NULL, MESSAGE_NOT_YET, program->path, "dynamically linked programs",
             names->name);
    diagnose_hint(input->diagnostics, "%s-gcc %s links one that is not", names->triple,
                  names->static_options);
    return false;
}

/* Reads the path of the dynamic linker, and the range of the dynamic section. */
static bool read_dynamic_header(struct input *input, const Elf64_Phdr *segment) {
    struct program *program = input->program;
    if (segment->p_type == PT_INTERP && machine_called(program->architecture->machine)->only_static)
        return refuse_dynamic(input);
    if (!range_in_file(program, segment->p_offset, segment->p_filesz))
        return report_truncated(input,
                                segment->p_type == PT_INTERP ? "the dynamic linker's name" : "a segment");
    if (segment->p_type == PT_DYNAMIC) {
        program->is_dynamic = true;
        program->dynamic_offset = segment->p_offset;
        program->dynamic_size = segment->p_filesz;
        return true;
    }
    program->interpreter = (const char *)program->image + segment->p_offset;
    if (!memchr(program->interpreter, 0, segment->p_filesz))
        return report_inconsistent(input, "the dynamic linker's name does not end");
    return true;
}

/* A position-independent program has a dynamic linker, or a flag that marks it as a program; otherwise the
   file is a library. */
static bool is_library(const struct program *program) {
    Elf64_Dyn entry;
    if (!program->base || program->interpreter)
        return false;
    for (uint64_t at = 0; at + sizeof entry <= program->dynamic_size; at += sizeof entry) {
        memcpy(&entry, program->image + program->dynamic_offset + at, sizeof entry);
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_FLAGS_1 && entry.d_un.d_val & DF_1_PIE)
            return false;
    }
    return true;
}

static bool read_segments(struct input *input) {
    struct program *program = input->program;
    const Elf64_Ehdr *header = &input->header;
    if (header->e_phnum == 0)
        return report_inconsistent(input, "no program headers");
    if (header->e_phnum == PN_XNUM || header->e_phentsize != sizeof(Elf64_Phdr))
        return report_inconsistent(input, "the program headers' size or number is wrong");
    if (!range_in_file(program, header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr)))
        return report_truncated(input, "the program header table");
    program->program_header_offset = header->e_phoff;
    program->program_header_count = header->e_phnum;
    program->segments = arena_allocate(program->arena, header->e_phnum * sizeof *program->segments);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr entry;
        memcpy(&entry, program->image + header->e_phoff + i * sizeof entry, sizeof entry);
        if ((entry.p_type == PT_INTERP || entry.p_type == PT_DYNAMIC) && !read_dynamic_header(input, &entry))
            return false;
        if (entry.p_type != PT_LOAD)
            continue;
        if (!check_segment(input, &entry))
            return false;
        if (program->segment_count) {
            const struct segment *last = &program->segments[program->segment_count - 1];
            if (entry.p_vaddr + program->base < last->address + last->memory_size)
                return report_inconsistent(input, "segments overlap or are not in address order");
        }
        program->segments[program->segment_count++] = (struct segment){entry.p_vaddr + program->base,
                                                                       entry.p_offset,
                                                                       entry.p_filesz,
                                                                       entry.p_memsz,
                                                                       entry.p_flags,
                                                                       entry.p_align};
    }
    if (!input->library && is_library(program)) {
        diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_SHARED, program->path);
        return false;
    }
    return true;
}

static bool has_executable_segment(const struct program *program) {
    for (uint32_t i = 0; i < program->segment_count; i++)
        if (program->segments[i].flags & PF_X && program->segments[i].memory_size)
            return true;
    return false;
}

/* The executable segment; NULL if there are several or none. The data segment of a dynamic object is ignored,
   although it may contain code that the dynamic linker writes: an older form of the linkage table. */
static const struct segment *text_segment(const struct program *program) {
    const struct segment *found = NULL;
    uint32_t count = 0, writable = 0;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const struct segment *segment = &program->segments[i];
        if (!(segment->flags & PF_X) || !segment->memory_size)
            continue;
        count++;
        writable += (segment->flags & PF_W) != 0;
        if (!found || !(segment->flags & PF_W))
            found = segment;
    }
    return count == 1 || (program->is_dynamic && count == writable + 1) ? found : NULL;
}

/* Checks the section table, if there is one; *low and *high become the range of executable sections. */
static bool read_section_table(struct input *input, uint64_t *low, uint64_t *high) {
    struct program *program = input->program;
    const Elf64_Ehdr *header = &input->header;
    *low = *high = 0;
    if (header->e_shoff == 0)
        return true;
    if (header->e_shentsize != sizeof(Elf64_Shdr))
        return report_inconsistent(input, "the section headers' size is wrong");
    size_t count, names;
    Elf64_Shdr first;
    if (!range_in_file(program, header->e_shoff, sizeof first))
        return report_truncated(input, "the section header table");
    memcpy(&first, program->image + header->e_shoff, sizeof first);
    count = header->e_shnum ? header->e_shnum : first.sh_size;
    names = header->e_shstrndx == SHN_XINDEX ? first.sh_link : header->e_shstrndx;
    if (count > program->image_size / sizeof first ||
        !range_in_file(program, header->e_shoff, count * sizeof first))
        return report_truncated(input, "the section header table");
    if (names >= count && count)
        return report_inconsistent(input, "no section holds the section names");
    for (size_t i = 1; i < count; i++) {
        Elf64_Shdr section;
        memcpy(&section, program->image + header->e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type == SHT_NULL)
            continue;
        if (section.sh_type != SHT_NOBITS && !range_in_file(program, section.sh_offset, section.sh_size))
            return report_truncated(input, "a section");
        if (section.sh_addr + section.sh_size < section.sh_addr)
            return report_inconsistent(input, "a section wraps around the address space");
        if (section.sh_flags & SHF_ALLOC)
            section.sh_addr += program->base;
        if (!(section.sh_flags & SHF_EXECINSTR) || !(section.sh_flags & SHF_ALLOC) || section.sh_size == 0)
            continue;
        const struct segment *segment = segment_holding(program, section.sh_addr, section.sh_size);
        if (section.sh_type == SHT_NOBITS || !segment || !(segment->flags & PF_X))
            return report_inconsistent(input, "an executable section lies outside the executable segment");
        if (text_segment(program) && segment != text_segment(program))
            continue;
        if (section.sh_offset - segment->file_offset != section.sh_addr - segment->address)
            return report_inconsistent(input, "an executable section's address and file offset do not agree");
        if (*high && section.sh_addr < *high && section.sh_addr + section.sh_size > *low)
            for (size_t j = 1; j < i; j++) {
                Elf64_Shdr other;
                memcpy(&other, program->image + header->e_shoff + j * sizeof other, sizeof other);
                other.sh_addr += program->base;
                if ((other.sh_flags & SHF_EXECINSTR) && (other.sh_flags & SHF_ALLOC) && other.sh_size &&
                    section.sh_addr < other.sh_addr + other.sh_size &&
                    other.sh_addr < section.sh_addr + section.sh_size)
                    return report_inconsistent(input, "executable sections overlap");
            }
        if (!*high || section.sh_addr < *low)
            *low = section.sh_addr;
        if (section.sh_addr + section.sh_size > *high)
            *high = section.sh_addr + section.sh_size;
    }
    return true;
}

static bool find_text_section(struct input *input, uint64_t low, uint64_t high) {
    struct program *program = input->program;
    const struct segment *executable = text_segment(program);
    if (!executable && has_executable_segment(program))
        return report_inconsistent(input, "more than one executable segment");
    if (!executable)
        return report_inconsistent(input, "no executable segment");
    program->entry = input->header.e_entry + program->base;
    program->text_has_more = !high;
    if (high || program->is_dynamic)
        program->text_has_more |= text_complete(program, executable, program->entry, &low, &high);
    if (!high) {
        low = (executable->address + 3) & ~UINT64_C(3);
        high = (executable->address + executable->file_size) & ~UINT64_C(3);
    }
    if (low & 3 || (executable->file_offset + (low - executable->address)) & 3)
        return report_inconsistent(input, "the text is not aligned to 4 bytes");
    high &= ~UINT64_C(3);
    if (low >= high || !segment_holding(program, low, high - low))
        return report_inconsistent(input, "the text is not in the file");
    if ((high - low) / 4 >= NO_INDEX / 2)
        return report_inconsistent(input, "the text is larger than 8 GB");
    program->text_address = low;
    program->instruction_count = program->own_count = (high - low) / 4;
    program->text = program_bytes(program, low, high - low);
    if (!input->library && instruction_at(program, program->entry) == NO_INDEX)
        return report_inconsistent(input, "the entry point is not in the text");
    return true;
}

/* The rewriter adds a section .atomc.note to its output. */
static bool check_not_instrumented(struct input *input) {
    Elf *elf = input->program->elf;
    size_t names;
    if (!input->header.e_shoff || elf_getshdrstrndx(elf, &names) != 0)
        return true;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && strcmp(name, ".atomc.note") == 0) {
            diagnose(input->diagnostics, NULL, MESSAGE_PROGRAM_INSTRUMENTED, input->program->path);
            return false;
        }
    }
    return true;
}

/* A program that relocates itself, before all else, is static. */
static bool settle_static(struct input *input) {
    struct program *program = input->program;
    if (program->architecture->objects.read_only_linkage)
        return true; /* such programs are treated as dynamic ones */
    program->is_dynamic = input->library || dynamic_needed(program, 0);
    return program->is_dynamic ? refuse_dynamic(input) : true;
}

static struct program *open_object(const char *path, uint64_t base, bool library,
                                   struct diagnostics *diagnostics) {
    struct arena *arena = arena_create();
    struct program *program = arena_allocate(arena, sizeof *program);
    struct input input = {.program = program, .diagnostics = diagnostics, .base = base, .library = library};
    uint64_t low, high;
    program->arena = arena;
    program->flow = arena_create();
    program->scratch = arena_create();
    program->path = arena_string(arena, path, strlen(path));
    program->descriptor = -1;
    if (open_image(&input) && check_kind(&input) && read_segments(&input) && check_not_instrumented(&input) &&
        read_section_table(&input, &low, &high) && find_text_section(&input, low, high) &&
        (!program->is_dynamic || (dynamic_read(program, diagnostics) && settle_static(&input))))
        return program;
    program_close(program);
    return NULL;
}

struct program *program_open(const char *path, struct diagnostics *diagnostics) {
    struct program *program = open_object(path, 0, false, diagnostics);
    if (program)
        relaxed_warn(program, diagnostics);
    return program;
}

struct program *library_open(const char *path, uint64_t base, struct diagnostics *diagnostics) {
    return open_object(path, base, true, diagnostics);
}

void program_finish(struct program *program) {
    arena_destroy(program->flow);
    program->flow = NULL;
    program->block_count = program->edge_count = program->loop_count = 0;
    program->back_edge_count = program->inner_edge_count = 0;
    program->callsite_count = program->system_call_count = 0;
}

void program_close(struct program *program) {
    if (!program)
        return;
    for (uint32_t k = 0; k < program->library_count; k++)
        program_close(program->libraries[k]);
    program_lines_close(program);
    if (program->elf)
        elf_end(program->elf);
    if (program->descriptor >= 0)
        close(program->descriptor);
    arena_destroy(program->flow);
    arena_destroy(program->scratch);
    arena_destroy(program->arena); /* the arena holds the program itself */
}
