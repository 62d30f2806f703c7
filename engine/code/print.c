/* print.c: prints the new code (--dump=code), and the original of each instruction (--dump=map). Requires
   copies; for the map, also requires recorded positions: options.print_map. */
#include <inttypes.h>

#include "engine/code/code.h"
#include "engine/object/object.h"

static void print_code(const struct architecture *architecture, const struct code *code,
                       const struct code_symbol *symbol, FILE *stream) {
    char text[128];
    fprintf(stream, "\n%s:\n", symbol->name);
    for (uint32_t address = symbol->address; address < symbol->address + symbol->size; address += 4) {
        uint32_t word = code->words[(address - code->address) / 4];
        architecture->print(word, address, text, sizeof text);
        fprintf(stream, "  %08x  %08x  %s\n", address, word, text);
    }
}

void code_print(const struct rewrite *rewrite, FILE *stream) {
    for (uint32_t i = 0; i < rewrite->code->symbol_count; i++) {
        bool copy = rewrite->code->symbols[i].address >= rewrite->machine->layout->copies;
        print_code(rewrite->program->architecture, copy ? &rewrite->code->copies : &rewrite->code->wrappers,
                   &rewrite->code->symbols[i], stream);
    }
}

void map_print(const struct rewrite *rewrite, FILE *stream) {
    const struct program *program = rewrite->program;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        /* If this instruction has no copy, the position is the next one's. */
        if (i + 1 < program->instruction_count &&
            rewrite->code->layout.placed[i + 1] == rewrite->code->layout.placed[i])
            continue;
        fprintf(stream, "0x%" PRIx32 " 0x%" PRIx64 "\n",
                rewrite->code->copies.address + 4 * rewrite->code->layout.placed[i],
                instruction_address(program, i));
    }
    for (uint32_t i = 0; i < rewrite->code->layout.shortcut_count; i++) {
        const struct atomc_shortcut *shortcut = &rewrite->code->layout.shortcuts[i];
        for (uint32_t k = 0; k < shortcut->count; k++)
            fprintf(stream, "0x%" PRIx32 " 0x%" PRIx64 "\n", shortcut->copy + 4 * k,
                    instruction_address(program, shortcut->instruction + k));
    }
}

void places_print(const struct rewrite *rewrite, FILE *stream) {
    const struct program *program = rewrite->program;
    const struct code_space *code = rewrite->code;
    uint32_t map = (uint32_t)machine_map_address(rewrite->machine, program->text_address);
    fprintf(stream,
            "map 0x%" PRIx32 "-0x%" PRIx64 "\npool 0x%x\nwrappers 0x%" PRIx32 "\ncopies 0x%" PRIx32 "\n", map,
            map + 4 * (uint64_t)program->own_count, (unsigned)rewrite->machine->layout->pool,
            code->wrappers.address, code->copies.address);
    fprintf(stream, "tables 0x%" PRIx32 "\ncells 0x%x\ndata 0x%" PRIx32 "\n", code->tables.words.address,
            (unsigned)rewrite->machine->layout->cells, code->data.address);
}
