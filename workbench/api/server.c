/* server.c: facts about the server and its project, and the server's end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/project/campaigns.h"
#include "workbench/project/project.h"
#include "workbench/project/runs.h"

static void get_project(struct request *request, struct answer *answer) {
    const struct project *project = request->project;
    const char *name = strrchr(project->folder, '/');
    json_t *allowed = json_array();
    for (const char *const *folder = paths_allowed(project); *folder; folder++)
        json_array_append_new(allowed, json_text(*folder));
    char *packages = project_packages_words(project);
    answer_json(answer,
                json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:b}", "name",
                          json_text(name && name[1] ? name + 1 : project->folder), "path",
                          json_text(project->folder), "packages", json_text(packages), "read_only",
                          json_text(project->read_only ? project->why : NULL), "waits", project->waits,
                          "allowed", allowed, "running", runs_are_under_way() || campaigns_are_under_way()));
    free(packages);
}

static void post_quit(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"stop", FIELD_BOOLEAN, false}};
    if (!request_fields(request, answer, fields, 1))
        return;
    if ((runs_are_under_way() || campaigns_are_under_way()) &&
        !json_is_true(json_object_get(request->body, "stop")))
        answer_error(answer, MHD_HTTP_CONFLICT, "stop the runs, or wait for them",
                     "there are runs under way");
    else
        answer->ends_server = true;
}

/* A source named by debug information may be outside of the allowed folders: the page offers to allow its
   folder. */
static void post_allow(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"folder", FIELD_TEXT, true}};
    if (!request_fields(request, answer, fields, 1))
        return;
    const char *folder = request_text(request, "folder");
    if (folder[0] != '/')
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "%s: not an absolute path", folder);
    else if (!path_allow(request->project, folder))
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "%s: %s", folder, strerror(errno));
    else
        get_project(request, answer);
}

const struct route server_routes[] = {
    {"GET", "/project", get_project},
    {"POST", "/project/allow", post_allow},
    {"POST", "/quit", post_quit},
    {NULL, NULL, NULL},
};
