/* kept_code.c: a cache of compiled analysis code, so that a tool in C is compiled once and not for each
   program. Requires the tools' groups (tools.c), with the paths of their objects. If there is no usable
   cache, the code is compiled each time, without a message. */
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"

/* The files of a cache entry: the image, and with several tools each tool's object, from which its
   prototypes are read. The image is stored last, with the compiler's messages. */
static const char *kept_file(const struct applied_tools *tools, const char *image, uint32_t number) {
    return number == 0 ? image : tools->list[number - 1].object;
}

static const char *kept_tool_name(struct applied_tools *tools, uint32_t number) {
    return arena_format(tools->arena, "%s.%s%u", find_code_key(tools), tools->large ? "large" : "code",
                        number);
}

static bool begin_kept_code(struct applied_tools *tools, struct cache *cache, struct diagnostics *unseen) {
    cache_open(cache, unseen);
    return cache->folder && find_code_key(tools);
}

bool find_kept_code(struct applied_tools *tools, const char *image) {
    struct diagnostics *unseen = diagnostics_create();
    struct cache cache;
    bool found = begin_kept_code(tools, &cache, unseen);
    for (uint32_t i = tools->count + 1; i-- > 0 && found;) {
        char *said = NULL;
        const char *file = kept_file(tools, image, i);
        found = !file || cache_copy(&cache, kept_tool_name(tools, i), file, &said);
        if (found && said)
            fputs(said, stderr);
        free(said);
    }
    cache_close(&cache);
    diagnostics_destroy(unseen);
    return found;
}

void keep_code(struct applied_tools *tools, const char *image, const char *said) {
    struct diagnostics *unseen = diagnostics_create();
    struct cache cache;
    bool good = begin_kept_code(tools, &cache, unseen);
    for (uint32_t i = tools->count + 1; i-- > 0 && good;) {
        const char *file = kept_file(tools, image, i);
        good = !file || cache_keep_copy(&cache, kept_tool_name(tools, i), file, i == 0 ? said : "");
    }
    cache_close(&cache);
    diagnostics_destroy(unseen);
}
