/* promoted_counts.c: counts that loops hold in registers: the code where control enters or leaves such a
   loop, and a table of these ranges for the runtime. Requires the sets that count/promotion.c chose. */

#include "engine/copy/internal.h"
#include "engine/dataflow/dataflow.h"
#include "engine/count/counting.h"

/* From here on the registers of this set hold counts. */
static void note_set(struct rewrite *rewrite, uint32_t set) {
    struct counting *counting = rewrite->counting;
    uint32_t address = code_address(&rewrite->code->copies), count = counting->promoted_table_count;
    if ((count > 0 ? counting->promoted_table[count - 1].set : 0) == set)
        return;
    ARENA_RESERVE(counting->arena, counting->promoted_table, counting->promoted_table_count,
                  counting->promoted_table_capacity);
    counting->promoted_table[counting->promoted_table_count++] = (struct atomc_promoted){address, set};
}

void promoted_note(struct rewrite *rewrite, uint32_t block) {
    note_set(rewrite, promoted_set_of(rewrite, block));
}

/* Adds the register to its count's cell. If these instructions are interrupted they start again, so the
   register counts as unflushed until the last one has executed. */
static void emit_flush(struct rewrite *rewrite, const struct promoted_set *promoted, register_set live) {
    struct code *code = &rewrite->code->copies;
    unsigned found[2];
    if (registers_of_thread_count(rewrite, live, found)) {
        emit_thread_add(rewrite, promoted->cell, (struct cell_amount){promoted->reg, 0}, found[1], found[0]);
        rewrite->code->statistics.updates_by_thread++;
        note_set(rewrite, promoted->parent);
        return;
    }
    struct scratch scratch =
        scratch_reserve(rewrite, code,
                        &(struct scratch_request){
                            .count = 2,
                            .may_use_frame = true,
                            .live = ~count_registers(machine_registers(rewrite), live | rewrite->observed),
                            .avoided = ~count_registers(machine_registers(rewrite),
                                                        promoted->registers |
                                                            set_of(rewrite->machine->registers->data_base))});
    emit_cell_add(rewrite, promoted->cell, (struct cell_amount){promoted->reg, 0}, scratch.registers[0],
                  scratch.registers[1]);
    note_set(rewrite, promoted->parent);
    scratch_release(rewrite, code, &scratch);
}

/* Clears the counts of set `to` that are not in `common`, outermost first. */
static void emit_clears(struct rewrite *rewrite, uint32_t to, uint32_t common) {
    const struct promoted_set *promoted = rewrite->counting->promoted_sets;
    if (to == common)
        return;
    emit_clears(rewrite, promoted[to].parent, common);
    machine_clear(&rewrite->code->copies, promoted[to].reg);
    note_set(rewrite, to);
}

void promoted_pass(struct rewrite *rewrite, uint32_t from, uint32_t to, register_set live) {
    const struct promoted_set *promoted = rewrite->counting->promoted_sets;
    uint32_t left = promoted_set_of(rewrite, from), entered = promoted_set_of(rewrite, to), common = entered;
    live |= promoted_registers(rewrite, from) | promoted_registers(rewrite, to);
    while (left != common) {
        if (left > common) {
            emit_flush(rewrite, &promoted[left], live);
            left = promoted[left].parent;
        } else {
            common = promoted[common].parent;
        }
    }
    emit_clears(rewrite, entered, common);
}

void promotion_write(struct rewrite *rewrite, struct atomc_image *image) {
    const struct counting *counting = rewrite->counting;
    if (counting->promoted_table_count == 0)
        return;
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    struct atomc_promoted_set *sets =
        arena_allocate(rewrite->program->scratch, counting->promoted_count * sizeof *sets);
    for (uint32_t i = 1; i < counting->promoted_count; i++)
        sets[i] =
            (struct atomc_promoted_set){counting->promoted_sets[i].parent, counting->promoted_sets[i].reg,
                                        counting->promoted_sets[i].cell};
    image->promoted = table_bytes(rewrite, counting->promoted_table,
                                  counting->promoted_table_count * sizeof *counting->promoted_table);
    image->promoted_count = counting->promoted_table_count;
    image->promoted_sets = table_bytes(rewrite, sets, counting->promoted_count * sizeof *sets);
    arena_release(rewrite->program->scratch, mark);
}
