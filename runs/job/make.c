/* make.c: makes a run's folder from its description: instruments the program, runs it, and collects its
   results. The folder has a temporary name until it is complete. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runs/job/job.h"
#include "runs/run/runner.h"

struct making {
    struct job *job;
    const struct job_choice *choice;
    struct events events;
    char *folder; /* under its other name */
    int folder_descriptor;
    json_t *record;
    enum job_reason reason;
    bool system_error;
};

/* ---- parts of the record ---------------------------------------------------------------------------------- */

static json_t *time_now(void) {
    struct timespec now;
    struct tm parts;
    char text[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    return json_sprintf("%s.%03dZ", text, (int)(now.tv_nsec / 1000000));
}

static json_t *rounded_seconds(double seconds) {
    return json_real((double)(long long)(seconds * 1000 + 0.5) / 1000);
}

static json_t *with_size(const json_t *file) {
    struct stat status;
    json_t *object = json_copy((json_t *)(uintptr_t)file);
    if (json_is_object(file) && stat(json_string_value(json_object_get(file, "path")), &status) == 0)
        json_object_set_new(object, "bytes", json_integer((json_int_t)status.st_size));
    return object;
}

static void begin_record(struct making *making) {
    static const char *const nulls[] = {"reason",     "exit_status", "signal",       "ended",
                                        "seconds",    "cpu_seconds", "peak_kb",      "isolation",
                                        "repeatable", "statistics",  "instrumented", "instrument_seconds",
                                        "plain",      "causes",      "missing"};
    static const char *const lists[] = {"differs", "diagnostics", "commands", "notes", "tables", "artifacts"};
    const struct job *job = making->job;
    json_t *record = json_object();
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    making->record = record;
    json_object_set_new(record, "run", json_integer(1));
    json_object_set_new(record, "key", json_string(job->key));
    json_object_set_new(record, "repeat", json_integer(job->repeat));
    json_object_set_new(record, "state", json_string("failed"));
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        json_object_set_new(record, nulls[i], json_null());
    json_object_set_new(record, "started", time_now());
    json_object_set_new(record, "program", with_size(json_object_get(job->given, "program")));
    json_object_set_new(record, "input", with_size(json_object_get(job->given, "input")));
    json_object_set(record, "arguments", json_object_get(job->given, "arguments"));
    json_object_set_new(record, "objects", json_string(job->objects));
    json_object_set(record, "tools", job->tools);
    json_object_set_new(record, "host", json_text(host));
    json_object_set_new(record, "atomc", json_string(job->version));
    json_object_set_new(record, "build", json_string(job->build));
    json_object_set_new(record, "emulator", json_text(job->emulator));
    json_t *layout = json_array();
    for (const char *const *word = emulator_layout(job->emulator); *word; word++)
        json_array_append_new(layout, json_string(*word));
    json_object_set_new(record, "layout", layout);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_object_set_new(record, lists[i], json_array());
    json_object_set(record, "request", job->canonical);
    json_object_set(record, "job", job->given);
}

static void add_run_note(struct making *making, const char *format, ...) {
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0)
        json_array_append_new(json_object_get(making->record, "notes"), json_text(text));
    va_end(arguments);
    free(text);
}

/* The executed command, and the equivalent for a person to type. */
static void begin_phase(struct making *making, const char *phase, const struct command *command,
                        const struct command *typed, const char *input) {
    json_t *object = json_object();
    json_object_set_new(object, "phase", json_string(phase));
    if (command) {
        char *text = command_text(typed, input);
        json_object_set_new(object, "words", command_words(command));
        json_object_set_new(object, "text", json_text(text));
        json_array_append(json_object_get(making->record, "commands"), object);
        free(text);
    }
    events_send(&making->events, "phase", object, false, true);
}

/* ---- instrument ------------------------------------------------------------------------------------------- */

static void add_definition_word(struct command *command, const char *name, const json_t *value) {
    command_add(command, "-D");
    if (json_is_string(value))
        command_add(command, "%s=%s", name, json_string_value(value));
    else if (json_is_integer(value))
        command_add(command, "%s=%lld", name, (long long)json_integer_value(value));
    else
        command_add(command, "%s=%s", name, json_is_true(value) ? "true" : "false");
}

/* A program whose name looks like an option is written with a slash. */
static void add_instrumentation(const struct job *job, struct command *command) {
    const json_t *given = job->given;
    json_t *tool, *value, *word;
    const char *name;
    size_t i, k;
    json_array_foreach(json_object_get(given, "tools"), i, tool) {
        json_t *stock = json_object_get(tool, "name"), *page = json_object_get(tool, "path");
        if (stock)
            command_add(command, "--tool=%s", json_string_value(stock));
        else
            command_add(command, "%s", json_string_value(page));
        json_array_foreach(json_object_get(tool, "code"), k, word)
            command_add(command, "%s", json_string_value(json_object_get(word, "path")));
        json_object_foreach(json_object_get(tool, "parameters"), name, value)
            add_definition_word(command, name, value);
    }
    json_array_foreach(json_object_get(given, "options"), i, word)
        command_add(command, "%s", json_string_value(word));
    if (job->needs_objects || strcmp(job->objects, "main") != 0)
        command_add(command, "--objects=%s", job->objects);
    if (job->root)
        command_add(command, "--root=%s", job->root);
    command_add(command, "%s", job->program);
}

static void keep_program_answer(struct making *making, const char *text, int status) {
    json_t *answer = text ? json_loads(text, 0, NULL) : NULL,
           *diagnostics = json_object_get(answer, "diagnostics"),
           *statistics = json_object_get(answer, "statistics");
    if (json_is_array(diagnostics))
        json_object_set(making->record, "diagnostics", diagnostics);
    else
        add_run_note(making, "atomc ended by %s %d, without a message",
                     WIFSIGNALED(status) ? "signal" : "status",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    if (statistics)
        json_object_set(making->record, "statistics", statistics);
    json_decref(answer);
}

/* To FOLDER/program. */
static bool instrument_program(struct making *making, const char *output) {
    struct command command = {NULL, 0, 0}, typed = {NULL, 0, 0};
    struct ending ending;
    char *text, digest[JOB_DIGEST + 1];
    uint64_t bytes;
    command_add(&command, "%s", atomc_beside());
    command_add(&typed, "atomc");
    add_instrumentation(making->job, &command);
    add_instrumentation(making->job, &typed);
    command_add(&command, "--json");
    command_add(&command, "-v");
    command_add(&command, "--progress=3");
    command_add(&command, "--cached");
    command_add(&command, "-o");
    command_add(&command, "%s", output);
    command_add(&typed, "-o");
    command_add(&typed, "program.atom");
    begin_phase(making, "instrument", &command, &typed, NULL);
    bool good = run_instrumenter(making->job, &command, &making->events, &ending, &text);
    json_object_set_new(making->record, "instrument_seconds", rounded_seconds(ending.seconds));
    keep_program_answer(making, text, ending.status);
    making->system_error = !good;
    if (ending.reason)
        making->reason = ending.reason;
    else if (!WIFEXITED(ending.status) || WEXITSTATUS(ending.status) != 0)
        making->reason = JOB_INSTRUMENT;
    else if (file_digest(output, digest, &bytes))
        json_object_set_new(making->record, "instrumented", json_string(digest));
    free(text);
    command_forget(&command);
    command_forget(&typed);
    return good && !making->reason;
}

/* ---- run -------------------------------------------------------------------------------------------------- */

static bool fail_run(struct making *making, const char *path) {
    diagnose(making->job->diagnostics, NULL, MESSAGE_CANNOT_WRITE, path, strerror(errno));
    making->system_error = true;
    return false;
}

static bool fill_place(struct making *making, const struct place *place, const char *executable) {
    json_t *file;
    size_t i;
    struct stat status;
    char *program = format_string("%s/program", place->folder);
    bool good = copy_file(executable, program, 0755) || fail_run(making, program);
    free(program);
    json_array_foreach(json_object_get(making->job->given, "files"), i, file) {
        const char *path = json_string_value(json_object_get(file, "path"));
        char *to = format_string("%s/%s", place->folder, json_string_value(json_object_get(file, "as")));
        if (good && (!make_folders_above(to) || stat(path, &status) != 0 ||
                     !copy_file(path, to, status.st_mode & 0100 ? 0755 : 0644)))
            good = fail_run(making, to);
        free(to);
    }
    return good;
}

static const char record_name[] = "out/calls"; /* record of the system calls, in the program's folder */

static void add_job_program(const struct making *making, struct command *command, const char *folder,
                            bool record) {
    const struct job *job = making->job;
    json_t *word;
    size_t i;
    command_add_emulator(command, machine_of_program(job->program));
    if (record) {
        command_add(command, "-strace");
        command_add(command, "-D");
        command_add(command, "%s/%s", folder, record_name);
    }
    for (const char *const *word = emulator_layout(job->emulator); *word; word++)
        command_add(command, "%s", *word);
    command_add(command, "-seed");
    command_add(command, "1");
    command_add(command, "-L");
    command_add(command, "%s", job_root(job));
    command_add(command, "-0");
    command_add(command, "%s", job->name);
    command_add(command, "%s/program", folder);
    json_array_foreach(json_object_get(job->given, "arguments"), i, word)
        command_add(command, "%s", json_string_value(word));
}

/* `executable`: NULL: the uninstrumented program. */
static void add_typed(const struct making *making, struct command *typed, const char *executable) {
    const struct job *job = making->job;
    json_t *word, *environment = json_object_get(job->given, "environment");
    const char *name;
    size_t i;
    if (executable || json_object_size(environment) > 0)
        command_add(typed, "env");
    if (executable) {
        command_add(typed, "ATOMC_FORMAT=rows");
        command_add(typed, "ATOMC_OUT=out/%%p");
    }
    json_object_foreach(environment, name, word) command_add(typed, "%s=%s", name, json_string_value(word));
    command_add(typed, "%s", machine_of_program(job->program)->emulator);
    command_add(typed, "-0");
    command_add(typed, "%s", job->name);
    command_add(typed, "%s", executable ? executable : job->program);
    json_array_foreach(json_object_get(job->given, "arguments"), i, word)
        command_add(typed, "%s", json_string_value(word));
}

static json_t *about_stream(const struct stream_record *stream, const char *file) {
    json_t *object = json_object();
    json_object_set_new(object, "file", json_string(file));
    json_object_set_new(object, "bytes", json_integer((json_int_t)stream->bytes));
    json_object_set_new(object, "kept", json_integer((json_int_t)stream->kept));
    json_object_set_new(object, "sha256", json_string(stream->digest));
    return object;
}

static void keep_ending(struct making *making, const struct place *place, const struct ending *ending) {
    json_t *record = making->record;
    json_object_set_new(record, "isolation", json_string(job_isolation_words[place->isolation]));
    if (WIFSIGNALED(ending->status))
        json_object_set_new(record, "signal", json_integer(WTERMSIG(ending->status)));
    else
        json_object_set_new(record, "exit_status", json_integer(WEXITSTATUS(ending->status)));
    json_object_set_new(record, "seconds", rounded_seconds(ending->seconds));
    json_object_set_new(record, "cpu_seconds", rounded_seconds(ending->cpu_seconds));
    json_object_set_new(record, "peak_kb", json_integer((json_int_t)ending->peak_kb));
    json_object_set_new(record, "stdout", about_stream(&ending->streams[0], "stdout.zst"));
    json_object_set_new(record, "stderr", about_stream(&ending->streams[1], "stderr.zst"));
    if (place->why)
        add_run_note(making, "there is no sandbox: %s", place->why);
    if (ending->left)
        add_run_note(making, "processes that the program had left running were ended");
}

/* Files that the job has provided are not the program's output, unless the program has changed them. */
static void remove_given(struct making *making, const char *folder) {
    json_t *file;
    size_t i;
    char digest[JOB_DIGEST + 1];
    uint64_t bytes;
    json_array_foreach(json_object_get(making->job->given, "files"), i, file) {
        char *path = format_string("%s/%s", folder, json_string_value(json_object_get(file, "as")));
        if (file_digest(path, digest, &bytes) &&
            strcmp(digest, json_string_value(json_object_get(file, "sha256"))) == 0)
            unlink(path);
        for (char *slash = strrchr(path, '/'); slash && strlen(path) > strlen(folder);
             slash = strrchr(path, '/')) {
            *slash = '\0';
            if (strlen(path) > strlen(folder))
                rmdir(path); /* if it is empty */
        }
        free(path);
    }
}

static bool is_empty(const char *path) {
    DIR *folder = opendir(path);
    unsigned count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count <= 2;
}

/* Moves files of the place to FOLDER/out and FOLDER/files. */
static bool take_files(struct making *making, struct place *place, const char *folder) {
    char *program = format_string("%s/program", place->folder), *out = format_string("%s/out", place->folder),
         *new_out = format_string("%s/out", folder), *files = format_string("%s/files", folder);
    unlink(program);
    if (tidy_tree(place->folder))
        add_run_note(making, "links and special files were left out");
    remove_given(making, place->folder);
    if (access(out, F_OK) != 0)
        mkdir(out, 0755);
    bool good = move_tree(out, new_out);
    remove_tree(out); /* if it was copied */
    if (good && !is_empty(place->folder))
        good = move_tree(place->folder, files);
    if (!good)
        fail_run(making, folder);
    free(program);
    free(out);
    free(new_out);
    free(files);
    return good;
}

enum which { FIRST_RUN, OTHER_RUN, RECORDED_RUN }; /* recorded: its system calls are, in FOLDER/out/calls */

/* One run, whose files are stored below `folder`. */
static bool run_once(struct making *making, const char *executable, const char *folder, enum which which,
                     struct ending *ending, enum job_isolation *isolation) {
    bool first = which == FIRST_RUN;
    struct job *job = making->job;
    struct place place;
    struct command command = {NULL, 0, 0}, typed = {NULL, 0, 0};
    bool good = place_make(&place, first ? job->isolation : *isolation, folder, job->diagnostics);
    if (!good) {
        making->system_error = true;
        return false;
    }
    *isolation = place.isolation;
    if (!place.folder) {
        making->reason = JOB_NO_SANDBOX;
        diagnose(job->diagnostics, NULL, MESSAGE_JOB_NO_SANDBOX, place.why);
        add_run_note(making, "there is no sandbox: %s", place.why);
        place_forget(&place);
        return false;
    }
    add_job_program(making, &command, place.inside, which == RECORDED_RUN);
    add_typed(making, &typed, "./program.atom");
    good = fill_place(making, &place, executable);
    if (good && which == RECORDED_RUN) {
        char *out = format_string("%s/out", place.folder);
        good = mkdir(out, 0755) == 0 || fail_run(making, out);
        free(out);
    }
    if (good && first)
        begin_phase(making, "run", &command, &typed, job->input);
    /* A second run produces no events. */
    struct events silence;
    events_begin(&silence, -1);
    if (good &&
        !(good = run_in_place(job, &place, &command, folder, first ? &making->events : &silence, ending)))
        making->system_error = true;
    events_end(&silence);
    if (good && first)
        keep_ending(making, &place, ending);
    good = good && take_files(making, &place, folder);
    place_forget(&place);
    command_forget(&command);
    command_forget(&typed);
    return good;
}

static bool same_ending(const struct ending *ending, const struct ending *other, json_t *differs) {
    static const char *const names[] = {"stdout.zst", "stderr.zst"};
    for (int i = 0; i < 2; i++)
        if (ending->streams[i].bytes != other->streams[i].bytes ||
            strcmp(ending->streams[i].digest, other->streams[i].digest) != 0)
            json_array_append_new(differs, json_string(names[i]));
    return ending->status == other->status;
}

/* --repeat */
static bool run_again(struct making *making, const char *instrumented, const struct ending *first,
                      enum job_isolation isolation) {
    json_t *differs = json_object_get(making->record, "differs");
    bool same = true;
    for (int64_t i = 1; i < making->choice->repeat && same && !making->reason; i++) {
        char *folder = format_string("%s/again", making->folder);
        struct ending ending = {.status = 0};
        bool good = mkdir(folder, 0755) == 0 || fail_run(making, folder);
        good = good && run_once(making, instrumented, folder, OTHER_RUN, &ending, &isolation);
        if (good && ending.reason) {
            making->reason = ending.reason;
        } else if (good) {
            same = same_ending(first, &ending, differs);
            record_compare(making->folder, folder, isolation == JOB_PLAIN, differs);
            same &= json_array_size(differs) == 0;
        }
        remove_tree(folder);
        free(folder);
        if (!good)
            return false;
    }
    if (!making->reason && making->choice->repeat > 1)
        json_object_set_new(making->record, "repeatable", json_boolean(same));
    return true;
}

/* Files for a person who examines the difference: FOLDER/plain has both programs. */
static bool keep_evidence(struct making *making, const char *instrumented, const char *folder) {
    const char *const from[] = {making->job->program, instrumented};
    static const char *const names[] = {"program", "program.atom"};
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        char *to = format_string("%s/%s", folder, names[i]);
        good = copy_file(from[i], to, 0755) || fail_run(making, to);
        free(to);
    }
    return good;
}

static void say_plain(struct making *making, const struct ending *first, const struct ending *plain,
                      const char *folder) {
    json_t *about = json_object(), *differs = json_array();
    bool is_known = !plain->reason;
    if (is_known && !same_ending(first, plain, differs))
        json_array_insert_new(differs, 0, json_string("exit status"));
    if (is_known)
        record_compare_files(making->folder, folder, differs);
    json_object_set_new(about, "same", is_known ? json_boolean(json_array_size(differs) == 0) : json_null());
    json_object_set_new(about, "differs", differs);
    json_object_set_new(about, "reason",
                        plain->reason ? json_string(job_reason_words[plain->reason]) : json_null());
    json_object_set_new(about, "exit_status",
                        WIFSIGNALED(plain->status) ? json_null() : json_integer(WEXITSTATUS(plain->status)));
    json_object_set_new(about, "signal",
                        WIFSIGNALED(plain->status) ? json_integer(WTERMSIG(plain->status)) : json_null());
    json_object_set_new(about, "seconds", rounded_seconds(plain->seconds));
    json_object_set_new(about, "stdout", about_stream(&plain->streams[0], "plain/stdout.zst"));
    json_object_set_new(about, "stderr", about_stream(&plain->streams[1], "plain/stderr.zst"));
    json_object_set_new(making->record, "plain", about);
}

/* "check_output": runs the uninstrumented program in the same place with the same input. Its files are
   stored if they differ. */
static bool run_uninstrumented(struct making *making, const char *instrumented, const struct ending *first,
                               enum job_isolation isolation) {
    char *folder = format_string("%s/plain", making->folder);
    struct command command = {NULL, 0, 0}, typed = {NULL, 0, 0};
    struct ending ending = {.status = 0};
    bool good = mkdir(folder, 0755) == 0 || fail_run(making, folder);
    add_job_program(making, &command, isolation == JOB_SANDBOX ? "/run/atomc" : "/var/tmp/atomc-XXXXXXXX",
                    false);
    add_typed(making, &typed, NULL);
    begin_phase(making, "check", &command, &typed, making->job->input);
    good = good && run_once(making, making->job->program, folder, OTHER_RUN, &ending, &isolation);
    if (good) {
        say_plain(making, first, &ending, folder);
        if (json_is_false(json_object_get(json_object_get(making->record, "plain"), "same"))) {
            char *out = format_string("%s/out", folder);
            remove_tree(out);
            free(out);
            good = keep_evidence(making, instrumented, folder);
        } else {
            remove_tree(folder);
        }
    }
    command_forget(&command);
    command_forget(&typed);
    free(folder);
    return good;
}

/* ---- why runs differ ----------------------------------------------------------------------------------- */

/* True if the program contains the instruction that reads the processor's cycle counter. */
static bool has_cycle_counter(const char *path) {
    size_t length;
    char *bytes = read_file(path, &length);
    bool found = false;
    for (size_t at = 0; bytes && at + 4 <= length && !found; at += 4) {
        uint32_t word;
        memcpy(&word, bytes + at, sizeof word);
        found = (word & 0xfc00ffff) == 0x6000c000;
    }
    free(bytes);
    return found;
}

static json_int_t sum_of_rows(const char *folder) {
    char *command[] = {format_string("%s/out", folder), NULL};
    json_int_t sum = 0;
    struct dirent *process;
    DIR *out = opendir(command[0]);
    while (out && (process = readdir(out))) {
        char *path = format_string("%s/%s/cycles.1.rows", command[0], process->d_name), *line = NULL;
        FILE *rows = fopen(path, "re");
        size_t size = 0;
        while (rows && getline(&line, &size, rows) > 0) {
            json_t *row = json_loads(line, 0, NULL);
            sum += json_is_array(row) ? json_integer_value(json_array_get(row, 0)) : 0;
            json_decref(row);
        }
        if (rows)
            fclose(rows);
        free(line);
        free(path);
    }
    if (out)
        closedir(out);
    free(command[0]);
    return sum;
}

/* The number of times that the program reads the cycle counter, which is no system call: a tool counts it. */
static json_int_t count_cycle_counters(struct making *making, enum job_isolation isolation) {
    static const char page[] =
        "tool cycles counter n for i in insts where i.mnemonic == \"rpcc\" { before i n++ } "
        "report \"cycles\" \"Executed\" n";
    char *folder = format_string("%s/cycles", making->folder),
         *output = format_string("%s/program.atom", folder);
    struct command command = {NULL, 0, 0};
    struct ending ending = {.status = 0};
    int status = 0;
    json_int_t times = 0;
    command_add(&command, "%s", atomc_beside());
    command_add(&command, "-e");
    command_add(&command, page);
    command_add(&command, "%s", making->job->program);
    command_add(&command, "-o");
    command_add(&command, "%s", output);
    if (has_cycle_counter(making->job->program) && mkdir(folder, 0755) == 0) {
        free(command_output(&command, &status));
        if (status == 0 && run_once(making, output, folder, OTHER_RUN, &ending, &isolation))
            times = sum_of_rows(folder);
        remove_tree(folder);
    }
    command_forget(&command);
    free(folder);
    free(output);
    return times;
}

static void add_names(FILE *stream, const char *begin, const json_t *names) {
    size_t i;
    json_t *name;
    json_array_foreach(names, i, name) fprintf(stream, "%s%s", i ? ", " : begin, json_string_value(name));
}

/* A text that names the outputs that differ. */
static char *differing_text(const struct making *making) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const json_t *plain = json_object_get(making->record, "plain"),
                 *itself = json_object_get(json_object_get(making->record, "causes"), "program_differs");
    bool repeated = json_is_false(json_object_get(making->record, "repeatable"));
    if (repeated && json_array_size(json_object_get(making->record, "differs")) == 0)
        fputs("another run of the instrumented program ends in another way", stream);
    add_names(stream, "another run of the instrumented program has other results: ",
              json_object_get(making->record, "differs"));
    add_names(stream,
              repeated ? "; the uninstrumented program differs from it: "
                       : "the uninstrumented program differs from the instrumented one: ",
              json_object_get(plain, "differs"));
    if (json_array_size(itself) == 0)
        fputs("; two runs of the uninstrumented program do the same", stream);
    add_names(stream, "; two runs of the uninstrumented program differ: ", itself);
    fclose(stream);
    return text;
}

/* Runs the uninstrumented program two more times, with records of its system calls, to find out whether its
   results differ, and which calls may be the cause. */
static bool say_causes(struct making *making, enum job_isolation isolation) {
    char *folders[2], *records[2];
    struct ending endings[2] = {{.status = 0}, {.status = 0}};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        folders[i] = format_string("%s/recorded.%d", making->folder, i);
        records[i] = format_string("%s/%s", folders[i], record_name);
        good = good && (mkdir(folders[i], 0755) == 0 || fail_run(making, folders[i])) &&
               run_once(making, making->job->program, folders[i], RECORDED_RUN, &endings[i], &isolation);
    }
    if (good && !endings[0].reason && !endings[1].reason) {
        json_t *differs = json_array();
        const char *const paths[2] = {records[0], records[1]};
        if (!same_ending(&endings[0], &endings[1], differs))
            json_array_insert_new(differs, 0, json_string("exit status"));
        record_compare_files(folders[0], folders[1], differs);
        json_t *causes = find_causes(paths, isolation == JOB_PLAIN, count_cycle_counters(making, isolation));
        json_object_set_new(causes, "program_differs", differs);
        json_object_set_new(making->record, "causes", causes);
        char *why = causes_text(causes), *what = differing_text(making), *text;
        text = format_string("%s; %s", what, why);
        add_run_note(making, "%s", text);
        diagnose(making->job->diagnostics, NULL, MESSAGE_JOB_DIFFERS, text);
        free(why);
        free(what);
        free(text);
    }
    for (int i = 0; i < 2; i++) {
        remove_tree(folders[i]);
        free(folders[i]);
        free(records[i]);
    }
    return good;
}

static bool is_different(const struct making *making) {
    json_t *plain = json_object_get(making->record, "plain");
    return json_is_false(json_object_get(making->record, "repeatable")) ||
           json_is_false(json_object_get(plain, "same"));
}

static bool run_instrumented(struct making *making, const char *instrumented) {
    struct ending ending;
    enum job_isolation isolation = making->job->isolation;
    if (!run_once(making, instrumented, making->folder, FIRST_RUN, &ending, &isolation))
        return false;
    making->reason = ending.reason;
    if (!ending.reason && !run_again(making, instrumented, &ending, isolation))
        return false;
    if (!making->reason && making->job->check_output &&
        !run_uninstrumented(making, instrumented, &ending, isolation))
        return false;
    if (!making->reason && is_different(making) && !say_causes(making, isolation))
        return false;
    begin_phase(making, "collect", NULL, NULL, NULL);
    if (!record_files(making->record, making->folder, &making->events))
        return fail_run(making, making->folder);
    record_missing(making->record, making->folder);
    if (json_array_size(json_object_get(making->record, "tables")) +
            json_array_size(json_object_get(making->record, "artifacts")) ==
        0)
        add_run_note(making, "no reports: the process was %s",
                     WIFSIGNALED(ending.status) && WTERMSIG(ending.status) == SIGKILL
                         ? "killed"
                         : "replaced, or ended by itself");
    return true;
}

/* ---- the folder ------------------------------------------------------------------------------------------- */

/* FOLDER.RANDOM.tmp; the process that made it holds a lock on it. */
static bool make_run_folder(struct making *making) {
    uint32_t number = 0;
    if (!make_folders_above(making->choice->into))
        return fail_run(making, making->choice->into);
    do {
        free(making->folder);
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            number++;
        making->folder = format_string("%s.%08x.tmp", making->choice->into, number);
    } while (mkdir(making->folder, 0777) != 0 && errno == EEXIST);
    making->folder_descriptor = open(making->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (making->folder_descriptor < 0)
        return fail_run(making, making->folder);
    flock(making->folder_descriptor, LOCK_EX | LOCK_NB);
    guard_folder(making->folder);
    char *log = format_string("%s/log.jsonl", making->folder);
    bool good = events_open_log(&making->events, log) || fail_run(making, log);
    free(log);
    return good;
}

static const char *run_state(const struct making *making) {
    switch (making->reason) {
    case JOB_GOOD:
        return "finished";
    case JOB_INSTRUMENT:
    case JOB_NO_SANDBOX:
        return "failed";
    default:
        return "stopped";
    }
}

static json_t *end_record(struct making *making) {
    static const char *const said[] = {"state", "reason", "exit_status", "signal", "seconds"};
    json_t *record = making->record, *event = json_object();
    json_object_set_new(event, "at", events_time(&making->events));
    json_object_set_new(record, "state", json_string(run_state(making)));
    if (making->reason)
        json_object_set_new(record, "reason", json_string(job_reason_words[making->reason]));
    json_object_set_new(record, "ended", time_now());
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        json_object_set(event, said[i], json_object_get(record, said[i]));
    return event;
}

/* Renames the complete folder, never over another. The last event is in the log, and is sent when the
   folder exists.
 */
static bool publish_run(struct making *making) {
    json_t *event = end_record(making);
    int listener = making->events.descriptor;
    making->events.descriptor = -1;
    events_send(&making->events, "ended", json_incref(event), false, true);
    making->events.descriptor = listener;
    bool good = fclose(making->events.log) == 0 && record_write(making->record, making->folder);
    making->events.log = NULL;
    if (!good)
        fail_run(making, making->folder);
    else if (job_orphaned)
        good = false;
    else if (renameat2(AT_FDCWD, making->folder, AT_FDCWD, making->choice->into, RENAME_NOREPLACE) != 0 &&
             (errno != EINVAL || rename(making->folder, making->choice->into) != 0))
        good = fail_run(making, making->choice->into);
    if (good)
        events_send(&making->events, "ended", json_incref(event), false, false);
    json_decref(event);
    return good;
}

int job_make(struct job *job, const struct job_choice *choice) {
    struct making making = {.job = job, .choice = choice, .folder_descriptor = -1};
    struct stat status;
    int result = 1;
    if (lstat(choice->into, &status) == 0) {
        diagnose(job->diagnostics, NULL, MESSAGE_JOB_THERE, choice->into);
        return 1;
    }
    if (!job_find_key(job))
        return 1;
    events_begin(&making.events, choice->events);
    if (make_run_folder(&making)) {
        char *program = format_string("%s/program", making.folder);
        begin_record(&making);
        bool good = instrument_program(&making, program) && run_instrumented(&making, program);
        unlink(program);
        free(program);
        if ((good || making.reason) && !making.system_error && publish_run(&making))
            result = strcmp(run_state(&making), "failed") == 0;
    }
    if (making.system_error || job_orphaned)
        result = 2;
    if (making.events.log)
        fclose(making.events.log);
    if (making.folder)
        remove_tree(making.folder);
    if (making.folder_descriptor >= 0)
        close(making.folder_descriptor);
    events_end(&making.events);
    json_decref(making.record);
    free(making.folder);
    return result;
}
