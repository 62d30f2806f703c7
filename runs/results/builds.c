/* builds.c: the procedures of the programs that results belong to. A program is found by the digest in its
   results: among the files that were named, at its path in run.json, or under its name. Requires atomc,
   which lists procedures. */
#include <stdlib.h>
#include <string.h>

#include "runs/job/job.h"
#include "runs/results/results.h"

struct build {
    const char *path;
    const char *objects, *root; /* options of the instrumentation; NULL: no options; the default */
};

static bool is_build(const char *path, const char *digest) {
    char found[JOB_DIGEST + 1];
    uint64_t bytes;
    return file_digest(path, found, &bytes) && strcmp(found, digest) == 0;
}

/* The run.json of the folder that is the input or contains it. */
static json_t *record_of(struct arena *arena, const char *input) {
    enum { MOST_ABOVE = 3 }; /* RUN/out/PROCESS/TOOL.NUMBER.rows */
    const char *folder = input;
    json_t *record = NULL;
    for (int above = 0; above <= MOST_ABOVE && !record; above++) {
        record = json_load_file(arena_format(arena, "%s/run.json", folder), 0, NULL);
        const char *slash = strrchr(folder, '/');
        folder = slash ? arena_string(arena, folder, (size_t)(slash - folder)) : ".";
    }
    return record;
}

static const char *kept_text(struct arena *arena, const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? arena_string(arena, text, strlen(text)) : NULL;
}

static bool find_program_build(const struct request *request, const char *input, const char *name,
                               const char *digest, struct build *build) {
    json_t *record = record_of(request->arena, input), *request_of = json_object_get(record, "job");
    *build = (struct build){kept_text(request->arena, json_object_get(record, "program"), "path"),
                            kept_text(request->arena, request_of, "objects"),
                            kept_text(request->arena, request_of, "root")};
    json_decref(record);
    if (build->path && is_build(build->path, digest))
        return true;
    for (uint32_t i = 0; i < request->program_count; i++)
        if (is_build(build->path = request->programs[i], digest))
            return true;
    build->path = name;
    return *name && is_build(name, digest);
}

/* A dump of the build as JSON Lines; NULL: atomc cannot make it. */
static char *dump_build(const struct build *build, const char *what) {
    struct command command = {NULL, 0, 0};
    int status = 0;
    command_add(&command, "%s", atomc_beside());
    command_add(&command, "--json");
    command_add(&command, "--dump=%s", what);
    if (build->objects)
        command_add(&command, "--objects=%s", build->objects);
    if (build->root)
        command_add(&command, "--root=%s", build->root);
    command_add(&command, "%s%s", *build->path == '-' ? "./" : "", build->path);
    char *text = command_output(&command, &status);
    command_forget(&command);
    if (!text || status == 0)
        return text;
    free(text);
    return NULL;
}

/* The next line of the dump that is not a diagnostic; NULL: there is none. */
static json_t *next_dump_line(const char **text) {
    while (**text) {
        size_t length = strcspn(*text, "\n");
        json_t *line = json_loadb(*text, length, 0, NULL);
        *text += length + ((*text)[length] == '\n');
        if (line && !json_object_get(line, "diagnostic"))
            return line;
        json_decref(line);
    }
    return NULL;
}

/* The names of its objects by number, that of the program itself is "". */
static json_t *object_names(const struct build *build) {
    json_t *names = json_array(), *line;
    char *text = build->objects && strcmp(build->objects, "main") != 0 ? dump_build(build, "program") : NULL;
    const char *at = text ? text : "";
    while ((line = next_dump_line(&at))) {
        json_array_append(names, json_object_get(line, "name"));
        json_decref(line);
    }
    if (json_array_size(names) == 0)
        json_array_append_new(names, json_string(""));
    json_array_set_new(names, 0, json_string(""));
    free(text);
    return names;
}

bool read_build(const struct request *request, const char *input, const char *name, const char *digest,
                struct code *code) {
    struct build build;
    char *text =
        find_program_build(request, input, name, digest, &build) ? dump_build(&build, "procedures") : NULL;
    if (!text)
        return false;
    json_t *names = object_names(&build), *line;
    const char *at = text;
    while ((line = next_dump_line(&at))) {
        const char *pc = json_string_value(json_object_get(line, "pc"));
        const char *procedure = kept_text(request->arena, line, "name"),
                   *file = kept_text(request->arena, line, "file"),
                   *shape = kept_text(request->arena, line, "shape");
        const json_t *number = json_object_get(line, "object");
        const char *of = json_string_value(json_array_get(names, (size_t)json_integer_value(number)));
        if (pc && procedure && shape) {
            ARENA_RESERVE(request->arena, code->list, code->count, code->capacity);
            code->list[code->count++] =
                (struct code_procedure){.pc = strtoull(pc, NULL, 16),
                                        .size = (uint64_t)json_integer_value(json_object_get(line, "size")),
                                        .object = of ? arena_string(request->arena, of, strlen(of)) : "",
                                        .name = procedure,
                                        .file = file ? file : "",
                                        .shape = shape};
        }
        json_decref(line);
    }
    json_decref(names);
    free(text);
    return true;
}
