/* project.c: a project: a folder with project.sqlite (runs/results/schema.sql), objects/, runs/, tools/.
   Only one workbench has the project open, and only one of its connections writes. */
#include "workbench/project/project.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/results/store.h"
#include "support/packages.h"
#include "workbench/project/objects.h"

const char *project_folder(const struct project *project) {
    return project->folder;
}

char *project_packages(const struct project *project) {
    char *folder = format_string("%s/tools", project->folder), *entry = packages_list_entry(folder);
    free(folder);
    return entry;
}

char *project_packages_words(const struct project *project) {
    char *entry = project_packages(project), *word = shell_word(entry),
         *words = format_string("ATOMC_PACKAGES=%s", word);
    free(entry);
    free(word);
    return words;
}

bool project_is_read_only(const struct project *project) {
    return project->read_only;
}

static void print_complaint(const char *folder, const char *text, const char *hint) {
    fprintf(stderr, "atomc: error: %s: %s\n", folder, text);
    if (hint)
        fprintf(stderr, "    hint: %s\n", hint);
}

/* ---- the lock: PROJECT/.address ----------------------------------------------------------------------- */

void project_announce(struct project *project, const char *address) {
    if (project->address < 0)
        return;
    size_t length = strlen(address);
    if (ftruncate(project->address, 0) != 0 ||
        pwrite(project->address, address, length, 0) != (ssize_t)length ||
        pwrite(project->address, "\n", 1, (off_t)length) != 1)
        fprintf(stderr, "atomc: warning: %s/.address: %s\n", project->folder, strerror(errno));
}

/* Another workbench has it open: prints its address, with the token, which only this user can read. */
static void say_who(const char *folder, int descriptor) {
    char address[256] = "";
    ssize_t length = pread(descriptor, address, sizeof address - 1, 0);
    address[length > 0 ? strcspn(address, "\n") : 0] = '\0';
    char *text =
        format_string("it is open in the workbench at %s already", *address ? address : "another address");
    print_complaint(folder, text, "that workbench ends by its button, or by Ctrl-C where it was started");
    free(text);
}

/* Returns false if another workbench has it. */
static bool lock_project(struct project *project) {
    char *path = format_string("%s/.address", project->folder);
    project->address = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    free(path);
    if (project->address < 0) {
        project->read_only = true;
        project->why = strerror(errno);
        return true;
    }
    if (flock(project->address, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        say_who(project->folder, project->address);
        return false;
    }
    return fchmod(project->address, 0600) == 0;
}

/* ---- the database ------------------------------------------------------------------------------------- */

static int64_t query_number(sqlite3 *database, const char *sql) {
    sqlite3_stmt *ask = NULL;
    int64_t number = -1;
    if (sqlite3_prepare_v2(database, sql, -1, &ask, NULL) == SQLITE_OK && sqlite3_step(ask) == SQLITE_ROW)
        number = sqlite3_column_int64(ask, 0);
    sqlite3_finalize(ask);
    return number;
}

static bool make_project_folders(const struct project *project) {
    static const char *const names[] = {"objects", "runs", "tools"};
    bool good = true;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && good; i++) {
        char *path = format_string("%s/%s", project->folder, names[i]);
        good = mkdir(path, 0777) == 0 || errno == EEXIST;
        free(path);
    }
    return good;
}

/* The store of results makes its tables, or upgrades them. */
static bool make_tables(struct project *project) {
    struct diagnostics *diagnostics = diagnostics_create();
    struct store store;
    bool good = store_open(&store, project->database, STORE_WRITE, diagnostics) &&
                store_share(&store, &project->waits);
    store_close(&store);
    diagnostics_print(diagnostics, stderr);
    diagnostics_destroy(diagnostics);
    if (project->waits)
        fprintf(stderr,
                "atomc: warning: %s is on a file system of several machines: pages wait while results are "
                "added\n",
                project->folder);
    return good;
}

static bool open_to_write(struct project *project) {
    if (!make_project_folders(project) || !make_tables(project))
        return false;
    objects_tidy(project);
    if (sqlite3_open_v2(project->database, &project->writer, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX,
                        NULL) != SQLITE_OK)
        return false;
    sqlite3_busy_timeout(project->writer, 60000);
    return sqlite3_exec(project->writer, "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL", NULL, NULL,
                        NULL) == SQLITE_OK;
}

sqlite3 *project_connect(const struct project *project, const char **message) {
    sqlite3 *database = NULL;
    char *address = project->immutable ? format_string("file:%s?immutable=1", project->database)
                                       : duplicate_string(project->database);
    int code = sqlite3_open_v2(
        address, &database,
        SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | (project->immutable ? SQLITE_OPEN_URI : 0), NULL);
    free(address);
    if (code ==
        SQLITE_OK) /* the first access may have to wait for a process that recovers or closes the log */
        sqlite3_busy_timeout(database, project->waits ? 60000 : 5000);
    if (code == SQLITE_OK && query_number(database, "SELECT count(*) FROM sqlite_schema") < 0)
        code = sqlite3_errcode(database);
    if (code == SQLITE_OK)
        return database;
    *message = sqlite3_errstr(code);
    sqlite3_close(database);
    return NULL;
}

/* ---- opening ------------------------------------------------------------------------------------------ */

/* Returns false, after a message, if it cannot be opened at all. */
static bool look_first(struct project *project) {
    const char *message = "";
    struct stat status;
    if (stat(project->database, &status) != 0)
        return true;
    if (access(project->database, W_OK) != 0 || access(project->folder, W_OK) != 0) {
        project->read_only = true;
        project->why = strerror(EACCES);
    }
    char *log = format_string("%s-wal", project->database);
    project->immutable = project->read_only && access(log, F_OK) != 0;
    free(log);
    sqlite3 *database = project_connect(project, &message);
    if (!database) {
        print_complaint(project->database, message, NULL);
        return false;
    }
    int64_t id = query_number(database, "PRAGMA application_id"),
            version = query_number(database, "PRAGMA user_version");
    int64_t tables = query_number(database, "SELECT count(*) FROM sqlite_schema");
    sqlite3_close(database);
    if (id != STORE_MARK && tables > 0) {
        print_complaint(project->database, "it holds other tables", NULL);
        return false;
    }
    if (version > STORE_VERSION) {
        project->read_only = true;
        project->why = "a newer atomc made it";
    }
    if (project->read_only && version < STORE_VERSION) {
        print_complaint(project->folder, "an older atomc made it, and it cannot be written",
                        "copy the folder to where you may write");
        return false;
    }
    return true;
}

struct project *project_open(const char *folder, const char *const *allowed, size_t count) {
    struct project *project = allocate_zeroed(1, sizeof *project);
    struct stat status;
    project->address = -1;
    pthread_mutex_init(&project->lock, NULL);
    if (stat(folder, &status) != 0 && errno == ENOENT)
        mkdir(folder, 0777);
    project->folder = realpath(folder, NULL);
    if (!project->folder || stat(project->folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        print_complaint(folder, project->folder ? strerror(ENOTDIR) : strerror(errno), NULL);
        project_close(project);
        return NULL;
    }
    project->database = format_string("%s/project.sqlite", project->folder);
    bool good = look_first(project) && (project->read_only || lock_project(project));
    if (good && project->read_only && access(project->database, R_OK) != 0) {
        print_complaint(project->folder, "there is no project.sqlite, and none can be made", strerror(errno));
        good = false;
    }
    if (good && !project->read_only && !open_to_write(project)) {
        print_complaint(project->database,
                        project->writer ? sqlite3_errmsg(project->writer) : strerror(errno), NULL);
        good = false;
    }
    for (size_t i = 0; good && i < count; i++)
        if (!path_allow(project, allowed[i])) {
            print_complaint(allowed[i], strerror(errno), "--allow names a folder");
            good = false;
        }
    if (good && project->read_only)
        fprintf(stderr, "atomc: warning: %s: open to be read only: %s\n", project->folder, project->why);
    if (good)
        return project;
    project_close(project);
    return NULL;
}

void project_close(struct project *project) {
    if (!project)
        return;
    sqlite3_close(project->writer);
    if (project->address >= 0 && project->writer) {
        char *path = format_string("%s/.address", project->folder);
        unlink(path);
        free(path);
    }
    if (project->address >= 0)
        close(project->address);
    for (size_t i = 0; i < MOST_ALLOWED; i++)
        free(project->allowed[i]);
    pthread_mutex_destroy(&project->lock);
    free(project->folder);
    free(project->database);
    free(project);
}

int project_write(struct project *project, bool (*function)(sqlite3 *database, void *argument),
                  void *argument) {
    if (project->read_only)
        return SQLITE_READONLY;
    if (reading_failure() != SQLITE_OK)
        return reading_failure();
    pthread_mutex_lock(&project->lock);
    sqlite3 *database = project->writer;
    int code = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        bool good = function(database, argument);
        code = good ? sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) : sqlite3_errcode(database);
        if (!good && (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW))
            code = SQLITE_ABORT;
        if (code != SQLITE_OK)
            sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
    }
    pthread_mutex_unlock(&project->lock);
    reading_renew();
    return code;
}
