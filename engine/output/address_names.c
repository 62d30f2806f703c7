/* address_names.c: tables for names of addresses, if the tool uses them: what procedure, data, object or
   source line is at an address. Requires analysed code; before shown_names_write(). */
#include <stdlib.h>
#include <string.h>

#include "engine/output/internal.h"
#include "engine/object/object.h"
#include "engine/places/places.h"
#include "plan/commands.h"
#include "support/demangle.h"

struct range {
    uint64_t address, end;
    const char *name;
};
struct range_list {
    struct rewrite *rewrite;
    struct range *ranges;
    struct atomc_named_range *written;
    uint32_t count, capacity, written_count, written_capacity;
    uint64_t position; /* ranges are written up to here */
};

static void add_named_range(struct range_list *list, uint64_t address, uint64_t size, const char *name) {
    if (size == 0 || !*name)
        return;
    ARENA_RESERVE(list->rewrite->program->scratch, list->ranges, list->count, list->capacity);
    list->ranges[list->count++] = (struct range){address, address + size, name};
}

/* An outer range before the ranges inside of it. */
static int ranges_in_order(const void *left, const void *right) {
    const struct range *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->end == b->end ? strcmp(a->name, b->name) : a->end > b->end ? -1 : 1;
}

static void write_up_to(struct range_list *list, const struct range *range, uint64_t end) {
    uint64_t begin = range->address > list->position ? range->address : list->position;
    if (begin >= end)
        return;
    ARENA_RESERVE(list->rewrite->program->scratch, list->written, list->written_count,
                  list->written_capacity);
    list->written[list->written_count++] =
        (struct atomc_named_range){begin, end, table_string(list->rewrite, range->name)};
    list->position = end;
}

/* Symbols may be inside of others: each address gets the innermost one's name. */
static uint64_t write_named_ranges(struct range_list *list, uint64_t *count) {
    struct arena *scratch = list->rewrite->program->scratch;
    const struct range **open = arena_allocate(scratch, (list->count + 1) * sizeof(struct range *));
    uint32_t depth = 0;
    if (list->count > 0)
        qsort(list->ranges, list->count, sizeof *list->ranges, ranges_in_order);
    for (uint32_t i = 0; i <= list->count; i++) {
        const struct range *next = i < list->count ? &list->ranges[i] : NULL;
        while (depth > 0 && (!next || open[depth - 1]->end <= next->address)) {
            write_up_to(list, open[depth - 1], open[depth - 1]->end);
            depth--;
        }
        if (depth > 0)
            write_up_to(list, open[depth - 1], next->address);
        open[depth] = next;
        depth += next != NULL;
    }
    *count = list->written_count;
    return *count ? table_bytes(list->rewrite, list->written, list->written_count * sizeof *list->written)
                  : 0;
}

static void write_symbol_ranges(struct rewrite *rewrite, struct atomc_image *image) {
    struct program *program = rewrite->program;
    struct range_list list = {.rewrite = rewrite};
    struct demangled_names *names = demangled_names_create(program->scratch, program->scratch);
    uint32_t procedures = place_count(program, PLAN_PROCEDURE), data = place_count(program, PLAN_DATA);
    for (uint32_t i = 0; i < procedures; i++) {
        const char *name = attribute_value(program, PLAN_ATTRIBUTE_PROC_NAME, i, 0).string;
        add_named_range(&list, (uint64_t)attribute_value(program, PLAN_ATTRIBUTE_PROC_PC, i, 0).integer,
                        (uint64_t)attribute_value(program, PLAN_ATTRIBUTE_PROC_SIZE, i, 0).integer,
                        program->demangle ? demangled_text(names, name, false) : name);
    }
    for (uint32_t i = 0; i < data; i++) {
        const struct datum *datum = &program->data[i];
        if (!datum->is_elsewhere && !datum->is_of_threads)
            add_named_range(&list, datum->address, datum->size,
                            program->demangle ? demangled_text(names, datum->name, false) : datum->name);
    }
    image->symbols = write_named_ranges(&list, &image->symbol_count);
}

/* From its first segment to the end of its last. */
static void write_object_ranges(struct rewrite *rewrite, struct atomc_image *image) {
    struct program *program = rewrite->program;
    struct range_list list = {.rewrite = rewrite};
    for (uint32_t i = 0; i < place_count(program, PLAN_OBJECT); i++) {
        const struct program *object = object_number(program, i);
        uint64_t begin = UINT64_MAX, end = 0;
        for (uint32_t s = 0; s < object->segment_count; s++) {
            const struct segment *segment = &object->segments[s];
            begin = segment->address < begin ? segment->address : begin;
            end =
                segment->address + segment->memory_size > end ? segment->address + segment->memory_size : end;
        }
        if (begin < end)
            add_named_range(&list, begin, end - begin,
                            attribute_value(program, PLAN_ATTRIBUTE_OBJECT_NAME, i, 0).string);
    }
    image->objects = write_named_ranges(&list, &image->object_count);
}

/* Names of files have no folders, so that results do not depend on where a program was built. */
static const char *name_of_file(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_source_lines(struct rewrite *rewrite, struct atomc_image *image) {
    struct program *program = rewrite->program;
    struct atomc_source_line *lines = NULL;
    uint32_t count = 0, capacity = 0, line, last_line = 0,
             instructions = place_count(program, PLAN_INSTRUCTION);
    const char *file, *last_file = "";
    uint64_t expected = 0; /* the address after the previous instruction */
    for (uint32_t i = 0; i <= instructions; i++) {
        uint64_t address = i < instructions ? instruction_address(program, i) : expected;
        if (i < instructions)
            program_line(program, address, &file, &line);
        else
            file = "", line = 0;
        if (address != expected && last_line != 0) {
            ARENA_RESERVE(program->scratch, lines, count, capacity);
            lines[count++] = (struct atomc_source_line){.address = expected};
            last_line = 0;
        }
        expected = address + 4;
        if (line == last_line && (line == 0 || strcmp(file, last_file) == 0))
            continue;
        ARENA_RESERVE(program->scratch, lines, count, capacity);
        lines[count++] =
            (struct atomc_source_line){address, line ? table_string(rewrite, name_of_file(file)) : 0, line};
        last_line = line;
        last_file = file;
    }
    image->lines = count ? table_bytes(rewrite, lines, count * sizeof *lines) : 0;
    image->line_count = count;
}

void address_names_write(struct rewrite *rewrite, struct atomc_image *image) {
    static void (*const writers[])(struct rewrite *,
                                   struct atomc_image *) = {[COMMAND_SYMBOL] = write_symbol_ranges,
                                                            [COMMAND_OBJECT] = write_object_ranges,
                                                            [COMMAND_LINE] = write_source_lines};
    for (uint32_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        struct arena_mark mark = arena_mark(rewrite->program->scratch);
        if (rewrite->plan->address_names >> i & 1)
            writers[i](rewrite, image);
        arena_release(rewrite->program->scratch, mark);
    }
}
