/* libraries.c: libraries whose text is instrumented together with the program's. The numbers of their
   instructions follow the program's numbers, and their addresses are relative to distinct bases. Requires
   checked objects. */
#include <string.h>

#include "engine/object/internal.h"

const struct program *library_with(const struct program *program, uint32_t instruction) {
    return object_number(program, object_number_of(program, instruction));
}

uint32_t object_number_of(const struct program *program, uint32_t instruction) {
    uint32_t k = program->library_count;
    while (k > 0 && program->libraries[k - 1]->first_instruction > instruction)
        k--;
    return k;
}

uint32_t library_instruction_at(const struct program *program, uint64_t address) {
    for (uint32_t k = 0; k < program->library_count; k++) {
        const struct program *library = program->libraries[k];
        uint64_t offset = address - library->text_address;
        if (!(offset & 3) && offset / 4 < library->own_count)
            return library->first_instruction + (uint32_t)(offset / 4);
    }
    return NO_INDEX;
}

const char *object_file_name(const struct program *program, uint32_t number) {
    const char *path = object_number(program, number)->path, *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *program_object(const struct program *program, uint32_t instruction) {
    return object_file_name(program, object_number_of(program, instruction));
}

bool libraries_join(struct program *program, struct program *const *libraries, uint32_t count,
                    struct diagnostics *diagnostics) {
    uint64_t total = program->own_count;
    program->libraries = arena_allocate(program->arena, (count + 1) * sizeof *libraries);
    memcpy(program->libraries, libraries, count * sizeof *libraries);
    program->library_count = count;
    for (uint32_t k = 0; k < count; k++) {
        libraries[k]->first_instruction = (uint32_t)total;
        total += libraries[k]->own_count;
        program->asks_for_threads |= libraries[k]->asks_for_threads;
    }
    if (total >= NO_INDEX / 2) {
        diagnose(diagnostics, NULL, MESSAGE_PROGRAM_NOT_DYNAMIC, program->path,
                 "its libraries are larger than 8 GB");
        return false;
    }
    if (count == 0)
        return true;
    uint32_t *text = arena_allocate(program->arena, total * sizeof *text);
    memcpy(text, program->text, program->own_count * sizeof *text);
    for (uint32_t k = 0; k < count; k++)
        memcpy(text + libraries[k]->first_instruction, libraries[k]->text,
               libraries[k]->own_count * sizeof *text);
    program->text = text;
    program->all_facts = NULL; /* these facts were facts of its own text */
    program->instruction_count = (uint32_t)total;
    return true;
}
