/* http.c: libmicrohttpd: accepts requests, refuses those that security.c rejects, passes the others to
   workers, sends responses. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workbench/project/objects.h"
#include "workbench/server/server.h"

static const char api_prefix[2][4] = {"api", "v1"};

/* ---- one request ---------------------------------------------------------------------------------------- */

/* Called first for each request, with its address before libmicrohttpd decodes it. */
static void *begin_exchange(void *context, const char *address, struct MHD_Connection *connection) {
    (void)context;
    struct exchange *exchange = allocate_zeroed(1, sizeof *exchange);
    exchange->connection = connection;
    exchange->address = duplicate_string(address);
    answer_begin(&exchange->answer);
    if (strlen(address) > LONGEST_ADDRESS)
        exchange->refusal = "the address is longer than 8 kB";
    else
        request_split(exchange);
    return exchange;
}

static void end_exchange(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code) {
    struct exchange *exchange = *state;
    (void)context;
    (void)connection;
    (void)code;
    if (!exchange)
        return;
    uint64_t one = 1;
    if (exchange->answer.ends_server)
        (void)!write(server.ending, &one, sizeof one);
    answer_end(&exchange->answer);
    if (exchange->upload)
        object_end(exchange->upload);
    free(exchange->upload);
    for (size_t i = 0; i < exchange->part_count; i++)
        free(exchange->parts[i]);
    free(exchange->parts);
    free(exchange->address);
    free(exchange->body);
    free(exchange);
    *state = NULL;
}

static enum MHD_Result send_response(struct exchange *exchange, unsigned status,
                                     struct MHD_Response *response) {
    if (!response)
        return MHD_NO;
    security_headers(response);
    enum MHD_Result result = MHD_queue_response(exchange->connection, status, response);
    MHD_destroy_response(response);
    return result;
}

/* A name for a file, in a header, without characters that could end the header. */
static void name_file(struct MHD_Response *response, const char *name) {
    char *value = format_string("attachment; filename=\"%s\"", name);
    for (char *at = value + strlen("attachment; filename=\""); *at && at[1]; at++)
        if ((unsigned char)*at < ' ' || (unsigned char)*at > '~' || strchr("\"\\/%;", *at))
            *at = '_';
    MHD_add_response_header(response, "Content-Disposition", value);
    free(value);
}

static enum MHD_Result send_answer(struct exchange *exchange) {
    struct answer *answer = &exchange->answer;
    struct MHD_Response *response;
    struct stat status;
    if (answer->reader) {
        response = events_response(answer->reader);
        if (response)
            answer->reader = NULL;
        answer->type = "text/event-stream";
    } else if (answer->file >= 0 && fstat(answer->file, &status) == 0) {
        response = MHD_create_response_from_fd64((uint64_t)status.st_size, answer->file);
        if (response)
            answer->file = -1;
        if (response && answer->file_name)
            name_file(response, answer->file_name);
    } else {
        response = MHD_create_response_from_buffer(answer->length, answer->text ? answer->text : "",
                                                   MHD_RESPMEM_MUST_FREE);
        if (response)
            answer->text = NULL;
    }
    if (response) {
        MHD_add_response_header(response, "Content-Type", answer->type);
        MHD_add_response_header(response, "Cache-Control", "no-store");
    }
    return send_response(exchange, answer->status, response);
}

static enum MHD_Result refuse_exchange(struct exchange *exchange, unsigned status, const char *why) {
    answer_error(&exchange->answer, status, NULL, "%s", why);
    answer_finish(&exchange->answer);
    return send_answer(exchange);
}

static enum MHD_Result send_cookie(struct exchange *exchange) {
    struct request request = {.exchange = exchange, .arena = arena_create()};
    const char *token = request_query(&request, "token");
    bool right = token && security_open(token);
    arena_destroy(request.arena);
    if (!right)
        return refuse_exchange(exchange, MHD_HTTP_FORBIDDEN,
                               "the token is wrong, or used up: PROJECT/.address has another");
    struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    char *cookie =
        format_string("atomc-%u=%s; Path=/; HttpOnly; SameSite=Strict", server.port, server.cookie);
    MHD_add_response_header(response, "Set-Cookie", cookie);
    MHD_add_response_header(response, "Location", "/");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    free(cookie);
    return send_response(exchange, MHD_HTTP_SEE_OTHER, response);
}

static bool is_api(const struct exchange *exchange) {
    return exchange->part_count > 2 && strcmp(exchange->parts[0], api_prefix[0]) == 0 &&
           strcmp(exchange->parts[1], api_prefix[1]) == 0;
}

static enum MHD_Result answer_directly(struct exchange *exchange) {
    if (exchange->part_count == 1 && strcmp(exchange->parts[0], "open") == 0)
        return send_cookie(exchange);
    unsigned status;
    const char *known = MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "If-None-Match");
    struct MHD_Response *response = static_file(exchange->parts, exchange->part_count, known, &status);
    return response ? send_response(exchange, status, response)
                    : refuse_exchange(exchange, MHD_HTTP_NOT_FOUND, "there is no such page");
}

static enum MHD_Result begin_upload(struct exchange *exchange) {
    exchange->upload = allocate_zeroed(1, sizeof *exchange->upload);
    if (project_is_read_only(server.project))
        answer_database(&exchange->answer, SQLITE_READONLY);
    else if (!object_begin(exchange->upload, server.project))
        answer_upload_failure(&exchange->answer, exchange->upload->error);
    else
        return MHD_YES;
    answer_finish(&exchange->answer);
    return send_answer(exchange);
}

/* ---- connections ---------------------------------------------------------------------------------------- */

/* Connections that have not yet made an allowed request. If there are too many, the oldest is closed, so that
   such clients cannot use up all connections. All of this is in the daemon's thread. */
struct stranger {
    int socket;
    bool is_known; /* the connection has made such a request, or is being closed: it is in no list */
    struct stranger *next, *before;
};
static struct {
    struct stranger *oldest, *latest;
    unsigned count;
} strangers;

static void forget_stranger(struct stranger *stranger) {
    if (!stranger || stranger->is_known)
        return;
    *(stranger->before ? &stranger->before->next : &strangers.oldest) = stranger->next;
    *(stranger->next ? &stranger->next->before : &strangers.latest) = stranger->before;
    stranger->is_known = true;
    strangers.count--;
}

static void watch_connection(void *context, struct MHD_Connection *connection, void **own,
                             enum MHD_ConnectionNotificationCode code) {
    struct stranger *stranger = *own;
    (void)context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        forget_stranger(stranger);
        free(stranger);
        *own = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *own = stranger = allocate_zeroed(1, sizeof *stranger);
    stranger->socket = info ? info->connect_fd : -1;
    stranger->before = strangers.latest;
    *(strangers.latest ? &strangers.latest->next : &strangers.oldest) = stranger;
    strangers.latest = stranger;
    if (++strangers.count > MOST_STRANGERS) {
        shutdown(strangers.oldest->socket, SHUT_RDWR);
        forget_stranger(strangers.oldest);
    }
}

static void know_connection(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info)
        forget_stranger(info->socket_context);
}

/* ---- requests ------------------------------------------------------------------------------------------- */

/* Called when the header is complete, before the body. */
static enum MHD_Result check_exchange(struct exchange *exchange, const char *method) {
    const char *why;
    bool other = false;
    exchange->checked = true;
    if (is_api(exchange) && !exchange->refusal)
        exchange->route =
            route_find(method, exchange->parts + 2, exchange->part_count - 2, &exchange->request, &other);
    unsigned status = security_refuses(exchange, method, &why);
    if (status)
        return refuse_exchange(exchange, status, why);
    know_connection(exchange->connection);
    server_used();
    if (!is_api(exchange))
        return writes(method)
                   ? refuse_exchange(exchange, MHD_HTTP_METHOD_NOT_ALLOWED, "this can only be read")
                   : MHD_YES;
    if (!exchange->route)
        return other
                   ? refuse_exchange(exchange, MHD_HTTP_METHOD_NOT_ALLOWED, "this address has other methods")
                   : refuse_exchange(exchange, MHD_HTTP_NOT_FOUND, "there is no such address");
    exchange->request.method = exchange->route->method;
    exchange->request.path = exchange->address + strlen("/api/v1");
    return route_takes_file(exchange->route) ? begin_upload(exchange) : MHD_YES;
}

/* A part of the body. A request that is refused in the middle of its body is answered at its end: the rest
   is discarded. */
static enum MHD_Result take_part(struct exchange *exchange, const char *data, size_t size) {
    if (exchange->upload) {
        struct object *object = exchange->upload;
        if (!object->error && object->bytes + (int64_t)size > LARGEST_UPLOAD)
            return MHD_NO; /* a chunked body without a length: no client of the workbench sends that */
        if (!object->error && !object_write(object, data, size))
            object_end(object);
        return MHD_YES;
    }
    if (exchange->body_length + size > LARGEST_BODY)
        return MHD_NO;
    exchange->body = reallocate(exchange->body, exchange->body_length + size + 1);
    memcpy(exchange->body + exchange->body_length, data, size);
    exchange->body_length += size;
    exchange->body[exchange->body_length] = '\0';
    return MHD_YES;
}

static enum MHD_Result take_request(void *context, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *data, size_t *size,
                                    void **state) {
    struct exchange *exchange = *state;
    (void)context;
    (void)connection;
    (void)url;
    (void)version;
    if (!exchange)
        return MHD_NO;
    if (!exchange->checked)
        return check_exchange(exchange, method);
    if (*size > 0) {
        size_t count = *size;
        *size = 0;
        return take_part(exchange, data, count);
    }
    if (exchange->answered)
        return send_answer(exchange);
    if (!exchange->route)
        return answer_directly(exchange);
    return workers_add(exchange)
               ? MHD_YES
               : refuse_exchange(exchange, MHD_HTTP_SERVICE_UNAVAILABLE, "the workbench ends");
}

/* ---- the daemon ----------------------------------------------------------------------------------------- */

/* Errors of clients are not printed on the terminal. */
static void log_nothing(void *context, const char *format, va_list arguments) {
    (void)context;
    (void)format;
    (void)arguments;
}

bool http_start(uint16_t port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    server.daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
        take_request, NULL, MHD_OPTION_EXTERNAL_LOGGER, log_nothing, NULL, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&address, MHD_OPTION_EXTERNAL_LOGGER, log_nothing, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, watch_connection, NULL, MHD_OPTION_URI_LOG_CALLBACK, begin_exchange,
        NULL, MHD_OPTION_NOTIFY_COMPLETED, end_exchange, NULL, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)CONNECTION_SECONDS,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
        MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server.daemon ? MHD_get_daemon_info(server.daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    server.port = info ? info->port : 0;
    return server.port != 0;
}

unsigned http_connections(void) {
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server.daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info ? info->num_connections : 0;
}

void http_refuse_more(void) {
    MHD_socket listening = MHD_quiesce_daemon(server.daemon);
    if (listening != MHD_INVALID_SOCKET)
        close(listening);
}

void http_stop(void) {
    MHD_stop_daemon(server.daemon);
}
