/* project.h: an open project. */
#ifndef ATOMC_WORKBENCH_PROJECT_H
#define ATOMC_WORKBENCH_PROJECT_H

#include "workbench/server/server.h"

enum { MOST_ALLOWED = 64 };
struct project {
    char *folder;                    /* absolute */
    char *database;                  /* PROJECT/project.sqlite */
    char *allowed[MOST_ALLOWED + 1]; /* NULL ends them */
    bool read_only;
    bool immutable;  /* it never changes, so no lock is needed */
    bool waits;      /* its file system is of several machines: pages wait while results are added */
    const char *why; /* read_only: the reason */
    int address;     /* PROJECT/.address, locked while the project is open; -1: read only */
    sqlite3 *writer;
    pthread_mutex_t lock;
};

#endif
