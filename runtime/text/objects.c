/* objects.c: the other objects of a dynamic program's process: the dynamic linker, which is loaded here as
   the kernel would do it, and the libraries that it maps. Their system calls go through the runtime's gate:
   each `callsys` of their text is replaced, in memory, by a branch to a page of the object. Its link is
   $28, a register that a system call need not preserve. Requires atomc_image.interpreter. Compiled without
   floating-point registers. */
#include <elf.h>
#include <sys/mman.h>

#include "runtime/text/internal.h"

enum {
    HEADERS = 32,  /* program headers examined */
    SECTIONS = 16, /* section headers read at a time */
};

/* ---- text ------------------------------------------------------------------------------------------------- */

/* A mapping of an object's text from its file. */
struct text {
    int file;
    long bias;           /* distance from addresses in the file to addresses in memory */
    long begin, end;     /* address of the segment in memory */
    long protection;     /* of the segment */
    long hole, hole_end; /* after it, in memory */
    struct object *object;
};

static long read_object_file(const struct text *text, void *to, long size, long offset) {
    return RAW(CALL_pread64, text->file, to, size, offset, 0, 0);
}

static void start_object(struct text *text) {
    struct object *object = text->object = atomc_new_object();
    long page = atomc_map_stub(text->hole, text->hole_end, text->begin, text->end);
    if (page < 0)
        atomc_give_up("there is no memory near a library for its system calls", "");
    atomc_write_stub(object, (uint32_t *)page);
    object->begin = (unsigned long)text->begin;
    object->end = (unsigned long)text->end;
    object->springboards = object->springboards_end = 0;
    object->library = -1;
    object->in_hole = page == text->hole;
    RAW(CALL_mprotect, page, PAGE, PROT_READ | PROT_EXEC, 0, 0, 0);
    RAW(CALL_mprotect, page_down(text->begin), rounded_to_page(text->end) - page_down(text->begin),
        text->protection | PROT_WRITE, 0, 0, 0);
}

static void gate_call(struct text *text, uint32_t *word) {
    if (!text->object)
        start_object(text);
    long distance = ((long)text->object->stub - (long)(word + 1)) / 4;
    if (distance >= BRANCH_REACH || distance < -BRANCH_REACH)
        atomc_give_up("a system call in a library is too far from the end of its text", "");
    *word = stub_branch(distance);
}

static void gate_section(struct text *text, const Elf64_Shdr *section) {
    uint32_t *words = (uint32_t *)(text->bias + (long)section->sh_addr), *word = words;
    uint32_t *end = word + section->sh_size / 4;
    if ((long)word < text->begin || (long)end > text->end)
        return;
    while (word < end) {
        if (((long)word & 7) == 0 && end - word >= 2 * PAIRS_TESTED &&
            !may_have_system_call((const pair *)word)) {
            word += 2 * PAIRS_TESTED;
            continue;
        }
        uint32_t *next =
            end - word >= 2 * PAIRS_TESTED ? word + 2 * PAIRS_TESTED - ((long)word >> 2 & 1) : end;
        for (; word < next; word++)
            if (is_system_call_word(*word) &&
                atomc_is_system_call(words, (unsigned long)(end - words), (unsigned long)(word - words)))
                gate_call(text, word);
    }
}

/* Uses the addresses that atomc has found in this file. Returns false if the text has to be searched. In an
   instrumented library, the calls may have been replaced by branches to copies. */
static int gate_known(struct text *text, long library) {
    const struct atomc_library_calls *known = atomc_find_library_calls(text->file);
    const uint32_t *addresses = known ? (const uint32_t *)known->addresses : 0;
    for (uint64_t i = 0; known && i < known->count; i++) {
        const uint32_t *word = (const uint32_t *)(text->bias + addresses[i]);
        if ((long)word >= text->begin && (long)(word + 1) <= text->end && !is_system_call_word(*word) &&
            library < 0)
            return 0;
    }
    for (uint64_t i = 0; known && i < known->count; i++) {
        uint32_t *word = (uint32_t *)(text->bias + addresses[i]);
        if ((long)word >= text->begin && (long)(word + 1) <= text->end && is_system_call_word(*word))
            gate_call(text, word);
    }
    return known != 0;
}

/* The section headers show which parts are code: constants within the text must not change. */
static void search_text(struct text *text, const Elf64_Ehdr *header) {
    Elf64_Shdr sections[SECTIONS];
    if (header->e_shoff == 0 || header->e_shentsize != sizeof sections[0])
        atomc_give_up("a library has no section headers, which tell where its system calls are", "");
    for (unsigned i = 0; i < header->e_shnum; i += SECTIONS) {
        unsigned count = header->e_shnum - i < SECTIONS ? header->e_shnum - i : SECTIONS;
        long size = (long)(count * sizeof sections[0]);
        if (read_object_file(text, sections, size, (long)(header->e_shoff + i * sizeof sections[0])) != size)
            atomc_give_up("the section headers of a library cannot be read", "");
        for (unsigned k = 0; k < count; k++)
            if (sections[k].sh_type == SHT_PROGBITS && sections[k].sh_flags & SHF_ALLOC &&
                sections[k].sh_flags & SHF_EXECINSTR)
                gate_section(text, &sections[k]);
    }
}

static void gate_text(struct text *text, const Elf64_Ehdr *header, long library) {
    if (!gate_known(text, library))
        search_text(text, header);
    if (!text->object)
        return;
    RAW(CALL_mprotect, page_down(text->begin), rounded_to_page(text->end) - page_down(text->begin),
        text->protection, 0, 0, 0);
    flush_instructions();
}

static int is_object(const Elf64_Ehdr *header) {
    return header->e_ident[0] == 0x7f && header->e_ident[1] == 'E' && header->e_ident[2] == 'L' &&
           header->e_ident[3] == 'F' && header->e_machine == ELF_MACHINE && header->e_type == ET_DYN &&
           header->e_phentsize == sizeof(Elf64_Phdr);
}

static int read_headers(int file, Elf64_Ehdr *header, Elf64_Phdr *segments) {
    const struct text text = {.file = file};
    if (read_object_file(&text, header, sizeof *header, 0) != sizeof *header || !is_object(header) ||
        header->e_phnum > HEADERS)
        return 0;
    long size = (long)(header->e_phnum * sizeof *segments);
    return read_object_file(&text, segments, size, (long)header->e_phoff) == size;
}

/* `address`: where the file's contents from `offset` on are mapped. */
static void gate_mapping(int file, long address, long size, long offset, long protection, long *registers) {
    Elf64_Ehdr header;
    Elf64_Phdr segments[HEADERS];
    if (!read_headers(file, &header, segments))
        return;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
            page_down((long)segment->p_offset) < offset ||
            (long)(segment->p_offset + segment->p_filesz) > offset + size)
            continue;
        struct text text = {.file = file, .protection = protection};
        text.begin = address + ((long)segment->p_offset - offset);
        text.end = text.begin + (long)segment->p_filesz;
        text.bias = text.begin - (long)segment->p_vaddr;
        text.hole = text.hole_end = rounded_to_page(text.begin + (long)segment->p_memsz);
        for (unsigned k = i + 1; k < header.e_phnum; k++)
            if (segments[k].p_type == PT_LOAD) {
                text.hole_end = page_down(text.bias + (long)segments[k].p_vaddr);
                break;
            }
        long library = atomc_find_library(file);
        if (library >= 0) {
            start_object(&text);
            text.object->library = library;
            atomc_enter_library(library, text.bias, &text.object->springboards,
                                &text.object->springboards_end);
        } else {
            atomc_check_library(file);
        }
        gate_text(&text, &header, library);
        if (library >= 0) {
            atomc_enter_text(library);
            atomc_before_library(library, registers);
        }
    }
}

/* ---- mappings of the dynamic linker ---------------------------------------------------------------------- */

/* The range is about to be unmapped. */
static void announce_end(unsigned long begin, unsigned long end, long *registers) {
    for (unsigned i = 0; i < atomc_objects_used; i++)
        if (atomc_objects[i].taken && atomc_objects[i].library >= 0 && atomc_objects[i].begin >= begin &&
            atomc_objects[i].end <= end)
            atomc_after_library(atomc_objects[i].library, registers);
}

static void forget_range(unsigned long begin, unsigned long end) {
    for (unsigned i = 0; i < atomc_objects_used; i++)
        if (atomc_objects[i].taken && atomc_objects[i].begin >= begin && atomc_objects[i].end <= end) {
            if (atomc_objects[i].library >= 0) {
                atomc_leave_text(atomc_objects[i].library);
                atomc_leave_library(atomc_objects[i].library);
            }
            atomc_objects[i].begin = atomc_objects[i].end = atomc_objects[i].stub = 0;
            __sync_lock_release(&atomc_objects[i].taken);
        }
}

void atomc_object_call(long *registers) {
    long *a = registers + FIRST_ARGUMENT, number = registers[NUMBER_REGISTER];
    long flags = a[3]; /* the result changes its register */
    if ((number == CALL_munmap || (number == CALL_mmap && flags & MAP_FIXED)) && page_down(a[0]) == a[0])
        announce_end((unsigned long)a[0], (unsigned long)(a[0] + rounded_to_page(a[1])), registers);
    long result =
        number == CALL_mmap ? atomc_map_program(a) : RAW(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    set_result(registers, result);
    if (is_error(result))
        return;
    if (number == CALL_mprotect) {
        atomc_open_stubs((unsigned long)a[0], (unsigned long)(a[0] + rounded_to_page(a[1])));
    } else if (number == CALL_munmap) {
        forget_range((unsigned long)a[0], (unsigned long)(a[0] + rounded_to_page(a[1])));
    } else {
        if (flags & MAP_FIXED)
            forget_range((unsigned long)a[0], (unsigned long)(a[0] + rounded_to_page(a[1])));
        if (a[2] & PROT_EXEC && flags & MAP_PRIVATE && !(flags & MAP_ANONYMOUS))
            gate_mapping((int)a[4], result, a[1], a[5], a[2], registers);
    }
}

/* ---- the dynamic linker ----------------------------------------------------------------------------------- */

static long protection_of(const Elf64_Phdr *segment) {
    return (segment->p_flags & PF_R ? PROT_READ : 0) | (segment->p_flags & PF_W ? PROT_WRITE : 0) |
           (segment->p_flags & PF_X ? PROT_EXEC : 0);
}

static void zero_bytes(long at, long end) {
    for (; at < end && at & 7; at++)
        *(volatile char *)at = 0;
    for (; at < end; at += 8) /* the end of a page */
        *(volatile long *)at = 0;
}

static void map_segment(int file, long bias, const Elf64_Phdr *segment) {
    long begin = bias + (long)segment->p_vaddr, page = page_down(begin), protection = protection_of(segment);
    long file_end = begin + (long)segment->p_filesz, end = begin + (long)segment->p_memsz;
    long rest = rounded_to_page(file_end);
    /* Whole pages: for a part of one, an emulator whose host has smaller pages maps only that part. */
    if (segment->p_filesz > 0 &&
        is_error(RAW(CALL_mmap, page, rest - page, protection, MAP_PRIVATE | MAP_FIXED, file,
                     page_down((long)segment->p_offset))))
        atomc_give_up("cannot map the dynamic linker ", (const char *)atomc_image.interpreter);
    if (end > file_end && segment->p_flags & PF_W) /* up to the page's end, because the linker expects it */
        zero_bytes(file_end, rest);
    if (end > rest && is_error(RAW(CALL_mmap, rest, rounded_to_page(end) - rest, protection,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)))
        atomc_give_up("cannot map the dynamic linker ", (const char *)atomc_image.interpreter);
}

/* Reserves addresses for whole pages, without leaving any other mapping. */
static long reserve_addresses(long size, long alignment) {
    long more = size + alignment - PAGE;
    long got = RAW(CALL_mmap, 0, more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    long begin = (got + alignment - 1) & -alignment, end = begin + size;
    if (is_error(got))
        return got;
    if (begin > got)
        RAW(CALL_munmap, got, begin - got, 0, 0, 0, 0);
    if (got + more > end)
        RAW(CALL_munmap, end, got + more - end, 0, 0, 0, 0);
    return begin;
}

long atomc_load_interpreter(long *base) {
    atomc_next_object_page = atomc_next_stub;
    const char *name = (const char *)atomc_image.interpreter;
    Elf64_Ehdr header;
    Elf64_Phdr segments[HEADERS];
    long low = -1, high = 0,
         alignment = PAGE; /* QEMU since 9 aligns it by its segments; earlier versions by pages */
    int file = (int)OPEN_FILE(name);
    if (file < 0 || !read_headers(file, &header, segments))
        atomc_give_up(
            "cannot read the dynamic linker (under qemu-alpha, -L FOLDER says where Alpha's libraries "
            "are, such as "
            "-L /usr/alpha-linux-gnu): ",
            name);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type != PT_LOAD)
            continue;
        if (low < 0)
            low = page_down((long)segment->p_vaddr);
        high = rounded_to_page((long)(segment->p_vaddr + segment->p_memsz));
        if ((long)segment->p_align > alignment && PAGE != FILE_PAGE)
            alignment = (long)segment->p_align;
    }
    long at = low < 0 ? -1 : reserve_addresses(high - low, alignment);
    if (is_error(at))
        atomc_give_up("cannot map the dynamic linker ", name);
    *base = at - low;
    for (unsigned i = 0; i < header.e_phnum; i++)
        if (segments[i].p_type == PT_LOAD)
            map_segment(file, *base, &segments[i]);
    for (unsigned i = 0; i < header.e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X)
            gate_mapping(file, *base + page_down((long)segments[i].p_vaddr),
                         rounded_to_page((long)(segments[i].p_vaddr + segments[i].p_filesz)) -
                             page_down((long)segments[i].p_vaddr),
                         page_down((long)segments[i].p_offset), protection_of(&segments[i]), 0);
    RAW(CALL_close, file, 0, 0, 0, 0, 0);
    return *base + (long)header.e_entry;
}
