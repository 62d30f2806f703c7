/* library_tables.c: tables of each instrumented library for the runtime: identification of its file, the
   entries into the copies, the constants that are its addresses. Requires finished copies. */
#include <string.h>

#include "engine/output/internal.h"
#include "engine/copy/copy.h"
#include "engine/object/object.h"

/* Removes sites before and after the program's own object, if that is not instrumented. */
static void leave_out_object(struct site_list *sites) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sites->count; i++)
        if (sites->list[i].scope != PLAN_OBJECT)
            sites->list[kept++] = sites->list[i];
    sites->count = kept;
}

void libraries_leave_out(const struct program *program, struct sites *sites) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sites->count; i++)
        if (!program->left_out || sites->sites[i].instruction >= program->own_count)
            sites->sites[kept++] = sites->sites[i];
    sites->count = kept;
    kept = 0;
    for (uint32_t i = 0; i < sites->skip_count; i++)
        if (!program->left_out || sites->skips[i].instruction >= program->own_count)
            sites->skips[kept++] = sites->skips[i];
    sites->skip_count = kept;
    if (program->left_out) {
        leave_out_object(&sites->program.before);
        leave_out_object(&sites->program.after);
        leave_out_object(&sites->program.forked);
    }
    kept = 0;
    for (uint32_t i = 0; i < sites->replacement_count; i++)
        if (!program->left_out ||
            program->procedures[sites->replacements[i].procedure].first >= program->own_count)
            sites->replacements[kept++] = sites->replacements[i];
    sites->replacement_count = kept;
}

static uint64_t write_map(struct rewrite *rewrite, const struct program *library) {
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    uint32_t *map = arena_allocate(rewrite->program->scratch, library->own_count * sizeof *map);
    for (uint32_t i = 0; i < library->own_count; i++) {
        uint32_t instruction = library->first_instruction + i;
        if (is_copied(rewrite, instruction))
            map[i] = rewrite->code->layout.map[instruction];
    }
    unforeseen_mark_map(rewrite, library->first_instruction, library->own_count, map);
    uint64_t address = table_bytes(rewrite, map, library->own_count * sizeof *map);
    arena_release(rewrite->program->scratch, mark);
    return address;
}

static void write_constants(struct rewrite *rewrite, uint32_t object, struct atomc_library *written) {
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    uint32_t *constants =
        arena_allocate(rewrite->program->scratch, rewrite->code->pool.count * sizeof *constants);
    uint32_t count = 0;
    for (uint32_t i = 0; i < rewrite->code->pool.count; i++)
        if (rewrite->code->pool.objects[i] == object)
            constants[count++] = i;
    written->constants = table_bytes(rewrite, constants, count * sizeof *constants);
    written->constant_count = count;
    arena_release(rewrite->program->scratch, mark);
}

static uint64_t library_end(const struct program *library) {
    const struct segment *last = &library->segments[library->segment_count - 1];
    return last->address + last->memory_size;
}

/* Includes libraries that are not instrumented. */
static void write_calls(struct rewrite *rewrite, struct atomc_image *image) {
    const struct program *program = rewrite->program;
    struct arena_mark mark = arena_mark(program->scratch);
    struct atomc_library_calls *written =
        arena_allocate(program->scratch, program->calls_count * sizeof *written);
    for (uint32_t i = 0; i < program->calls_count; i++) {
        const struct library_calls *calls = &program->calls[i];
        written[i] = (struct atomc_library_calls){
            .size = calls->size,
            .hash = calls->hash,
            .modified = calls->modified,
            .modified_nanoseconds = calls->modified_nanoseconds,
            .addresses = table_bytes(rewrite, calls->addresses, calls->count * sizeof *calls->addresses),
            .count = calls->count};
    }
    image->library_calls = table_bytes(rewrite, written, program->calls_count * sizeof *written);
    image->library_calls_count = program->calls_count;
    arena_release(program->scratch, mark);
}

void libraries_write(struct rewrite *rewrite, struct atomc_image *image) {
    const struct program *program = rewrite->program;
    if (program->calls_count > 0)
        write_calls(rewrite, image);
    if (program->library_count == 0)
        return;
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    struct atomc_library *libraries =
        arena_allocate(program->scratch, program->library_count * sizeof *libraries);
    for (uint32_t k = 0; k < program->library_count; k++) {
        const struct program *library = program->libraries[k];
        const struct sparse_room *room = &rewrite->copying->sparse->rooms[k + 1];
        libraries[k] = (struct atomc_library){
            .name = table_string(rewrite, library->path),
            .needed = !library->is_plug_in,
            .size = library->image_size,
            .hash = hash_of_file(library->image, library->image_size),
            .base = library->base,
            .begin = library->segments[0].address,
            .end = library_end(library),
            .text = library->text_address,
            .first = library->first_instruction,
            .count = library->own_count,
            .map = write_map(rewrite, library),
            .springboards = table_bytes(rewrite, room->springboards, 4 * (size_t)room->count),
            .springboard_count = room->count,
            .springboards_address = room->address};
        const struct object_events *events = &rewrite->sites->libraries[k];
        libraries[k].before = program_calls_write(rewrite, &events->before);
        libraries[k].before_count = events->before.count;
        libraries[k].after = program_calls_write(rewrite, &events->after);
        libraries[k].after_count = events->after.count;
        write_constants(rewrite, k + 1, &libraries[k]);
    }
    image->libraries = table_bytes(rewrite, libraries, program->library_count * sizeof *libraries);
    image->library_count = program->library_count;
    arena_release(rewrite->program->scratch, mark);
}
