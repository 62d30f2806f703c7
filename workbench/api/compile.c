/* compile.c: POST /compile: a program from sources as a page has them, perhaps changed; GET /source: such
   sources. Sources and programs are in the folder compiled/ of the project, in a folder for each text, so
   that each program keeps the sources that its debug information names. Files of the user are never changed.
 */
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "support/json.h"
#include "workbench/project/source_files.h"
#include "workbench/server/server.h"

enum {
    LONGEST_NAME = 100,
    MOST_OPTIONS = 40,
    DIGEST_LETTERS = 12,
    COMPILE_SECONDS = 60,
    SEVERAL_SECONDS = 300
};

/* Options that choose what code is made, or the libraries. Others name files that GCC would write, or
   programs that it would run. */
static bool is_harmless(const char *option) {
    static const char harmless[] =
        "^(-O([0-3sgz]|fast)?|-g[0-3]?|-std=[a-z0-9+]+|-static|-static-pie|-pie|-no-pie|-pthread|-s|-ansi|"
        "-W[a-z][a-z0-9=+-]*|-w|-m[a-z][a-z0-9=.-]*|-f[a-z][a-z0-9-]*|-[DU][A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-"
        "9_.+-]*)?|"
        "-l[A-Za-z0-9_+.-]+|-I[A-Za-z0-9_][A-Za-z0-9_+./-]*|-Wl,--no-relax|-Wl,--relax)$";
    static const char writes[] = "^-f(plugin|dump|profile|test-coverage|callgraph|save|opt-info|stack-usage|"
                                 "branch-probabilities|auto-profile|lto|wpa|ltrans)";
    regex_t pattern;
    bool good = false;
    if (regcomp(&pattern, harmless, REG_EXTENDED | REG_NOSUB) == 0) {
        good = regexec(&pattern, option, 0, NULL, 0) == 0;
        regfree(&pattern);
    }
    if (good && regcomp(&pattern, writes, REG_EXTENDED | REG_NOSUB) == 0) {
        good = regexec(&pattern, option, 0, NULL, 0) != 0;
        regfree(&pattern);
    }
    return good && !strstr(option, "..");
}

struct compilation {
    const char *name; /* of the only source, or of a program of several */
    json_t *files;    /* texts by name */
    bool is_several;
    const json_t *without; /* names of sources that are not compiled */
    const char *compiler;  /* front end of GCC */
    const char *folder;    /* the folder of the only source's headers; NULL: none */
    const struct machine_names *machine;
    json_t *options;
    const char *place;   /* folder of the sources and their programs */
    const char *sources; /* folder of the sources: in `place`, if there are several */
    const char *program; /* path */
    const char *made;    /* name of the program in `place` */
};

static bool options_allowed(struct answer *answer, const json_t *options) {
    size_t number;
    json_t *option;
    if (json_array_size(options) > MOST_OPTIONS) {
        answer_error(answer, 400, NULL, "more than %d options", MOST_OPTIONS);
        return false;
    }
    json_array_foreach(options, number, option) if (!is_harmless(json_string_value(option))) {
        answer_error(answer, 400, "options that choose the code and libraries: -O2, -g, -fno-inline, -lm",
                     "the option '%s' cannot be given here", json_string_value(option));
        answer_where(answer, json_pack("{s:s, s:i}", "field", "options", "index", (int)number));
        return false;
    }
    return true;
}

/* A folder from which the source's own headers are read: it must be allowed. */
static bool folder_allowed(struct request *request, struct answer *answer, const char *folder) {
    int descriptor = folder ? path_open(request->project, folder, O_RDONLY | O_DIRECTORY) : -1;
    if (folder && descriptor < 0) {
        answer_error(answer, 400, errno == EXDEV ? "atomc workbench --allow=FOLDER" : NULL, "%s: %s", folder,
                     errno == EXDEV ? "it is outside of the folders that may be read" : strerror(errno));
        return false;
    }
    if (descriptor >= 0)
        close(descriptor);
    return true;
}

static bool refuse_source_name(struct answer *answer, const char *field, const char *name) {
    answer_error(answer, 400, "names end with .c, .cc, .cpp, .cxx, .C, .f, .f90, .f95 or .F90",
                 "'%s' is no name of a source", name);
    answer_where(answer, json_pack("{s:s}", "field", field));
    return false;
}

/* Texts of "files": {NAME: TEXT}. */
static bool files_allowed(struct answer *answer, json_t *files) {
    const char *name;
    json_t *text;
    size_t bytes = 0;
    json_object_foreach(files, name, text) {
        if (!is_source_name(name))
            return refuse_source_name(answer, "files", name);
        if (!json_is_string(text) || strlen(json_string_value(text)) != json_string_length(text)) {
            answer_error(answer, 400, NULL, "files: the text of '%s' is no text", name);
            return false;
        }
        bytes += json_string_length(text);
    }
    if (json_object_size(files) <= MOST_SOURCES && bytes <= MOST_SOURCE_BYTES)
        return true;
    answer_error(answer, 400, NULL, "more than %d files, or more than 900 kB", MOST_SOURCES);
    return false;
}

static bool is_compiled_name(const struct compilation *compilation, const char *name) {
    size_t number;
    json_t *other;
    json_array_foreach((json_t *)(uintptr_t)compilation->without, number,
                       other) if (strcmp(json_string_value(other), name) == 0) return false;
    return compiler_of_source(name) != NULL;
}

/* The front end for the sources that are compiled; NULL: there is none. */
static const char *compiler_needed(const struct compilation *compilation) {
    json_t *compiled = json_object(), *text;
    const char *name;
    json_object_foreach(compilation->files, name, text) if (is_compiled_name(compilation, name))
        json_object_set(compiled, name, text);
    const char *compiler = compiler_of_sources(compiled);
    json_decref(compiled);
    return compiler;
}

/* "text" and "name" of one source, or "files" and the program's "name"; the object of files is the body's or
   is kept in it. */
static bool read_files(struct request *request, struct answer *answer, struct compilation *compilation) {
    const char *text = request_text(request, "text"), *name = request_text(request, "name");
    json_t *files = json_object_get(request->body, "files");
    compilation->name = name;
    compilation->is_several = json_is_object(files);
    if (compilation->is_several == (text != NULL)) {
        answer_error(answer, 400, NULL, "either text or files");
        return false;
    }
    if (!is_source_word(name) || (text && !compiler_of_source(name)))
        return refuse_source_name(answer, "name", name);
    if (text) {
        files = json_pack("{s:s}", name, text);
        json_object_set_new(request->body, "files", files);
    }
    compilation->files = files;
    compilation->compiler = compiler_needed(compilation);
    if (!files_allowed(answer, files))
        return false;
    if (!compilation->compiler)
        answer_error(answer, 400, NULL, "there is no source to be compiled");
    return compilation->compiler != NULL;
}

/* "machine": its name; the usual one if there is none. */
static bool read_machine(struct request *request, struct answer *answer, struct compilation *compilation) {
    const char *name = request_text(request, "machine");
    compilation->machine = usual_machine();
    for (size_t i = 0; name && (compilation->machine = supported_machine(i)); i++)
        if (strcmp(compilation->machine->name, name) == 0)
            break;
    if (compilation->machine)
        return true;
    answer_error(answer, 400, NULL, "'%s' is no machine that atomc knows", name);
    answer_where(answer, json_pack("{s:s}", "field", "machine"));
    return false;
}

static bool read_compilation(struct request *request, struct answer *answer,
                             struct compilation *compilation) {
    static const struct field fields[] = {{"text", FIELD_TEXT, false},    {"name", FIELD_TEXT, true},
                                          {"folder", FIELD_TEXT, false},  {"options", FIELD_TEXTS, false},
                                          {"files", FIELD_OBJECT, false}, {"without", FIELD_TEXTS, false},
                                          {"machine", FIELD_TEXT, false}};
    if (!request_fields(request, answer, fields, sizeof fields / sizeof *fields))
        return false;
    *compilation = (struct compilation){.folder = request_text(request, "folder"),
                                        .without = json_object_get(request->body, "without"),
                                        .options = json_object_get(request->body, "options")};
    return read_files(request, answer, compilation) && read_machine(request, answer, compilation) &&
           options_allowed(answer, compilation->options) &&
           folder_allowed(request, answer, compilation->folder);
}

/* A name that differs if the sources do. */
static const char *digest_of(struct request *request, const struct compilation *compilation) {
    char *digest = arena_allocate(request->arena, SHA256_DIGEST_STRING_LENGTH), *all = NULL;
    if (compilation->is_several) {
        json_t *both = json_pack("[O, O?]", compilation->files, (json_t *)(uintptr_t)compilation->without);
        all = json_dumps(both, JSON_SORT_KEYS | JSON_COMPACT);
        json_decref(both);
    }
    const char *text = all ? all : json_string_value(json_object_get(compilation->files, compilation->name));
    SHA2_CTX state;
    SHA256Init(&state);
    SHA256Update(&state, (const uint8_t *)compilation->name, strlen(compilation->name) + 1);
    SHA256Update(&state, (const uint8_t *)text, strlen(text));
    SHA256End(&state, digest);
    free(all);
    return digest;
}

/* It has the machine, unless that is the usual one, and the options but -g. */
static const char *program_name(struct request *request, const struct compilation *compilation) {
    const char *dot = compilation->is_several ? NULL : strrchr(compilation->name, '.');
    const char *made =
        dot ? arena_string(request->arena, compilation->name, (size_t)(dot - compilation->name))
            : compilation->name;
    const char *begin = made;
    size_t number;
    json_t *word;
    if (compilation->machine != usual_machine())
        made = arena_format(request->arena, "%s-%s", made, compilation->machine->short_name);
    json_array_foreach(compilation->options, number, word) {
        const char *option = json_string_value(word);
        if (strcmp(option, "-g") != 0)
            made = arena_format(request->arena, "%s%s", made, option);
    }
    size_t length = strcspn(made, "/");
    if (made[length] || length > 2 * LONGEST_NAME) { /* the digest tells them apart */
        char of_options[SHA256_DIGEST_STRING_LENGTH];
        SHA256Data((const uint8_t *)made, strlen(made), of_options);
        made = arena_format(request->arena, "%.*s-%.*s", (int)(length < LONGEST_NAME ? length : LONGEST_NAME),
                            made, DIGEST_LETTERS, of_options);
    }
    return compilation->is_several && made == begin ? arena_format(request->arena, "%s.program", made) : made;
}

/* compiled/DIGEST/NAME.c, or compiled/DIGEST/NAME/ with several; compiled/DIGEST/NAME-O2 for the option -O2.
 */
static void choose_places(struct request *request, struct compilation *compilation) {
    compilation->place = arena_format(request->arena, "%s/compiled/%.*s", project_folder(request->project),
                                      DIGEST_LETTERS, digest_of(request, compilation));
    compilation->sources = compilation->is_several
                               ? arena_format(request->arena, "%s/%s", compilation->place, compilation->name)
                               : compilation->place;
    compilation->made = program_name(request, compilation);
    compilation->program = arena_format(request->arena, "%s/%s", compilation->place, compilation->made);
}

/* The folder below the project; symbolic links are not followed. -1 and errno. */
static int open_place(struct request *request, const struct compilation *compilation) {
    const char *name = strrchr(compilation->place, '/') + 1;
    const char *above = arena_format(request->arena, "%s/compiled", project_folder(request->project));
    if (mkdir(above, 0777) != 0 && errno != EEXIST)
        return -1;
    int folder = open(above, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), inner = -1;
    if (folder >= 0 && (mkdirat(folder, name, 0777) == 0 || errno == EEXIST))
        inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int error = errno;
    if (folder >= 0)
        close(folder);
    errno = error;
    return inner;
}

/* Those of several sources are in a folder of their own, whose name is the program's. */
static bool write_sources(struct request *request, int place, const struct compilation *compilation) {
    int folder = place;
    if (compilation->is_several)
        folder = mkdirat(place, compilation->name, 0777) == 0 || errno == EEXIST
                     ? openat(place, compilation->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                     : -1;
    bool good = folder >= 0 && source_files_write(request->arena, folder, compilation->files);
    int error = errno;
    if (folder >= 0 && folder != place)
        close(folder);
    errno = error;
    return good;
}

struct words {
    const char **words;
    size_t count;
};
static void put_word(struct words *words, const char *word) {
    words->words[words->count++] = word;
}

/* Headers are found from any folder: "list.h" in each that has some, <list.h> in those named include. */
static void add_folders(struct request *request, struct words *words, const struct compilation *compilation) {
    if (compilation->folder) {
        put_word(words, "-iquote");
        put_word(words, compilation->folder);
    }
    if (!compilation->is_several)
        return;
    for (const char **folder = header_folders(request->arena, compilation->files); *folder; folder++) {
        const char *slash = strrchr(*folder, '/');
        bool is_include = strcmp(slash ? slash + 1 : *folder, "include") == 0;
        put_word(words, is_include ? "-I" : "-iquote");
        put_word(words,
                 arena_format(request->arena, "%s%s%s", compilation->sources, **folder ? "/" : "", *folder));
    }
}

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* g++ takes C for C++ if it is not told. Names are sorted: the linker sees them in this order. */
static void add_sources(struct request *request, struct words *words, const struct compilation *compilation) {
    size_t count = json_object_size(compilation->files), at = 0;
    const char **names = arena_allocate(request->arena, (count + 1) * sizeof *names), *name;
    json_t *text;
    bool mixed = strcmp(compilation->compiler, "g++") == 0, is_c = false;
    json_object_foreach(compilation->files, name, text) if (is_compiled_name(compilation, name)) names[at++] =
        name;
    qsort(names, at, sizeof *names, compare_texts);
    for (size_t i = 0; i < at; i++) {
        bool now = mixed && strcmp(compiler_of_source(names[i]), "gcc") == 0;
        if (now != is_c) {
            put_word(words, "-x");
            put_word(words, now ? "c" : "none");
        }
        is_c = now;
        put_word(words, arena_format(request->arena, "%s/%s", compilation->sources, names[i]));
    }
    if (is_c) {
        put_word(words, "-x");
        put_word(words, "none");
    }
}

static const char **compiler_words(struct request *request, const struct compilation *compilation,
                                   const char *output) {
    size_t count = json_array_size(compilation->options) + 5 * json_object_size(compilation->files) + 20,
           number;
    struct words words = {.words = arena_allocate(request->arena, count * sizeof *words.words)};
    bool is_static = false;
    json_t *option;
    put_word(&words,
             arena_format(request->arena, "%s-%s", compilation->machine->triple, compilation->compiler));
    put_word(&words, "-fdiagnostics-color=never");
    add_folders(request, &words, compilation);
    add_sources(request, &words, compilation);
    /* Libraries follow the sources that need them. */
    json_array_foreach(compilation->options, number, option) {
        put_word(&words, json_string_value(option));
        is_static |= strcmp(json_string_value(option), "-static") == 0;
    }
    const char *more = strchr(compilation->machine->static_options, ' '); /* after -static */
    if (is_static && more)
        put_word(&words, more + 1);
    put_word(&words, "-o");
    put_word(&words, output);
    put_word(&words, NULL);
    return words.words;
}

/* The compiler's messages name sources by the paths of their copies. */
static json_t *what_it_said(struct request *request, const struct compilation *compilation,
                            const char *errors) {
    const char *prefix = arena_format(request->arena, "%s/", compilation->sources);
    size_t length = strlen(prefix);
    char *text = arena_allocate(request->arena, strlen(errors) + 1), *end = text;
    while (*errors)
        if (strncmp(errors, prefix, length) == 0)
            errors += length;
        else
            *end++ = *errors++;
    *end = '\0';
    return json_text(text);
}

/* The compiler's command in the folder of the sources. */
static json_t *shown_command(struct request *request, const struct compilation *compilation,
                             const char **words) {
    const char *prefix = arena_format(request->arena, "%s/", compilation->sources);
    size_t length = strlen(prefix);
    json_t *shown = json_array();
    for (size_t i = 0; words[i] && words[i + 1]; i++) {
        bool below = strncmp(words[i], prefix, length) == 0,
             all = strcmp(words[i], compilation->sources) == 0;
        if (strcmp(words[i], "-fdiagnostics-color=never") != 0)
            json_array_append_new(shown, json_text(all ? "." : below ? words[i] + length : words[i]));
    }
    json_array_append_new(shown, json_text(compilation->made));
    return shown;
}

/* The path of the only source, or of the folder. */
static json_t *shown_source(struct request *request, const struct compilation *compilation) {
    const char *slash = compilation->is_several ? "" : "/",
               *name = compilation->is_several ? "" : compilation->name;
    return json_text(arena_format(request->arena, "%s%s%s", compilation->sources, slash, name));
}

static void compile(struct request *request, struct answer *answer, const struct compilation *compilation,
                    int place) {
    const char *temporary = arena_format(request->arena, ".%s.%p", compilation->made, (void *)request);
    const char *output = arena_format(request->arena, "%s/%s", compilation->place, temporary);
    const char **words = compiler_words(request, compilation, output);
    struct command command = {.words = words,
                              .folder = compilation->sources,
                              .seconds = compilation->is_several ? SEVERAL_SECONDS : COMPILE_SECONDS};
    struct command_result result;
    bool ended = command_run(request->project, &command, &result);
    bool good = ended && result.status == 0 && renameat(place, temporary, place, compilation->made) == 0;
    if (!good)
        unlinkat(place, temporary, 0);
    if (!good && (result.end == COMMAND_NOT_STARTED || result.status == 127))
        answer_error(answer, 409,
                     arena_format(request->arena, "Debian package %s-%s", compilation->compiler,
                                  compilation->machine->triple),
                     "'%s' is not installed", words[0]);
    else if (!ended)
        answer_command(answer, &command, &result);
    else
        answer_json(answer, json_pack("{s:o, s:o, s:o, s:o}", "path",
                                      good ? json_text(compilation->program) : json_null(), "source",
                                      shown_source(request, compilation), "command",
                                      shown_command(request, compilation, words), "said",
                                      what_it_said(request, compilation, result.errors)));
    command_free(&result);
}

/* Writes the sources: a descriptor of their place; -1: the request is answered. */
static int keep_sources(struct request *request, struct answer *answer, struct compilation *compilation) {
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return -1;
    }
    choose_places(request, compilation);
    int place = open_place(request, compilation);
    if (place >= 0 && write_sources(request, place, compilation))
        return place;
    answer_error(answer, 409, NULL, "%s cannot be written: %s", compilation->sources, strerror(errno));
    if (place >= 0)
        close(place);
    return -1;
}

static void post_compile(struct request *request, struct answer *answer) {
    struct compilation compilation;
    if (!read_compilation(request, answer, &compilation))
        return;
    int place = keep_sources(request, answer, &compilation);
    if (place < 0)
        return;
    compile(request, answer, &compilation, place);
    close(place);
}

/* ---- reading, and keeping what the browser has ----------------------------------------------------------- */

static void post_source(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"name", FIELD_TEXT, true}, {"files", FIELD_OBJECT, true}};
    struct compilation compilation = {.machine = usual_machine()};
    if (!request_fields(request, answer, fields, 2) || !read_files(request, answer, &compilation))
        return;
    int place = keep_sources(request, answer, &compilation);
    if (place < 0)
        return;
    close(place);
    answer_status(answer, 201);
    answer_json(answer, json_pack("{s:o}", "path", json_text(compilation.sources)));
}

/* Takes the descriptor over, as answer_several does. */
static void answer_one_source(struct request *request, struct answer *answer, const char *path,
                              int descriptor) {
    const char *slash = strrchr(path, '/'), *why, *text = source_text_read(request->arena, descriptor, &why);
    if (text)
        answer_json(answer,
                    json_pack("{s:s, s:s, s:s}", "name", slash ? slash + 1 : path, "text", text, "folder",
                              slash ? arena_string(request->arena, path, (size_t)(slash - path)) : ""));
    else
        answer_error(answer, 400, NULL, "%s: %s", path, why);
}

static void answer_several(struct request *request, struct answer *answer, const char *path, int folder) {
    json_int_t others;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    path = arena_string(request->arena, path, length);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *why;
    json_t *files = source_files_read(request->arena, folder, &others, &why);
    if (!files)
        answer_error(answer, 400, NULL, "%s: %s", path, why);
    else
        answer_json(answer, json_pack("{s:s, s:o, s:I}", "name", is_source_word(name) ? name : "program",
                                      "files", files, "others", others));
}

static void get_source_file(struct request *request, struct answer *answer) {
    const char *path = request_query(request, "path");
    struct stat status;
    if (!path || !*path) {
        answer_error(answer, 400, NULL, "path= says which source or folder");
        return;
    }
    int descriptor = path_open(request->project, path, O_RDONLY | O_NONBLOCK);
    int error = errno;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (descriptor < 0) {
        answer_error(answer, 400, error == EXDEV ? "atomc workbench --allow=FOLDER" : NULL, "%s: %s", path,
                     error == EXDEV ? "it is outside of the folders that may be read" : strerror(error));
    } else if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        answer_several(request, answer, path, descriptor);
    } else if (!is_source_word(name) || !compiler_of_source(name)) {
        close(descriptor);
        refuse_source_name(answer, "path", name);
    } else {
        answer_one_source(request, answer, path, descriptor);
    }
}

/* For whom programs can be compiled, and which names are of sources. */
static void get_compilers(struct request *request, struct answer *answer) {
    json_t *machines = json_array();
    const struct machine_names *machine;
    (void)request;
    for (size_t i = 0; (machine = supported_machine(i)); i++)
        json_array_append_new(machines, json_pack("{s:s, s:s, s:s, s:b}", "name", machine->name, "triple",
                                                  machine->triple, "static_options", machine->static_options,
                                                  "only_static", machine->only_static));
    answer_json(answer, json_pack("{s:o, s:o, s:o, s:i}", "machines", machines, "sources", source_endings(),
                                  "headers", header_endings(), "most_bytes", MOST_SOURCE_BYTES));
}

const struct route compile_routes[] = {
    {"POST", "/compile", post_compile},
    {"GET", "/compilers", get_compilers},
    {"GET", "/source", get_source_file},
    {"POST", "/source", post_source},
    {NULL, NULL, NULL},
};
