/* cache.h: the totals of caches and translation buffers, for tables (places.c) and a page (cache_page.c).
 */
#ifndef ATOMC_CACHE_H
#define ATOMC_CACHE_H

#include "lru.h"

extern struct level {
    long line, sets, ways;  /* .line 0: the level does not exist */
    unsigned long *entries; /* sets * ways, most recently used first: 2 * (line number + 1) + dirty, or 0 */
    struct seen seen;
    long references[2], misses[2], compulsory, written_back; /* references of level 1: once it is printed */
} levels[2];
extern const char *first_level_name;

/* In a child of fork counts restart; the contents of the cache are kept. */
void forget_levels(void);
/* The table; the first level's references have been counted by the tool. */
void print_levels(const char *tool, const char *out, long loads, long stores);
void print_fetch_levels(const char *tool, const char *out, long fetches);

#endif
