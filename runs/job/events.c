/* events.c: events as JSON Lines, for a listener and the run's log. A slow reader does not delay the run:
   progress and output are dropped for it, and all other events wait in memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runs/job/job.h"

enum { MOST_WAITING = 256 * 1024, PATIENCE = 5000 /* milliseconds */ };

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void events_begin(struct events *events, int descriptor) {
    *events = (struct events){.descriptor = descriptor, .begin = seconds_now()};
}

/* The run continues if the reader has ended. The descriptor may be shared, so its flags are not changed:
   poll() reports whether a pipe has room for PIPE_BUF bytes. */
void events_flush(struct events *events) {
    size_t sent = 0;
    while (events->descriptor >= 0 && sent < events->waiting_bytes) {
        struct pollfd ready = {.fd = events->descriptor, .events = POLLOUT};
        size_t piece = events->waiting_bytes - sent;
        if (poll(&ready, 1, 0) <= 0)
            break;
        ssize_t written = write(events->descriptor, events->waiting + sent, piece < 4096 ? piece : 4096);
        if (written > 0)
            sent += (size_t)written;
        else if (written < 0 && errno == EAGAIN)
            break;
        else if (written < 0 && errno != EINTR)
            events->descriptor = -1;
    }
    if (sent)
        memmove(events->waiting, events->waiting + sent, events->waiting_bytes - sent);
    events->waiting_bytes -= sent;
}

static void add_waiting(struct events *events, const char *line, size_t length) {
    if (events->waiting_bytes + length > events->waiting_capacity) {
        events->waiting_capacity = 2 * (events->waiting_bytes + length);
        events->waiting = reallocate(events->waiting, events->waiting_capacity);
    }
    memcpy(events->waiting + events->waiting_bytes, line, length);
    events->waiting_bytes += length;
}

bool events_open_log(struct events *events, const char *path) {
    events->log = fopen(path, "we");
    return events->log != NULL;
}

json_t *events_time(const struct events *events) {
    return json_real((double)(long)((seconds_now() - events->begin) * 1000) / 1000);
}

void events_send(struct events *events, const char *event, json_t *object, bool may_be_lost, bool into_log) {
    json_t *line = json_object();
    json_object_set_new(line, "event", json_string(event));
    json_object_set_new(line, "at", events_time(events));
    json_object_update(line, object);
    json_decref(object);
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(line);
    if (events->log && into_log)
        fprintf(events->log, "%s\n", text);
    if (events->descriptor >= 0 && !(may_be_lost && events->waiting_bytes > MOST_WAITING)) {
        size_t length = strlen(text);
        text[length] = '\n';
        add_waiting(events, text, length + 1);
    }
    free(text);
    events_flush(events);
}

void events_end(struct events *events) {
    double end = seconds_now() + PATIENCE / 1000.0;
    for (events_flush(events); events->descriptor >= 0 && events->waiting_bytes && seconds_now() < end;) {
        struct pollfd ready = {.fd = events->descriptor, .events = POLLOUT};
        poll(&ready, 1, 100);
        events_flush(events);
    }
    free(events->waiting);
    events->waiting = NULL;
    events->waiting_bytes = events->waiting_capacity = 0;
}
