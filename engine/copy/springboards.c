/* springboards.c: entries to the copies if only some procedures are copied (partial_copies.c). In each part
   of a copied procedure that other code enters, the first word becomes a branch to `ldah, lda, jmp` in the
   unused pages after the text. Copies leave by original addresses. Code that only an unresolved jump reaches
   is replaced by traps. Requires an analysed program, liveness, sites, copies. */
#include <stdlib.h>
#include <string.h>

#include "engine/copy/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"
#include "engine/count/counting.h"
#include "support/search.h"

enum {
    SPRINGBOARD_SIZE = 12,
    LONGEST_SPRINGBOARD = 28,
    MOST_TRAPS = 1 << 23, /* words: the runtime needs the original ones */
    REACH = 1 << 22       /* bytes: the range of a branch */
};

/* Finds whole pages between an object's text segment and the next segment. There is no room after the last
   segment: the program's heap begins there. In a library the first page is for the runtime
   (runtime/text/stubs.c). If not all springboards of a library fit, none of them are put there. The same
   holds for an object in which a branch from the beginning of the text does not reach that room. In the
   program itself, the room is filled with springboards until it is full; then this function returns false. */
static bool find_springboard_room(struct sparse_room *room, const struct program *object, bool library,
                                  uint64_t size) {
    const struct architecture *architecture = object->architecture;
    const uint64_t page = architecture->page;
    uint64_t end = 0, next = UINT64_MAX;
    for (uint32_t i = 0; i < object->segment_count; i++) {
        const struct segment *segment = &object->segments[i];
        if (object->text_address - segment->address < segment->memory_size)
            end = segment->address + segment->memory_size;
    }
    for (uint32_t i = 0; i < object->segment_count; i++)
        if (object->segments[i].address >= end && object->segments[i].address < next)
            next = object->segments[i].address;
    room->address = ((end + page - 1) & -page) + (library ? page : 0);
    room->end =
        next == UINT64_MAX ? room->address + (library ? 0 : architecture->largest_page) : next & -page;
    if (library && room->end < room->address)
        room->end = room->address;
    bool fits = size <= room->end - room->address;
    if (!library && object->interpreter && !fits && room->end - object->text_address <= REACH)
        return false;
    bool is_distant = (library || object->interpreter) && room->address + size - object->text_address > REACH;
    room->own_words_from = (library && !fits) || is_distant ? 0 : NO_INDEX;
    return true;
}

/* ---- springboards ----------------------------------------------------------------------------------------------- */

static void add_springboard_word(struct sparse_room *room, uint32_t word) {
    ARENA_RESERVE(room->arena, room->springboards, room->count, room->capacity);
    room->springboards[room->count++] = word;
}

static void add_patch(struct sparse *sparse, uint32_t instruction, uint32_t word) {
    ARENA_RESERVE(sparse->arena, sparse->patches, sparse->patch_count, sparse->patch_capacity);
    sparse->patches[sparse->patch_count++] = (struct sparse_patch){instruction, word};
}

/* Registers that a springboard to the block preserves. A routine that replaces the procedure may return to
   a caller to which the procedure itself might not have returned, with all registers but $28 unchanged. */
static register_set kept_by_springboard(const struct rewrite *rewrite, const struct basic_block *block) {
    if (block_is_entry(block) && replacement_at(rewrite, block->procedure, block->first))
        return ~REGISTER_BIT(rewrite->machine->registers->spill);
    return block->live_in | rewrite->observed;
}

static bool is_entered(const struct rewrite *rewrite, uint32_t block) {
    return !rewrite->program->blocks[block].is_data &&
           rewrite->code->coverage.copied[rewrite->program->blocks[block].procedure] &&
           entered_from_outside(rewrite->program, block);
}

/* True if only control that enters the block executes its first words, so that a springboard may replace
   them. False if a jump may go anywhere in the procedure, or if the words may be data. */
static bool has_room(const struct rewrite *rewrite, const struct basic_block *block, uint32_t words) {
    const struct procedure *procedure = &rewrite->program->procedures[block->procedure];
    return block->count >= words && !block->is_data && !procedure->lost_jump &&
           procedure->origin != PROCEDURE_GAP;
}

/* The springboard to a copy; or, if no register is free, to its landing, with $28 on the stack. */
static uint32_t make_springboard(struct rewrite *rewrite, const struct basic_block *block, uint32_t *words) {
    struct code *code = &rewrite->code->copies;
    unsigned scratch = free_register(machine_registers(rewrite), kept_by_springboard(rewrite, block));
    uint32_t to = rewrite->code->layout.map[block->first], begin = code->count, count;
    if (scratch == NO_INDEX) {
        if (!rewrite->code->layout.landings || !rewrite->program->interpreter)
            return 0;
        to = rewrite->code->layout.landings[block->first];
        scratch = rewrite->machine->registers->spill;
        emit_spill(rewrite, code, scratch);
    }
    machine_address_fixed(code, to, scratch);
    machine_jump(code, scratch);
    count = code->count - begin;
    memcpy(words, code->words + begin, count * sizeof *words);
    code->count = begin; /* the springboard is placed elsewhere */
    return count;
}

static void patch_all(struct sparse *sparse, uint32_t first, const uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        add_patch(sparse, first + i, words[i]);
}

/* From the instruction to the address, in words. */
static int64_t branch_distance(const struct program *program, uint32_t instruction, uint64_t address) {
    return ((int64_t)address - (int64_t)instruction_address(program, instruction) - 4) / 4;
}

static bool reaches_run(const struct machine *machine, uint32_t from, const struct sparse_run *run) {
    return machine_reaches(machine, (int64_t)run->first - from - 1);
}

/* Places the springboard of a block in the room, or in words that are never executed. Both these words and
   the blocks are in ascending order. Returns its address, or 0 if no branch reaches a free position. */
static uint64_t place_springboard(struct rewrite *rewrite, struct sparse_room *room, uint32_t from,
                                  const uint32_t *words, uint32_t count) {
    const struct program *program = rewrite->program;
    uint64_t springboard = room->address + 4 * (uint64_t)room->count;
    if (springboard + 4 * (uint64_t)count <= room->end &&
        machine_reaches(rewrite->machine, branch_distance(program, from, springboard))) {
        for (uint32_t i = 0; i < count; i++)
            add_springboard_word(room, words[i]);
        return springboard;
    }
    /* Runs that are full, or that no later block reaches either, are skipped permanently. */
    while (room->run_next < room->run_count &&
           (room->runs[room->run_next].count < SPRINGBOARD_SIZE / 4 ||
            (room->runs[room->run_next].first < from &&
             !reaches_run(rewrite->machine, from, &room->runs[room->run_next]))))
        room->run_next++;
    uint32_t at = room->run_next;
    while (at < room->run_count && room->runs[at].count < count)
        at++;
    if (at == room->run_count || !reaches_run(rewrite->machine, from, &room->runs[at]))
        return 0;
    struct sparse_run *run = &room->runs[at];
    uint32_t first = run->first;
    patch_all(rewrite->copying->sparse, first, words, count);
    run->first += count;
    run->count -= count;
    return instruction_address(rewrite->program, first);
}

static void add_springboard(struct rewrite *rewrite, struct sparse_room *room, uint32_t index) {
    const struct basic_block *block = &rewrite->program->blocks[index];
    struct sparse *sparse = rewrite->copying->sparse;
    uint32_t words[LONGEST_SPRINGBOARD / 4], count = make_springboard(rewrite, block, words);
    if (count == 0)
        sparse->obstacle = "no register is free where a copy is to be entered";
    if (count == 0 || (index >= room->own_words_from && has_room(rewrite, block, count)))
        return; /* the springboard is in the block itself */
    uint64_t springboard = place_springboard(rewrite, room, block->first, words, count);
    if (springboard == 0)
        sparse->obstacle = "there is no room near its text for the ways into the copies";
    else
        add_patch(sparse, block->first,
                  machine_branch_word(rewrite->machine,
                                      branch_distance(rewrite->program, block->first, springboard)));
}

/* Springboards that are in their own blocks. The rest of those blocks, and blocks that are never entered, are
   room for other springboards. */
static void use_own_words(struct rewrite *rewrite, struct sparse_room *room, uint32_t index) {
    const struct basic_block *block = &rewrite->program->blocks[index];
    /* After an unresolved jump the runtime makes the program's system call itself, and returns here.
     */
    bool is_behind_call = index > 0 && rewrite->program->blocks[index - 1].end == END_SYSTEM_CALL;
    uint32_t words[LONGEST_SPRINGBOARD / 4], used = is_behind_call ? 1 : 0;
    if (index < room->own_words_from || !has_room(rewrite, block, 0))
        return;
    if (is_entered(rewrite, index)) {
        uint32_t count = make_springboard(rewrite, block, words);
        bool fits = count > 0 && has_room(rewrite, block, count);
        if (fits)
            patch_all(rewrite->copying->sparse, block->first, words, count);
        used = fits ? count : 1;
    }
    if (block->count < used + SPRINGBOARD_SIZE / 4)
        return;
    ARENA_RESERVE(room->arena, room->runs, room->run_count, room->run_capacity);
    room->runs[room->run_count++] = (struct sparse_run){block->first + used, block->count - used};
}

bool sparse_needs_landings(const struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    bool needs = false;
    for (uint32_t b = 0;
         b < program->block_count && rewrite->copying->sparse && program->interpreter && !needs; b++)
        needs = is_entered(rewrite, b) &&
                free_register(machine_registers(rewrite),
                              kept_by_springboard(rewrite, &program->blocks[b])) == NO_INDEX;
    return needs;
}

/* True if known control flow reaches the block. Otherwise the block may be data. */
static bool is_reached(const struct rewrite *rewrite, uint32_t index) {
    return is_entered(rewrite, index) || rewrite->program->blocks[index].predecessor_count > 0;
}

/* `procedure`: first instruction of the procedure. All words of a run are in one procedure, and so in one
   section. */
static void add_traps(struct sparse *sparse, uint32_t first, uint32_t count, uint32_t procedure) {
    if (sparse->trap_count > 0) {
        struct sparse_run *last = &sparse->traps[sparse->trap_count - 1];
        if (last->first >= procedure && last->first + last->count == first) {
            last->count += count;
            return;
        }
    }
    ARENA_RESERVE(sparse->arena, sparse->traps, sparse->trap_count, sparse->trap_capacity);
    sparse->traps[sparse->trap_count++] = (struct sparse_run){first, count};
}

/* True if a signal handler returns to this block. Stack unwinders recognize the signal's frame by these words
   (libgcc, config/alpha/linux-unwind.h), so they must not be changed. */
static bool is_signal_return(const struct program *program, const struct basic_block *block) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    if (block->end != END_SYSTEM_CALL || block->count < 3)
        return false;
    const struct facts *facts = facts_of(program, block->first + block->count - 3);
    return facts->flags & FACT_MOVE && facts->operand[2] == registers->first_argument &&
           source_of_move(facts, registers->zero) == registers->stack;
}

/* Places traps where control arrives only by an unresolved jump; they show it to the runtime. Springboards
   may be among them. */
static void set_traps(struct rewrite *rewrite) {
    struct sparse *sparse = rewrite->copying->sparse;
    const struct program *program = rewrite->program;
    uint64_t words = 0;
    for (uint32_t b = 0; b < program->block_count && words < MOST_TRAPS; b++) {
        const struct basic_block *block = &program->blocks[b];
        if (!rewrite->code->coverage.copied[block->procedure] || is_signal_return(program, block) ||
            !has_room(rewrite, block, 0) || !is_reached(rewrite, b))
            continue;
        add_traps(sparse, block->first, block->count, program->procedures[block->procedure].first);
        words += block->count;
    }
}

static void say_obstacle(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    const struct sparse *sparse = rewrite->copying->sparse;
    diagnose(rewrite->diagnostics, NULL, MESSAGE_NOT_SPARSE, object_number(program, sparse->obstructed)->path,
             sparse->obstacle);
    if (program->library_count == 0)
        diagnose_hint(rewrite->diagnostics, "without --copy=sparse all of it is copied");
    else if (sparse->obstructed > 0)
        diagnose_hint(rewrite->diagnostics, "--objects=NAME,... instruments others without it");
    else
        diagnose_hint(rewrite->diagnostics, "without --objects, all of the program is copied");
}

static int by_instruction(const void *left, const void *right) {
    uint32_t a = ((const struct sparse_patch *)left)->instruction,
             b = ((const struct sparse_patch *)right)->instruction;
    return a < b ? -1 : a > b;
}

static uint32_t springboard_size(const struct rewrite *rewrite, const struct basic_block *block) {
    return free_register(machine_registers(rewrite), kept_by_springboard(rewrite, block)) == NO_INDEX
               ? LONGEST_SPRINGBOARD
               : SPRINGBOARD_SIZE;
}

/* The springboards of the first blocks are in the program's room. A quarter of it is reserved for later
   blocks that have no words of their own. */
static void share_room(const struct rewrite *rewrite, struct sparse_room *room) {
    const struct program *program = rewrite->program;
    uint64_t left = (room->end - room->address) / 4 * 3;
    uint32_t b = 0;
    for (; b < program->block_count && object_number_of(program, program->blocks[b].first) == 0; b++) {
        uint64_t size = is_entered(rewrite, b) ? springboard_size(rewrite, &program->blocks[b]) : 0;
        if (size > left)
            break;
        left -= size;
    }
    room->own_words_from = b;
}

bool sparse_finish(struct rewrite *rewrite) {
    struct sparse *sparse = rewrite->copying->sparse;
    const struct program *program = rewrite->program;
    uint32_t objects = program->library_count + 1;
    struct arena_mark mark = arena_mark(program->scratch);
    uint64_t *sizes = arena_allocate(program->scratch, objects * sizeof *sizes);
    for (uint32_t b = 0; b < program->block_count; b++)
        if (is_entered(rewrite, b))
            sizes[object_number_of(program, program->blocks[b].first)] +=
                springboard_size(rewrite, &program->blocks[b]);
    sparse->arena = rewrite->round;
    sparse->rooms = arena_allocate(sparse->arena, objects * sizeof *sparse->rooms);
    sparse->room_count = objects;
    for (uint32_t k = 0; k < objects; k++) {
        sparse->rooms[k].arena = sparse->arena;
        if (!find_springboard_room(&sparse->rooms[k], object_number(program, k), k > 0, sizes[k]))
            share_room(rewrite, &sparse->rooms[k]);
    }
    arena_release(program->scratch, mark);
    for (uint32_t b = 0; b < program->block_count; b++)
        if (rewrite->code->coverage.copied[program->blocks[b].procedure])
            use_own_words(rewrite, &sparse->rooms[object_number_of(program, program->blocks[b].first)], b);
    for (uint32_t b = 0; b < program->block_count && !sparse->obstacle; b++)
        if (is_entered(rewrite, b)) {
            sparse->obstructed = object_number_of(program, program->blocks[b].first);
            add_springboard(rewrite, &sparse->rooms[sparse->obstructed], b);
        }
    if (sparse->obstacle && sparse_is_needed(rewrite))
        say_obstacle(rewrite);
    if (sparse->patch_count > 0)
        qsort(sparse->patches, sparse->patch_count, sizeof *sparse->patches, by_instruction);
    if (!sparse->obstacle)
        set_traps(rewrite);
    return !sparse->obstacle;
}

/* The first patch at the address or after it. */
static uint32_t first_patch(const struct rewrite *rewrite, uint64_t address) {
    const struct sparse *sparse = rewrite->copying->sparse;
    return FIRST_NOT(0, sparse->patch_count, at,
                     instruction_address(rewrite->program, sparse->patches[at].instruction) < address);
}

/* The first run of traps that ends after the address. */
static uint32_t first_traps(const struct rewrite *rewrite, uint64_t address) {
    const struct sparse *sparse = rewrite->copying->sparse;
    return FIRST_NOT(0, sparse->trap_count, at,
                     instruction_address(rewrite->program, sparse->traps[at].first) +
                             4 * (uint64_t)sparse->traps[at].count <=
                         address);
}

void sparse_change(const struct rewrite *rewrite, uint64_t address, uint64_t size, uint8_t *bytes) {
    const struct sparse *sparse = rewrite->copying->sparse;
    const uint32_t trap = rewrite->machine->unresolved_trap;
    for (uint32_t i = sparse ? first_traps(rewrite, address) : 0; sparse && i < sparse->trap_count; i++) {
        uint64_t begin = instruction_address(rewrite->program, sparse->traps[i].first);
        uint64_t end = begin + 4 * (uint64_t)sparse->traps[i].count;
        if (begin >= address + size)
            break;
        for (uint64_t at = begin < address ? address : begin; at < end && at + 4 <= address + size; at += 4)
            memcpy(bytes + (at - address), &trap, sizeof trap);
    }
    for (uint32_t i = sparse ? first_patch(rewrite, address) : 0; sparse && i < sparse->patch_count; i++) {
        uint64_t offset = instruction_address(rewrite->program, sparse->patches[i].instruction) - address;
        if (offset >= size || size - offset < 4)
            break;
        /* a word of a patch may also be in a run of traps */
        memcpy(bytes + offset, &sparse->patches[i].word, 4);
    }
}

void sparse_write_patched(struct rewrite *rewrite, struct atomc_image *image) {
    enum { AT_ONCE = 1024 }; /* an even number, so that the table has no gaps */
    struct atomc_patched patched[AT_ONCE];
    const struct sparse *sparse = rewrite->copying->sparse;
    image->patched_count = sparse ? sparse->patch_count : 0;
    for (uint32_t i = 0, n; i < image->patched_count; i += n) {
        for (n = 0; n < AT_ONCE && i + n < image->patched_count; n++) {
            const struct sparse_patch *patch = &sparse->patches[i + n];
            patched[n] = (struct atomc_patched){patch->instruction,
                                                rewrite->program->text[patch->instruction], patch->word};
        }
        uint64_t address = table_bytes(rewrite, patched, n * sizeof *patched);
        image->patched = i == 0 ? address : image->patched;
    }
}

void sparse_write_traps(struct rewrite *rewrite, struct atomc_image *image) {
    const struct sparse *sparse = rewrite->copying->sparse;
    uint32_t count = sparse ? sparse->trap_count : 0, words = 0;
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    struct atomc_traps *traps = arena_allocate(rewrite->program->scratch, (count + 1) * sizeof *traps);
    for (uint32_t i = 0; i < count; i++) {
        const struct sparse_run *run = &sparse->traps[i];
        uint64_t address =
            table_bytes(rewrite, rewrite->program->text + run->first, run->count * sizeof words);
        image->trapped_words = i == 0 ? address : image->trapped_words;
        traps[i] = (struct atomc_traps){run->first, run->count, words};
        words += (run->count + 1) & ~UINT32_C(1); /* table_bytes() aligns to 8 bytes */
    }
    image->traps = count ? table_bytes(rewrite, traps, count * sizeof *traps) : 0;
    image->trap_count = count;
    arena_release(rewrite->program->scratch, mark);
}
