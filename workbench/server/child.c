/* child.c: runs commands that a shell could run as well, and collects their output. Each has its own
   session, which is killed as a whole at a limit, when a newer command replaces it, and when the server
   ends.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/process.h"
#include "workbench/server/child.h"
#include "workbench/project/project.h"

enum {
    MOST_ERRORS = 64 * 1024,
    MOST_OUTPUT = 64 << 20,
    COMMAND_SECONDS = 10,
    PIECE = 64 * 1024,
    END_MILLISECONDS = 1000
};

/* The running commands, so that other threads can end them. */
static struct {
    pthread_mutex_t lock;
    struct running *first;
    bool stopping;
} commands = {.lock = PTHREAD_MUTEX_INITIALIZER};
struct running {
    const char *topic;
    int wake[2]; /* written to, to end it */
    struct running *next;
};

/* ---- starting ----------------------------------------------------------------------------------------- */

static const char *const kept_variables[] = {"HOME",    "PATH",           "TMPDIR",        "USER",
                                             "LOGNAME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "ATOMC_CACHE",
                                             "QEMU",    "ASAN_OPTIONS",   "UBSAN_OPTIONS", "LSAN_OPTIONS"};
enum { KEPT = sizeof kept_variables / sizeof kept_variables[0] };

/* A fixed environment: the variables that atomc needs, and a locale with UTF-8. */
static char **make_environment(void) {
    char **environment = allocate_zeroed(KEPT + 3, sizeof *environment);
    const char *packages = getenv("ATOMC_PACKAGES");
    size_t count = 0;
    environment[count++] = duplicate_string("LC_ALL=C.UTF-8");
    /* The project's own tools go first. */
    char *own = project_packages(server.project);
    environment[count++] =
        format_string("ATOMC_PACKAGES=%s%s%s", own, packages ? ":" : "", packages ? packages : "");
    free(own);
    for (size_t i = 0; i < KEPT; i++) {
        const char *value = getenv(kept_variables[i]);
        if (value)
            environment[count++] = format_string("%s=%s", kept_variables[i], value);
    }
    return environment;
}

static void free_environment(char **environment) {
    for (size_t i = 0; environment[i]; i++)
        free(environment[i]);
    free(environment);
}

pid_t child_start(const char *const *words, const int files[4], const char *folder) {
    char **variables = make_environment();
    sigset_t none;
    sigemptyset(&none);
    size_t count = 0;
    while (words[count])
        count++;
    const char **copy = allocate_zeroed(count + 1, sizeof *copy);
    memcpy(copy, words, count * sizeof *copy);
    if (strcmp(copy[0], "atomc") == 0)
        copy[0] = atomc_beside();
    pid_t child = process_start(&(struct process){.words = copy,
                                                  .variables = (const char *const *)variables,
                                                  .folder = folder,
                                                  .files = files,
                                                  .file_count = files[3] == PROCESS_NOTHING ? 3 : 4,
                                                  .only_files = true,
                                                  .default_signals = true,
                                                  .blocked = &none,
                                                  .group = PROCESS_SESSION,
                                                  .death_signal = SIGKILL});
    int error = errno;
    free(copy);
    free_environment(variables);
    errno = error;
    return child;
}

/* ---- one that is waited for --------------------------------------------------------------------------- */

static bool enter_running(struct running *running, const char *topic) {
    *running = (struct running){.topic = topic};
    if (pipe2(running->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    pthread_mutex_lock(&commands.lock);
    for (struct running *other = commands.first; other; other = other->next)
        if (topic && other->topic && strcmp(other->topic, topic) == 0)
            (void)!write(other->wake[1], "s", 1);
    bool stopping = commands.stopping;
    running->next = commands.first;
    commands.first = running;
    pthread_mutex_unlock(&commands.lock);
    if (stopping)
        (void)!write(running->wake[1], "s", 1);
    return true;
}

static void leave_running(struct running *running) {
    pthread_mutex_lock(&commands.lock);
    struct running **at = &commands.first;
    while (*at != running)
        at = &(*at)->next;
    *at = running->next;
    pthread_mutex_unlock(&commands.lock);
    close(running->wake[0]);
    close(running->wake[1]);
}

void commands_stop(void) {
    pthread_mutex_lock(&commands.lock);
    commands.stopping = true;
    for (struct running *running = commands.first; running; running = running->next)
        (void)!write(running->wake[1], "s", 1);
    pthread_mutex_unlock(&commands.lock);
}

static double monotonic_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct collected {
    char *bytes;
    size_t length, capacity, most;
};

/* Returns false at the end of the output. Output beyond the limit is dropped, and *too_much is set. */
static bool read_piece(int descriptor, struct collected *to, bool *too_much) {
    char piece[4096];
    ssize_t length = read(descriptor, piece, sizeof piece);
    if (length < 0)
        return errno == EAGAIN || errno == EINTR;
    size_t room = to->most - to->length, used = (size_t)length < room ? (size_t)length : room;
    *too_much |= used < (size_t)length;
    if (to->length + used + 1 > to->capacity) {
        to->capacity = to->capacity * 2 + PIECE;
        to->bytes = reallocate(to->bytes, to->capacity);
    }
    memcpy(to->bytes + to->length, piece, used);
    to->length += used;
    to->bytes[to->length] = '\0';
    return length > 0;
}

/* Passes on complete lines; at the end of the output, also an incomplete one. */
static void hand_over(const struct command *command, struct collected *output, bool ended) {
    size_t begin = 0;
    for (char *end; (end = memchr(output->bytes + begin, '\n', output->length - begin));
         begin = (size_t)(end + 1 - output->bytes))
        command->take_line(command->context, output->bytes + begin, (size_t)(end - output->bytes) - begin);
    if (ended && begin < output->length) {
        command->take_line(command->context, output->bytes + begin, output->length - begin);
        begin = output->length;
    }
    output->length -= begin;
    memmove(output->bytes, output->bytes + begin, output->length + 1);
}

struct pipes {
    int input, output, errors; /* this process's end; -1: closed */
};

/* Processor time that the session's processes have used, in seconds, with children of theirs that have ended:
   /proc/PID/stat. */
static double session_seconds(pid_t session) {
    DIR *processes = opendir("/proc");
    unsigned long long ticks = 0;
    for (const struct dirent *entry; processes && (entry = readdir(processes));) {
        char path[300], line[1024];
        unsigned long long own, system;
        long long ended, ended_system;
        int of;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = fopen(path, "re");
        const char *rest = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
        if (rest &&
            sscanf(rest + 1, " %*c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld", &of, &own,
                   &system, &ended, &ended_system) == 5 &&
            of == session)
            ticks += own + system + (unsigned long long)(ended + ended_system);
        if (file)
            fclose(file);
    }
    if (processes)
        closedir(processes);
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

/* A command's time. On a busy machine it is longer, as long as the command makes progress. */
struct allowance {
    double seconds, until, used;
    int extensions;
};

/* False if the command has used that much processor time, or next to none since it was last asked: it hangs.
 */
static bool extend_allowance(struct allowance *allowance, pid_t child) {
    enum { MOST_EXTENSIONS = 11, SMALLEST_PART = 200 };
    const double used = session_seconds(child), more = used - allowance->used;
    if (used > 0.9 * allowance->seconds || more < allowance->seconds / SMALLEST_PART ||
        allowance->extensions == MOST_EXTENSIONS)
        return false;
    allowance->used = used;
    allowance->extensions++;
    allowance->until = monotonic_seconds() + allowance->seconds;
    return true;
}

/* Feeds and collects until both outputs have ended. */
static enum command_end converse_with_child(const struct command *command, pid_t child, struct pipes *pipes,
                                            int wake, struct collected *output, struct collected *errors) {
    struct allowance allowance = {.seconds = command->seconds > 0 ? command->seconds : COMMAND_SECONDS};
    allowance.until = monotonic_seconds() + allowance.seconds;
    size_t written = 0;
    bool ignored = false, too_much = false;
    while (pipes->output >= 0 || pipes->errors >= 0) {
        struct pollfd polls[4] = {{wake, POLLIN, 0},
                                  {pipes->output, POLLIN, 0},
                                  {pipes->errors, POLLIN, 0},
                                  {pipes->input, POLLOUT, 0}};
        double left = allowance.until - monotonic_seconds();
        if (left <= 0 && !extend_allowance(&allowance, child))
            return COMMAND_TOO_LONG;
        left = allowance.until - monotonic_seconds();
        if (poll(polls, 4, (int)(left * 1000) + 1) < 0 && errno != EINTR)
            return COMMAND_NOT_STARTED;
        if (polls[0].revents)
            return COMMAND_SUPERSEDED;
        if (polls[1].revents) {
            bool more = read_piece(pipes->output, output, &too_much);
            if (command->take_line && output->bytes)
                hand_over(command, output, !more);
            if (!more) {
                close(pipes->output);
                pipes->output = -1;
            }
        }
        if (too_much)
            return COMMAND_TOO_MUCH;
        if (polls[2].revents && !read_piece(pipes->errors, errors, &ignored)) {
            close(pipes->errors);
            pipes->errors = -1;
        }
        if (polls[3].revents) {
            ssize_t length = write(pipes->input, command->input + written, command->input_length - written);
            written += length > 0 ? (size_t)length : 0;
            if ((length < 0 && errno != EAGAIN && errno != EINTR) || written == command->input_length) {
                close(pipes->input);
                pipes->input = -1;
            }
        }
    }
    return COMMAND_ENDED;
}

static void close_all(const int *descriptors, int count) {
    for (int i = 0; i < count; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
}

/* ends: the child's ends; pipes: this process's ends. */
static bool make_pipes(const struct command *command, int ends[4], struct pipes *pipes) {
    int input[2] = {-1, -1}, output[2] = {-1, -1}, errors[2] = {-1, -1};
    if ((command->input_length > 0 && pipe2(input, O_CLOEXEC) != 0) || pipe2(output, O_CLOEXEC) != 0 ||
        pipe2(errors, O_CLOEXEC) != 0) {
        close_all((int[]){input[0], input[1], output[0], output[1], errors[0], errors[1]}, 6);
        return false;
    }
    if (input[1] >= 0)
        fcntl(input[1], F_SETFL, O_NONBLOCK);
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    ends[0] = input[0];
    ends[1] = output[1];
    ends[2] = errors[1];
    ends[3] = -1;
    *pipes = (struct pipes){input[1], output[0], errors[0]};
    return true;
}

bool command_run(const struct project *project, const struct command *command,
                 struct command_result *result) {
    struct collected output = {.most = command->most ? command->most : MOST_OUTPUT},
                     errors = {.most = MOST_ERRORS};
    struct running running;
    struct pipes pipes;
    int ends[4], status = 0;
    *result = (struct command_result){.end = COMMAND_NOT_STARTED};
    if (enter_running(&running, command->topic)) {
        if (make_pipes(command, ends, &pipes)) {
            pid_t child = child_start(command->words, ends,
                                      command->folder ? command->folder : project_folder(project));
            close_all(ends, 3);
            if (child > 0) {
                result->end = converse_with_child(command, child, &pipes, running.wake[0], &output, &errors);
                /* atomc ends the compiler that it has started, which is in its own group, and removes its
                   files. */
                status = result->end == COMMAND_ENDED ? process_wait_group(child)
                                                      : process_end_group(child, END_MILLISECONDS);
            }
            close_all((int[]){pipes.input, pipes.output, pipes.errors}, 3);
        }
        leave_running(&running);
    }
    reading_renew();
    result->status = process_exit_status(status);
    result->output = output.bytes ? output.bytes : duplicate_string("");
    result->output_length = output.length;
    result->errors = errors.bytes ? errors.bytes : duplicate_string("");
    return result->end == COMMAND_ENDED;
}

void command_free(struct command_result *result) {
    free(result->output);
    free(result->errors);
}

/* The first error of atomc's messages: `FILE:LINE:COLUMN: error: TEXT`, later `hint: TEXT`. */
static bool answer_first_error(struct answer *answer, unsigned status, const char *errors) {
    static const char mark[] = "error: ", hint_mark[] = "hint: ";
    const char *text = strstr(errors, mark);
    if (!text)
        return false;
    const char *line = text, *hint = strstr(text, hint_mark), *next = strstr(text + strlen(mark), mark);
    while (line > errors && line[-1] != '\n')
        line--;
    text += strlen(mark);
    char *hint_text = hint && (!next || hint < next)
                          ? strndup(hint + strlen(hint_mark), strcspn(hint + strlen(hint_mark), "\n"))
                          : NULL;
    answer_error(answer, status, hint_text, "%.*s", (int)strcspn(text, "\n"), text);
    free(hint_text);
    const char *parameter = strstr(text, "parameter '");
    unsigned line_number, column;
    const char *colon = memchr(line, ':', (size_t)(text - line));
    if (colon && sscanf(colon, ":%u:%u:", &line_number, &column) == 2)
        answer_where(answer,
                     json_pack("{s:o, s:i, s:i}", "file", json_stringn_nocheck(line, (size_t)(colon - line)),
                               "line", (int)line_number, "column", (int)column));
    else if (parameter && parameter < text + strcspn(text, "\n"))
        answer_where(answer, json_pack("{s:s%}", "parameter", parameter + 11, strcspn(parameter + 11, "'")));
    return true;
}

/* The same for a document of --json. */
static bool answer_first_diagnostic(struct answer *answer, unsigned status,
                                    const struct command_result *result) {
    json_t *document = json_loadb(result->output, result->output_length, 0, NULL);
    json_t *first = json_array_get(json_object_get(document, "diagnostics"), 0),
           *line = json_object_get(first, "line");
    const char *message = json_string_value(json_object_get(first, "message"));
    if (message)
        answer_error(answer, status, json_string_value(json_object_get(first, "hint")), "%s", message);
    if (message && line)
        answer_where(answer, json_pack("{s:O?, s:O, s:O?}", "file", json_object_get(first, "file"), "line",
                                       line, "column", json_object_get(first, "column")));
    json_decref(document);
    return message != NULL;
}

void answer_command(struct answer *answer, const struct command *command,
                    const struct command_result *result) {
    const char *name = command->words[0];
    int length = (int)strcspn(result->errors, "\n");
    unsigned status = result->status == 1 ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_INTERNAL_SERVER_ERROR;
    switch (result->end) {
    case COMMAND_NOT_STARTED:
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "cannot start %s", name);
        break;
    case COMMAND_TOO_LONG:
        answer_error(answer, MHD_HTTP_SERVICE_UNAVAILABLE, NULL, "%s took longer than %g seconds", name,
                     command->seconds > 0 ? command->seconds : COMMAND_SECONDS);
        break;
    case COMMAND_TOO_MUCH:
        answer_error(answer, MHD_HTTP_SERVICE_UNAVAILABLE, NULL, "%s printed more than %zu bytes", name,
                     command->most ? command->most : (size_t)MOST_OUTPUT);
        break;
    case COMMAND_SUPERSEDED:
        answer_error(answer, MHD_HTTP_CONFLICT, NULL, "a newer request took the place of this one");
        break;
    case COMMAND_ENDED:
        if (answer_first_error(answer, status, result->errors) ||
            answer_first_diagnostic(answer, status, result))
            break;
        answer_error(answer, status, NULL, "%.*s", length ? length : (int)strlen("the command failed"),
                     length ? result->errors : "the command failed");
        break;
    }
}

void answer_document(struct request *request, struct answer *answer, const char *const *words) {
    struct command command = {.words = words};
    struct command_result result;
    if (command_run(request->project, &command, &result) && result.status == 0) {
        answer_text(answer, result.output, result.output_length);
        result.output = NULL;
    } else {
        answer_command(answer, &command, &result);
    }
    command_free(&result);
}
