/* fuzz_elf.c: any bytes as a program: ELF, procedures, blocks, jump tables, landing pads, loops, liveness,
   source lines. Requires libatomc; for libFuzzer (make fuzz) or driver.c. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/engine.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void require(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_elf: %s\n", what);
        abort();
    }
}

/* The model that came of it is whole: procedures and blocks cover the text, edges lead to blocks. */
static void check(struct program *program) {
    uint32_t instructions = 0, in_blocks = 0;
    for (uint32_t i = 0; i < program->procedure_count; i++)
        instructions += program->procedures[i].count;
    for (uint32_t i = 0; i < program->block_count; i++)
        in_blocks += program->blocks[i].count;
    require(instructions == program->instruction_count, "procedures do not cover the text");
    require(in_blocks == program->instruction_count, "blocks do not cover the text");
    for (uint32_t i = 0; i < program->block_count; i++)
        require(program->procedures[program->blocks[i].procedure].lost_jump ==
                    ((program->blocks[i].leaders & LEADER_UNKNOWN_JUMP) != 0),
                "a jump that may go anywhere does not mark all instructions");
    for (uint32_t i = 0; i < program->edge_count; i++)
        require(program->edges[i].from < program->block_count && program->edges[i].to < program->block_count,
                "an edge leads nowhere");
    for (uint32_t i = 0; i < program->loop_count; i++)
        require(program->loops[i].header < program->block_count, "a loop has no header");
}

static void look_at_lines(struct program *program) {
    const char *file;
    uint32_t line;
    for (uint32_t i = 0; i < program->procedure_count && i < 50; i++)
        program_line(program, instruction_address(program, program->procedures[i].first), &file, &line);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    char path[64];
    int descriptor = memfd_create("program", 0);
    require(nowhere && descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size,
            "no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    struct diagnostics *diagnostics = diagnostics_create();
    struct program *program = program_open(path, diagnostics);
    require(diagnostics_errors(diagnostics) == (program ? 0 : 1), "a refusal is one error");
    if (program) {
        program_analyse(program, diagnostics);
        loops_find(program);
        liveness_analyse(program);
        check(program);
        look_at_lines(program);
        program_print_cfg(program, NULL, nowhere);
    }
    program_close(program);
    diagnostics_print(diagnostics, nowhere);
    diagnostics_destroy(diagnostics);
    close(descriptor);
    return 0;
}
