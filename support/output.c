/* output.c: files that appear whole or not at all: they are written beside their place, and then renamed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/support.h"

static bool is_written_directly(const char *path) {
    struct stat status;
    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
        return true;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static FILE *open_temporary(struct output_file *output) {
    output->real = follow_links(output->path);
    output->temporary = format_string("%s.XXXXXX", output->real);
    int descriptor = create_temporary(output->temporary);
    mode_t mask = umask(0);
    umask(mask);
    if (descriptor < 0 || fchmod(descriptor, 0666 & ~mask) != 0)
        return NULL;
    return fdopen(descriptor, "w");
}

static void report_output(const struct output_file *output, struct diagnostics *diagnostics) {
    diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, output->path ? output->path : "standard output",
             strerror(errno));
}

static void forget_names(struct output_file *output) {
    free(output->temporary);
    free(output->real);
    output->temporary = output->real = NULL;
}

bool output_open(struct output_file *output, const char *path, struct diagnostics *diagnostics) {
    *output = (struct output_file){.path = path};
    if (!path)
        output->stream = stdout;
    else if (is_written_directly(path))
        output->stream = fopen(path, "a");
    else
        output->stream = open_temporary(output);
    if (output->stream)
        return true;
    report_output(output, diagnostics);
    forget_names(output);
    return false;
}

bool output_close(struct output_file *output, bool good, struct diagnostics *diagnostics) {
    bool written = fflush(output->stream) == 0 && !ferror(output->stream);
    if (output->stream != stdout)
        written = fclose(output->stream) == 0 && written;
    if (good && written && output->temporary) {
        written = rename(output->temporary, output->real) == 0;
        if (written)
            keep_file(output->temporary);
    }
    if (good && !written)
        report_output(output, diagnostics);
    forget_names(output);
    return written;
}
