/* lines.c: source positions from the debug information.
   Requires a program that is open; the lines of a compilation unit are read when one of its addresses is
   first asked for. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "engine/object/internal.h"

/* Addresses [begin, end) of a compilation unit. */
struct unit_range {
    uint64_t begin, end;
    Dwarf_Off unit; /* offset of its DIE */
};
struct line_tables {
    Dwarf *dwarf;              /* NULL: no debug information */
    struct unit_range *ranges; /* sorted by begin */
    size_t count, capacity;
};

static int compare_ranges(const void *left, const void *right) {
    const struct unit_range *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static struct line_tables *open_lines(struct program *program) {
    struct line_tables *tables = arena_allocate(program->arena, sizeof *tables);
    tables->dwarf = dwarf_begin_elf(program->elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (tables->dwarf && dwarf_get_units(tables->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Addr base, begin, end;
        for (ptrdiff_t offset = 0; (offset = dwarf_ranges(&die, offset, &base, &begin, &end)) > 0;) {
            ARENA_RESERVE(program->arena, tables->ranges, tables->count, tables->capacity);
            tables->ranges[tables->count++] = (struct unit_range){begin, end, dwarf_dieoffset(&die)};
        }
    }
    if (tables->count)
        qsort(tables->ranges, tables->count, sizeof *tables->ranges, compare_ranges);
    return tables;
}

void program_lines_close(struct program *program) {
    struct line_tables *tables = program->debug;
    if (tables)
        dwarf_end(tables->dwarf);
    program->debug = NULL;
}

void program_line(struct program *program, uint64_t address, const char **file, uint32_t *line) {
    for (uint32_t k = 0; k < program->library_count; k++)
        if (address - program->libraries[k]->base < LIBRARY_ROOM)
            program = program->libraries[k];
    *file = "";
    *line = 0;
    if (!program->debug)
        program->debug = open_lines(program);
    const struct line_tables *tables = program->debug;
    size_t low = 0, high = tables->count;
    address -= program->base;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tables->ranges[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    Dwarf_Die die;
    if (low == 0 || address >= tables->ranges[low - 1].end ||
        !dwarf_offdie(tables->dwarf, tables->ranges[low - 1].unit, &die))
        return;
    Dwarf_Line *record = dwarf_getsrc_die(&die, address);
    int number;
    const char *source = record ? dwarf_linesrc(record, NULL, NULL) : NULL;
    if (!source || dwarf_lineno(record, &number) != 0 || number <= 0)
        return;
    *file = source;
    *line = number;
}
