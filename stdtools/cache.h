/* cache.h: from cache.c, which counts, to cache_page.c. */
#ifndef ATOMC_CACHE_H
#define ATOMC_CACHE_H

#include "lru.h"

extern struct level {
    struct lru lru; /* .line 0: there is no such level */
    struct seen seen;
    long references[2], misses[2], compulsory, written_back;
} levels[2];
extern const char *first_level_name;

#endif
