/* description.c: files NAME.desc that describe a tool of ATOM's kind. Each line has a tag and a value; a
   backslash at the end continues the line; # begins a comment. Requires no session; paths are relative to the
   file. */
#include <stdlib.h>
#include <unistd.h>

#include "driver/driver.h"

/* A word begins here, unless it has already begun. */
static void begin_word(const char **words, uint32_t *count, const char *begin, bool *inside) {
    if (!*inside)
        words[(*count)++] = begin;
    *inside = true;
}

const char **split_words(struct arena *arena, const char *text, uint32_t *count) {
    char *to = arena_allocate(arena, 2 * strlen(text) + 2);
    const char **words = arena_allocate(arena, (strlen(text) + 2) * sizeof *words);
    char quote = 0;
    bool inside = false;
    *count = 0;
    for (; *text; text++) {
        if (quote ? *text == quote : *text == '"' || *text == '\'') {
            quote = quote ? 0 : *text;
            begin_word(words, count, to, &inside);
        } else if (!quote && strchr(" \t\n", *text)) {
            *to++ = '\0';
            inside = false;
        } else {
            begin_word(words, count, to, &inside);
            *to++ = *text;
        }
    }
    *to = '\0';
    words[*count] = NULL;
    return words;
}

/* ---- lines -------------------------------------------------------------------------------------------- */

enum tag { INST_FILE, ANAL_FILE, INST_LDFLAGS, ANAL_LDFLAGS, ATOM_DEF, ATOM_REQ, TAGS };
static const char *const tags[TAGS] = {"INST_FILE",    "ANAL_FILE", "INST_LDFLAGS",
                                       "ANAL_LDFLAGS", "ATOM_DEF",  "ATOM_REQ"};

struct reading {
    struct description *description;
    struct source *source;
    struct arena *arena;
    struct diagnostics *diagnostics;
    bool seen[TAGS];
    bool good;
};

/* Relative to the description's own directory. */
static const char **paths_of(const struct reading *reading, const char **words, uint32_t count) {
    const char *slash = strrchr(reading->description->path, '/');
    int length = slash ? (int)(slash + 1 - reading->description->path) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (words[i][0] != '/')
            words[i] = arena_format(reading->arena, "%.*s%s", length, reading->description->path, words[i]);
    return words;
}

static void set_tag(struct reading *reading, enum tag tag, const char *value) {
    struct description *description = reading->description;
    uint32_t count;
    const char **words = split_words(reading->arena, value, &count);
    switch (tag) {
    case INST_FILE:
        description->instrumentation = paths_of(reading, words, count);
        description->instrumentation_count = count;
        break;
    case ANAL_FILE:
        description->analysis = paths_of(reading, words, count);
        description->analysis_count = count;
        break;
    case INST_LDFLAGS:
        description->link_words = words;
        break;
    case ANAL_LDFLAGS:
        description->analysis_words = words;
        break;
    case ATOM_DEF:
        description->default_words = words;
        break;
    default:
        description->required_words = words;
        break;
    }
}

static void read_description_line(struct reading *reading, const char *line, uint32_t begin) {
    size_t blank = strspn(line, " \t"), length = strcspn(line + blank, " \t");
    struct source_span where = {reading->source, begin + (uint32_t)blank, begin + (uint32_t)(blank + length)};
    if (line[blank] == '\0' || line[blank] == '#')
        return;
    int tag = 0;
    while (tag < TAGS && (strlen(tags[tag]) != length || strncmp(tags[tag], line + blank, length) != 0))
        tag++;
    if (tag == TAGS) {
        diagnose(reading->diagnostics, &where, MESSAGE_DESCRIPTION_LINE);
    } else if (reading->seen[tag]) {
        diagnose(reading->diagnostics, &where, MESSAGE_DESCRIPTION_TWICE, tags[tag]);
        reading->good = false;
    } else {
        reading->seen[tag] = true;
        set_tag(reading, (enum tag)tag, line + blank + length);
    }
}

static void read_lines(struct reading *reading) {
    const char *text = reading->source->text;
    size_t at = 0;
    while (at < reading->source->length) {
        size_t begin = at, length = 0;
        char *line = arena_allocate(reading->arena, reading->source->length - at + 1);
        for (bool more = true; more;) {
            size_t part = strcspn(text + at, "\n");
            more = part > 0 && text[at + part - 1] == '\\' && text[at + part];
            memcpy(line + length, text + at, part);
            length += part;
            if (more)
                line[length - 1] = ' ';
            at += part + (text[at + part] != '\0');
        }
        line[length] = '\0';
        read_description_line(reading, line, (uint32_t)begin);
    }
}

/* ---- files -------------------------------------------------------------------------------------------- */

/* Searches the built-in directory, then the directories of ATOMTOOLPATH; NULL if none of them has the
   file. */
static const char *find_tool_file(const char *file, struct arena *arena) {
    const char *rest = getenv("ATOMTOOLPATH"), *path = arena_format(arena, "%s/%s", tools_directory(), file);
    while (access(path, R_OK) != 0) {
        if (!rest || !*rest)
            return NULL;
        int length = (int)strcspn(rest, ":");
        path = arena_format(arena, "%.*s/%s", length, rest, file);
        rest += length + (rest[length] == ':');
    }
    return path;
}

bool description_read(const char *name, const char *environment, struct arena *arena,
                      struct diagnostics *diagnostics, const struct description **description) {
    const char *file = environment ? arena_format(arena, "%s.%s.desc", name, environment)
                                   : arena_format(arena, "%s.desc", name);
    const char *path = strchr(file, '/') ? NULL : find_tool_file(file, arena);
    size_t length = 0;
    char *text = path ? read_file(path, &length) : NULL;
    *description = NULL;
    if (!text)
        return true;
    struct source *source = arena_allocate(arena, sizeof *source);
    *source = (struct source){path, arena_string(arena, text, length), length};
    struct description *made = arena_allocate(arena, sizeof *made);
    *made = (struct description){.path = path};
    struct reading reading = {made, source, arena, diagnostics, {false}, true};
    read_lines(&reading);
    free(text);
    if (reading.good && made->instrumentation_count == 0) {
        diagnose(diagnostics, NULL, MESSAGE_DESCRIPTION_NO_FILE, path);
        reading.good = false;
    }
    *description = made;
    return reading.good;
}
