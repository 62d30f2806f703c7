/* drafts.c: see drafts.h. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workbench/project/drafts.h"
#include "workbench/server/server.h"
#include "workbench/project/tool_words.h"

enum { MOST_DRAFTS = 40, DRAFT_SECONDS = 600, MOST_FILES = 64 };

static bool ends_in(const char *text, const char *suffix) {
    size_t length = strlen(text), end = strlen(suffix);
    return length > end && strcmp(text + length - end, suffix) == 0;
}

bool is_tool_file(const char *name) {
    static const char *const suffixes[] = {".c",   ".h",   ".cc",  ".cpp", ".hh", ".hpp",
                                           ".inc", ".def", ".atd", ".S",   ".s",  ".md"};
    if (!is_name(name))
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (ends_in(name, suffixes[i]))
            return true;
    return false;
}

bool is_page_name(struct answer *answer, const char *name) {
    if (is_tool_file(name) && ends_in(name, ".atd"))
        return true;
    answer_error(answer, MHD_HTTP_BAD_REQUEST, "it is a plain name that ends in .atd",
                 "'%s' is no name of a page", name);
    return false;
}

/* ---- what they name ------------------------------------------------------------------------------------- */

/* A name of a file in a text, whether it is of C that runs inside of atomc, and its line. */
struct named {
    const char *path;
    bool is_code;
    unsigned line;
};

static bool refuse_name(struct answer *answer, const char *file, const struct named *named, unsigned status,
                        const char *hint, const char *why) {
    answer_error(answer, status, hint, "%s: %s", named->path, why);
    answer_where(answer, json_pack("{s:s, s:i}", "file", file, "line", (int)named->line));
    return false;
}

static bool name_is_allowed(struct request *request, struct answer *answer, const char *file,
                            const struct named *named) {
    static const char outside[] = "it can be allowed: POST /project/allow, or atomc workbench --allow=FOLDER";
    if (named->is_code)
        return refuse_name(answer, file, named, MHD_HTTP_FORBIDDEN,
                           "save it, then: atomc package trust NAME, and run it from there",
                           "C that runs inside of atomc is not tried before it is accepted");
    bool leads_out = named->path[0] == '/' || strstr(named->path, "../");
    int descriptor = leads_out && named->path[0] == '/' ? path_open(request->project, named->path, 0) : -1;
    if (descriptor >= 0)
        close(descriptor);
    return !leads_out || descriptor >= 0 || (named->path[0] == '/' && errno != EXDEV) ||
           refuse_name(answer, file, named, MHD_HTTP_FORBIDDEN, outside,
                       "it is not below a folder that the workbench may read");
}

/* The name that begins at the quotation mark; NULL: there is none. */
static const char *quoted_name(struct request *request, const char *at) {
    char end = *at == '<' ? '>' : '"';
    size_t length = *at == '"' || *at == '<' ? strcspn(at + 1, (const char[]){end, '\n', '\0'}) : 0;
    return length && at[1 + length] == end ? arena_string(request->arena, at + 1, length) : NULL;
}

/* The text after `#include` and similar words. */
static const char *name_in_line(struct request *request, const char *line) {
    static const char *const directives[] = {"include", "include_next", "embed", "import"};
    const char *at = line + strspn(line, " \t");
    if (*at != '#')
        return NULL;
    at += 1 + strspn(at + 1, " \t");
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        size_t length = strlen(directives[i]), blanks = strspn(at + length, " \t");
        if (strncmp(at, directives[i], length) == 0 && quoted_name(request, at + length + blanks))
            return quoted_name(request, at + length + blanks);
    }
    return NULL;
}

static bool c_is_allowed(struct request *request, struct answer *answer, const char *file, const char *text) {
    struct named named = {NULL, false, 1};
    for (const char *line = text; line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL, named.line++) {
        named.path = name_in_line(request, line);
        if (named.path && !name_is_allowed(request, answer, file, &named))
            return false;
    }
    return true;
}

static const char *skip_blanks_and_comments(const char *at) {
    for (at += strspn(at, " \t\r\n"); *at == '#'; at += strspn(at, " \t\r\n"))
        at += strcspn(at, "\n");
    return at;
}

/* Names after `include`, `analysis` and `from`, anywhere in a page. In displays and needs of tools, no names
   of files follow these words. */
static bool page_is_allowed(struct request *request, struct answer *answer, const char *file,
                            const char *text) {
    static const char *const words[] = {"include", "analysis", "from"};
    struct named named = {NULL, false, 1};
    for (const char *at = text; *at; named.line += *at++ == '\n')
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            size_t length = strlen(words[i]);
            if (strncmp(at, words[i], length) != 0)
                continue;
            named.path = quoted_name(request, skip_blanks_and_comments(at + length));
            named.is_code = strcmp(words[i], "from") == 0;
            if (named.is_code && named.path && !strpbrk(named.path, "./"))
                continue;
            if (named.path && !name_is_allowed(request, answer, file, &named))
                return false;
        }
    return true;
}

static bool text_is_allowed(struct request *request, struct answer *answer, const char *file,
                            const char *text) {
    bool is_page = ends_in(file, ".atd") || ends_in(file, ".inc");
    return (is_page ? page_is_allowed : c_is_allowed)(request, answer, file, text);
}

bool draft_is_allowed(struct request *request, struct answer *answer, const char *page, const char *text,
                      json_t *files) {
    const char *name;
    json_t *file;
    if (text && !text_is_allowed(request, answer, page, text))
        return false;
    json_object_foreach(files, name, file) {
        /* A draft cannot have C that atomc would load and run, because no user has accepted it. */
        if (!is_tool_file(name) || strstr(name, ".inst.") || !json_is_string(file) ||
            json_object_size(files) > MOST_FILES) {
            answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "'%s' is no name of a file of a tool", name);
            return false;
        }
        if (!text_is_allowed(request, answer, name, json_string_value(file)))
            return false;
    }
    return true;
}

/* ---- folders -------------------------------------------------------------------------------------------- */

static void add_digest_part(SHA2_CTX *state, const char *text, size_t length) {
    uint64_t size = length;
    SHA256Update(state, (const uint8_t *)&size, sizeof size);
    SHA256Update(state, (const uint8_t *)text, length);
}

static const char *name_of_draft(struct request *request, const char *page, const char *text, json_t *files) {
    SHA2_CTX state;
    char digest[SHA256_DIGEST_STRING_LENGTH];
    const char *name;
    json_t *file;
    SHA256Init(&state);
    json_object_foreach(files, name, file) {
        add_digest_part(&state, name, strlen(name));
        add_digest_part(&state, json_string_value(file), json_string_length(file));
    }
    if (page) {
        add_digest_part(&state, page, strlen(page));
        add_digest_part(&state, text, strlen(text));
    }
    SHA256End(&state, digest);
    return arena_string(request->arena, digest, 32);
}

bool write_new_file(const char *path, const char *text, size_t length) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    bool good = file >= 0;
    for (size_t written = 0; good && written < length;) {
        ssize_t step = write(file, text + written, length - written);
        good = step > 0 || (step < 0 && errno == EINTR);
        written += step > 0 ? (size_t)step : 0;
    }
    return file >= 0 && close(file) == 0 && good;
}

static bool fill_folder(struct request *request, const char *folder, const char *page, const char *text,
                        json_t *files) {
    const char *name;
    json_t *file;
    bool good = true;
    json_object_foreach(files, name, file) {
        const char *path = arena_format(request->arena, "%s/%s", folder, name);
        good = good && write_new_file(path, json_string_value(file), json_string_length(file));
    }
    return good &&
           (!page || write_new_file(arena_format(request->arena, "%s/%s", folder, page), text, strlen(text)));
}

static int is_draft(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Removes all drafts but the latest; drafts that may be in use are kept in any case. */
static void remove_old_drafts(struct request *request, const char *drafts) {
    struct dirent **entries = NULL;
    int count = scandir(drafts, &entries, is_draft, NULL), left = count;
    time_t now = time(NULL);
    for (int age = 16 * DRAFT_SECONDS; age >= DRAFT_SECONDS && left > MOST_DRAFTS; age /= 2)
        for (int i = 0; i < count && left > MOST_DRAFTS; i++) {
            struct stat status;
            const char *path = arena_format(request->arena, "%s/%s", drafts, entries[i]->d_name);
            if (stat(path, &status) == 0 && now - status.st_mtim.tv_sec > age) {
                remove_tree(path);
                left--;
            }
        }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

const char *draft_folder(struct request *request, struct answer *answer, const char *page, const char *text,
                         json_t *files) {
    const char *tools = arena_format(request->arena, "%s/tools", project_folder(request->project)),
               *drafts = arena_format(request->arena, "%s/.drafts", tools),
               *folder =
                   arena_format(request->arena, "%s/%s", drafts, name_of_draft(request, page, text, files));
    if (utimensat(AT_FDCWD, folder, NULL, 0) == 0)
        return folder;
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return NULL;
    }
    mkdir(tools, 0777);
    mkdir(drafts, 0777);
    char *making = arena_format(request->arena, "%s/.new-XXXXXX", drafts);
    bool good = mkdtemp(making) != NULL;
    good = good && fill_folder(request, making, page, text, files) &&
           (rename(making, folder) == 0 || errno == ENOTEMPTY || errno == EEXIST);
    int error = errno;
    remove_tree(making);
    if (!good) {
        answer_error(answer, error == ENOSPC ? MHD_HTTP_INSUFFICIENT_STORAGE : MHD_HTTP_INTERNAL_SERVER_ERROR,
                     NULL, "%s: %s", drafts, strerror(error));
        return NULL;
    }
    remove_old_drafts(request, drafts);
    return folder;
}
