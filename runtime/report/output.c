/* output.c: the output of reports: standard output or error, or a file that becomes visible only when it is
   complete. Requires ATOMC_OUT and the report's path as the manual describes them. Names are relative to the
   directory where the program started. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/report/report.h"

static char *start_directory; /* root directory of the process: the program may have changed it */

long atomc_named_process, atomc_named_parent; /* whose results are written; 0: this process's */

long atomc_process(void) {
    return atomc_named_process ? atomc_named_process : (long)getpid();
}

long atomc_parent(void) {
    return atomc_named_process ? atomc_named_parent : (long)getppid();
}

/* The descriptor of the directory if the program has another root, which makes the name invalid; -1: the root
   is unchanged. */
static int kept_directory = -1;

const char *atomc_start_directory(void) {
    return kept_directory < 0 ? start_directory : NULL;
}

void atomc_keep_directory(int descriptor) {
    kept_directory = descriptor;
}

void atomc_return_to_directory(void) {
    if (kept_directory >= 0 && fchdir(kept_directory) != 0)
        kept_directory = -1;
}

/* The path up from the directory to the root that the process began with, and down again. */
static char *from_kept(const char *path) {
    char *result = NULL;
    size_t size;
    FILE *stream = open_memstream(&result, &size);
    if (!stream)
        return NULL;
    for (const char *at = start_directory; *at; at++)
        if (*at == '/' && at[1])
            fputs("../", stream);
    fputs(path + 1, stream);
    if (fclose(stream) == 0)
        return result;
    free(result);
    return NULL;
}

void atomc_remember_directory(void) {
    free(start_directory);
    start_directory = getcwd(NULL, 0);
}

void atomc_cannot_write(const char *name) {
    fprintf(stderr, "atomc: cannot write %s: %s\n", name, strerror(errno));
}

static int has_process(const char *text) {
    return text && strstr(text, "%p");
}

/* The text with each `%p` replaced by the number of the process. */
static char *with_process(const char *text) {
    char *result = NULL;
    size_t size;
    if (!has_process(text))
        return strdup(text);
    FILE *stream = open_memstream(&result, &size);
    if (!stream)
        return NULL;
    for (; *text; text++) {
        if (text[0] == '%' && text[1] == 'p') {
            fprintf(stream, "%ld", atomc_process());
            text++;
        } else {
            putc(*text, stream);
        }
    }
    if (fclose(stream) == 0)
        return result;
    free(result);
    return NULL;
}

static char *joined_path(const char *directory, const char *name) {
    char *path;
    return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* ATOMC_OUT, if it is set: a directory, or "-". */
static const char *chosen_place(void) {
    const char *place = getenv("ATOMC_OUT");
    return place && *place ? place : NULL;
}

enum atomc_form atomc_asked_form(void) {
    static const char *const words[] = {"text", "csv", "json", "rows", "table"};
    const char *word = getenv("ATOMC_FORMAT");
    if (!word || !*word)
        return ATOMC_AS_TEXT;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0)
            return (enum atomc_form)i;
    fprintf(stderr,
            "atomc: ATOMC_FORMAT is '%s', not text, table, csv, json or rows: reports are written as text\n",
            word);
    return ATOMC_AS_TEXT;
}

static int is_stream(const char *name) {
    return strcmp(name, "-") == 0 || strcmp(name, "!") == 0;
}

/* A file in ATOMC_OUT's directory is not in a subdirectory: only the last part of an absolute path is
   used. */
char *atomc_report_name(const char *path) {
    const char *place = chosen_place();
    if (is_stream(path))
        return strdup(path);
    if (place && path[0] == '/')
        path = strrchr(path, '/') + 1;
    char *name = with_process(path);
    if (!name || !*atomc_child_number() || has_process(path) || has_process(place))
        return name;
    char *numbered = NULL;
    if (asprintf(&numbered, "%s%s", name, atomc_child_number()) < 0)
        numbered = NULL;
    free(name);
    return numbered;
}

char *atomc_rows_name(const char *tool) {
    static unsigned number;
    char *name;
    return asprintf(&name, "%s.%u.rows", *tool ? tool : "tool", ++number) < 0 ? NULL : name;
}

/* The whole path of a file of this name; NULL if memory is exhausted. */
static char *whole_path(const char *name) {
    const char *place = chosen_place();
    char *directory = place ? with_process(place) : NULL, *path = NULL;
    if (place && directory)
        path = joined_path(directory, name);
    else if (!place)
        path = strdup(name);
    free(directory);
    if (!path || !start_directory || (path[0] == '/') == (kept_directory < 0))
        return path;
    char *absolute = path[0] == '/' ? from_kept(path) : joined_path(start_directory, path);
    free(path);
    return absolute;
}

/* Makes the missing directories of the path. A failure is reported when the file is made.
 */
static void make_directories(char *path) {
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0777);
        *at = '/';
    }
}

/* A file is written under another name, and renamed when it is complete. Links are followed. A file that is
   not regular (a terminal, a pipe) is written directly. */
static int open_report_file(struct atomc_output *output, int grows) {
    struct stat status;
    char *real = realpath(output->path, NULL);
    if (real) {
        free(output->path);
        output->path = real;
    }
    if (grows || (real && stat(real, &status) == 0 && !S_ISREG(status.st_mode))) {
        output->stream = fopen(output->path, "we");
        return output->stream != NULL;
    }
    if (asprintf(&output->temporary, "%s.%ld.new", output->path, atomc_process()) < 0)
        output->temporary = NULL;
    if (!output->temporary)
        return 0;
    unlink(output->temporary); /* left by a killed process with this number */
    int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    output->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    return output->stream != NULL;
}

static void release_output(struct atomc_output *output) {
    free(output->shown);
    free(output->path);
    free(output->temporary);
}

/* ---- shown ---- */

static long shown_process; /* the first process that shows results; 0: results are not shown */
const char *atomc_shown_program = "";

int atomc_is_shown(void) {
    return shown_process != 0;
}

int atomc_is_first_shown(void) {
    return atomc_process() == shown_process;
}

static void (*when_shown)(void);

void atomc_name_shown(void) {
    if (when_shown)
        when_shown();
}

void atomc_begin_shown(void (*when_whole)(void)) {
    when_shown = when_whole;
    shown_process = (long)getpid();
}

/* Prints a heading, if necessary: a single report of one process has no name but "-". */
static void show_heading(const char *name) {
    int is_other = atomc_process() != shown_process || *atomc_shown_program, is_named = !is_stream(name);
    enum atomc_form form = atomc_asked_form();
    if ((form != ATOMC_AS_TEXT && form != ATOMC_AS_TABLE) || (!is_other && !is_named))
        return;
    printf("atomc: %s", is_named ? name : "report");
    if (is_other)
        printf(" of process %ld", atomc_process());
    printf("%s%s:\n", *atomc_shown_program ? ", " : "", atomc_shown_program);
}

int atomc_open_output(struct atomc_output *output, const char *name, enum atomc_audience audience) {
    const char *place = chosen_place();
    *output = (struct atomc_output){.process = atomc_process()};
    int is_shown = shown_process && atomc_asked_form() != ATOMC_AS_ROWS;
    if (is_shown && (audience != ATOMC_FOR_PROGRAMS || strcmp(name, "-") == 0) && strcmp(name, "!") != 0) {
        output->stream = stdout;
        show_heading(name);
        return 1;
    }
    if (strcmp(name, "-") == 0 || (place && strcmp(place, "-") == 0))
        output->stream = stdout;
    else if (strcmp(name, "!") == 0)
        output->stream = stderr;
    if (output->stream)
        return 1;
    output->path = whole_path(name);
    output->shown = place ? joined_path(place, name) : strdup(name);
    if (output->path && place)
        make_directories(output->path);
    if (output->path && open_report_file(output, audience == ATOMC_GROWS))
        return 1;
    atomc_cannot_write(output->path ? output->path : name);
    release_output(output);
    return 0;
}

FILE *atomc_standard_stream(const char *file) {
    const char *place = chosen_place();
    return strcmp(file, "stderr") == 0                                                     ? stderr
           : shown_process || strcmp(file, "-") == 0 || (place && strcmp(place, "-") == 0) ? stdout
                                                                                           : NULL;
}

int atomc_open_lines(const char *path) {
    const char *place = chosen_place();
    if (strcmp(path, "-") == 0 || (place && strcmp(place, "-") == 0))
        return STDOUT_FILENO;
    if (strcmp(path, "!") == 0)
        return STDERR_FILENO;
    char *name = atomc_report_name(path), *whole = name ? whole_path(name) : NULL;
    if (whole && place)
        make_directories(whole);
    int descriptor = whole ? open(whole, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (descriptor < 0)
        atomc_cannot_write(whole ? whole : path);
    free(name);
    free(whole);
    return descriptor;
}

/* True if all of it was written; otherwise errno is the reason. If an earlier write failed, the reason is
   lost: a file that is discarded is tested again. */
static int is_flushed(FILE *stream) {
    int before = ferror(stream), descriptor = fileno(stream);
    if (fflush(stream) != 0)
        return 0;
    if (before && (descriptor <= STDERR_FILENO || write(descriptor, "\n", 1) >= 0))
        errno = EIO;
    return !before;
}

/* The file was opened under the first root. */
static void find_again(char **path) {
    char *found = *path && **path == '/' && kept_directory >= 0 ? from_kept(*path) : NULL;
    if (!found)
        return;
    free(*path);
    *path = found;
}

uint64_t atomc_quiet;

/* Standard error belongs to the program: output that is not for a terminal must not change. */
static int is_announced(void) {
    const char *word = getenv("ATOMC_QUIET");
    if (word && *word)
        return strcmp(word, "0") == 0;
    return !atomc_quiet && !*atomc_child_number() && isatty(STDERR_FILENO);
}

int atomc_announces(void) {
    const char *word = getenv("ATOMC_QUIET");
    int silenced = word && *word && strcmp(word, "0") != 0;
    return is_announced() || (atomc_is_shown() && !atomc_quiet && !silenced);
}

void atomc_announce(const char *format, ...) {
    char text[1000];
    va_list values;
    if (!atomc_announces())
        return;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fprintf(stderr, "atomc: %s\n", text);
}

static void announce_file(const struct atomc_output *output, uint64_t rows) {
    if (!output->shown || !is_announced())
        return;
    if (rows == NO_ROWS)
        fprintf(stderr, "atomc: wrote %s\n", output->shown);
    else
        fprintf(stderr, "atomc: wrote %s (%llu row%s)\n", output->shown, (unsigned long long)rows,
                rows == 1 ? "" : "s");
}

/* If execve has failed, the process that wrote the results before it has put the file there. */
static int is_in_place(const struct stat *written, const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && there.st_dev == written->st_dev && there.st_ino == written->st_ino;
}

void atomc_close_output(struct atomc_output *output, uint64_t rows) {
    find_again(&output->path);
    find_again(&output->temporary);
    int good = is_flushed(output->stream);
    if (!output->path) {
        if (!good)
            atomc_cannot_write(output->stream == stderr ? "standard error" : "standard output");
        clearerr(output->stream);
        return;
    }
    int error = errno, is_own = output->process == atomc_process();
    struct stat written = {0};
    fstat(fileno(output->stream), &written);
    if (fclose(output->stream) != 0 && good) {
        good = 0;
        error = errno;
    }
    if (good && is_own && output->temporary && !is_in_place(&written, output->path) &&
        rename(output->temporary, output->path) != 0) {
        good = 0;
        error = errno;
    }
    errno = error;
    if (!good)
        atomc_cannot_write(output->path);
    else if (is_own)
        announce_file(output, rows);
    if (!good && is_own && output->temporary)
        unlink(output->temporary);
    release_output(output);
}
