/* read.c: reads the description of a job that a person or a program has written. Each error in it is reported
   at its line and column. Requires no file of the machine: key.c checks the files. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runs/job/job.h"

const char *const job_isolation_words[] = {"any", "sandbox", "plain"};
enum { ISOLATIONS = 3, MOST_REPEATS = 1000000 };
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- texts and files ------------------------------------------------------------------------------------- */

/* A text, which may be empty. */
static bool any_text(const struct node *node) {
    if (!json_is_string(node->value))
        return node_refuse(node, "a text");
    if (strlen(json_string_value(node->value)) != json_string_length(node->value))
        return node_refuse(node, "a text without NUL characters");
    return true;
}

static bool is_digest_text(const char *text) {
    return strlen(text) == JOB_DIGEST && strspn(text, "0123456789abcdef") == JOB_DIGEST;
}

static void make_path_absolute(json_t *object, const char *key) {
    const char *path = json_string_value(json_object_get(object, key));
    char *folder = path && path[0] != '/' ? getcwd(NULL, 0) : NULL;
    if (folder)
        json_object_set_new(object, key, json_sprintf("%s/%s", folder, path));
    free(folder);
}

/* "path", and perhaps "sha256"; further keys are the caller's to check. */
static bool read_file_keys(const struct node *object, const char *const *keys, size_t key_count) {
    bool good = node_is_object(object, keys, key_count);
    if (!json_is_object(object->value) || !node_needs(object, "path"))
        return false;
    const char *text;
    struct node path = node_member(object, "path"), digest = node_member(object, "sha256");
    good &= any_text(&path) && node_text(&path, &text);
    if (digest.value)
        good &= any_text(&digest) && (is_digest_text(json_string_value(digest.value)) ||
                                      node_refuse(&digest, "a SHA-256: 64 hexadecimal digits"));
    make_path_absolute(object->value, "path");
    return good;
}

static const char *const file_keys[] = {"path", "sha256"};

static bool read_file_list(const struct node *list, const char *const *keys, size_t key_count) {
    bool good = true;
    if (!json_is_array(list->value))
        return node_refuse(list, "a list, [...]");
    for (size_t i = 0; i < json_array_size(list->value); i++) {
        struct node file = node_element(list, i);
        good &= read_file_keys(&file, keys, key_count);
    }
    return good;
}

static bool read_job_texts(const struct node *list) {
    bool good = true;
    if (!json_is_array(list->value))
        return node_refuse(list, "a list, [...]");
    for (size_t i = 0; i < json_array_size(list->value); i++) {
        struct node text = node_element(list, i);
        good &= any_text(&text);
    }
    return good;
}

/* ---- parts of a job -------------------------------------------------------------------------------------- */

/* Argument 0 is also the name of the file that is instrumented. */
static bool read_job_program(struct job *job, const struct node *program) {
    static const char *const keys[] = {"path", "sha256", "name"};
    if (!read_file_keys(program, keys, COUNT(keys)))
        return false;
    const char *path = json_string_value(json_object_get(program->value, "path")),
               *slash = strrchr(path, '/');
    struct node name = node_member(program, "name");
    if (!name.value)
        json_object_set_new(program->value, "name", json_string(slash ? slash + 1 : path));
    else if (!any_text(&name))
        return false;
    job->program = path;
    job->name = json_string_value(json_object_get(program->value, "name"));
    return true;
}

static bool read_job_parameters(const struct node *parameters) {
    bool good = true;
    if (!json_is_object(parameters->value))
        return node_refuse(parameters, "an object, {...}");
    for (void *at = json_object_iter(parameters->value); at;
         at = json_object_iter_next(parameters->value, at)) {
        struct node value = node_member(parameters, json_object_iter_key(at));
        if (json_is_string(value.value))
            good &= any_text(&value);
        else if (!json_is_integer(value.value) && !json_is_boolean(value.value))
            good = node_refuse(&value, "an integer, a text, true or false");
    }
    return good;
}

static bool read_job_tool(const struct node *tool) {
    static const char *const keys[] = {"name", "path", "parameters", "code"};
    bool good = node_is_object(tool, keys, COUNT(keys));
    const char *text;
    if (!json_is_object(tool->value))
        return false;
    struct node name = node_member(tool, "name"), path = node_member(tool, "path"),
                parameters = node_member(tool, "parameters"), code = node_member(tool, "code");
    if (!name.value == !path.value)
        return node_refuse(tool, "a tool: either its \"name\" or the \"path\" of its page");
    good &=
        name.value ? any_text(&name) && node_text(&name, &text) : any_text(&path) && node_text(&path, &text);
    make_path_absolute(tool->value, "path");
    good &= !parameters.value || read_job_parameters(&parameters);
    good &= !code.value || read_file_list(&code, file_keys, COUNT(file_keys));
    if (!parameters.value)
        json_object_set_new(tool->value, "parameters", json_object());
    if (!code.value)
        json_object_set_new(tool->value, "code", json_array());
    return good;
}

static bool read_job_tools(const struct node *tools) {
    bool good = true;
    if (!node_is_array(tools))
        return false;
    for (size_t i = 0; i < json_array_size(tools->value); i++) {
        struct node tool = node_element(tools, i);
        good &= read_job_tool(&tool);
    }
    return good;
}

/* Options that change the instrumentation. Other options, for printing and output, are not allowed. */
static bool read_options(const struct node *options) {
    static const char *const allowed[] = {
        "--strict", "--demangle", "--no-demangle", "--call=",  "--copy=",
        "--for=",   "--landing=", "--profile=",    "--stack=", "--without="};
    if (!read_job_texts(options))
        return false;
    for (size_t i = 0; i < json_array_size(options->value); i++) {
        struct node word = node_element(options, i);
        const char *text = json_string_value(word.value);
        bool good = false;
        for (size_t k = 0; k < COUNT(allowed); k++) {
            size_t length = strlen(allowed[k]);
            good |= allowed[k][length - 1] == '=' ? strncmp(text, allowed[k], length) == 0
                                                  : strcmp(text, allowed[k]) == 0;
        }
        if (!good)
            return node_refuse(&word, "--strict, --demangle, --no-demangle, or --call=, --copy=, --for=, "
                                      "--landing=, --profile=, --stack= or "
                                      "--without= with a value");
    }
    return true;
}

/* True if the path is inside of the program's folder, and no file of that name exists there. */
static bool is_inner_name(const char *name) {
    size_t length;
    for (const char *at = name;; at += length + 1) {
        length = strcspn(at, "/");
        if (length == 0 || length > NAME_MAX || strncmp(at, "..", length) == 0)
            return false;
        if (!at[length])
            break;
    }
    length = strcspn(name, "/");
    return !(length == 3 && strncmp(name, "out", 3) == 0) && strcmp(name, "program") != 0 &&
           strncmp(name, "program/", 8) != 0 && strlen(name) < PATH_MAX / 2;
}

static bool read_job_files(const struct node *files) {
    static const char *const keys[] = {"as", "path", "sha256"};
    bool good = read_file_list(files, keys, COUNT(keys));
    for (size_t i = 0; good && i < json_array_size(files->value); i++) {
        struct node file = node_element(files, i), as = node_member(&file, "as");
        if (!node_needs(&file, "as") || !any_text(&as))
            return false;
        if (!is_inner_name(json_string_value(as.value)))
            return node_refuse(&as, "a name inside of the program's folder, and not \"program\" or \"out\"");
        for (size_t k = 0; k < i; k++)
            if (json_equal(as.value, json_object_get(json_array_get(files->value, k), "as")))
                return node_refuse(&as, "a name that no other file has");
    }
    return good;
}

/* The emulator would use some of these variables itself, or pass them to its own libraries. */
static bool read_job_environment(const struct node *environment) {
    static const char *const own[] = {"ATOMC_", "QEMU_", "LD_"};
    bool good = true;
    if (!json_is_object(environment->value))
        return node_refuse(environment, "an object, {...}");
    for (void *at = json_object_iter(environment->value); at;
         at = json_object_iter_next(environment->value, at)) {
        const char *name = json_object_iter_key(at);
        struct node value = node_member(environment, name);
        good &= any_text(&value);
        if (!*name || strchr(name, '='))
            good = node_refuse(&value, "a variable, whose name is not empty and has no '='");
        for (size_t i = 0; i < COUNT(own); i++)
            if (strncmp(name, own[i], strlen(own[i])) == 0)
                good =
                    node_refuse(&value, "a variable of the program's: ATOMC_*, QEMU_* and LD_* are others'");
    }
    return good;
}

static bool read_job_limits(struct job_limits *limits, const struct node *object) {
    static const char *const keys[] = {"seconds", "memory_mb", "output_mb",
                                       "file_mb", "disk_mb",   "processes"};
    int64_t *const values[] = {&limits->seconds, &limits->memory_mb, &limits->output_mb,
                               &limits->file_mb, &limits->disk_mb,   &limits->processes};
    bool good = node_is_object(object, keys, COUNT(keys));
    for (size_t i = 0; good && i < COUNT(keys); i++) {
        struct node value = node_member(object, keys[i]);
        if (value.value)
            good = node_integer(&value, 1, i == 0 ? 31536000 : 1 << 20, values[i]);
        json_object_set_new(object->value, keys[i], json_integer(*values[i]));
    }
    return good;
}

static bool read_job_isolation(struct job *job, const struct node *node) {
    for (int i = 0; i < ISOLATIONS && json_is_string(node->value); i++)
        if (strcmp(json_string_value(node->value), job_isolation_words[i]) == 0) {
            job->isolation = (enum job_isolation)i;
            return true;
        }
    return node_refuse(node, "\"any\", \"sandbox\" or \"plain\"");
}

/* ---- the whole ------------------------------------------------------------------------------------------- */

/* A null is equivalent to a missing member. */
static struct node member_or(const struct node *root, const char *key, json_t *otherwise) {
    json_t *value = json_object_get(root->value, key);
    if (!value || json_is_null(value))
        json_object_set(root->value, key, otherwise);
    json_decref(otherwise);
    return node_member(root, key);
}

static bool read_members(struct job *job, const struct node *root) {
    static const char *const keys[] = {"program",   "objects", "root",        "tools",       "options",
                                       "arguments", "input",   "files",       "environment", "limits",
                                       "isolation", "repeat",  "check_output"};
    bool good = node_is_object(root, keys, COUNT(keys));
    if (!json_is_object(root->value))
        return false;
    if (!node_needs(root, "program") | !node_needs(root, "tools"))
        return false;
    struct node program = node_member(root, "program"), tools = node_member(root, "tools");
    good &= read_job_program(job, &program);
    good &= read_job_tools(&tools);
    struct node objects = member_or(root, "objects", json_null());
    if (!json_is_null(objects.value))
        good &= node_text(&objects, &job->objects) && any_text(&objects);
    struct node folder = member_or(root, "root", json_null());
    if (!json_is_null(folder.value))
        good &= node_text(&folder, &job->root) && any_text(&folder);
    struct node options = member_or(root, "options", json_array());
    good &= read_options(&options);
    struct node arguments = member_or(root, "arguments", json_array());
    good &= read_job_texts(&arguments);
    struct node input = member_or(root, "input", json_null());
    if (!json_is_null(input.value))
        good &= read_file_keys(&input, file_keys, COUNT(file_keys));
    struct node files = member_or(root, "files", json_array());
    good &= read_job_files(&files);
    struct node environment = member_or(root, "environment", json_object());
    good &= read_job_environment(&environment);
    struct node limits = member_or(root, "limits", json_object());
    good &= read_job_limits(&job->limits, &limits);
    struct node isolation = member_or(root, "isolation", json_string(job_isolation_words[JOB_ANY]));
    good &= read_job_isolation(job, &isolation);
    struct node repeat = member_or(root, "repeat", json_integer(0));
    good &= node_integer(&repeat, 0, MOST_REPEATS, &job->repeat);
    struct node check = member_or(root, "check_output", json_false());
    good &= json_is_boolean(check.value) || node_refuse(&check, "true or false");
    job->check_output = json_is_true(check.value);
    return good;
}

/* Positions of errors are found by counting members, so members are added only if there were no errors. */
static bool read_document(struct job *job) {
    struct node root = document_root(&job->document);
    if (!read_members(job, &root))
        return false;
    make_path_absolute(root.value, "root");
    job->root = json_string_value(json_object_get(root.value, "root"));
    job->given = json_incref(root.value);
    job->input = json_string_value(json_object_get(json_object_get(root.value, "input"), "path"));
    job->program = json_string_value(json_object_get(json_object_get(root.value, "program"), "path"));
    return true;
}

static void begin_job(struct job *job, struct diagnostics *diagnostics) {
    *job = (struct job){.limits = {300, 2048, 64, 4096, 8192, 256}, .diagnostics = diagnostics};
}

bool job_read(struct job *job, const char *path, struct diagnostics *diagnostics) {
    begin_job(job, diagnostics);
    return document_open(&job->document, strcmp(path, "-") == 0 ? "/dev/stdin" : path, diagnostics) &&
           read_document(job);
}

bool job_read_text(struct job *job, const char *name, const char *text, struct diagnostics *diagnostics) {
    begin_job(job, diagnostics);
    return document_read(&job->document, name, text, strlen(text), diagnostics) && read_document(job);
}

const char *job_root(const struct job *job) {
    return job->root ? job->root : machine_of_program(job->program)->sysroot;
}

void job_close(struct job *job) {
    json_decref(job->given);
    json_decref(job->canonical);
    json_decref(job->tools);
    free(job->version);
    free(job->build);
    free(job->emulator);
    document_close(&job->document);
}
