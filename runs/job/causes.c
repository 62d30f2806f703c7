/* causes.c: finds system calls of a program whose results can differ between runs, in records of its system
   calls (qemu-alpha -strace); and the first call whose result did differ between two runs. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs/job/job.h"

enum cause { TIME, RANDOM, THREADS, PROCESSES, SIGNALS, NUMBERS, SYSTEM, CAUSES };
static const char *const cause_words[CAUSES] = {"time",
                                                "random numbers",
                                                "threads",
                                                "other processes",
                                                "signals",
                                                "numbers of processes",
                                                "state of the system"};

/* Calls by their names, as the record has them. */
static const struct asked {
    const char *name;
    enum cause cause;
} calls[] = {
    {"adjtimex", TIME},
    {"clock_adjtime", TIME},
    {"clock_gettime", TIME},
    {"clock_nanosleep", TIME},
    {"getitimer", TIME},
    {"getrusage", TIME},
    {"gettimeofday", TIME},
    {"nanosleep", TIME},
    {"osf_getitimer", TIME},
    {"osf_getrusage", TIME},
    {"osf_gettimeofday", TIME},
    {"osf_setitimer", TIME},
    {"osf_usleep_thread", TIME},
    {"osf_wait4", TIME},
    {"setitimer", TIME},
    {"timer_gettime", TIME},
    {"timer_settime", TIME},
    {"timerfd_gettime", TIME},
    {"timerfd_settime", TIME},
    {"times", TIME},
    {"getrandom", RANDOM},
    {"fork", PROCESSES},
    {"vfork", PROCESSES},
    {"getxpid", NUMBERS},
    {"getpid", NUMBERS},
    {"getppid", NUMBERS},
    {"gettid", NUMBERS},
    {"getpgid", NUMBERS},
    {"getsid", NUMBERS},
    {"getcpu", SYSTEM},
    {"sched_getaffinity", SYSTEM},
    {"statfs", SYSTEM},
    {"fstatfs", SYSTEM},
    {"sysinfo", SYSTEM},
    {"socket", SYSTEM},
};

/* Files whose contents differ each time, by the beginnings of their paths. */
static const struct asked files[] = {
    {"/dev/urandom", RANDOM}, {"/dev/random", RANDOM}, {"/proc/", SYSTEM}, {"/sys/", SYSTEM}};

struct causes {
    json_t *by[CAUSES]; /* name: how often */
    bool numbers_differ;
    bool allocator; /* the record has shown its random number */
};

static void count_cause(struct causes *causes, enum cause cause, const char *name, json_int_t times) {
    if (!causes->by[cause])
        causes->by[cause] = json_object();
    json_t *before = json_object_get(causes->by[cause], name);
    json_object_set_new(causes->by[cause], name, json_integer(json_integer_value(before) + times));
}

/* The text after the number of the process, or after two numbers: another process may have written between.
 */
static const char *call_of(const char *line) {
    const char *at = line + strspn(line, "0123456789");
    while (at > line && *at == ' ') {
        line = at + 1;
        at = line + strspn(line, "0123456789");
    }
    return line;
}

static bool text_begins(const char *text, const char *begin) {
    return strncmp(text, begin, strlen(begin)) == 0;
}

static void look_at_clone(struct causes *causes, const char *call) {
    if (strstr(call, "CLONE_VFORK") || !strstr(call, "CLONE_VM"))
        count_cause(causes, PROCESSES, "clone", 1);
    else
        count_cause(causes, THREADS, "clone", 1);
}

static void look_at_file(struct causes *causes, const char *call) {
    const char *path = strchr(call, '"');
    if (!path || text_begins(path + 1, "/proc/self/exe\"")) /* it is always the process's own name */
        return;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (text_begins(path + 1, files[i].name)) {
            char *name = format_string("%.*s", (int)strcspn(path + 1, "\""), path + 1);
            count_cause(causes, files[i].cause, name, 1);
            free(name);
        }
}

static void look_at_line(struct causes *causes, const char *line) {
    const char *call = call_of(line);
    size_t length = strcspn(call, "(");
    if (text_begins(call, "--- SIG")) {
        char *name = format_string("%.*s", (int)strcspn(call + 4, " "), call + 4);
        /* Signals caused by instructions arrive at the same point each time. */
        if (strcmp(name, "SIGSEGV") != 0 && strcmp(name, "SIGBUS") != 0 && strcmp(name, "SIGFPE") != 0 &&
            strcmp(name, "SIGILL") != 0 && strcmp(name, "SIGTRAP") != 0)
            count_cause(causes, SIGNALS, name, 1);
        free(name);
        return;
    }
    if (text_begins(call, "clone(") || text_begins(call, "clone3("))
        look_at_clone(causes, call);
    if (text_begins(call, "open(") || text_begins(call, "openat(") || text_begins(call, "readlink("))
        look_at_file(causes, call);
    /* glibc's allocator reads a random number for detecting errors; its behaviour does not depend on it. */
    const char *arguments = strchr(call, ',');
    if (text_begins(call, "getrandom(") && !causes->allocator && arguments &&
        text_begins(arguments, ",8,1)")) {
        causes->allocator = true;
        return;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strlen(calls[i].name) == length && text_begins(call, calls[i].name) &&
            (calls[i].cause != NUMBERS || causes->numbers_differ))
            count_cause(causes, calls[i].cause, calls[i].name, 1);
}

/* Concurrent calls of threads and processes may be in one line: a call is at its beginning, or follows the
   arguments of another. Its number may be before the other call: the emulator writes number and name apart.
 */
static void look_at_calls(struct causes *causes, const char *line) {
    look_at_line(causes, line);
    for (const char *at = strchr(line, ')'); at; at = strchr(at + 1, ')')) {
        size_t digits = strspn(at + 1, "0123456789");
        if ((digits > 0 && at[1 + digits] == ' ') || (at[1] >= 'a' && at[1] <= 'z'))
            look_at_line(causes, at + 1);
    }
}

/* True if the lines are equal, except for numbers of processes where these differ. */
static bool are_equal(const struct causes *causes, const char *a, const char *b) {
    static const char *const numbered[] = {"clone",      "fork(",   "vfork(",
                                           "getxpid(",   "gettid(", "set_tid_address(",
                                           "osf_wait4(", "wait4(",  "futex("};
    if (!causes->numbers_differ)
        return strcmp(a, b) == 0;
    a = call_of(a);
    b = call_of(b);
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (text_begins(a, numbered[i]) && text_begins(b, numbered[i]))
            return true;
    return strcmp(a, b) == 0;
}

static bool next_log_line(FILE *file, char **line, size_t *size) {
    if (!file || getline(line, size, file) <= 0)
        return false;
    (*line)[strcspn(*line, "\n")] = '\0';
    return true;
}

static json_t *causes_json(const struct causes *causes) {
    json_t *list = json_array();
    for (int i = 0; i < CAUSES; i++)
        if (causes->by[i])
            json_array_append_new(list,
                                  json_pack("{s:s, s:o}", "cause", cause_words[i], "by", causes->by[i]));
    return list;
}

json_t *find_causes(const char *const records[2], bool numbers_differ, int64_t cycle_counters) {
    struct causes causes = {.numbers_differ = numbers_differ};
    FILE *streams[2] = {fopen(records[0], "re"), fopen(records[1], "re")};
    char *lines[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    json_t *first = json_null();
    bool there[2] = {true, true}, alone = true; /* the order of several is the system's */
    for (json_int_t number = 1; there[0] || there[1]; number++) {
        for (int i = 0; i < 2; i++)
            there[i] = there[i] && next_log_line(streams[i], &lines[i], &sizes[i]);
        if (there[0])
            look_at_calls(&causes, lines[0]);
        alone &= !causes.by[THREADS] && !causes.by[PROCESSES];
        if (!alone || !json_is_null(first) || (!there[0] && !there[1]) ||
            (there[0] && there[1] && are_equal(&causes, lines[0], lines[1])))
            continue;
        first = json_object();
        json_object_set_new(first, "number", json_integer(number));
        json_object_set_new(first, "a", there[0] ? json_text(call_of(lines[0])) : json_null());
        json_object_set_new(first, "b", there[1] ? json_text(call_of(lines[1])) : json_null());
    }
    if (cycle_counters)
        count_cause(&causes, TIME, "rpcc", cycle_counters);
    for (int i = 0; i < 2; i++) {
        free(lines[i]);
        if (streams[i])
            fclose(streams[i]);
    }
    return json_pack("{s:o, s:o}", "can_be", causes_json(&causes), "first_difference", first);
}

char *causes_text(const json_t *causes) {
    char *text = NULL;
    size_t size, i;
    json_t *cause, *times, *first = json_object_get(causes, "first_difference");
    const char *name;
    FILE *stream = open_memstream(&text, &size);
    json_array_foreach(json_object_get(causes, "can_be"), i, cause) {
        const char *separator = " (";
        fprintf(stream, "%s%s", i ? ", " : "it can be caused by ",
                json_string_value(json_object_get(cause, "cause")));
        json_object_foreach(json_object_get(cause, "by"), name, times) {
            fprintf(stream, "%s%s %lld", separator, name, (long long)json_integer_value(times));
            separator = ", ";
        }
        fputs(")", stream);
    }
    if (i == 0)
        fputs("the program asks for nothing that is known to differ", stream);
    if (json_is_object(first)) {
        const char *a = json_string_value(json_object_get(first, "a")),
                   *b = json_string_value(json_object_get(first, "b"));
        fprintf(stream, "; the first system call that differed: %s, and %s", a ? a : "none", b ? b : "none");
    }
    fclose(stream);
    return text;
}
