/* list.c: --list: the stock tools, and the tools of packages. Requires the heading of each stock tool, whose
   line "Group:" names the question that it answers. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/driver.h"
#include "driver/json.h"
#include "packages/package/package.h"

int is_tool_file(const struct dirent *entry) {
    return has_suffix(entry->d_name, ".atd");
}

/* The description: the string of the file's tool statement. */
static char *read_description(const char *path) {
    size_t length;
    char *text = read_file(path, &length), *description = NULL;
    for (char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        if (strncmp(at, "tool ", 5) != 0)
            continue;
        size_t to_line_end = strcspn(at, "\n");
        at[to_line_end] = '\0';
        char *open = strchr(at, '"'), *close = open ? strchr(open + 1, '"') : NULL;
        if (close) {
            *close = '\0';
            description = duplicate_string(open + 1);
        }
        break;
    }
    free(text);
    return description ? description : duplicate_string("");
}

/* The group in the heading of a stock tool, "memory" or "memory, start here"; "" if there is none. */
static char *group_of(const char *path) {
    static const char mark[] = "\n# Group:";
    size_t length;
    char *text = read_file(path, &length), *found = text ? strstr(text, mark) : NULL;
    const char *group = found ? found + sizeof mark - 1 : "";
    group += strspn(group, " ");
    char *copy = format_string("%.*s", (int)strcspn(group, "\n"), group);
    free(text);
    return copy;
}

/* The questions of the groups, in the order for a person. */
static const struct {
    const char *group, *question;
} questions[] = {
    {", start here", "Start here"},
    {"profiles", "What is executed, and by whom?"},
    {"coverage", "What was never executed?"},
    {"checking", "Is memory used as it should be?"},
    {"memory", "What is allocated, read and written?"},
    {"caches and buffers", "What do caches and translation buffers do?"},
    {"branches and pipeline", "What do branches and the pipeline cost?"},
    {"files and system calls", "What is read and written, and by which calls?"},
    {"traces and measurements", "What happens, one after another?"},
    {NULL, "Others"},
};

static bool is_tool_in_group(const char *path, size_t question) {
    char *group = group_of(path), *start = strchr(group, ',');
    size_t own = 0;
    while (questions[own].group && strcmp(questions[own].group, start ? start : group) != 0)
        own++;
    free(group);
    return own == question;
}

static void list_tool(const char *name, const char *path) {
    char *description = read_description(path);
    int width = (int)strlen(name);
    put_line_text(name, stdout);
    printf("%*s", width < 10 ? 11 - width : 1, "");
    put_line_text(description, stdout);
    putchar('\n');
    free(description);
}

/* For a terminal, columns; otherwise a line for each tool, sorted by name. */
static void list_by_question(const char *folder) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_tool_file, alphasort);
    for (size_t question = 0; question < sizeof questions / sizeof *questions; question++) {
        bool any = false;
        for (int i = 0; i < count; i++) {
            char *path = format_string("%s/%s", folder, entries[i]->d_name);
            if (is_tool_in_group(path, question)) {
                if (!any)
                    printf("%s%s\n", question ? "\n" : "", questions[question].question);
                any = true;
                char *name = format_string("%.*s", (int)strlen(entries[i]->d_name) - 4, entries[i]->d_name);
                fputs("  ", stdout);
                list_tool(name, path);
                free(name);
            }
            free(path);
        }
    }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* Lists the tools in a directory; package: its name, "" for the stock tools. If the list is NULL, prints
   text. */
static void list_folder(const char *folder, const char *package, json_t *list) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_tool_file, alphasort);
    for (int i = 0; i < count; i++) {
        char *path = format_string("%s/%s", folder, entries[i]->d_name);
        char *description = read_description(path);
        entries[i]->d_name[strlen(entries[i]->d_name) - 4] = '\0';
        if (list) {
            json_array_append_new(list, listed_tool_json(entries[i]->d_name, package, path, description));
        } else {
            char *name = format_string("%s%s%s", package, *package ? "/" : "", entries[i]->d_name);
            list_tool(name, path);
            free(name);
        }
        free(description);
        free(path);
        free(entries[i]);
    }
    free(entries);
}

static void list_package(const char *name, const char *folder, void *context) {
    list_folder(folder, name, context);
}

/* The stock tools, then the tools of packages. */
void list_tools(const struct options *options) {
    json_t *list = options->document ? json_array() : NULL;
    if (!list && isatty(STDOUT_FILENO))
        list_by_question(tools_directory());
    else
        list_folder(tools_directory(), "", list);
    packages_visit(packages_directory(), list_package, list);
    if (list)
        json_object_set_new(options->document, "tools", list);
}
