/* routes.c: all requests of /api/v1: the tables of the sources of workbench/api/. docs/internals/requests.md
 * describes them; a test compares both. */
#include <stdlib.h>
#include <string.h>

#include "workbench/server/server.h"

/* clang-format off */
#define ALL_ROUTES(ROUTES) \
    ROUTES(annotation) \
    ROUTES(author) \
    ROUTES(campaigns) \
    ROUTES(compare) \
    ROUTES(compile) \
    ROUTES(editing) \
    ROUTES(example) \
    ROUTES(export) \
    ROUTES(files) \
    ROUTES(import) \
    ROUTES(metrics) \
    ROUTES(objects) \
    ROUTES(packages) \
    ROUTES(places) \
    ROUTES(procedures) \
    ROUTES(programs) \
    ROUTES(runs) \
    ROUTES(server) \
    ROUTES(sources) \
    ROUTES(sql) \
    ROUTES(tables) \
    ROUTES(tools) \
    ROUTES(views)
#define DECLARE(name) extern const struct route name##_routes[];
#define ELEMENT(name) name##_routes,
ALL_ROUTES(DECLARE)
static const struct route *const tables[] = {ALL_ROUTES(ELEMENT)};
/* clang-format on */
enum { TABLES = sizeof tables / sizeof tables[0] };

/* Decimal or 0x...; other forms are refused. */
static bool is_route_number(const char *text, uint64_t *number) {
    bool hexadecimal = text[0] == '0' && text[1] == 'x';
    const char *digits = hexadecimal ? text + 2 : text;
    size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
    if (length == 0 || digits[length] || length > (hexadecimal ? 16 : 19))
        return false;
    *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
    return true;
}

static bool route_matches(const char *pattern, char **parts, size_t count, struct request *request) {
    size_t part = 0, variable = 0;
    while (*pattern == '/') {
        size_t length = strcspn(++pattern, "/");
        if (part == count)
            return false;
        char *text = parts[part++];
        if (length == 1 && (*pattern == '#' || *pattern == '*')) {
            request->number[variable] = 0;
            if (*pattern == '#' ? !is_route_number(text, &request->number[variable]) : !*text)
                return false;
            request->name[variable++] = text;
        } else if (strlen(text) != length || memcmp(text, pattern, length) != 0) {
            return false;
        }
        pattern += length;
    }
    return part == count;
}

const struct route *route_find(const char *method, char **parts, size_t count, struct request *request,
                               bool *other) {
    *other = false;
    for (size_t table = 0; table < TABLES; table++)
        for (const struct route *route = tables[table]; route->method; route++)
            if (route_matches(route->path, parts, count, request)) {
                if (strcmp(route->method, method) == 0)
                    return route;
                *other = true;
            }
    return NULL;
}

bool route_takes_file(const struct route *route) {
    return strcmp(route->method, "POST") == 0 && strcmp(route->path, UPLOAD_PATH) == 0;
}

void routes_visit(void (*visit)(const struct route *route)) {
    for (size_t table = 0; table < TABLES; table++)
        for (const struct route *route = tables[table]; route->method; route++)
            visit(route);
}
