/* image.c: fills in struct atomc_image, which describes the rewrite to the runtime. Requires the finished
   copies. */
#include <stddef.h>
#include <string.h>

#include "engine/output/internal.h"
#include "engine/object/object.h"
#include "engine/count/counting.h"
#include "engine/inline/inline.h"
#include "engine/copy/copy.h"
#include "runtime/interface.h"

/* Counters whose cells are 0 unless settling has changed them, and the cells that may have another
   value. */
static void write_settled(struct rewrite *rewrite, struct atomc_image *image) {
    const struct counting *counting = rewrite->counting;
    const uint64_t *bases = rewrite->sites->cell_bases;
    const uint32_t counters = rewrite->plan->counter_count;
    if (!counting->settled)
        return;
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    struct atomc_cells *ranges =
        arena_allocate(rewrite->program->scratch, ((size_t)counters + 1) * sizeof *ranges);
    for (uint32_t i = 0; i < counters; i++)
        if (counting->settled[i])
            ranges[image->settled_count++] = (struct atomc_cells){bases[i], bases[i + 1] - bases[i]};
    image->settled = table_bytes(rewrite, ranges, image->settled_count * sizeof *ranges);
    image->unsettled = table_bytes(rewrite, counting->left, counting->left_count * sizeof *counting->left);
    image->unsettled_count = counting->left_count;
    arena_release(rewrite->program->scratch, mark);
}

static void write_counting(struct rewrite *rewrite, struct atomc_image *image) {
    const struct counting *counting = rewrite->counting;
    image->stops = counting_stops(rewrite);
    if (!counting->blocks)
        return;
    image->counted =
        table_bytes(rewrite, counting->counted_procedures,
                    (counting->counted_procedure_count + 1) * sizeof *counting->counted_procedures);
    image->counted_count = counting->counted_procedure_count;
    image->effects = table_bytes(rewrite, counting->effects.bytes, counting->effects.count);
    image->ranges = table_bytes(rewrite, counting->ranges.bytes, counting->ranges.count);
    image->ranges_size = counting->ranges.count;
    image->first_value = rewrite->sites->cells;
    if (rewrite->code->statistics.updates_by_thread > 0)
        image->thread_values = counting->counted_procedures[counting->counted_procedure_count].counted;
    promotion_write(rewrite, image);
    write_settled(rewrite, image);
}

static void write_insides(struct rewrite *rewrite, struct atomc_image *image) {
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    struct atomc_inside *insides = NULL;
    size_t count = 0, capacity = 0;
    /* If an instruction has several shortcuts, the runtime uses the last. */
    for (uint32_t i = 0; i < rewrite->code->layout.shortcut_count; i++) {
        const struct atomc_shortcut *shortcut = &rewrite->code->layout.shortcuts[i];
        ARENA_RESERVE(rewrite->program->scratch, insides, count, capacity);
        insides[count++] = (struct atomc_inside){shortcut->real, shortcut->instruction};
    }
    const struct layout *layout = &rewrite->code->layout;
    size_t other = 0;
    for (uint32_t b = 0; b < rewrite->program->block_count; b++) {
        const struct basic_block *block = &rewrite->program->blocks[b];
        uint32_t copy = rewrite->code->copies.address + 4 * layout->inside[b];
        if (is_copied(rewrite, block->first) && copy != layout->map[block->first]) {
            ARENA_RESERVE(rewrite->program->scratch, insides, count, capacity);
            insides[count++] = (struct atomc_inside){copy, block->first};
        }
        for (; other < layout->other_inside_count &&
               layout->other_insides[other].instruction < block->first + block->count;
             other++) {
            ARENA_RESERVE(rewrite->program->scratch, insides, count, capacity);
            insides[count++] = (struct atomc_inside){rewrite->code->copies.address +
                                                         4 * layout->other_insides[other].position,
                                                     layout->other_insides[other].instruction};
        }
    }
    for (uint32_t i = 0; i < rewrite->copying->island_count; i++) {
        ARENA_RESERVE(rewrite->program->scratch, insides, count, capacity);
        insides[count++] = rewrite->copying->islands[i];
    }
    image->insides = count ? table_bytes(rewrite, insides, count * sizeof *insides) : 0;
    image->inside_count = count;
    arena_release(rewrite->program->scratch, mark);
}

static void write_shortcuts(struct rewrite *rewrite, struct atomc_image *image) {
    const struct layout *layout = &rewrite->code->layout;
    image->shortcut_count = layout->shortcut_count;
    if (layout->shortcut_count > 0)
        image->shortcuts =
            table_bytes(rewrite, layout->shortcuts, layout->shortcut_count * sizeof *layout->shortcuts);
}

static void write_waiting(struct rewrite *rewrite, struct atomc_image *image) {
    const struct layout *layout = &rewrite->code->layout;
    image->waiting_count = layout->waiting_count;
    if (layout->waiting_count > 0)
        image->waiting =
            table_bytes(rewrite, layout->waiting, layout->waiting_count * sizeof *layout->waiting);
}

static void write_moved(struct rewrite *rewrite, struct atomc_image *image) {
    image->moved_count = rewrite->copying->moved_count;
    if (rewrite->copying->moved_count > 0)
        image->moved = table_bytes(rewrite, rewrite->copying->moved,
                                   rewrite->copying->moved_count * sizeof *rewrite->copying->moved);
    image->moved_by = OLD_ROOM;
}

/* The new names are not in the program's string table: they are given as distances from it. */
static void write_renamed(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    uint64_t *values = arena_allocate(rewrite->arena, (program->renamed_count + 1) * sizeof *values);
    for (uint32_t i = 0; i < program->renamed_count; i++)
        values[i] = table_string(rewrite, program->renamed[i].name) - dynamic_strings(program);
    rewrite->renamed_values = values;
}

/* With these words the runtime detects changes of text by the program, in libraries as well. */
static void write_procedures(struct rewrite *rewrite, struct atomc_image *image) {
    const struct program *program = rewrite->program;
    struct arena_mark mark = arena_mark(program->scratch);
    uint32_t *first = arena_allocate(program->scratch, program->procedure_count * sizeof *first);
    uint32_t count = 0;
    while (count < program->procedure_count) {
        first[count] = program->procedures[count].first;
        count++;
    }
    image->procedures = count ? table_bytes(rewrite, first, count * sizeof *first) : 0;
    image->procedure_count = count;
    image->text_runs = rewrite->copying->sparse != NULL;
    for (uint32_t s = 0; s < program->segment_count; s++)
        if (program->text_address - program->segments[s].address < program->segments[s].memory_size)
            image->text_writable |= (program->segments[s].flags & PF_W) != 0;
    arena_release(program->scratch, mark);
}

/* Where the program, the analysis code and the copies are, and the calls at the program's ends. */
static void write_texts(struct rewrite *rewrite, struct atomc_image *image) {
    const struct program *program = rewrite->program;
    const struct program *analysis = rewrite->analysis->program;
    uint32_t entry = instruction_at(program, program->entry);
    image->layout = *rewrite->machine->layout;
    image->heap = heap_base(rewrite);
    image->entry_copy = is_copied(rewrite, entry) ? rewrite->code->layout.map[entry] : program->entry;
    image->text_address = program->text_address;
    image->text_size = 4 * (uint64_t)program->own_count;
    image->text_map = machine_map_address(rewrite->machine, program->text_address);
    image->program_entry = program->entry;
    image->program_headers =
        program->segments[0].address - program->segments[0].file_offset + program->program_header_offset;
    image->program_header_count = program->program_header_count;
    image->run = rewrite->options->run;
    image->unthreaded = !rewrite->program->threads;
    image->quiet = rewrite->options->quiet;
    image->interpreter = program->interpreter ? table_string(rewrite, program->interpreter) : 0;
    image->analysis_headers =
        analysis->segments[0].address - analysis->segments[0].file_offset + analysis->program_header_offset;
    image->analysis_header_count = analysis->program_header_count;
    image->before = program_calls_write(rewrite, &rewrite->sites->program.before);
    image->before_count = rewrite->sites->program.before.count;
    image->after = program_calls_write(rewrite, &rewrite->sites->program.after);
    image->after_count = rewrite->sites->program.after.count;
    image->forked = program_calls_write(rewrite, &rewrite->sites->program.forked);
    image->forked_count = rewrite->sites->program.forked.count;
    image->copies = rewrite->code->copies.address;
    image->copies_end = code_address(&rewrite->code->copies);
    image->own_stack = rewrite->code->own_stack;
    image->own_frames = rewrite->code->own_frames;
    image->aside = rewrite->program->aside;
    image->spills_far = rewrite->code->spills_far;
}

bool fill_image(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    uint64_t address = analysis_symbol(rewrite->analysis, "atomc_image");
    struct atomc_image *image = address ? analysis_bytes(rewrite->analysis, address, sizeof *image) : NULL;
    if (!image) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_NO_RUNTIME, rewrite->analysis->path);
        return false;
    }
    sites_forget(rewrite->sites);
    rewrite->code->tables.writes_far = rewrite->options->large;
    write_texts(rewrite, image);
    crash_places_write(rewrite, image);
    write_counting(rewrite, image);
    early_sums_write(rewrite, image);
    write_insides(rewrite, image);
    write_shortcuts(rewrite, image);
    write_waiting(rewrite, image);
    write_moved(rewrite, image);
    kinds_write(rewrite, image);
    write_procedures(rewrite, image);
    sums_write(rewrite, image);
    sparse_write_patched(rewrite, image);
    sparse_write_traps(rewrite, image);
    libraries_write(rewrite, image);
    retained_write(rewrite, image);
    buffers_translate(rewrite);
    write_renamed(rewrite);
    /* the targets of branches from inside are no longer needed */
    arena_resize(rewrite->arena, rewrite->code->layout.inside,
                 program->block_count * sizeof *rewrite->code->layout.inside, 0);
    rewrite->code->layout.inside = NULL;
    bool written = reports_write(rewrite, image);
    address_names_write(rewrite, image);
    shown_names_write(rewrite, image);
    sourceless_names_write(rewrite, image);
    return written;
}

struct atomc_image *image_of(const struct rewrite *rewrite) {
    return analysis_bytes(rewrite->analysis, analysis_symbol(rewrite->analysis, "atomc_image"),
                          sizeof(struct atomc_image));
}

#define FIELD(name)                                                                                          \
    { #name, offsetof(struct atomc_image, name) }

/* Members of struct atomc_image, in the order in which they are printed. */
static const struct {
    const char *name;
    size_t offset;
} fields[] = {FIELD(entry_copy),
              FIELD(text_address),
              FIELD(text_size),
              FIELD(text_map),
              FIELD(program_entry),
              FIELD(program_headers),
              FIELD(program_header_count),
              FIELD(analysis_headers),
              FIELD(analysis_header_count),
              FIELD(before),
              FIELD(before_count),
              FIELD(after),
              FIELD(after_count),
              FIELD(forked),
              FIELD(forked_count),
              FIELD(copies),
              FIELD(copies_end),
              FIELD(own_stack),
              FIELD(own_frames),
              FIELD(aside),
              FIELD(spills_far),
              FIELD(cells),
              FIELD(cell_count),
              FIELD(cell_ranges),
              FIELD(cell_range_count),
              FIELD(fork_ranges),
              FIELD(fork_range_count),
              FIELD(settled),
              FIELD(settled_count),
              FIELD(unsettled),
              FIELD(unsettled_count),
              FIELD(reports),
              FIELD(report_count),
              FIELD(places),
              FIELD(place_count),
              FIELD(counted),
              FIELD(counted_count),
              FIELD(effects),
              FIELD(ranges),
              FIELD(stops),
              FIELD(ranges_size),
              FIELD(first_value),
              FIELD(thread_values),
              FIELD(promoted),
              FIELD(promoted_count),
              FIELD(promoted_sets),
              FIELD(early_blocks),
              FIELD(early_block_count),
              FIELD(early_sums),
              FIELD(records),
              FIELD(record_count),
              FIELD(insides),
              FIELD(inside_count),
              FIELD(shortcuts),
              FIELD(shortcut_count),
              FIELD(waiting),
              FIELD(waiting_count),
              FIELD(moved),
              FIELD(moved_count),
              FIELD(moved_by),
              FIELD(sums),
              FIELD(sum_count),
              FIELD(kinds),
              FIELD(kind_count),
              FIELD(patched),
              FIELD(patched_count),
              FIELD(retained),
              FIELD(retained_count),
              FIELD(procedures),
              FIELD(procedure_count),
              FIELD(traps),
              FIELD(trap_count),
              FIELD(trapped_words),
              FIELD(text_runs),
              FIELD(text_writable),
              FIELD(heap),
              FIELD(libraries),
              FIELD(library_count),
              FIELD(library_calls),
              FIELD(library_calls_count),
              FIELD(unthreaded),
              FIELD(quiet),
              FIELD(interpreter),
              FIELD(names),
              FIELD(name_count),
              FIELD(symbols),
              FIELD(symbol_count),
              FIELD(objects),
              FIELD(object_count),
              FIELD(lines),
              FIELD(line_count),
              FIELD(loader),
              FIELD(loader_size)};

void image_print(const struct rewrite *rewrite, FILE *stream) {
    const char *image = (const char *)image_of(rewrite);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        uint64_t value;
        memcpy(&value, image + fields[i].offset, sizeof value);
        fprintf(stream, "%s 0x%llx\n", fields[i].name, (unsigned long long)value);
    }
}

const char *image_verify(const struct rewrite *rewrite) {
    const struct atomc_image *image = image_of(rewrite);
    const struct code *words = &rewrite->code->tables.words, *far = &rewrite->code->tables.far;
    const uint64_t tables[] = {
        image->before,    image->after,        image->cell_ranges, image->reports,       image->places,
        image->counted,   image->effects,      image->ranges,      image->promoted,      image->promoted_sets,
        image->insides,   image->moved,        image->sums,        image->kinds,         image->patched,
        image->retained,  image->procedures,   image->traps,       image->trapped_words, image->fork_ranges,
        image->forked,    image->early_blocks, image->early_sums,  image->settled,       image->unsettled,
        image->shortcuts, image->waiting,      image->names,       image->symbols,       image->objects,
        image->lines};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i] && (tables[i] < words->address || tables[i] > code_address(words)) &&
            (tables[i] < far->address || tables[i] > code_address(far)))
            return "a table is not among the tables";
    return image->copies_end == code_address(&rewrite->code->copies) ? NULL
                                                                     : "the copies do not end where it says";
}
