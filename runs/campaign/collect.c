/* collect.c: atomc campaign collect: adds the campaign's results to the project's database. Results that
   are in it already are not added again. */
#include <stdlib.h>
#include <string.h>

#include "runs/campaign/campaign.h"
#include "runs/results/store.h"

enum { AT_ONCE = 200 }; /* runs in a transaction */

static int64_t store_campaign(struct store *store, const struct session *session) {
    sqlite3_stmt *insert = store_prepare(
        store, "INSERT INTO campaign(name, definition, created, engine, state)"
               " VALUES(?1, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?3, 'collected')"
               " ON CONFLICT(name) DO UPDATE SET definition = excluded.definition RETURNING id");
    json_t *note = read_note(&session->project);
    const char *engine = json_string_value(json_object_get(note, "engine"));
    int64_t id = 0;
    if (insert) {
        sqlite3_bind_text(insert, 1, session->campaign->name, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 2, session->campaign->document.source.text, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 3, engine ? engine : "", -1, SQLITE_STATIC);
        if (sqlite3_step(insert) == SQLITE_ROW)
            id = sqlite3_column_int64(insert, 0);
        else
            store_failed(store);
    }
    sqlite3_finalize(insert);
    json_decref(note);
    return id;
}

/* A repeated run replaces its collected results. */
static bool remove_old_run(struct store *store, sqlite3_stmt *remove, const struct session *session,
                           uint32_t number) {
    const char *name = session->matrix.runs[number].name, *dot = strchr(name, '.');
    sqlite3_bind_text(remove, 1, name, (int)(dot - name), SQLITE_STATIC);
    sqlite3_bind_int64(remove, 2, session->matrix.runs[number].repeat);
    sqlite3_bind_text(remove, 3, session->standings[number].ended, -1, SQLITE_STATIC);
    return store_step(store, remove);
}

struct statements {
    sqlite3_stmt *remove, *update;
};

static bool add_run(struct store *store, const struct session *session, const struct statements *statements,
                    uint32_t number, bool *is_new) {
    int64_t run;
    char *folder = run_folder(&session->project, session->matrix.runs[number].name);
    bool good = remove_old_run(store, statements->remove, session, number) &&
                store_collect(store, folder, &run, is_new);
    free(folder);
    if (!good)
        return false;
    sqlite3_bind_int64(statements->update, 1, run);
    sqlite3_bind_int64(statements->update, 3, number);
    return store_step(store, statements->update);
}

bool collect_campaign(struct session *session) {
    struct store store;
    char *path = format_string("%s/project.sqlite", session->project.folder);
    uint32_t added = 0, there = 0;
    bool good = store_open(&store, path, STORE_WRITE, session->campaign->diagnostics);
    int64_t campaign = good ? store_campaign(&store, session) : 0;
    struct statements statements = {NULL, NULL};
    if (campaign) {
        statements.remove =
            store_prepare(&store, "DELETE FROM run WHERE key = ?1 AND repeat = ?2 AND ended IS NOT ?3");
        statements.update = store_prepare(
            &store, "UPDATE run SET campaign = ?2, job = ?3 WHERE id = ?1 AND campaign IS NULL");
    }
    good = statements.remove && statements.update && store_execute(&store, "BEGIN IMMEDIATE");
    bool begun = good;
    if (good)
        sqlite3_bind_int64(statements.update, 2, campaign);
    for (uint32_t i = 0; i < session->matrix.run_count && good; i++) {
        bool is_new = false;
        if (!is_whole(&session->standings[i]))
            continue;
        good = add_run(&store, session, &statements, i, &is_new);
        there++;
        added += is_new;
        if (good && there % AT_ONCE == 0)
            good = store_execute(&store, "COMMIT; BEGIN IMMEDIATE");
    }
    if (begun)
        good = store_execute(&store, good ? "COMMIT" : "ROLLBACK") && good;
    sqlite3_finalize(statements.remove);
    sqlite3_finalize(statements.update);
    const char *slash = session->request->project ? NULL : strrchr(session->campaign->path, '/');
    if (good && !session->request->project && !slash)
        printf("project.sqlite");
    else if (good)
        printf("%s", path);
    if (good)
        printf(": %u runs, %u of them new, %u missing\n", there, added, session->matrix.run_count - there);
    store_close(&store);
    free(path);
    return good;
}
