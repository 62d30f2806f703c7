/* fields.c: members of the program's structures at a place, as loads from memory, by the types of the
   procedure's parameters and result. Requires the place. Reports members that there are not. */
#include <string.h>

#include "engine/select/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"

/* The way to a member, as far as it has been gone. */
struct way {
    struct selection *selection;
    const struct plan_expression *expression;
    uint32_t procedure;
    struct program_type type;
    const struct plan_expression *address; /* of an object of the type; NULL: .value is one */
    const struct plan_expression *value;
    bool in_arguments; /* the object is in argument registers, and in stack slots after them: */
    uint64_t offset;   /* from the beginning of register 0 */
    const char *text;  /* the way as written */
    uint32_t first_bit, bit_count, size; /* of a bit field; 0: it is none */
    uint64_t place;                      /* the address that chooses among types of one name */
};

static struct plan_expression *new_value(const struct way *way, enum plan_operator op,
                                         const struct plan_expression *left,
                                         const struct plan_expression *right) {
    struct plan_expression *made = arena_allocate(way->selection->arena, sizeof *made);
    *made = (struct plan_expression){.op = op,
                                     .type = PLAN_TYPE_INTEGER,
                                     .dynamic = op != PLAN_OP_INTEGER,
                                     .where = way->expression->where,
                                     .operand = {left, right}};
    return made;
}

static const struct plan_expression *constant_of(const struct way *way, int64_t value) {
    struct plan_expression *made = new_value(way, PLAN_OP_INTEGER, NULL, NULL);
    made->integer = value;
    return made;
}

static const struct plan_expression *with_constant(const struct way *way, enum plan_operator op,
                                                   const struct plan_expression *left, int64_t right) {
    return right ? new_value(way, op, left, constant_of(way, right)) : left;
}

/* The bytes of the object, from its lowest bits on: other bits may be above them. */
static const struct plan_expression *loaded(const struct way *way, uint64_t size) {
    if (!way->in_arguments)
        return new_value(way, PLAN_OP_MEMORY, way->address, constant_of(way, (int64_t)size));
    struct plan_expression *argument =
        new_value(way, PLAN_OP_VALUE, constant_of(way, (int64_t)way->offset / 8), NULL);
    argument->value = PLAN_VALUE_ARGUMENT;
    return with_constant(way, PLAN_OP_SHIFT_RIGHT, argument, 8 * (int64_t)(way->offset % 8));
}

/* The 64-bit value of the lowest bits. */
static const struct plan_expression *extended(const struct way *way, const struct plan_expression *value,
                                              uint32_t bits, bool is_signed) {
    if (!is_signed)
        return bits < 64 ? with_constant(way, PLAN_OP_BIT_AND, value, (int64_t)((UINT64_C(1) << bits) - 1))
                         : value;
    return with_constant(way, PLAN_OP_SHIFT_RIGHT, with_constant(way, PLAN_OP_SHIFT_LEFT, value, 64 - bits),
                         64 - bits);
}

static const char *name_of_type(const struct way *way) {
    return program_type_name(way->type, way->selection->arena);
}

static const char *name_of_procedure(const struct way *way) {
    const struct program *program = way->selection->program;
    return way->procedure == NO_INDEX ? "" : program->procedures[way->procedure].name;
}

/* Reports once. Returns false. */
#define REFUSE(way, where, id, ...)                                                                          \
    do {                                                                                                     \
        if (!(way)->selection->failed)                                                                       \
            diagnose((way)->selection->diagnostics, where, MESSAGE_##id, (way)->selection->program->path,    \
                     name_of_procedure(way), ##__VA_ARGS__);                                                 \
    } while (0)

static bool refuse(struct way *way, const char *hint) {
    if (!way->selection->failed && hint)
        diagnose_hint(way->selection->diagnostics, "%s", hint);
    way->selection->failed = true;
    return false;
}

/* ---- the type of the value that the way begins at ----------------------------------------------------------- */

/* True for a copy of a procedure from which GCC may have removed parameters, or put others there. */
static bool has_changed_parameters(const char *name) {
    return strstr(name, ".isra.") || strstr(name, ".constprop.") || strstr(name, ".part.");
}

/* The procedure whose parameters or result they are. */
static uint32_t procedure_of_place(const struct selection *selection, const struct expansion *expansion,
                                   uint32_t instruction) {
    const struct program *program = selection->program;
    const struct plan_action *action = expansion->action;
    uint32_t place = action->place == PLAN_PROGRAM ? 0 : selection->variables[action->place_variable];
    switch (action->place) {
    case PLAN_PROCEDURE:
        return place;
    case PLAN_ENTRY:
        return program->entries[place].procedure;
    case PLAN_CALLSITE:
        return call_target(program, place_instruction(program, PLAN_CALLSITE, place), NULL);
    default:
        return program->blocks[block_at(program, instruction)].procedure;
    }
}

static bool begin_at_address(struct way *way) {
    struct program *program = way->selection->program;
    const char *name = way->expression->path->type;
    bool several;
    way->text = arena_format(way->selection->arena, "$memory(..., \"%s\")", name);
    way->address = way->expression->operand[0];
    way->type = program_type_named(program, way->place, name, &several);
    if (way->type.entry != NO_TYPE)
        return true;
    if (!program_has_types(program, way->place)) {
        REFUSE(way, &way->expression->where, FIELD_NO_DEBUG, way->text);
        return refuse(way, "compile the program with -g");
    }
    if (!several) {
        REFUSE(way, &way->expression->where, FIELD_NO_TYPE, name);
        return refuse(way, "a type is named as in C: \"struct list\", \"int\", or by a typedef");
    }
    REFUSE(way, &way->expression->where, FIELD_SEVERAL, name);
    return refuse(way, "a file that defines it takes its own; this procedure's file does not define it");
}

static bool begin_at_value(struct way *way) {
    struct program *program = way->selection->program;
    const struct plan_expression *base = way->expression->operand[0];
    bool is_argument = base->value == PLAN_VALUE_ARGUMENT;
    int64_t number = is_argument ? fold(way->selection, base->operand[0]).integer : 0;
    way->value = base;
    way->text = is_argument ? arena_format(way->selection->arena, "$arg(%lld)", (long long)number) : "$ret";
    if (way->procedure == NO_INDEX) {
        REFUSE(way, &way->expression->where, FIELD_CALLEE, way->text, (unsigned long long)way->place);
        return refuse(way, "at a proc it is known: for p in procs { before p ... }");
    }
    uint64_t address = instruction_address(program, program->procedures[way->procedure].first);
    bool is_changed = has_changed_parameters(name_of_procedure(way));
    way->type = !is_argument ? program_result_type(program, address)
                             : program_parameter_type(program, address, (uint32_t)number, is_changed);
    if (program_parameter_count(program, address) < 0) {
        REFUSE(way, &way->expression->where, FIELD_NO_DEBUG, way->text);
        return refuse(way, "compile its file with -g, or leave it out: where p.nargs >= 0");
    }
    bool by_value = is_argument && program_parameter_is_structure(program, address, (uint32_t)number);
    if (way->type.entry != NO_TYPE && by_value) {
        way->in_arguments = true;
        way->offset = 8 * (uint64_t)number;
        return true;
    }
    if (way->type.entry != NO_TYPE && (is_argument || program_type_facts(way->type).kind != TYPE_STRUCTURE))
        return true;
    REFUSE(way, &way->expression->where, FIELD_NO_VALUE, way->text);
    return refuse(way, way->type.entry != NO_TYPE ? "it is a structure, not a pointer to one"
                       : by_value                 ? "a structure has the number of its first register"
                       : !is_argument             ? "it has no result"
                       : is_changed ? "it is a copy of a procedure, whose parameters the compiler has changed"
                       : number >= way->selection->program->architecture->registers.arguments_in_registers
                           ? "the types of parameters on the stack are not found"
                           : "its first parameter is $arg(0)");
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

static bool is_object(const struct way *way) {
    return way->address || way->in_arguments;
}

/* Follows the pointer; false if it is none. */
static bool follow_pointer(struct way *way) {
    struct type_facts facts = program_type_facts(way->type);
    if (facts.kind == TYPE_ARRAY && is_object(way)) {
        way->type = facts.of;
        return true;
    }
    if (facts.kind == TYPE_STRUCTURE && !is_object(way)) { /* a parameter that C++ passes by its address */
        way->address = way->value;
        return true;
    }
    if (facts.kind != TYPE_POINTER)
        return false;
    way->address = is_object(way) ? loaded(way, facts.size) : way->value;
    way->in_arguments = false;
    way->type = facts.of;
    return true;
}

static void move_by(struct way *way, uint64_t bytes) {
    if (way->in_arguments)
        way->offset += bytes;
    else
        way->address = with_constant(way, PLAN_OP_ADD, way->address, (int64_t)bytes);
}

static bool go_to_member(struct way *way, const struct plan_step *step) {
    struct type_member member;
    const char *nearest;
    switch (program_type_member(way->type, step->name, &member)) {
    case MEMBER_FOUND:
        break;
    case MEMBER_NONE:
        REFUSE(way, &step->where, FIELD_NO_MEMBER, name_of_type(way), step->name);
        nearest = program_nearest_member(way->type, step->name);
        return refuse(way,
                      nearest ? arena_format(way->selection->arena, "did you mean '%s'?", nearest) : NULL);
    case MEMBER_VIRTUAL:
        REFUSE(way, &step->where, FIELD_VIRTUAL, step->name, name_of_type(way));
        return refuse(way, "objects have it at different places");
    case MEMBER_SEVERAL:
        REFUSE(way, &step->where, FIELD_BASES, name_of_type(way), step->name);
        return refuse(way, NULL);
    case TYPE_INCOMPLETE:
        REFUSE(way, &step->where, FIELD_INCOMPLETE, name_of_type(way));
        return refuse(way, "compile the file that defines it with -g");
    case TYPE_SEVERAL:
        REFUSE(way, &step->where, FIELD_SEVERAL, name_of_type(way));
        return refuse(way, "this procedure's file only declares it");
    }
    if (member.bit_count && !member.size) {
        REFUSE(way, &step->where, FIELD_BITS, step->name);
        return refuse(way, NULL);
    }
    way->type = member.type;
    move_by(way, member.offset);
    way->bit_count = member.bit_count;
    way->first_bit = member.first_bit;
    way->size = member.size;
    return true;
}

static bool go_to_element(struct way *way, const struct plan_step *step) {
    struct type_facts facts = program_type_facts(way->type);
    if (facts.kind == TYPE_ARRAY && facts.count && (uint64_t)step->index >= facts.count) {
        REFUSE(way, &step->where, FIELD_RANGE, way->text, (unsigned long long)facts.count,
               (long long)step->index);
        return refuse(way, "the first is number 0");
    }
    uint64_t size = program_type_facts(facts.of).size;
    if ((facts.kind != TYPE_ARRAY && facts.kind != TYPE_POINTER) || size == 0 || !follow_pointer(way)) {
        REFUSE(way, &step->where, FIELD_ELEMENT, way->text, name_of_type(way));
        return refuse(way, NULL);
    }
    move_by(way, (uint64_t)step->index * size);
    return true;
}

static bool go(struct way *way, const struct plan_step *step) {
    struct arena *arena = way->selection->arena;
    if (way->bit_count || step->kind == PLAN_STEP_ELEMENT) {
        if (!go_to_element(way, step))
            return false;
        way->text = arena_format(arena, "%s[%lld]", way->text, (long long)step->index);
        return true;
    }
    bool points = step->kind == PLAN_STEP_POINTER;
    struct program_type written = way->type;
    enum type_kind kind = program_type_facts(way->type).kind;
    bool arrives =
        points ? kind != TYPE_STRUCTURE || !is_object(way) : kind == TYPE_STRUCTURE && is_object(way);
    arrives = arrives && (!points || follow_pointer(way));
    if (!arrives || program_type_facts(way->type).kind != TYPE_STRUCTURE) {
        way->type = written;
        REFUSE(way, &step->where, FIELD_ARROW, way->text, name_of_type(way), points ? "->" : ".", step->name);
        return refuse(way, kind == TYPE_STRUCTURE            ? "a member of a structure is behind a '.'"
                           : kind == TYPE_POINTER && !points ? "a member of what it points to is behind '->'"
                                                             : NULL);
    }
    if (!go_to_member(way, step))
        return false;
    way->text = arena_format(arena, "%s%s%s", way->text, points ? "->" : ".", step->name);
    return true;
}

/* The value at the end of the way; for an array its address. */
static const struct plan_expression *value_of(struct way *way) {
    struct type_facts facts = program_type_facts(way->type);
    uint64_t size = facts.size;
    bool is_number = facts.kind == TYPE_INTEGER && (size == 1 || size == 2 || size == 4 || size == 8);
    if (way->in_arguments && way->offset % 8 + (way->bit_count ? way->size : size) > 8 &&
        (is_number || facts.kind == TYPE_POINTER)) {
        REFUSE(way, &way->expression->where, FIELD_TWO_REGISTERS, way->text);
        refuse(way, NULL);
        return constant_of(way, 0);
    }
    if (is_number && way->bit_count)
        return extended(way, with_constant(way, PLAN_OP_SHIFT_RIGHT, loaded(way, way->size), way->first_bit),
                        way->bit_count, facts.is_signed);
    if (is_number)
        return facts.is_signed || way->in_arguments
                   ? extended(way, loaded(way, size), 8 * (uint32_t)size, facts.is_signed)
                   : loaded(way, size);
    if (facts.kind == TYPE_POINTER)
        return loaded(way, size);
    if (facts.kind == TYPE_ARRAY && !way->in_arguments)
        return way->address;
    REFUSE(way, &way->expression->where, FIELD_VALUE, way->text, name_of_type(way));
    refuse(way, facts.kind == TYPE_STRUCTURE ? "name one of its members"
                : facts.kind == TYPE_ARRAY ? "it is in registers, and has no address: name an element, as [0]"
                : facts.kind == TYPE_REAL
                    ? "floating-point numbers are read from registers only: $farg, $fret"
                    : NULL);
    return constant_of(way, 0);
}

const struct plan_expression *field_value(struct selection *selection, struct expansion *expansion,
                                          const struct plan_expression *expression, uint32_t instruction) {
    const struct plan_path *path = expression->path;
    struct way way = {.selection = selection,
                      .expression = expression,
                      .procedure = procedure_of_place(selection, expansion, instruction),
                      .place = instruction_address(selection->program, instruction)};
    bool good = path->type ? begin_at_address(&way) : begin_at_value(&way);
    for (uint32_t i = 0; i < path->count && good; i++)
        good = go(&way, &path->steps[i]);
    return good ? value_of(&way) : constant_of(&way, 0);
}
