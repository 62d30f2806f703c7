/* pages.c: the addresses at which copies of procedures begin. Within a page QEMU continues from one
   translation directly to the next. To enter another page it looks up the translation, which takes about
   fifty instructions of the host. So a procedure whose copy is shorter than half a page does not cross pages.
   Requires procedures copied in order. */
#include "engine/copy/internal.h"
#include "engine/object/object.h"

enum {
    LONGEST_PART = 2,    /* of a page; aligning longer copies would waste too much of the pages */
    LEAST_COPIED = 1000, /* instructions: until this number is copied, the length of copies is estimated
                            as: */
    USUAL_LENGTH = 3,    /* words for each instruction */
    MANY = 20,           /* "many": one of this many instructions has a site */
};

/* The number of sites at its instructions; `site`: the first of them. */
static uint64_t sites_in(const struct sites *sites, uint32_t site, const struct procedure *procedure) {
    uint32_t first = site, end = procedure->first + procedure->count;
    while (site < sites->count && sites->sites[site].instruction < end)
        site++;
    return site - first;
}

/* An estimate of the words in its copy: the ratio of added words so far, for each site if there are many
   sites, else for each instruction. */
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
    const uint32_t page = program->architecture->page, words = page / 4;
    uint32_t used = code_address(&rewrite->code->copies) % page / 4;
    return length <= words / LONGEST_PART && used + length > words;
}

void page_fill(struct rewrite *rewrite) {
    struct code *code = &rewrite->code->copies;
    while (code_address(code) % rewrite->program->architecture->page != 0)
        machine_no_operation(code);
}
