/* carry.c: jobs for machines that do not share the project's folder. An archive with the job and all its
   files is sent to the machine as standard input; an archive with the results returns as standard output. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/campaign/campaign.h"

struct bundle {
    char *folder;
    uint32_t files;
    bool good;
};

/* A link in the bundle replaces the file that the object names, and tar follows the link. The name does not
   change, because keys include the names of programs and tools. */
static void carry_file(struct bundle *bundle, json_t *object) {
    const char *path = json_string_value(json_object_get(object, "path"));
    if (!path)
        return;
    char *folder = format_string("%s/%u", bundle->folder, bundle->files),
         *link = format_string("%s/%s", folder, strrchr(path, '/') + 1);
    bundle->good = mkdir(folder, 0700) == 0 && symlink(path, link) == 0 && bundle->good;
    json_object_set_new(object, "path", json_sprintf("%u/%s", bundle->files++, strrchr(path, '/') + 1));
    free(link);
    free(folder);
}

static void carry_files(struct bundle *bundle, json_t *list) {
    json_t *file;
    size_t i;
    json_array_foreach(list, i, file) carry_file(bundle, file);
}

bool carry_pack(struct session *session, uint32_t run, const char *archive) {
    struct bundle bundle = {format_string("%s.XXXXXX", archive), 0, true};
    json_t *job = run_job(session->campaign, &session->matrix.runs[run]), *tool;
    size_t i;
    if (!mkdtemp(bundle.folder)) {
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CANNOT_WRITE, bundle.folder, strerror(errno));
        free(bundle.folder);
        json_decref(job);
        return false;
    }
    /* Lists belong to the campaign, so copies of them are changed. */
    json_t *copy = json_deep_copy(job);
    carry_file(&bundle, json_object_get(copy, "program"));
    carry_file(&bundle, json_object_get(copy, "input"));
    carry_files(&bundle, json_object_get(copy, "files"));
    json_array_foreach(json_object_get(copy, "tools"), i, tool) {
        carry_file(&bundle, tool);
        carry_files(&bundle, json_object_get(tool, "code"));
    }
    char *path = format_string("%s/job.json", bundle.folder);
    bool good =
        bundle.good && json_dump_file(copy, path, 0) == 0 &&
        run_command((char *[]){"tar", "-chf", (char *)(uintptr_t)archive, "-C", bundle.folder, ".", NULL},
                    NULL) == 0;
    if (!good)
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CANNOT_WRITE, archive, "tar has failed");
    remove_folder(bundle.folder);
    free(path);
    free(bundle.folder);
    json_decref(copy);
    json_decref(job);
    return good;
}

bool carry_unpack(struct session *session, uint32_t run, const char *archive) {
    const char *name = session->matrix.runs[run].name;
    char *temporary = format_string("%s/runs/%s.carried.tmp", session->project.folder, name),
         *came = format_string("%s/result", temporary), *folder = run_folder(&session->project, name),
         *messages = NULL;
    bool good = remove_folder(temporary) && mkdir(temporary, 0777) == 0 &&
                run_command((char *[]){"tar", "-xf", (char *)(uintptr_t)archive, "-C", temporary, NULL},
                            &messages) == 0 &&
                rename(came, folder) == 0;
    remove_folder(temporary);
    free(messages);
    free(folder);
    free(came);
    free(temporary);
    return good;
}

int carry_work(const char *atomc) {
    const char *parent = getenv("TMPDIR");
    char *folder = format_string("%s/atomc-carried-XXXXXX", parent && *parent ? parent : "/tmp");
    int status = 2;
    if (mkdtemp(folder) && chdir(folder) == 0) {
        if (run_command((char *[]){"tar", "-x", NULL}, NULL) == 0) {
            status = run_command(
                (char *[]){(char *)(uintptr_t)atomc, "run", "--job=job.json", "--into=result", NULL}, NULL);
            if (access("result", F_OK) == 0 &&
                run_command((char *[]){"tar", "-c", "result", NULL}, NULL) != 0)
                status = 2;
        }
        if (chdir("/") != 0 || !remove_folder(folder))
            fprintf(stderr, "atomc: error: cannot remove %s: %s\n", folder, strerror(errno));
    } else {
        fprintf(stderr, "atomc: error: cannot make %s: %s\n", folder, strerror(errno));
    }
    free(folder);
    return status;
}
