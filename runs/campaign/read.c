/* read.c: the file of a campaign. All errors are reported, each at its place. */
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/machines.h"
#include "runs/campaign/campaign.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
enum { MOST_REPEATS = 1000 };

static const char *const campaign_keys[] = {"campaign", "programs", "tools",     "limits",     "repeat",
                                            "except",   "options",  "isolation", "environment"};
static const char *const program_keys[] = {"name", "path", "inputs", "objects", "root", "environment"};
static const char *const input_keys[] = {"name", "arguments", "input", "files", "environment"};
static const char *const file_keys[] = {"as", "path"};
static const char *const tool_keys[] = {"name", "path", "parameters", "code", "as"};
static const char *const limit_keys[] = {"seconds", "memory_mb", "output_mb",
                                         "file_mb", "disk_mb",   "processes"};

static bool refuse_node(const struct node *node, enum message id, const char *text) {
    struct source_span where = node_span(node);
    diagnose(node->document->diagnostics, &where, id, text);
    return false;
}

/* A name is shown in tables. */
static bool read_campaign_name(const struct node *node, const char **name) {
    if (!node_text(node, name))
        return false;
    for (const char *at = *name; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            return node_refuse(node, "a text without control characters");
    return true;
}

/* ---- paths, relative to the file's folder ---- */

static const char *absolute_path(struct campaign *campaign, const char *path) {
    const char *slash = strrchr(campaign->path, '/');
    if (path[0] == '/' || !slash)
        return path;
    return arena_format(campaign->arena, "%.*s/%s", (int)(slash - campaign->path), campaign->path, path);
}

static bool read_path(struct campaign *campaign, const struct node *node, const char **path) {
    char real[PATH_MAX];
    const char *text;
    if (!node_text(node, &text))
        return false;
    if (!realpath(absolute_path(campaign, text), real)) {
        struct source_span where = node_span(node);
        diagnose(campaign->diagnostics, &where, MESSAGE_CANNOT_READ, text, strerror(errno));
        return false;
    }
    *path = arena_format(campaign->arena, "%s", real);
    return true;
}

/* ---- lists and objects of texts ---- */

static bool read_campaign_texts(const struct node *node, json_t **list) {
    const char *text;
    bool good = true;
    *list = node->value;
    if (!node->value)
        return true;
    if (!json_is_array(node->value))
        return node_refuse(node, "a list of texts");
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        struct node element = node_element(node, i);
        text = json_string_value(element.value); /* which may be empty */
        good = (text || node_refuse(&element, "a list of texts")) && good;
    }
    return good;
}

static bool read_campaign_environment(const struct node *object, json_t **environment) {
    struct node node = node_member(object, "environment");
    const char *name;
    json_t *value;
    bool good = true;
    *environment = node.value;
    if (!node.value)
        return true;
    if (!json_is_object(node.value))
        return node_refuse(&node, "an object of variables and texts");
    json_object_foreach(node.value, name, value) {
        struct node member = node_member(&node, name);
        good = (json_is_string(value) || node_refuse(&member, "a text")) && good;
    }
    return good;
}

/* ---- programs ---- */

static bool read_campaign_files(struct campaign *campaign, const struct node *node, json_t **files) {
    bool good = true;
    if (!node->value)
        return true;
    if (!json_is_array(node->value))
        return node_refuse(node, "a list of objects, each with \"as\" and \"path\"");
    *files = json_array();
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        struct node file = node_element(node, i);
        const char *name, *path;
        if (!node_is_object(&file, file_keys, COUNT(file_keys)) || !node_needs(&file, "as") ||
            !node_needs(&file, "path")) {
            good = false;
            continue;
        }
        struct node as = node_member(&file, "as"), place = node_member(&file, "path");
        if (node_text(&as, &name) && read_path(campaign, &place, &path))
            json_array_append_new(*files, json_pack("{ssss}", "as", name, "path", path));
        else
            good = false;
    }
    return good;
}

static bool read_input(struct campaign *campaign, const struct node *node, struct input *input) {
    input->name = "";
    if (!node_is_object(node, input_keys, COUNT(input_keys)) || !node_needs(node, "name"))
        return false;
    struct node name = node_member(node, "name"), arguments = node_member(node, "arguments"),
                path = node_member(node, "input"), files = node_member(node, "files");
    bool good = read_campaign_name(&name, &input->name);
    good = read_campaign_texts(&arguments, &input->arguments) && good;
    good = (!path.value || json_is_null(path.value) || read_path(campaign, &path, &input->path)) && good;
    good = read_campaign_files(campaign, &files, &input->files) && good;
    return read_campaign_environment(node, &input->environment) && good;
}

static bool read_inputs(struct campaign *campaign, const struct node *node, struct program *program) {
    program->input_count = node->value ? (uint32_t)json_array_size(node->value) : 1;
    program->inputs = arena_allocate(campaign->arena, (program->input_count + 1) * sizeof *program->inputs);
    program->inputs[0].name = "";
    if (!node->value)
        return true;
    bool good = node_is_array(node);
    for (uint32_t i = 0; i < program->input_count; i++) {
        struct node element = node_element(node, i);
        good = read_input(campaign, &element, &program->inputs[i]) && good;
        for (uint32_t k = 0; k < i; k++)
            if (good && strcmp(program->inputs[k].name, program->inputs[i].name) == 0)
                good = refuse_node(&element, MESSAGE_CAMPAIGN_TWICE, program->inputs[i].name);
    }
    return good;
}

/* atomc determines whether it can be instrumented; this only recognises files that are not programs. */
static bool is_program(const struct node *node, const char *path) {
    unsigned char bytes[MACHINE_BYTES] = {0};
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    struct source_span where = node_span(node);
    if (file)
        fclose(file);
    if (length < sizeof bytes || memcmp(bytes, ELFMAG, SELFMAG) != 0) {
        diagnose(node->document->diagnostics, &where, MESSAGE_PROGRAM_NOT_ELF, path);
        return false;
    }
    if (!machine_of_bytes(bytes, length)) {
        diagnose(node->document->diagnostics, &where, MESSAGE_PROGRAM_NOT_ALPHA, path, "another machine",
                 usual_machine()->name);
        return false;
    }
    return true;
}

static bool read_campaign_program(struct campaign *campaign, const struct node *node,
                                  struct program *program) {
    if (!node_is_object(node, program_keys, COUNT(program_keys)) || !node_needs(node, "path"))
        return false;
    struct node name = node_member(node, "name"), path = node_member(node, "path"),
                inputs = node_member(node, "inputs"), root = node_member(node, "root"),
                objects = node_member(node, "objects");
    const char *text;
    program->where = node_span(node);
    program->objects = objects.value;
    bool good = read_path(campaign, &path, &program->path) && is_program(&path, program->path);
    if (name.value)
        good = read_campaign_name(&name, &program->name) && good;
    else if (good)
        program->name = strrchr(program->path, '/') + 1;
    if (root.value && !json_is_null(root.value))
        good = read_path(campaign, &root, &program->root) && good;
    if (objects.value)
        good = node_text(&objects, &text) && good;
    good = read_campaign_environment(node, &program->environment) && good;
    return read_inputs(campaign, &inputs, program) && good;
}

static bool read_programs(struct campaign *campaign, const struct node *node) {
    bool good = node_is_array(node);
    campaign->program_count = (uint32_t)json_array_size(node->value);
    campaign->programs =
        arena_allocate(campaign->arena, (campaign->program_count + 1) * sizeof *campaign->programs);
    for (uint32_t i = 0; i < campaign->program_count; i++) {
        struct node element = node_element(node, i);
        bool read = read_campaign_program(campaign, &element, &campaign->programs[i]);
        for (uint32_t k = 0; k < i && read; k++)
            if (campaign->programs[k].name &&
                strcmp(campaign->programs[k].name, campaign->programs[i].name) == 0)
                read = refuse_node(&element, MESSAGE_CAMPAIGN_TWICE, campaign->programs[i].name);
        good = read && good;
    }
    return good;
}

/* ---- tools ---- */

static const char *value_text(struct campaign *campaign, const json_t *value) {
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_boolean(value))
        return json_is_true(value) ? "true" : "false";
    if (json_is_integer(value))
        return arena_format(campaign->arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return NULL;
}

/* A value, or a list of values that are tried in turn. */
static bool read_parameter_values(struct campaign *campaign, const struct node *node, const char ***texts,
                                  json_t ***values, struct source_span **places, uint32_t *count) {
    bool is_list = json_is_array(node->value);
    if (is_list && !node_is_array(node))
        return false;
    *count = is_list ? (uint32_t)json_array_size(node->value) : 1;
    *texts = arena_allocate(campaign->arena, *count * sizeof **texts);
    *values = arena_allocate(campaign->arena, *count * sizeof **values);
    *places = arena_allocate(campaign->arena, *count * sizeof **places);
    for (uint32_t i = 0; i < *count; i++) {
        struct node element = is_list ? node_element(node, i) : *node;
        (*values)[i] = element.value;
        (*places)[i] = node_span(&element);
        (*texts)[i] = value_text(campaign, element.value);
        if (!(*texts)[i])
            return node_refuse(&element, "a text, a whole number, true or false, or a list of such");
        for (uint32_t k = 0; k < i; k++)
            if (strcmp((*texts)[k], (*texts)[i]) == 0)
                return refuse_node(&element, MESSAGE_CAMPAIGN_TWICE, (*texts)[i]);
    }
    return true;
}

static bool read_tool_parameters(struct campaign *campaign, const struct node *node, struct choice *choice,
                                 uint32_t member) {
    const char *name;
    json_t *value;
    bool good = true;
    if (!node->value)
        return true;
    if (!json_is_object(node->value))
        return node_refuse(node, "an object of parameters and values");
    struct parameter *parameters = arena_allocate(
        campaign->arena, (choice->parameter_count + json_object_size(node->value) + 1) * sizeof *parameters);
    if (choice->parameter_count)
        memcpy(parameters, choice->parameters, choice->parameter_count * sizeof *parameters);
    choice->parameters = parameters;
    json_object_foreach(node->value, name, value) {
        struct parameter *parameter = &parameters[choice->parameter_count++];
        struct node list = node_member(node, name);
        *parameter = (struct parameter){.name = name, .member = member};
        good = read_parameter_values(campaign, &list, &parameter->texts, &parameter->values,
                                     &parameter->places, &parameter->value_count) &&
               good;
    }
    return good;
}

static bool read_code(struct campaign *campaign, const struct node *node, json_t *tool) {
    json_t *list = json_array();
    bool good = json_is_array(node->value) || node_refuse(node, "a list of paths");
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        struct node element = node_element(node, i);
        const char *path;
        if (read_path(campaign, &element, &path))
            json_array_append_new(list, json_pack("{ss}", "path", path));
        else
            good = false;
    }
    json_object_set_new(tool, "code", list);
    return good;
}

/* The name that tables show of a file: without folder and suffix. */
static const char *name_of_file(struct campaign *campaign, const char *path) {
    const char *name = strrchr(path, '/') + 1, *dot = strrchr(name, '.');
    return dot && dot > name ? arena_string(campaign->arena, name, (size_t)(dot - name)) : name;
}

static bool read_campaign_tool(struct campaign *campaign, const struct node *node, struct choice *choice) {
    if (!node_is_object(node, tool_keys, COUNT(tool_keys)))
        return false;
    struct node name = node_member(node, "name"), path = node_member(node, "path"),
                parameters = node_member(node, "parameters"), code = node_member(node, "code"),
                as = node_member(node, "as");
    const char *shown = NULL, *place;
    json_t *tool = json_object();
    uint32_t member = (uint32_t)json_array_size(choice->tools);
    json_array_append_new(choice->tools, tool);
    bool good = name.value || path.value || node_needs(node, "name");
    if (name.value && path.value)
        good = refuse_node(&path, MESSAGE_CAMPAIGN_PATH_AND_NAME, NULL);
    if (name.value && (good = read_campaign_name(&name, &shown) && good))
        json_object_set(tool, "name", name.value);
    if (path.value && !name.value && (good = read_path(campaign, &path, &place) && good)) {
        json_object_set_new(tool, "path", json_string(place));
        shown = name_of_file(campaign, place);
    }
    if (code.value)
        good = read_code(campaign, &code, tool) && good;
    if (as.value)
        good = read_campaign_name(&as, &shown) && good;
    if (good)
        choice->name = choice->name ? arena_format(campaign->arena, "%s+%s", choice->name, shown) : shown;
    return read_tool_parameters(campaign, &parameters, choice, member) && good;
}

static bool read_campaign_tools(struct campaign *campaign, const struct node *node) {
    bool good = node_is_array(node);
    campaign->choice_count = (uint32_t)json_array_size(node->value);
    campaign->choices =
        arena_allocate(campaign->arena, (campaign->choice_count + 1) * sizeof *campaign->choices);
    for (uint32_t i = 0; i < campaign->choice_count; i++) {
        struct node element = node_element(node, i);
        campaign->choices[i].tools = json_array();
        if (!json_is_array(element.value)) {
            good = read_campaign_tool(campaign, &element, &campaign->choices[i]) && good;
            continue;
        }
        good = node_is_array(&element) && good;
        for (size_t k = 0; k < json_array_size(element.value); k++) {
            struct node member = node_element(&element, k);
            good = read_campaign_tool(campaign, &member, &campaign->choices[i]) && good;
        }
    }
    return good;
}

/* ---- the rest ---- */

static bool read_exception(struct campaign *campaign, const struct node *node, struct exception *exception) {
    const char *name;
    json_t *value, **values;
    struct source_span *places;
    bool good = true;
    if (json_object_size(node->value) == 0)
        return node_refuse(node, "a list of objects, such as {\"program\": \"bzip2\", \"size\": 4096}");
    exception->where = node_span(node);
    exception->conditions =
        arena_allocate(campaign->arena, json_object_size(node->value) * sizeof *exception->conditions);
    json_object_foreach(node->value, name, value) {
        if (strcmp(name, "note") == 0)
            continue;
        struct condition *condition = &exception->conditions[exception->condition_count++];
        struct node member = node_member(node, name);
        condition->dimension = name;
        good = read_parameter_values(campaign, &member, &condition->texts, &values, &places,
                                     &condition->text_count) &&
               good;
    }
    return good;
}

static bool read_exceptions(struct campaign *campaign, const struct node *node) {
    bool good = true;
    if (!node->value)
        return true;
    if (!json_is_array(node->value))
        return node_refuse(node, "a list of objects");
    campaign->exception_count = (uint32_t)json_array_size(node->value);
    campaign->exceptions =
        arena_allocate(campaign->arena, (campaign->exception_count + 1) * sizeof *campaign->exceptions);
    for (uint32_t i = 0; i < campaign->exception_count; i++) {
        struct node element = node_element(node, i);
        good = read_exception(campaign, &element, &campaign->exceptions[i]) && good;
    }
    return good;
}

static bool read_campaign_limits(struct campaign *campaign, const struct node *node) {
    bool good = true;
    int64_t number;
    if (!node->value)
        return true;
    campaign->limits = node->value;
    if (!node_is_object(node, limit_keys, COUNT(limit_keys)))
        return false;
    for (size_t i = 0; i < COUNT(limit_keys); i++) {
        struct node member = node_member(node, limit_keys[i]);
        good = (!member.value || node_integer(&member, 1, 1000000000, &number)) && good;
    }
    return good;
}

static bool read_campaign_isolation(struct campaign *campaign, const struct node *node) {
    if (!node->value)
        return true;
    campaign->isolation = json_string_value(node->value);
    return (campaign->isolation &&
            (strcmp(campaign->isolation, "any") == 0 || strcmp(campaign->isolation, "sandbox") == 0 ||
             strcmp(campaign->isolation, "plain") == 0)) ||
           node_refuse(node, "\"any\", \"sandbox\" or \"plain\"");
}

static bool read_campaign(struct campaign *campaign) {
    struct node root = document_root(&campaign->document);
    if (!node_is_object(&root, campaign_keys, COUNT(campaign_keys)) || !node_needs(&root, "campaign") ||
        !node_needs(&root, "programs") || !node_needs(&root, "tools"))
        return false;
    struct node name = node_member(&root, "campaign"), programs = node_member(&root, "programs"),
                tools = node_member(&root, "tools"), limits = node_member(&root, "limits"),
                repeat = node_member(&root, "repeat"), except = node_member(&root, "except"),
                options = node_member(&root, "options"), isolation = node_member(&root, "isolation");
    int64_t times = 1;
    bool good = read_campaign_name(&name, &campaign->name);
    good = read_programs(campaign, &programs) && good;
    good = read_campaign_tools(campaign, &tools) && good;
    good = read_campaign_limits(campaign, &limits) && good;
    good = (!repeat.value || node_integer(&repeat, 1, MOST_REPEATS, &times)) && good;
    good = read_exceptions(campaign, &except) && good;
    good = read_campaign_texts(&options, &campaign->options) && good;
    good = read_campaign_isolation(campaign, &isolation) && good;
    campaign->repeat = (uint32_t)times;
    return read_campaign_environment(&root, &campaign->environment) && good;
}

static bool read_standard_input(struct campaign *campaign) {
    char *text = NULL, piece[16384];
    size_t length, bytes;
    FILE *stream = open_memstream(&text, &length);
    while ((bytes = fread(piece, 1, sizeof piece, stdin)) > 0)
        fwrite(piece, 1, bytes, stream);
    fclose(stream);
    bool good = document_read(&campaign->document, campaign->path, text, length, campaign->diagnostics);
    free(text);
    return good;
}

bool campaign_open(struct campaign *campaign, const char *path, struct diagnostics *diagnostics) {
    *campaign = (struct campaign){.path = path, .arena = arena_create(), .diagnostics = diagnostics};
    return (strcmp(path, "-") == 0 ? read_standard_input(campaign)
                                   : document_open(&campaign->document, path, diagnostics)) &&
           read_campaign(campaign);
}

struct node tool_node(const struct campaign *campaign, uint32_t choice, uint32_t member,
                      struct node nodes[3]) {
    nodes[0] = document_root(&campaign->document);
    nodes[1] = node_member(&nodes[0], "tools");
    nodes[2] = node_element(&nodes[1], choice);
    return json_is_array(nodes[2].value) ? node_element(&nodes[2], member) : nodes[2];
}

void campaign_close(struct campaign *campaign) {
    for (uint32_t i = 0; i < campaign->choice_count; i++)
        json_decref(campaign->choices[i].tools);
    for (uint32_t i = 0; i < campaign->program_count; i++)
        for (uint32_t k = 0; k < campaign->programs[i].input_count && campaign->programs[i].inputs; k++)
            json_decref(campaign->programs[i].inputs[k].files);
    document_close(&campaign->document);
    arena_destroy(campaign->arena);
}
