/* address_names.c: names of addresses: the name of a procedure or of data, of an object, of a source line.
   The engine has made the tables. Requires the routines' lock, or that the program has ended. Compiled
   without floating-point registers. */
#include <string.h>

#include "runtime/counts/counts.h"
#include "runtime/kernel/kernel.h"
#include "support/search.h"
#include "stdtools/addresses.h"

static const char unknown[] = "(unknown)";

static const char *name_in(uint64_t table, uint64_t count, uint64_t address) {
    const struct atomc_named_range *ranges = (const struct atomc_named_range *)table;
    const uint64_t after = FIRST_NOT(0, count, at, ranges[at].address <= address);
    return after > 0 && address < ranges[after - 1].end ? (const char *)ranges[after - 1].name : unknown;
}

/* FILE:LINE. A file name is cut to the room. */
static const char *line_at(uint64_t address) {
    enum { DIGITS = 10 };
    const struct atomc_source_line *lines = (const struct atomc_source_line *)atomc_image.lines;
    const uint64_t after = FIRST_NOT(0, atomc_image.line_count, at, lines[at].address <= address);
    if (after == 0 || lines[after - 1].line == 0)
        return unknown;
    char text[COMMAND_TEXT + DIGITS + 2], digits[DIGITS], *to = text;
    const char *file = (const char *)(uintptr_t)lines[after - 1].file;
    while (*file && to < text + COMMAND_TEXT)
        *to++ = *file++;
    *to++ = ':';
    int count = 0;
    for (uint32_t line = lines[after - 1].line; line > 0; line /= 10)
        digits[count++] = (char)('0' + line % 10);
    while (count > 0)
        *to++ = digits[--count];
    *to = 0;
    return atomc_same_text(text);
}

const char *atomc_address_name(uint64_t kind, int64_t address) {
    const uint64_t place = (uint64_t)atomc_static(address);
    switch (kind) {
    case COMMAND_SYMBOL:
        return name_in(atomc_image.symbols, atomc_image.symbol_count, place);
    case COMMAND_OBJECT:
        return name_in(atomc_image.objects, atomc_image.object_count, place);
    default:
        return line_at(place);
    }
}
