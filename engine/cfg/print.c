/* print.c: the printed forms of the program model (--dump=procedures, cfg, instructions). Requires an
   analysed program; liveness is printed if it is known. */
#include <string.h>

#include "engine/cfg/internal.h"

static const char *const end_words[] = {
    [END_FALLTHROUGH] = "falls through",
    [END_COND_BRANCH] = "conditional branch",
    [END_BRANCH] = "branch",
    [END_TAIL_BRANCH] = "tail branch",
    [END_CALL] = "call",
    [END_RETURN] = "return",
    [END_JUMP_TABLE] = "jump table",
    [END_JUMP_UNKNOWN] = "jump",
    [END_SYSTEM_CALL] = "system call",
    [END_TRAP] = "trap",
};
static const char *const leader_words[] = {"entry",       "alternate-entry", "return-point", "address-taken",
                                           "landing-pad", "branch-target",   "table-target", "unknown-jump"};
static const char *const edge_words[] = {
    [EDGE_FALLTHROUGH] = "", [EDGE_TAKEN] = " taken", [EDGE_TABLE] = " table"};

void registers_print(register_set set, FILE *stream) {
    for (unsigned half = 0; half < 2; half++)
        for (unsigned first = 0; first < 32; first++) {
            if (!(set >> (32 * half + first) & 1))
                continue;
            unsigned last = first;
            while (last + 1 < 32 && set >> (32 * half + last + 1) & 1)
                last++;
            const char *prefix = half ? "$f" : "$";
            fprintf(stream, " %s%u", prefix, first);
            if (last > first)
                fprintf(stream, "-%s%u", prefix, last);
            first = last;
        }
}

static void print_basic_block(const struct program *program, uint32_t index, FILE *stream) {
    const struct basic_block *block = &program->blocks[index];
    uint32_t last = block_last(block);
    fprintf(stream, "  block %u 0x%llx %u:", index,
            (unsigned long long)instruction_address(program, block->first), block->count);
    for (unsigned i = 0; i < sizeof leader_words / sizeof *leader_words; i++)
        if (block->leaders >> i & 1)
            fprintf(stream, " %s", leader_words[i]);
    fprintf(stream, "; %s", end_words[block->end]);
    if (block->end == END_CALL || block->end == END_TAIL_BRANCH || block->end == END_JUMP_UNKNOWN) {
        uint32_t offset, callee = call_target(program, last, &offset);
        if (callee != NO_INDEX)
            fprintf(stream, " of %s", program->procedures[callee].name);
        if (callee != NO_INDEX && offset)
            fprintf(stream, "+0x%x", 4 * offset);
    }
    for (uint32_t i = 0; i < block->successor_count; i++) {
        const struct edge *edge = &program->edges[block->first_successor + i];
        fprintf(stream, "%s %u%s", i ? "," : " ->", edge->to, edge_words[edge->kind]);
    }
    fputs("\n    live:", stream);
    registers_print(block->live_in, stream);
    fputc('\n', stream);
}

static void print_loop(const struct program *program, uint32_t index, FILE *stream) {
    const struct loop *loop = &program->loops[index];
    fprintf(stream, "  loop %u: block %u, depth %u", index, loop->header, loop->depth);
    if (loop->parent != NO_INDEX)
        fprintf(stream, " in loop %u", loop->parent);
    fprintf(stream, ", %u blocks; back from", loop->block_count);
    for (uint32_t i = 0; i < loop->back_edge_count; i++)
        fprintf(stream, "%s %u", i ? "," : "",
                program->edges[program->back_edges[loop->first_back_edge + i]].from);
    fputc('\n', stream);
}

void program_print_cfg(const struct program *program, const bool *wanted, FILE *stream) {
    static const char *const origins[] = {"symbol", "eh_frame", "reached", "gap"};
    uint32_t loop = 0;
    for (uint32_t i = 0; i < program->procedure_count; i++) {
        const struct procedure *procedure = &program->procedures[i];
        if (wanted && !wanted[i]) {
            while (loop < program->loop_count && program->loops[loop].procedure == i)
                loop++;
            continue;
        }
        fprintf(stream, "procedure %u %s 0x%llx: %u instructions, %u blocks, from %s", i, procedure->name,
                (unsigned long long)instruction_address(program, procedure->first), procedure->count,
                procedure->block_count, origins[procedure->origin]);
        if (procedure->data_base)
            fprintf(stream, ", gp 0x%llx", (unsigned long long)procedure->data_base);
        if (procedure->frame_size)
            fprintf(stream, ", frame %u", procedure->frame_size);
        if (procedure->whole != i)
            fprintf(stream, ", part of %s", program->procedures[procedure->whole].name);
        fprintf(stream, "%s%s%s\n", procedure->sets_data_base ? ", ldgp" : "",
                procedure->address_taken ? ", address taken" : "", procedure->is_leaf ? ", leaf" : "");
        for (uint32_t k = 0; k < procedure->block_count; k++)
            print_basic_block(program, procedure->first_block + k, stream);
        for (; loop < program->loop_count && program->loops[loop].procedure == i; loop++)
            print_loop(program, loop, stream);
    }
}

void program_print_procedures(struct program *program, const bool *wanted, FILE *stream) {
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        const struct procedure *procedure = &program->procedures[p];
        uint64_t address = instruction_address(program, procedure->first);
        uint8_t shape[SHAPE_BYTES];
        const char *file;
        uint32_t line;
        if (wanted && !wanted[p])
            continue;
        procedure_shape(program, p, shape);
        program_line(program, address, &file, &line);
        fprintf(stream, "0x%llx %s in %s: %u instructions, %u blocks, shape ", (unsigned long long)address,
                procedure->name, program_object(program, procedure->first), procedure->count,
                procedure->block_count);
        for (unsigned i = 0; i < SHAPE_BYTES; i++)
            fprintf(stream, "%02x", shape[i]);
        if (*file)
            fprintf(stream, ", %s:%u", file, line);
        fputc('\n', stream);
    }
}

void program_print_instructions(const struct program *program, const bool *wanted, FILE *stream) {
    char text[100];
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        const struct procedure *procedure = &program->procedures[p];
        if (wanted && !wanted[p])
            continue;
        fprintf(stream, "%s:\n", procedure->name);
        for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
            uint64_t address = instruction_address(program, i);
            program->architecture->print(program->text[i], address, text, sizeof text);
            fprintf(stream, "0x%llx  %08x  %s\n", (unsigned long long)address, program->text[i], text);
        }
    }
}
