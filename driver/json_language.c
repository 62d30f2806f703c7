/* json_language.c: tools and the tables of the language as JSON: --list, --help and `atomc info`. Requires
   the sources of the same texts: the tool's page, and the tables of the checker. */
#include <ctype.h>

#include "codegen/isa.h"
#include "codegen/machines.h"
#include "driver/json.h"
#include "plan/row_header.h"

/* ---- tools -------------------------------------------------------------------------------------------- */

/* Reads the comment at the page's beginning, after its first paragraph: `Word: text`, continued in indented
   lines. A sample's text follows the line with its program. */
static json_t *heading_json(const char *text) {
    enum { INDENT = 9 }; /* indentation of continued lines after the longest word */
    json_t *heading = json_object();
    char *section = NULL, *body = NULL;
    size_t bytes = 0;
    FILE *stream = NULL;
    bool after = false;
    for (const char *at = text;;) {
        bool comment = *at == '#';
        size_t length = strcspn(at, "\n"), skipped = length > 1 && at[1] == ' ' ? 2 : 1, word = 0;
        const char *line = at + skipped;
        while (comment && after && length > skipped && isalpha((unsigned char)line[word]))
            word++;
        bool begins = word > 0 && isupper((unsigned char)line[0]) && line[word] == ':';
        if ((begins || !comment) && section) {
            fclose(stream);
            while (bytes > 0 && isspace((unsigned char)body[bytes - 1]))
                body[--bytes] = '\0';
            json_object_set_new(heading, section, json_text(body));
            free(body);
            free(section);
            section = NULL;
        }
        if (!comment)
            return heading;
        if (begins) {
            section = strndup(line, word);
            section[0] = (char)tolower((unsigned char)section[0]);
            stream = open_memstream(&body, &bytes);
            word += 1 + strspn(line + word + 1, " ");
        }
        if (section && length >= skipped) {
            size_t rest = length - skipped;
            for (word = begins ? word : 0; !begins && word < rest && word < INDENT && line[word] == ' ';)
                word++;
            fprintf(stream, "%.*s\n", (int)(rest - word), line + word);
        }
        after |= length == 1;
        at += length + (at[length] != '\0');
    }
}

static json_t *parameter_value_json(const struct parameter_help *parameter) {
    const struct expression *value = parameter->fallback;
    if (value->kind == EXPRESSION_STRING)
        return json_text(value->string);
    if (value->kind == EXPRESSION_BOOLEAN)
        return json_boolean(value->integer);
    if (value->kind == EXPRESSION_INTEGER)
        return json_integer(value->integer);
    return json_text(parameter->value); /* an expression, as written */
}

static json_t *parameter_json(const struct parameter_help *parameter) {
    json_t *object = json_object();
    json_object_set_new(object, "name", json_text(parameter->name));
    json_object_set_new(object, "type", json_text(parameter->type));
    json_object_set_new(object, "default", parameter_value_json(parameter));
    json_object_set_new(object, "help", json_text(parameter->help));
    if (parameter->check)
        json_object_set_new(object, "check", json_text(parameter->check));
    if (parameter->check_text)
        json_object_set_new(object, "check_text", json_text(parameter->check_text));
    if (parameter->choice_count) {
        json_t *choices = json_array();
        for (uint32_t i = 0; i < parameter->choice_count; i++)
            json_array_append_new(choices, json_text(parameter->choices[i]));
        json_object_set_new(object, "choices", choices);
    }
    if (parameter->has_least)
        json_object_set_new(object, "least", json_integer(parameter->least));
    if (parameter->has_greatest)
        json_object_set_new(object, "greatest", json_integer(parameter->greatest));
    return object;
}

/* The tables that its page declares; its C may write further tables. */
static json_t *reports_json(const struct tool *tool) {
    struct diagnostics *unseen = diagnostics_create();
    struct plan *plan = tool_compile(tool, NULL, unseen);
    json_t *reports = json_array();
    for (uint32_t i = 0; plan && i < plan->report_count; i++) {
        const struct plan_report *report = &plan->reports[i];
        if (report->is_text)
            continue;
        json_t *columns = json_array();
        uint32_t count;
        const struct plan_row_column *list = plan_row_columns(plan, report, plan->arena, &count);
        for (uint32_t k = 0; k < count; k++)
            json_array_append_new(columns, plan_column_json(&list[k]));
        json_t *object = json_object();
        json_object_set_new(object, "file", json_text(report->path));
        json_object_set_new(object, "columns", columns);
        json_array_append_new(reports, object);
    }
    plan_destroy(plan);
    diagnostics_destroy(unseen);
    return reports;
}

/* "memory", or "memory, start here". */
static void set_group(json_t *object, const char *text) {
    size_t length = text ? strcspn(text, ",") : 0;
    json_object_set_new(object, "group", text ? json_stringn(text, length) : json_null());
    json_object_set_new(object, "start", json_boolean(text && strcmp(text + length, ", start here") == 0));
}

static json_t *tool_summary_json(const struct tool *tool, const char *path) {
    json_t *object = json_object();
    json_object_set_new(object, "name", json_text(tool->name));
    json_object_set_new(object, "path", json_text(path));
    json_object_set_new(object, "description", json_text(tool->description));
    json_t *heading = heading_json(tool->source->text);
    set_group(object, json_string_value(json_object_get(heading, "group")));
    json_object_set(object, "about", json_object_get(heading, "output"));
    json_decref(heading);
    json_object_set_new(object, "has_c", json_boolean(tool->analysis_count > 0));
    json_object_set_new(object, "objects", tool->objects ? json_text(tool->objects) : json_null());
    json_object_set_new(object, "runs_host_code", json_boolean(tool->use_count > 0));
    return object;
}

/* The package that contains the tool, and the presets for the tool in this package. */
static void add_package(json_t *object, const struct tool_choice *choice) {
    char *path = choice->package ? format_string("%s/package.json", choice->package) : NULL;
    json_t *about = path ? json_load_file(path, 0, NULL) : NULL, *list = json_array(), *preset;
    const char *name = json_string_value(json_object_get(object, "name"));
    size_t i;
    json_object_set_new(object, "package",
                        json_text(choice->package ? strrchr(choice->package, '/') + 1 : ""));
    json_array_foreach(json_object_get(about, "presets"), i, preset) {
        const char *tool = json_string_value(json_object_get(preset, "tool"));
        if (tool && name && strcmp(tool, name) == 0)
            json_array_append(list, preset);
    }
    json_object_set_new(object, "presets", list);
    json_decref(about);
    free(path);
}

json_t *tool_json(struct applied_tool *applied) {
    const char *path = applied->choice->path;
    if (!applied->tool) { /* instrumented by C */
        json_t *object = json_object();
        json_object_set_new(object, "path", json_text(path));
        json_object_set_new(object, "has_c", json_true());
        json_object_set_new(object, "runs_host_code", json_true());
        return object;
    }
    json_t *object = tool_summary_json(applied->tool, path);
    uint32_t count;
    const struct parameter_help *parameters = tool_parameters(applied->tool, &count);
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, parameter_json(&parameters[i]));
    add_package(object, applied->choice);
    json_object_set_new(object, "heading", heading_json(applied->tool->source->text));
    json_object_set_new(object, "parameters", list);
    json_object_set_new(object, "reports", reports_json(applied->tool));
    struct arena *arena = arena_create();
    char digest[CACHE_KEY + 1];
    struct word_list files = {NULL, 0};
    bool whole = tool_digest(applied, arena, digest, &files);
    json_object_set_new(object, "digest", whole ? json_string(digest) : json_null());
    json_object_set_new(object, "files", json_array());
    for (uint32_t i = 0; i < files.count; i++)
        json_array_append_new(json_object_get(object, "files"), json_text(files.list[i]));
    arena_destroy(arena);
    return object;
}

/* A tool that cannot be read is listed, too, with its known fields. */
json_t *listed_tool_json(const char *name, const char *package, const char *path, const char *description) {
    struct arena *arena = arena_create();
    struct diagnostics *unseen = diagnostics_create();
    struct tool *tool = tool_parse(path, arena, unseen);
    json_t *object;
    if (tool) {
        tool_choose_files(tool);
        object = tool_summary_json(tool, path);
    } else {
        object = json_pack("{s: o, s: o, s: n, s: n, s: b, s: b}", "path", json_text(path), "description",
                           json_text(description), "group", "objects", "has_c", 0, "runs_host_code", 0);
    }
    json_object_set_new(object, "name", json_text(name));
    json_object_set_new(object, "package", json_text(package));
    diagnostics_destroy(unseen);
    arena_destroy(arena);
    return object;
}

/* ---- the language ------------------------------------------------------------------------------------- */

static void set_json_text(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, json_text(text));
}

static json_t *places_json(void) {
    json_t *list = json_array();
    for (int i = 0; i < PLAN_BUCKET; i++) {
        json_t *place = json_object(), *when = json_array(), *contains = json_array();
        set_json_text(place, "place", plan_place_words[i]);
        set_json_text(place, "loop", i == PLAN_PROGRAM ? NULL : plan_place_plurals[i]);
        for (int k = 0; k < PLAN_WHEN_COUNT; k++)
            if (plan_allows((enum plan_place)i, (enum plan_when)k))
                json_array_append_new(when,
                                      json_text(plan_when_words((enum plan_place)i, (enum plan_when)k)));
        for (int k = 0; k < PLAN_BUCKET; k++)
            if (plan_contains((enum plan_place)i, (enum plan_place)k))
                json_array_append_new(contains, json_text(plan_place_words[k]));
        json_t *related = json_array();
        for (int k = 0; k < PLAN_RELATED_COUNT; k++)
            if (plan_related[k].outer == (enum plan_place)i)
                json_array_append_new(related, json_pack("{s: s, s: s}", "loop", plan_related[k].word, "type",
                                                         plan_type_name(plan_related[k].type)));
        json_object_set_new(place, "when", when);
        json_object_set_new(place, "contains", contains);
        json_object_set_new(place, "related", related);
        set_json_text(place, "help", info_place_help((enum plan_place)i));
        json_array_append_new(list, place);
    }
    json_t *signal = json_object(), *when = json_array();
    set_json_text(signal, "place", info_signal.word);
    set_json_text(signal, "loop", NULL);
    for (int i = 0; i < INFO_EVENT_TIMES; i++)
        json_array_append_new(when, json_text(info_signal.when[i]));
    json_object_set_new(signal, "when", when);
    json_object_set_new(signal, "contains", json_array());
    json_object_set_new(signal, "related", json_array());
    set_json_text(signal, "help", info_signal.help);
    json_array_append_new(list, signal);
    return list;
}

static json_t *attributes_json(void) {
    json_t *list = json_array();
    for (int i = 0; i < PLAN_ATTRIBUTE_COUNT; i++) {
        json_t *attribute = json_object();
        set_json_text(attribute, "place", plan_place_words[plan_attributes[i].place]);
        set_json_text(attribute, "attribute", plan_attributes[i].word);
        set_json_text(attribute, "type", plan_type_name(plan_attributes[i].type));
        json_object_set_new(attribute, "takes_register", json_boolean(plan_attributes[i].takes_register));
        json_object_set_new(attribute, "is_address",
                            json_boolean(plan_attribute_is_address((enum plan_attribute)i)));
        set_json_text(attribute, "help", plan_attributes[i].help);
        json_array_append_new(list, attribute);
    }
    json_array_append_new(list, json_pack("{s: s, s: s, s: s, s: b, s: b, s: s}", "place",
                                          plan_type_name(PLAN_TYPE_REGISTER), "attribute",
                                          plan_register_attribute.word, "type",
                                          plan_type_name(plan_register_attribute.type), "takes_register", 0,
                                          "is_address", 0, "help", plan_register_attribute.help));
    return list;
}

static json_t *values_json(void) {
    json_t *list = json_array();
    for (int i = 0; i < PLAN_VALUE_COUNT; i++) {
        json_t *value = json_object();
        set_json_text(value, "value", plan_values[i].word);
        set_json_text(value, "type", plan_type_name(plan_values[i].type));
        json_object_set_new(value, "operands", json_integer(plan_values[i].operands));
        set_json_text(value, "help", plan_values[i].help);
        json_array_append_new(list, value);
    }
    return list;
}

static json_t *classes_json(void) {
    json_t *list = json_array();
    for (int i = 0; i < CLASS_COUNT; i++) {
        json_t *class = json_object();
        set_json_text(class, "class", plan_class_words[i]);
        set_json_text(class, "help", info_class_help((enum instruction_class)i));
        json_array_append_new(list, class);
    }
    return list;
}

static json_t *displays_json(void) {
    json_t *list = json_array();
    for (int i = 0; i < PLAN_DISPLAY_COUNT; i++) {
        char form[100];
        plan_display_form((enum plan_display_kind)i, form, sizeof form);
        json_t *display = json_object();
        set_json_text(display, "display", plan_displays[i].word);
        set_json_text(display, "form", form);
        set_json_text(display, "help", plan_displays[i].help);
        json_array_append_new(list, display);
    }
    return list;
}

static json_t *machines_json(void) {
    json_t *list = json_array();
    char text[200];
    const struct architecture *architecture;
    for (unsigned i = 0; (architecture = architecture_number(i)); i++) {
        const struct machine_names *names = machine_called(architecture->machine);
        const struct conventions_of_machine *registers = &architecture->registers;
        json_t *machine = json_object();
        set_json_text(machine, "machine", names->name);
        set_json_text(machine, "emulator", names->emulator);
        set_json_text(machine, "arguments",
                      info_register_names(architecture, registers->arguments, text, sizeof text));
        set_json_text(
            machine, "results",
            info_register_names(architecture, registers->results & registers->integers, text, sizeof text));
        set_json_text(machine, "return", architecture->register_name(registers->link));
        set_json_text(machine, "stack", architecture->register_name(registers->stack));
        json_object_set_new(machine, "takes_c", json_boolean(rewrite_takes_c(architecture)));
        json_array_append_new(list, machine);
    }
    return list;
}

static json_t *words_json(void) {
    json_t *list = json_array();
    for (int i = 0; info_words[i]; i++)
        json_array_append_new(list, json_pack("{s: s}", "word", info_words[i]));
    return list;
}

json_t *info_json(const char *table) {
    static const struct {
        const char *name;
        json_t *(*make)(void);
    } tables[] = {{"places", places_json},   {"attributes", attributes_json}, {"values", values_json},
                  {"classes", classes_json}, {"displays", displays_json},     {"words", words_json},
                  {"passes", passes_json},   {"machines", machines_json}};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (strcmp(tables[i].name, table) == 0)
            return tables[i].make();
    return NULL;
}
