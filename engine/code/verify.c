/* verify.c: checks that the copies have the form that the runtime expects. Requires copies whose fixups are
   applied. */
#include "engine/code/code.h"

static bool is_in_code(const struct code *code, uint32_t address) {
    return address % 4 == 0 && address >= code->address && address <= code_address(code);
}

/* The original text may have words that are no instructions. */
static uint64_t invalid_words(const struct program *program, const uint32_t *words, uint32_t count) {
    uint64_t invalid = 0;
    for (uint32_t i = 0; i < count; i++)
        invalid += !program->architecture->words.is_instruction(words[i]);
    return invalid;
}

const char *code_verify(const struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    const struct code_space *code = rewrite->code;
    uint64_t invalid = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        if (!is_copied(rewrite, i))
            continue;
        if (!is_in_code(&code->copies, code->layout.map[i] & ~MAP_UNFORESEEN))
            return "the map leads out of the copies";
        if (code->layout.landings && code->layout.landings[i] &&
            !is_in_code(&code->copies, (code->layout.landings[i] & ~MAP_UNFORESEEN) | MAP_LANDING))
            return "a landing is outside of the copies";
        invalid += invalid_words(program, &program->text[i], 1);
    }
    for (uint32_t b = 0; code->layout.inside && b < program->block_count; b++)
        if (is_copied(rewrite, program->blocks[b].first) && code->layout.inside[b] > code->copies.count)
            return "a branch inside leads out of the copies";
    if (invalid_words(program, code->copies.words, code->copies.count) > invalid + code->layout.literal_words)
        return "a word of the copies is no instruction";
    if (invalid_words(program, code->wrappers.words, code->wrappers.count))
        return "a word of the wrappers is no instruction";
    return NULL;
}

const char *fixups_verify(const struct rewrite *rewrite) {
    const struct code_space *code = rewrite->code;
    for (uint32_t i = 0; i < code->layout.fixup_count; i++) {
        const struct fixup *fixup = &code->layout.fixups[i];
        if (fixup->position >= code->copies.count)
            return "a fixup is of no word";
        if (fixup->kind == FIXUP_STUB
                ? fixup->target > code->copies.count
                : fixup->target >= rewrite->program->instruction_count || !is_copied(rewrite, fixup->target))
            return "a fixup has no target";
    }
    return NULL;
}
