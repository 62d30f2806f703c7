/* runs.h: runs that the workbench makes: each is one `atomc run --job=`, started when its turn comes. */
#ifndef ATOMC_WORKBENCH_RUNS_H
#define ATOMC_WORKBENCH_RUNS_H

#include "workbench/server/server.h"

/* Threads that make runs: one less than there are processors. What a server before this one left unfinished
   is looked after first. */
bool runs_start(void);
/* Ends what runs; results are kept. */
void runs_stop(void);
/* The job, as JSON, is what the run of that number, which is queued, is to do; copied. */
void runs_add(int64_t run, const char *key, int64_t repeat, const char *job);
/* Stops the run, or takes it from the queue; a second time, at once. False: it is not under way. */
bool runs_cancel(int64_t run);
bool runs_are_under_way(void);
/* runs/KEY.REPEAT, of the project; malloc'd. */
char *run_folder(const char *key, int64_t repeat);

#endif
