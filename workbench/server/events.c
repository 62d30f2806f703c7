/* events.c: events of runs, for pages that watch them: server-sent events. A reader that reconnects gets
   the events after the last one that it has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "workbench/server/server.h"

enum {
    KEPT_BYTES = 4 << 20, /* bytes of one run's events; the oldest are removed */
    KEPT_TOPICS = 16,     /* events of runs that have ended */
    COMMENT_SECONDS = 15, /* a line that readers ignore: sending it detects a closed connection */
    SENT_BLOCK = 32 * 1024,
    RETRY_MILLISECONDS = 1000
};

struct event {
    uint64_t number;
    char *text;
    size_t length;
};
struct topic {
    int64_t run;
    struct event *events;
    size_t first, count, capacity; /* events[first] is the oldest that is stored */
    size_t bytes;
    uint64_t next_number;
    bool finished;
    unsigned readers;
    struct topic *next; /* made earlier */
};
struct reader {
    struct topic *topic;
    struct MHD_Connection *connection;
    uint64_t next; /* event */
    size_t offset; /* in it */
    bool suspended, comment, gone;
    time_t last;
    struct reader *other;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* there is a reader, or the server ends */
    struct topic *topics;
    struct reader *readers;
    unsigned reader_count; /* without closed ones */
    bool stopping, ticking;
    pthread_t ticker;
} events = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* ---- topics; with the lock --------------------------------------------------------------------------- */

static void free_topic(struct topic *topic) {
    for (size_t i = topic->first; i < topic->count; i++)
        free(topic->events[i].text);
    free(topic->events);
    free(topic);
}

static struct topic *find_topic(int64_t run) {
    struct topic *topic = events.topics;
    while (topic && topic->run != run)
        topic = topic->next;
    return topic;
}

static void forget_old_topics(void) {
    unsigned count = 0;
    for (struct topic **at = &events.topics; *at;) {
        struct topic *topic = *at;
        if (topic->finished && topic->readers == 0 && ++count > KEPT_TOPICS) {
            *at = topic->next;
            free_topic(topic);
        } else {
            at = &topic->next;
        }
    }
}

static struct topic *make_topic(int64_t run) {
    struct topic *topic = find_topic(run);
    if (topic)
        return topic;
    forget_old_topics();
    topic = allocate_zeroed(1, sizeof *topic);
    topic->run = run;
    topic->next_number = 1;
    topic->next = events.topics;
    return events.topics = topic;
}

static void wake_reader(struct reader *reader) {
    if (!reader->suspended)
        return;
    reader->suspended = false;
    MHD_resume_connection(reader->connection);
}

static void wake_readers(const struct topic *topic) {
    for (struct reader *reader = events.readers; reader; reader = reader->other)
        if (reader->topic == topic)
            wake_reader(reader);
}

/* ---- what happens ------------------------------------------------------------------------------------ */

void events_add(int64_t run, const char *type, const char *data) {
    pthread_mutex_lock(&events.lock);
    struct topic *topic = make_topic(run);
    struct event event = {.number = topic->next_number++};
    event.text =
        format_string("id: %llu\nevent: %s\ndata: %s\n\n", (unsigned long long)event.number, type, data);
    event.length = strlen(event.text);
    while (topic->first < topic->count && topic->bytes + event.length > KEPT_BYTES) {
        topic->bytes -= topic->events[topic->first].length;
        free(topic->events[topic->first++].text);
    }
    if (topic->first > 1024 && topic->first > topic->count / 2) {
        topic->count -= topic->first;
        memmove(topic->events, topic->events + topic->first, topic->count * sizeof *topic->events);
        topic->first = 0;
    }
    VECTOR_RESERVE(topic->events, topic->count, topic->capacity);
    topic->events[topic->count++] = event;
    topic->bytes += event.length;
    wake_readers(topic);
    pthread_mutex_unlock(&events.lock);
}

void events_finish(int64_t run) {
    pthread_mutex_lock(&events.lock);
    struct topic *topic = make_topic(run);
    topic->finished = true;
    wake_readers(topic);
    pthread_mutex_unlock(&events.lock);
}

bool events_known(int64_t run) {
    pthread_mutex_lock(&events.lock);
    bool known = find_topic(run) != NULL;
    pthread_mutex_unlock(&events.lock);
    return known;
}

/* ---- readers ----------------------------------------------------------------------------------------- */

/* The first event that the reader has not received; NULL: there is none yet. */
static const struct event *next_event(struct reader *reader) {
    const struct topic *topic = reader->topic;
    if (topic->first == topic->count)
        return NULL;
    uint64_t oldest = topic->events[topic->first].number;
    if (reader->next < oldest) {
        reader->next = oldest; /* the events in between are no longer stored */
        reader->offset = 0;
    }
    size_t at = topic->first + (size_t)(reader->next - oldest);
    return at < topic->count ? &topic->events[at] : NULL;
}

static ssize_t put_event_text(char *to, size_t room, const char *text) {
    size_t length = strlen(text);
    memcpy(to, text, length < room ? length : room);
    return (ssize_t)(length < room ? length : room);
}

/* Called by libmicrohttpd for more output. */
static ssize_t give_events(void *context, uint64_t position, char *to, size_t room) {
    struct reader *reader = context;
    ssize_t length = 0;
    (void)position;
    pthread_mutex_lock(&events.lock);
    const struct event *event = next_event(reader);
    if (reader->gone) {
        length = MHD_CONTENT_READER_END_WITH_ERROR;
    } else if (events.stopping || (!event && reader->topic->finished)) {
        length = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (event) {
        size_t left = event->length - reader->offset;
        length = (ssize_t)(left < room ? left : room);
        memcpy(to, event->text + reader->offset, (size_t)length);
        reader->offset += (size_t)length;
        if (reader->offset == event->length) {
            reader->next++;
            reader->offset = 0;
        }
    } else if (reader->comment) {
        length = put_event_text(to, room, ":\n\n");
    } else {
        reader->suspended = true;
        MHD_suspend_connection(reader->connection);
    }
    if (length > 0)
        reader->last = time(NULL);
    reader->comment = false;
    pthread_mutex_unlock(&events.lock);
    return length;
}

static void free_reader(void *context) {
    struct reader *reader = context;
    pthread_mutex_lock(&events.lock);
    struct reader **at = &events.readers;
    while (*at != reader)
        at = &(*at)->other;
    *at = reader->other;
    reader->topic->readers--;
    events.reader_count -= !reader->gone;
    pthread_mutex_unlock(&events.lock);
    free(reader);
}

/* Drops readers of pages that were closed while there were no events, because the connection of a waiting
   reader is not checked. The caller holds the lock. */
static void drop_gone_readers(void) {
    for (struct reader *reader = events.readers; reader; reader = reader->other) {
        char byte;
        const union MHD_ConnectionInfo *info =
            reader->suspended && !reader->gone
                ? MHD_get_connection_info(reader->connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                : NULL;
        if (info && recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) {
            reader->gone = true;
            events.reader_count--;
            wake_reader(reader);
        }
    }
}

void answer_events(struct request *request, struct answer *answer, int64_t run) {
    const char *last = request_header(request, "Last-Event-ID");
    struct reader *reader = allocate_zeroed(1, sizeof *reader);
    reader->connection = request->exchange->connection;
    reader->next = last ? strtoull(last, NULL, 10) + 1 : 1;
    reader->last = time(NULL);
    pthread_mutex_lock(&events.lock);
    if (events.reader_count >= MOST_READERS)
        drop_gone_readers();
    bool room = events.reader_count < MOST_READERS && !events.stopping;
    if (room) {
        reader->topic = make_topic(run);
        if (reader->next > reader->topic->next_number) /* number of an event of an earlier server */
            reader->next = 1;
        reader->topic->readers++;
        reader->other = events.readers;
        events.readers = reader;
        events.reader_count++;
        pthread_cond_signal(&events.changed);
    }
    pthread_mutex_unlock(&events.lock);
    if (room) {
        answer->reader = reader;
        return;
    }
    free(reader);
    answer_error(answer, MHD_HTTP_SERVICE_UNAVAILABLE, "close other pages", "more than %d pages watch runs",
                 MOST_READERS);
}

struct MHD_Response *events_response(struct reader *reader) {
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, SENT_BLOCK, give_events, reader, free_reader);
    if (response)
        MHD_add_response_header(response, "X-Accel-Buffering", "no");
    return response;
}

void events_drop(struct reader *reader) {
    if (reader)
        free_reader(reader);
}

/* ---- the pause --------------------------------------------------------------------------------------- */

/* Sleeps while there are no readers. */
static void *tick_events(void *context) {
    (void)context;
    pthread_mutex_lock(&events.lock);
    while (!events.stopping) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += COMMENT_SECONDS;
        if (!events.readers)
            pthread_cond_wait(&events.changed, &events.lock);
        else
            pthread_cond_timedwait(&events.changed, &events.lock, &until);
        drop_gone_readers();
        for (struct reader *reader = events.readers; reader; reader = reader->other)
            if (time(NULL) - reader->last >= COMMENT_SECONDS - 1) {
                reader->comment = true;
                wake_reader(reader);
            }
    }
    pthread_mutex_unlock(&events.lock);
    return NULL;
}

bool events_start(void) {
    events.ticking = pthread_create(&events.ticker, NULL, tick_events, NULL) == 0;
    return events.ticking;
}

void events_stop(void) {
    pthread_mutex_lock(&events.lock);
    events.stopping = true;
    for (struct reader *reader = events.readers; reader; reader = reader->other)
        wake_reader(reader);
    pthread_cond_signal(&events.changed);
    pthread_mutex_unlock(&events.lock);
    if (events.ticking)
        pthread_join(events.ticker, NULL);
}

/* There are no readers any more. */
void events_free(void) {
    while (events.topics) {
        struct topic *topic = events.topics;
        events.topics = topic->next;
        free_topic(topic);
    }
}
