/* main.c: atomc-workbench, which atomc workbench starts. It opens the project, listens on 127.0.0.1, prints
   its address, and runs until it is ended. Exit status as for atomc: 0, 1 for user errors, 2 for internal
   errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "support/options.h"
#include "support/process.h"
#include "workbench/project/campaigns.h"
#include "workbench/project/runs.h"

struct server server = {.lock = PTHREAD_MUTEX_INITIALIZER, .ending = -1};

void server_used(void) {
    pthread_mutex_lock(&server.lock);
    server.last_use = time(NULL);
    pthread_mutex_unlock(&server.lock);
}

struct choices {
    const char *project;
    bool browser, help, requests;
    double idle; /* hours */
    uint16_t port;
    const char **allowed;
    size_t allowed_count, allowed_capacity;
};

/* --requests: for the test of docs/internals/requests.md. */
static void print_route(const struct route *route) {
    printf("%s /api/v1%s\n", route->method, route->path);
}

/* Returns false after an error. */
static bool set_server_option(struct choices *choices, const struct option_reader *reader,
                              enum option_id option) {
    if (option == OPTION_IDLE) {
        choices->idle = reader->number;
    } else if (option == OPTION_PORT) {
        choices->port = (uint16_t)reader->number;
    } else if (option == OPTION_ALLOW) {
        VECTOR_RESERVE(choices->allowed, choices->allowed_count, choices->allowed_capacity);
        choices->allowed[choices->allowed_count++] = reader->value;
    } else if (option == OPTION_WEB) {
        server.web = reader->value;
    } else if (option == OPTION_WORD && choices->project) {
        return usage_error(reader->diagnostics, COMMAND_WORKBENCH, "'%s': a workbench has one project open",
                           reader->word);
    } else if (option == OPTION_WORD) {
        choices->project = reader->word;
    }
    choices->help |= option == OPTION_HELP;
    choices->requests |= option == OPTION_REQUESTS;
    choices->browser &= option != OPTION_NO_BROWSER;
    return option != OPTION_WRONG;
}

static bool parse_server_words(struct choices *choices, int count, char **words) {
    struct diagnostics *diagnostics = diagnostics_create();
    struct option_reader reader = {
        .command = COMMAND_WORKBENCH, .words = words, .count = count, .at = 2, .diagnostics = diagnostics};
    bool good = true;
    for (enum option_id option; good && (option = next_option(&reader)) != OPTION_END;)
        good = set_server_option(choices, &reader, option);
    diagnostics_print(diagnostics, stderr);
    diagnostics_destroy(diagnostics);
    return good;
}

/* ---- ending ------------------------------------------------------------------------------------------- */

static void ask_for_end(int number) {
    uint64_t one = 1;
    (void)number;
    (void)!write(server.ending, &one, sizeof one);
}

static void catch_signals(void) {
    struct sigaction action = {.sa_handler = ask_for_end, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static bool is_server_idle(double hours) {
    pthread_mutex_lock(&server.lock);
    double since = difftime(time(NULL), server.last_use);
    pthread_mutex_unlock(&server.lock);
    return hours > 0 && since >= hours * 3600 && http_connections() == 0 && !runs_are_under_way() &&
           !campaigns_are_under_way();
}

static void wait_for_idle_end(double idle) {
    struct pollfd end = {server.ending, POLLIN, 0};
    int pause = idle <= 0 ? -1 : idle * 3600 < 60 ? (int)(idle * 3600 * 1000 / 2) + 1 : 60000;
    while (poll(&end, 1, pause) <= 0 && !is_server_idle(idle)) {
    }
}

/* ---- starting ----------------------------------------------------------------------------------------- */

/* Opens the user's browser, if there is one. The shell starts it in the background: it is not a child of
   this process, and outlives it. */
static void open_browser(const char *address) {
    const char *const words[] = {"sh", "-c", "xdg-open \"$0\" &", address, NULL};
    const int files[] = {PROCESS_NOTHING, PROCESS_NOTHING, PROCESS_NOTHING};
    pid_t shell = process_start(&(struct process){
        .words = words, .files = files, .file_count = 3, .only_files = true, .group = PROCESS_SESSION});
    if (shell > 0)
        process_wait(shell);
}

static bool start_server(struct choices *choices) {
    const char *home = getenv("HOME"), *usual[] = {".", home};
    bool given = choices->allowed_count > 0;
    size_t usual_count = home && access(home, R_OK | X_OK) == 0 ? 2 : 1;
    server.project =
        project_open(choices->project ? choices->project : "atomc-project", given ? choices->allowed : usual,
                     given ? choices->allowed_count : usual_count);
    if (!server.project)
        return false;
    server.last_use = time(NULL);
    server.ending = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (server.ending < 0 || !make_secret(server.cookie) || !make_secret(server.token) || !workers_start() ||
        !events_start() || !runs_start() || !http_start(choices->port)) {
        fprintf(stderr, "atomc: error: cannot listen on 127.0.0.1: %s\n", strerror(errno));
        return false;
    }
    return true;
}

static void say_address(const struct choices *choices) {
    char *address = format_string("http://127.0.0.1:%u/open?token=%s", server.port, server.token);
    project_announce(server.project, address);
    printf("%s\n", address);
    fflush(stdout);
    if (choices->browser && (getenv("DISPLAY") || getenv("WAYLAND_DISPLAY")))
        open_browser(address);
    free(address);
}

/* Opens descriptors 0, 1 and 2, so that no other file gets these numbers. */
static void open_standard_files(void) {
    int descriptor;
    while ((descriptor = open("/dev/null", O_RDWR)) >= 0 && descriptor <= 2) {
    }
    close(descriptor);
}

int main(int count, char **words) {
    struct choices choices = {.browser = true, .idle = 12};
    open_standard_files();
    if (getauxval(AT_SECURE)) {
        fputs("atomc: error: the workbench does not start with the rights of another user\n", stderr);
        return 1;
    }
    bool good = parse_server_words(&choices, count, words);
    if (good && choices.help) {
        print_help(COMMAND_WORKBENCH, stdout);
        free(choices.allowed);
        return 0;
    }
    if (good && choices.requests) {
        routes_visit(print_route);
        free(choices.allowed);
        return 0;
    }
    if (good && geteuid() == 0)
        fputs("atomc: warning: the workbench runs as root, and so do the programs that it starts\n", stderr);
    good = good && start_server(&choices);
    if (good) {
        catch_signals();
        say_address(&choices);
        wait_for_idle_end(choices.idle);
    }
    if (server.daemon) {
        http_refuse_more();
        runs_stop();
        workers_stop();
        campaigns_end();
        events_stop();
        http_stop();
        events_free();
    }
    if (server.ending >= 0)
        close(server.ending);
    project_close(server.project);
    free(choices.allowed);
    return good ? 0 : 1;
}
