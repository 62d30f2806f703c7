/* json_program.c: a program's objects, procedures, places, instructions and sites as JSON Lines.
   Requires an open program for its objects, an analysed program for the other kinds. A place is written with
   its attributes, by the words of the language. */
#include "driver/json.h"
#include "support/demangle.h"

#include <stdlib.h>
#include <string.h>

/* ---- objects and procedures --------------------------------------------------------------------------- */

static json_t *hexadecimal_json(const uint8_t *bytes, size_t count) {
    json_t *text = NULL;
    char *digits = allocate_zeroed(2 * count + 1, 1);
    for (size_t i = 0; i < count; i++)
        sprintf(digits + 2 * i, "%02x", bytes[i]);
    text = bytes ? json_string(digits) : json_null();
    free(digits);
    return text;
}

static const char *role_of(const struct program *program, uint32_t number) {
    const struct program *object = object_number(program, number);
    const char *slash = program->interpreter ? strrchr(program->interpreter, '/') : NULL;
    if (number == 0)
        return "main";
    if (object->is_plug_in)
        return "plugin";
    return slash && strcmp(slash + 1, object_file_name(program, number)) == 0 ? "linker" : "library";
}

/* The objects that the dynamic linker loads before the program begins. */
static json_t *loaded_json(const struct program *program) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < program->loaded_count; i++) {
        const struct loaded_library *library = &program->loaded[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", json_text(library->name));
        json_object_set_new(object, "path", library->path ? json_text(library->path) : json_null());
        json_array_append_new(list, object);
    }
    return list;
}

static void print_object_json(const struct program *program, uint32_t number, FILE *stream) {
    const struct program *object = object_number(program, number);
    size_t bytes;
    const uint8_t *build_id = object_build_id(object, &bytes);
    json_t *line = json_object(), *needed = json_array();
    const char *name;
    for (uint32_t i = 0; object->is_dynamic && (name = dynamic_needed(object, i)); i++)
        json_array_append_new(needed, json_text(name));
    json_object_set_new(line, "name", json_text(object_file_name(program, number)));
    json_object_set_new(line, "path", json_text(object->path));
    json_object_set_new(line, "role", json_text(role_of(program, number)));
    json_object_set_new(line, "size", json_integer((json_int_t)object->image_size));
    json_object_set_new(line, "base", json_address(object->base));
    json_object_set_new(line, "text_pc", json_address(object->text_address));
    json_object_set_new(line, "text_size", json_integer(4 * (json_int_t)object->own_count));
    json_object_set_new(line, "is_dynamic", json_boolean(object->is_dynamic));
    json_object_set_new(line, "is_position_independent", json_boolean(object->base != 0));
    json_object_set_new(line, "interpreter", json_text(object->interpreter));
    json_object_set_new(line, "needed", needed);
    if (number == 0)
        json_object_set_new(line, "loaded", loaded_json(program));
    json_object_set_new(line, "build_id", hexadecimal_json(build_id, bytes));
    json_object_set_new(line, "has_symbols", json_boolean(object_has_section(object, ".symtab")));
    json_object_set_new(line, "has_lines", json_boolean(object_has_section(object, ".debug_line")));
    json_print(line, false, stream);
}

void json_print_objects(const struct program *program, FILE *stream) {
    for (uint32_t i = 0; i <= program->library_count; i++)
        print_object_json(program, i, stream);
}

static void print_procedure(struct program *program, uint32_t index, FILE *stream) {
    static const char *const origins[] = {"symbol", "eh_frame", "reached", "gap"};
    const struct procedure *procedure = &program->procedures[index];
    uint64_t pc = instruction_address(program, procedure->first);
    char *demangled = demangled_name(procedure->name);
    uint8_t shape[SHAPE_BYTES];
    const char *file;
    uint32_t line_number;
    json_t *line = json_object();
    program_line(program, pc, &file, &line_number);
    procedure_shape(program, index, shape);
    json_object_set_new(line, "pc", json_address(pc));
    json_object_set_new(line, "name", json_text(procedure->name));
    json_object_set_new(line, "demangled", json_text(demangled));
    json_object_set_new(line, "object", json_integer(object_number_of(program, procedure->first)));
    json_object_set_new(line, "file", json_text(file));
    json_object_set_new(line, "line", json_integer(line_number));
    json_object_set_new(line, "folder", json_text(program_compile_folder(program, pc)));
    json_object_set_new(line, "size", json_integer(4 * (json_int_t)procedure->count));
    json_object_set_new(line, "instructions", json_integer(procedure->count));
    json_object_set_new(line, "blocks", json_integer(procedure->block_count));
    json_object_set_new(line, "origin", json_text(origins[procedure->origin]));
    json_object_set_new(line, "shape", hexadecimal_json(shape, sizeof shape));
    json_print(line, false, stream);
    free(demangled);
}

void json_print_procedures(struct program *program, const bool *wanted, FILE *stream) {
    for (uint32_t p = 0; p < program->procedure_count; p++)
        if (!wanted || wanted[p])
            print_procedure(program, p, stream);
}

/* ---- places ------------------------------------------------------------------------------------------- */

static bool is_code_place(enum plan_type type) {
    return type >= PLAN_TYPE_PROGRAM;
}

static json_t *register_json(int64_t number) {
    return number < 0 ? json_null() : json_sprintf("$%s%d", number >= 32 ? "f" : "", (int)(number & 31));
}

/* A place, by the address that its lines have as `pc`; null if there is none. */
static json_t *place_json(const struct program *program, enum plan_type type, int64_t place) {
    if (place < 0 || place >= (int64_t)place_count(program, plan_type_place(type)))
        return json_null();
    return json_address(place_address(program, plan_type_place(type), (uint32_t)place));
}

static json_t *attribute_json(struct program *program, enum plan_attribute attribute, uint32_t place) {
    const struct plan_attribute_info *info = &plan_attributes[attribute];
    const struct attribute_value value = attribute_value(program, attribute, place, 0);
    if (is_code_place(info->type))
        return place_json(program, info->type, value.integer);
    switch (info->type) {
    case PLAN_TYPE_STRING:
        return json_text(value.string);
    case PLAN_TYPE_BOOLEAN:
        return json_boolean(value.integer);
    case PLAN_TYPE_CLASS:
        return json_text(plan_class_words[value.integer]);
    case PLAN_TYPE_EDGE_KIND:
        return json_text(plan_edge_words[value.integer]);
    case PLAN_TYPE_REGISTER:
        return register_json(value.integer);
    default:
        return plan_attribute_is_address(attribute) ? json_address((uint64_t)value.integer)
                                                    : json_integer(value.integer);
    }
}

static void print_place(struct program *program, enum plan_place kind, uint32_t place, FILE *stream) {
    json_t *line = json_object();
    json_object_set_new(line, "place", json_text(plan_place_words[kind]));
    for (int i = 0; i < PLAN_ATTRIBUTE_COUNT; i++)
        if (plan_attributes[i].place == kind && !plan_attributes[i].takes_register)
            json_object_set_new(line, plan_attributes[i].word,
                                attribute_json(program, (enum plan_attribute)i, place));
    if (kind == PLAN_EDGE) /* an edge has the address of its branch */
        json_object_set_new(line, "pc", json_address(place_address(program, kind, place)));
    json_print(line, false, stream);
}

static bool is_wanted_procedure(const bool *wanted, uint32_t procedure) {
    return !wanted || wanted[procedure];
}

void json_print_cfg(struct program *program, const bool *wanted, FILE *stream) {
    static const enum plan_place inside[] = {PLAN_ENTRY, PLAN_LOOP, PLAN_BLOCK, PLAN_EDGE, PLAN_CALLSITE};
    for (uint32_t i = 0; i < place_count(program, PLAN_OBJECT) && !wanted; i++)
        print_place(program, PLAN_OBJECT, i, stream);
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        if (!is_wanted_procedure(wanted, p))
            continue;
        print_place(program, PLAN_PROCEDURE, p, stream);
        for (size_t k = 0; k < sizeof inside / sizeof inside[0]; k++) {
            uint32_t first, count;
            places_inside(program, PLAN_PROCEDURE, p, inside[k], &first, &count);
            for (uint32_t place = first; place < first + count; place++)
                if (place_is_inside(program, PLAN_PROCEDURE, p, inside[k], place))
                    print_place(program, inside[k], place, stream);
        }
    }
}

/* ---- instructions ------------------------------------------------------------------------------------- */

static void print_instruction(struct program *program, uint32_t procedure, uint32_t instruction,
                              FILE *stream) {
    uint64_t pc = instruction_address(program, instruction);
    uint32_t word = program->text[instruction], line_number;
    char text[100];
    const struct facts *facts = facts_of(program, instruction);
    bool is_branch = branches_or_jumps(facts) && !(facts->flags & FACT_INDIRECT);
    uint32_t target = is_branch ? branch_target(program, instruction) : NO_INDEX;
    const char *file;
    json_t *line = json_object();
    program->architecture->print(word, pc, text, sizeof text);
    size_t mnemonic = strcspn(text, " \t");
    const char *operands = text + mnemonic + strspn(text + mnemonic, " \t");
    json_object_set_new(line, "pc", json_address(pc));
    json_object_set_new(line, "procedure", json_text(program->procedures[procedure].name));
    json_object_set_new(line, "word", json_sprintf("0x%08x", word));
    json_object_set_new(line, "mnemonic", json_stringn(text, mnemonic));
    json_object_set_new(line, "operands", json_text(operands));
    json_object_set_new(line, "target",
                        target == NO_INDEX ? json_null()
                                           : json_address(instruction_address(program, target)));
    const char *callee = attribute_value(program, PLAN_ATTRIBUTE_INST_CALLEE, instruction, 0).string;
    uint64_t callee_pc =
        (uint64_t)attribute_value(program, PLAN_ATTRIBUTE_INST_CALLEE_PC, instruction, 0).integer;
    json_object_set_new(line, "callee", json_text(callee));
    json_object_set_new(line, "callee_pc", callee_pc ? json_address(callee_pc) : json_null());
    program_line(program, pc, &file, &line_number);
    json_object_set_new(line, "file", json_text(file));
    json_object_set_new(line, "line", json_integer(line_number));
    json_print(line, false, stream);
}

void json_print_instructions(struct program *program, const bool *wanted, FILE *stream) {
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        const struct procedure *procedure = &program->procedures[p];
        if (is_wanted_procedure(wanted, p))
            for (uint32_t i = 0; i < procedure->count; i++)
                print_instruction(program, p, procedure->first + i, stream);
    }
}

/* ---- sites -------------------------------------------------------------------------------------------- */

static void set_statement(json_t *line, const struct plan *plan, uint32_t statement) {
    for (uint32_t i = 0; i < plan->action_count; i++)
        if (plan->actions[i].statement == statement && plan->actions[i].where.source) {
            json_object_set_new(line, "statement", span_json(&plan->actions[i].where));
            return;
        }
}

static json_t *effect_json(const struct sites *sites, const struct site *site, const struct plan *plan) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    site_print_effect(sites, site, plan, stream);
    fclose(stream);
    while (bytes > 0 && text[bytes - 1] == '\n')
        text[--bytes] = '\0';
    json_t *effect = json_text(text + strspn(text, " "));
    free(text);
    return effect;
}

static void set_place(json_t *line, const struct program *program, uint32_t instruction) {
    json_object_set_new(line, "pc", json_address(instruction_address(program, instruction)));
    json_object_set_new(line, "procedure",
                        json_text(program->procedures[procedure_at(program, instruction)].name));
}

static void print_site(const struct sites *sites, const struct site *site, const struct plan *plan,
                       const struct program *program, FILE *stream) {
    json_t *line = json_object();
    set_place(line, program, site->instruction);
    json_object_set_new(line, "when", json_text(site_point_words[site->point]));
    json_object_set_new(line, "place", json_text(plan_place_words[site->scope]));
    json_object_set_new(line, "what",
                        json_text(site->kind == PLAN_ACTION_UPDATE ? "update"
                                  : site->kind == PLAN_ACTION_SET  ? "set"
                                  : site->kind == PLAN_ACTION_SKIP ? "skip"
                                                                   : "call"));
    json_object_set_new(line, "text", effect_json(sites, site, plan));
    set_statement(line, plan, site->action->statement);
    json_print(line, false, stream);
}

static void print_events(const struct sites *sites, const struct site_list *events, const char *when,
                         const char *place, const char *object, const struct plan *plan, FILE *stream) {
    for (uint32_t i = 0; i < events->count; i++) {
        json_t *line = json_object();
        json_object_set_new(line, "when", json_text(when));
        json_object_set_new(line, "place", json_text(place));
        json_object_set_new(line, "object", json_text(object));
        json_object_set_new(line, "text", effect_json(sites, &events->list[i], plan));
        set_statement(line, plan, events->list[i].action->statement);
        json_print(line, false, stream);
    }
}

static void print_skip(const struct site_skip *skip, const struct plan *plan, const struct program *program,
                       FILE *stream) {
    json_t *line = json_object();
    set_place(line, program, skip->instruction);
    json_object_set_new(line, "skipped", json_text(skip_texts[skip->reason]));
    json_object_set_new(line, "count", json_integer(skip->count));
    set_statement(line, plan, skip->statement);
    json_print(line, false, stream);
}

static void print_replacement(const struct site_replacement *replacement, const struct plan *plan,
                              const struct program *program, FILE *stream) {
    const struct procedure *procedure = &program->procedures[replacement->procedure];
    json_t *line = json_object();
    set_place(line, program, replacement->entry == NO_INDEX ? procedure->first : replacement->entry);
    json_object_set_new(line, "what", json_text("replace"));
    json_object_set_new(line, "routine", json_text(plan->routines[replacement->routine].name));
    json_print(line, false, stream);
}

void json_print_sites(const struct sites *sites, const struct plan *plan, struct program *program,
                      const bool *wanted, FILE *stream) {
    if (!wanted) {
        print_events(sites, &sites->program.before, "before", "program", object_file_name(program, 0), plan,
                     stream);
        for (uint32_t k = 0; k < sites->library_count; k++)
            print_events(sites, &sites->libraries[k].before, "before", "object",
                         object_file_name(program, k + 1), plan, stream);
    }
    for (uint32_t i = 0; i < sites->replacement_count; i++)
        if (is_wanted_procedure(wanted, sites->replacements[i].procedure))
            print_replacement(&sites->replacements[i], plan, program, stream);
    for (uint32_t i = 0; i < sites->count; i++)
        if (is_wanted_procedure(wanted, procedure_at(program, sites->sites[i].instruction)))
            print_site(sites, &sites->sites[i], plan, program, stream);
    for (uint32_t i = 0; i < sites->skip_count; i++)
        if (is_wanted_procedure(wanted, procedure_at(program, sites->skips[i].instruction)))
            print_skip(&sites->skips[i], plan, program, stream);
    if (!wanted) {
        for (uint32_t k = 0; k < sites->library_count; k++)
            print_events(sites, &sites->libraries[k].after, "after", "object",
                         object_file_name(program, k + 1), plan, stream);
        print_events(sites, &sites->program.forked, "on fork", "program", object_file_name(program, 0), plan,
                     stream);
        print_events(sites, &sites->program.after, "after", "program", object_file_name(program, 0), plan,
                     stream);
    }
}
