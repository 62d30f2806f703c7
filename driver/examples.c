/* examples.c: atomc examples [FOLDER]: makes the folder in which the commands of README.md and docs/ are run:
   a copy of docs/examples, which also contains the packages of packages/gallery/. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/driver.h"

static bool cannot_copy(struct diagnostics *diagnostics, const char *path) {
    const char *reason = strerror(errno);
    diagnose(diagnostics, NULL, MESSAGE_CANNOT_COPY, path, reason);
    return false;
}

static bool copy_example(const char *from, const char *to, struct diagnostics *diagnostics) {
    size_t length;
    char *text = read_file(from, &length);
    if (!text)
        return cannot_copy(diagnostics, from);
    FILE *file = fopen(to, "wx");
    bool good = file && fwrite(text, 1, length, file) == length;
    if (file && fclose(file) != 0)
        good = false;
    free(text);
    struct stat status;
    if (good && stat(from, &status) == 0 && (status.st_mode & S_IXUSR) && chmod(to, 0755) != 0)
        good = false;
    return good || cannot_copy(diagnostics, to);
}

/* TO is a new folder. Counts the files. */
static bool copy_folder(struct arena *arena, const char *from, const char *to, uint32_t *files,
                        struct diagnostics *diagnostics) {
    if (mkdir(to, 0777) != 0)
        return cannot_copy(diagnostics, to);
    DIR *folder = opendir(from);
    if (!folder)
        return cannot_copy(diagnostics, from);
    bool good = true;
    for (struct dirent *entry; good && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        const char *source = arena_format(arena, "%s/%s", from, entry->d_name);
        const char *target = arena_format(arena, "%s/%s", to, entry->d_name);
        struct stat status;
        if (stat(source, &status) != 0)
            good = cannot_copy(diagnostics, source);
        else if (S_ISDIR(status.st_mode))
            good = copy_folder(arena, source, target, files, diagnostics);
        else if ((good = copy_example(source, target, diagnostics)))
            ++*files;
    }
    closedir(folder);
    return good;
}

bool examples_copy(struct options *options, char **words, int count, struct diagnostics *diagnostics) {
    const char *to = NULL;
    struct option_reader reader = {
        .command = COMMAND_EXAMPLES, .words = words, .count = count, .diagnostics = diagnostics};
    for (enum option_id option; (option = next_option(&reader)) != OPTION_END;) {
        if (option == OPTION_HELP)
            print_help(COMMAND_EXAMPLES, stdout);
        else if (option == OPTION_WORD && to)
            usage_error(diagnostics, COMMAND_EXAMPLES, "examples takes one folder: what is %s?", reader.word);
        if (option != OPTION_WORD || to)
            return option == OPTION_HELP;
        to = reader.word;
    }
    to = to ? to : "atomc-examples";
    if (access(to, F_OK) == 0) {
        usage_error(diagnostics, COMMAND_EXAMPLES, "%s is there already", to);
        diagnose_hint(diagnostics,
                      "name another folder, or remove it; examples that you have changed stay yours");
        return false;
    }
    /* The folder appears whole or not at all. */
    size_t length = strlen(to);
    while (length > 1 && to[length - 1] == '/')
        length--;
    char *begun = (char *)arena_format(options->arena, "%.*s.XXXXXX", (int)length, to);
    if (!mkdtemp(begun)) {
        const char *reason = strerror(errno);
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, to, reason);
        return false;
    }
    uint32_t files = 0;
    const char *inner = arena_format(options->arena, "%s/examples", begun);
    bool good = copy_folder(options->arena, examples_directory(), inner, &files, diagnostics) &&
                copy_folder(options->arena, gallery_directory(),
                            arena_format(options->arena, "%s/gallery", inner), &files, diagnostics);
    if (good && rename(inner, arena_format(options->arena, "%.*s", (int)length, to)) != 0)
        good = cannot_copy(diagnostics, to);
    if (!good) {
        char *output = NULL;
        run_command((char *[]){"rm", "-rf", begun, NULL}, &output);
        free(output);
        return false;
    }
    rmdir(begun);
    printf("%u files are in %s; go on with: cd %s\n", files, to, to);
    return true;
}
