/* text.c: finds the range of an object's text if its sections do not cover all of it. Requires checked
   segments. Sections are for linkers. A file may have no sections (sstrip), or sections of size 0, and the
   kernel and the dynamic linker never read them. The part of the executable segment outside of all sections
   is searched for code: code at addresses in headers or in the data, code that calls reach, and code that
   begins like a procedure. Everything from the first to the last such code is text, including data in
   between. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "engine/object/internal.h"
#include "support/search.h"

struct range {
    uint64_t begin, end;
};

struct search {
    const struct architecture *architecture;
    const struct program *program;
    const struct segment *segment; /* the executable segment */
    /* ranges in it: sections, headers and tables, by address, without overlap */
    struct range *known;
    size_t known_count, known_capacity;
    struct range *gaps; /* the gaps between them, in whole words */
    size_t gap_count;
    struct range text; /* the known range of code; if it is empty, its end is 0 */
};

/* ---- data in the text, and the extent of sections ---------------------------------------------------------- */

static void add_known(struct search *search, uint64_t address, uint64_t size) {
    const struct segment *segment = search->segment;
    uint64_t end = segment->address + segment->file_size;
    if (size == 0 || address >= end || address + size <= segment->address)
        return;
    ARENA_RESERVE(search->program->scratch, search->known, search->known_count, search->known_capacity);
    search->known[search->known_count++] = (struct range){
        address < segment->address ? segment->address : address, address + size > end ? end : address + size};
}

static void add_sections(struct search *search) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(search->program->elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type != SHT_NULL && header.sh_type != SHT_NOBITS &&
            header.sh_flags & SHF_ALLOC)
            add_known(search, header.sh_addr + search->program->base, header.sh_size);
    }
}

static void add_headers(struct search *search) {
    const struct program *program = search->program;
    uint64_t file_start = search->segment->address - search->segment->file_offset;
    if (search->segment->file_offset < sizeof(Elf64_Ehdr))
        add_known(search, search->segment->address, sizeof(Elf64_Ehdr) - search->segment->file_offset);
    add_known(search, file_start + program->program_header_offset,
              program->program_header_count * sizeof(Elf64_Phdr));
    for (uint32_t i = 0; i < program->program_header_count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(program->elf, (int)i, &header) && header.p_type != PT_LOAD &&
            header.p_type != PT_NULL && header.p_type != PT_GNU_STACK && header.p_type != PT_GNU_RELRO)
            add_known(search, header.p_vaddr + program->base, header.p_filesz);
    }
}

/* Tables that the dynamic linker reads. For a table without a size, its first bytes, because only other
   tables follow it. */
static void add_tables(struct search *search) {
    static const int64_t sized[][2] = {{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}, {DT_STRTAB, DT_STRSZ}};
    static const int64_t others[] = {DT_SYMTAB, DT_HASH, DT_GNU_HASH, DT_VERSYM, DT_VERNEED, DT_VERDEF};
    const struct program *program = search->program;
    uint64_t address, size, strings;
    for (size_t i = 0; i < sizeof sized / sizeof sized[0]; i++)
        if (dynamic_tag(program, sized[i][0], &address) && dynamic_tag(program, sized[i][1], &size))
            add_known(search, address + program->base, size);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (dynamic_tag(program, others[i], &address))
            add_known(search, address + program->base, 8);
    if (dynamic_tag(program, DT_SYMTAB, &address) && dynamic_tag(program, DT_STRTAB, &strings) &&
        address < strings)
        add_known(search, address + program->base, strings - address);
}

static int by_begin(const void *left, const void *right) {
    const struct range *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static uint32_t text_word_at(const struct search *search, uint64_t address) {
    const struct segment *segment = search->segment;
    uint32_t word;
    memcpy(&word, search->program->image + segment->file_offset + (address - segment->address), sizeof word);
    return word;
}

static struct facts facts_at(const struct search *search, uint64_t address) {
    struct facts facts;
    search->architecture->decode(text_word_at(search, address), &facts);
    return facts;
}

/* A gap that contains only the linker's padding is not searched. */
static bool has_instructions(const struct search *search, uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end; at += 4)
        if (text_word_at(search, at) != 0 && !(facts_at(search, at).flags & FACT_NOP))
            return true;
    return false;
}

static void find_gaps(struct search *search) {
    const struct segment *segment = search->segment;
    uint64_t at = segment->address, end = segment->address + segment->file_size;
    if (search->known_count)
        qsort(search->known, search->known_count, sizeof *search->known, by_begin);
    search->gaps = arena_allocate(search->program->scratch, (search->known_count + 1) * sizeof *search->gaps);
    for (size_t i = 0; i <= search->known_count; i++) {
        uint64_t next = i < search->known_count ? search->known[i].begin : end;
        uint64_t first = (at + 3) & ~UINT64_C(3), last = next & ~UINT64_C(3);
        if (next > at && first < last && has_instructions(search, first, last))
            search->gaps[search->gap_count++] = (struct range){first, last};
        if (i < search->known_count && search->known[i].end > at)
            at = search->known[i].end;
    }
}

/* ---- code -------------------------------------------------------------------------------------------------- */

static const struct range *gap_with(const struct search *search, uint64_t address) {
    size_t low = FIRST_NOT(0, search->gap_count, at, search->gaps[at].end <= address);
    return low < search->gap_count && address >= search->gaps[low].begin && address % 4 == 0
               ? &search->gaps[low]
               : NULL;
}

static uint64_t branch_to(const struct search *search, uint64_t address) {
    return address + (uint64_t)search->architecture->constants(text_word_at(search, address)).value;
}

/* Kinds of evidence: a word of data may be an address of code or of data. A branch in the text is evidence of
   code unless there are data at its address. Headers, symbols and the first instructions of a procedure are
   certain. */
enum evidence { POINTED, REACHED, CERTAIN };

/* True if the word at the end of a path ends a procedure. Data may look like any instruction, but rarely
   like a return. */
static bool ends_procedure(const struct search *search, const struct facts *facts, enum evidence evidence) {
    return evidence == CERTAIN || (evidence == REACHED && branches_or_jumps(facts)) ||
           (facts->class == CLASS_RETURN && facts->target == search->architecture->registers.link);
}

/* The end of the procedure at the address: after the first word after which control does not continue, and
   beyond which no branch of the procedure leads. A jump belongs to a switch if its register is not that of
   calls and returns. 0: there is no procedure. */
static uint64_t procedure_end(const struct search *search, uint64_t address, enum evidence evidence) {
    const struct range *gap = gap_with(search, address);
    const struct conventions_of_machine *registers = &search->architecture->registers;
    for (uint64_t at = address, furthest = address; gap && at < gap->end; at += 4) {
        const struct facts facts = facts_at(search, at);
        bool is_indirect = facts.flags & FACT_INDIRECT;
        if (facts.class == CLASS_UNKNOWN)
            return 0;
        if (branches_or_jumps(&facts) && !is_indirect && facts.class != CLASS_CALL &&
            branch_to(search, at) > furthest && branch_to(search, at) < gap->end)
            furthest = branch_to(search, at);
        bool is_switch =
            is_indirect && facts.target != registers->link && facts.target != registers->procedure_value;
        if (search->architecture->words.ends_path(text_word_at(search, at)) && !is_switch && at >= furthest)
            return ends_procedure(search, &facts, evidence) ? at + 4 : 0;
    }
    return 0;
}

/* Notes code at the address, up to the end of its procedure. Returns true if that is new. */
static bool note_code(struct search *search, uint64_t address, enum evidence evidence) {
    if (!gap_with(search, address) || (address >= search->text.begin && address < search->text.end))
        return false;
    uint64_t end = procedure_end(search, address, evidence);
    if (!end && evidence != CERTAIN)
        return false;
    end = end ? end : gap_with(search, address)->end;
    if (search->text.end == 0)
        search->text = (struct range){address, end};
    if (address < search->text.begin)
        search->text.begin = address;
    if (end > search->text.end)
        search->text.end = end;
    return true;
}

static bool is_code_word(const struct search *search, uint64_t address) {
    return address >= search->text.begin && address < search->text.end;
}

static void add_beginnings(struct search *search) {
    for (size_t i = 0; i < search->gap_count; i++)
        for (uint64_t at = search->gaps[i].begin; at + 8 <= search->gaps[i].end; at += 4)
            if (search->architecture->words.begins_procedure(text_word_at(search, at),
                                                             text_word_at(search, at + 4)))
                note_code(search, at, CERTAIN);
}

/* The linkage table begins with a head before its first entry. */
static void add_linkage(struct search *search) {
    const struct program *program = search->program;
    uint64_t at, size, slot;
    if (!dynamic_tag(program, DT_JMPREL, &at) || !dynamic_tag(program, DT_PLTRELSZ, &size))
        return;
    for (at += program->base; size >= sizeof(Elf64_Rela);
         size -= sizeof(Elf64_Rela), at += sizeof(Elf64_Rela)) {
        const void *entry = program_bytes(program, at, sizeof(Elf64_Rela));
        Elf64_Rela relocation = {0};
        if (entry)
            memcpy(&relocation, entry, sizeof relocation);
        const void *word = program_bytes(program, relocation.r_offset + program->base, sizeof slot);
        if (!entry || !word)
            continue;
        memcpy(&slot, word, sizeof slot);
        note_code(search, slot + program->base - LINKAGE_HEAD, CERTAIN);
        note_code(search, slot + program->base, CERTAIN);
    }
}

/* Adds the symbols for the dynamic linker. Their strings follow them. */
static void add_symbols(struct search *search) {
    const struct program *program = search->program;
    uint64_t at, end;
    if (!dynamic_tag(program, DT_SYMTAB, &at) || !dynamic_tag(program, DT_STRTAB, &end))
        return;
    for (; at < end && end - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
        const void *bytes = program_bytes(program, at + program->base, sizeof(Elf64_Sym));
        Elf64_Sym symbol = {0};
        if (!bytes)
            return;
        memcpy(&symbol, bytes, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
            note_code(search, symbol.st_value + program->base, CERTAIN);
    }
}

static void add_named(struct search *search, uint64_t entry) {
    static const int64_t tags[] = {DT_INIT, DT_FINI};
    uint64_t address;
    note_code(search, entry, CERTAIN);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (dynamic_tag(search->program, tags[i], &address))
            note_code(search, address + search->program->base, CERTAIN);
    add_linkage(search);
    add_symbols(search);
}

/* Adds code whose address is in the data, if it ends like a procedure. */
static void add_pointed(struct search *search) {
    const struct program *program = search->program;
    for (uint32_t s = 0; s < program->segment_count; s++) {
        const struct segment *segment = &program->segments[s];
        uint64_t begin = (segment->address + 7) & ~UINT64_C(7);
        if (segment == search->segment)
            continue;
        for (uint64_t at = begin; at + 8 <= segment->address + segment->file_size; at += 8) {
            uint64_t value;
            memcpy(&value, program->image + segment->file_offset + (at - segment->address), sizeof value);
            note_code(search, value + program->base, POINTED);
        }
    }
}

/* Adds the targets of direct branches and calls in known code. */
static bool add_reached(struct search *search) {
    const struct range text = search->text;
    bool is_new = false;
    for (uint64_t at = text.begin; at < text.end; at += 4) {
        if (search->architecture->words.is_branch(text_word_at(search, at)) &&
            !is_code_word(search, branch_to(search, at)))
            is_new |= note_code(search, branch_to(search, at), REACHED);
    }
    return is_new;
}

bool text_complete(struct program *program, const struct segment *executable, uint64_t entry, uint64_t *low,
                   uint64_t *high) {
    struct arena_mark mark = arena_mark(program->scratch);
    struct search search = {.program = program,
                            .architecture = program->architecture,
                            .segment = executable,
                            .text = {*low, *high}};
    add_sections(&search);
    add_headers(&search);
    add_tables(&search);
    find_gaps(&search);
    if (search.gap_count) {
        add_named(&search, entry);
        add_beginnings(&search);
        add_pointed(&search);
        while (search.text.end && add_reached(&search))
            continue;
    }
    arena_release(program->scratch, mark);
    bool is_more = search.text.begin != *low || search.text.end != *high;
    *low = search.text.begin;
    *high = search.text.end;
    return is_more;
}
