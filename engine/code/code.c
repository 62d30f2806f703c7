/* code.c: creates the sections of new code and data, and checks that each fits into its room. Requires
   addresses below 2 GB. */
#include <string.h>

#include "engine/code/code.h"
#include "engine/cfg/cfg.h"
#include "engine/image/image.h"
#include "support/search.h"

/* The address after the map of landings of a large program. */
static uint32_t tables_address(const struct rewrite *rewrite) {
    const struct atomc_addresses *layout = rewrite->machine->layout;
    const struct program *program = rewrite->program;
    uint64_t map = machine_map_address(rewrite->machine, program->text_address);
    uint64_t landings = layout->landings + map + 4 * (uint64_t)program->own_count;
    if (landings >= layout->cells)
        return layout->cells; /* no room: code_fits() reports it */
    return landings > layout->tables ? (landings + 0xffff) & ~UINT64_C(0xffff) : layout->tables;
}

/* True if the program itself has instructions that the runtime would mistake for instructions of spills. */
static bool has_far_words(const struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    for (uint32_t i = 0; i < program->instruction_count; i++)
        if (machine_is_spill(rewrite->machine, program->text[i]))
            return true;
    return false;
}

void code_free(struct code_space *code) {
    if (!code)
        return;
    struct code *in_files[] = {&code->copies, &code->tables.words, &code->tables.far};
    for (size_t i = 0; i < sizeof in_files / sizeof in_files[0]; i++) {
        file_memory_destroy(in_files[i]->file);
        in_files[i]->file = NULL;
    }
}

/* The directory of the output. It needs about the same room in any case. */
static const char *folder_of_output(const struct program *program, struct arena *arena) {
    const char *slash = program->output ? strrchr(program->output, '/') : NULL;
    if (!program->output)
        return temporary_directory();
    return slash ? arena_string(arena, program->output, (size_t)(slash - program->output) + 1) : ".";
}

/* ---- the whole ---- */

void code_create(struct rewrite *rewrite) {
    struct program *program = rewrite->program;
    struct arena *arena = rewrite->arena;
    struct code_space *code = rewrite->code = arena_allocate(arena, sizeof *code);
    size_t count = program->instruction_count;
    code->tables.words.arena = code->tables.far.arena = code->data.arena = arena;
    code->copies.machine = code->wrappers.machine = rewrite->machine;
    code->copies.address = rewrite->machine->layout->copies;
    code->copies.folder = code->tables.words.folder = code->tables.far.folder =
        folder_of_output(program, arena);
    code->wrappers.address = rewrite->machine->layout->wrappers;
    code->tables.words.address = tables_address(rewrite);
    code->tables.far.address = rewrite->machine->layout->far_tables;
    code->layout.inside = arena_allocate(arena, program->block_count * sizeof *code->layout.inside);
    code->layout.map = arena_allocate(arena, count * sizeof *code->layout.map);
    if (rewrite->options->print_map)
        code->layout.placed = arena_allocate(arena, count * sizeof *code->layout.placed);
    code->own_stack = rewrite->options->stack == CALL_STACK_OWN;
    code->own_frames = code->own_stack && !program->threads;
    program->frames_on_its_stack = !code->own_frames;
    code->spills_far = rewrite->machine->spills_far && code->own_frames && !has_far_words(rewrite);
}

uint32_t *landings_make(struct rewrite *rewrite) {
    size_t count = rewrite->program->instruction_count;
    return arena_allocate(rewrite->arena, count * sizeof(uint32_t));
}

/* The place of the first of other_insides that is the instruction's or a later one's. */
static size_t other_inside(const struct layout *layout, uint32_t instruction) {
    return FIRST_NOT(0, layout->other_inside_count, at, layout->other_insides[at].instruction < instruction);
}

uint32_t inside_of(const struct rewrite *rewrite, uint32_t instruction) {
    const struct layout *layout = &rewrite->code->layout;
    uint32_t block = block_at(rewrite->program, instruction);
    if (instruction == rewrite->program->blocks[block].first)
        return layout->inside[block];
    size_t other = other_inside(layout, instruction);
    if (other < layout->other_inside_count && layout->other_insides[other].instruction == instruction)
        return layout->other_insides[other].position;
    return ((layout->map[instruction] & ~MAP_UNFORESEEN) - rewrite->code->copies.address) / 4;
}

void enter_inside_here(struct rewrite *rewrite, uint32_t instruction) {
    struct layout *layout = &rewrite->code->layout;
    uint32_t block = block_at(rewrite->program, instruction);
    if (instruction == rewrite->program->blocks[block].first) {
        layout->inside[block] = code_position(&rewrite->code->copies);
    } else if (layout->map[instruction] != code_address(&rewrite->code->copies)) {
        ARENA_RESERVE(rewrite->round, layout->other_insides, layout->other_inside_count,
                      layout->other_inside_capacity);
        layout->other_insides[layout->other_inside_count++] =
            (struct other_inside){instruction, code_position(&rewrite->code->copies)};
    }
}

void code_start(struct rewrite *rewrite) {
    struct code_space *code = rewrite->code;
    file_memory_destroy(code->copies.file);
    code->copies = (struct code){.arena = rewrite->round,
                                 .machine = code->copies.machine,
                                 .address = code->copies.address,
                                 .folder = code->copies.folder};
    code->wrappers = (struct code){
        .arena = rewrite->round, .machine = code->wrappers.machine, .address = code->wrappers.address};
    code->pool = (struct constant_pool){0};
    code->layout.fixups = NULL;
    code->layout.fixup_count = code->layout.fixup_capacity = 0;
    code->layout.shortcuts = NULL;
    code->layout.shortcut_count = code->layout.shortcut_capacity = 0;
    code->layout.other_insides = NULL;
    code->layout.other_inside_count = code->layout.other_inside_capacity = 0;
    code->layout.waiting = NULL;
    code->layout.waiting_count = code->layout.waiting_capacity = 0;
    code->layout.literals = NULL;
    code->layout.literal_count = code->layout.literal_capacity = code->layout.literal_words = 0;
    code->symbols = NULL;
    code->symbol_count = code->symbol_capacity = 0;
    code->skips = NULL;
    code->skip_count = code->skip_capacity = 0;
    code->inlined = NULL;
    code->inlined_count = code->inlined_capacity = 0;
    code->coverage.grew = false;
    code->overflows = false;
    memset(&code->statistics, 0, sizeof code->statistics);
}

void note_inlined_access(struct rewrite *rewrite, uint32_t origin) {
    struct code_space *code = rewrite->code;
    uint32_t position = code_position(&code->copies);
    if (origin == NO_INDEX)
        return;
    while (code->inlined_count && code->inlined[code->inlined_count - 1].position >= position)
        code->inlined_count--; /* the use belongs to code that was discarded */
    ARENA_RESERVE(rewrite->round, code->inlined, code->inlined_count, code->inlined_capacity);
    code->inlined[code->inlined_count++] = (struct inlined_access){position, origin};
}

/* The addresses of the map depend on the text's (machine_map_address). The other additions have fixed
   addresses below 2 GB. */
bool places_check(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    const struct atomc_addresses *layout = rewrite->machine->layout;
    if (program->interpreter && rewrite->options->copy == COPY_ALL && program->library_count > 0) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_NOT_ALL, program->path);
        return false;
    }
    uint64_t size = 4 * (uint64_t)program->own_count;
    uint64_t map = machine_map_address(rewrite->machine, program->text_address);
    if (map < program->architecture->largest_page || map + size > layout->pool ||
        program->text_address >> 32 != (program->text_address + size) >> 32) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_MAP_TAKEN, program->path,
                 (unsigned long long)program->text_address);
        return false;
    }
    for (uint32_t s = 0; s < program->segment_count; s++) {
        const struct segment *segment = &program->segments[s];
        const uint64_t end = rewrite->machine->programs_end;
        bool is_free = end ? segment->address + segment->memory_size <= end
                           : segment->address > (rewrite->options->large ? layout->far_end : layout->end);
        if (!is_free) {
            diagnose(rewrite->diagnostics, NULL, MESSAGE_LAYOUT_TAKEN, program->path,
                     (unsigned long long)segment->address);
            return false;
        }
    }
    return true;
}

uint32_t copies_limit(const struct rewrite *rewrite) {
    return (uint32_t)rewrite->analysis->program->segments[0].address & ~UINT32_C(0xffff);
}

static uint64_t image_end(const struct program *image) {
    uint64_t end = 0;
    for (uint32_t s = 0; s < image->segment_count; s++)
        if (image->segments[s].address + image->segments[s].memory_size > end)
            end = image->segments[s].address + image->segments[s].memory_size;
    return end;
}

bool code_fits(struct rewrite *rewrite) {
    const struct code_space *code = rewrite->code;
    const struct atomc_addresses *layout = rewrite->machine->layout;
    uint32_t analysis = copies_limit(rewrite), tables = code->tables.words.address;
    uint64_t landings =
        layout->landings + machine_map_address(rewrite->machine, rewrite->program->text_address);
    const struct {
        const char *name;
        uint64_t end, limit, begin;
    } parts[] = {
        {"copies", code_address(&code->copies), analysis, layout->copies},
        {"wrappers", code_address(&code->wrappers), layout->copies, layout->wrappers},
        {"constants", layout->pool + 8 * (uint64_t)code->pool.count, layout->wrappers, layout->pool},
        {"analysis routines", image_end(rewrite->analysis->program),
         code->layout.landings && landings < tables ? landings : tables, analysis},
        {"tables", code_address(&code->tables.words), layout->cells, tables},
        {"tables", layout->far_tables + 4 * (uint64_t)code->tables.far.count, layout->far_end,
         layout->far_tables},
        {"counters", code->data.address + 4 * (uint64_t)code->data.count, layout->scratch, layout->cells},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].end > parts[i].limit) {
            diagnose(rewrite->diagnostics, NULL, MESSAGE_NO_ROOM, rewrite->program->path, parts[i].name,
                     (unsigned long long)(parts[i].end - parts[i].begin) >> 20,
                     (unsigned long long)(parts[i].limit - parts[i].begin) >> 20);
            return false;
        }
    return true;
}

void emit_site_frame(struct code *code, unsigned to) {
    machine_address(code, SITE_FRAME, to);
}

void emit_enter_stack(struct code *code, unsigned base) {
    unsigned stack = code->machine->registers->stack;
    if (set_of(stack)) {
        emit_site_frame(code, base);
        machine_store(code, stack, base, SITE_FRAME_STACK_POINTER);
        machine_move(code, base, stack);
    } else { /* it cannot be stored */
        machine_move(code, stack, base);
        emit_site_frame(code, stack);
        machine_store(code, base, stack, SITE_FRAME_STACK_POINTER);
    }
}

void emit_leave_stack(struct code *code, unsigned by) {
    unsigned stack = code->machine->registers->stack, to = set_of(stack) ? stack : by;
    machine_load(code, to, stack, SITE_FRAME_STACK_POINTER);
    machine_move(code, to, stack);
}
