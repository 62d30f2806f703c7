/* run.c: one run, from its start to the end of its last process. Stores its output, measures its use of
   resources, and stops it if it exceeds a limit, with time to write results. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sha2.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "runs/job/job.h"
#include "support/process.h"

enum { TICK = 100 /* milliseconds */, PIECE = 65536, SHOWN = 16384 };
static const double patience = 5, left_patience = 10, progress_pause = 0.5, disk_pause = 1;
static const char *const stream_names[] = {"stdout", "stderr"};

/* ---- a compressed file with the beginning of a process's output ------------------------------------------- */

struct recorder {
    int descriptor; /* descriptor for reading; -1: the stream has ended */
    FILE *file;
    ZSTD_CStream *packer;
    struct stream_record record;
    SHA2_CTX digest;
    uint64_t most;
    char shown[SHOWN]; /* for the next event: the last bytes of output */
    size_t shown_bytes;
    uint64_t skipped;
};

static bool pack_bytes(struct recorder *recorder, const void *bytes, size_t count, ZSTD_EndDirective what) {
    char space[PIECE];
    /* cppcheck-suppress legacyUninitvar; it is written first */
    ZSTD_outBuffer output = {space, sizeof space, 0};
    ZSTD_inBuffer input = {bytes, count, 0};
    for (size_t left = 1; left > 0 || input.pos < input.size;) {
        output.pos = 0;
        left = ZSTD_compressStream2(recorder->packer, &output, &input, what);
        if (ZSTD_isError(left) || fwrite(space, 1, output.pos, recorder->file) != output.pos)
            return false;
        if (what == ZSTD_e_continue && input.pos == input.size)
            break;
    }
    return true;
}

static bool recorder_begin(struct recorder *recorder, int descriptor, const char *folder, const char *name,
                           int64_t most_mb) {
    char *path = format_string("%s/%s.zst", folder, name);
    recorder->descriptor = descriptor;
    recorder->file = fopen(path, "we");
    recorder->packer = ZSTD_createCStream();
    recorder->most = (uint64_t)most_mb << 20;
    SHA256Init(&recorder->digest);
    free(path);
    return recorder->file && recorder->packer;
}

static bool recorder_end(struct recorder *recorder) {
    bool good = pack_bytes(recorder, "", 0, ZSTD_e_end);
    SHA256End(&recorder->digest, recorder->record.digest);
    ZSTD_freeCStream(recorder->packer);
    return fclose(recorder->file) == 0 && good;
}

static void keep_shown(struct recorder *recorder, const char *bytes, size_t count) {
    size_t kept = count < SHOWN ? count : SHOWN, old = recorder->shown_bytes;
    size_t dropped = old + kept > SHOWN ? old + kept - SHOWN : 0;
    memmove(recorder->shown, recorder->shown + dropped, old - dropped);
    memcpy(recorder->shown + old - dropped, bytes + count - kept, kept);
    recorder->shown_bytes = old - dropped + kept;
    recorder->skipped += dropped + count - kept;
}

/* Reads the available output. Returns false after an error of the file. */
static bool recorder_read(struct recorder *recorder) {
    char bytes[PIECE];
    ssize_t got = read(recorder->descriptor, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (got <= 0) {
        close(recorder->descriptor);
        recorder->descriptor = -1;
        return true;
    }
    size_t room = (size_t)(recorder->most - recorder->record.kept),
           kept = (size_t)got < room ? (size_t)got : room;
    recorder->record.bytes += (uint64_t)got;
    recorder->record.kept += kept;
    SHA256Update(&recorder->digest, (const uint8_t *)bytes, kept);
    keep_shown(recorder, bytes, (size_t)got);
    return kept == 0 || pack_bytes(recorder, bytes, kept, ZSTD_e_continue);
}

/* Bytes at the end that may be the beginning of a character. */
static size_t begun_character(const char *bytes, size_t count) {
    for (size_t back = 1; back <= 3 && back <= count; back++) {
        unsigned char byte = (unsigned char)bytes[count - back];
        if ((byte & 0xc0) == 0x80)
            continue;
        size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return length > back ? back : 0;
    }
    return 0;
}

static void send_shown(struct recorder *recorder, const char *name, struct events *events) {
    size_t left = recorder->descriptor < 0 ? 0 : begun_character(recorder->shown, recorder->shown_bytes);
    size_t count = recorder->shown_bytes - left;
    if (count == 0)
        return;
    char text[SHOWN + 1];
    memcpy(text, recorder->shown, count);
    text[count] = '\0';
    for (char *nul; (nul = memchr(text, '\0', count));)
        *nul = '\xff'; /* shown as invalid text */
    json_t *object = json_object();
    json_object_set_new(object, "stream", json_string(name));
    json_object_set_new(object, "text", json_text(text));
    json_object_set_new(object, "skipped", json_integer((json_int_t)recorder->skipped));
    events_send(events, "output", object, true, false);
    memmove(recorder->shown, recorder->shown + count, left);
    recorder->shown_bytes = left;
    recorder->skipped = 0;
}

/* ---- a running program ------------------------------------------------------------------------------------ */

struct running {
    const struct job *job;
    const struct place *place;
    struct events *events;
    struct ending *ending;
    pid_t process;
    int messages; /* descriptor from inside.c; -1: its process has ended, and all others with it */
    unsigned above;
    struct recorder streams[2];
    struct usage usage;
    double begin, ended, stopped, killed; /* 0: not yet */
    double next_progress, next_disk;
    bool good;
};

static void say_progress(struct running *running, double now) {
    json_t *object = json_object();
    running->next_progress = now + progress_pause;
    json_object_set_new(object, "seconds", json_real((double)(long)((now - running->begin) * 1000) / 1000));
    json_object_set_new(object, "cpu_seconds", json_real(running->usage.cpu_seconds));
    json_object_set_new(object, "memory_kb", json_integer((json_int_t)running->usage.memory_kb));
    json_object_set_new(object, "processes", json_integer(running->usage.processes));
    json_object_set_new(object, "output_bytes",
                        json_integer((json_int_t)running->streams[0].record.bytes +
                                     (json_int_t)running->streams[1].record.bytes));
    events_send(running->events, "progress", object, true, true);
}

static enum job_reason limit_reached(struct running *running, double now) {
    const struct job_limits *limits = &running->job->limits;
    const struct usage *usage = &running->usage;
    uint64_t output = running->streams[0].record.bytes > running->streams[1].record.bytes
                          ? running->streams[0].record.bytes
                          : running->streams[1].record.bytes;
    if (job_cancelled)
        return JOB_CANCELLED;
    if (now - running->begin > (double)limits->seconds)
        return JOB_TIME;
    if (usage->memory_kb > (uint64_t)limits->memory_mb << 10)
        return JOB_MEMORY;
    if (usage->processes > (uint64_t)limits->processes)
        return JOB_PROCESSES;
    if (output > (uint64_t)limits->file_mb << 20)
        return JOB_OUTPUT;
    if (now < running->next_disk)
        return JOB_GOOD;
    running->next_disk = now + disk_pause;
    return folder_bytes(running->place->folder) > (uint64_t)limits->disk_mb << 20 ? JOB_DISK : JOB_GOOD;
}

/* Lets the program write results before it is ended. Processes that the program has started and left also get
   this time. */
static void watch_results(struct running *running, double now) {
    usage_measure(&running->usage, running->above);
    if (now >= running->next_progress)
        say_progress(running, now);
    if (!running->ending->reason && !running->ended)
        running->ending->reason = limit_reached(running, now);
    bool left = running->ended != 0 && now > running->ended + left_patience;
    if ((running->ending->reason || left || job_cancelled) && !running->stopped) {
        running->stopped = now;
        running->ending->left = running->ended != 0 && !running->ending->reason;
        descendants_signal(SIGTERM, running->above);
    }
    if (running->stopped && !running->killed && (now > running->stopped + patience || job_cancelled > 1)) {
        running->killed = now;
        descendants_kill();
    }
    for (int i = 0; i < 2; i++)
        send_shown(&running->streams[i], stream_names[i], running->events);
}

static void read_message(struct running *running) {
    struct inside_message message;
    ssize_t got = read(running->messages, &message, sizeof message);
    if (got < 0 && errno == EINTR)
        return;
    if (got != sizeof message) {
        close(running->messages);
        running->messages = -1;
    } else if (message.kind == INSIDE_CANNOT) {
        diagnose(running->job->diagnostics, NULL, MESSAGE_JOB_PROCESS, strerror(message.value));
        running->good = false;
    } else if (message.kind == INSIDE_ENDED) {
        running->ended = seconds_now();
        running->ending->status = message.value;
        running->ending->seconds = running->ended - running->begin;
    } else {
        running->ending->cpu_seconds = message.cpu_seconds;
        if (message.peak_kb > running->usage.peak_kb)
            running->usage.peak_kb = message.peak_kb;
    }
}

static void follow_process(struct running *running) {
    double next = seconds_now();
    while (running->messages >= 0 || running->streams[0].descriptor >= 0 ||
           running->streams[1].descriptor >= 0) {
        struct pollfd ready[] = {{.fd = running->messages, .events = POLLIN},
                                 {.fd = running->streams[0].descriptor, .events = POLLIN},
                                 {.fd = running->streams[1].descriptor, .events = POLLIN}};
        double now = seconds_now();
        int pause = next > now ? (int)((next - now) * 1000) + 1 : 0;
        if (poll(ready, 3, pause) > 0) {
            for (int i = 0; i < 2; i++)
                if (ready[i + 1].revents && !recorder_read(&running->streams[i])) {
                    running->good = false;
                    running->ending->reason = JOB_DISK;
                }
            if (ready[0].revents)
                read_message(running);
        }
        events_flush(running->events);
        if ((now = seconds_now()) >= next) {
            watch_results(running, now);
            next = now + TICK / 1000.0;
        }
    }
}

/* Slurm and shells signal each process of a group to stop it: the program may end before this process
   receives its own signal. So a program ended by such a signal counts as cancelled if this process receives
   one, too. */
static bool was_cancelled(int status) {
    static const int enders[] = {SIGTERM, SIGINT, SIGHUP, SIGKILL};
    const struct timespec moment = {.tv_nsec = 10000000};
    bool ended = false;
    for (size_t i = 0; i < sizeof enders / sizeof *enders; i++)
        ended |= WIFSIGNALED(status) && WTERMSIG(status) == enders[i];
    for (int i = 0; ended && !job_cancelled && i < 50; i++)
        nanosleep(&moment, NULL);
    return job_cancelled != 0;
}

/* The number of inside.c's descriptor. */
enum { MESSAGES = 3 };

/* Starts it in its own session, with ends of pipes as 1, 2 and MESSAGES. -1 and errno if it cannot be
   started. */
static pid_t start_program(const struct command *command, const char *input, int pipes[3][2]) {
    sigset_t none;
    sigemptyset(&none);
    int file = open(input ? input : "/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    pid_t child = process_start(
        &(struct process){.words = (const char *const *)command->words,
                          .files = (const int[]){file, pipes[0][1], pipes[1][1], [MESSAGES] = pipes[2][1]},
                          .file_count = MESSAGES + 1,
                          .only_files = true,
                          .default_signals = true,
                          .blocked = &none,
                          .group = PROCESS_SESSION});
    int error = errno;
    close(file);
    errno = error;
    return child;
}

bool run_in_place(const struct job *job, const struct place *place, const struct command *command,
                  const char *folder, struct events *events, struct ending *ending) {
    struct running running = {.job = job, .place = place, .events = events, .ending = ending, .good = true};
    struct command whole = {NULL, 0, 0};
    const char *const shown[] = {command->words[0], job->root, NULL};
    int pipes[3][2];
    *ending = (struct ending){.status = SIGKILL};
    for (int i = 0; i < 3; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0) {
            diagnose(job->diagnostics, NULL, MESSAGE_JOB_PROCESS, strerror(errno));
            return false;
        }
    place_add_words(place, &whole, MESSAGES, job->limits.file_mb, json_object_get(job->given, "environment"),
                    shown);
    for (size_t i = 0; i < command->count; i++)
        command_add(&whole, "%s", command->words[i]);
    for (int i = 0; i < 2; i++)
        running.good &=
            recorder_begin(&running.streams[i], pipes[i][0], folder, stream_names[i], job->limits.output_mb);
    running.above = place->isolation == JOB_SANDBOX ? 2 : 1;
    running.messages = pipes[2][0];
    running.begin = seconds_now();
    running.process = running.good ? start_program(&whole, job->input, pipes) : -1;
    int error = errno;
    for (int i = 0; i < 3; i++)
        close(pipes[i][1]);
    if (running.process < 0) {
        diagnose(job->diagnostics, NULL, MESSAGE_JOB_PROCESS, strerror(error));
        running.good = false;
    }
    follow_process(&running);
    for (int i = 0; i < 2; i++) {
        send_shown(&running.streams[i], stream_names[i], events);
        if (running.streams[i].file)
            running.good &= recorder_end(&running.streams[i]);
        ending->streams[i] = running.streams[i].record;
    }
    descendants_kill();
    if (!ending->cpu_seconds)
        ending->cpu_seconds = running.usage.cpu_seconds;
    if (!ending->seconds)
        ending->seconds = seconds_now() - running.begin;
    ending->peak_kb = running.usage.peak_kb;
    if (!ending->reason && WIFSIGNALED(ending->status) && WTERMSIG(ending->status) == SIGXFSZ)
        ending->reason = JOB_DISK;
    if (!ending->reason && was_cancelled(ending->status))
        ending->reason = JOB_CANCELLED;
    command_forget(&whole);
    return running.good && !job_orphaned;
}

/* ---- the instrumentation ---------------------------------------------------------------------------------- */

struct lines {
    int descriptor;
    char *text;
    size_t count, capacity;
};

static void read_some(struct lines *lines) {
    VECTOR_RESERVE(lines->text, lines->count + PIECE, lines->capacity);
    ssize_t got = read(lines->descriptor, lines->text + lines->count, PIECE - 1);
    if (got > 0) {
        lines->count += (size_t)got;
    } else if (got == 0 || errno != EINTR) {
        close(lines->descriptor);
        lines->descriptor = -1;
    }
    lines->text[lines->count] = '\0';
}

static void send_passes(struct lines *lines, struct events *events) {
    char *begin = lines->text;
    for (char *end; (end = strchr(begin, '\n')); begin = end + 1) {
        json_t *pass = json_loadb(begin, (size_t)(end - begin), 0, NULL);
        if (json_is_object(pass))
            events_send(events, "progress", pass, true, false);
        else
            json_decref(pass);
    }
    lines->count -= (size_t)(begin - lines->text);
    memmove(lines->text, begin, lines->count + 1);
}

bool run_instrumenter(const struct job *job, const struct command *command, struct events *events,
                      struct ending *ending, char **output) {
    int pipes[3][2];
    struct usage usage = {0};
    *ending = (struct ending){.status = SIGKILL};
    *output = NULL;
    for (int i = 0; i < 3; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0) {
            diagnose(job->diagnostics, NULL, MESSAGE_CANNOT_EXECUTE, command->words[0], strerror(errno));
            return false;
        }
    struct lines lines[3];
    double begin = seconds_now(), stopped = 0;
    pid_t process = start_program(command, NULL, pipes);
    for (int i = 0; i < 3; i++) {
        close(pipes[i][1]);
        lines[i] = (struct lines){.descriptor = pipes[i][0]};
    }
    while (lines[0].descriptor >= 0 || lines[1].descriptor >= 0 || lines[2].descriptor >= 0) {
        struct pollfd ready[3];
        for (int i = 0; i < 3; i++)
            ready[i] = (struct pollfd){.fd = lines[i].descriptor, .events = POLLIN};
        poll(ready, 3, TICK);
        for (int i = 0; i < 3; i++)
            if (ready[i].revents)
                read_some(&lines[i]);
        if (lines[2].text)
            send_passes(&lines[2], events);
        events_flush(events);
        usage_measure(&usage, 0);
        double now = seconds_now();
        ending->reason = ending->reason                                            ? ending->reason
                         : job_cancelled                                           ? JOB_CANCELLED
                         : now - begin > (double)job->limits.seconds               ? JOB_TIME
                         : usage.memory_kb > (uint64_t)job->limits.memory_mb << 10 ? JOB_MEMORY
                                                                                   : JOB_GOOD;
        if (ending->reason && !stopped) {
            stopped = now;
            if (process > 0)
                kill(process, SIGTERM);
        } else if (stopped && (now > stopped + patience || job_cancelled > 1)) {
            descendants_kill();
        }
    }
    ending->status = process < 0 ? SIGKILL : process_wait(process);
    ending->seconds = seconds_now() - begin;
    ending->peak_kb = usage.peak_kb;
    *output = lines[0].text;
    free(lines[1].text);
    free(lines[2].text);
    return !job_orphaned;
}
