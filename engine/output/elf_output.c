/* elf_output.c: writes the instrumented program as an ELF file: the original image at its addresses, the
   new sections below 2 GB. Requires a finished rewrite; writes through a temporary file beside the
   output. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/output/internal.h"
#include "engine/object/object.h"
#include "engine/count/counting.h"
#include "engine/copy/copy.h"

static void add_program_header(struct output *output, GElf_Phdr header) {
    ARENA_RESERVE(output->arena, output->headers, output->header_count, output->header_capacity);
    output->headers[output->header_count++] = header;
}

/* ---- segments ------------------------------------------------------------------------------------------------- */

static void add_load(struct output *output, uint64_t address, uint64_t offset, uint64_t file_size,
                     uint64_t memory_size, uint32_t flags) {
    add_program_header(output, (GElf_Phdr){.p_type = PT_LOAD,
                                           .p_flags = flags,
                                           .p_offset = offset,
                                           .p_vaddr = address,
                                           .p_paddr = address,
                                           .p_filesz = file_size,
                                           .p_memsz = memory_size,
                                           .p_align = largest_page(output->rewrite)});
}

/* The runtime reports an error if the program maps memory at these addresses. */
static void note_own(struct output *output, uint64_t address, uint64_t size) {
    struct atomc_own_range *own = image_of(output->rewrite)->own;
    for (int i = 0; i < ATOMC_OWN_RANGES; i++)
        if (own[i].end == 0) {
            own[i] = (struct atomc_own_range){address, address + size};
            return;
        }
    assert(!"there are more ranges than that");
}

/* The header of a new section in its own segment, which is added to the file. */
static GElf_Shdr loaded_header(struct output *output, const char *name, uint64_t address,
                               uint64_t memory_size, uint64_t size, uint32_t flags) {
    note_own(output, address, memory_size);
    const uint64_t alignment = largest_page(output->rewrite);
    uint64_t offset = align_up(output->end, alignment) + address % alignment;
    add_load(output, address, offset, size, memory_size, flags);
    output->end = offset + size;
    return (GElf_Shdr){.sh_name = output_name(output, name),
                       .sh_type = SHT_PROGBITS,
                       .sh_flags =
                           SHF_ALLOC | (flags & PF_W ? SHF_WRITE : 0) | (flags & PF_X ? SHF_EXECINSTR : 0),
                       .sh_addr = address,
                       .sh_offset = offset,
                       .sh_size = size,
                       .sh_addralign = 8};
}

void output_add_code(struct output *output, const char *name, uint64_t address, uint64_t offset,
                     uint64_t size, const void *bytes) {
    GElf_Shdr header = {.sh_name = output_name(output, name),
                        .sh_type = SHT_PROGBITS,
                        .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                        .sh_addr = address,
                        .sh_offset = offset,
                        .sh_size = size,
                        .sh_addralign = 8};
    add_load(output, address, offset, size, size, PF_R | PF_X);
    output->headers[output->header_count - 1].p_align = output->rewrite->program->architecture->page;
    output_section(output, &header, bytes);
}

static unsigned section_index(Elf_Scn *section) {
    return section ? (unsigned)elf_ndxscn(section) : SHN_ABS;
}

/* Adds the section; without bytes it takes no room in the file. Returns its index. */
static unsigned add_loaded(struct output *output, const char *name, uint64_t address, uint64_t memory_size,
                           uint64_t size, const void *bytes, uint32_t flags) {
    if (memory_size == 0)
        return SHN_ABS;
    GElf_Shdr header = loaded_header(output, name, address, memory_size, size, flags);
    if (!bytes) {
        header.sh_type = SHT_NOBITS;
        header.sh_size = memory_size;
    }
    return section_index(output_section(output, &header, bytes));
}

/* For words that write_later_words() writes later. */
static unsigned add_words_section(struct output *output, const char *name, const struct code *words,
                                  uint32_t flags) {
    uint64_t size = 4 * (uint64_t)words->count;
    if (size == 0)
        return SHN_ABS;
    GElf_Shdr header = loaded_header(output, name, words->address, size, size, flags);
    output->later[output->later_count++] = (struct later_words){words, header.sh_offset};
    return section_index(output_room(output, &header));
}

/* Returns false and sets errno after an error. */
static bool write_at(int descriptor, const void *bytes, uint64_t size, uint64_t offset) {
    for (uint64_t from = 0; from < size;) {
        ssize_t wrote = pwrite(descriptor, (const char *)bytes + from, size - from, (off_t)(offset + from));
        if (wrote < 0 && errno != EINTR)
            return false;
        from += wrote < 0 ? 0 : (uint64_t)wrote;
    }
    return true;
}

/* If words are in a file, only a small part of them is in memory at a time. */
static bool write_later_words(const struct later_words *later, int descriptor) {
    const struct code *words = later->words;
    for (uint32_t at = 0, end; at < words->count; at = end) {
        end = words->count - at > WORDS_LEFT ? at + WORDS_LEFT : words->count;
        if (!write_at(descriptor, words->words + at, 4 * (uint64_t)(end - at),
                      later->offset + 4 * (uint64_t)at))
            return false;
        code_leave(words, at, end);
    }
    return true;
}

/* The end of its last page, as a kernel maps whole pages, or of the file. */
static uint64_t last_page_end(const struct program *program, const struct segment *segment) {
    uint64_t end = align_up(segment->file_offset + segment->file_size, program->architecture->page);
    return end > program->image_size ? program->image_size : end;
}

/* Applies the changes of the segments to a piece of the program's file. */
static void change_segment_bytes(const struct rewrite *rewrite, uint64_t offset, uint64_t size,
                                 uint8_t *bytes) {
    const struct program *program = rewrite->program;
    for (uint32_t s = 0; s < program->segment_count; s++) {
        const struct segment *segment = &program->segments[s];
        uint64_t begin = segment->file_offset, end = begin + segment->file_size;
        begin = begin < offset ? offset : begin;
        end = end > offset + size ? offset + size : end;
        if (begin >= end)
            continue;
        uint64_t address = segment->address + (begin - segment->file_offset);
        sparse_change(rewrite, address, end - begin, bytes + (begin - offset));
        for (uint32_t i = 0; i < program->renamed_count; i++)
            for (unsigned k = 0; k < sizeof *rewrite->renamed_values; k++)
                if (program->renamed[i].address + k - address < end - begin)
                    bytes[begin - offset + (program->renamed[i].address + k - address)] =
                        (uint8_t)(rewrite->renamed_values[i] >> 8 * k);
    }
}

/* Copies the program's segments after libelf has written: the kernel loads segments, but libelf writes
   sections, which need not cover the segments, may overlap, and may be wrong. Returns false and sets errno
   after an error. */
static bool write_program(const struct output *output, int descriptor) {
    enum { PIECE = 1 << 20 };
    const struct program *program = output->rewrite->program;
    uint8_t *bytes = arena_allocate(output->arena, PIECE);
    for (uint32_t s = 0; s < program->segment_count; s++) {
        const struct segment *segment = &program->segments[s];
        const uint32_t page = program->architecture->page;
        uint64_t at = segment->file_offset / page * page, end = last_page_end(program, segment);
        for (uint64_t size; segment->file_size > 0 && at < end; at += size) {
            size = end - at > PIECE ? PIECE : end - at;
            memcpy(bytes, program->image + at, size);
            change_segment_bytes(output->rewrite, at, size, bytes);
            if (!write_at(descriptor, bytes, size, output->shift + at))
                return false;
        }
    }
    return true;
}

static int by_address(const void *left, const void *right) {
    const GElf_Phdr *a = left, *b = right;
    if ((a->p_type == PT_LOAD) != (b->p_type == PT_LOAD))
        return a->p_type == PT_LOAD ? -1 : 1;
    return (a->p_vaddr > b->p_vaddr) - (a->p_vaddr < b->p_vaddr);
}

/* PT_TLS and PT_GNU_STACK belong to the program, and are kept for the kernel and the debugger. */
static void keep_headers(struct output *output) {
    size_t count = 0;
    Elf *input = output->rewrite->program->elf;
    if (elf_getphdrnum(input, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(input, (int)i, &header) ||
            (header.p_type != PT_TLS && header.p_type != PT_GNU_STACK))
            continue;
        if (header.p_type == PT_TLS) {
            header.p_offset += output->shift;
            header.p_vaddr += output->rewrite->program->base;
            header.p_paddr = header.p_vaddr;
        }
        add_program_header(output, header);
    }
}

/* ---- the file ------------------------------------------------------------------------------------------------- */

static struct tables copy_sections(struct output *output) {
    Elf *input = output->rewrite->program->elf;
    struct tables tables = {.names = section_names_index(output->rewrite->program)};
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(input, section))) {
        GElf_Shdr header;
        Elf_Data *raw = elf_rawdata(section, NULL);
        if (!gelf_getshdr(section, &header)) {
            output_fail(output);
            return tables;
        }
        if (header.sh_type == SHT_NULL) { /* its other members have no meaning */
            header = (GElf_Shdr){.sh_type = SHT_NULL, .sh_offset = output->shift};
            output_section(output, &header, NULL);
            continue;
        }
        if (header.sh_type == SHT_SYMTAB && !(header.sh_flags & SHF_ALLOC) && !tables.symbols) {
            tables.symbols = elf_ndxscn(section);
            tables.strings = string_table(output->rewrite->program, header.sh_link);
        }
        const char *name = elf_strptr(input, tables.names, header.sh_name);
        header.sh_name = output_name(output, name ? name : "");
        header.sh_offset += output->shift;
        if (header.sh_flags & SHF_ALLOC)
            header.sh_addr += output->rewrite->program->base;
        if (header.sh_type != SHT_NOBITS && header.sh_offset + header.sh_size > output->end)
            output->end = header.sh_offset + header.sh_size;
        if (header.sh_flags & SHF_ALLOC) /* its bytes are in a segment */
            output_room(output, &header);
        else
            output_section(output, &header, raw ? raw->d_buf : NULL);
    }
    return tables;
}

static void add_program_segments(struct output *output) {
    const struct program *program = output->rewrite->program;
    for (uint32_t s = 0; s < program->segment_count; s++) {
        const struct segment *segment = &program->segments[s];
        uint64_t end = output->shift + last_page_end(program, segment);
        output->end = end > output->end ? end : output->end;
        /* The original text remains readable, but is not executable if all of it is copied.
         */
        bool is_copied = program->text_address - segment->address < segment->memory_size &&
                         !output->rewrite->copying->sparse;
        add_load(output, segment->address, segment->file_offset + output->shift, segment->file_size,
                 segment->memory_size, is_copied ? segment->flags & ~(uint32_t)PF_X : segment->flags);
    }
}

static unsigned add_analysis(struct output *output) {
    const struct analysis_image *analysis = output->rewrite->analysis;
    unsigned text = SHN_ABS;
    for (uint32_t s = 0; s < analysis->program->segment_count; s++) {
        const struct segment *segment = &analysis->program->segments[s];
        bool executable = segment->flags & PF_X;
        unsigned index =
            add_loaded(output, executable ? ".atomc.analysis.text" : ".atomc.analysis.data", segment->address,
                       segment->memory_size, segment->file_size, analysis->segment_bytes[s], segment->flags);
        if (executable)
            text = index;
    }
    return text;
}

static void add_note_section(struct output *output) {
    static const char note[] = "instrumented by atomc";
    GElf_Shdr header = {.sh_name = output_name(output, ".atomc.note"),
                        .sh_type = SHT_PROGBITS,
                        .sh_offset = output->end,
                        .sh_size = sizeof note,
                        .sh_addralign = 1};
    output_section(output, &header, note);
    output->end += sizeof note;
}

static void add_new_sections(struct output *output, struct symbols *symbols) {
    const struct rewrite *rewrite = output->rewrite;
    uint64_t map_size = 4 * (uint64_t)rewrite->program->own_count;
    const uint64_t map = machine_map_address(rewrite->machine, rewrite->program->text_address);
    add_loaded(output, ".atomc.map", map, map_size, map_size, rewrite->code->layout.map, PF_R);
    if (rewrite->code->layout.landings)
        add_loaded(output, ".atomc.landings", map + rewrite->machine->layout->landings, map_size, map_size,
                   rewrite->code->layout.landings, PF_R);
    add_loaded(output, ".atomc.pool", rewrite->machine->layout->pool, 8 * (uint64_t)rewrite->code->pool.count,
               8 * (uint64_t)rewrite->code->pool.count, rewrite->code->pool.values,
               rewrite->program->library_count ? PF_R | PF_W : PF_R);
    unsigned wrappers =
        add_loaded(output, ".atomc.wrappers", rewrite->code->wrappers.address,
                   4 * (uint64_t)rewrite->code->wrappers.count, 4 * (uint64_t)rewrite->code->wrappers.count,
                   rewrite->code->wrappers.words, PF_R | PF_X);
    unsigned copies = add_words_section(output, ".atomc.text", &rewrite->code->copies, PF_R | PF_X);
    const struct sparse *sparse = rewrite->copying->sparse;
    if (sparse)
        add_loaded(output, ".atomc.springboards", sparse->rooms[0].address,
                   4 * (uint64_t)sparse->rooms[0].count, 4 * (uint64_t)sparse->rooms[0].count,
                   sparse->rooms[0].springboards, PF_R | PF_X);
    add_words_section(output, ".atomc.tables", &rewrite->code->tables.words, PF_R);
    add_words_section(output, ".atomc.far", &rewrite->code->tables.far, PF_R);
    add_loaded(output, ".atomc.cells", rewrite->machine->layout->cells, 8 * rewrite->counting->cells, 0, NULL,
               PF_R | PF_W);
    if (rewrite->inliner)
        add_loaded(output, ".atomc.scratch", rewrite->machine->layout->scratch, 8, 0, NULL, PF_R | PF_W);
    add_loaded(output, ".atomc.data", rewrite->code->data.address, 4 * (uint64_t)rewrite->code->data.count,
               4 * (uint64_t)rewrite->code->data.count, rewrite->code->data.words, PF_R | PF_W);
    unsigned analysis = add_analysis(output);
    symbols_of_new_code(output, symbols, copies, wrappers, analysis);
    add_note_section(output);
}

static void finish_section_names(struct output *output, const struct tables *tables) {
    size_t names = tables->names;
    if (!names) { /* a file without section names is given a table of them */
        GElf_Shdr header = {
            .sh_name = output_name(output, ".shstrtab"), .sh_type = SHT_STRTAB, .sh_addralign = 1};
        Elf_Scn *section = output_section(output, &header, NULL);
        names = section ? elf_ndxscn(section) : 0;
    }
    GElf_Shdr header;
    if (!gelf_getshdr(elf_getscn(output->elf, names), &header)) {
        output_fail(output);
        return;
    }
    output_table(output, ".shstrtab", SHT_STRTAB, output->names, output->name_count, &header, names);

    GElf_Ehdr elf_header; /* read after the program headers are made, because it has their number */
    if (!gelf_newphdr(output->elf, output->header_count) || !gelf_getehdr(output->elf, &elf_header)) {
        output_fail(output);
        return;
    }
    elf_header.e_ident[EI_DATA] = ELFDATA2LSB;
    elf_header.e_type = ET_EXEC;
    elf_header.e_machine = output->rewrite->program->architecture->machine;
    elf_header.e_version = EV_CURRENT;
    elf_header.e_entry = output->entry;
    elf_header.e_phoff = sizeof(Elf64_Ehdr);
    elf_header.e_shoff = align_up(output->end, 8);
    elf_header.e_shstrndx = (uint16_t)names;
    if (!gelf_update_ehdr(output->elf, &elf_header))
        output_fail(output);
    qsort(output->headers, output->header_count, sizeof *output->headers, by_address);
    for (uint32_t i = 0; i < output->header_count && !output->error; i++)
        if (!gelf_update_phdr(output->elf, (int)i, &output->headers[i]))
            output_fail(output);
    errno = 0;
    if (!output->error && elf_update(output->elf, ELF_C_WRITE) < 0) {
        output->failure = errno;
        output_fail(output);
    }
}

/* Returns NULL, or a description of the error; *failure: errno, if it was a system error. */
static const char *write_elf(const struct rewrite *rewrite, int descriptor, int *failure) {
    struct output output = {.rewrite = rewrite, .arena = arena_create(), .shift = largest_page(rewrite)};
    struct symbols symbols = {.arena = output.arena};
    output.elf = elf_begin(descriptor, ELF_C_WRITE, NULL);
    if (!output.elf || !gelf_newehdr(output.elf, ELFCLASS64)) {
        output_fail(&output);
    } else {
        elf_flagelf(output.elf, ELF_C_SET, ELF_F_LAYOUT);
        output_name(&output, "");
        struct tables tables = copy_sections(&output);
        symbols_start(&symbols, rewrite, &tables);
        add_program_segments(&output);
        add_new_sections(&output, &symbols);
        output.entry = analysis_symbol(rewrite->analysis, "atomc_start");
        loader_add(&output);
        keep_headers(&output);
        symbols_write(&output, &symbols, &tables);
        if (!output.error)
            finish_section_names(&output, &tables);
    }
    if (output.elf)
        elf_end(output.elf);
    if (!output.error && !write_program(&output, descriptor)) {
        output.failure = errno;
        output.error = "";
    }
    for (uint32_t i = 0; i < output.later_count && !output.error; i++)
        if (!write_later_words(&output.later[i], descriptor)) {
            output.failure = errno;
            output.error = "";
        }
    arena_destroy(output.arena);
    *failure = output.failure;
    return output.error;
}

/* True if libelf cannot write the program's own, unchanged sections. Then the program is invalid. */
static const char *input_refused(const struct rewrite *rewrite) {
    struct output output = {.rewrite = rewrite, .arena = arena_create()};
    int descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
    GElf_Ehdr header;
    output.elf = elf_begin(descriptor, ELF_C_WRITE, NULL);
    if (output.elf && gelf_newehdr(output.elf, ELFCLASS64) && gelf_getehdr(output.elf, &header)) {
        elf_flagelf(output.elf, ELF_C_SET, ELF_F_LAYOUT);
        copy_sections(&output);
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_type = ET_EXEC;
        header.e_machine = rewrite->program->architecture->machine;
        header.e_version = EV_CURRENT;
        header.e_shoff = align_up(output.end, 8);
        if (!output.error &&
            (!gelf_update_ehdr(output.elf, &header) || elf_update(output.elf, ELF_C_NULL) < 0))
            output_fail(&output);
    }
    if (output.elf)
        elf_end(output.elf);
    if (descriptor >= 0)
        close(descriptor);
    arena_destroy(output.arena);
    return output.error;
}

bool output_write(const struct rewrite *rewrite, const char *path, struct diagnostics *diagnostics) {
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    char *temporary = arena_format(rewrite->program->scratch, "%s.XXXXXX", path);
    int descriptor = create_temporary(temporary);
    bool written = false;
    if (descriptor < 0) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, path, strerror(errno));
        arena_release(rewrite->program->scratch, mark);
        return false;
    }
    int failure = 0;
    const char *error = write_elf(rewrite, descriptor, &failure);
    const char *refusal = error && !failure ? input_refused(rewrite) : NULL;
    if (failure)
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, path, strerror(failure));
    else if (refusal)
        diagnose(diagnostics, NULL, MESSAGE_PROGRAM_INCONSISTENT, rewrite->program->path, refusal);
    else if (error)
        diagnose(diagnostics, NULL, MESSAGE_OUTPUT_FAILED, path, error);
    else if (fchmod(descriptor, rewrite->program->mode & 07777) < 0 || close(descriptor) < 0 ||
             rename(temporary, path) < 0)
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, path, strerror(errno));
    else
        written = true;
    if (!written)
        unlink(temporary);
    keep_file(temporary);
    arena_release(rewrite->program->scratch, mark);
    return written;
}
