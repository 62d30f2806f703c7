/* security.c: which requests are accepted. docs/internals/security.md describes the rules and their
   purposes. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "workbench/server/server.h"

bool make_secret(char secret[SECRET_TEXT]) {
    unsigned char bytes[(SECRET_TEXT - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* Takes the same time for any position of the difference. */
static bool is_secret(const char *text, size_t length, const char *secret) {
    unsigned char difference = 0;
    if (length != SECRET_TEXT - 1)
        return false;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)(text[i] ^ secret[i]);
    return difference == 0;
}

bool security_open(const char *token) {
    pthread_mutex_lock(&server.lock);
    bool right = is_secret(token, strlen(token), server.token);
    char *address = NULL;
    if (right && make_secret(server.token))
        address = format_string("http://127.0.0.1:%u/open?token=%s", server.port, server.token);
    pthread_mutex_unlock(&server.lock);
    if (address)
        project_announce(server.project, address);
    free(address);
    return right && address;
}

bool writes(const char *method) {
    return strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0;
}

static const char *header_value(const struct exchange *exchange, const char *name) {
    return MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, name);
}

/* 127.0.0.1:PORT or localhost:PORT after the prefix. */
static bool is_own_address(const char *text, const char *prefix) {
    static const char *const hosts[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < 2; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "%s%s:%u", prefix, hosts[i], server.port);
        if (strcmp(text, expected) == 0)
            return true;
    }
    return false;
}

/* Cookies of one host are common to its ports: this one's name has the port. */
static bool has_cookie(const struct exchange *exchange) {
    char name[32];
    snprintf(name, sizeof name, "atomc-%u=", server.port);
    const char *at = header_value(exchange, "Cookie");
    while (at && *at) {
        at += strspn(at, " ;");
        size_t length = strcspn(at, ";");
        if (strncmp(at, name, strlen(name)) == 0 && length >= strlen(name) &&
            is_secret(at + strlen(name), length - strlen(name), server.cookie))
            return true;
        at += length;
    }
    return false;
}

/* Counts the headers on which the decision depends: if a request has two of one name, different programs may
   use different ones. */
static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value) {
    static const char *const single[] = {
        "Host", "Origin", "Cookie", "Content-Type", "Content-Length", "Transfer-Encoding", "Sec-Fetch-Site"};
    unsigned *counts = context;
    (void)kind;
    (void)value;
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (strcasecmp(name, single[i]) == 0)
            counts[i]++;
    return MHD_YES;
}

static bool headers_repeat(const struct exchange *exchange) {
    unsigned counts[7] = {0};
    bool repeated = false;
    MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, count_header, counts);
    for (size_t i = 0; i < 7; i++)
        repeated |= counts[i] > 1;
    return repeated || (counts[4] && counts[5]);
}

static bool is_type(const char *type, const char *expected) {
    if (!type || strncasecmp(type, expected, strlen(expected)) != 0)
        return false;
    type += strlen(expected);
    type += strspn(type, " ");
    return !*type || *type == ';';
}

/* A page of another site cannot send these types without a preflight request. */
static unsigned body_refuses(const struct exchange *exchange, const char **why) {
    bool is_file = exchange->route && route_takes_file(exchange->route);
    const char *type = header_value(exchange, "Content-Type"),
               *length = header_value(exchange, "Content-Length");
    *why = is_file ? "a file is uploaded as application/octet-stream"
                   : "a request that changes something is application/json";
    if (!is_type(type, is_file ? "application/octet-stream" : "application/json"))
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    *why = is_file ? "the file is larger than 1 GB" : "the body is larger than 1 MB";
    if (length && strtoull(length, NULL, 10) > (is_file ? LARGEST_UPLOAD : LARGEST_BODY))
        return MHD_HTTP_CONTENT_TOO_LARGE;
    return 0;
}

unsigned security_refuses(struct exchange *exchange, const char *method, const char **why) {
    static const char *const methods[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};
    const char *host = header_value(exchange, "Host"), *origin = header_value(exchange, "Origin"),
               *site = header_value(exchange, "Sec-Fetch-Site");
    bool known = false, opens = exchange->part_count == 1 && strcmp(exchange->parts[0], "open") == 0;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        known |= strcmp(method, methods[i]) == 0;
    *why = "this is not the address that the workbench listens at";
    if (!host || !is_own_address(host, ""))
        return MHD_HTTP_MISDIRECTED_REQUEST;
    *why = exchange->refusal;
    if (exchange->refusal)
        return strlen(exchange->address) > LONGEST_ADDRESS ? MHD_HTTP_URI_TOO_LONG : MHD_HTTP_BAD_REQUEST;
    *why = "a header stands twice";
    if (headers_repeat(exchange))
        return MHD_HTTP_BAD_REQUEST;
    *why = "there is no such method";
    if (!known)
        return MHD_HTTP_NOT_IMPLEMENTED;
    *why = "the request comes from another site";
    if (origin && !is_own_address(origin, "http://"))
        return MHD_HTTP_FORBIDDEN;
    /* The address with the token may also be opened from a terminal or a mail. */
    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0 && !opens)
        return MHD_HTTP_FORBIDDEN;
    *why = "a request that changes something needs the header Origin";
    if (writes(method) && !origin)
        return MHD_HTTP_FORBIDDEN;
    *why = "open the address that atomc workbench printed, or that PROJECT/.address has";
    if (!opens && !has_cookie(exchange))
        return MHD_HTTP_FORBIDDEN;
    if (writes(method))
        return body_refuses(exchange, why);
    const char *length = header_value(exchange, "Content-Length");
    *why = "this method has no body";
    if ((length && strtoull(length, NULL, 10) > 0) || header_value(exchange, "Transfer-Encoding"))
        return MHD_HTTP_BAD_REQUEST;
    return 0;
}

void security_headers(struct MHD_Response *response) {
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; "
         "img-src 'self' data:; "
         "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
}
