/* cache.h: what caches and translation buffers count in all, for tables (places.c) and a page (cache_page.c).
 */
#ifndef ATOMC_CACHE_H
#define ATOMC_CACHE_H

#include "lru.h"

extern struct level {
    long line, sets, ways;  /* .line 0: there is no such level */
    unsigned long *entries; /* sets * ways, most recently used first: 2 * (line number + 1) + dirty, or 0 */
    struct seen seen;
    long references[2], misses[2], compulsory, written_back; /* references of level 1: once it is printed */
} levels[2];
extern const char *first_level_name;

/* In a child of fork: nothing has been counted, nor seen; what is in the cache stays. */
void forget_levels(void);
/* The table; the first level's references have been counted by the tool. */
void print_levels(const char *tool, const char *out, long loads, long stores);
void print_fetch_levels(const char *tool, const char *out, long fetches);

#endif
