/* landing_pads.c: reads .eh_frame (LSB core specification, DWARF 5 6.4) and the language-specific data areas
   of C++
   (.gcc_except_table). Requires a checked program; every offset is bounds-checked, malformed entries are
   skipped. */
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cfg/internal.h"

/* A bounded view of loaded bytes; `failed` is set by any read past the end. */
struct cursor {
    const uint8_t *at, *end;
    uint64_t address; /* of *at in the program */
    bool failed;
    uint64_t base; /* of the object */
};

static uint64_t read_bytes(struct cursor *cursor, unsigned size) {
    uint64_t value = 0;
    if ((size_t)(cursor->end - cursor->at) < size) {
        cursor->failed = true;
        cursor->at = cursor->end;
        return 0;
    }
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)cursor->at[i] << 8 * i;
    cursor->at += size;
    cursor->address += size;
    return value;
}
static uint64_t read_uleb128(struct cursor *cursor) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = read_bytes(cursor, 1);
        if (shift < 64)
            value |= (byte & 127) << shift;
        if (!(byte & 128) || cursor->failed)
            return value;
    }
}
static int64_t read_sleb128(struct cursor *cursor) {
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
        uint64_t byte = read_bytes(cursor, 1);
        if (shift < 64)
            value |= (byte & 127) << shift;
        shift += 7;
        if (!(byte & 128) || cursor->failed) {
            if (byte & 64 && shift < 64)
                value |= ~UINT64_C(0) << shift;
            return (int64_t)value;
        }
    }
}
/* DW_EH_PE_* pointer; data-relative and function-relative bases do not occur on Alpha/Linux. */
static uint64_t read_encoded(struct cursor *cursor, unsigned encoding) {
    uint64_t base = cursor->address, value;
    if (encoding == DW_EH_PE_omit)
        return 0;
    switch (encoding & 15) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        value = read_bytes(cursor, 8);
        break;
    case DW_EH_PE_uleb128:
        value = read_uleb128(cursor);
        break;
    case DW_EH_PE_sleb128:
        value = (uint64_t)read_sleb128(cursor);
        break;
    case DW_EH_PE_udata2:
        value = read_bytes(cursor, 2);
        break;
    case DW_EH_PE_sdata2:
        value = (uint64_t)(int16_t)read_bytes(cursor, 2);
        break;
    case DW_EH_PE_udata4:
        value = read_bytes(cursor, 4);
        break;
    case DW_EH_PE_sdata4:
        value = (uint64_t)(int32_t)read_bytes(cursor, 4);
        break;
    default:
        cursor->failed = true;
        return 0;
    }
    if ((encoding & 0x70) == DW_EH_PE_pcrel)
        value = value ? value + base : 0;
    else if (encoding & 0x70)
        cursor->failed = true;
    return value; /* DW_EH_PE_indirect only occurs for personalities and types */
}

/* The fields of a common information entry that its frame description entries need. */
struct common_entry {
    uint8_t pointer_encoding, lsda_encoding;
    bool augmented; /* 'z': augmentation data are present and have a length */
};

static bool read_common_entry(struct cursor cursor, struct common_entry *common) {
    common->pointer_encoding = DW_EH_PE_absptr;
    common->lsda_encoding = DW_EH_PE_omit;
    unsigned version = read_bytes(&cursor, 1);
    const uint8_t *text = cursor.at;
    size_t length = strnlen((const char *)text, cursor.end - cursor.at);
    if (length == (size_t)(cursor.end - cursor.at) || (version != 1 && version != 3))
        return false;
    cursor.at += length + 1;
    cursor.address += length + 1;
    read_uleb128(&cursor); /* code alignment */
    read_sleb128(&cursor); /* data alignment */
    if (version == 1)
        read_bytes(&cursor, 1);
    else
        read_uleb128(&cursor);
    common->augmented = length && text[0] == 'z';
    if (length && !common->augmented)
        return false;
    if (common->augmented)
        read_uleb128(&cursor);
    for (size_t i = 1; i < length && !cursor.failed; i++)
        switch (text[i]) {
        case 'R':
            common->pointer_encoding = read_bytes(&cursor, 1);
            break;
        case 'L':
            common->lsda_encoding = read_bytes(&cursor, 1);
            break;
        case 'P': {
            unsigned encoding = read_bytes(&cursor, 1);
            read_encoded(&cursor, encoding & 0x7f);
            break;
        }
        case 'S':
            break;
        default:
            return false;
        }
    return !cursor.failed;
}

/* `entry` starts after the length; `section` is all of .eh_frame. */
static void read_frame_entry(struct block_search *analysis, struct cursor section, struct cursor entry) {
    uint64_t here = entry.address;
    uint64_t common_offset = read_bytes(&entry, 4);
    struct common_entry common;
    if (common_offset == 0)
        return; /* a common information entry */
    uint64_t common_address = here - common_offset;
    if (common_address < section.address ||
        common_address - section.address > (uint64_t)(section.end - section.at))
        return;
    struct cursor at_common = section;
    at_common.at += common_address - section.address;
    at_common.address = common_address;
    uint64_t length = read_bytes(&at_common, 4);
    if (length == UINT32_MAX || length > (uint64_t)(at_common.end - at_common.at))
        return;
    at_common.end = at_common.at + length;
    if (read_bytes(&at_common, 4) != 0 || !read_common_entry(at_common, &common))
        return;
    uint64_t begin = read_encoded(&entry, common.pointer_encoding);
    if (!(common.pointer_encoding & 0x70)) /* absolute */
        begin += section.base;
    uint64_t size = read_encoded(&entry, common.pointer_encoding & 15);
    uint64_t lsda = 0;
    if (common.augmented) {
        uint64_t augmentation = read_uleb128(&entry);
        if (augmentation && common.lsda_encoding != DW_EH_PE_omit)
            lsda = read_encoded(&entry, common.lsda_encoding);
        if (lsda && !(common.lsda_encoding & 0x70))
            lsda += section.base;
    }
    const struct program *program = analysis->program;
    uint32_t first = instruction_at(program, begin);
    if (entry.failed || first == NO_INDEX || size == 0 ||
        size > 4 * (uint64_t)(program->instruction_count - first))
        return;
    ARENA_RESERVE(analysis->arena, analysis->frames.entries, analysis->frames.count,
                  analysis->frames.capacity);
    analysis->frames.entries[analysis->frames.count++] =
        (struct frame_entry){begin, begin + (size & ~3ull), lsda};
}

static int compare_frames(const void *left, const void *right) {
    const struct frame_entry *a = left, *b = right;
    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1) : (a->end > b->end) - (a->end < b->end);
}

bool find_section(const struct program *program, const char *wanted, uint64_t *address, uint64_t *size) {
    size_t names;
    if (elf_getshdrstrndx(program->elf, &names) != 0)
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(program->elf, section));) {
        GElf_Shdr header;
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(program->elf, names, header.sh_name) : NULL;
        if (name && header.sh_flags & SHF_ALLOC && strcmp(name, wanted) == 0) {
            *address = header.sh_addr + program->base;
            *size = header.sh_size;
            /* The kernel does not read the section's address, which may be wrong. */
            return program_bytes(program, *address, *size) == program->image + header.sh_offset;
        }
    }
    return false;
}

/* The end of the last entry in the table of .eh_frame_hdr; 0 if there is none. `header` is after the
   encodings, which are those of GNU ld. */
static uint64_t last_frame_end(const struct program *whole, struct cursor header, uint64_t start) {
    uint64_t last = 0;
    int32_t length;
    for (uint64_t count = read_bytes(&header, 4); count > 0 && !header.failed; count--) {
        read_bytes(&header, 4); /* where the procedure begins */
        uint64_t entry = start + (uint64_t)(int64_t)(int32_t)read_bytes(&header, 4);
        last = entry > last ? entry : last;
    }
    return !header.failed && last && program_word32(whole, last, &length) ? last + 4 + (uint32_t)length : 0;
}

/* True if it is a common information entry, or refers to one after `start`. */
static bool is_common_entry(const struct cursor *start, struct cursor entry) {
    uint64_t here = entry.address, common = read_bytes(&entry, 4);
    struct common_entry read;
    if (entry.failed)
        return false;
    if (common == 0)
        return read_common_entry(entry, &read);
    struct cursor at = *start;
    if (common > here - start->address)
        return false;
    at.at += here - common - start->address;
    at.address = here - common;
    uint64_t length = read_bytes(&at, 4);
    if (length > (uint64_t)(at.end - at.at))
        return false;
    at.end = at.at + length;
    return read_bytes(&at, 4) == 0 && read_common_entry(at, &read);
}

/* The size of the entries; 0 if there are none. */
static uint64_t entries_size(const struct cursor *start) {
    struct cursor cursor = *start;
    uint64_t size = 0;
    while (cursor.end - cursor.at >= 4) {
        uint64_t length = read_bytes(&cursor, 4);
        struct cursor entry = cursor;
        if (length > (uint64_t)(cursor.end - cursor.at))
            break;
        entry.end = cursor.at + length;
        if (length && !is_common_entry(start, entry))
            break;
        cursor.at += length;
        cursor.address += length;
        size = length ? cursor.address - start->address : size;
    }
    return size;
}

/* A static program refers to its frames only in code: searches for the first common information entry. */
static bool search_frames(const struct program *object, uint64_t *address, uint64_t *size) {
    enum { LEAST = 64 };
    for (uint32_t i = 0; i < object->segment_count; i++) {
        const struct segment *segment = &object->segments[i];
        const uint8_t *bytes = object->image + segment->file_offset;
        for (uint64_t at = -segment->address & 3; at + LEAST <= segment->file_size; at += 4) {
            /* Its number is 0, its version 1, and its augmentation begins with z. */
            const uint8_t *word = bytes + at;
            if (word[4] || word[5] || word[6] || word[7] || word[8] != 1 || word[9] != 'z')
                continue;
            struct cursor start = {word, bytes + segment->file_size, segment->address + at, false,
                                   object->base};
            *address = start.address;
            *size = entries_size(&start);
            if (*size >= LEAST)
                return true;
        }
    }
    return false;
}

/* Without a section, uses the program header, as libgcc does. */
static bool find_frames(const struct program *whole, const struct program *object, uint64_t *address,
                        uint64_t *size) {
    if (find_section(object, ".eh_frame", address, size) && *size > 0)
        return true;
    for (uint32_t i = 0; i < object->program_header_count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(object->elf, (int)i, &header) || header.p_type != PT_GNU_EH_FRAME)
            continue;
        uint64_t start = header.p_vaddr + object->base;
        const uint8_t *bytes = program_bytes(whole, start, header.p_filesz);
        struct cursor cursor = {bytes, bytes ? bytes + header.p_filesz : NULL, start, false, object->base};
        const uint8_t expected[] = {1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
                                    DW_EH_PE_datarel | DW_EH_PE_sdata4};
        if (!bytes || header.p_filesz < sizeof expected || memcmp(bytes, expected, sizeof expected) != 0)
            continue;
        read_bytes(&cursor, sizeof expected);
        *address = read_encoded(&cursor, expected[1]);
        uint64_t end = last_frame_end(whole, cursor, start);
        *size = end - *address;
        return end > *address;
    }
    return search_frames(object, address, size);
}

static void read_frames_of(struct block_search *analysis, const struct program *object) {
    uint64_t address, size;
    if (!find_frames(analysis->program, object, &address, &size))
        return;
    const uint8_t *bytes = program_bytes(analysis->program, address, size);
    if (!bytes)
        return;
    struct cursor section = {bytes, bytes + size, address, false, object->base}, cursor = section;
    while (cursor.end - cursor.at >= 4) {
        uint64_t length = read_bytes(&cursor, 4);
        if (length == 0)
            continue; /* a terminator; the linker may have left others before the end */
        if (length == UINT32_MAX || length > (uint64_t)(cursor.end - cursor.at))
            break;
        struct cursor entry = cursor;
        entry.end = cursor.at + length;
        read_frame_entry(analysis, section, entry);
        cursor.at += length;
        cursor.address += length;
    }
}

void frames_read(struct block_search *analysis) {
    for (uint32_t k = 0; k <= analysis->program->library_count; k++)
        read_frames_of(analysis, object_number(analysis->program, k));
    if (analysis->frames.count)
        qsort(analysis->frames.entries, analysis->frames.count, sizeof *analysis->frames.entries,
              compare_frames);
}

/* The call-site table of GCC's LSDA: start, length, landing pad (from the landing pad base), action. */
static void mark_landing_pads(struct block_search *analysis, const struct frame_entry *frame) {
    const struct program *whole = analysis->program;
    const struct program *program = object_holding(whole, instruction_at(whole, frame->begin));
    const struct segment *holder = NULL;
    for (uint32_t i = 0; i < program->segment_count; i++)
        if (program_bytes(program, frame->lsda, 4) && frame->lsda >= program->segments[i].address &&
            frame->lsda - program->segments[i].address < program->segments[i].file_size)
            holder = &program->segments[i];
    if (!holder)
        return;
    uint64_t available = holder->address + holder->file_size - frame->lsda;
    const uint8_t *bytes = program_bytes(program, frame->lsda, available);
    if (!bytes)
        return;
    struct cursor cursor = {bytes, bytes + available, frame->lsda, false, program->base};
    uint64_t base = frame->begin;
    unsigned encoding = read_bytes(&cursor, 1);
    if (encoding != DW_EH_PE_omit)
        base = read_encoded(&cursor, encoding);
    if (read_bytes(&cursor, 1) != DW_EH_PE_omit)
        read_uleb128(&cursor); /* offset of the type table */
    encoding = read_bytes(&cursor, 1);
    uint64_t length = read_uleb128(&cursor);
    if (cursor.failed || length > (uint64_t)(cursor.end - cursor.at))
        return;
    cursor.end = cursor.at + length;
    while (cursor.at < cursor.end && !cursor.failed) {
        read_encoded(&cursor, encoding & 15);
        read_encoded(&cursor, encoding & 15);
        uint64_t pad = read_encoded(&cursor, encoding & 15);
        read_uleb128(&cursor);
        uint32_t instruction = pad ? instruction_at(whole, base + pad) : NO_INDEX;
        if (!cursor.failed && instruction != NO_INDEX)
            analysis->leaders[instruction] |= LEADER_LANDING_PAD;
    }
}

void landing_pads_mark(struct block_search *analysis) {
    for (size_t i = 0; i < analysis->frames.count; i++)
        if (analysis->frames.entries[i].lsda)
            mark_landing_pads(analysis, &analysis->frames.entries[i]);
}
