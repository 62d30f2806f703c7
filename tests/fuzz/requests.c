/* requests.c: sends changed requests to a server on 127.0.0.1, the same ones for the same seed.
   Use: requests PORT COOKIE COUNT SEED <CORPUS, lines of METHOD PATH [BODY]. Most changes leave the headers
   that security.c looks at as they are, and the length right, so that the request arrives where it is meant
   to. Prints how many were answered, by the first digit of the status; exit status 1: the server does not
   accept connections any more. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "changes.h"

enum { IMPATIENCE_MILLISECONDS = 60 };

static size_t compose(char *request, const char *line, int port, const char *cookie) {
    char method[16], target[ROOM / 2], body[ROOM / 2];
    const char *path = strchr(line, ' ') + 1, *rest = strchr(path, ' ');
    size_t target_length = rest ? (size_t)(rest - path) : strlen(path),
           body_length = rest ? strlen(rest + 1) : 0;
    bool is_upload = strncmp(line, "POST /api/v1/objects", 20) == 0;
    snprintf(method, sizeof method, "%.*s", (int)(path - line - 1), line);
    memcpy(target, path, target_length);
    memcpy(body, rest ? rest + 1 : "", body_length);
    unsigned kind = draw(10), changes = draw(3) + (kind >= 8);
    for (unsigned i = 0; i < changes && kind < 8; i++) {
        if (body_length && draw(3))
            change(body, &body_length);
        else
            change(target, &target_length);
    }
    size_t length = (size_t)sprintf(request, "%s ", method);
    memcpy(request + length, target, target_length);
    length += target_length;
    length += (size_t)sprintf(request + length,
                              " HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nCookie: "
                              "%s\r\nContent-Type: application/%s\r\nConnection: "
                              "close\r\n",
                              port, port, cookie, is_upload ? "octet-stream" : "json");
    if (strcmp(method, "GET") != 0)
        length += (size_t)sprintf(request + length, "Content-Length: %zu\r\n", body_length);
    length += (size_t)sprintf(request + length, "\r\n");
    if (strcmp(method, "GET") != 0) {
        memcpy(request + length, body, body_length);
        length += body_length;
    }
    for (unsigned i = 0; i < changes && kind >= 8; i++)
        change(request, &length);
    return length;
}

/* The first digit of the status; 0: no answer; -1: no connection. */
static int ask(int port, const char *request, size_t length) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((unsigned short)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int server = socket(AF_INET, SOCK_STREAM, 0), digit = 0;
    char answer[65536];
    if (connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
        close(server);
        return -1;
    }
    for (size_t sent = 0; sent < length;) {
        ssize_t count = send(server, request + sent, length - sent, MSG_NOSIGNAL);
        if (count <= 0)
            break;
        sent += (size_t)count;
    }
    /* What is not whole is not answered: nobody waits for that. */
    int pause = draw(16) == 0 ? IMPATIENCE_MILLISECONDS : 3000;
    for (struct pollfd one = {server, POLLIN, 0};
         poll(&one, 1, digit ? IMPATIENCE_MILLISECONDS : pause) > 0;) {
        ssize_t count = recv(server, answer, sizeof answer, 0);
        if (count <= 0)
            break;
        if (!digit && count > 9)
            digit = answer[9] - '0';
        if (count > 12 && memcmp(answer + 9, "500", 3) == 0) { /* a mistake of ours: to be looked at */
            answer[count < (ssize_t)sizeof answer ? count : (ssize_t)sizeof answer - 1] = '\0';
            const char *body = strstr(answer, "\r\n\r\n");
            printf("%.3s %.100s: %.200s\n", answer + 9, request, body ? body + 4 : "");
        }
    }
    close(server);
    return digit;
}

/* The last line printed is the sum. */
int main(int count, char **words) {
    static char request[4 * ROOM], line[ROOM / 4];
    long answered[11] = {0};
    if (count != 5)
        return 2;
    int port = atoi(words[1]), refused = 0;
    state = strtoull(words[4], NULL, 10) * 2654435761u + 88172645463325252ull;
    while (line_count < MOST_LINES && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line && *line != '#')
            lines[line_count++] = strdup(line);
    }
    for (long i = 0; i < atol(words[3]) && refused < 5; i++) {
        size_t length = compose(request, lines[draw((unsigned)line_count)], port, words[2]);
        if (getenv("KEEP_REQUEST")) {
            FILE *kept = fopen(getenv("KEEP_REQUEST"), "w");
            fwrite(request, 1, length, kept);
            fclose(kept);
        }
        int digit = ask(port, request, length);
        refused = digit < 0 ? refused + 1 : 0;
        answered[digit < 0 || digit > 9 ? 10 : digit]++;
        if (digit < 0)
            usleep(200000);
    }
    printf("none %ld, 2xx %ld, 3xx %ld, 4xx %ld, 5xx %ld\n", answered[0], answered[2], answered[3],
           answered[4], answered[5]);
    return refused >= 5;
}
