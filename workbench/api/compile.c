/* compile.c: POST /compile: a program from one source as a page has it, perhaps changed; GET /source: such a
   source. Sources and programs are in the folder compiled/ of the project, in a folder for each text, so that
   each program keeps the source that its debug information names. Files of the user are never changed. */
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
#include "workbench/server/server.h"

enum {
    LONGEST_NAME = 100,
    MOST_OPTIONS = 40,
    DIGEST_LETTERS = 12,
    COMPILE_SECONDS = 60,
    MOST_BYTES = 1 << 20
};

/* The front end of GCC for a name of a source; NULL: none. */
static const char *compiler_for(const char *name) {
    static const struct {
        const char *ending, *compiler;
    } languages[] = {{".c", "gcc"},        {".cc", "g++"},       {".cpp", "g++"},
                     {".cxx", "g++"},      {".C", "g++"},        {".f", "gfortran"},
                     {".f90", "gfortran"}, {".F90", "gfortran"}, {".f95", "gfortran"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof languages / sizeof *languages; i++)
        if (strcmp(dot, languages[i].ending) == 0)
            return languages[i].compiler;
    return NULL;
}

static bool is_source_name(const char *name) {
    size_t length = strlen(name);
    bool good = length > 0 && length <= LONGEST_NAME && name[0] != '.' && name[0] != '-';
    for (size_t i = 0; i < length; i++)
        good &= name[i] > ' ' && name[i] < 127 && !strchr("/\\\"'`$%", name[i]);
    return good;
}

/* Options that choose what code is made, or the libraries. Others name files that GCC would write, or
   programs that it would run. */
static bool is_harmless(const char *option) {
    static const char harmless[] =
        "^(-O([0-3sgz]|fast)?|-g[0-3]?|-std=[a-z0-9+]+|-static|-static-pie|-pie|-no-pie|-pthread|-s|-ansi|"
        "-W[a-z][a-z0-9=+-]*|-w|-m[a-z][a-z0-9=.-]*|-f[a-z][a-z0-9-]*|-[DU][A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-"
        "9_.+-]*)?|"
        "-l[A-Za-z0-9_+.-]+|-Wl,--no-relax|-Wl,--relax)$";
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
    return good;
}

struct compilation {
    const char *name, *text, *compiler, *folder; /* the folder of the source's headers; NULL: none */
    json_t *options;
    const char *place;            /* folder of the source and its programs */
    const char *source, *program; /* paths */
    const char *made;             /* name of the program in `place` */
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

static bool read_compilation(struct request *request, struct answer *answer,
                             struct compilation *compilation) {
    static const struct field fields[] = {{"text", FIELD_TEXT, true},
                                          {"name", FIELD_TEXT, true},
                                          {"folder", FIELD_TEXT, false},
                                          {"options", FIELD_TEXTS, false}};
    if (!request_fields(request, answer, fields, 4))
        return false;
    *compilation = (struct compilation){.name = request_text(request, "name"),
                                        .text = request_text(request, "text"),
                                        .folder = request_text(request, "folder"),
                                        .options = json_object_get(request->body, "options")};
    compilation->compiler = compiler_for(compilation->name);
    if (!is_source_name(compilation->name) || !compilation->compiler) {
        answer_error(answer, 400, "names end with .c, .cc, .cpp, .cxx, .C, .f, .f90, .f95 or .F90",
                     "'%s' is no name of a source", compilation->name);
        answer_where(answer, json_pack("{s:s}", "field", "name"));
        return false;
    }
    return options_allowed(answer, compilation->options) &&
           folder_allowed(request, answer, compilation->folder);
}

/* compiled/DIGEST/NAME.c, and compiled/DIGEST/NAME-O2 for the option -O2. */
static void choose_places(struct request *request, struct compilation *compilation) {
    char digest[SHA256_DIGEST_STRING_LENGTH];
    SHA2_CTX state;
    size_t number, base = (size_t)(strrchr(compilation->name, '.') - compilation->name);
    json_t *option;
    SHA256Init(&state);
    SHA256Update(&state, (const uint8_t *)compilation->name, strlen(compilation->name) + 1);
    SHA256Update(&state, (const uint8_t *)compilation->text, strlen(compilation->text));
    SHA256End(&state, digest);
    const char *made = arena_string(request->arena, compilation->name, base);
    json_array_foreach(compilation->options, number, option) {
        const char *word = json_string_value(option);
        if (strcmp(word, "-g") != 0)
            made = arena_format(request->arena, "%s%s", made, word);
    }
    if (strlen(made) > 2 * LONGEST_NAME) { /* the digest tells long ones apart */
        char of_options[SHA256_DIGEST_STRING_LENGTH];
        SHA256Data((const uint8_t *)made, strlen(made), of_options);
        made = arena_format(request->arena, "%.*s-%.*s", LONGEST_NAME, made, DIGEST_LETTERS, of_options);
    }
    compilation->made = made;
    compilation->place = arena_format(request->arena, "%s/compiled/%.*s", project_folder(request->project),
                                      DIGEST_LETTERS, digest);
    compilation->source = arena_format(request->arena, "%s/%s", compilation->place, compilation->name);
    compilation->program = arena_format(request->arena, "%s/%s", compilation->place, made);
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

/* The file appears whole: two requests may write it at a time, with the same text. */
static bool write_source(struct request *request, int place, const struct compilation *compilation) {
    const char *temporary = arena_format(request->arena, ".%s.%p", compilation->name, (void *)request);
    int descriptor = openat(place, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    size_t length = strlen(compilation->text);
    bool good = descriptor >= 0 && write(descriptor, compilation->text, length) == (ssize_t)length &&
                renameat(place, temporary, place, compilation->name) == 0;
    int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (descriptor >= 0 && !good)
        unlinkat(place, temporary, 0);
    errno = error;
    return good;
}

static const char **compiler_words(struct request *request, const struct compilation *compilation,
                                   const char *output) {
    size_t count = json_array_size(compilation->options), at = 0, number;
    const char **words = arena_allocate(request->arena, (count + 9) * sizeof *words);
    bool is_static = false;
    json_t *option;
    words[at++] = arena_format(request->arena, "%s-%s", usual_machine()->triple, compilation->compiler);
    words[at++] = "-fdiagnostics-color=never";
    if (compilation->folder) {
        words[at++] = "-iquote";
        words[at++] = compilation->folder;
    }
    words[at++] = compilation->source;
    /* Libraries follow the source that needs them. */
    json_array_foreach(compilation->options, number, option) {
        words[at] = json_string_value(option);
        is_static |= strcmp(words[at++], "-static") == 0;
    }
    if (is_static)
        words[at++] = "-Wl,--no-relax";
    words[at++] = "-o";
    words[at++] = output;
    return words;
}

/* What the compiler said names the source by the path of the copy. */
static json_t *what_it_said(struct request *request, const struct compilation *compilation,
                            const char *errors) {
    const char *prefix = arena_format(request->arena, "%s/", compilation->place);
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

static void compile(struct request *request, struct answer *answer, const struct compilation *compilation,
                    int place) {
    const char *output = arena_format(request->arena, ".%s.%p", compilation->made, (void *)request);
    const char **words = compiler_words(request, compilation, output);
    struct command command = {.words = words, .folder = compilation->place, .seconds = COMPILE_SECONDS};
    struct command_result result;
    bool ended = command_run(request->project, &command, &result);
    bool good = ended && result.status == 0 && renameat(place, output, place, compilation->made) == 0;
    if (!good)
        unlinkat(place, output, 0);
    if (!good && (result.end == COMMAND_NOT_STARTED || result.status == 127))
        answer_error(answer, 409,
                     arena_format(request->arena, "Debian package %s-%s", compilation->compiler,
                                  usual_machine()->triple),
                     "'%s' is not installed", words[0]);
    else if (!ended)
        answer_command(answer, &command, &result);
    else
        answer_json(answer,
                    json_pack("{s:o, s:s, s:o}", "path", good ? json_text(compilation->program) : json_null(),
                              "source", compilation->source, "said",
                              what_it_said(request, compilation, result.errors)));
    command_free(&result);
}

static void post_compile(struct request *request, struct answer *answer) {
    struct compilation compilation;
    if (!read_compilation(request, answer, &compilation))
        return;
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return;
    }
    choose_places(request, &compilation);
    int place = open_place(request, &compilation);
    if (place < 0 || !write_source(request, place, &compilation))
        answer_error(answer, 409, NULL, "%s cannot be written: %s", compilation.source, strerror(errno));
    else
        compile(request, answer, &compilation, place);
    if (place >= 0)
        close(place);
}

/* ---- reading one -------------------------------------------------------------------------------------- */

static void get_source_file(struct request *request, struct answer *answer) {
    const char *path = request_query(request, "path");
    struct stat status;
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    if (!name || !is_source_name(name) || !compiler_for(name)) {
        answer_error(answer, 400, "names end with .c, .cc, .cpp, .cxx, .C, .f, .f90, .f95 or .F90",
                     "'%s' is no name of a source", name ? name : "");
        return;
    }
    int descriptor = path_open(request->project, path, O_RDONLY | O_NONBLOCK);
    int error = errno;
    if (descriptor < 0) {
        answer_error(answer, 400, error == EXDEV ? "atomc workbench --allow=FOLDER" : NULL, "%s: %s", path,
                     error == EXDEV ? "it is outside of the folders that may be read" : strerror(error));
    } else if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size >= MOST_BYTES) {
        answer_error(answer, 400, NULL, "%s: it is no file of less than 1 MB", path);
    } else {
        char *text = arena_allocate(request->arena, (size_t)status.st_size + 1);
        size_t length = 0;
        ssize_t step;
        while (length < (size_t)status.st_size &&
               (step = read(descriptor, text + length, (size_t)status.st_size - length)) > 0)
            length += (size_t)step;
        bool is_text = !memchr(text, 0, length);
        json_t *value = is_text ? json_string(text) : NULL;
        if (value)
            answer_json(
                answer,
                json_pack("{s:s, s:o, s:s, s:s}", "name", name, "text", value, "compiler",
                          arena_format(request->arena, "%s-%s", usual_machine()->triple, compiler_for(name)),
                          "folder", slash ? arena_string(request->arena, path, (size_t)(slash - path)) : ""));
        else
            answer_error(answer, 400, NULL, "%s: it is no text in UTF-8", path);
    }
    if (descriptor >= 0)
        close(descriptor);
}

const struct route compile_routes[] = {
    {"POST", "/compile", post_compile},
    {"GET", "/source", get_source_file},
    {NULL, NULL, NULL},
};
