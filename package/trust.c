/* trust.c: packages whose C runs inside of atomc, with the user's rights, are used only when the user has
   said so; a package that changes is another. */
#define _GNU_SOURCE
#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "package/package.h"

void package_digest(const struct package_files *files, char digest[PACKAGE_DIGEST + 1]) {
    SHA2_CTX state;
    SHA256Init(&state);
    for (uint32_t i = 0; i < files->count; i++) {
        const struct package_file *file = &files->list[i];
        uint64_t size = file->size;
        SHA256Update(&state, (const uint8_t *)file->name, strlen(file->name) + 1);
        SHA256Update(&state, (const uint8_t *)&size, sizeof size);
        SHA256Update(&state, (const uint8_t *)file->bytes, file->size);
    }
    SHA256End(&state, digest);
}

static bool digest_of(const char *folder, char digest[PACKAGE_DIGEST + 1], struct diagnostics *diagnostics) {
    struct arena *arena = arena_create();
    struct package_files files;
    bool good = files_read(folder, arena, &files, diagnostics);
    if (good)
        package_digest(&files, digest);
    arena_destroy(arena);
    return good;
}

/* Lines of digests. */
static char *list_path(void) {
    char *data = packages_own_data(), *path = data ? format_string("%s/trusted", data) : NULL;
    free(data);
    return path;
}

bool package_is_trusted(const char *folder) {
    struct diagnostics *unseen = diagnostics_create();
    char digest[PACKAGE_DIGEST + 1], *path = list_path();
    size_t length;
    char *text = path ? read_file(path, &length) : NULL;
    bool good = text && digest_of(folder, digest, unseen) && strstr(text, digest);
    diagnostics_destroy(unseen);
    free(text);
    free(path);
    return good;
}

bool package_trust(const char *folder, const char *asked, struct diagnostics *diagnostics) {
    char digest[PACKAGE_DIGEST + 1], *path = list_path();
    bool is_it = digest_of(folder, digest, diagnostics);
    if (is_it && asked && strcmp(asked, digest) != 0) {
        diagnose(diagnostics, NULL, MESSAGE_PACKAGE_DIGEST, folder, digest);
        is_it = false;
    }
    if (!is_it) {
        free(path);
        return false;
    }
    for (char *at = path ? strchr(path + 1, '/') : NULL; at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0755);
        *at = '/';
    }
    FILE *file = path ? fopen(path, "ae") : NULL;
    bool good = file && fprintf(file, "%s %s\n", digest, strrchr(folder, '/') + 1) > 0;
    if (file)
        good = fclose(file) == 0 && good;
    if (!good)
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, path ? path : "trusted", strerror(errno));
    free(path);
    return good;
}
