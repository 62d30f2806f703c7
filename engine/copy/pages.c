/* pages.c: where copies of procedures begin. QEMU goes from one translation straight to the next within a
   page; on the way to another page it looks the next one up, which takes some fifty instructions of the host.
   So a procedure whose copy is shorter than half a page does not lie on two. Requires procedures copied in
   order. */
#include "engine/copy/internal.h"
#include "engine/object/object.h"

enum {
    PAGE_WORDS = ALPHA_PAGE / 4,
    LONGEST = PAGE_WORDS / 2, /* copies; for longer ones, too much of pages would be empty */
    LEAST_COPIED =
        1000,         /* instructions, before what has been copied tells how long copies are; until then: */
    USUAL_LENGTH = 3, /* words for each instruction */
    MANY = 20,        /* one of so many instructions has a site */
};

/* How many sites stand at its instructions; `site`: the first of them. */
static uint64_t sites_in(const struct sites *sites, uint32_t site, const struct procedure *procedure) {
    uint32_t first = site, end = procedure->first + procedure->count;
    while (site < sites->count && sites->sites[site].instruction < end)
        site++;
    return site - first;
}

/* About how many words its copy will have: what has been added to the copies before it is of their sites, if
   there are many, or of their instructions. */
static uint64_t length_of_copy(const struct copy *copy, const struct procedure *procedure) {
    uint64_t count = procedure->count, before = procedure->first;
    uint64_t words = code_position(&copy->rewrite->code->copies);
    if (before < LEAST_COPIED)
        return count * USUAL_LENGTH;
    if (copy->site * MANY < before || words < before)
        return count * words / before + 1;
    return count + (words - before) * sites_in(copy->rewrite->sites, copy->site, procedure) / copy->site + 1;
}

bool page_ends(const struct copy *copy, uint32_t index) {
    const struct rewrite *rewrite = copy->rewrite;
    const struct program *program = rewrite->program;
    if (rewrite->copying->sparse || rewrite->is_tight || index >= program->procedure_count)
        return false;
    uint64_t length = length_of_copy(copy, &program->procedures[index]);
    uint32_t used = code_address(&rewrite->code->copies) % ALPHA_PAGE / 4;
    return length <= LONGEST && used + length > PAGE_WORDS;
}

void page_fill(struct rewrite *rewrite) {
    struct code *code = &rewrite->code->copies;
    while (code_address(code) % ALPHA_PAGE != 0)
        emit(code, ALPHA_NOP);
}
