/* attributes.c: static attributes of places (plan/attributes.def) and source positions from the debug
   information. Requires an analysed program; the lines of a compilation unit are read when one of its
   addresses is first asked for. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "engine/attributes.h"
#include "engine/cfg.h"

/* ---- source positions ---------------------------------------------------------------------------- */

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
    struct line_tables *tables = allocate_zeroed(1, sizeof *tables);
    tables->dwarf = dwarf_begin_elf(program->elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (tables->dwarf && dwarf_get_units(tables->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Addr base, begin, end;
        for (ptrdiff_t offset = 0; (offset = dwarf_ranges(&die, offset, &base, &begin, &end)) > 0;) {
            VECTOR_RESERVE(tables->ranges, tables->count, tables->capacity);
            tables->ranges[tables->count++] = (struct unit_range){begin, end, dwarf_dieoffset(&die)};
        }
    }
    if (tables->count)
        qsort(tables->ranges, tables->count, sizeof *tables->ranges, compare_ranges);
    return tables;
}

void program_lines_close(struct program *program) {
    struct line_tables *tables = program->debug;
    if (!tables)
        return;
    dwarf_end(tables->dwarf);
    free(tables->ranges);
    free(tables);
    program->debug = NULL;
}

void program_line(struct program *program, uint64_t address, const char **file, uint32_t *line) {
    *file = "";
    *line = 0;
    if (!program->debug)
        program->debug = open_lines(program);
    const struct line_tables *tables = program->debug;
    size_t low = 0, high = tables->count;
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

/* ---- attributes ----------------------------------------------------------------------------------- */

static struct attribute_value integer_value(int64_t integer) {
    return (struct attribute_value){NULL, integer};
}
static struct attribute_value string_value(const char *string) {
    return (struct attribute_value){string, 0};
}
static struct attribute_value file_of(struct program *program, uint32_t instruction) {
    const char *file;
    uint32_t line;
    program_line(program, instruction_address(program, instruction), &file, &line);
    return string_value(file);
}
static struct attribute_value line_of(struct program *program, uint32_t instruction) {
    const char *file;
    uint32_t line;
    program_line(program, instruction_address(program, instruction), &file, &line);
    return integer_value(line);
}

static struct attribute_value program_attribute(struct program *program, enum plan_attribute attribute) {
    switch (attribute) {
    case PLAN_ATTRIBUTE_PROGRAM_NAME: {
        const char *slash = strrchr(program->path, '/');
        return string_value(slash ? slash + 1 : program->path);
    }
    case PLAN_ATTRIBUTE_PROGRAM_PATH:
        return string_value(program->path);
    case PLAN_ATTRIBUTE_PROGRAM_ENTRY:
        return integer_value(program->entry);
    case PLAN_ATTRIBUTE_PROGRAM_NPROCS:
        return integer_value(program->procedure_count);
    case PLAN_ATTRIBUTE_PROGRAM_NBLOCKS:
        return integer_value(program->block_count);
    default:
        return integer_value(program->instruction_count);
    }
}

static struct attribute_value procedure_attribute(struct program *program, enum plan_attribute attribute,
                                                  uint32_t index) {
    const struct procedure *procedure = &program->procedures[index];
    switch (attribute) {
    case PLAN_ATTRIBUTE_PROC_NAME:
        return string_value(procedure->name);
    case PLAN_ATTRIBUTE_PROC_PC:
        return integer_value(instruction_address(program, procedure->first));
    case PLAN_ATTRIBUTE_PROC_SIZE:
        return integer_value(4 * (int64_t)procedure->count);
    case PLAN_ATTRIBUTE_PROC_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_PROC_NBLOCKS:
        return integer_value(procedure->block_count);
    case PLAN_ATTRIBUTE_PROC_NINSTS:
        return integer_value(procedure->count);
    case PLAN_ATTRIBUTE_PROC_FILE:
        return file_of(program, procedure->first);
    case PLAN_ATTRIBUTE_PROC_LINE:
        return line_of(program, procedure->first);
    case PLAN_ATTRIBUTE_PROC_IS_LEAF:
        return integer_value(procedure->is_leaf);
    case PLAN_ATTRIBUTE_PROC_FRAME:
        return integer_value(procedure->frame_size);
    default:
        return integer_value(procedure->address_taken);
    }
}

static struct attribute_value block_attribute(struct program *program, enum plan_attribute attribute,
                                              uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    const unsigned jumped_to = LEADER_BRANCH_TARGET | LEADER_TABLE_TARGET | LEADER_UNKNOWN_JUMP;
    switch (attribute) {
    case PLAN_ATTRIBUTE_BLOCK_PC:
        return integer_value(instruction_address(program, block->first));
    case PLAN_ATTRIBUTE_BLOCK_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_BLOCK_NINSTS:
        return integer_value(block->count);
    case PLAN_ATTRIBUTE_BLOCK_SIZE:
        return integer_value(4 * (int64_t)block->count);
    case PLAN_ATTRIBUTE_BLOCK_PROC:
        return integer_value(block->procedure);
    case PLAN_ATTRIBUTE_BLOCK_FIRST:
        return integer_value(block->first);
    case PLAN_ATTRIBUTE_BLOCK_LAST:
        return integer_value((int64_t)block->first + block->count - 1);
    case PLAN_ATTRIBUTE_BLOCK_NSUCCS:
        return integer_value(block->successor_count);
    case PLAN_ATTRIBUTE_BLOCK_NPREDS:
        return integer_value(block->predecessor_count);
    case PLAN_ATTRIBUTE_BLOCK_IS_TARGET:
        return integer_value((block->leaders & jumped_to) != 0);
    case PLAN_ATTRIBUTE_BLOCK_FILE:
        return file_of(program, block->first);
    default:
        return line_of(program, block->first);
    }
}

static struct attribute_value register_field(uint8_t role, unsigned number) {
    if (role == ALPHA_ROLE_NONE)
        return integer_value(-1);
    return integer_value(number + (role >= ALPHA_ROLE_FLOAT_READ ? 32 : 0));
}

static struct attribute_value displacement(const struct alpha_descriptor *descriptor, uint32_t word) {
    if (descriptor->format == ALPHA_FORMAT_MEMORY)
        return integer_value(alpha_memory_displacement(word));
    return integer_value(descriptor->format == ALPHA_FORMAT_BRANCH ? alpha_branch_displacement(word) : 0);
}

static struct attribute_value target_address(const struct program *program,
                                             const struct alpha_descriptor *descriptor, uint32_t index) {
    if (descriptor->format != ALPHA_FORMAT_BRANCH)
        return integer_value(0);
    int64_t distance = 4 * (1 + (int64_t)alpha_branch_displacement(program->text[index]));
    return integer_value(instruction_address(program, index) + distance);
}

static struct attribute_value callee(const struct program *program, const struct alpha_descriptor *descriptor,
                                     uint32_t index) {
    uint32_t procedure = descriptor->flags & ALPHA_CALL ? call_target(program, index, NULL) : NO_INDEX;
    return string_value(procedure == NO_INDEX ? "" : program->procedures[procedure].name);
}

static struct attribute_value instruction_attribute(struct program *program, enum plan_attribute attribute,
                                                    uint32_t index) {
    uint32_t word = program->text[index];
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    unsigned flags = descriptor->flags;
    switch (attribute) {
    case PLAN_ATTRIBUTE_INST_PC:
        return integer_value(instruction_address(program, index));
    case PLAN_ATTRIBUTE_INST_CLASS:
        return integer_value(descriptor->class);
    case PLAN_ATTRIBUTE_INST_MNEMONIC:
        return string_value(descriptor->mnemonic);
    case PLAN_ATTRIBUTE_INST_OPCODE:
        return integer_value(word >> 26);
    case PLAN_ATTRIBUTE_INST_WORD:
        return integer_value(word);
    case PLAN_ATTRIBUTE_INST_RA:
        return register_field(descriptor->ra_role, alpha_ra(word));
    case PLAN_ATTRIBUTE_INST_RB:
        return register_field(descriptor->rb_role, alpha_rb(word));
    case PLAN_ATTRIBUTE_INST_RC:
        return register_field(descriptor->rc_role, alpha_rc(word));
    case PLAN_ATTRIBUTE_INST_DISPLACEMENT:
        return displacement(descriptor, word);
    case PLAN_ATTRIBUTE_INST_SIZE:
        return integer_value(descriptor->memory_size);
    case PLAN_ATTRIBUTE_INST_READS_MEMORY:
    case PLAN_ATTRIBUTE_INST_IS_LOAD:
        return integer_value(flags & ALPHA_LOAD && !alpha_is_prefetch(word));
    case PLAN_ATTRIBUTE_INST_WRITES_MEMORY:
    case PLAN_ATTRIBUTE_INST_IS_STORE:
        return integer_value((flags & ALPHA_STORE) != 0);
    case PLAN_ATTRIBUTE_INST_IS_LOCKED:
        return integer_value((flags & ALPHA_LOCKED) != 0);
    case PLAN_ATTRIBUTE_INST_IS_FLOAT:
        return integer_value((flags & ALPHA_FLOATING) != 0);
    case PLAN_ATTRIBUTE_INST_IS_CALL:
        return integer_value((flags & ALPHA_CALL) != 0);
    case PLAN_ATTRIBUTE_INST_IS_RETURN:
        return integer_value((flags & ALPHA_RETURN) != 0);
    case PLAN_ATTRIBUTE_INST_IS_NOP:
        return integer_value(alpha_is_nop(word));
    case PLAN_ATTRIBUTE_INST_TARGET_PC:
        return target_address(program, descriptor, index);
    case PLAN_ATTRIBUTE_INST_CALLEE:
        return callee(program, descriptor, index);
    case PLAN_ATTRIBUTE_INST_BLOCK:
        return integer_value(block_at(program, index));
    case PLAN_ATTRIBUTE_INST_PROC:
        return integer_value(procedure_at(program, index));
    case PLAN_ATTRIBUTE_INST_FILE:
        return file_of(program, index);
    default:
        return line_of(program, index);
    }
}

struct attribute_value attribute_value(struct program *program, enum plan_attribute attribute,
                                       uint32_t index) {
    switch (plan_attributes[attribute].place) {
    case PLAN_PROCEDURE:
        return procedure_attribute(program, attribute, index);
    case PLAN_BLOCK:
        return block_attribute(program, attribute, index);
    case PLAN_INSTRUCTION:
        return instruction_attribute(program, attribute, index);
    default:
        return program_attribute(program, attribute);
    }
}
