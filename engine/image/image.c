/* image.c: a linked analysis image: gates on its system calls, symbols, and the registers and memory that its
   routines may change. Requires the program model, which reads the image as any static executable. */
#include "engine/image/internal.h"
#include "engine/machine/machine.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/rewrite.h"
#include "plan/names.h"

#include <gelf.h>
#include <string.h>

struct procedure_summary {
    register_set written;
    bool unknown; /* it reaches code that cannot be determined */
    bool uses_thread_pointer, changes_fpcr, uses_gp;
};

/* ---- symbols and bytes --------------------------------------------------------------------------------- */

/* Each site looks up some symbols, and the image has thousands: a hash table of all symbols. */
struct global_symbols {
    struct global_symbol {
        const char *name; /* NULL: free */
        uint64_t address;
    } * slots;
    size_t mask; /* the capacity, a power of two, minus 1 */
};

static struct global_symbol *symbol_slot(const struct global_symbols *symbols, const char *name) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char *at = name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
    size_t slot = (hash ^ hash >> 32) & symbols->mask;
    while (symbols->slots[slot].name && strcmp(symbols->slots[slot].name, name) != 0)
        slot = (slot + 1) & symbols->mask;
    return &symbols->slots[slot];
}

/* The names are local to a C file, and other files may use the same. */
static void add_unlocked(struct analysis_image *analysis, const GElf_Sym *symbol, const char *name) {
    if (!name || strncmp(name, SYMBOL_OF_UNLOCKED, strlen(SYMBOL_OF_UNLOCKED)) != 0)
        return;
    ARENA_RESERVE(analysis->program->arena, analysis->unlocked, analysis->unlocked_count,
                  analysis->unlocked_capacity);
    analysis->unlocked[analysis->unlocked_count++] =
        (struct address_range){symbol->st_value, symbol->st_value + symbol->st_size};
}

static void add_image_table(struct analysis_image *analysis, const struct global_symbols *symbols,
                            Elf_Scn *section, const GElf_Shdr *header) {
    Elf *elf = analysis->program->elf;
    Elf_Data *data = elf_getdata(section, NULL);
    for (int i = 0; data && i < (int)(header->sh_size / header->sh_entsize); i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL) {
            add_unlocked(analysis, &symbol, name);
            continue;
        }
        struct global_symbol *slot = name ? symbol_slot(symbols, name) : NULL;
        if (slot && !slot->name)
            *slot = (struct global_symbol){name, symbol.st_value};
    }
}

static bool is_symbol_table(Elf_Scn *section, GElf_Shdr *header) {
    return gelf_getshdr(section, header) && header->sh_type == SHT_SYMTAB && header->sh_entsize != 0;
}

static void read_image_symbols(struct analysis_image *analysis) {
    struct arena *arena = analysis->program->arena;
    struct global_symbols *symbols = arena_allocate(arena, sizeof *symbols);
    Elf *elf = analysis->program->elf;
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t count = 0, slots = 2;
    while ((section = elf_nextscn(elf, section)))
        count += is_symbol_table(section, &header) ? header.sh_size / header.sh_entsize : 0;
    while (slots < 2 * count)
        slots *= 2;
    symbols->mask = slots - 1;
    symbols->slots = arena_allocate(arena, slots * sizeof *symbols->slots);
    while ((section = elf_nextscn(elf, section)))
        if (is_symbol_table(section, &header))
            add_image_table(analysis, symbols, section, &header);
    analysis->symbols = symbols;
}

/* A symbol inside of a function is another entry of it, unless it reaches beyond the function's end. */
static void find_functions(struct analysis_image *analysis) {
    struct program *program = analysis->program;
    program_find_symbols(program);
    const struct text_symbol *symbols = program->symbols;
    analysis->functions = arena_allocate(program->arena, program->symbol_count * sizeof *analysis->functions);
    uint32_t extent = 0; /* the end of the last function, by the size of its symbol */
    for (uint32_t s = 0, next; s < program->symbol_count; s = next) {
        uint32_t first = symbols[s].first, count = 0;
        for (next = s; next < program->symbol_count && symbols[next].first == first; next++)
            if (symbols[next].count > count)
                count = symbols[next].count;
        if (first < extent && count <= extent - first)
            continue;
        uint32_t after = next < program->symbol_count ? symbols[next].first : program->instruction_count;
        extent = first + count;
        analysis->functions[analysis->function_count++] =
            (struct analysis_function){symbols[s].name, first, count ? extent : after};
    }
}

uint64_t analysis_symbol(const struct analysis_image *analysis, const char *name) {
    return symbol_slot(analysis->symbols, name)->address;
}

bool analysis_is_unlocked(const struct analysis_image *analysis, uint64_t first, uint64_t after) {
    for (uint32_t i = 0; i < analysis->unlocked_count; i++)
        if (first >= analysis->unlocked[i].first && after <= analysis->unlocked[i].after)
            return true;
    return false;
}

void analysis_section(const struct analysis_image *analysis, const char *name, uint64_t *begin,
                      uint64_t *end) {
    Elf *elf = analysis->program->elf;
    Elf_Scn *section = NULL;
    size_t names;
    *begin = *end = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        const char *text = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (text && strcmp(text, name) == 0) {
            *begin = header.sh_addr;
            *end = header.sh_addr + header.sh_size;
        }
    }
}

void *analysis_bytes(struct analysis_image *analysis, uint64_t address, uint64_t size) {
    const struct program *program = analysis->program;
    for (uint32_t s = 0; s < program->segment_count; s++) {
        const struct segment *segment = &program->segments[s];
        uint64_t offset = address - segment->address;
        if (offset < segment->file_size && size <= segment->file_size - offset)
            return analysis->segment_bytes[s] + offset;
    }
    return NULL;
}

/* ---- gates --------------------------------------------------------------------------------------------- */

/* The runtime's own code whose system calls go to the kernel: runtime/machine/alpha/entry.S and primitives.S.
 */
static bool find_ungated(const struct analysis_image *analysis, struct address_range ungated[2]) {
    static const char *const names[2][2] = {{"atomc_ungated_begin", "atomc_ungated_end"},
                                            {"atomc_primitives_begin", "atomc_primitives_end"}};
    for (int i = 0; i < 2; i++) {
        ungated[i].first = analysis_symbol(analysis, names[i][0]);
        ungated[i].after = analysis_symbol(analysis, names[i][1]);
        if (!ungated[i].first || !ungated[i].after)
            return false;
    }
    return true;
}

static bool is_address_in_range(const struct address_range *range, uint64_t address) {
    return address >= range->first && address < range->after;
}

/* Replaces every system call by a call of atomc_private_gate, except in the runtime's own code. */
/* Replaces a system call by a branch to a stub. *stubs: the address of the next free one. */
static bool place_gate_stub(struct analysis_image *analysis, uint64_t address, uint64_t gate,
                            uint64_t *stubs) {
    const struct machine *machine = machine_for(analysis->program->architecture);
    uint32_t *word = analysis_bytes(analysis, address, 4);
    uint32_t *stub = analysis_bytes(analysis, *stubs, GATE_STUB_WORDS * sizeof *stub);
    if (!word || !stub || *stubs + GATE_STUB_WORDS * 4 > analysis_symbol(analysis, "atomc_gate_stubs_end"))
        return false;
    machine_gate_stub(machine, stub, *stubs, gate, address + 4);
    *word = machine_branch_word(machine, ((int64_t)*stubs - (int64_t)address - 4) / 4);
    *stubs += GATE_STUB_WORDS * 4;
    return true;
}

static bool place_gates(struct analysis_image *analysis) {
    const struct program *program = analysis->program;
    const struct machine *machine = machine_for(program->architecture);
    uint64_t gate = analysis_symbol(analysis, "atomc_private_gate");
    uint64_t stubs = machine_has_gate_stubs(machine) ? analysis_symbol(analysis, "atomc_gate_stubs") : 0;
    struct address_range ungated[2];
    if (!gate || !find_ungated(analysis, ungated))
        return false;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        uint64_t address = instruction_address(program, i);
        if (program->text[i] != program->architecture->system_call ||
            is_address_in_range(&ungated[0], address) || is_address_in_range(&ungated[1], address))
            continue;
        if (machine_has_gate_stubs(machine)) {
            if (!place_gate_stub(analysis, address, gate, &stubs))
                return false;
            continue;
        }
        int64_t distance = ((int64_t)gate - (int64_t)address - 4) / 4;
        uint32_t *word = analysis_bytes(analysis, address, 4);
        if (!word || !machine_reaches(machine, distance))
            return false;
        *word = machine_call_word(machine, program->architecture->registers.spill, distance);
    }
    return true;
}

/* ---- summaries ----------------------------------------------------------------------------------------- */

static void summarise_instruction(const struct program *program, struct procedure_summary *summary,
                                  uint32_t instruction) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const struct facts *facts = facts_of(program, instruction);
    summary->uses_thread_pointer |= (facts->flags & (FACT_READS_THREAD | FACT_SETS_THREAD)) != 0;
    summary->changes_fpcr |= (facts->flags & FACT_FLOAT_STATUS) != 0;
    summary->written |= facts->written;
    if (facts->transfer == TRANSFER_SYSTEM_CALL) /* is replaced by a call of the gate */
        summary->written |= set_of(registers->spill) | (registers->all & ~registers->callee_saved);
}

static void add_callee(struct procedure_summary *summary, const struct procedure_summary *callee) {
    summary->written |= callee->written;
    summary->unknown |= callee->unknown;
    summary->uses_thread_pointer |= callee->uses_thread_pointer;
    summary->changes_fpcr |= callee->changes_fpcr;
}

/* The procedure that a branch or jump out of this one goes to, or NO_INDEX; *unknown if it cannot be
   determined. */
static uint32_t callee_of(const struct program *program, uint32_t procedure, uint32_t instruction,
                          bool *unknown) {
    const struct facts *facts = facts_of(program, instruction);
    if (facts->class == CLASS_RETURN)
        return NO_INDEX;
    if (facts->class == CLASS_CALL || facts->flags & FACT_INDIRECT) {
        const struct basic_block *block = &program->blocks[block_at(program, instruction)];
        if (facts->class != CLASS_CALL && block->end == END_JUMP_TABLE)
            return NO_INDEX;
        uint32_t target = call_target(program, instruction, NULL);
        *unknown |= target == NO_INDEX;
        return target;
    }
    uint32_t target = instruction_at(program, instruction_address(program, instruction) +
                                                  (uint64_t)constants_of(program, instruction).value);
    if (target == NO_INDEX)
        return NO_INDEX;
    uint32_t other = procedure_at(program, target);
    return other == procedure ? NO_INDEX : other;
}

/* True for padding up to the next procedure, which never executes. */
static bool is_padding_block(const struct program *program, const struct basic_block *block) {
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        if (!(facts_of(program, i)->flags & FACT_NOP))
            return false;
    return block_is_unreached(block);
}

/* The procedures that a procedure continues with add to the registers that it may change. */
struct closure {
    const struct program *program;
    struct procedure_summary *summaries;
    struct way {
        uint32_t from, to;
    } * ways;
    size_t count, capacity;
};

static void add_call_path(struct closure *closure, uint32_t from, uint32_t to) {
    ARENA_RESERVE(closure->program->scratch, closure->ways, closure->count + 1, closure->capacity);
    closure->ways[closure->count++] = (struct way){from, to};
}

static void find_ways(struct closure *closure, uint32_t p) {
    const struct program *program = closure->program;
    const struct procedure *procedure = &program->procedures[p];
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        if (!branches_or_jumps(facts_of(program, i)))
            continue;
        uint32_t callee = callee_of(program, p, i, &closure->summaries[p].unknown);
        if (callee != NO_INDEX)
            add_call_path(closure, p, callee);
    }
    /* Control that falls off the end continues with the next procedure. */
    const struct basic_block *last = &program->blocks[procedure->first_block + procedure->block_count - 1];
    bool falls =
        (last->end == END_FALLTHROUGH || last->end == END_COND_BRANCH) && !is_padding_block(program, last);
    if (falls && p + 1 < program->procedure_count)
        add_call_path(closure, p, p + 1);
}

static bool same_summary(const struct procedure_summary *a, const struct procedure_summary *b) {
    return a->written == b->written && a->unknown == b->unknown &&
           a->uses_thread_pointer == b->uses_thread_pointer && a->changes_fpcr == b->changes_fpcr;
}

/* Summarises whole call closures, including recursion, by iterating to a fixed point. */
static struct procedure_summary *summarise_procedures(const struct program *program) {
    struct procedure_summary *summaries =
        arena_allocate(program->arena, (program->procedure_count + 1) * sizeof *summaries);
    struct arena_mark mark = arena_mark(program->scratch);
    struct closure closure = {.program = program, .summaries = summaries};
    for (uint32_t p = program->procedure_count; p-- > 0;) {
        const struct procedure *procedure = &program->procedures[p];
        for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++)
            summarise_instruction(program, &summaries[p], i);
        summaries[p].uses_gp =
            (summaries[p].written & set_of(program->architecture->registers.data_base)) != 0;
        find_ways(&closure, p);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < closure.count; i++) {
            struct procedure_summary *summary = &summaries[closure.ways[i].from], before = *summary;
            add_callee(summary, &summaries[closure.ways[i].to]);
            changed |= !same_summary(&before, summary);
        }
    }
    arena_release(program->scratch, mark);
    return summaries;
}

void analysis_follow(const struct analysis_image *analysis) {
    if (!analysis->program->blocks)
        program_analyse(analysis->program, analysis->diagnostics);
}

void analysis_summarise(struct analysis_image *analysis) {
    analysis->summaries = arena_allocate(analysis->program->arena, sizeof *analysis->summaries);
}

struct routine_summary analysis_summary(const struct analysis_image *analysis, uint64_t address) {
    const struct program *program = analysis->program;
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const register_set caller_saved = registers->all & ~registers->callee_saved;
    struct routine_summary everything = {
        .written = caller_saved, .uses_thread_pointer = true, .changes_fpcr = true, .uses_gp = true};
    uint32_t instruction = instruction_at(program, address);
    if (instruction == NO_INDEX)
        return everything;
    analysis_follow(analysis);
    uint32_t p = procedure_at(program, instruction);
    if (!*analysis->summaries) /* on the first request */
        *analysis->summaries = summarise_procedures(program);
    const struct procedure_summary *summary = &(*analysis->summaries)[p];
    if (program->procedures[p].first != instruction || summary->unknown)
        return everything;
    return (struct routine_summary){
        .written =
            (summary->written & caller_saved) | set_of(registers->link) | set_of(registers->procedure_value),
        .uses_thread_pointer = summary->uses_thread_pointer,
        .changes_fpcr = summary->changes_fpcr,
        .uses_gp = (summary->written & set_of(program->architecture->registers.data_base)) != 0};
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* The addresses of sections in the linked file depend on where it was made, and no code reads them in
   memory. */
static void forget_sections(uint8_t *bytes, uint64_t size) {
    Elf64_Ehdr header;
    if (size < sizeof header || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return;
    memcpy(&header, bytes, sizeof header);
    header.e_shoff = header.e_shnum = header.e_shstrndx = 0;
    memcpy(bytes, &header, sizeof header);
}

struct analysis_image *analysis_open(const char *path, struct diagnostics *diagnostics) {
    struct program *program = program_open(path, diagnostics);
    if (!program)
        return NULL;
    struct analysis_image *analysis = arena_allocate(program->arena, sizeof *analysis);
    analysis->path = program->path;
    analysis->program = program;
    analysis->diagnostics = diagnostics;
    read_image_symbols(analysis);
    find_functions(analysis);
    analysis->segment_bytes =
        arena_allocate(program->arena, (program->segment_count + 1) * sizeof *analysis->segment_bytes);
    for (uint32_t s = 0; s < program->segment_count; s++) {
        const struct segment *segment = &program->segments[s];
        const void *bytes = program_bytes(program, segment->address, segment->file_size);
        analysis->segment_bytes[s] = arena_allocate(program->arena, segment->file_size + 1);
        if (bytes)
            memcpy(analysis->segment_bytes[s], bytes, segment->file_size);
        forget_sections(analysis->segment_bytes[s], segment->file_size);
    }
    analysis_summarise(analysis);
    if (!place_gates(analysis)) {
        diagnose(diagnostics, NULL, MESSAGE_NO_RUNTIME, path);
        analysis_close(analysis);
        return NULL;
    }
    return analysis;
}

void analysis_close(struct analysis_image *analysis) {
    if (analysis)
        program_close(analysis->program); /* the arena holds the analysis image itself */
}

void analysis_print(const struct analysis_image *analysis, FILE *stream) {
    const struct program *program = analysis->program;
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        uint64_t entry = instruction_address(program, program->procedures[p].first);
        struct routine_summary summary = analysis_summary(analysis, entry);
        fprintf(stream, "%s 0x%llx: changes", program->procedures[p].name, (unsigned long long)entry);
        registers_print(summary.written, stream);
        fprintf(stream, "%s%s\n", summary.uses_thread_pointer ? "; uses the thread pointer" : "",
                summary.changes_fpcr ? "; changes the floating-point control register" : "");
    }
}
