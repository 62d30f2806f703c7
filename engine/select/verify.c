/* verify.c: checks that the sites meet the assumptions of the later passes. Requires an analysed
   program. */
#include "engine/select/internal.h"
#include "engine/cfg/cfg.h"

static bool is_in_order(const struct site *before, const struct site *after) {
    return before->instruction < after->instruction ||
           (before->instruction == after->instruction && before->point <= after->point);
}

const char *sites_verify(const struct sites *sites, const struct program *program) {
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->sites[i];
        if (site->instruction >= program->instruction_count)
            return "a site is at no instruction";
        const struct basic_block *block = &program->blocks[block_at(program, site->instruction)];
        if (site->instruction < block->first || site->instruction > block_last(block))
            return "a site is outside of its block";
        if (i > 0 && !is_in_order(&sites->sites[i - 1], site))
            return "sites are not in order";
        if (site->kind == PLAN_ACTION_UPDATE && !site->action->cell && site->cell_base >= sites->cells)
            return "an update is of no cell";
    }
    for (uint32_t i = 1; i < sites->replacement_count; i++)
        if (sites->replacements[i - 1].procedure > sites->replacements[i].procedure)
            return "replacements are not in order";
    return NULL;
}
