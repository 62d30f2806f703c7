/* print.c: prints a program file (--dump=program). Requires an open program. */
#include <inttypes.h>

#include "engine/object/internal.h"

static void print_object_summary(const struct program *object, FILE *stream) {
    fprintf(stream, "%s\n", object->path);
    for (uint32_t i = 0; i < object->segment_count; i++) {
        const struct segment *segment = &object->segments[i];
        fprintf(stream, "  segment 0x%" PRIx64 " %" PRIu64 " bytes, %" PRIu64 " in the file, %s%s%s\n",
                segment->address, segment->memory_size, segment->file_size, segment->flags & PF_R ? "r" : "",
                segment->flags & PF_W ? "w" : "", segment->flags & PF_X ? "x" : "");
    }
    fprintf(stream, "  text 0x%" PRIx64 ", instructions from %" PRIu32 " on\n", object->text_address,
            object->first_instruction);
    for (uint32_t i = 0; i < object->relocation_count; i++)
        if (object->relocations[i].known)
            fprintf(stream, "  0x%" PRIx64 " will hold 0x%" PRIx64 "\n", object->relocations[i].address,
                    object->relocations[i].value);
}

void program_print(const struct program *program, FILE *stream) {
    for (uint32_t k = 0; k <= program->library_count; k++)
        print_object_summary(object_number(program, k), stream);
}
