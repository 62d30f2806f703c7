/* search.c: commands by name, as a shell finds them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/run/runner.h"

static bool is_executable(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *find_command(const char *word) {
    if (strchr(word, '/'))
        return access(word, F_OK) == 0 ? duplicate_string(word) : NULL;
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : "/usr/local/bin:/usr/bin:/bin";;) {
        size_t length = strcspn(at, ":");
        char *path = format_string("%.*s%s%s", (int)length, at, length ? "/" : "./", word);
        if (*word && is_executable(path))
            return path;
        free(path);
        at += length;
        if (!*at++)
            break;
    }
    errno = ENOENT;
    return NULL;
}
