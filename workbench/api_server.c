/* api_server.c: what is said of the server and its project, and how it is ended. */
#include <string.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/project.h"

static void get_project(struct request *request, struct answer *answer) {
    const struct project *project = request->project;
    json_t *allowed = json_array();
    for (const char *const *folder = paths_allowed(project); *folder; folder++)
        json_array_append_new(allowed, json_text(*folder));
    answer_json(answer, json_pack("{s:o, s:b, s:o, s:o, s:o}", "folder", json_text(project->folder),
                                  "read_only", project->read_only, "why", json_text(project->why), "allowed",
                                  allowed, "atomc", json_text(atomc_program())));
}

static void post_quit(struct request *request, struct answer *answer) {
    uint64_t one = 1;
    if (!request_fields(request, answer, NULL, 0))
        return;
    if (write(server.ending, &one, sizeof one) != sizeof one)
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "the workbench cannot be ended");
}

const struct route server_routes[] = {
    {"GET", "/project", get_project},
    {"POST", "/quit", post_quit},
    {NULL, NULL, NULL},
};
