/* kinds.c: the table of the encodings that the runtime executes step by step. */
#include "engine/output/internal.h"

void kinds_write(struct rewrite *rewrite, struct atomc_image *image) {
    const struct architecture *architecture = rewrite->program->architecture;
    struct arena *scratch = rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    if (!architecture->stepped)
        return;
    size_t count = architecture->stepped(NULL);
    struct stepped_encoding *encodings = arena_allocate(scratch, count * sizeof *encodings);
    struct atomc_kind *kinds = arena_allocate(scratch, count * sizeof *kinds);
    architecture->stepped(encodings);
    for (size_t i = 0; i < count; i++)
        kinds[i] = (struct atomc_kind){.match = encodings[i].match,
                                       .mask = encodings[i].mask,
                                       .opcode = encodings[i].opcode,
                                       .format = encodings[i].format};
    image->kind_count = count;
    image->kinds = table_bytes(rewrite, kinds, count * sizeof *kinds);
    arena_release(scratch, mark);
}
