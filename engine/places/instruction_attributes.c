/* instruction_attributes.c: static attributes of instructions (plan/attributes.def).
   Requires an analysed program. */
#include <string.h>

#include "engine/places/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"

static struct attribute_value register_field(uint8_t role, unsigned number) {
    if (role == ALPHA_ROLE_NONE)
        return integer_value(-1);
    return integer_value(number + (role >= ALPHA_ROLE_FLOAT_READ ? 32 : 0));
}

static struct attribute_value displacement_value(const struct alpha_descriptor *descriptor, uint32_t word) {
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

const char *callee_name(const struct program *program, uint32_t instruction) {
    bool is_call = alpha_decode(program->text[instruction])->flags & ALPHA_CALL;
    uint32_t procedure = is_call ? call_target(program, instruction, NULL) : NO_INDEX;
    if (procedure != NO_INDEX)
        return program->procedures[procedure].name;
    const struct relocation *relocation = is_call ? call_relocation(program, instruction) : NULL;
    return relocation ? relocation->symbol : "";
}

static uint32_t callee_index(const struct program *program, uint32_t instruction, uint32_t *offset) {
    unsigned flags = alpha_decode(program->text[instruction])->flags;
    return flags & (ALPHA_CALL | ALPHA_INDIRECT) ? call_target(program, instruction, offset) : NO_INDEX;
}

static struct attribute_value callee_address(const struct program *program, uint32_t instruction) {
    uint32_t offset, procedure = callee_index(program, instruction, &offset);
    return integer_value(procedure == NO_INDEX
                             ? 0
                             : instruction_address(program, program->procedures[procedure].first + offset));
}

/* In the form for a line of a table: with a blank after the mnemonic. */
static struct attribute_value disassembled_value(struct program *program, uint32_t index) {
    char text[128];
    alpha_print(program->text[index], instruction_address(program, index), text, sizeof text);
    for (char *at = text; *at; at++)
        if (*at == '\t')
            *at = ' ';
    return string_value(arena_string(program->arena, text, strlen(text)));
}

/* True if the mnemonic, without the scale of s4addq and the like, begins with the word. */
static struct attribute_value is_operation(const struct alpha_descriptor *descriptor, const char *word) {
    const char *mnemonic = descriptor->mnemonic;
    if (strncmp(mnemonic, "s4", 2) == 0 || strncmp(mnemonic, "s8", 2) == 0)
        mnemonic += 2;
    return integer_value(strncmp(mnemonic, word, strlen(word)) == 0);
}

static struct attribute_value in_set(alpha_register_set set, int reg) {
    return integer_value(reg >= 0 && set >> reg & 1);
}

bool word_reads_memory(uint32_t word) {
    return alpha_decode(word)->flags & ALPHA_LOAD && !alpha_is_prefetch(word);
}
bool word_writes_memory(uint32_t word) {
    return alpha_decode(word)->flags & ALPHA_STORE;
}

/* True if it begins a block with one of these marks. */
static struct attribute_value leads_block(const struct program *program, uint32_t index, unsigned leaders) {
    const struct basic_block *block = &program->blocks[block_at(program, index)];
    return integer_value(block->first == index && block->leaders & leaders);
}

struct attribute_value instruction_attribute(struct program *program, enum plan_attribute attribute,
                                             uint32_t index, int reg) {
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
    case PLAN_ATTRIBUTE_INST_TEXT:
        return disassembled_value(program, index);
    case PLAN_ATTRIBUTE_INST_OPCODE:
        return integer_value(alpha_primary(word));
    case PLAN_ATTRIBUTE_INST_WORD:
        return integer_value(word);
    case PLAN_ATTRIBUTE_INST_RA:
        return register_field(descriptor->ra_role, alpha_ra(word));
    case PLAN_ATTRIBUTE_INST_RB:
        return register_field(descriptor->rb_role, alpha_rb(word));
    case PLAN_ATTRIBUTE_INST_RC:
        return register_field(descriptor->rc_role, alpha_rc(word));
    case PLAN_ATTRIBUTE_INST_DISPLACEMENT:
        return displacement_value(descriptor, word);
    case PLAN_ATTRIBUTE_INST_SIZE:
        return integer_value(descriptor->memory_size);
    case PLAN_ATTRIBUTE_INST_READS_MEMORY:
    case PLAN_ATTRIBUTE_INST_IS_LOAD:
        return integer_value(word_reads_memory(word));
    case PLAN_ATTRIBUTE_INST_WRITES_MEMORY:
    case PLAN_ATTRIBUTE_INST_IS_STORE:
        return integer_value(word_writes_memory(word));
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
    case PLAN_ATTRIBUTE_INST_CAN_SKIP:
        return integer_value(skip_obstacle(program, index) == NULL);
    case PLAN_ATTRIBUTE_INST_TARGET_PC:
        return target_address(program, descriptor, index);
    case PLAN_ATTRIBUTE_INST_CALLEE:
        return string_value(callee_name(program, index));
    case PLAN_ATTRIBUTE_INST_CALLEE_PC:
        return callee_address(program, index);
    case PLAN_ATTRIBUTE_INST_CALLEE_PROC:
        return integer_value(callee_index(program, index, NULL));
    case PLAN_ATTRIBUTE_INST_BLOCK:
        return integer_value(block_at(program, index));
    case PLAN_ATTRIBUTE_INST_PROC:
        return integer_value(procedure_at(program, index));
    case PLAN_ATTRIBUTE_INST_FILE:
        return file_of(program, index);
    case PLAN_ATTRIBUTE_INST_LINE:
        return line_of(program, index);
    case PLAN_ATTRIBUTE_INST_LOOP_DEPTH:
        return integer_value(block_loop_depth(program, block_at(program, index)));
    case PLAN_ATTRIBUTE_INST_SECTION:
        return string_value(program_section(program, instruction_address(program, index)));
    case PLAN_ATTRIBUTE_INST_OBJECT:
        return string_value(program_object(program, index));
    case PLAN_ATTRIBUTE_INST_IS_ADD:
        return is_operation(descriptor, "add");
    case PLAN_ATTRIBUTE_INST_IS_SUB:
        return is_operation(descriptor, "sub");
    case PLAN_ATTRIBUTE_INST_IS_MUL:
        return integer_value(is_operation(descriptor, "mul").integer ||
                             is_operation(descriptor, "umulh").integer);
    case PLAN_ATTRIBUTE_INST_IS_DIV:
        return is_operation(descriptor, "div");
    case PLAN_ATTRIBUTE_INST_IS_INDIRECT:
        return integer_value((flags & ALPHA_INDIRECT) != 0);
    case PLAN_ATTRIBUTE_INST_LITERAL: /* bits 20:13 */
        return integer_value(descriptor->format == ALPHA_FORMAT_LITERAL ? (int64_t)(word >> 13 & 255) : -1);
    case PLAN_ATTRIBUTE_INST_SYSTEM_CALL_NUMBER:
        return integer_value(system_call_number(program, index));
    case PLAN_ATTRIBUTE_INST_TARGET:
        return integer_value(instruction_at(program, target_address(program, descriptor, index).integer));
    case PLAN_ATTRIBUTE_INST_IS_ENTRY:
        return integer_value(block_is_entry(&program->blocks[block_at(program, index)]) &&
                             leads_block(program, index, ~0u).integer);
    case PLAN_ATTRIBUTE_INST_ADDRESS_TAKEN:
        return leads_block(program, index, LEADER_ADDRESS_TAKEN);
    case PLAN_ATTRIBUTE_INST_STALLS:
        return pipeline_value(program, program->blocks[block_at(program, index)].first, index,
                              PIPELINE_LAST_STALLS);
    case PLAN_ATTRIBUTE_INST_READS:
        return in_set(alpha_is_nop(word) ? 0 : alpha_registers_read(word), reg);
    default:
        return in_set(alpha_registers_written(word), reg);
    }
}
