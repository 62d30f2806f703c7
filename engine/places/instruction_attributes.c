/* instruction_attributes.c: static attributes of instructions (plan/attributes.def).
   Requires an analysed program. */
#include <string.h>

#include "codegen/machines.h"
#include "engine/places/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"

static struct attribute_value register_field(const struct facts *facts, unsigned field) {
    return integer_value(facts->operand[field] == REGISTER_NONE ? -1 : facts->operand[field]);
}

static struct attribute_value target_address(const struct program *program, uint32_t index) {
    const struct facts *facts = facts_of(program, index);
    bool is_direct = branches_or_jumps(facts) && !(facts->flags & FACT_INDIRECT);
    return integer_value(
        is_direct ? (int64_t)instruction_address(program, index) + constants_of(program, index).value : 0);
}

const char *callee_name(const struct program *program, uint32_t instruction) {
    bool is_call = facts_of(program, instruction)->class == CLASS_CALL;
    uint32_t procedure = is_call ? call_target(program, instruction, NULL) : NO_INDEX;
    if (procedure != NO_INDEX)
        return program->procedures[procedure].name;
    const struct relocation *relocation = is_call ? call_relocation(program, instruction) : NULL;
    return relocation ? relocation->symbol : "";
}

static uint32_t callee_index(const struct program *program, uint32_t instruction, uint32_t *offset) {
    const struct facts *facts = facts_of(program, instruction);
    return facts->class == CLASS_CALL || facts->flags & FACT_INDIRECT
               ? call_target(program, instruction, offset)
               : NO_INDEX;
}

static struct attribute_value callee_address(const struct program *program, uint32_t instruction) {
    uint32_t offset, procedure = callee_index(program, instruction, &offset);
    return integer_value(procedure == NO_INDEX
                             ? 0
                             : instruction_address(program, program->procedures[procedure].first + offset));
}

/* The text in the format for a line of a table: with a blank after the mnemonic. */
static struct attribute_value disassembled_value(struct program *program, uint32_t index) {
    char text[128];
    program->architecture->print(program->text[index], instruction_address(program, index), text,
                                 sizeof text);
    for (char *at = text; *at; at++)
        if (*at == '\t')
            *at = ' ';
    return string_value(arena_string(program->arena, text, strlen(text)));
}

static struct attribute_value is_arithmetic(const struct program *program, const struct facts *facts,
                                            enum arithmetic wanted) {
    return integer_value(program->architecture->arithmetic(facts->opcode) == wanted);
}

static struct attribute_value in_set(const struct program *program, const struct facts *facts,
                                     register_set set, unsigned fields, int reg) {
    const unsigned stack = program->architecture->registers.stack;
    if (reg == (int)stack && !set_of(stack))
        return integer_value(names_register(facts, fields, stack));
    return integer_value(reg >= 0 && set & set_of((unsigned)reg));
}

bool facts_read_memory(const struct facts *facts) {
    return facts->flags & FACT_LOAD && !(facts->flags & FACT_PREFETCH);
}
bool facts_write_memory(const struct facts *facts) {
    return facts->flags & FACT_STORE;
}

struct attribute_value pipeline_value(struct program *program, uint32_t first, uint32_t last,
                                      enum pipeline_value wanted) {
    if (!program->architecture->pipeline) {
        program->unknown_attribute = "attributes of pipelines";
        program->unknown_hint = "cycles and stalls are those of a 21064, an Alpha processor; "
                                "b.ninsts and $ns are there for each machine";
        return integer_value(0);
    }
    return integer_value(program->architecture->pipeline(&program->text[first], last - first + 1,
                                                         instruction_address(program, first), wanted));
}

/* True if it begins a block with one of these marks. */
static struct attribute_value leads_block(const struct program *program, uint32_t index, unsigned leaders) {
    const struct basic_block *block = &program->blocks[block_at(program, index)];
    return integer_value(block->first == index && block->leaders & leaders);
}

struct attribute_value instruction_attribute(struct program *program, enum plan_attribute attribute,
                                             uint32_t index, int reg) {
    const struct facts *facts = facts_of(program, index);
    unsigned flags = facts->flags;
    switch (attribute) {
    case PLAN_ATTRIBUTE_INST_PC:
        return integer_value(instruction_address(program, index));
    case PLAN_ATTRIBUTE_INST_CLASS:
        return integer_value(facts->class);
    case PLAN_ATTRIBUTE_INST_MNEMONIC:
        return string_value(program->architecture->mnemonic(facts->opcode));
    case PLAN_ATTRIBUTE_INST_TEXT:
        return disassembled_value(program, index);
    case PLAN_ATTRIBUTE_INST_OPCODE:
        return integer_value(facts->major);
    case PLAN_ATTRIBUTE_INST_WORD:
        /* Stock pages test the bits of the usual machine's words: system calls would not be found. */
        if (machine_called(program->architecture->machine) != usual_machine())
            program->unknown_attribute = "the bits of instructions (i.word)";
        return integer_value(program->text[index]);
    case PLAN_ATTRIBUTE_INST_RA:
        return register_field(facts, 0);
    case PLAN_ATTRIBUTE_INST_RB:
        return register_field(facts, 1);
    case PLAN_ATTRIBUTE_INST_RC:
        return register_field(facts, 2);
    case PLAN_ATTRIBUTE_INST_DISPLACEMENT:
        return integer_value(constants_of(program, index).displacement);
    case PLAN_ATTRIBUTE_INST_SIZE:
        return integer_value(facts->memory[0].size * facts->memory[0].count);
    case PLAN_ATTRIBUTE_INST_ALIGNMENT:
        return integer_value(facts->memory[0].size);
    case PLAN_ATTRIBUTE_INST_READS_MEMORY:
    case PLAN_ATTRIBUTE_INST_IS_LOAD:
        return integer_value(facts_read_memory(facts));
    case PLAN_ATTRIBUTE_INST_WRITES_MEMORY:
    case PLAN_ATTRIBUTE_INST_IS_STORE:
        return integer_value(facts_write_memory(facts));
    case PLAN_ATTRIBUTE_INST_IS_LOCKED:
        return integer_value((flags & (FACT_EXCLUSIVE_BEGIN | FACT_EXCLUSIVE_END)) != 0);
    case PLAN_ATTRIBUTE_INST_IS_FLOAT:
        return integer_value((flags & FACT_FLOAT) != 0);
    case PLAN_ATTRIBUTE_INST_IS_CALL:
        return integer_value(facts->class == CLASS_CALL);
    case PLAN_ATTRIBUTE_INST_IS_RETURN:
        return integer_value(facts->class == CLASS_RETURN);
    case PLAN_ATTRIBUTE_INST_IS_NOP:
        return integer_value((flags & FACT_NOP) != 0);
    case PLAN_ATTRIBUTE_INST_CAN_SKIP:
        return integer_value(skip_obstacle(program, index) == NULL);
    case PLAN_ATTRIBUTE_INST_TARGET_PC:
        return target_address(program, index);
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
        return is_arithmetic(program, facts, ARITHMETIC_ADD);
    case PLAN_ATTRIBUTE_INST_IS_SUB:
        return is_arithmetic(program, facts, ARITHMETIC_SUBTRACT);
    case PLAN_ATTRIBUTE_INST_IS_MUL:
        return is_arithmetic(program, facts, ARITHMETIC_MULTIPLY);
    case PLAN_ATTRIBUTE_INST_IS_DIV:
        return is_arithmetic(program, facts, ARITHMETIC_DIVIDE);
    case PLAN_ATTRIBUTE_INST_IS_INDIRECT:
        return integer_value((flags & FACT_INDIRECT) != 0);
    case PLAN_ATTRIBUTE_INST_LITERAL: /* bits 20:13 */
        return integer_value(constants_of(program, index).literal);
    case PLAN_ATTRIBUTE_INST_SYSTEM_CALL_NUMBER:
        return integer_value(system_call_number(program, index));
    case PLAN_ATTRIBUTE_INST_TARGET:
        return integer_value(instruction_at(program, target_address(program, index).integer));
    case PLAN_ATTRIBUTE_INST_IS_ENTRY:
        return integer_value(block_is_entry(&program->blocks[block_at(program, index)]) &&
                             leads_block(program, index, ~0u).integer);
    case PLAN_ATTRIBUTE_INST_ADDRESS_TAKEN:
        return leads_block(program, index, LEADER_ADDRESS_TAKEN);
    case PLAN_ATTRIBUTE_INST_STALLS:
        return pipeline_value(program, program->blocks[block_at(program, index)].first, index,
                              PIPELINE_LAST_STALLS);
    case PLAN_ATTRIBUTE_INST_READS:
        return in_set(program, facts, flags & FACT_NOP ? 0 : facts->read, facts->fields_read, reg);
    default:
        return in_set(program, facts, facts->written, facts->fields_written, reg);
    }
}
