/* code.c: emits words, constants and addresses into new text. Requires codegen's encoder, and addresses
   below 2 GB. */
#include <assert.h>
#include <string.h>

#include "engine/code/code.h"
#include "engine/image/image.h"

/* The address after the map of landings of a large program. */
static uint32_t tables_address(const struct program *program) {
    uint64_t landings = LAYOUT_LANDINGS + (uint32_t)program->text_address + 4 * (uint64_t)program->own_count;
    if (landings >= LAYOUT_CELLS)
        return LAYOUT_CELLS; /* no room: code_fits() reports it */
    return landings > LAYOUT_TABLES ? (uint32_t)(landings + 0xffff) & ~UINT32_C(0xffff) : LAYOUT_TABLES;
}

/* True if the program itself has instructions that the runtime would take for those of spills. */
static bool has_far_words(const struct program *program) {
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        uint32_t word = program->text[i];
        int displacement = alpha_memory_displacement(word);
        if (ALPHA_IS(word, LDAH) && alpha_rb(word) == ALPHA_SP &&
            (displacement == SPILL_FAR || displacement == -SPILL_FAR))
            return true;
    }
    return false;
}

/* ---- words in a file ---- */

static bool move_to_file(struct code *code, size_t bytes) {
    size_t before = code->capacity * sizeof *code->words;
    struct file_memory *file = file_memory_create(code->folder);
    uint32_t *words = file ? file_memory_grow(file, bytes) : NULL;
    if (!words) {
        file_memory_destroy(file);
        return false;
    }
    memcpy(words, code->words, before);
    arena_resize(code->arena, code->words, before, 0);
    code->words = words;
    code->file = file;
    return true;
}

static bool grow_in_file(struct code *code) {
    uint32_t capacity = code->capacity + WORDS_LEFT;
    size_t bytes = capacity * sizeof *code->words;
    uint32_t *words = code->file                  ? file_memory_grow(code->file, bytes)
                      : move_to_file(code, bytes) ? code->words
                                                  : NULL;
    if (!words)
        return false;
    code->words = words;
    code->capacity = capacity;
    code_leave(code, 0, code->count);
    return true;
}

/* For when there is no room for the file. */
static void return_to_arena(struct code *code) {
    size_t bytes = code->capacity * sizeof *code->words;
    uint32_t *words = arena_allocate_unset(code->arena, bytes);
    memcpy(words, code->words, bytes);
    file_memory_destroy(code->file);
    code->words = words;
    code->file = NULL;
}

void code_grow(struct code *code) {
    if (code->folder && code->capacity >= WORDS_LEFT) {
        if (grow_in_file(code))
            return;
        if (code->file)
            return_to_arena(code);
        code->folder = NULL;
    }
    ARENA_RESERVE(code->arena, code->words, code->count, code->capacity);
}

void code_leave(const struct code *code, uint32_t begin, uint32_t end) {
    if (code->file)
        file_memory_leave(code->file, begin * sizeof *code->words, end * sizeof *code->words);
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

/* The directory of the output, which needs as much room anyway. */
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
    code->copies.address = LAYOUT_COPIES;
    code->copies.folder = code->tables.words.folder = code->tables.far.folder =
        folder_of_output(program, arena);
    code->wrappers.address = LAYOUT_WRAPPERS;
    code->tables.words.address = tables_address(program);
    code->tables.far.address = LAYOUT_FAR_TABLES;
    code->layout.inside = arena_allocate(arena, count * sizeof *code->layout.inside);
    code->layout.map = arena_allocate(arena, count * sizeof *code->layout.map);
    if (rewrite->options->print_map)
        code->layout.placed = arena_allocate(arena, count * sizeof *code->layout.placed);
    code->own_stack = rewrite->options->stack == CALL_STACK_OWN;
    code->own_frames = code->own_stack && !program->threads;
    program->frames_on_its_stack = !code->own_frames;
    code->spills_far = code->own_frames && !has_far_words(program);
}

uint32_t *landings_make(struct rewrite *rewrite) {
    size_t count = rewrite->program->instruction_count;
    return arena_allocate(rewrite->arena, count * sizeof(uint32_t));
}

void code_start(struct rewrite *rewrite) {
    struct code_space *code = rewrite->code;
    file_memory_destroy(code->copies.file);
    code->copies = (struct code){
        .arena = rewrite->round, .address = code->copies.address, .folder = code->copies.folder};
    code->wrappers = (struct code){.arena = rewrite->round, .address = code->wrappers.address};
    code->pool = (struct constant_pool){0};
    code->layout.fixups = NULL;
    code->layout.fixup_count = code->layout.fixup_capacity = 0;
    code->layout.shortcuts = NULL;
    code->layout.shortcut_count = code->layout.shortcut_capacity = 0;
    code->layout.waiting = NULL;
    code->layout.waiting_count = code->layout.waiting_capacity = 0;
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
        code->inlined_count--; /* it belongs to code that was discarded */
    ARENA_RESERVE(rewrite->round, code->inlined, code->inlined_count, code->inlined_capacity);
    code->inlined[code->inlined_count++] = (struct inlined_access){position, origin};
}

/* The map takes the low half of the text's addresses. The other additions have fixed addresses below 2
   GB. */
bool places_check(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    if (program->interpreter && rewrite->options->copy == COPY_ALL && program->library_count > 0) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_NOT_ALL, program->path);
        return false;
    }
    uint64_t size = 4 * (uint64_t)program->own_count, map = (uint32_t)program->text_address;
    if (map < ALPHA_LARGEST_PAGE || map + size > LAYOUT_POOL ||
        program->text_address >> 32 != (program->text_address + size) >> 32) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_MAP_TAKEN, program->path,
                 (unsigned long long)program->text_address);
        return false;
    }
    for (uint32_t s = 0; s < program->segment_count; s++) {
        if (program->segments[s].address <= (rewrite->options->large ? LAYOUT_FAR_END : LAYOUT_END)) {
            diagnose(rewrite->diagnostics, NULL, MESSAGE_LAYOUT_TAKEN, program->path,
                     (unsigned long long)program->segments[s].address);
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
    uint32_t analysis = copies_limit(rewrite), tables = code->tables.words.address;
    uint64_t landings = LAYOUT_LANDINGS + (uint32_t)rewrite->program->text_address;
    const struct {
        const char *name;
        uint64_t end, limit, begin;
    } parts[] = {
        {"copies", code_address(&code->copies), analysis, LAYOUT_COPIES},
        {"wrappers", code_address(&code->wrappers), LAYOUT_COPIES, LAYOUT_WRAPPERS},
        {"constants", LAYOUT_POOL + 8 * (uint64_t)code->pool.count, LAYOUT_WRAPPERS, LAYOUT_POOL},
        {"analysis routines", image_end(rewrite->analysis->program),
         code->layout.landings && landings < tables ? landings : tables, analysis},
        {"tables", code_address(&code->tables.words), LAYOUT_CELLS, tables},
        {"tables", LAYOUT_FAR_TABLES + 4 * (uint64_t)code->tables.far.count, LAYOUT_FAR_END,
         LAYOUT_FAR_TABLES},
        {"counters", code->data.address + 4 * (uint64_t)code->data.count, LAYOUT_SCRATCH, LAYOUT_CELLS},
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

void emit_move(struct code *code, unsigned from, unsigned to) {
    if (from != to)
        emit(code, alpha_operate(ALPHA_BISr, ALPHA_ZERO, from, to));
}

int emit_high(struct code *code, uint32_t address, unsigned to) {
    struct halves halves = address_halves(address);
    emit(code, alpha_memory(ALPHA_LDAH, to, halves.high, ALPHA_ZERO));
    return halves.low;
}

void emit_address(struct code *code, uint32_t address, unsigned to) {
    int low = emit_high(code, address, to);
    if (low != 0)
        emit(code, alpha_memory(ALPHA_LDA, to, low, to));
}

void emit_address_pair(struct code *code, uint32_t address, unsigned to) {
    int low = emit_high(code, address, to);
    emit(code, alpha_memory(ALPHA_LDA, to, low, to));
}

/* $30 is never above stored data: the kernel writes a signal's frame below it. */
void emit_lower_stack(struct code *code, uint32_t bytes) {
    if (bytes)
        emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, -(int)bytes, ALPHA_SP));
}

void emit_raise_stack(struct code *code, uint32_t bytes) {
    if (bytes)
        emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, (int)bytes, ALPHA_SP));
}

enum alpha_opcode inverse_branch(enum alpha_opcode opcode) {
    static const uint16_t pairs[][2] = {
        {ALPHA_BEQ, ALPHA_BNE},   {ALPHA_BLT, ALPHA_BGE},   {ALPHA_BLE, ALPHA_BGT},  {ALPHA_BLBC, ALPHA_BLBS},
        {ALPHA_FBEQ, ALPHA_FBNE}, {ALPHA_FBLT, ALPHA_FBGE}, {ALPHA_FBLE, ALPHA_FBGT}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (pairs[i][0] == opcode)
            return pairs[i][1];
        if (pairs[i][1] == opcode)
            return pairs[i][0];
    }
    assert(!"a conditional branch");
    return ALPHA_INVALID;
}

void emit_site_frame(struct code *code, unsigned to) {
    emit(code, alpha_memory(ALPHA_LDAH, to, SITE_FRAME >> 16, ALPHA_ZERO));
}

void emit_enter_stack(struct code *code, unsigned base) {
    emit_site_frame(code, base);
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_SP, SITE_FRAME_STACK_POINTER, base));
    emit_move(code, base, ALPHA_SP);
}

void emit_leave_stack(struct code *code) {
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_SP, SITE_FRAME_STACK_POINTER, ALPHA_SP));
}

void emit_near_call(struct code *code, uint32_t address) {
    int64_t distance = ((int64_t)address - (int64_t)code_address(code) - 4) / 4;
    if (alpha_branch_reaches(distance)) {
        emit(code, alpha_branch(ALPHA_BSR, ALPHA_RA, distance));
    } else {
        emit_address(code, address, ALPHA_RA);
        emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_RA, 0));
    }
}
