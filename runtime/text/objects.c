/* objects.c: the other objects of a dynamic program's process: the dynamic linker, which is loaded here as
   the kernel would do it, and the libraries that it maps. Their system calls go through the runtime's gate:
   each `callsys` of their text is replaced, in memory, by a branch to a page of the object. Its link is
   $28, a register that a system call need not preserve. Requires atomc_image.interpreter. Compiled without
   floating-point registers. */
#include <elf.h>
#include <sys/mman.h>

#include "codegen/alpha/system_call_words.h"
#include "runtime/kernel/kernel.h"
#include "runtime/text/text.h"

enum {
    OBJECTS = 4096,
    HEADERS = 32,  /* program headers examined */
    SECTIONS = 16, /* section headers read at a time */
    BRANCH_REACH = 1 << 20,
    MACHINE_ALPHA = 0x9026,
};

/* An object whose system calls go through the gate. */
static struct object {
    int taken;                                    /* 0: this entry is free */
    unsigned long begin, end;                     /* of its mapping, as far as known */
    unsigned long stub, calls[3];                 /* the page, and the code for each callsys in it */
    unsigned long springboards, springboards_end; /* springboards into copies */
    long library;                                 /* its number as an instrumented library, or -1 */
    int in_hole;                                  /* the page is one of the hole after the text */
} objects[OBJECTS];
static unsigned objects_used; /* all entries from here on are free */

static long page_down(long address) {
    return address & -PAGE;
}
static long rounded_to_page(long address) {
    return (address + PAGE - 1) & -PAGE;
}
static int is_error(long result) {
    return result < 0 && result > -4096;
}

void atomc_give_up(const char *what, const char *name) {
    static const char start[] = "atomc: ";
    const char *parts[] = {start, what, name, "\n"};
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        unsigned length = 0;
        while (parts[i][length])
            length++;
        RAW(CALL_write, 2, parts[i], length, 0, 0, 0);
    }
    RAW(CALL_exit_group, 127, 0, 0, 0, 0, 0);
}

/* ---- stubs ----------------------------------------------------------------------------------------------- */

extern void atomc_object_gate(void), atomc_call_failed(void), atomc_call_ends(void);

/* Lowers $30 for a spill, or raises it. */
static uint32_t spill_word(int times) {
    return atomc_image.spills_far ? ALPHA_MEMORY_WORD(LDAH, ALPHA_SP, times * SPILL_FAR, ALPHA_SP)
                                  : ALPHA_MEMORY_WORD(LDA, ALPHA_SP, times * SPILL_NEAR, ALPHA_SP);
}

/* The frame is that of copied system calls (engine/copy/gate.c). */
static uint32_t *write_gate_entry(uint32_t *code, void (*gate)(void)) {
    enum { AT = ALPHA_AT, RA = ALPHA_RA, SP = ALPHA_SP };
    uint32_t address = (uint32_t)(unsigned long)gate;
    int low = (int16_t)address;
    *code++ = spill_word(-1);
    *code++ = ALPHA_MEMORY_WORD(STQ, RA, 0, SP);
    *code++ = ALPHA_MEMORY_WORD(STQ, AT, 8, SP);
    *code++ = ALPHA_MEMORY_WORD(LDAH, RA, (int)((address - (uint32_t)low) >> 16), ALPHA_ZERO);
    *code++ = ALPHA_MEMORY_WORD(LDA, RA, low, RA);
    *code++ = ALPHA_MEMORY_WORD(JSR, RA, 0, RA);
    return code;
}

static uint32_t *write_gate_exit(uint32_t *code) {
    enum { AT = ALPHA_AT, RA = ALPHA_RA, SP = ALPHA_SP };
    *code++ = ALPHA_MEMORY_WORD(LDQ, RA, 0, SP);
    *code++ = ALPHA_MEMORY_WORD(LDQ, AT, 8, SP);
    *code++ = spill_word(1);
    return code;
}

static uint32_t *return_from_stub(uint32_t *code) {
    *code++ = ALPHA_MEMORY_WORD(RET, ALPHA_ZERO, 1, ALPHA_AT);
    return code;
}

static void write_stub(struct object *object, uint32_t *code) {
    object->stub = (unsigned long)code;
    code = write_gate_entry(code, atomc_object_gate);
    uint32_t *clones = code++, *made = code++, *waits = code++;
    code = write_gate_exit(code);
    object->calls[0] = (unsigned long)code;
    *code++ = ALPHA_PAL_CALLSYS;
    code = return_from_stub(code);
    *made = ALPHA_BRANCH_WORD(BLBS, ALPHA_AT, code - made - 1);
    code = return_from_stub(write_gate_exit(code));
    *clones = ALPHA_BRANCH_WORD(BLT, ALPHA_AT, code - clones - 1);
    code = write_gate_exit(code);
    object->calls[1] = (unsigned long)code;
    *code++ = ALPHA_PAL_CALLSYS;
    uint32_t *begins = code++, *succeeds = code++;
    *begins = ALPHA_BRANCH_WORD(BEQ, ALPHA_V0, code - begins - 1);
    code = write_gate_exit(write_gate_entry(code, atomc_call_failed));
    *succeeds = ALPHA_BRANCH_WORD(BEQ, ALPHA_A3, code - succeeds - 1);
    code = return_from_stub(code);
    *waits = ALPHA_BRANCH_WORD(BNE, ALPHA_AT, code - waits - 1);
    code = write_gate_exit(code);
    object->calls[2] = (unsigned long)code;
    *code++ = ALPHA_PAL_CALLSYS;
    code = return_from_stub(write_gate_exit(write_gate_entry(code, atomc_call_ends)));
    atomc_patch_spills((uint32_t *)object->stub, code);
}

/* Makes new code visible to instruction fetch. */
static void flush_new_code(void) {
    __asm__ volatile("call_pal %0" : : "i"(ALPHA_PAL_IMB) : "memory");
}

void atomc_patch_stubs(void) {
    for (unsigned i = 0; i < objects_used; i++) {
        long page = page_down((long)objects[i].stub);
        if (!objects[i].taken || !page)
            continue;
        RAW(CALL_mprotect, page, PAGE, PROT_READ | PROT_WRITE, 0, 0, 0);
        atomc_patch_spills((uint32_t *)page, (const uint32_t *)(page + PAGE));
        RAW(CALL_mprotect, page, PAGE, PROT_READ | PROT_EXEC, 0, 0, 0);
    }
}

static struct object *new_object(void) {
    for (unsigned i = 0; i < OBJECTS; i++)
        if (__sync_bool_compare_and_swap(&objects[i].taken, 0, 1)) {
            unsigned used;
            while ((used = objects_used) <= i)
                __sync_bool_compare_and_swap(&objects_used, used, i + 1);
            return &objects[i];
        }
    atomc_give_up("there are too many libraries in this process", "");
    return 0;
}

/* A page in the hole after the text, [hole, hole_end), or else as near to [begin, end) as possible. */
static long map_stub(long hole, long hole_end, long begin, long end) {
    const long flags = MAP_PRIVATE | MAP_ANONYMOUS, all = PROT_READ | PROT_WRITE;
    if (hole_end - hole >= PAGE)
        return RAW(CALL_mmap, hole, PAGE, all, flags | MAP_FIXED, -1, 0);
    for (long distance = 0; distance < 3l << 20; distance += PAGE)
        for (int before = 0; before < 2; before++) {
            long address = before ? begin - PAGE - distance : end + distance;
            long result = RAW(CALL_mmap, address, PAGE, all, flags | MAP_FIXED_NOREPLACE, -1, 0);
            if (result == address)
                return result;
            if (!is_error(result))
                RAW(CALL_munmap, result, PAGE, 0, 0, 0, 0);
        }
    return -1;
}

long atomc_map_near(unsigned long begin, unsigned long end) {
    return map_stub(0, 0, (long)begin, (long)end);
}

/* ---- text ------------------------------------------------------------------------------------------------- */

/* A mapping of an object's text from its file. */
struct text {
    int file;
    long bias;           /* from addresses in the file to those in memory */
    long begin, end;     /* of the segment, in memory */
    long protection;     /* of the segment */
    long hole, hole_end; /* after it, in memory */
    struct object *object;
};

static long read_object_file(const struct text *text, void *to, long size, long offset) {
    return RAW(CALL_pread64, text->file, to, size, offset, 0, 0);
}

static void start_object(struct text *text) {
    struct object *object = text->object = new_object();
    long page = map_stub(text->hole, text->hole_end, text->begin, text->end);
    if (page < 0)
        atomc_give_up("there is no memory near a library for its system calls", "");
    write_stub(object, (uint32_t *)page);
    object->begin = (unsigned long)text->begin;
    object->end = (unsigned long)text->end;
    object->springboards = object->springboards_end = 0;
    object->library = -1;
    object->in_hole = page == text->hole;
    RAW(CALL_mprotect, page, PAGE, PROT_READ | PROT_EXEC, 0, 0, 0);
    RAW(CALL_mprotect, page_down(text->begin), rounded_to_page(text->end) - page_down(text->begin),
        text->protection | PROT_WRITE, 0, 0, 0);
}

unsigned long atomc_system_call_stub(void) {
    static struct object *calls;
    if (!calls) {
        RAW(CALL_mmap, ATOMC_TEXT_CALLS, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        struct object *object = new_object();
        object->begin = object->end = object->springboards = object->springboards_end = 0;
        object->library = -1;
        object->in_hole = 0;
        write_stub(object, (uint32_t *)ATOMC_TEXT_CALLS);
        flush_new_code();
        calls = object;
    }
    return calls->stub;
}

static void gate_call(struct text *text, uint32_t *word) {
    if (!text->object)
        start_object(text);
    long distance = ((long)text->object->stub - (long)(word + 1)) / 4;
    if (distance >= BRANCH_REACH || distance < -BRANCH_REACH)
        atomc_give_up("a system call in a library is too far from the end of its text", "");
    *word = ALPHA_BRANCH_WORD(BR, ALPHA_AT, distance);
}

enum { PAIRS = 16 }; /* processed together */

/* True if one of 16 pairs may contain an instruction whose highest byte is 0, like that of a system
   call. */
static inline int may_call(const pair *pairs) {
    uint64_t zeros = 0;
#pragma GCC unroll 16
    for (int i = 0; i < PAIRS; i++)
        zeros |= (uint64_t)__builtin_alpha_cmpbge(0, (long)pairs[i]);
    return (zeros & 0x88) != 0;
}

static void gate_section(struct text *text, const Elf64_Shdr *section) {
    uint32_t *words = (uint32_t *)(text->bias + (long)section->sh_addr), *word = words;
    uint32_t *end = word + section->sh_size / 4;
    if ((long)word < text->begin || (long)end > text->end)
        return;
    while (word < end) {
        if (((long)word & 7) == 0 && end - word >= 2 * PAIRS && !may_call((const pair *)word)) {
            word += 2 * PAIRS;
            continue;
        }
        uint32_t *next = end - word >= 2 * PAIRS ? word + 2 * PAIRS - ((long)word >> 2 & 1) : end;
        for (; word < next; word++)
            if (*word == ALPHA_PAL_CALLSYS &&
                alpha_is_system_call(words, (size_t)(end - words), (size_t)(word - words)))
                gate_call(text, word);
    }
}

/* Uses the addresses that atomc has found in this file. Returns false if the text has to be searched. In an
   instrumented library, branches to copies may be there instead. */
static int gate_known(struct text *text, long library) {
    const struct atomc_library_calls *known = atomc_find_library_calls(text->file);
    const uint32_t *addresses = known ? (const uint32_t *)known->addresses : 0;
    for (uint64_t i = 0; known && i < known->count; i++) {
        const uint32_t *word = (const uint32_t *)(text->bias + addresses[i]);
        if ((long)word >= text->begin && (long)(word + 1) <= text->end && *word != ALPHA_PAL_CALLSYS &&
            library < 0)
            return 0;
    }
    for (uint64_t i = 0; known && i < known->count; i++) {
        uint32_t *word = (uint32_t *)(text->bias + addresses[i]);
        if ((long)word >= text->begin && (long)(word + 1) <= text->end && *word == ALPHA_PAL_CALLSYS)
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
    flush_new_code();
}

static int is_object(const Elf64_Ehdr *header) {
    return header->e_ident[0] == 0x7f && header->e_ident[1] == 'E' && header->e_ident[2] == 'L' &&
           header->e_ident[3] == 'F' && header->e_machine == MACHINE_ALPHA && header->e_type == ET_DYN &&
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
    for (unsigned i = 0; i < objects_used; i++)
        if (objects[i].taken && objects[i].library >= 0 && objects[i].begin >= begin && objects[i].end <= end)
            atomc_after_library(objects[i].library, registers);
}

static void forget_range(unsigned long begin, unsigned long end) {
    for (unsigned i = 0; i < objects_used; i++)
        if (objects[i].taken && objects[i].begin >= begin && objects[i].end <= end) {
            if (objects[i].library >= 0)
                atomc_leave_library(objects[i].library);
            objects[i].begin = objects[i].end = objects[i].stub = 0;
            __sync_lock_release(&objects[i].taken);
        }
}

static void make_executable_again(unsigned long from, unsigned long to, unsigned long begin,
                                  unsigned long end) {
    if (from < to && from < end && to > begin)
        RAW(CALL_mprotect, from, to - from, PROT_READ | PROT_EXEC, 0, 0, 0);
}

/* The dynamic linker protects the hole after a library's text, which contains the stubs. */
static void open_stubs(unsigned long begin, unsigned long end) {
    for (unsigned i = 0; i < objects_used; i++) {
        if (!objects[i].taken)
            continue;
        make_executable_again(objects[i].stub, objects[i].stub + PAGE, begin, end);
        make_executable_again(objects[i].springboards, objects[i].springboards_end, begin, end);
    }
}

void atomc_object_call(long *registers) {
    long *a = registers + 16, number = registers[0], flags = a[3]; /* $19, which the result changes */
    if ((number == CALL_munmap || (number == CALL_mmap && flags & MAP_FIXED)) && page_down(a[0]) == a[0])
        announce_end((unsigned long)a[0], (unsigned long)(a[0] + rounded_to_page(a[1])), registers);
    long result =
        number == CALL_mmap ? atomc_map_program(a) : RAW(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    set_result(registers, result);
    if (is_error(result))
        return;
    if (number == CALL_mprotect) {
        open_stubs((unsigned long)a[0], (unsigned long)(a[0] + rounded_to_page(a[1])));
    } else if (number == CALL_munmap) {
        forget_range((unsigned long)a[0], (unsigned long)(a[0] + rounded_to_page(a[1])));
    } else {
        if (flags & MAP_FIXED)
            forget_range((unsigned long)a[0], (unsigned long)(a[0] + rounded_to_page(a[1])));
        if (a[2] & PROT_EXEC && flags & MAP_PRIVATE && !(flags & MAP_ANONYMOUS))
            gate_mapping((int)a[4], result, a[1], a[5], a[2], registers);
    }
}

unsigned long atomc_object_pc(unsigned long pc, unsigned long link) {
    for (unsigned i = 0; i < objects_used; i++) {
        if (!objects[i].taken || pc - objects[i].stub >= (unsigned long)PAGE)
            continue;
        for (int k = 0; k < 3; k++)
            if (pc == objects[i].calls[k])
                return link - 4;
        return pc == objects[i].calls[0] + 4 || pc == objects[i].calls[2] + 4 ? link : 0;
    }
    return 0;
}

int atomc_in_stub(unsigned long pc) {
    for (unsigned i = 0; i < objects_used; i++)
        if (objects[i].taken && pc - objects[i].stub < (unsigned long)PAGE)
            return 1;
    return 0;
}

/* True for a range that ends after `at`, and begins before the other. */
static int is_next(unsigned long begin, unsigned long end, unsigned long at, unsigned long other) {
    return begin && begin < other && end > at;
}

static int next_object_page(unsigned long at, struct atomc_own_range *next, int *in_hole) {
    next->begin = UINT64_MAX;
    for (unsigned i = 0; i < objects_used; i++) {
        const struct object *object = &objects[i];
        if (!object->taken)
            continue;
        if (is_next(object->stub, object->stub + PAGE, at, next->begin)) {
            *next = (struct atomc_own_range){object->stub, object->stub + PAGE};
            *in_hole = object->in_hole;
        }
        if (is_next(object->springboards, object->springboards_end, at, next->begin)) {
            *next = (struct atomc_own_range){object->springboards, object->springboards_end};
            *in_hole = 1;
        }
    }
    return next->begin != UINT64_MAX;
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
    if (end > file_end && segment->p_flags & PF_W) /* up to the page's end, as the linker expects */
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
    atomc_next_object_page = next_object_page;
    const char *name = (const char *)atomc_image.interpreter;
    Elf64_Ehdr header;
    Elf64_Phdr segments[HEADERS];
    long low = -1, high = 0,
         alignment = PAGE; /* QEMU since 9 aligns it by its segments; earlier versions by pages */
    int file = (int)RAW(CALL_open, name, 0, 0, 0, 0, 0);
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
        if ((long)segment->p_align > alignment && PAGE != ALPHA_PAGE)
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
