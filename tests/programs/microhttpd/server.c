/* server.c: a server on loopback with libmicrohttpd, and clients in threads of the same process, while a timer interrupts all of
   them. Prints what does not depend on the order. Use: server pool|each.
   Requires: microhttpd.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { CLIENTS = 4, REQUESTS = 12 };

static volatile sig_atomic_t ticks;
static int port;
static unsigned long posted;
static pthread_mutex_t posted_lock = PTHREAD_MUTEX_INITIALIZER;

static void tick(int signal) {
    (void)signal;
    ticks++;
}

/* A connection's state: called first, then for each part of what is sent, then at its end. */
struct state {
    unsigned long sum;
};

static enum MHD_Result answer(void *unused, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **context) {
    struct state *state = *context;
    char page[200];
    (void)unused;
    (void)version;
    if (!state) {
        *context = calloc(1, sizeof *state);
        return MHD_YES;
    }
    if (*size) {
        for (size_t i = 0; i < *size; i++)
            state->sum += (unsigned char)data[i];
        *size = 0;
        return MHD_YES;
    }
    pthread_mutex_lock(&posted_lock);
    posted += state->sum;
    pthread_mutex_unlock(&posted_lock);
    const char *query = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "n");
    int length = snprintf(page, sizeof page, "%s %s n=%s sum=%lu\n", method, url, query ? query : "-", state->sum);
    struct MHD_Response *response = MHD_create_response_from_buffer(length, page, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result result = MHD_queue_response(connection, strstr(url, "missing") ? 404 : 200, response);
    MHD_destroy_response(response);
    return result;
}

static void completed(void *unused, struct MHD_Connection *connection, void **context, enum MHD_RequestTerminationCode code) {
    (void)unused;
    (void)connection;
    (void)code;
    free(*context);
}

static void send_all(int socket, const char *text, size_t size) {
    while (size > 0) {
        ssize_t sent = send(socket, text, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            abort();
        if (sent > 0)
            text += sent, size -= sent;
    }
}

static unsigned long request(int client, int number) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    char text[4096], body[1500];
    unsigned long hash = 5381;
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    while (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0)
        if (errno != EINTR)
            abort();
    int length = number % 3 == 2 ? 1 + (client * 331 + number * 77) % 1400 : 0;
    memset(body, 'a' + number, sizeof body);
    int size = snprintf(text, sizeof text, "%s /%s/%d?n=%d HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n",
                        length ? "POST" : "GET", number % 5 ? "page" : "missing", client, number, length);
    send_all(descriptor, text, size);
    send_all(descriptor, body, length);
    for (;;) {
        ssize_t got = recv(descriptor, text, sizeof text, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        /* The date's digits are no part of the sum, nor where the parts end. */
        for (ssize_t i = 0; i < got; i++)
            hash += text[i] == '\n' || text[i] == '=';
    }
    close(descriptor);
    return hash;
}

static void *client(void *argument) {
    unsigned long sum = 0;
    for (int i = 0; i < REQUESTS; i++)
        sum += request((int)(long)argument, i);
    return (void *)sum;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "pool";
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, 3000}, {0, 3000}};
    pthread_t threads[CLIENTS];
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ERROR_LOG;
    flags |= !strcmp(way, "each") ? MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL : MHD_USE_EPOLL;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    struct MHD_Daemon *daemon =
        MHD_start_daemon(flags, 0, NULL, NULL, answer, NULL, MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
                         MHD_OPTION_CONNECTION_TIMEOUT, 20u, MHD_OPTION_THREAD_POOL_SIZE,
                         !strcmp(way, "each") ? 0u : 4u, MHD_OPTION_END);
    if (!daemon)
        return 2;
    port = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    for (long i = 0; i < CLIENTS; i++)
        pthread_create(&threads[i], NULL, client, (void *)i);
    for (int i = 0; i < CLIENTS; i++) {
        void *sum;
        pthread_join(threads[i], &sum);
        printf("client %d: %lu\n", i, (unsigned long)sum);
    }
    MHD_stop_daemon(daemon);
    printf("posted %lu, the timer came: %s\n", posted, ticks > 0 ? "yes" : "no");
    return 7;
}
