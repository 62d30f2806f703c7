/* runs.h: runs made by the workbench: each is one `atomc run --job=`, started from a queue. */
#ifndef ATOMC_WORKBENCH_RUNS_H
#define ATOMC_WORKBENCH_RUNS_H

#include "workbench/server/server.h"

/* Starts the threads that make runs: one fewer than there are processors. First handles runs that a
   previous server left unfinished. */
bool runs_start(void);
/* Ends the active runs; their results are kept. */
void runs_stop(void);
/* Queues the run of that number; `job`, as JSON, is copied. */
void runs_add(int64_t run, const char *key, int64_t repeat, const char *job);
/* Stops the run, or takes it from the queue; a second call ends it immediately. Returns false if it is not
   under way. */
bool runs_cancel(int64_t run);
bool runs_are_under_way(void);
/* runs/KEY.REPEAT, of the project; malloc'd. */
char *run_folder(const char *key, int64_t repeat);

#endif
