/* buffer.c: the words of a new section. They are in memory, or, if there are many, in a file of which only
   the current part is in memory. Requires the folder of the output. */
#include <string.h>

#include "engine/machine/machine.h"

static bool move_to_file(struct code *code, size_t bytes) {
    size_t before = code->capacity * sizeof *code->words;
    struct file_memory *file = file_memory_create(code->folder);
    uint32_t *words = file ? file_memory_grow(file, bytes) : NULL;
    if (!words) {
        file_memory_destroy(file);
        return false;
    }
    memcpy(words, code->words, before);
    arena_resize(code->arena, code->words, before, 0);
    code->words = words;
    code->file = file;
    return true;
}

static bool grow_in_file(struct code *code) {
    uint32_t capacity = code->capacity + WORDS_LEFT;
    size_t bytes = capacity * sizeof *code->words;
    uint32_t *words = code->file                  ? file_memory_grow(code->file, bytes)
                      : move_to_file(code, bytes) ? code->words
                                                  : NULL;
    if (!words)
        return false;
    code->words = words;
    code->capacity = capacity;
    code_leave(code, 0, code->count);
    return true;
}

/* The file system has no room for the file. */
static void return_to_arena(struct code *code) {
    size_t bytes = code->capacity * sizeof *code->words;
    uint32_t *words = arena_allocate_unset(code->arena, bytes);
    memcpy(words, code->words, bytes);
    file_memory_destroy(code->file);
    code->words = words;
    code->file = NULL;
}

void code_grow(struct code *code) {
    if (code->folder && code->capacity >= WORDS_LEFT) {
        if (grow_in_file(code))
            return;
        if (code->file)
            return_to_arena(code);
        code->folder = NULL;
    }
    ARENA_RESERVE(code->arena, code->words, code->count, code->capacity);
}

void code_leave(const struct code *code, uint32_t begin, uint32_t end) {
    if (code->file)
        file_memory_leave(code->file, begin * sizeof *code->words, end * sizeof *code->words);
}
