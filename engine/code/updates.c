/* updates.c: changes of counters' cells in the copies, and the table of them for the runtime: one that a
   signal interrupts is made anew (runtime/updates.c). Requires registers for each. */
#include "engine/code/code.h"

/* ---- code ------------------------------------------------------------------------------------------------------- */

uint32_t update_load(struct rewrite *rewrite, unsigned value, int displacement, unsigned base) {
    struct code *code = &rewrite->code->copies;
    uint32_t load = code_position(code);
    emit(code, alpha_memory(rewrite->program->threads ? ALPHA_LDQ_L : ALPHA_LDQ, value, displacement, base));
    return load;
}

void update_add(struct code *code, struct cell_amount amount, unsigned value) {
    if (amount.reg == ALPHA_ZERO)
        emit(code, alpha_memory(ALPHA_LDA, value, amount.constant, value));
    else
        emit(code, alpha_operate(ALPHA_ADDQr, value, amount.reg, value));
}

void update_store(struct rewrite *rewrite, uint32_t from, uint32_t load, unsigned value, int displacement,
                  unsigned base) {
    struct code *code = &rewrite->code->copies;
    bool threads = rewrite->program->threads;
    emit(code, alpha_memory(threads ? ALPHA_STQ_C : ALPHA_STQ, value, displacement, base));
    if (threads)
        emit(code, alpha_branch(ALPHA_BEQ, value, (int64_t)load - code_position(code) - 1));
    update_note(rewrite, from, load);
}

void emit_cell_add(struct rewrite *rewrite, uint64_t cell, struct cell_amount amount, unsigned base,
                   unsigned value) {
    struct code *code = &rewrite->code->copies;
    uint32_t from = code_position(code);
    int low = emit_high(code, (uint32_t)(LAYOUT_CELLS + 8 * cell), base);
    uint32_t load = update_load(rewrite, value, low, base);
    update_add(code, amount, value);
    update_store(rewrite, from, load, value, low, base);
}

/* ---- which words they are --------------------------------------------------------------------------------------- */

/* Only computes, or loads, or goes on behind the store. */
static bool has_no_effect(const struct alpha_descriptor *descriptor, uint32_t word) {
    if (descriptor->flags & ALPHA_COND_BRANCH)
        return alpha_branch_displacement(word) >= 0;
    return descriptor->flags & ALPHA_LOAD || descriptor->opcode_id == ALPHA_LDA ||
           descriptor->opcode_id == ALPHA_LDAH || descriptor->format == ALPHA_FORMAT_OPERATE ||
           descriptor->format == ALPHA_FORMAT_LITERAL;
}

/* Does it do the same from its first word on again, wherever it has been left? It reads nothing that it
   changes later, and its last word is its only store; there may be a branch back behind that. */
static bool can_restart(const struct code *code, struct update_range range) {
    alpha_register_set read = 0, written = 0;
    uint32_t last = range.end - 1;
    if (alpha_decode(code->words[last])->flags & ALPHA_COND_BRANCH)
        last--;
    if (last <= range.begin || range.end - range.begin > ATOMC_UPDATE_WORDS ||
        !(alpha_decode(code->words[last])->flags & ALPHA_STORE))
        return false;
    for (uint32_t i = range.begin; i <= last; i++) {
        uint32_t word = code->words[i];
        const struct alpha_descriptor *descriptor = alpha_decode(word);
        struct alpha_registers registers = alpha_registers(word, descriptor);
        if (i < last && (descriptor->flags & ALPHA_STORE || !has_no_effect(descriptor, word)))
            return false;
        read |= registers.read & ~written;
        written |= registers.written;
    }
    return !(read & written);
}

void update_note(struct rewrite *rewrite, uint32_t from, uint32_t load) {
    struct update_ranges *updates = &rewrite->code->updates;
    const struct code *code = &rewrite->code->copies;
    struct update_range range = {from, code_position(code)};
    if (!can_restart(code, range))
        range.begin = load;
    if (!can_restart(code, range))
        return;
    ARENA_RESERVE(rewrite->round, updates->list, updates->count, updates->capacity);
    updates->list[updates->count++] = range;
}

uint32_t updates_end(const struct rewrite *rewrite) {
    const struct update_ranges *updates = &rewrite->code->updates;
    return updates->count > 0 ? updates->list[updates->count - 1].end : 0;
}

const char *updates_verify(const struct code_space *code) {
    uint32_t behind = 0;
    for (uint32_t i = 0; i < code->updates.count; i++) {
        struct update_range range = code->updates.list[i];
        if (range.begin < behind || range.end > code->copies.count)
            return "updates are not in order";
        if (!can_restart(&code->copies, range))
            return "an update cannot start again";
        behind = range.end;
    }
    return NULL;
}

/* ---- for the runtime -------------------------------------------------------------------------------------------- */

void updates_write(struct rewrite *rewrite, struct atomc_image *image) {
    const struct update_ranges *updates = &rewrite->code->updates;
    uint32_t pages = rewrite->code->copies.count / ATOMC_UPDATE_PAGE + 1, page = 0;
    if (updates->count == 0)
        return;
    struct arena *scratch = rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    uint16_t *words = arena_allocate(scratch, updates->count * sizeof *words);
    uint32_t *first = arena_allocate(scratch, (pages + 1) * sizeof *first);
    for (uint32_t i = 0; i < updates->count; i++) {
        struct update_range range = updates->list[i];
        while (page <= range.begin / ATOMC_UPDATE_PAGE)
            first[page++] = i;
        words[i] =
            (uint16_t)(range.begin % ATOMC_UPDATE_PAGE * ATOMC_UPDATE_WORDS + (range.end - range.begin - 1));
    }
    while (page <= pages)
        first[page++] = updates->count;
    image->updates = table_bytes(rewrite, words, updates->count * sizeof *words);
    image->update_pages = table_bytes(rewrite, first, (pages + 1) * sizeof *first);
    image->updates_locked = rewrite->program->threads;
    arena_release(scratch, mark);
}
