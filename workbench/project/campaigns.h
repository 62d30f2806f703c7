/* campaigns.h: campaigns started by the workbench. Each is one `atomc campaign run`, whose runs are collected
   while the command is running. */
#ifndef ATOMC_WORKBENCH_CAMPAIGNS_H
#define ATOMC_WORKBENCH_CAMPAIGNS_H

#include "workbench/server/server.h"

/* Starts the command for the campaign of that name, campaigns/NAME.json. Returns false and sets errno: EBUSY:
   it is running already. */
bool campaigns_begin(const char *name, const char *const *words);
/* The number of the campaign's events, since its last start here; 0: it was not started here. `*under_way`:
   the command has not ended. */
int64_t campaigns_events(const char *name, bool *under_way);
bool campaigns_are_under_way(void);
/* Ends local processes; tasks on a cluster continue. */
void campaigns_end(void);

#endif
