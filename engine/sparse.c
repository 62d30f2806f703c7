/* sparse.c: copies only the procedures with places, replaced ones, and those with system calls, which the
   runtime has to see. All other code runs where it was. Control comes into a copy by hops: the first word of
   each part of a copied procedure that is entered from elsewhere becomes a branch to `ldah, lda, jmp` in the
   unused pages behind the text. Copies leave by original addresses. Requires analysed program, liveness,
   sites. */
#include <stdlib.h>
#include <string.h>

#include "engine/copy.h"
#include "engine/counting.h"
#include "engine/sparse.h"

/* Little is at most so manieth part of the text. A tool without places is for measuring copies. */
enum { PROGRAM_PAGE = 0x2000, FARTHEST_PAGE = 0x10000, LITTLE = 16, HOP_SIZE = 12 };

bool is_copied(const struct rewrite *rewrite, uint32_t instruction) {
    return !rewrite->sparse || rewrite->sparse->copied[procedure_at(rewrite->program, instruction)];
}

static void copy_too(struct sparse *sparse, const struct program *program, uint32_t procedure) {
    if (sparse->copied[procedure])
        return;
    sparse->copied[procedure] = 1;
    sparse->copied_count++;
    sparse->instruction_count += program->procedures[procedure].count;
}

void sparse_copy_too(struct rewrite *rewrite, uint32_t instruction) {
    copy_too(rewrite->sparse, rewrite->program, procedure_at(rewrite->program, instruction));
    rewrite->sparse->grew = true;
}

/* Whole pages between the text's segment and the next; or behind all segments, where the program's heap then
   begins that much later, if `size` bytes do not fit there. */
static void find_room(struct sparse *sparse, const struct program *program, uint64_t size) {
    uint64_t end = 0, next = UINT64_MAX;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const struct segment *segment = &program->segments[i];
        if (program->text_address - segment->address < segment->memory_size)
            end = segment->address + segment->memory_size;
    }
    for (uint32_t i = 0; i < program->segment_count; i++)
        if (program->segments[i].address >= end && program->segments[i].address < next)
            next = program->segments[i].address;
    sparse->hops_address = (end + PROGRAM_PAGE - 1) & -(uint64_t)PROGRAM_PAGE;
    sparse->hops_end = next == UINT64_MAX ? sparse->hops_address + 0x10000 : next & -(uint64_t)PROGRAM_PAGE;
    if (next == UINT64_MAX || size <= sparse->hops_end - sparse->hops_address || !program->interpreter)
        return;
    const struct segment *last = &program->segments[program->segment_count - 1];
    end = last->address + last->memory_size;
    sparse->hops_address = (end + FARTHEST_PAGE - 1) & -(uint64_t)FARTHEST_PAGE;
    sparse->hops_end = sparse->hops_address + size;
}

void sparse_plan(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    enum copy_strategy strategy = rewrite->options->copy;
    if (strategy == COPY_ALL)
        return;
    struct sparse *sparse = rewrite->sparse = allocate_zeroed(1, sizeof *sparse);
    sparse->copied = allocate_zeroed((size_t)program->procedure_count + 1, 1);
    for (uint32_t i = 0; i < rewrite->sites->count; i++)
        copy_too(sparse, program, procedure_at(program, rewrite->sites->sites[i].instruction));
    for (uint32_t p = 0; p < program->procedure_count; p++)
        if (rewrite->counting->procedures && rewrite->counting->procedures[p])
            copy_too(sparse, program, p);
    for (uint32_t i = 0; i < rewrite->sites->replacement_count; i++)
        copy_too(sparse, program, rewrite->sites->replacements[i].procedure);
    bool little =
        sparse->copied_count > 0 && sparse->instruction_count <= program->instruction_count / LITTLE;
    /* Other objects run with a program that has a dynamic linker; the map is of one object's text. */
    if (strategy == COPY_AUTOMATIC && !little && !program->interpreter) {
        sparse_free(sparse);
        rewrite->sparse = NULL;
        return;
    }
    for (uint32_t b = 0; b < program->block_count; b++)
        if (program->blocks[b].end == END_SYSTEM_CALL && call_is_gated(program, &program->blocks[b]))
            copy_too(sparse, program, program->blocks[b].procedure);
}

/* ---- hops ----------------------------------------------------------------------------------------------- */

static void add_hop_word(struct sparse *sparse, uint32_t word) {
    VECTOR_RESERVE(sparse->hops, sparse->hop_count, sparse->hop_capacity);
    sparse->hops[sparse->hop_count++] = word;
}

/* Registers that a hop to the block keeps. A routine that is entered in the procedure's stead returns to whom
   the procedure might not have returned, with all but $28 as it was. */
static alpha_register_set kept_by_hop(const struct rewrite *rewrite, const struct basic_block *block) {
    if (block->leaders & (LEADER_PROCEDURE_ENTRY | LEADER_ALTERNATE_ENTRY) &&
        replacement_at(rewrite, block->procedure, block->first))
        return ~(UINT64_C(1) << ALPHA_AT);
    return block->live_in | rewrite->observed;
}

static void add_hop(struct rewrite *rewrite, const struct basic_block *block) {
    struct sparse *sparse = rewrite->sparse;
    unsigned scratch = free_register(kept_by_hop(rewrite, block));
    uint64_t from = instruction_address(rewrite->program, block->first);
    uint64_t hop = sparse->hops_address + 4 * (uint64_t)sparse->hop_count;
    int64_t distance = ((int64_t)hop - (int64_t)from - 4) / 4;
    uint32_t to = rewrite->map[block->first];
    int low = (int16_t)(to & 0xffff);
    if (scratch == NO_INDEX)
        sparse->obstacle = "no register is free where a copy is to be entered";
    else if (!alpha_branch_reaches(distance) || hop + HOP_SIZE > sparse->hops_end)
        sparse->obstacle = "there is no room near its text for the ways into the copies";
    if (sparse->obstacle)
        return;
    add_hop_word(sparse, alpha_memory(ALPHA_LDAH, scratch, (int)((to - (uint32_t)low) >> 16), ALPHA_ZERO));
    add_hop_word(sparse, alpha_memory(ALPHA_LDA, scratch, low, scratch));
    add_hop_word(sparse, alpha_jump(ALPHA_JMP, ALPHA_ZERO, scratch, 0));
    VECTOR_RESERVE(sparse->patches, sparse->patch_count, sparse->patch_capacity);
    sparse->patches[sparse->patch_count++] =
        (struct sparse_patch){block->first, alpha_branch(ALPHA_BR, ALPHA_ZERO, distance)};
}

bool sparse_finish(struct rewrite *rewrite) {
    struct sparse *sparse = rewrite->sparse;
    const struct program *program = rewrite->program;
    uint64_t size = 0;
    for (uint32_t b = 0; b < program->block_count; b++)
        if (sparse->copied[program->blocks[b].procedure] && entered_from_outside(program, b))
            size += HOP_SIZE;
    find_room(sparse, program, size);
    for (uint32_t b = 0; b < program->block_count && !sparse->obstacle; b++)
        if (sparse->copied[program->blocks[b].procedure] && entered_from_outside(program, b))
            add_hop(rewrite, &program->blocks[b]);
    if (sparse->obstacle && (rewrite->options->copy == COPY_SPARSE || program->interpreter))
        diagnose(rewrite->diagnostics, NULL, MESSAGE_NOT_SPARSE, program->path, sparse->obstacle);
    return !sparse->obstacle;
}

const void *sparse_bytes(const struct rewrite *rewrite, uint64_t address, uint64_t size, const void *bytes) {
    const struct sparse *sparse = rewrite->sparse;
    uint8_t *patched = NULL;
    for (uint32_t i = 0; sparse && bytes && i < sparse->patch_count; i++) {
        uint64_t offset = instruction_address(rewrite->program, sparse->patches[i].instruction) - address;
        if (offset >= size || size - offset < 4)
            continue;
        if (!patched)
            memcpy(patched = arena_allocate(rewrite->arena, size), bytes, size);
        memcpy(patched + offset, &sparse->patches[i].word, 4);
    }
    return patched ? patched : bytes;
}

void sparse_write_patched(struct rewrite *rewrite, struct atomc_image *image) {
    uint32_t count = rewrite->sparse ? rewrite->sparse->patch_count : 0;
    struct atomc_patched *patched = allocate(((size_t)count + 1) * sizeof *patched);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t instruction = rewrite->sparse->patches[i].instruction;
        patched[i] = (struct atomc_patched){instruction, rewrite->program->text[instruction]};
    }
    image->patched = count ? table_bytes(rewrite, patched, count * sizeof *patched) : 0;
    image->patched_count = count;
    free(patched);
}

void sparse_free(struct sparse *sparse) {
    if (!sparse)
        return;
    free(sparse->copied);
    free(sparse->hops);
    free(sparse->patches);
    free(sparse);
}
