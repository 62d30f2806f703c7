/* support.h: utilities for all folders: memory arenas, growing vectors, diagnostics, file output. Depends
   on nothing else in the project; the order of the banners is the order of the .c files. */
#ifndef ATOMC_SUPPORT_H
#define ATOMC_SUPPORT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- memory.c ------------------------------------------------------------------------------- */

/* Like malloc/realloc, but never NULL: if memory runs out, the process removes temporary output files and
   exits with status 2. Sizes in bytes; memory is zeroed if the name indicates it, as with calloc. */
void *allocate(size_t bytes);
void *allocate_zeroed(size_t count, size_t bytes_each);
void *reallocate(void *memory, size_t bytes);
char *duplicate_string(const char *text);
/* A word of a POSIX shell: quoted, if that is needed. */
char *shell_word(const char *text);
char *format_string(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An arena frees everything at once. Memory is zeroed and aligned to 16 bytes. */
struct arena;
struct arena *arena_create(void);
void arena_destroy(struct arena *arena);
void *arena_allocate(struct arena *arena, size_t bytes) __attribute__((returns_nonnull));
void *arena_allocate_unset(struct arena *arena, size_t bytes); /* not zeroed, for large ones used in part */
/* Changes the size of an allocation of the arena (NULL: a new allocation), like realloc: at the same address
   or moved; additional bytes are not zeroed. */
void *arena_resize(struct arena *arena, void *memory, size_t old_bytes, size_t bytes);

/* Releases everything allocated since the mark was set. Older allocations must not be resized in between,
   since that makes them newer. Marks nest. */
struct arena_mark {
    struct arena_chunk *chunk;
    size_t used;
    uint64_t large;
};
struct arena_mark arena_mark(const struct arena *arena);
void arena_release(struct arena *arena, struct arena_mark mark);

/* Adds the final NUL. */
char *arena_string(struct arena *arena, const char *text, size_t length) __attribute__((returns_nonnull));
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Grow `array` (an lvalue pointer) so that index `count` is valid; `capacity` is an lvalue size_t
   or uint32_t. Amortised constant time. */
#define VECTOR_RESERVE(array, count, capacity)                                                               \
    do {                                                                                                     \
        if ((count) >= (capacity)) {                                                                         \
            (capacity) = (capacity) ? (capacity)*2 : 16;                                                     \
            if ((capacity) <= (count))                                                                       \
                (capacity) = (count) + 1;                                                                    \
            (array) = reallocate((array), (size_t)(capacity) * sizeof *(array));                             \
        }                                                                                                    \
    } while (0)

/* Likewise; the array is in an arena. */
#define ARENA_RESERVE(arena, array, count, capacity)                                                         \
    do {                                                                                                     \
        if ((count) >= (capacity)) {                                                                         \
            size_t old_bytes_ = (size_t)(capacity) * sizeof *(array);                                        \
            (capacity) = (capacity) ? (capacity)*2 : 16;                                                     \
            if ((capacity) <= (count))                                                                       \
                (capacity) = (count) + 1;                                                                    \
            (array) = arena_resize((arena), (array), old_bytes_, (size_t)(capacity) * sizeof *(array));      \
        }                                                                                                    \
    } while (0)

/* ---- diagnostics.c -------------------------------------------------------------------------- */

/* A source text that diagnostics can quote. */
struct source {
    const char *path; /* as the user wrote it */
    const char *text; /* whole file, NUL at text[length] */
    size_t length;    /* bytes */
};

/* The beginning of its text: after a byte order mark, which some editors write. */
size_t source_begin(const struct source *source);

/* Half-open byte range [begin, end) in a source; the line and column are derived when printed. */
struct source_span {
    const struct source *source; /* NULL: no position; the message has no location */
    uint32_t begin;
    uint32_t end;
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_INTERNAL };

/* Every message that atomc prints, and every reason for not instrumenting a site: messages.def. */
enum message {
#define MESSAGE(id, severity, text) MESSAGE_##id,
#include "messages.def"
#undef MESSAGE
    MESSAGE_COUNT
};

struct diagnostics;
/* Diagnostics are collected, and printed in the order given by diagnostics_print(): for spans,
   `path:line:column: error: text`, the source line, a caret line `~~~^` style underline, and, if
   set, `hint: ...`. If there is no span: `atomc: error: text`. Colours are used only on a terminal. */
struct diagnostics *diagnostics_create(void);
void diagnostics_destroy(struct diagnostics *diagnostics);
/* `where` may be NULL. The arguments follow the printf format of the message's text. */
void diagnose(struct diagnostics *diagnostics, const struct source_span *where, enum message id, ...);
void diagnose_list(struct diagnostics *diagnostics, const struct source_span *where, enum message id,
                   va_list arguments);
/* Attaches a hint to the message reported last. */
void diagnose_hint(struct diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
unsigned diagnostics_errors(const struct diagnostics *diagnostics);    /* SEVERITY_ERROR and INTERNAL */
unsigned diagnostics_internal(const struct diagnostics *diagnostics);  /* SEVERITY_INTERNAL only */
void diagnostics_print(struct diagnostics *diagnostics, FILE *stream); /* prints and forgets the texts */
/* The parts of one diagnostic, for other forms than text. Lines and columns count from 1; a column is a
   character, not a byte. The end is the first position after the range. */
struct diagnostic_parts {
    const char *severity; /* note, warning, error, internal error */
    const char *id;       /* the name in messages.def */
    const char *message, *hint;
    const char *path; /* NULL: it has no position in a source, and the following members are 0 */
    size_t line, column, end_line, end_column;
    uint32_t begin, end; /* bytes of the source */
};
/* Sets path, lines, columns and bytes. */
void span_parts(const struct source_span *where, struct diagnostic_parts *parts);
void diagnostics_visit(const struct diagnostics *diagnostics,
                       void (*visit)(const struct diagnostic_parts *parts, void *context), void *context);
const char *message_text(enum message id);

/* The candidate closest to `name` by edit distance, or NULL if none is close. */
const char *nearest_name(const char *name, const char *const *candidates, size_t count);

/* ---- file_memory.c -------------------------------------------------------------------------- */

/* Memory whose contents are in an unnamed file in the folder: parts of it can be released, and are read
   from the file when they are used again. NULL and errno if the folder has no room for it. */
struct file_memory;
struct file_memory *file_memory_create(const char *folder);
/* Enlarges the memory, at the same address or moved; additional bytes are zero. NULL if there is no room; the
   contents are kept. */
void *file_memory_grow(struct file_memory *memory, size_t size);
/* Whole pages of these bytes take no memory until they are used. */
void file_memory_leave(struct file_memory *memory, size_t begin, size_t end);
void file_memory_destroy(struct file_memory *memory); /* NULL: nothing */

/* ---- shown.c: texts of others, such as names in a program, for a terminal ---- */

/* True if the text has no control characters except those in `kept`. */
bool is_plain_text(const char *text, const char *kept);
/* Writes control characters except those in `kept` as \xNN. */
void put_shown(const char *text, const char *kept, FILE *stream);
/* Writes it as one line: characters that would break it, or its columns, become blanks. */
void put_line_text(const char *text, FILE *stream);
void put_line_part(const char *text, size_t length, FILE *stream);
/* The text as put_shown would write it, with `kept` empty: the text itself, or a copy in the arena. */
const char *shown_text(struct arena *arena, const char *text);
/* Writes a field of CSV. A text that a spreadsheet would compute is preceded by an apostrophe, which makes it
   a text. */
void put_csv_field(const char *text, FILE *stream);
/* A field of a table's row, `number` from 0: in CSV, or as one line after a tab. */
void put_row_field(unsigned number, const char *text, bool is_csv, FILE *stream);
/* The columns of a terminal that UTF-8 takes: characters, not bytes. */
uint32_t text_width(const char *text);

/* ---- files.c -------------------------------------------------------------------------------- */

/* Reads a whole file; NULL and errno on failure. The result has a NUL after its last byte. */
char *read_file(const char *path, size_t *length);
char *arena_read_file(struct arena *arena, const char *path, size_t *length); /* likewise, in the arena */
/* True if the file's suffix is one of C++, or of C. */
bool is_cplusplus_source(const char *path);
bool is_c_source(const char *path);
/* A private temporary directory, made once, removed with its contents at exit and on SIGINT,
   SIGTERM and SIGHUP, which also end the command that is running. Returns its path, or NULL and errno. */
const char *temporary_directory(void);
/* Takes over a directory that this process made before it executed another program; "" is none. */
void adopt_temporary_directory(const char *path);
/* Removes it and its contents now: before this process becomes another program. */
void remove_temporary_files(void);
/* Creates a file whose name is made from a template that ends in XXXXXX, and remembers it as below. Returns
 * the descriptor, or -1 and errno. */
int create_temporary(char *path);
/* The target if the path is a symbolic link, which a rename would replace. The caller frees it. */
char *follow_links(const char *path);
/* Remember/forget a file that must not survive a failure or a signal. */
void remove_on_failure(const char *path);
void keep_file(const char *path);

/* ---- output.c: files that appear whole or not at all ---- */

struct output_file {
    FILE *stream;
    const char *path; /* NULL: standard output */
    char *temporary,
        *real; /* the file that is written, and the one that it becomes; NULL: written directly */
};
/* `path`: NULL: standard output. A file that is not regular, such as a terminal, a pipe or an open file's
   name in /dev, is written directly. False after an error, which is reported. */
bool output_open(struct output_file *output, const char *path, struct diagnostics *diagnostics);
/* The file appears if all was written and `good`; else the old one stays. False if it could not be written,
   which is reported unless another error was. */
bool output_close(struct output_file *output, bool good, struct diagnostics *diagnostics);
/* The program atomc: beside this program, or, if this program is installed in lib/, in bin/ of the prefix;
   otherwise atomc is searched in PATH. */
const char *atomc_beside(void);
/* ---- process.c: commands; process.h has children of other kinds ----------------------------- */

/* Runs argv[0] from PATH, waits, and returns its exit status (128+signal if killed, -1 if it could
   not be started). Standard error is collected into *output (malloc'd, may be NULL to inherit). */
int run_command(char *const argv[], char **output);
/* Runs all commands in parallel, one for each processor at a time. `status` and `output` are set as by
   run_command; `output` is malloc'd or NULL. */
struct child_command {
    char *const *argv;
    char *output;
    int status;
};
void run_commands(struct child_command *commands, size_t count);

#endif
