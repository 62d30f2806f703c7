/* attributes.c: static attributes of places (plan/attributes.def); attributes of instructions are in
   instruction_attributes.c. Requires an analysed program with its loops and places. */
#include <gelf.h>
#include <string.h>

#include "codegen/machines.h"
#include "engine/places/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"
#include "support/demangle.h"

/* ---- the program and its objects --------------------------------------------------------------------- */

static struct attribute_value program_attribute(struct program *program, enum plan_attribute attribute) {
    switch (attribute) {
    case PLAN_ATTRIBUTE_PROGRAM_NAME:
        return string_value(object_file_name(program, 0));
    case PLAN_ATTRIBUTE_PROGRAM_PATH:
        return string_value(program->path);
    case PLAN_ATTRIBUTE_PROGRAM_ENTRY:
        return integer_value(program->entry);
    case PLAN_ATTRIBUTE_PROGRAM_NPROCS:
        return integer_value(program->procedure_count);
    case PLAN_ATTRIBUTE_PROGRAM_NBLOCKS:
        return integer_value(program->block_count);
    case PLAN_ATTRIBUTE_PROGRAM_NINSTS:
        return integer_value(program->instruction_count);
    case PLAN_ATTRIBUTE_PROGRAM_IS_DYNAMIC:
        return integer_value(program->interpreter != NULL);
    case PLAN_ATTRIBUTE_PROGRAM_MACHINE:
        return string_value(machine_called(program->architecture->machine)->name);
    case PLAN_ATTRIBUTE_PROGRAM_MAKES_THREADS:
        if (!program->threads_asked)
            program->threads = may_have_threads(program);
        program->threads_asked = true;
        return integer_value(program->threads != THREADS_NONE);
    default:
        return integer_value(place_count(program, PLAN_OBJECT));
    }
}

/* The writable segment: its part in the file, and the zeros after it. */
static const struct segment *data_segment(const struct program *object) {
    static const struct segment none;
    for (uint32_t i = 0; i < object->segment_count; i++)
        if (object->segments[i].flags & PF_W)
            return &object->segments[i];
    return &none;
}

static struct attribute_value object_attribute(struct program *program, enum plan_attribute attribute,
                                               uint32_t index) {
    const struct program *object = object_number(program, index);
    const struct segment *data = data_segment(object);
    switch (attribute) {
    case PLAN_ATTRIBUTE_OBJECT_NAME:
        return string_value(object_file_name(program, index));
    case PLAN_ATTRIBUTE_OBJECT_PATH:
        return string_value(object->path);
    case PLAN_ATTRIBUTE_OBJECT_OUTPUT:
        return string_value(index == 0 && program->output ? program->output : "");
    case PLAN_ATTRIBUTE_OBJECT_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_OBJECT_IS_LIBRARY:
        return integer_value(index > 0);
    case PLAN_ATTRIBUTE_OBJECT_IS_PLUG_IN:
        return integer_value(object->is_plug_in);
    case PLAN_ATTRIBUTE_OBJECT_IS_LEFT_OUT:
        return integer_value(object->left_out);
    case PLAN_ATTRIBUTE_OBJECT_BASE:
        return integer_value(object->base);
    case PLAN_ATTRIBUTE_OBJECT_TEXT_PC:
        return integer_value(object->text_address);
    case PLAN_ATTRIBUTE_OBJECT_TEXT_SIZE:
        return integer_value(4 * (int64_t)object->own_count);
    case PLAN_ATTRIBUTE_OBJECT_DATA:
        return integer_value(data->address);
    case PLAN_ATTRIBUTE_OBJECT_DATA_SIZE:
        return integer_value(data->file_size);
    case PLAN_ATTRIBUTE_OBJECT_BSS:
        return integer_value(data->address + data->file_size);
    case PLAN_ATTRIBUTE_OBJECT_BSS_SIZE:
        return integer_value(data->memory_size - data->file_size);
    case PLAN_ATTRIBUTE_OBJECT_NPROCS:
        return integer_value(places_counted(program, PLAN_OBJECT, index, PLAN_PROCEDURE));
    case PLAN_ATTRIBUTE_OBJECT_NENTRIES:
        return integer_value(places_counted(program, PLAN_OBJECT, index, PLAN_ENTRY));
    case PLAN_ATTRIBUTE_OBJECT_NLOOPS:
        return integer_value(places_counted(program, PLAN_OBJECT, index, PLAN_LOOP));
    case PLAN_ATTRIBUTE_OBJECT_NBLOCKS:
        return integer_value(places_counted(program, PLAN_OBJECT, index, PLAN_BLOCK));
    case PLAN_ATTRIBUTE_OBJECT_NEDGES:
        return integer_value(places_counted(program, PLAN_OBJECT, index, PLAN_EDGE));
    case PLAN_ATTRIBUTE_OBJECT_NCALLSITES:
        return integer_value(places_counted(program, PLAN_OBJECT, index, PLAN_CALLSITE));
    default:
        return integer_value(object->own_count);
    }
}

/* ---- procedures and entries --------------------------------------------------------------------------- */

/* The lowest or highest line among instructions from the procedure's own file. */
static struct attribute_value extreme_line(struct program *program, const struct procedure *procedure,
                                           bool highest) {
    const char *own, *file;
    uint32_t line, found = 0;
    program_line(program, instruction_address(program, procedure->first), &own, &line);
    for (uint32_t i = 0; i < procedure->count && *own; i++) {
        program_line(program, instruction_address(program, procedure->first + i), &file, &line);
        if (line != 0 && strcmp(file, own) == 0 && (found == 0 || (highest ? line > found : line < found)))
            found = line;
    }
    return integer_value(found);
}

static const char *binding_word(unsigned binding) {
    return binding == STB_GLOBAL ? "global" : binding == STB_WEAK ? "weak" : "local";
}

static const char *binding_of(const struct program *program, const struct procedure *procedure) {
    const struct text_symbol *symbol = symbol_at(program, procedure->first);
    if (!symbol)
        return "";
    return binding_word(symbol->binding);
}

static const char *nearest_symbol(const struct program *program, const struct procedure *procedure) {
    const uint32_t object = object_number_of(program, procedure->first);
    for (; object_number_of(program, procedure->first) == object; procedure--)
        if (symbol_at(program, procedure->first))
            return procedure->name;
        else if (procedure == program->procedures)
            break;
    return "";
}

/* The text lives as long as the program. */
static const char *demangled_name_of(struct program *program, const struct procedure *procedure) {
    if (!program->demangled_names)
        program->demangled_names = demangled_names_create(program->arena, program->arena);
    return demangled_text(program->demangled_names, procedure->name, false);
}

static const char *argument_in(struct program *program, const struct procedure *procedure, int reg) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    int number = reg % 32 - registers->first_argument; /* floating-point ones have the same numbers */
    if (number < 0 || number >= PARAMETER_REGISTERS)
        return "";
    return program_parameter(program, instruction_address(program, procedure->first), (uint32_t)number,
                             reg >= 32);
}

static bool takes_structure(struct program *program, const struct procedure *procedure, int reg) {
    int number = reg - program->architecture->registers.first_argument;
    return number >= 0 && number < PARAMETER_REGISTERS &&
           program_parameter_is_structure(program, instruction_address(program, procedure->first),
                                          (uint32_t)number);
}

/* True if the register is stored relative to $30 in the first straight-line code, before anything changes
   it. */
static bool saves_register(const struct program *program, const struct procedure *procedure, int reg) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const register_set preserved =
        (registers->callee_saved & ~set_of(registers->stack)) | set_of(registers->link);
    const unsigned store = FACT_STORE | FACT_WHOLE_REGISTER;
    register_set changed = 0;
    const struct basic_block *block = &program->blocks[procedure->first_block];
    if (reg < 0 || !(preserved >> reg & 1))
        return false;
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        const struct facts *facts = facts_of(program, i);
        if ((facts->flags & store) == store && facts->memory[0].data == reg &&
            facts->memory[0].base == registers->stack && !(changed >> reg & 1))
            return true;
        changed |= facts->written;
        while (block_last(block) < i)
            block++;
        if (block_last(block) == i && block->end != END_FALLTHROUGH)
            return false;
    }
    return false;
}

static struct attribute_value procedure_attribute(struct program *program, enum plan_attribute attribute,
                                                  uint32_t index, int reg) {
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
    case PLAN_ATTRIBUTE_PROC_ADDRESS_TAKEN:
        return integer_value(procedure->address_taken);
    case PLAN_ATTRIBUTE_PROC_NENTRIES:
        return integer_value(places_counted(program, PLAN_PROCEDURE, index, PLAN_ENTRY));
    case PLAN_ATTRIBUTE_PROC_NLOOPS:
        return integer_value(places_counted(program, PLAN_PROCEDURE, index, PLAN_LOOP));
    case PLAN_ATTRIBUTE_PROC_NEDGES:
        return integer_value(places_counted(program, PLAN_PROCEDURE, index, PLAN_EDGE));
    case PLAN_ATTRIBUTE_PROC_NCALLSITES:
        return integer_value(places_counted(program, PLAN_PROCEDURE, index, PLAN_CALLSITE));
    case PLAN_ATTRIBUTE_PROC_FIRST_LINE:
        return extreme_line(program, procedure, false);
    case PLAN_ATTRIBUTE_PROC_LAST_LINE:
        return extreme_line(program, procedure, true);
    case PLAN_ATTRIBUTE_PROC_BINDING:
        return string_value(binding_of(program, procedure));
    case PLAN_ATTRIBUTE_PROC_NEAREST_SYMBOL:
        return string_value(nearest_symbol(program, procedure));
    case PLAN_ATTRIBUTE_PROC_DEMANGLED:
        return string_value(demangled_name_of(program, procedure));
    case PLAN_ATTRIBUTE_PROC_SECTION:
        return string_value(program_section(program, instruction_address(program, procedure->first)));
    case PLAN_ATTRIBUTE_PROC_OBJECT:
        return string_value(program_object(program, procedure->first));
    case PLAN_ATTRIBUTE_PROC_GP:
        return integer_value(procedure->data_base);
    case PLAN_ATTRIBUTE_PROC_SETS_GP:
        return integer_value(procedure->sets_data_base);
    case PLAN_ATTRIBUTE_PROC_NARGS:
        return integer_value(
            program_parameter_count(program, instruction_address(program, procedure->first)));
    case PLAN_ATTRIBUTE_PROC_ARGUMENT:
        return string_value(argument_in(program, procedure, reg));
    case PLAN_ATTRIBUTE_PROC_TAKES_STRUCTURE:
        return integer_value(takes_structure(program, procedure, reg));
    default:
        return integer_value(saves_register(program, procedure, reg));
    }
}

static const char *entry_name(struct program *program, const struct entry *entry) {
    const struct procedure *procedure = &program->procedures[entry->procedure];
    const struct text_symbol *symbol = symbol_at(program, entry->instruction);
    if (entry->instruction == procedure->first)
        return procedure->name;
    if (symbol && !symbol->is_local_label)
        return symbol->name;
    return arena_format(program->arena, "%s+0x%x", procedure->name,
                        4 * (entry->instruction - procedure->first));
}

static struct attribute_value entry_attribute(struct program *program, enum plan_attribute attribute,
                                              uint32_t index) {
    const struct entry *entry = &program->entries[index];
    switch (attribute) {
    case PLAN_ATTRIBUTE_ENTRY_PC:
        return integer_value(instruction_address(program, entry->instruction));
    case PLAN_ATTRIBUTE_ENTRY_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_ENTRY_NAME:
        return string_value(entry_name(program, entry));
    case PLAN_ATTRIBUTE_ENTRY_IS_FIRST:
        return integer_value(entry->instruction == program->procedures[entry->procedure].first);
    case PLAN_ATTRIBUTE_ENTRY_PROC:
        return integer_value(entry->procedure);
    case PLAN_ATTRIBUTE_ENTRY_INST:
        return integer_value(entry->instruction);
    case PLAN_ATTRIBUTE_ENTRY_BLOCK:
        return integer_value(block_at(program, entry->instruction));
    case PLAN_ATTRIBUTE_ENTRY_FILE:
        return file_of(program, entry->instruction);
    default:
        return line_of(program, entry->instruction);
    }
}

/* ---- loops, blocks, edges, call sites, system calls ----------------------------------------------------- */

static struct attribute_value loop_attribute(struct program *program, enum plan_attribute attribute,
                                             uint32_t index) {
    const struct loop *loop = &program->loops[index];
    uint32_t first = program->blocks[loop->header].first;
    switch (attribute) {
    case PLAN_ATTRIBUTE_LOOP_PC:
        return integer_value(instruction_address(program, first));
    case PLAN_ATTRIBUTE_LOOP_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_LOOP_HEADER:
        return integer_value(loop->header);
    case PLAN_ATTRIBUTE_LOOP_DEPTH:
        return integer_value(loop->depth);
    case PLAN_ATTRIBUTE_LOOP_PARENT:
        return integer_value(loop->parent);
    case PLAN_ATTRIBUTE_LOOP_NLOOPS:
        return integer_value(places_counted(program, PLAN_LOOP, index, PLAN_LOOP));
    case PLAN_ATTRIBUTE_LOOP_NBLOCKS:
        return integer_value(loop->block_count);
    case PLAN_ATTRIBUTE_LOOP_NINSTS:
        return integer_value(places_counted(program, PLAN_LOOP, index, PLAN_INSTRUCTION));
    case PLAN_ATTRIBUTE_LOOP_NCALLSITES:
        return integer_value(places_counted(program, PLAN_LOOP, index, PLAN_CALLSITE));
    case PLAN_ATTRIBUTE_LOOP_NBACKS:
        return integer_value(loop->back_edge_count);
    case PLAN_ATTRIBUTE_LOOP_PROC:
        return integer_value(loop->procedure);
    case PLAN_ATTRIBUTE_LOOP_FILE:
        return file_of(program, first);
    default:
        return line_of(program, first);
    }
}

static struct attribute_value block_number(const struct program *program, const struct basic_block *block,
                                           bool (*chosen)(const struct facts *facts)) {
    int64_t number = 0;
    for (uint32_t i = 0; i < block->count; i++)
        number += chosen(facts_of(program, block->first + i));
    return integer_value(number);
}

static struct attribute_value block_attribute(struct program *program, enum plan_attribute attribute,
                                              uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    switch (attribute) {
    case PLAN_ATTRIBUTE_BLOCK_PC:
        return integer_value(instruction_address(program, block->first));
    case PLAN_ATTRIBUTE_BLOCK_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_BLOCK_NINSTS:
        return integer_value(block->count);
    case PLAN_ATTRIBUTE_BLOCK_NLOADS:
        return block_number(program, block, facts_read_memory);
    case PLAN_ATTRIBUTE_BLOCK_NSTORES:
        return block_number(program, block, facts_write_memory);
    case PLAN_ATTRIBUTE_BLOCK_SIZE:
        return integer_value(4 * (int64_t)block->count);
    case PLAN_ATTRIBUTE_BLOCK_PROC:
        return integer_value(block->procedure);
    case PLAN_ATTRIBUTE_BLOCK_FIRST:
        return integer_value(block->first);
    case PLAN_ATTRIBUTE_BLOCK_LAST:
        return integer_value(block_last(block));
    case PLAN_ATTRIBUTE_BLOCK_NSUCCS:
        return integer_value(block->successor_count);
    case PLAN_ATTRIBUTE_BLOCK_NPREDS:
        return integer_value(block->predecessor_count);
    case PLAN_ATTRIBUTE_BLOCK_IS_TARGET:
        return integer_value(is_jump_target(block->leaders));
    case PLAN_ATTRIBUTE_BLOCK_FILE:
        return file_of(program, block->first);
    case PLAN_ATTRIBUTE_BLOCK_LINE:
        return line_of(program, block->first);
    case PLAN_ATTRIBUTE_BLOCK_LOOP_DEPTH:
        return integer_value(block_loop_depth(program, index));
    case PLAN_ATTRIBUTE_BLOCK_LOOP:
        return integer_value(block->loop);
    case PLAN_ATTRIBUTE_BLOCK_IS_HEADER:
        return integer_value(block->loop != NO_INDEX && program->loops[block->loop].header == index);
    case PLAN_ATTRIBUTE_BLOCK_IS_ENTRY:
        return integer_value(block_is_entry(block));
    case PLAN_ATTRIBUTE_BLOCK_IS_LANDING_PAD:
        return integer_value((block->leaders & LEADER_LANDING_PAD) != 0);
    case PLAN_ATTRIBUTE_BLOCK_FROM_OUTSIDE:
        return integer_value(entered_from_outside(program, index));
    case PLAN_ATTRIBUTE_BLOCK_FOLLOWS:
        return integer_value(!entered_from_outside(program, index) && block->leaders == 0 &&
                             (block[-1].end == END_FALLTHROUGH || block[-1].end == END_COND_BRANCH));
    case PLAN_ATTRIBUTE_BLOCK_CYCLES:
        return pipeline_value(program, block->first, block_last(block), PIPELINE_CYCLES);
    case PLAN_ATTRIBUTE_BLOCK_STALLS:
        return pipeline_value(program, block->first, block_last(block), PIPELINE_STALLS);
    default:
        return integer_value((block->leaders & LEADER_ADDRESS_TAKEN) != 0);
    }
}

static struct attribute_value edge_attribute(const struct program *program, enum plan_attribute attribute,
                                             uint32_t index) {
    static const enum plan_edge_kind kinds[] = {[EDGE_FALLTHROUGH] = PLAN_EDGE_FALLTHROUGH,
                                                [EDGE_TAKEN] = PLAN_EDGE_TAKEN,
                                                [EDGE_TABLE] = PLAN_EDGE_TABLE};
    const struct edge *edge = place_edge(program, index);
    uint32_t loop = program->blocks[edge->to].loop;
    switch (attribute) {
    case PLAN_ATTRIBUTE_EDGE_KIND:
        return integer_value(kinds[edge->kind]);
    case PLAN_ATTRIBUTE_EDGE_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_EDGE_FROM:
        return integer_value(edge->from);
    case PLAN_ATTRIBUTE_EDGE_TO:
        return integer_value(edge->to);
    case PLAN_ATTRIBUTE_EDGE_PROC:
        return integer_value(program->blocks[edge->from].procedure);
    default:
        return integer_value(loop != NO_INDEX && program->loops[loop].header == edge->to &&
                             block_in_loop(program, edge->from, loop));
    }
}

static struct attribute_value callsite_attribute(struct program *program, enum plan_attribute attribute,
                                                 uint32_t index) {
    uint32_t instruction = program->callsites[index];
    switch (attribute) {
    case PLAN_ATTRIBUTE_CALLSITE_PC:
        return integer_value(instruction_address(program, instruction));
    case PLAN_ATTRIBUTE_CALLSITE_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_CALLSITE_INST:
        return integer_value(instruction);
    case PLAN_ATTRIBUTE_CALLSITE_CALLEE:
        return string_value(callee_name(program, instruction));
    case PLAN_ATTRIBUTE_CALLSITE_IS_INDIRECT:
        return integer_value((facts_of(program, instruction)->flags & FACT_INDIRECT) != 0);
    case PLAN_ATTRIBUTE_CALLSITE_BLOCK:
        return integer_value(block_at(program, instruction));
    case PLAN_ATTRIBUTE_CALLSITE_PROC:
        return integer_value(procedure_at(program, instruction));
    case PLAN_ATTRIBUTE_CALLSITE_LOOP_DEPTH:
        return integer_value(block_loop_depth(program, block_at(program, instruction)));
    case PLAN_ATTRIBUTE_CALLSITE_FILE:
        return file_of(program, instruction);
    default:
        return line_of(program, instruction);
    }
}

static struct attribute_value system_call_attribute(struct program *program, enum plan_attribute attribute,
                                                    uint32_t index) {
    uint32_t instruction = program->system_calls[index];
    const char *name;
    switch (attribute) {
    case PLAN_ATTRIBUTE_SYSTEM_CALL_PC:
        return integer_value(instruction_address(program, instruction));
    case PLAN_ATTRIBUTE_SYSTEM_CALL_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_SYSTEM_CALL_INST:
        return integer_value(instruction);
    case PLAN_ATTRIBUTE_SYSTEM_CALL_NUMBER:
        return integer_value(system_call_number(program, instruction));
    case PLAN_ATTRIBUTE_SYSTEM_CALL_NAME:
        name = system_call_name(program->architecture, system_call_number(program, instruction));
        return string_value(name ? name : "");
    case PLAN_ATTRIBUTE_SYSTEM_CALL_BLOCK:
        return integer_value(block_at(program, instruction));
    case PLAN_ATTRIBUTE_SYSTEM_CALL_PROC:
        return integer_value(procedure_at(program, instruction));
    case PLAN_ATTRIBUTE_SYSTEM_CALL_FILE:
        return file_of(program, instruction);
    default:
        return line_of(program, instruction);
    }
}

/* ---- data ---------------------------------------------------------------------------------------------- */

static struct attribute_value data_attribute(struct program *program, enum plan_attribute attribute,
                                             uint32_t index) {
    const struct datum *datum = &program->data[index];
    const char *file;
    uint32_t line;
    switch (attribute) {
    case PLAN_ATTRIBUTE_DATA_NAME:
        return string_value(datum->name);
    case PLAN_ATTRIBUTE_DATA_ADDRESS:
        return integer_value(datum->address);
    case PLAN_ATTRIBUTE_DATA_SIZE:
        return integer_value(datum->size);
    case PLAN_ATTRIBUTE_DATA_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_DATA_BINDING:
        return string_value(binding_word(datum->binding));
    case PLAN_ATTRIBUTE_DATA_SECTION:
        return string_value(program_section(program, datum->address));
    case PLAN_ATTRIBUTE_DATA_OBJECT:
        return string_value(object_file_name(program, datum->object));
    default:
        data_position(program, datum, &file, &line);
        return attribute == PLAN_ATTRIBUTE_DATA_FILE ? string_value(file) : integer_value(line);
    }
}

/* ---- positions ------------------------------------------------------------------------------------------ */

static struct attribute_value position_attribute(const struct program *program, enum plan_attribute attribute,
                                                 uint32_t index) {
    const struct position *position = &positions_of(program)->list[index];
    switch (attribute) {
    case PLAN_ATTRIBUTE_POSITION_FILE:
        return string_value(position->file);
    case PLAN_ATTRIBUTE_POSITION_LINE:
        return integer_value(position->line);
    case PLAN_ATTRIBUTE_POSITION_PC:
        return integer_value(instruction_address(program, position->instruction));
    case PLAN_ATTRIBUTE_POSITION_ID:
        return integer_value(index);
    case PLAN_ATTRIBUTE_POSITION_INST:
        return integer_value(position->instruction);
    case PLAN_ATTRIBUTE_POSITION_BLOCK:
        return integer_value(position->block);
    default:
        return integer_value(program->blocks[position->block].procedure);
    }
}

struct attribute_value attribute_value(struct program *program, enum plan_attribute attribute, uint32_t index,
                                       int reg) {
    switch (plan_attributes[attribute].place) {
    case PLAN_OBJECT:
        return object_attribute(program, attribute, index);
    case PLAN_PROCEDURE:
        return procedure_attribute(program, attribute, index, reg);
    case PLAN_ENTRY:
        return entry_attribute(program, attribute, index);
    case PLAN_LOOP:
        return loop_attribute(program, attribute, index);
    case PLAN_BLOCK:
        return block_attribute(program, attribute, index);
    case PLAN_EDGE:
        return edge_attribute(program, attribute, index);
    case PLAN_CALLSITE:
        return callsite_attribute(program, attribute, index);
    case PLAN_SYSTEM_CALL:
        return system_call_attribute(program, attribute, index);
    case PLAN_DATA:
        return data_attribute(program, attribute, index);
    case PLAN_POSITION:
        return position_attribute(program, attribute, index);
    case PLAN_INSTRUCTION:
        return instruction_attribute(program, attribute, index, reg);
    default:
        return program_attribute(program, attribute);
    }
}
