/* key.c: the identity of runs: a digest of all inputs that can change their counts. Digests of files replace
   their paths. Requires a job that was read, atomc, and the emulator. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runs/job/job.h"

bool file_digest(const char *path, char digest[JOB_DIGEST + 1], uint64_t *bytes) {
    SHA2_CTX state;
    uint8_t piece[65536];
    ssize_t got;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    *bytes = 0;
    SHA256Init(&state);
    while ((got = read(file, piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR)) {
        if (got < 0)
            continue;
        SHA256Update(&state, piece, (size_t)got);
        *bytes += (uint64_t)got;
    }
    int error = errno;
    close(file);
    errno = error;
    SHA256End(&state, digest);
    return got == 0;
}

/* The same, but a job with a memory reads each file one time. */
static bool known_digest(const struct job *job, const char *path, char digest[JOB_DIGEST + 1]) {
    uint64_t bytes;
    const char *known = job->memory ? json_string_value(json_object_get(job->memory->digests, path)) : NULL;
    if (known) {
        memcpy(digest, known, JOB_DIGEST + 1);
        return true;
    }
    bool good = file_digest(path, digest, &bytes);
    if (good && job->memory)
        json_object_set_new(job->memory->digests, path, json_string(digest));
    return good;
}

/* The same for a command's output. NULL: it cannot be started. */
static char *known_output(const struct job *job, const struct command *command, int *status) {
    if (!job->memory)
        return command_output(command, status);
    char *words = command_text(command, NULL), *text;
    const char *known = json_string_value(json_object_get(job->memory->said, words));
    *status = 0;
    if (known) {
        text = duplicate_string(known);
    } else {
        text = command_output(command, status);
        if (text && *status == 0)
            json_object_set_new(job->memory->said, words, json_string(text));
    }
    free(words);
    return text;
}

/* Puts "sha256" into the object of a file. */
static bool add_digest(const struct job *job, const struct node *file) {
    char digest[JOB_DIGEST + 1];
    const char *path = json_string_value(json_object_get(file->value, "path"));
    struct node at = node_member(file, "path"), given = node_member(file, "sha256");
    if (!known_digest(job, path, digest)) {
        struct source_span where = node_span(&at);
        diagnose(job->diagnostics, &where, MESSAGE_CANNOT_READ, path, strerror(errno));
        return false;
    }
    if (given.value && strcmp(json_string_value(given.value), digest) != 0) {
        struct source_span where = node_span(&given);
        diagnose(job->diagnostics, &where, MESSAGE_JOB_CHANGED, path);
        diagnose_hint(job->diagnostics, "its digest is now %s", digest);
        return false;
    }
    json_object_set_new(file->value, "sha256", json_string(digest));
    return true;
}

static bool add_digests(const struct job *job, const struct node *list) {
    bool good = true;
    for (size_t i = 0; i < json_array_size(list->value); i++) {
        struct node file = node_element(list, i);
        good &= add_digest(job, &file);
    }
    return good;
}

/* ---- tools ----------------------------------------------------------------------------------------------- */

static json_t *ask_atomc(const struct job *job, const struct command *command, int *status) {
    char *text = known_output(job, command, status);
    json_t *answer =
        text ? json_loads(text, JSON_DISABLE_EOF_CHECK, NULL) : NULL; /* the first line of several */
    free(text);
    return answer;
}

/* Reports atomc's message about a tool that cannot be read. */
static void report_answer(const struct job *job, const struct node *tool, json_t *answer) {
    struct source_span where = node_span(tool);
    json_t *diagnostic;
    size_t i;
    bool any = false;
    json_array_foreach(json_object_get(answer, "diagnostics"), i, diagnostic) {
        const char *text = json_string_value(json_object_get(diagnostic, "message")),
                   *hint = json_string_value(json_object_get(diagnostic, "hint")),
                   *file = json_string_value(json_object_get(diagnostic, "file"));
        if (!text || any)
            continue;
        char *message =
            file ? format_string("%s:%d: %s", file,
                                 (int)json_integer_value(json_object_get(diagnostic, "line")), text)
                 : duplicate_string(text);
        diagnose(job->diagnostics, &where, MESSAGE_USAGE, message);
        if (hint)
            diagnose_hint(job->diagnostics, "%s", hint);
        free(message);
        any = true;
    }
    if (!any)
        diagnose(job->diagnostics, &where, MESSAGE_CANNOT_EXECUTE, atomc_beside(),
                 "it says nothing of the tool");
}

/* `tool`: {"name" or "path", "code"}; `where`: its position in the document. */
static json_t *about_tool(const struct job *job, const json_t *tool, const struct node *where) {
    struct command command = {NULL, 0, 0};
    const char *name = json_string_value(json_object_get(tool, "name"));
    json_t *file;
    size_t i;
    int status = 0;
    command_add(&command, "%s", atomc_beside());
    command_add(&command, "--json");
    command_add(&command, "--help");
    if (name)
        command_add(&command, "--tool=%s", name);
    else
        command_add(&command, "%s", json_string_value(json_object_get(tool, "path")));
    json_array_foreach(json_object_get(tool, "code"), i, file)
        command_add(&command, "%s", json_string_value(json_object_get(file, "path")));
    json_t *answer = ask_atomc(job, &command, &status),
           *about = json_incref(json_array_get(json_object_get(answer, "tools"), 0));
    command_forget(&command);
    if (!json_is_string(json_object_get(about, "digest"))) {
        report_answer(job, where, answer);
        json_decref(about);
        about = NULL;
    }
    json_decref(answer);
    return about;
}

static const char *json_type_name(const json_t *value) {
    return json_is_integer(value) ? "int" : json_is_boolean(value) ? "boolean" : "string";
}

static bool check_json_type(const struct node *value, const char *type) {
    return strcmp(type, json_type_name(value->value)) == 0 ||
           node_refuse(value, strcmp(type, "int") == 0       ? "an integer"
                              : strcmp(type, "boolean") == 0 ? "true or false"
                                                             : "a text");
}

/* Checks a parameter's value, or, with `lists`, a list of values. */
static bool check_values(const struct node *value, const char *type, bool lists) {
    bool good = true;
    if (!lists || !json_is_array(value->value))
        return check_json_type(value, type);
    for (size_t i = 0; i < json_array_size(value->value); i++) {
        struct node element = node_element(value, i);
        good &= check_json_type(&element, type);
    }
    return good;
}

static bool check_job_parameter(const struct node *parameters, const char *name, const json_t *list,
                                bool lists) {
    struct node value = node_member(parameters, name);
    const char **names = allocate(json_array_size(list) * sizeof *names + 1);
    json_t *parameter;
    size_t i;
    bool known = false, good = true;
    json_array_foreach(list, i, parameter) {
        names[i] = json_string_value(json_object_get(parameter, "name"));
        if (strcmp(names[i], name) != 0)
            continue;
        known = true;
        good = check_values(&value, json_string_value(json_object_get(parameter, "type")), lists);
    }
    if (!known) {
        struct source_span where = node_key_span(&value);
        const char *nearest = nearest_name(name, names, json_array_size(list));
        diagnose(value.document->diagnostics, &where, MESSAGE_JSON_UNKNOWN_KEY, name);
        if (nearest)
            diagnose_hint(value.document->diagnostics, "did you mean '%s'?", nearest);
    }
    free(names);
    return good && known;
}

static bool check_parameters(const struct node *parameters, const json_t *about, bool lists) {
    bool good = true;
    for (void *at = json_object_iter(parameters->value); at;
         at = json_object_iter_next(parameters->value, at))
        good &= check_job_parameter(parameters, json_object_iter_key(at),
                                    json_object_get(about, "parameters"), lists);
    return good;
}

bool job_check_tool(struct job_memory *memory, const json_t *tool, const struct node *where) {
    struct job job = {.memory = memory, .diagnostics = where->document->diagnostics};
    struct node parameters = node_member(where, "parameters");
    json_t *about = about_tool(&job, tool, where);
    bool good = about && check_parameters(&parameters, about, true);
    json_decref(about);
    return good;
}

/* The description of a tool for the run's record: its parameters, including defaults. */
static json_t *tool_record(json_t *about, const json_t *given) {
    json_t *tool = json_object(), *list = json_array(), *parameter;
    size_t i;
    static const char *const kept[] = {"name", "path", "description", "digest"};
    const char *package = json_string_value(json_object_get(about, "package"));
    json_object_set_new(tool, "package", json_string(package ? package : ""));
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        json_object_set(tool, kept[k], json_object_get(about, kept[k]));
    json_array_foreach(json_object_get(about, "parameters"), i, parameter) {
        json_t *name = json_object_get(parameter, "name"),
               *value = json_object_get(given, json_string_value(name)), *object = json_object();
        json_object_set(object, "name", name);
        json_object_set(object, "value", value ? value : json_object_get(parameter, "default"));
        json_object_set_new(object, "given", json_boolean(value != NULL));
        json_array_append_new(list, object);
    }
    json_object_set_new(tool, "parameters", list);
    return tool;
}

/* If the job does not name the objects to instrument, its tools determine them. */
static void choose_job_objects(struct job *job, const char *needed) {
    if (!job->objects)
        json_object_set_new(job->given, "objects", json_text(needed ? needed : "main"));
    job->objects = json_string_value(json_object_get(job->given, "objects"));
    job->needs_objects = needed;
}

static bool add_tools(struct job *job, const struct node *tools) {
    bool good = true;
    char *needed = NULL;
    job->tools = json_array();
    for (size_t i = 0; i < json_array_size(tools->value); i++) {
        struct node tool = node_element(tools, i), code = node_member(&tool, "code"),
                    parameters = node_member(&tool, "parameters");
        json_t *about = NULL;
        good &= add_digests(job, &code);
        if (!(about = about_tool(job, tool.value, &tool))) {
            good = false;
            continue;
        }
        good &= check_parameters(&parameters, about, false);
        json_array_append_new(job->tools, tool_record(about, parameters.value));
        const char *objects = json_string_value(json_object_get(about, "objects"));
        if (objects) {
            char *more = format_string("%s,%s", needed ? needed : "main", objects);
            free(needed);
            needed = more;
        }
        json_decref(about);
    }
    choose_job_objects(job, needed);
    free(needed);
    return good;
}

/* ---- the canonical form ---------------------------------------------------------------------------------- */

static json_t *digest_of_file(const json_t *file) {
    return json_incref(json_object_get(file, "sha256"));
}

static json_t *canonical_tools(const struct job *job) {
    json_t *list = json_array(), *tool, *parameter;
    size_t i, k;
    json_array_foreach(job->tools, i, tool) {
        json_t *object = json_object(), *parameters = json_object();
        json_object_set(object, "name", json_object_get(tool, "name"));
        json_object_set(object, "digest", json_object_get(tool, "digest"));
        json_array_foreach(json_object_get(tool, "parameters"), k, parameter)
            json_object_set(parameters, json_string_value(json_object_get(parameter, "name")),
                            json_object_get(parameter, "value"));
        json_object_set_new(object, "parameters", parameters);
        json_array_append_new(list, object);
    }
    return list;
}

/* Profiles are files. */
static bool canonical_options(const struct job *job, json_t **list) {
    static const char profile[] = "--profile=";
    json_t *option;
    size_t i;
    char digest[JOB_DIGEST + 1];
    *list = json_array();
    json_array_foreach(json_object_get(job->given, "options"), i, option) {
        const char *text = json_string_value(option);
        if (strncmp(text, profile, sizeof profile - 1) != 0) {
            json_array_append(*list, option);
            continue;
        }
        if (!known_digest(job, text + sizeof profile - 1, digest)) {
            diagnose(job->diagnostics, NULL, MESSAGE_CANNOT_READ, text + sizeof profile - 1, strerror(errno));
            return false;
        }
        json_array_append_new(*list, json_sprintf("%s%s", profile, digest));
    }
    return true;
}

/* Adds the libraries that the dynamic linker will load, by their contents; null: the library is not in the
   root folder, but may be among the job's files. Returns false if atomc cannot read the program, which is
   reported when it is instrumented.
 */
static bool add_libraries(const struct job *job, json_t *canonical) {
    struct command command = {NULL, 0, 0};
    int status = 0;
    size_t i;
    json_t *libraries = json_array(), *library;
    command_add(&command, "%s", atomc_beside());
    command_add(&command, "--json");
    command_add(&command, "--dump=program");
    command_add(&command, "--root=%s", job_root(job));
    command_add(&command, "%s", job->program);
    json_t *answer = ask_atomc(job, &command, &status);
    bool good = true;
    json_array_foreach(json_object_get(answer, "loaded"), i, library) {
        const char *path = json_string_value(json_object_get(library, "path"));
        char digest[JOB_DIGEST + 1];
        if (path && !known_digest(job, path, digest)) {
            diagnose(job->diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
            good = false;
        }
        json_t *object = json_object();
        json_object_set(object, "name", json_object_get(library, "name"));
        json_object_set_new(object, "sha256", path ? json_string(digest) : json_null());
        json_array_append_new(libraries, object);
    }
    json_object_set_new(canonical, "libraries", libraries);
    json_decref(answer);
    command_forget(&command);
    return good;
}

/* Libraries that the program opens itself are named by their paths. */
static bool canonical_objects(const struct job *job, json_t *canonical) {
    json_t *list = json_array();
    bool good = true;
    for (const char *at = job->objects; *at && good;) {
        size_t length = strcspn(at, ",");
        char *word = format_string("%.*s", (int)length, at), digest[JOB_DIGEST + 1];
        good = !strchr(word, '/') || known_digest(job, word, digest);
        if (!good)
            diagnose(job->diagnostics, NULL, MESSAGE_CANNOT_READ, word, strerror(errno));
        json_array_append_new(list, json_text(good && strchr(word, '/') ? digest : word));
        free(word);
        at += length + (at[length] == ',');
    }
    json_object_set_new(canonical, "objects", list);
    return good;
}

static bool make_canonical(struct job *job) {
    static const char *const kept[] = {"arguments", "environment", "isolation"};
    json_t *canonical = json_object(), *program = json_object(), *files = json_array(), *file, *options,
           *given = json_object_get(job->given, "program"), *input = json_object_get(job->given, "input");
    size_t i;
    job->canonical = canonical;
    json_object_set_new(canonical, "job", json_integer(1));
    json_object_set(program, "name", json_object_get(given, "name"));
    json_object_set_new(program, "sha256", digest_of_file(given));
    json_object_set_new(canonical, "program", program);
    json_object_set_new(canonical, "tools", canonical_tools(job));
    json_object_set_new(canonical, "input", json_is_null(input) ? json_null() : digest_of_file(input));
    json_array_foreach(json_object_get(job->given, "files"), i, file) {
        json_t *object = json_object();
        json_object_set(object, "as", json_object_get(file, "as"));
        json_object_set_new(object, "sha256", digest_of_file(file));
        json_array_append_new(files, object);
    }
    json_object_set_new(canonical, "files", files);
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        json_object_set(canonical, kept[k], json_object_get(job->given, kept[k]));
    json_object_set_new(canonical, "atomc", json_string(job->build));
    json_object_set_new(canonical, "emulator", json_text(job->emulator));
    bool good = canonical_options(job, &options);
    good &= canonical_objects(job, canonical) && add_libraries(job, canonical);
    json_object_set_new(canonical, "options", options);
    return good;
}

/* ---- versions -------------------------------------------------------------------------------------------- */

static bool ask_versions(struct job *job) {
    struct command atomc = {NULL, 0, 0}, emulator = {NULL, 0, 0};
    int status = 0;
    command_add(&atomc, "%s", atomc_beside());
    command_add(&atomc, "--version");
    command_add(&atomc, "--json");
    json_t *answer = ask_atomc(job, &atomc, &status);
    const char *version = json_string_value(json_object_get(answer, "version")),
               *build = json_string_value(json_object_get(answer, "build"));
    if (version && build) {
        job->version = duplicate_string(version);
        job->build = duplicate_string(build);
    } else {
        diagnose(job->diagnostics, NULL, MESSAGE_CANNOT_EXECUTE, atomc_beside(),
                 "it does not say its version");
    }
    json_decref(answer);
    command_forget(&atomc);
    command_add_emulator(&emulator, machine_of_program(job->program));
    command_add(&emulator, "--version");
    job->emulator = known_output(job, &emulator, &status);
    if (job->emulator && *job->emulator && status == 0)
        job->emulator[strcspn(job->emulator, "\n")] = '\0';
    else
        diagnose(job->diagnostics, NULL, MESSAGE_NO_EMULATOR, emulator.words[0]);
    bool good = job->build && job->emulator && *job->emulator && status == 0;
    command_forget(&emulator);
    return good;
}

bool job_find_key(struct job *job) {
    struct node root = document_root(&job->document), program = node_member(&root, "program"),
                input = node_member(&root, "input"), files = node_member(&root, "files"),
                tools = node_member(&root, "tools");
    bool good = add_digest(job, &program);
    good &= json_is_null(input.value) || add_digest(job, &input);
    good &= add_digests(job, &files);
    good = good && ask_versions(job) && add_tools(job, &tools) && make_canonical(job);
    if (!good)
        return false;
    char *text = json_dumps(job->canonical, JSON_COMPACT | JSON_SORT_KEYS);
    SHA256Data((const uint8_t *)text, strlen(text), job->key);
    free(text);
    return true;
}
