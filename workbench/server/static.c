/* static.c: the pages, their scripts and the documentation: embedded (embed.sh), or, for development, read
 * from folders (--web). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workbench/server/embedded.h"
#include "workbench/server/server.h"

static const char *content_type(const char *path) {
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".md", "text/markdown; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".json", "application/json"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
    };
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(suffix, types[i][0]) == 0)
            return types[i][1];
    return "text/plain; charset=utf-8";
}

/* `/` is web/index.html. NULL: no name in the path may be that. Else malloc'd. */
static char *static_path(char **parts, size_t count) {
    if (count == 1 && !*parts[0])
        return duplicate_string("web/index.html");
    char *path = duplicate_string(parts[0]);
    for (size_t i = 0; i < count; i++) {
        if (!*parts[i] || parts[i][0] == '.' || strchr(parts[i], '/')) {
            free(path);
            return NULL;
        }
        if (i > 0) {
            char *longer = format_string("%s/%s", path, parts[i]);
            free(path);
            path = longer;
        }
    }
    return path;
}

/* A folder replaces web/, or docs/ if it has that name. */
static struct MHD_Response *from_folders(const char *path) {
    const char *folder = server.web, *name = strchr(path, '/');
    if (!name)
        return NULL;
    for (; *folder; folder += strcspn(folder, ":"), folder += *folder == ':') {
        char *full = format_string("%.*s%s", (int)strcspn(folder, ":"), folder, name);
        struct stat status;
        int descriptor = open(full, O_RDONLY | O_CLOEXEC);
        free(full);
        if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
            return MHD_create_response_from_fd64((uint64_t)status.st_size, descriptor);
        if (descriptor >= 0)
            close(descriptor);
    }
    return NULL;
}

const struct embedded *find_embedded(const char *path) {
    for (const struct embedded *file = embedded_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

struct MHD_Response *static_file(char **parts, size_t count, const char *known, unsigned *status) {
    char *path = static_path(parts, count);
    const struct embedded *file = path ? find_embedded(path) : NULL;
    struct MHD_Response *response = path && server.web ? from_folders(path) : NULL;
    *status = MHD_HTTP_OK;
    if (!response && file) {
        bool same = known && strstr(known, file->tag);
        *status = same ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK;
        response = MHD_create_response_from_buffer(same ? 0 : (size_t)(file->end - file->begin),
                                                   (void *)file->begin, MHD_RESPMEM_PERSISTENT);
        MHD_add_response_header(response, "ETag", file->tag);
    }
    if (response) {
        MHD_add_response_header(response, "Content-Type", content_type(path));
        MHD_add_response_header(response, "Cache-Control", "no-cache");
    }
    free(path);
    return response;
}
