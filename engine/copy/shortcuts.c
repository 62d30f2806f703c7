/* shortcuts.c: instructions of a block whose sites only read in their guards are copied twice. A combined
   guard ahead of them evaluates the guards of all their sites (inline/asks.c). If no site would take its slow
   path, control goes to a copy of the instructions alone, the shortcut. Otherwise it goes to the first copy,
   after the procedure, in which each site is at its instruction as usual.

   A guard changes no state, and neither does any code between the instructions. So the combined guard finds
   the values that the sites would have found, as long as the shortcut executes completely. Therefore the map
   refers to the first copies, and the runtime treats a shortcut as inserted code: a signal is delivered after
   the shortcut, and a fault is reported as a fault of the same instruction in the first copy
   (atomc_leave_shortcut). Requires a program without threads, because another thread could change values that
   a guard has read; and no registers observed by sites. */
#include "engine/copy/internal.h"
#include "engine/dataflow/dataflow.h"
#include "engine/cfg/cfg.h"

/* The maximum number of addresses in registers, in addition to addresses relative to the stack. With more
   addresses it becomes likely that a guard takes its slow path. Then all guards are evaluated a second time,
   and control goes to other pages: bzip2 ran 17 per cent slower. */
enum { MOST_FAR = 1 };
/* In a procedure of this many instructions, a branch from its first block still reaches code after it. */
enum { LONGEST_PROCEDURE = 8000 };

/* True if the runtime can execute it step by step, and the only fault that it can cause is one of
   memory. */
static bool can_be_twice(const struct program *program, uint32_t instruction) {
    const struct facts *facts = facts_of(program, instruction);
    return facts->flags & FACT_REPEATABLE && is_plain(facts) &&
           !(facts->written & set_of(program->architecture->registers.stack)) &&
           locked_sequence_end(program, instruction) == NO_INDEX;
}

/* The guards that are evaluated ahead of an instruction. */
struct asked_together {
    const struct site *sites[MOST_ASKED];
    struct question questions[MOST_ASKED];
    uint32_t count;
    uint32_t end;      /* instruction after the last one with a site */
    uint32_t end_site; /* in rewrite->sites */
};

static void find_together(const struct copy *copy, uint32_t instruction, uint32_t site,
                          struct asked_together *together) {
    const struct rewrite *rewrite = copy->rewrite;
    const struct program *program = rewrite->program;
    const struct sites *sites = rewrite->sites;
    uint32_t block_end = program->blocks[copy->block].first + program->blocks[copy->block].count;
    register_set written = 0, far = 0;
    together->count = 0;
    for (uint32_t i = instruction; i < block_end && can_be_twice(program, i); i++) {
        bool has_site = site < sites->count && sites->sites[site].instruction == i;
        if (i == copy->slot && i > instruction)
            break;
        if (has_site) {
            const struct site *here = &sites->sites[site];
            bool alone = site + 1 == sites->count || sites->sites[site + 1].instruction != i;
            if (!alone || here->point != SITE_BEFORE || together->count == MOST_ASKED ||
                written & set_of(facts_of(program, i)->operand[1]) ||
                !inline_find_question(rewrite, here, &together->questions[together->count]))
                break;
            if (!inline_asks_nearby(rewrite, here)) {
                far |= set_of(facts_of(program, i)->operand[1]);
                if (__builtin_popcountll(far) > MOST_FAR)
                    break;
            }
            together->sites[together->count++] = here;
            together->end = i + 1;
            together->end_site = ++site;
        }
        written |= facts_of(program, i)->written & ~set_of(program->architecture->registers.zero);
    }
}

static bool can_have_shortcut(const struct copy *copy) {
    const struct rewrite *rewrite = copy->rewrite;
    const struct program *program = rewrite->program;
    const struct early_sums *early = &rewrite->copying->early;
    bool sums = early->count > early->first && early->block == copy->block;
    return rewrite->inliner && !rewrite->options->without[WITHOUT_SHORTCUTS] && !program->threads &&
           !program->observed && !rewrite->is_tight && copy->out_of_line == NO_INDEX &&
           copy->locked_end == NO_INDEX && !sums &&
           program->procedures[copy->procedure].count <= LONGEST_PROCEDURE;
}

bool shortcut_emit(struct copy *copy, uint32_t instruction, uint32_t site, register_set live) {
    struct rewrite *rewrite = copy->rewrite;
    struct code *code = &rewrite->code->copies;
    struct asked_together together;
    const struct site *asked[MOST_ASKED];
    if (!can_have_shortcut(copy))
        return false;
    find_together(copy, instruction, site, &together);
    if (together.count < 2)
        return false;
    struct twice twice = {copy->block, instruction, together.end - instruction, .site = site};
    const struct call_context context = {.instruction = instruction, .live = live, .taken = -1};
    uint32_t count =
        inline_choose_questions(rewrite, together.sites, together.questions, together.count, asked);
    if (!asks_emit(rewrite, asked, count, &context, &twice.left))
        return false;
    point_end(rewrite, &context);
    twice.copy = code_position(code);
    for (uint32_t i = instruction; i < together.end; i++)
        emit(code, rewrite->program->text[i]);
    ARENA_RESERVE(rewrite->round, copy->twice, copy->twice_count, copy->twice_capacity);
    copy->twice[copy->twice_count++] = twice;
    copy->next = together.end;
    copy->site = together.end_site;
    rewrite->code->statistics.calls_together += together.count;
    return true;
}

bool shortcuts_wait(const struct copy *copy) {
    return copy->twice_count > 0;
}

static void emit_out_of_line(struct copy *copy, const struct twice *twice) {
    struct rewrite *rewrite = copy->rewrite;
    struct layout *layout = &rewrite->code->layout;
    struct code *code = &rewrite->code->copies;
    uint32_t first = rewrite->program->blocks[twice->block].first, end = twice->first + twice->count;
    struct point_sites none = {0};
    asks_leave(rewrite, &twice->left);
    copy->block = twice->block;
    copy_find_live(copy);
    copy->site = twice->site;
    copy->out_of_line = twice->first;
    range_behind(rewrite, twice->block);
    ARENA_RESERVE(rewrite->round, layout->shortcuts, layout->shortcut_count, layout->shortcut_capacity);
    layout->shortcuts[layout->shortcut_count++] = (struct atomc_shortcut){
        code->address + 4 * twice->copy, code_address(code), twice->first, twice->count};
    for (uint32_t i = twice->first; i < end; i++)
        copy_one(copy, i, copy->before[i - first], copy->before[i - first + 1], &none);
    range_behind(rewrite, NO_INDEX);
    machine_branch_to(code, twice->copy + twice->count);
}

void shortcuts_finish(struct copy *copy) {
    struct layout *layout = &copy->rewrite->code->layout;
    uint32_t block = copy->block, site = copy->site, at = layout->at;
    copy->slot = NO_INDEX;
    copy->scavenged = (struct scavenged){.first = NO_INDEX, .last = NO_INDEX};
    for (uint32_t i = 0; i < copy->twice_count; i++)
        emit_out_of_line(copy, &copy->twice[i]);
    copy->twice_count = 0;
    copy->out_of_line = NO_INDEX;
    copy->block = block;
    copy->site = site;
    layout->at = at;
}
