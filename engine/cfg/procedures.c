/* procedures.c: partitions the text into procedures, from symbols, .eh_frame, calls and the shape of
   entries. Requires a checked program; afterwards every instruction belongs to exactly one procedure.

   Extents. A FUNC or NOTYPE symbol with a size, and a frame description entry, give the end of a procedure;
   a symbol or entry inside such an extent is an alternate entry of that procedure, except for a FUNC symbol
   that reaches beyond the extent's end: that one starts a separate procedure. A symbol without size extends
   to the next start. Symbols have priority over frame entries. In the rest, procedures start at the
   program's entry, at targets of calls (direct, or loaded from the GOT), and where the data base is
   computed from the procedure's own address (ldgp on $27), which occurs only at entries; other code is a gap.
   Words of padding (no-ops and zeros) after an extent belong to the procedure before them. A wrong partition
   costs precision only: the passes after this one follow control across procedures. */
#include <elf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cfg/internal.h"
#include "support/search.h"

bool is_plain(const struct facts *facts) {
    return facts->transfer == TRANSFER_NONE && facts->class != CLASS_PAL &&
           !(facts->flags & (FACT_EXCLUSIVE_BEGIN | FACT_EXCLUSIVE_END));
}

uint32_t branch_target(const struct program *program, uint32_t instruction) {
    int64_t distance = program->architecture->distance(program->text[instruction]);
    int64_t target = (int64_t)instruction + distance / 4;
    const struct program *object = object_holding(program, instruction);
    int64_t begin = object->first_instruction, end = begin + object->own_count;
    return target < begin || target >= end ? NO_INDEX : (uint32_t)target;
}

bool data_base_set_at(const struct program *program, uint32_t instruction, unsigned base, int64_t *offset) {
    if (instruction + 1 >= program->instruction_count)
        return false;
    const unsigned data_base = program->architecture->registers.data_base;
    const struct facts *high = facts_of(program, instruction), *low = facts_of(program, instruction + 1);
    if (!adds_constant(high) || !(high->flags & FACT_HIGH_PART) || high->operand[0] != data_base ||
        high->operand[1] != base)
        return false;
    if (!adds_constant(low) || low->flags & FACT_HIGH_PART || low->operand[0] != data_base ||
        low->operand[1] != data_base)
        return false;
    *offset = constants_of(program, instruction).value + constants_of(program, instruction + 1).value;
    return true;
}

bool program_word64(const struct program *program, uint64_t address, uint64_t *value) {
    const struct relocation *relocation = relocation_at(program, address);
    if (relocation) {
        *value = relocation->value;
        return relocation->known;
    }
    const uint8_t *bytes = program_bytes(program, address, 8);
    *value = 0;
    for (int i = 0; bytes && i < 8; i++)
        *value |= (uint64_t)bytes[i] << 8 * i;
    return bytes;
}
bool program_word32(const struct program *program, uint64_t address, int32_t *value) {
    const uint8_t *bytes = program_bytes(program, address, 4);
    uint32_t word = 0;
    for (int i = 0; bytes && i < 4; i++)
        word |= (uint32_t)bytes[i] << 8 * i;
    *value = (int32_t)word;
    return bytes;
}

uint64_t common_data_base(const struct block_search *analysis, uint32_t instruction) {
    uint64_t data_base = analysis->object_bases[object_number_of(analysis->program, instruction)];
    return data_base == 1 ? 0 : data_base;
}

/* ---- candidates ------------------------------------------------------------------------------- */

/* Marks of an instruction during the partition. */
enum mark {
    MARK_START = 1,     /* a procedure starts */
    MARK_ALTERNATE = 2, /* named, or entered by calls, but inside another procedure */
    MARK_EXTENT = 4,    /* inside a known extent */
    MARK_ORIGIN = 8,    /* enum procedure_origin in the two bits from here */
    MARK_UNTYPED = 32,  /* its symbols do not indicate whether it is code */
};
struct partition {
    struct block_search *analysis;
    uint8_t *marks;              /* per instruction */
    struct text_symbol *symbols; /* the program uses them later */
    size_t symbol_count, symbol_capacity;
};

/* The name that users know is the first: `malloc` before `__libc_malloc`; then the stronger binding. */
static uint32_t name_rank(const char *name, unsigned type, unsigned binding) {
    uint32_t underscores = strspn(name, "_");
    if (name[0] == '_' && name[1] == 'Z')
        underscores = 0; /* C++ */
    uint32_t rank = binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
    return (type != STT_FUNC) << 8 | (underscores > 15 ? 15 : underscores) << 4 |
           (binding == STB_LOCAL) << 3 | rank;
}

/* `is_old`: only programs linked with an older version of the library use it (NAME@VERSION). */
static void add_text_symbol(struct partition *partition, const struct program *object, const GElf_Sym *symbol,
                            const char *name, bool is_old) {
    const struct program *program = partition->analysis->program;
    unsigned type = GELF_ST_TYPE(symbol->st_info), binding = GELF_ST_BIND(symbol->st_info);
    uint32_t first = instruction_at(program, symbol->st_value + object->base);
    if (!name || !name[0] || first == NO_INDEX || symbol->st_shndx == SHN_UNDEF ||
        symbol->st_shndx == SHN_ABS || (type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC))
        return;
    bool is_label = type == STT_NOTYPE && binding == STB_LOCAL;
    if (is_label && (name[0] == '.' || name[0] == '$' || name[0] == 'L'))
        return; /* local labels of the assembler and the compiler */
    name = shown_text(partition->analysis->program->arena, name);
    uint64_t count = symbol->st_size / 4;
    if (count > program->instruction_count - first)
        count = 0;
    ARENA_RESERVE(partition->analysis->program->arena, partition->symbols, partition->symbol_count,
                  partition->symbol_capacity);
    partition->symbols[partition->symbol_count++] =
        (struct text_symbol){first,
                             count,
                             name_rank(name, type, binding) | (uint32_t)is_old << 9,
                             type != STT_NOTYPE,
                             is_label && !count,
                             (uint8_t)binding,
                             name};
}

static int compare_symbols(const void *left, const void *right) {
    const struct text_symbol *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* The versions of the section's symbols; NULL: there are none. */
static Elf_Data *versions_of(Elf *elf, Elf_Scn *symbols) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_GNU_versym &&
            header.sh_link == elf_ndxscn(symbols))
            return elf_getdata(section, NULL);
    }
    return NULL;
}

enum { VERSION_HIDDEN = 0x8000 }; /* a bit in a symbol's version */

static void read_symbols_of(struct partition *partition, const struct program *object, uint32_t type) {
    Elf *elf = object->elf;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != type || header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, NULL), *versions = versions_of(elf, section);
        GElf_Sym symbol;
        GElf_Versym version = 0;
        for (int i = 1; data && gelf_getsym(data, i, &symbol); i++) {
            bool is_old = versions && gelf_getversym(versions, i, &version) && version & VERSION_HIDDEN;
            add_text_symbol(partition, object, &symbol, elf_strptr(elf, header.sh_link, symbol.st_name),
                            is_old);
        }
    }
}

/* A symbol table also has the dynamic symbols; a stripped object has only the dynamic symbols. */
static void read_procedure_symbols(struct partition *partition) {
    const struct program *program = partition->analysis->program;
    for (uint32_t k = 0; k <= program->library_count; k++) {
        size_t before = partition->symbol_count;
        read_symbols_of(partition, object_number(program, k), SHT_SYMTAB);
        if (partition->symbol_count == before)
            read_symbols_of(partition, object_number(program, k), SHT_DYNSYM);
    }
    if (partition->symbol_count)
        qsort(partition->symbols, partition->symbol_count, sizeof *partition->symbols, compare_symbols);
}

/* ---- the partition ------------------------------------------------------------------------------ */

static void mark_start(struct partition *partition, uint32_t first, uint32_t count,
                       enum procedure_origin origin) {
    uint8_t *mark = &partition->marks[first];
    if (!(*mark & MARK_START))
        *mark = (*mark & (MARK_EXTENT | MARK_ALTERNATE)) | MARK_START | origin * MARK_ORIGIN;
    for (uint32_t i = 0; i < count; i++)
        partition->marks[first + i] |= MARK_EXTENT;
}

static void mark_symbols(struct partition *partition) {
    uint32_t extent_end = 0;
    for (size_t i = 0, next; i < partition->symbol_count; i = next) {
        const struct text_symbol *symbols = partition->symbols;
        uint32_t first = symbols[i].first, count = 0, function_count = 0;
        bool only_labels = true, untyped = true;
        for (next = i; next < partition->symbol_count && symbols[next].first == first; next++) {
            if (symbols[next].count > count)
                count = symbols[next].count;
            if (symbols[next].is_function && symbols[next].count > function_count)
                function_count = symbols[next].count;
            only_labels &= symbols[next].is_local_label;
            untyped &= !symbols[next].is_function;
        }
        if (first < extent_end && function_count <= extent_end - first) {
            if (!only_labels)
                partition->marks[first] |= MARK_ALTERNATE;
            continue;
        }
        mark_start(partition, first, count ? count : 1, PROCEDURE_SYMBOL);
        if (untyped)
            partition->marks[first] |= MARK_UNTYPED;
        extent_end = first + (count ? count : 1);
    }
}

/* The procedure linkage table has no symbol that marks it as code. */
static void mark_linkage(struct partition *partition) {
    const struct program *program = partition->analysis->program;
    for (uint32_t k = 0; k <= program->library_count; k++) {
        const struct program *object = object_number(program, k);
        uint32_t first = instruction_at(program, object->linkage_begin);
        if (object->linkage_end && first != NO_INDEX)
            mark_start(partition, first, (uint32_t)((object->linkage_end - object->linkage_begin) / 4),
                       PROCEDURE_SYMBOL);
    }
}

static void mark_frames(struct partition *partition) {
    const struct frame_table *frames = &partition->analysis->frames;
    for (size_t i = 0; i < frames->count; i++) {
        uint32_t first = instruction_at(partition->analysis->program, frames->entries[i].begin);
        uint32_t count = (frames->entries[i].end - frames->entries[i].begin) / 4;
        if (partition->marks[first] & MARK_EXTENT || count == 0)
            continue;
        uint32_t extent = 1;
        while (extent < count && !(partition->marks[first + extent] & (MARK_START | MARK_EXTENT)))
            extent++;
        mark_start(partition, first, extent, PROCEDURE_EH_FRAME);
    }
}

static int compare_addresses(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}
/* Collects the data bases. A program has one per 64 KB of GOT; more than a few hundred are not
   plausible. */
static void add_data_base(struct block_search *analysis, uint32_t instruction, uint64_t data_base) {
    uint64_t *of_object = &analysis->object_bases[object_number_of(analysis->program, instruction)];
    *of_object = *of_object == 0 || *of_object == data_base ? data_base : 1;
    for (size_t i = analysis->data_base_count; i-- > 0;)
        if (analysis->data_bases[i] == data_base)
            return;
    if (analysis->data_base_count >= 256)
        return;
    ARENA_RESERVE(analysis->arena, analysis->data_bases, analysis->data_base_count,
                  analysis->data_base_capacity);
    analysis->data_bases[analysis->data_base_count++] = data_base;
}

/* True if one of the program's segments contains `data_base` or an address within 32 KB of it. */
static bool is_plausible_base(const struct program *whole, uint32_t instruction, uint64_t data_base) {
    const struct program *program = object_holding(whole, instruction);
    for (uint32_t i = 0; i < program->segment_count; i++)
        if (data_base + 0x8000 >= program->segments[i].address &&
            data_base <= program->segments[i].address + program->segments[i].memory_size + 0x8000)
            return true;
    return false;
}

static void mark_entered(struct partition *partition, uint32_t target) {
    const struct program *program = partition->analysis->program;
    const unsigned procedure_value = program->architecture->registers.procedure_value;
    int64_t offset;
    if (target >= 2 && data_base_set_at(program, target - 2, procedure_value, &offset))
        target -= 2; /* the call skips the entry's first instructions */
    if (partition->marks[target] & MARK_EXTENT)
        return; /* leaders.c finds alternate entries from the calls themselves */
    mark_start(partition, target, 0, PROCEDURE_REACHED);
}

/* Outside of known extents: where the data base is set, and targets of calls. */
static void mark_reached(struct partition *partition) {
    struct block_search *analysis = partition->analysis;
    const struct program *program = analysis->program;
    const struct conventions_of_machine *registers = &program->architecture->registers;
    uint64_t data_base = 0;
    int64_t offset;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        if (!(facts_of(program, i)->flags & FACT_HIGH_PART))
            continue;
        bool at_entry = data_base_set_at(program, i, registers->procedure_value, &offset);
        if (!at_entry && !data_base_set_at(program, i, registers->link, &offset))
            continue;
        if (!is_plausible_base(program, i, instruction_address(program, i) + offset))
            continue;
        if (at_entry || (i && facts_of(program, i - 1)->transfer == TRANSFER_CALL))
            add_data_base(analysis, i, instruction_address(program, i) + offset);
        if (at_entry && !(partition->marks[i] & MARK_EXTENT))
            mark_start(partition, i, 0, PROCEDURE_REACHED);
    }
    if (analysis->data_base_count)
        qsort(analysis->data_bases, analysis->data_base_count, sizeof *analysis->data_bases,
              compare_addresses);
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct facts *facts = facts_of(program, i);
        uint64_t common = common_data_base(analysis, i);
        uint32_t target = NO_INDEX;
        if (facts->flags & FACT_HIGH_PART &&
            (data_base_set_at(program, i, registers->procedure_value, &offset) ||
             data_base_set_at(program, i, registers->link, &offset)))
            data_base = instruction_address(program, i) + offset;
        else if (facts->transfer == TRANSFER_CALL && !(facts->flags & FACT_INDIRECT))
            target = branch_target(program, i);
        else if (loads_address(program, facts) && facts->memory[0].data == registers->procedure_value)
            target = got_target(program, common ? common : data_base, constants_of(program, i).displacement);
        if (target != NO_INDEX)
            mark_entered(partition, target);
    }
    mark_entered(partition, instruction_at(program, program->entry));
}

static bool is_padding_word(const struct program *program, uint32_t instruction) {
    return program->text[instruction] == 0 || facts_of(program, instruction)->flags & FACT_NOP;
}

/* The text after a known extent and its padding is a gap unless a procedure starts there. */
static void mark_gaps(struct partition *partition) {
    const struct program *program = partition->analysis->program;
    bool after_extent = true;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        uint8_t mark = partition->marks[i];
        if (mark & MARK_START)
            after_extent = false;
        if (mark & MARK_EXTENT && i + 1 < program->instruction_count) {
            /* the extent of a symbol without size is formally one word */
            after_extent = !(partition->marks[i + 1] & MARK_EXTENT) && !(mark & MARK_START);
            continue;
        }
        if (after_extent && !(mark & MARK_START) && (i == 0 || !is_padding_word(program, i))) {
            mark_start(partition, i, 0, PROCEDURE_GAP);
            after_extent = false;
        }
    }
}

/* ---- the procedures ------------------------------------------------------------------------------ */

static const char *procedure_name(const struct partition *partition, uint32_t first, size_t *symbol) {
    struct program *program = partition->analysis->program;
    while (*symbol < partition->symbol_count && partition->symbols[*symbol].first < first)
        ++*symbol;
    if (*symbol < partition->symbol_count && partition->symbols[*symbol].first == first)
        return partition->symbols[*symbol].name;
    if (linkage_at(program, first))
        return "_PROCEDURE_LINKAGE_TABLE_"; /* the name that linkers use */
    /* For a library, the address in its file: the load address depends on the other objects. */
    const struct program *object = object_holding(program, first);
    unsigned long long address = instruction_address(program, first);
    return object == program ? arena_format(program->arena, "proc_at_0x%llx", address)
                             : arena_format(program->arena, "%s+0x%llx", program_object(program, first),
                                            address - object->base);
}

/* The bytes that one of the first instructions, before any branch, subtracts from the stack pointer: in an
   addition, or in an access that moves it. */
static uint32_t frame_size(const struct program *program, const struct procedure *procedure) {
    const unsigned stack = program->architecture->registers.stack;
    uint32_t count = procedure->count < 24 ? procedure->count : 24;
    for (uint32_t i = procedure->first; i < procedure->first + count; i++) {
        const struct facts *facts = facts_of(program, i);
        if (facts->transfer != TRANSFER_NONE)
            return 0;
        if (adds_constant(facts) && !(facts->flags & FACT_HIGH_PART) && facts->operand[0] == stack &&
            facts->operand[1] == stack) {
            int64_t amount = constants_of(program, i).value;
            return amount < 0 ? (uint32_t)-amount : 0;
        }
        if (facts->memory_count && facts->memory[0].writeback && facts->memory[0].base == stack) {
            int64_t amount = constants_of(program, i).displacement;
            return amount < 0 ? (uint32_t)-amount : 0;
        }
    }
    return 0;
}

static void describe_procedure(const struct block_search *analysis, struct procedure *procedure) {
    const struct program *program = analysis->program;
    const struct conventions_of_machine *registers = &program->architecture->registers;
    int64_t offset;
    if (procedure->count >= 2 &&
        data_base_set_at(program, procedure->first, registers->procedure_value, &offset)) {
        procedure->sets_data_base = true;
        procedure->data_base = instruction_address(program, procedure->first) + offset;
    } else {
        procedure->data_base = common_data_base(analysis, procedure->first);
    }
    procedure->frame_size = frame_size(program, procedure);
    procedure->is_leaf = true;
    for (uint32_t i = 0; i < procedure->count; i++) {
        uint32_t at = procedure->first + i;
        if (facts_of(program, at)->transfer != TRANSFER_CALL)
            continue;
        procedure->is_leaf = false;
        if (!procedure->data_base && i + 1 < procedure->count &&
            data_base_set_at(program, at + 1, registers->link, &offset))
            procedure->data_base = instruction_address(program, at + 1) + offset;
    }
}

void procedures_find(struct block_search *analysis) {
    struct program *program = analysis->program;
    struct partition partition = {.analysis = analysis};
    struct arena_mark mark = arena_mark(program->scratch);
    partition.marks = arena_allocate(program->scratch, program->instruction_count);
    for (uint32_t k = 0; k < program->library_count;
         k++) /* no procedure continues from one object into the next */
        partition.marks[program->libraries[k]->first_instruction] = MARK_START | PROCEDURE_GAP * MARK_ORIGIN;
    read_procedure_symbols(&partition);
    mark_linkage(&partition);
    mark_symbols(&partition);
    mark_frames(&partition);
    mark_reached(&partition);
    mark_gaps(&partition);
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++)
        count += partition.marks[i] & MARK_START;
    program->procedures = arena_allocate(program->arena, count * sizeof *program->procedures);
    program->procedure_count = count;
    size_t symbol = 0;
    for (uint32_t i = program->instruction_count, next = i, at = count; i-- > 0;)
        if (partition.marks[i] & MARK_START) {
            program->procedures[--at].first = i;
            program->procedures[at].count = next - i;
            program->procedures[at].origin = partition.marks[i] / MARK_ORIGIN & 3;
            program->procedures[at].is_untyped = partition.marks[i] & MARK_UNTYPED;
            next = i;
        }
    procedure_starts_make(program);
    for (uint32_t i = 0; i < count; i++) {
        struct procedure *procedure = &program->procedures[i];
        procedure->name = procedure_name(&partition, procedure->first, &symbol);
        describe_procedure(analysis, procedure);
    }
    for (uint32_t i = 0; i < program->instruction_count; i++)
        if (partition.marks[i] & MARK_ALTERNATE && !(partition.marks[i] & MARK_START))
            inner_symbol_mark(analysis, i);
    arena_release(program->scratch, mark);
    program->symbols = partition.symbols;
    program->symbol_count = (uint32_t)partition.symbol_count;
}

void program_find_symbols(struct program *program) {
    struct block_search analysis = {.program = program};
    struct partition partition = {.analysis = &analysis};
    read_procedure_symbols(&partition);
    program->symbols = partition.symbols;
    program->symbol_count = (uint32_t)partition.symbol_count;
}

const struct text_symbol *symbol_at(const struct program *program, uint32_t instruction) {
    uint32_t low = FIRST_NOT(0, program->symbol_count, at, program->symbols[at].first < instruction);
    return low < program->symbol_count && program->symbols[low].first == instruction ? &program->symbols[low]
                                                                                     : NULL;
}
