/* positions.c: where an instruction is in the source, as attributes have it.
   Requires what lines.c reads of debug information. */
#include "engine/places/internal.h"
#include "engine/object/object.h"

struct attribute_value file_of(struct program *program, uint32_t instruction) {
    const char *file;
    uint32_t line;
    program_line(program, instruction_address(program, instruction), &file, &line);
    return string_value(file);
}
struct attribute_value line_of(struct program *program, uint32_t instruction) {
    const char *file;
    uint32_t line;
    program_line(program, instruction_address(program, instruction), &file, &line);
    return integer_value(line);
}
