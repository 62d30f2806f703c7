/* errors.c: misuse of ATOM's routines, reported at the user's own line.
   Requires the user's code to be running (session.running), with debug information. */
#define _GNU_SOURCE /* vasprintf */
#include "atom/internal.h"

#include <execinfo.h>
#include <stdlib.h>
#include <string.h>

enum { MISUSE_LIMIT = 20, DEEPEST = 64 };

struct misuse_place {
    const void *address;
    enum message id;
};

/* A source that diagnostics can quote; a file is read once. */
static const struct source *source_of(const char *path) {
    static struct {
        struct arena *arena; /* number of the session that read them */
        const struct source **list;
        uint32_t count, capacity;
    } sources;
    if (sources.arena != session.arena) {
        sources.arena = session.arena;
        sources.count = 0;
    }
    for (uint32_t i = 0; i < sources.count; i++)
        if (strcmp(sources.list[i]->path, path) == 0)
            return sources.list[i];
    size_t length = 0;
    char *text = read_user_file(path, &length);
    struct source *source = arena_allocate(session.arena, sizeof *source);
    source->path = arena_string(session.arena, path, strlen(path));
    source->text = text ? arena_string(session.arena, text, length) : "";
    source->length = length;
    free(text);
    VECTOR_RESERVE(sources.list, sources.count, sources.capacity);
    sources.list[sources.count++] = source;
    return source;
}

/* The line without the blanks around it. */
static struct source_span span_of(const char *path, uint32_t line) {
    const struct source *source = source_of(path);
    const char *at = source->text;
    for (uint32_t i = 1; i < line && at; i++)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (!at || source->length == 0)
        return (struct source_span){NULL, 0, 0};
    size_t length = strcspn(at, "\n"), blank = strspn(at, " \t");
    blank = blank > length ? length : blank;
    while (length > blank && strchr(" \t\r", at[length - 1]))
        length--;
    uint32_t begin = (uint32_t)(at - source->text);
    return (struct source_span){source, begin + (uint32_t)blank, begin + (uint32_t)length};
}

/* The innermost frame in the user's code. */
static const void *user_frame(void) {
    void *frames[DEEPEST];
    int count = backtrace(frames, DEEPEST);
    for (int i = 0; i < count; i++)
        if (session.running && library_contains(session.running, frames[i]))
            return frames[i];
    return NULL;
}

static bool seen(const void *address, enum message id) {
    for (uint32_t i = 0; i < session.seen_count; i++)
        if (session.seen[i].address == address && session.seen[i].id == id)
            return true;
    VECTOR_RESERVE(session.seen, session.seen_count, session.seen_capacity);
    session.seen[session.seen_count++] = (struct misuse_place){address, id};
    return false;
}

static bool latest_seen; /* hints of errors that are not reported again */

void misuse(enum message id, ...) {
    const void *address = user_frame();
    const char *file;
    uint32_t line;
    struct source_span span = {NULL, 0, 0};
    unsigned before = diagnostics_errors(session.diagnostics);
    latest_seen = seen(address, id);
    if (latest_seen)
        return;
    /* The return address belongs to the call before it. */
    if (address && library_line(session.running, (const char *)address - 1, &file, &line))
        span = span_of(file, line);
    va_list arguments;
    va_start(arguments, id);
    diagnose_list(session.diagnostics, span.source ? &span : NULL, id, arguments);
    va_end(arguments);
    session.errors += diagnostics_errors(session.diagnostics) - before;
    if (session.seen_count < MISUSE_LIMIT || !session.give_up)
        return;
    diagnose(session.diagnostics, NULL, MESSAGE_ATOM_GAVE_UP);
    longjmp(*session.give_up, 1);
}

void misuse_hint(const char *format, ...) {
    if (latest_seen)
        return;
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    if (vasprintf(&text, format, arguments) >= 0)
        diagnose_hint(session.diagnostics, "%s", text);
    free(text);
    va_end(arguments);
}
