/* parse.c: runs the parser over one .atd file.
   Requires grammar/; the tree, the source text and the tool live in the caller's arena. */
#include "compiler/internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grammar/atd.tab.h"

/* ---- its state ------------------------------------------------------------------------------- */

struct source_span parse_span(const struct parse *parse, struct text_range range) {
    return (struct source_span){parse->source, range.begin, range.end};
}

struct name parse_name(struct parse *parse, struct text_range range) {
    const char *text = parse->source->text + range.begin;
    return (struct name){arena_string(parse->arena, text, range.end - range.begin), parse_span(parse, range)};
}

struct name text_name(const struct parse *parse, const char *text, struct text_range range) {
    return (struct name){text, parse_span(parse, range)};
}

unsigned parse_errors(const struct parse *parse) {
    return diagnostics_errors(parse->diagnostics) - parse->errors_before;
}

void note_brace(struct parse *parse, char brace, uint32_t offset) {
    if (brace == '{') {
        VECTOR_RESERVE(parse->open_braces, parse->brace_count, parse->brace_capacity);
        parse->open_braces[parse->brace_count++] = offset;
    } else if (parse->brace_count) {
        parse->brace_count--;
    }
}

/* ---- one file ------------------------------------------------------------------------------- */

static void find_analysis_files(struct tool *tool, struct diagnostics *diagnostics) {
    uint32_t count = 0;
    for (const struct statement *at = tool->statements; at; at = at->next)
        count += at->kind == STATEMENT_ANALYSIS;
    struct analysis_file *files = arena_allocate(tool->arena, count * sizeof *files);
    tool->analysis = files;
    for (const struct statement *at = tool->statements; at; at = at->next) {
        if (at->kind != STATEMENT_ANALYSIS)
            continue;
        const char *path = path_beside(tool->arena, at->where.source->path, at->name.text);
        files[tool->analysis_count++] = (struct analysis_file){path, at->name.where, at};
        if (access(path, R_OK) != 0) {
            diagnose(diagnostics, &at->name.where, MESSAGE_NO_ANALYSIS_FILE, path, strerror(errno));
            diagnose_hint(
                diagnostics,
                "it is looked for in the folder of the page; atomc --stub prints one to start with");
        }
    }
    tool->named = tool->analysis;
    tool->named_count = tool->analysis_count;
}

static uint32_t used_file(struct tool *tool, const char *path, const struct source_span *where) {
    for (uint32_t i = 0; i < tool->use_count; i++)
        if (strcmp(tool->uses[i].path, path) == 0)
            return i;
    tool->uses[tool->use_count] = (struct used_file){.path = path, .where = *where};
    return tool->use_count++;
}

static void find_used_files(struct tool *tool, struct diagnostics *diagnostics) {
    uint32_t count = 0;
    for (const struct statement *at = tool->statements; at; at = at->next)
        count += at->kind == STATEMENT_USE;
    tool->uses = arena_allocate(tool->arena, count * sizeof *tool->uses);
    for (struct statement *at = tool->statements; at; at = at->next) {
        if (at->kind != STATEMENT_USE)
            continue;
        uint32_t known = tool->use_count;
        const char *path = path_beside(tool->arena, at->where.source->path, at->file.text);
        at->use = used_file(tool, path, &at->file.where);
        if (tool->use_count > known && access(path, R_OK) != 0)
            diagnose(diagnostics, &at->file.where, MESSAGE_NO_ANALYSIS_FILE, path, strerror(errno));
    }
}

void tool_use(struct tool *tool, uint32_t file, const struct prototypes *prototypes) {
    tool->uses[file].prototypes = prototypes;
}

/* The kind of a file that is not the text of a tool; NULL if it may be one. */
static const char *other_than_text(const struct source *source) {
    const unsigned char *text = (const unsigned char *)source->text;
    if (source->length >= 4 && memcmp(text, "\177ELF", 4) == 0)
        return "it is an ELF file, a program or a library";
    if (source->length >= 2 && ((text[0] == 0xff && text[1] == 0xfe) || (text[0] == 0xfe && text[1] == 0xff)))
        return "it is UTF-16: save it as UTF-8";
    if (source->length && memchr(text, 0, source->length))
        return "it contains NUL characters";
    return NULL;
}

struct statement *parse_file(const struct source *source, struct arena *arena,
                             struct diagnostics *diagnostics) {
    struct parse parse = {.source = source,
                          .arena = arena,
                          .diagnostics = diagnostics,
                          .errors_before = diagnostics_errors(diagnostics)};
    if (source->length >= INT32_MAX / 2) {
        diagnose(diagnostics, NULL, MESSAGE_FILE_TOO_LARGE, source->path);
        return NULL;
    }
    const char *other = other_than_text(source);
    if (other) {
        diagnose(diagnostics, NULL, MESSAGE_NOT_TEXT, source->path, other);
        return NULL;
    }
    atd_run(&parse);
    free(parse.open_braces);
    free(parse.misused);
    return parse.statements;
}

static struct tool *parse_source(const struct source *source, struct arena *arena, bool alone,
                                 struct diagnostics *diagnostics) {
    unsigned errors_before = diagnostics_errors(diagnostics);
    struct tool *tool = arena_allocate(arena, sizeof *tool);
    *tool = (struct tool){.source = source, .asked = source->path, .arena = arena};
    tool->statements = parse_file(source, arena, diagnostics);
    include_files(tool, diagnostics);
    tool->name = tool->description = "";
    for (const struct statement *at = tool->statements; at; at = at->next)
        if (at->kind == STATEMENT_TOOL) {
            tool->name = at->name.text;
            tool->description = at->description;
            break;
        }
    if (!alone)
        find_analysis_files(tool, diagnostics);
    find_used_files(tool, diagnostics);
    return diagnostics_errors(diagnostics) > errors_before ? NULL : tool;
}

static struct tool *parse_text(const char *path, const char *text, size_t length, bool alone,
                               struct arena *arena, struct diagnostics *diagnostics) {
    struct source *source = arena_allocate(arena, sizeof *source);
    source->path = arena_string(arena, path, strlen(path));
    source->text = arena_string(arena, text, length);
    source->length = length;
    return parse_source(source, arena, alone, diagnostics);
}

struct tool *tool_parse_text(const char *path, const char *text, size_t length, struct arena *arena,
                             struct diagnostics *diagnostics) {
    return parse_text(path, text, length, false, arena, diagnostics);
}

struct tool *tool_parse_page(const char *path, const char *text, size_t length, struct arena *arena,
                             struct diagnostics *diagnostics) {
    struct tool *tool = parse_text(path, text, length, false, arena, diagnostics);
    if (!tool)
        return NULL;
    tool->is_page = true;
    if (!*tool->name)
        tool->name = "page";
    return tool;
}

static struct tool *parse_path(const char *path, bool alone, struct arena *arena,
                               struct diagnostics *diagnostics) {
    size_t length;
    char *text = read_file(path, &length);
    if (!text) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
        return NULL;
    }
    struct tool *tool = parse_text(path, text, length, alone, arena, diagnostics);
    free(text);
    return tool;
}

struct tool *tool_parse(const char *path, struct arena *arena, struct diagnostics *diagnostics) {
    return parse_path(path, false, arena, diagnostics);
}

struct tool *tool_parse_alone(const char *path, struct arena *arena, struct diagnostics *diagnostics) {
    return parse_path(path, true, arena, diagnostics);
}

const struct analysis_file *tool_analysis_files(const struct tool *tool, uint32_t *count) {
    *count = tool->analysis_count;
    return tool->analysis;
}
